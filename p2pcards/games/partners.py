"""Partnerships and who wins, as functions that a game calls.

A side is the seats that score together. What a side has, each of its seats has: scores, items and wins are by seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from p2pcards.games.game import Seat, name_in_text
from p2pcards.games.tricks import tricks_text

T = TypeVar("T")
Sides = tuple[tuple[Seat, ...], ...]

TWO_SIDES: Sides = ((0, 2), (1, 3))
ALONE: Sides = ((0,), (1,), (2,), (3,))


def sides(team_play: bool) -> Sides:
    """The sides of four seats: partners sit opposite each other."""
    return TWO_SIDES if team_play else ALONE


def partner(seat: Seat) -> Seat:
    return (seat + 2) % 4


def side_names(side: Sequence[Seat]) -> str:
    """The names of partners as they stand in a text, or of a player alone."""
    return " and ".join(map(name_in_text, side))


def side_tricks(groups: Sides, counts: Sequence[int]) -> list[str]:
    """A text for each side of partners that has taken tricks: how many. counts: by seat."""
    taken = [(side, sum([counts[seat] for seat in side])) for side in groups if len(side) > 1]
    return [f"{side_names(side)} have {tricks_text(count)}" for side, count in taken if count]


def by_seat(groups: Sides, values: Sequence[T]) -> tuple[T, ...]:
    """What each side has, given to each of its seats. values: by side."""
    found = {seat: value for side, value in zip(groups, values, strict=True) for seat in side}
    return tuple([found[seat] for seat in sorted(found)])


def race_winners(groups: Sides, totals: Sequence[int], target: int) -> tuple[Seat, ...]:
    """The seats of the one side that has the best total, at or above the target (D-GEN-4); nobody while none has, and
    while the best are level (D-GEN-5)."""
    best = max(totals)
    leading = [side for side in groups if totals[side[0]] == best]
    return leading[0] if best >= target and len(leading) == 1 else ()
