"""The melds of pinochle in whole numbers count what they do by the rules, also those that are seldom dealt."""

from __future__ import annotations

from random import Random

import pytest

from p2pcards.cards.card import SUITS, Card
from p2pcards.games.deals.pinochle_tricks import PinochleTricks
from p2pcards.games.pinochle_melds import (
    BID,
    DOUBLE,
    PARTNERSHIP,
    SETS,
    Values,
    bid_melds,
    double_pack_melds,
    meld_points,
    partnership_melds,
)
from p2pcards.games.seen.pinochle_cards import face_number, meld_values_of

FORMS = [(PARTNERSHIP, partnership_melds, 12), (DOUBLE, double_pack_melds, 20), (BID, bid_melds, 12)]


@pytest.mark.parametrize("form", range(len(FORMS)))
def test_melds_count_as_by_the_rules(form: int) -> None:
    values, melds, each = FORMS[form]
    rng, counted, most = Random(form), meld_values_of(values), 0
    for number in range(2_000):
        table = PinochleTricks(1, 0, to_trump=False, to_win=0, values=[])
        held = rng.sample(_rich(values, number, rng), each)
        for card in held:
            table.add_face(0, face_number(card))
        for suit in SUITS:
            points = meld_points(melds(held, suit))
            assert counted.meld_points(table.hands, 0, suit) == points, f"{held} under {suit.name}"
            most = max(most, points)
    assert most >= values.flush[1]


def _rich(values: Values, number: int, rng: Random) -> list[Card]:
    """The cards of a pack; for two hands in three mostly of one suit, or only those that make sets and pairs."""
    cards = [card for card, copies in values.pack.items() for _ in range(copies)]
    if number % 3 == 0:
        return cards
    if number % 3 == 1:
        long = rng.choice(SUITS)
        others = [card for card in cards if card.suit != long]
        return [card for card in cards if card.suit == long] + rng.sample(others, 6)
    return [card for card in cards if card.rank in SETS]
