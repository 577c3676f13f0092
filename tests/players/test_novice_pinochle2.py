"""The rules of thumb of the novice at two-handed pinochle, and how well they do. It sits at seat 0, hearts trump."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from p2pcards.cards.card import Card, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.drawing import Draw, Knock, Meld
from p2pcards.games.game import Stage
from p2pcards.games.pinochle2.melds import Kind, Laid, cards_after_meld
from p2pcards.games.pinochle2.novice import choose
from p2pcards.games.pinochle2.rules import GAME, Options, Phase, State, start
from p2pcards.games.playing import Play
from p2pcards.ledger.solo import Result, play_game
from p2pcards.players.choose import choose as choose_at
from p2pcards.players.choose import choose_at_random


def card(word: str) -> Card:
    return parse_cards(word)[0]


def laid(*melds: tuple[Kind, str]) -> tuple[Laid, ...]:
    table: tuple[Laid, ...] = ()
    for kind, words in melds:
        table = cards_after_meld(table, kind, parse_cards(words))
    return table


def position(hand: str, phase: Phase, stock: int = 24, options: Options | None = None, **changes: Any) -> State:
    """What seat 0 sees when it is to act. stock: cards in it, with the turn-up."""
    options = options or Options()
    state = replace(
        start(options, 1),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        hands=(make_bag(0, [Slot(each, eye_of_seat(0)) for each in parse_cards(hand)]), Bag(1, (HIDDEN,) * 12)),
        stock=((HIDDEN,) * (stock - 1) + (Slot(card("9H"), PUBLIC),)) if stock else (),
        trump=card("9H").suit,
        phase=phase,
    )
    return replace(state, **changes)


def chosen(view: State) -> object:
    """What it chooses, always the same."""
    choices = [choose(view, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8 and choices[0] in GAME.legal(view, 0)
    return choices[0]


def melds(hand: str, **changes: Any) -> object:
    return chosen(position(hand, Phase.MELD, **changes))


def meld(words: str) -> Meld:
    return Meld(tuple(sorted(parse_cards(words))))


def test_it_melds_what_is_worth_most() -> None:
    assert melds("KC QC AC AD AH AS JD QS") == meld("AC AD AH AS")
    assert melds("KC QC KH QH") == meld("KH QH")
    assert melds("KC AD") == Draw()


def test_it_melds_a_royal_marriage_before_its_flush_while_there_is_time() -> None:
    assert melds("AH TH KH QH JH 9C", stock=20) == meld("KH QH")
    assert melds("AH TH KH QH JH 9C", stock=2) == meld("AH TH KH QH JH")


def test_it_keeps_a_roundhouse_together() -> None:
    house = Options(roundhouse=True)
    assert melds("KC KD KH KS QC QD QH QS", options=house) == meld("KC KD KH KS QC QD QH QS")


def test_a_dix_comes_first_where_it_is_free() -> None:
    assert melds("9H AC AD AH AS") == meld("9H")
    assert melds("9H AC AD AH AS", options=Options(dix_alone=True)) == meld("AC AD AH AS")
    assert melds("9H AC", melded=True) == meld("9H")


def test_it_knocks_as_soon_as_it_may() -> None:
    assert melds("AC AD AH AS", scores=(1000, 0)) == Knock()
    assert chosen(position("AC AD", Phase.FIRST, scores=(1000, 0))) == Knock()
    assert chosen(position("AC", Phase.DRAW, scores=(1000, 0))) == Knock()


def answer(led: str, hand: str, phase: Phase = Phase.FIRST, **changes: Any) -> object:
    trick = (Slot(card(led), PUBLIC),)
    return chosen(position(hand, phase, trick=trick, leader=1, stock=0 if phase == Phase.SECOND else 20, **changes))


def test_it_keeps_what_may_become_a_meld_and_plays_low() -> None:
    assert answer("AC", "KS QS JD TC 9D") == Play(card("9D"))
    assert answer("AC", "AD AH AS 9C TD") == Play(card("9C"))


def test_it_wins_a_trick_when_it_has_a_meld_to_make() -> None:
    assert answer("KC", "AC 9D AD AS KH QH JC", laid=((), ())) == Play(card("9D"))
    assert answer("KC", "TC 9D KH QH QC QD QS KS KD") == Play(card("TC"))


def test_it_leads_what_it_needs_least_or_what_wins_when_it_has_melds_to_make() -> None:
    assert chosen(position("KS QS JD 9C", Phase.FIRST, melded=True)) == Play(card("9C"))
    assert chosen(position("AH AH KC KD KH KS QH 9C", Phase.FIRST)) == Play(card("AH"))
    beaten = (laid((Kind.MARRIAGE, "KC QC")), laid((Kind.SET, "AC AD AH AS")))
    assert chosen(position("TD 9C JD QS", Phase.FIRST, laid=beaten)) == Play(card("9C"))


def test_an_open_card_that_is_of_no_more_use_goes_first() -> None:
    table = laid((Kind.MARRIAGE, "KC QC"), (Kind.SET, "QC' QD QH QS"), (Kind.SET, "KC' KD KH KS"))
    view = position("AD AH AC", Phase.FIRST, trick=(Slot(card("AS"), PUBLIC),), leader=1, stock=20, laid=(table, ()))
    assert {choose(view, 0, Random(i)) for i in range(20)} == {Play(card("KC'")), Play(card("QC'"))}


def test_in_the_second_part_it_takes_points_and_gives_none() -> None:
    second = Phase.SECOND
    assert answer("TC", "AC KC 9C", second) == Play(card("AC"))
    assert answer("AC", "TC KC 9C", second) == Play(card("9C"))
    assert answer("AC", "9H AH 9D", second) == Play(card("9H"))


@pytest.mark.parametrize("past", ["", "AC AC KC KC"])
def test_in_the_second_part_it_leads_what_cannot_be_beaten_but_does_not_count_cards(past: str) -> None:
    gone = tuple([Slot(each, PUBLIC) for each in parse_cards(past)])
    assert chosen(position("AD 9C TS", Phase.SECOND, stock=0, past=gone)) == Play(card("AD"))
    assert chosen(position("TC 9D JS", Phase.SECOND, stock=0, taken=(gone, ()))) == Play(card("9D"))


def test_carefree_knocks_but_never_melds() -> None:
    view = position("AC AD AH AS", Phase.MELD)
    assert {choose_at(GAME, view, 0, "carefree", Random(i)) for i in range(20)} == {Draw()}
    view = replace(view, scores=(1000, 0))
    assert choose_at_random(GAME, GAME.legal(view, 0), Random(1)) == Knock()


# --- how well it does ------------------------------------------------------------------------------------------------


def played(levels: tuple[str, str], options: Options, seed: int) -> Result:
    rng = Random(seed)
    choosers = [lambda view, seat, level=level: choose_at(GAME, view, seat, level, rng) for level in levels]
    return play_game(GAME, options, choosers, f"pinochle2 {seed}")


@pytest.mark.no_cover
def test_novice_beats_carefree_clearly() -> None:
    margins = []
    for seed in range(12):
        result = played(("novice", "carefree") if seed % 2 else ("carefree", "novice"), Options(), seed)
        assert result.finished
        margins.append((result.scores[0] - result.scores[1]) * (1 if seed % 2 else -1))
    assert mean(margins) > 3 * stdev(margins) / len(margins) ** 0.5


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "options", [Options(), Options(score_by_round=True), Options(goal=300, auto_knock=True, deck_64=True)]
)
def test_games_of_novices_end(options: Options) -> None:
    results = [played(("novice", "novice"), options, seed) for seed in range(8)]
    assert all(result.finished for result in results)
    assert max(result.hands for result in results) < 20
    assert {result.winners for result in results} == {(0,), (1,)}
