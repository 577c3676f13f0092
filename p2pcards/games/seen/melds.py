"""The cards of games of rummy, numbered as `games.deals.melds` has them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from p2pcards.cards.card import Card
from p2pcards.games.deals.melds import WIDTH
from p2pcards.games.melds import ACE


@cache
def card_number(card: Card) -> int:
    """The number of a card in the search of rummy games."""
    return card.suit * WIDTH + (0 if card.rank == ACE else card.rank - 1)


def mask_of_numbers(cards: Iterable[Card]) -> int:
    """A mask of cards by their numbers in the search of rummy games."""
    return sum([1 << card_number(card) for card in cards])
