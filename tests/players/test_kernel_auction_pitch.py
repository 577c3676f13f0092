"""What a hand of auction pitch is thought to make when it is bid on."""

from __future__ import annotations

import pytest

from p2pcards.games.auction_pitch.deal import AuctionPitch, AuctionPitchRules
from p2pcards.games.deals.bits import BIT
from p2pcards.games.deals.tricks import WIDTH, Tricks
from p2pcards.games.spelling import cards_in_text


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("AS KS TS 3S 2S 7H", 100 + 90 + 3 * 7 + 8 * 7 + 15),
        ("AS KS TS 3S 2S AH", 100 + 90 + 3 * 7 + 80),
        ("AS JS 3S 2S 7H AH", 100 + 90 + 20 + 13 * 5 + 8 * 5 + 10),
        ("9S 8S 7S 6H 5H 4H", 10 + 8 * 3),
    ],
)
def test_high_low_jack_and_game_are_counted_and_game_is_worth_80_at_the_most(hand: str, points: int) -> None:
    position = AuctionPitch(AuctionPitchRules(True, False, False, False, False), 0, Tricks(4))
    cards = cards_in_text(hand)
    assert position._expected_points(sum(BIT[card] for card in cards), cards[0] // WIDTH) == points
