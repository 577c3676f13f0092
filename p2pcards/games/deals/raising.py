"""Bids, of which there are more than a mask holds: a number is marked by powers of two, in any order, and then bid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT

if TYPE_CHECKING:
    from mypy_extensions import i64

POWERS: Final[int] = 10


def markable_steps(marked: i64, most: i64) -> i64:
    """The powers of two, a bit for each, that may still be added to a marked bid: none twice, and the sum at most
    `most`."""
    found: i64 = 0
    power: i64 = 0
    while power < POWERS and marked + BIT[power] <= most:
        if not marked & BIT[power]:
            found |= BIT[power]
        power += 1
    return found
