"""What becomes a meld, for novices at the games of rummy."""

from __future__ import annotations

from functools import cache

from p2pcards.cards.card import SUITS, Card
from p2pcards.games.melds import ACE, LEAST, run_order


@cache
def completing_cards(one: Card, other: Card, aces: str) -> frozenset[Card]:
    """The cards that make a meld with these two; none of one card twice. aces: as in games/melds.py."""
    if one == other:
        return frozenset()
    if one.rank == other.rank:
        return frozenset([Card.of(one.rank, suit) for suit in SUITS]) - {one, other}
    others = [Card.of(rank, one.suit) for rank in range(2, ACE + 1)]
    return frozenset([third for third in others if len(run_order((one, other, third), aces)) == LEAST])
