"""What is done in games with a stock and a discard pile, in every game that has no more to say of it."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import Slot
from p2pcards.games.game import Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """The top card of the stock."""


@dataclass(frozen=True, slots=True)
class Take:
    """The top card of the discard pile."""


@dataclass(frozen=True, slots=True)
class Meld:
    """In ascending order; how an ace or a card that lies open stands in it, the game says."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Discard:
    card: Card


@dataclass(frozen=True, slots=True)
class Knock:
    """Instead of a card, to end the hand."""


@dataclass(frozen=True, slots=True)
class Drawn:
    seat: Seat
    card: Slot


@dataclass(frozen=True, slots=True)
class Taken:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Melded:
    seat: Seat
    cards: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Discarded:
    seat: Seat
    card: Slot


@dataclass(frozen=True, slots=True)
class Knocked:
    seat: Seat
