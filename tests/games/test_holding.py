"""Whether a hand holds the cards that an action names."""

from __future__ import annotations

import pytest

from p2pcards.cards.card import BACK, cards
from p2pcards.cards.eyes import HIDDEN, Bag
from p2pcards.games.game import IllegalAction
from p2pcards.games.holding import must_hold, must_hold_all, named_or_counted
from rigs.tables import hand


def refused(held: Bag, words: str, number: int = 2) -> str:
    try:
        must_hold_all(held, cards(words), number, "lay {} away")
    except IllegalAction as reason:
        return str(reason)
    return ""


def test_cards_that_are_named_must_be_held() -> None:
    held = hand(0, "2C 3C 4C")
    assert refused(held, "2C 4C") == ""
    assert refused(held, "2C") == refused(held, "2C 3C 4C") == "lay two cards away"
    assert refused(held, "2C 2C") == "lay two different cards away"
    assert refused(held, "4C 2C") == "name the cards in ascending order"
    assert refused(held, "2C 5C") == "you don't have 5C"
    must_hold_all(Bag(0, (HIDDEN,) * 3), (BACK, BACK), 2, "lay {} away")
    must_hold(held, cards("2C")[0])
    must_hold(Bag(0, (HIDDEN,)), cards("2C")[0])
    for wrong in (cards("5C")[0], BACK):
        with pytest.raises(IllegalAction, match="you don't have"):
            must_hold(held, wrong)


def test_cards_are_told_by_name_where_they_are_seen_and_by_their_number_otherwise() -> None:
    assert [named_or_counted(some) for some in (cards("2C TC"), (BACK,) * 3)] == ["2C TC", "three cards"]
