"""Dealing, as functions that a game calls: who deals first (D-GEN-1) and one card at a time from eldest (D-GEN-2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, bag, eye


@dataclass(frozen=True, slots=True)
class DealerDrawn:
    """The first card of the draw pack, turned up: it names who deals the first hand of a game."""

    card: Slot


def draw_dealer(draw: Sequence[Card]) -> DealerDrawn:
    return DealerDrawn(Slot(draw[0], PUBLIC))


def drawn_dealer(event: DealerDrawn, pack: Sequence[Card], seats: int) -> int | None:
    """The seat of the card's place in the unshuffled pack, modulo the number of seats."""
    return None if event.card.card == BACK else pack.index(event.card.card) % seats


def dealt_slots(pack: Sequence[Card], seats: int, dealer: int, each: int) -> tuple[Slot, ...]:
    """The shuffled pack as slots: the first seats * each are seen by the seats they go to, the others by nobody."""
    owners = [(dealer + 1 + i) % seats for i in range(seats)]
    dealt = seats * each
    return tuple([Slot(card, eye(owners[i % seats]) if i < dealt else 0) for i, card in enumerate(pack)])


def dealt_hands(slots: Sequence[Slot], seats: int, dealer: int, each: int) -> tuple[Bag, ...]:
    """The hands that `dealt_slots` gives, by seat."""
    return tuple([bag(seat, slots[(seat - dealer - 1) % seats : seats * each : seats]) for seat in range(seats)])
