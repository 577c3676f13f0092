"""Bids for points, and the trump suit that the bidder names, in every game that has no more to say of them."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards.card import Suit
from p2pcards.games.game import Seat


@dataclass(frozen=True, slots=True)
class Bid:
    """How many points the bidder will make."""

    points: int


@dataclass(frozen=True, slots=True)
class Name:
    """The trump suit."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class Bidden:
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Named:
    seat: Seat
    suit: Suit
