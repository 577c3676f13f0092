"""Actions and events of a played card and of a pass, which most games share."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards.card import BYTES, Card
from p2pcards.cards.eyes import Slot
from p2pcards.games.game import Seat


@dataclass(frozen=True, slots=True)
class Play:
    card: Card


PLAYS = tuple([Play(card) for card in BYTES])
"""Indexed by the byte of a card."""


@dataclass(frozen=True, slots=True)
class Played:
    seat: Seat
    card: Slot


@dataclass(frozen=True, slots=True)
class Pass:
    """No bid, or no card."""


@dataclass(frozen=True, slots=True)
class Passed:
    seat: Seat
