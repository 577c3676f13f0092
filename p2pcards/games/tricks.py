"""Trick taking, as functions that a game calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2pcards.cards.card import Card, Suit


def following(held: Iterable[Card], led: Suit) -> list[Card]:
    """The cards of the suit led."""
    return [card for card in held if card.suit == led]


def trick_winner(trick: Sequence[Card], trump: Suit | None = None) -> int:
    """The place (0 = leader) of the card that wins: the highest trump, else the highest of the suit led; of two equal
    cards the first."""
    suits = {card.suit for card in trick}
    best = trump if trump is not None and trump in suits else trick[0].suit
    return max(range(len(trick)), key=lambda i: (trick[i].suit == best, trick[i].rank, -i))
