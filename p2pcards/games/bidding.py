"""Actions and events that games with bids for points and a named trump suit share."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards.card import Suit
from p2pcards.games.game import Seat


@dataclass(frozen=True, slots=True)
class Bid:
    points: int


@dataclass(frozen=True, slots=True)
class Name:
    suit: Suit  # trump


@dataclass(frozen=True, slots=True)
class Bidden:
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Named:
    seat: Seat
    suit: Suit
