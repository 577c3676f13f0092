"""Sets and runs of one pack, as functions that a game calls. `aces`, wherever it is asked for, is "low" (A-2-3), "high"
(Q-K-A) or "both"; a run never goes round the corner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from p2pcards.cards.card import Card

LEAST = 3  # cards of a meld
ACE = 14
PLACES = {"low": (1,), "high": (ACE,), "both": (ACE, 1)}  # where an ace may stand in a run


def is_set(cards: Sequence[Card]) -> bool:
    """Return whether these are three or four different cards of one rank."""
    return len(cards) >= LEAST and len({card.rank for card in cards}) == 1 and len(set(cards)) == len(cards)


def run_order(cards: Sequence[Card], aces: str) -> tuple[Card, ...]:
    """These cards in the order in which they make a run, the lowest first; () when they make none. All thirteen of a
    suit make one with the ace high, where it may be."""
    if len(cards) < LEAST or len({card.suit for card in cards}) != 1:
        return ()
    for ace in PLACES[aces]:
        at = {ace if card.rank == ACE else card.rank: card for card in cards}
        if len(at) == len(cards) == max(at) - min(at) + 1:
            return tuple([at[place] for place in sorted(at)])
    return ()


def sets_in(cards: Iterable[Card]) -> Iterator[tuple[Card, ...]]:
    """Every set that can be made of these cards, each in ascending order."""
    ranks: dict[int, list[Card]] = {}
    for card in sorted(cards):
        ranks.setdefault(card.rank, []).append(card)
    for equal in ranks.values():
        for size in range(LEAST, len(equal) + 1):
            yield from combinations(equal, size)


def runs_in(cards: Iterable[Card], aces: str) -> Iterator[tuple[Card, ...]]:
    """Every run that can be made of these cards, parts of longer ones too, each in ascending order."""
    suits: dict[int, dict[int, Card]] = {}
    for card in cards:
        for place in PLACES[aces] if card.rank == ACE else (card.rank,):
            suits.setdefault(card.suit, {})[place] = card
    for at in suits.values():
        for first in at:
            most = 12 if first == 1 and ACE in at else 13  # a whole suit is found once, with its ace high
            run = [at[first]]
            while len(run) < most and first + len(run) in at:
                run.append(at[first + len(run)])
                if len(run) >= LEAST:
                    yield tuple(sorted(run))
