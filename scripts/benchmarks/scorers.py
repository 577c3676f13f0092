"""How fast the public scorers are: each called once with every hand, so that no result can have been kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import median
from typing import Any

from benchmarks.figures import figure, progress, spread
from p2pcards.cards.card import Card, Suit
from p2pcards.cards.pack import pack_of
from p2pcards.games.cribbage.score import show_points
from p2pcards.games.gin_rummy.deadwood import best_arrangement
from p2pcards.games.pinochle2.melds import open_melds, patterns
from p2pcards.games.pinochle_cards import NINE
from p2pcards.games.pinochle_melds import DOUBLE_PACK, PARTNERSHIP_PACK, bid_melds, double_pack_melds, partnership_melds

HANDS = 10_000
PACK = pack_of()
TWO_HANDED = patterns(Suit.HEARTS, NINE, Suit.SPADES, 240)

Hand = tuple[Card, ...]


SCORERS: dict[str, tuple[Callable[[Hand], object], Sequence[Card], int, float]] = {
    # the scorer, its pack, how many cards make a hand, the most microseconds that it may take
    "gin_best_arrangement": (best_arrangement, PACK, 10, 100),
    "cribbage_show": (lambda hand: show_points(hand[:4], hand[4]), PACK, 5, 10),
    "pinochle_melds": (partial(partnership_melds, trump=Suit.HEARTS), PARTNERSHIP_PACK, 12, 100),
    "double_pack_melds": (partial(double_pack_melds, trump=Suit.HEARTS), DOUBLE_PACK, 20, 100),
    "two_handed_melds": (lambda hand: open_melds(TWO_HANDED, hand, ()), PARTNERSHIP_PACK, 12, 100),
    "bid_melds": (partial(bid_melds, trump=Suit.HEARTS), PARTNERSHIP_PACK, 12, 100),
}


def measure() -> dict[str, Any]:
    results = {}
    for name, (scorer, pack, size, limit) in SCORERS.items():
        progress(f"scorer {name}")
        microseconds = []
        for hand in _hands(pack, size):
            start = time.perf_counter_ns()
            scorer(hand)
            microseconds.append((time.perf_counter_ns() - start) / 1000)
        results[name] = figure(median(microseconds), "us", limit, hands=HANDS, **spread(microseconds))
    return results


def _hands(pack: Sequence[Card], size: int) -> list[Hand]:
    """No two of the same cards."""
    rng = Random("scorers")
    found: dict[Hand, Hand] = {}
    while len(found) < HANDS:
        hand = tuple(rng.sample(pack, size))
        found[tuple(sorted(hand))] = hand
    return list(found.values())
