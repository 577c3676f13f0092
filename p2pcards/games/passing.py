"""Cards that are laid away face down for another player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import Bag, Slot, eye_of_seat, slots_in_place
from p2pcards.games.deals.held import SEATS, KeptDeal
from p2pcards.games.game import Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """Three cards for another player, in ascending order."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    seat: Seat
    cards: tuple[Slot, ...]


def bags_set_aside(deal: KeptDeal, passed: Sequence[int]) -> tuple[Bag, ...]:
    """By seat, the cards it has laid away for another, of a deal kept in masks with these behind the hands."""
    return tuple([Bag(seat, slots_in_place(deal, passed[seat], deal.hidden[SEATS + seat])) for seat in range(SEATS)])


def passed_to_left(passed: Sequence[Bag], way: int) -> tuple[tuple[Slot, ...], ...]:
    """What each seat receives when the cards laid away by all go `way` seats to the left; receiver and giver know
    them."""
    seats = len(passed)
    given = [passed[(seat - way) % seats] for seat in range(seats)]
    return tuple(
        [
            tuple([Slot(slot.card, eye_of_seat(giver.owner) | eye_of_seat(seat)) for slot in giver.slots])
            for seat, giver in enumerate(given)
        ]
    )
