"""Hands that are turned up when a hand of a game has ended, as functions that a game calls."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import BACK
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, bag


def shown_hands(hands: Sequence[Bag]) -> tuple[tuple[Slot, ...], ...]:
    """What each seat has left, by seat, in ascending order. A view that knows a hand in part cannot know its order: all
    of it is BACK."""
    shown = []
    for held in hands:
        known = held.cards if len(held.cards) == len(held) else (BACK,) * len(held)
        shown.append(tuple([Slot(card, PUBLIC) for card in known]))
    return tuple(shown)


def turned_up(hands: Sequence[Bag], shown: Sequence[tuple[Slot, ...]]) -> tuple[Bag, ...]:
    """The hands as they are shown. Raises ValueError when a hand is known to be another."""
    for held, slots in zip(hands, shown, strict=True):
        cards = [slot.card for slot in slots]
        if len(cards) != len(held) or BACK in cards or not set(held.cards) <= set(cards):
            raise ValueError(f"seat {held.owner} shows a hand that it does not hold")
    return tuple([bag(held.owner, slots) for held, slots in zip(hands, shown, strict=True)])
