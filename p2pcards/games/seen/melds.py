"""The cards of games of rummy, numbered as `kernels.melds` has them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from p2pcards.cards.card import Card
from p2pcards.games.deals.melds import WIDTH
from p2pcards.games.melds import ACE


@cache
def number_of(card: Card) -> int:
    return card.suit * WIDTH + (0 if card.rank == ACE else card.rank - 1)


def mask_of(cards: Iterable[Card]) -> int:
    return sum([1 << number_of(card) for card in cards])
