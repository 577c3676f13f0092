"""Positions of auction pitch with a right answer. Seat 0 is to act; hearts are trump, or are to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.cards.card import Suit, parse_cards
from p2pcards.cards.eyes import eyes_of_viewer
from p2pcards.games.auction_pitch.rules import EACH, Options, State
from p2pcards.games.game import Stage
from rigs.judged import Judged, at
from rigs.tricked import pitch

REAL = Options()
STOCK = 28
"""Cards that were not dealt."""
FIRST = "KH 3H 5H 4H"
"""The first trick, seat 1's card first, who has pitched hearts at a bid of two."""


def bidding(hand: str, bids: Sequence[int | None], dealer: int, options: Options = REAL, **more: Any) -> State:
    """Seat 0 holds this hand and is to speak after these bids, by seat. more: as `pitch` takes it."""
    usual: dict[str, Any] = {"leader": (dealer + 1) % 4, "hidden": (0, EACH, EACH, EACH, STOCK)}
    fields = pitch(options, (hand, "", "", ""), bids, dealer, **{**usual, **more})
    fields["deal"].set_turn(0)
    return State(options, eyes=eyes_of_viewer(0), stage=Stage.PLAY, to_act=(0,), hand=1, dealer=dealer, **fields)


def pitching(hand: str) -> State:
    """Seat 0 has bid two and leads."""
    return bidding(hand, (2, 0, 0, 0), 3, pitcher=0, leader=0)


def last_to_play(hand: str, trick: str, options: Options = REAL) -> State:
    """Seat 0 plays last to a trick that seat 1 has led: the first, or with five cards in hand the second."""
    held = len(parse_cards(hand))
    return bidding(
        hand,
        (0, 2, 0, 0),
        3,
        options,
        hidden=(0, held - 1, held - 1, held - 1, STOCK),
        pitcher=1,
        trump=Suit.HEARTS,
        low=1 if held == EACH else 2,
        leader=1,
        trick=trick,
        piles=("", FIRST if held < EACH else "", "", ""),
    )


JUDGED = (
    Judged(
        "six sure tricks and all four points: a smudge wins the game",
        bidding("AH KH QH JH 2H AS", (None,) * 4, 3),
        0,
        ("bid 4",),
    ),
    Judged("nothing in any suit", bidding("7C 8D 9S 6H 8C 5D", (None,) * 4, 3), 0, ("pass",)),
    Judged(
        "high is sure, low and game are likely", bidding("AH KH TH 2H 9S 5C", (None,) * 4, 3), 0, ("bid 2", "bid 3")
    ),
    Judged(
        "nobody speaks after the dealer: no more than it takes",
        bidding("AH KH TH 2H 9S 5C", (None, 0, 0, 0), 0),
        0,
        ("bid 2",),
    ),
    Judged(
        "the dealer may match, and need not go higher", bidding("AH KH JH 2H 9S 5C", (None, 0, 0, 2), 0), 0, ("bid 2",)
    ),
    Judged("pitch the long suit, from the top", pitching("AH KH JH 3H 9S 5C"), 0, ("AH", "KH")),
    Judged("bring the jack home where nobody can take it", last_to_play("JH 9H 8S 7D 6D", "AC TC KC"), 0, ("JH",)),
    Judged("do not throw the jack under the queen", last_to_play("JH 9H 8S 7D 6D", "2C 3C QH"), 0, ("8S", "7D", "6D")),
    Judged("take the ten", last_to_play("AC 2C 8S 7D 6D", "TC 9C 3C"), 0, ("AC",)),
    Judged("give no ten away", last_to_play("TC 2C 8S 7D 6D", "AC 9C 3C"), 0, ("2C",)),
    Judged("take low, which is for the player who takes it", last_to_play("9H 6S 7S 8D 6D", "3C 2H 4C"), 0, ("9H",)),
    Judged("do not give the jack to the pitcher's ace", last_to_play("JH 9H 9S 8C 7D 6D", "AH 5H 6H"), 0, ("9H",)),
    Judged(
        "low is for the player who was dealt it: the two costs nothing, the ten does",
        last_to_play("TH 2H 9S 8C 7D 6D", "AH 5H 6H", Options(low_point="dealt")),
        0,
        ("2H",),
    ),
    at(
        (5, 6, 5, 5),
        Judged(
            "all have passed: two points are the game, and the next player needs one in the next hand",
            bidding("TC 3S 6H 2C JH 8H", (None, 0, 0, 0), 0),
            0,
            ("bid 2",),
        ),
    ),
    at(
        (4, 6, 3, 3),
        Judged(
            "the next player needs one point, and who pitches counts first: three bring me there",
            bidding("6H JH KH 3C 2C TC", (None, None, None, 2), 2),
            0,
            ("bid 3",),
        ),
    ),
)
