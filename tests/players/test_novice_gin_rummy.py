"""The rules of thumb of the novice at gin rummy, each in the smallest position that shows it. It sits at seat 0."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Card, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.drawing import Discard, Draw, Take
from p2pcards.games.game import Stage
from p2pcards.games.gin_rummy.novice import choose
from p2pcards.games.gin_rummy.rules import GAME, PRESETS, Gin, Knock, Options, Phase, State, start
from p2pcards.games.playing import Pass
from p2pcards.players.choose import choose as choose_at

TELECARDS = PRESETS["telecards"]


def card(word: str) -> Card:
    return parse_cards(word)[0]


def at(
    hand: str, top: str, phase: Phase, theirs: str = "", options: Options = TELECARDS, taken: str = "", limit: int = 10
) -> State:
    """What seat 0 sees. top: the discards; theirs: what the other is known to hold."""
    known = [Slot(each, PUBLIC) for each in parse_cards(theirs)]
    held = make_bag(0, [Slot(each, eye_of_seat(0)) for each in parse_cards(hand)])
    state: Any = start(options, 1)
    view: State = replace(
        state,
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        hands=(held, make_bag(1, [*known, *[HIDDEN] * (10 - len(known))])),
        stock=(HIDDEN,) * 20,
        discards=tuple([Slot(each, PUBLIC) for each in parse_cards(top)]),
        limit=limit,
        phase=phase,
        taken=card(taken) if taken else None,
    )
    return view


def chosen(*position: Any, **changes: Any) -> object:
    view = at(*position, **changes)
    choices = [choose(view, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8 and choices[0] in GAME.legal(view, 0)
    return choices[0]


def discards(view: State) -> set[str]:
    """What it discards, one time or another."""
    actions = [choose(view, 0, Random(i)) for i in range(40)]
    return {str(action.card) for action in actions if isinstance(action, Discard)}


LOOSE = "2C 5C 9C 3D 7D JD 4H 8H QH KS"


def test_it_takes_a_discard_only_for_a_meld() -> None:
    for phase, otherwise in ((Phase.DRAW, Draw()), (Phase.UPCARD, Pass())):
        assert chosen(LOOSE, "AS", phase) == otherwise
        assert chosen(LOOSE, "9S", phase) == otherwise
        assert chosen("2C 5C 9C 3D 7D JD JH 8H QH KS", "JS", phase) == Take()
        assert chosen("2C 5C 9C 3D 7D JH QH 8S TS 9S", "JS", phase) == Take()  # a longer run
    assert chosen(LOOSE, "AS", Phase.FORCED) == Draw()


def test_it_discards_the_dearest_card_that_goes_with_nothing() -> None:
    assert chosen("2C 5C 9C 3D 7D 9D 4H 8H 6H 2S KS", "AD", Phase.DISCARD) == Discard(card("KS"))


def test_it_keeps_a_pair_of_kings_rather_than_a_single_ten_and_breaks_it_when_it_is_dead() -> None:
    hand = "2C 5C 3D 7D TD 4H KH KS AS AC 2S"
    assert chosen(hand, "AD", Phase.DISCARD) == Discard(card("TD"))
    assert discards(at(hand, "KC KD", Phase.DISCARD)) == {"KH", "KS", "TD"}


@pytest.mark.parametrize(("theirs", "gone"), [("", {"JD", "KS"}), ("KC KH", {"JD"}), ("TD", {"KS"})])
def test_it_does_not_help_a_hand_that_it_knows(theirs: str, gone: set[str]) -> None:
    view = at("2C 5C 3H 7H JD 4D 8C AS KS 2S 6D", "AD", Phase.DISCARD, theirs=theirs)
    assert discards(view) == gone


def test_it_knocks_as_low_as_it_can_as_soon_as_it_can() -> None:
    hand = "4H 5H 6H 8C 8H 8S JC JD JH 9D 7D"
    assert chosen(hand, "AD", Phase.DISCARD) == Knock(card("9D"))
    assert chosen(hand, "AD", Phase.DISCARD, limit=6) == Discard(card("9D"))
    assert chosen(hand, "AD", Phase.DISCARD, taken="9D") == Knock(card("7D"))


def test_it_goes_gin_and_big_gin() -> None:
    assert chosen("4H 5H 6H 8C 8H 8S JC JD JH JS 7D", "AD", Phase.DISCARD) == Gin(card("7D"))
    all_melds = "4H 5H 6H 7H 8C 8D 8S JC JD JH JS"
    assert isinstance(chosen(all_melds, "AD", Phase.DISCARD), Gin)
    assert chosen(all_melds, "AD", Phase.DISCARD, options=PRESETS["standard"]) == Gin()
    cheap = replace(PRESETS["standard"], big_gin_bonus=0)
    assert chosen(all_melds, "AD", Phase.DISCARD, options=cheap) != Gin()


def test_a_carefree_player_knocks_as_soon_as_it_may() -> None:
    view = at("4H 5H 6H 8C 8H 8S JC JD JH 9D 7D", "AD", Phase.DISCARD)
    picks = {choose_at(GAME, view, 0, "carefree", Random(i)) for i in range(40)}
    assert picks == {Knock(card("9D")), Knock(card("7D"))}
