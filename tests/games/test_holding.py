"""Whether a hand holds the cards that an action names."""

from __future__ import annotations

import pytest

from p2pcards.cards.card import BACK, parse_cards
from p2pcards.cards.eyes import HIDDEN, Bag
from p2pcards.games.game import IllegalAction
from p2pcards.games.holding import named_or_counted, verify_all_held, verify_held
from rigs.tables import hand


def refused(held: Bag, words: str, number: int = 2) -> str:
    try:
        verify_all_held(held, parse_cards(words), number, "lay {} away")
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
    verify_all_held(Bag(0, (HIDDEN,) * 3), (BACK, BACK), 2, "lay {} away")
    verify_held(held, parse_cards("2C")[0])
    verify_held(Bag(0, (HIDDEN,)), parse_cards("2C")[0])
    for wrong in (parse_cards("5C")[0], BACK):
        with pytest.raises(IllegalAction, match="you don't have"):
            verify_held(held, wrong)


def test_cards_are_told_by_name_where_they_are_seen_and_by_their_number_otherwise() -> None:
    assert [named_or_counted(some) for some in (parse_cards("2C TC"), (BACK,) * 3)] == ["2C TC", "three cards"]
