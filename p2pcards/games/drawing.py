"""Actions, events and the beginning of a state that games with a stock and a discard pile share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import TRUTH, Bag, Slot
from p2pcards.games.game import Seat, Stage


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the stock."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top card of the discard pile."""


@dataclass(frozen=True, slots=True)
class Meld:
    cards: tuple[Card, ...]  # ascending; the game defines where an ace or a card melded before goes


@dataclass(frozen=True, slots=True)
class Discard:
    card: Card


@dataclass(frozen=True, slots=True)
class Knock:
    """End the hand in place of a draw or a play."""


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


@dataclass(frozen=True)
class StockState:
    """The first fields of the state of a game whose number of players is an option."""

    options: Any
    scores: tuple[int, ...]
    hands: tuple[Bag, ...]
    eyes: int = TRUTH
    stage: Stage = Stage.DEAL
    to_act: tuple[Seat, ...] = ()
    hand: int = 0
    dealer: Seat | None = None
    first_dealer: Seat | None = None
    stock: tuple[Slot, ...] = ()  # the top card first
    discards: tuple[Slot, ...] = ()  # the top card last

    @classmethod
    def start(cls, options: Any, first_dealer: Seat | None) -> Self:
        """The state of a new game before its first deal; first_dealer: None to draw for the deal."""
        hands = tuple([Bag(seat) for seat in range(options.players)])
        return cls(options, (0,) * options.players, hands, dealer=first_dealer, first_dealer=first_dealer)
