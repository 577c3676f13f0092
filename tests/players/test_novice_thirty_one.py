"""The rules of thumb of the novice at thirty-one, each in the smallest position that shows it. It sits at seat 0."""

from __future__ import annotations

from random import Random
from typing import Any

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.drawing import Discard, Draw, Knock, Take
from p2pcards.games.game import Stage
from p2pcards.games.thirty_one.novice import choose
from p2pcards.games.thirty_one.rules import Action, Blitz, Options, State


def chosen(hand: str, top: str = "2D", next_took: str = "", **changes: Any) -> Action:
    """What seat 0 chooses; next_took: a card that seat 1 took from the discards."""
    mine = make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)])
    known = [Slot(card, PUBLIC) for card in parse_cards(next_took)]
    theirs = make_bag(1, [*known, *[HIDDEN] * (3 - len(known))])
    state = State(
        Options(),
        (3, 3, 3, 3),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=3,
        hands=(mine, theirs, Bag(2, (HIDDEN,) * 3), Bag(3, (HIDDEN,) * 3)),
        stock=(HIDDEN,) * 20,
        discards=tuple([Slot(card, PUBLIC) for card in parse_cards(top)]),
        drawn=len(mine) == 4,
        **changes,
    )
    choices = [choose(state, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8
    return choices[0]


def discard(word: str) -> Action:
    return Discard(parse_cards(word)[0])


def test_it_knocks_early_with_a_fair_hand_and_later_only_with_a_good_one() -> None:
    assert chosen("KH QH 2H") == Knock()
    assert chosen("KH QH 2H", turns=4) == Draw()
    assert chosen("KH QH 7H", turns=40) == Knock()


def test_after_a_knock_it_draws_rather_than_stand() -> None:
    assert chosen("KH QH TH", knocker=3) == Draw()


def test_it_takes_a_discard_that_helps_much() -> None:
    assert chosen("KH 8H 2C", top="9H") == Take()
    assert chosen("KH 8H 2C", top="2H") == Draw()
    assert chosen("KH 8H 2C", top="9D") == Draw()


def test_it_keeps_the_best_suit_and_throws_the_lowest_of_the_rest() -> None:
    assert chosen("KH 8H 2C 9D") == discard("2C")
    assert chosen("KH QH 5H 9D") == discard("9D")


def test_it_does_not_feed_a_player_who_took_that_suit() -> None:
    assert chosen("KH 8H 2C 9D", next_took="KC") == discard("9D")


def test_it_does_not_throw_what_it_took() -> None:
    assert chosen("KH 8H 9D 2C", taken=parse_cards("2C")[0]) == discard("9D")


def test_it_shows_a_blitz() -> None:
    assert chosen("AH KH TH") == Blitz()
    assert chosen("AH KH TH 2C") == Blitz(parse_cards("2C")[0])
