"""Cards that are laid away face down for another player, as a function that a game calls."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.eyes import Bag, Slot, eye, slots_at
from p2pcards.games.deals.held import SEATS, KeptDeal


def laid_away(deal: KeptDeal, passed: Sequence[int]) -> tuple[Bag, ...]:
    """What each seat has laid away of a deal that is kept in masks, where that lies behind the hands."""
    return tuple([Bag(seat, slots_at(deal, passed[seat], deal.hidden[SEATS + seat])) for seat in range(SEATS)])


def pass_on(passed: Sequence[Bag], way: int) -> tuple[tuple[Slot, ...], ...]:
    """What each seat receives when what all have laid away goes so many seats to the left: they see it, and its giver
    knows it too."""
    seats = len(passed)
    given = [passed[(seat - way) % seats] for seat in range(seats)]
    return tuple(
        [
            tuple([Slot(slot.card, eye(giver.owner) | eye(seat)) for slot in giver.slots])
            for seat, giver in enumerate(given)
        ]
    )
