"""Melds on the table that take cards from everybody, as functions that a game calls; aces as in games/melds.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2pcards.cards.card import Card, spell_cards
from p2pcards.cards.eyes import PUBLIC, Slot
from p2pcards.games.game import Seat
from p2pcards.games.melds import ACE, run_order


@dataclass(frozen=True, slots=True)
class Spread:
    """A meld on the table."""

    maker: Seat  # the seat that laid it down
    slots: tuple[Slot, ...]  # a run from its lowest card, a low ace first
    seats: tuple[Seat, ...]  # that laid down each card
    run: bool  # otherwise a set

    @property
    def first(self) -> Card:
        """The card at its beginning."""
        return self.slots[0].card


def lay_down_meld(maker: Seat, cards: Sequence[Card], aces: str) -> Spread:
    """A set or run as a new meld on the table."""
    ordered = run_order(cards, aces)
    return Spread(maker, tuple([Slot(card, PUBLIC) for card in ordered or cards]), (maker,) * len(cards), bool(ordered))


def end_joined(spread: Spread, card: Card, aces: str) -> int:
    """At which end of a meld a card can be laid off: 1 at its end, -1 before its first card, 0 nowhere."""
    if not spread.run:
        return int(card.rank == spread.first.rank)
    if card.suit != spread.first.suit:
        return 0
    low = 1 if spread.first.rank == ACE else spread.first.rank
    high = low + len(spread.slots) - 1
    if card.rank != ACE:
        return (card.rank == high + 1) - (card.rank == low - 1)
    if high == ACE - 1 and aces != "low":
        return 1
    return -1 if low == 2 and aces != "high" else 0


def laid_off_where(spread: Spread, card: Card, aces: str) -> str:
    """Words for where a card is laid off on a meld: ``next to 9D`` of a run, ``with KC KD KS``."""
    if not spread.run:
        return "with " + spell_cards([slot.card for slot in spread.slots])
    end = spread.slots[-1 if end_joined(spread, card, aces) > 0 else 0]
    return f"next to {end.card}"


def lay_off_on(spread: Spread, seat: Seat, slot: Slot, aces: str) -> Spread:
    """The meld after a seat has laid off a card on it. Raises ValueError when the card does not go there."""
    where = end_joined(spread, slot.card, aces)
    if not where:
        raise ValueError(f"{slot.card} doesn't go on that meld")
    if where < 0:
        return replace(spread, slots=(slot, *spread.slots), seats=(seat, *spread.seats))
    return replace(spread, slots=(*spread.slots, slot), seats=(*spread.seats, seat))
