"""Actions as the moves of a deal in whole numbers, where the games that tests play may not come to them."""

from __future__ import annotations

from p2pcards.games.pinochle_bid import rules
from p2pcards.games.pinochle_bid.deal import CONCEDE
from p2pcards.games.pinochle_bid.seen import moves


def test_a_hand_of_bid_pinochle_that_is_given_up_is_one_move() -> None:
    assert moves(rules.GAME.start(rules.Options(), 0), rules.Concede()) == [CONCEDE]
