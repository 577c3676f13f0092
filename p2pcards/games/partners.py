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


def sides_of_four(team_play: bool) -> Sides:
    """The sides of four seats: partners opposite each other, or each seat alone."""
    return TWO_SIDES if team_play else ALONE


def partner_of(seat: Seat) -> Seat:
    """The seat opposite, of four."""
    return (seat + 2) % 4


def side_names(side: Sequence[Seat]) -> str:
    """The names of a side in a text: both partners, or the one player."""
    return " and ".join(map(name_in_text, side))


def side_tricks_texts(groups: Sides, counts: Sequence[int]) -> list[str]:
    """For each side of partners that has taken tricks a text with how many. counts: by seat."""
    taken = [(side, sum([counts[seat] for seat in side])) for side in groups if len(side) > 1]
    return [f"{side_names(side)} have {tricks_text(count)}" for side, count in taken if count]


def spread_to_seats(groups: Sides, values: Sequence[T]) -> tuple[T, ...]:
    """Values by seat, each being that of its side. values: by side."""
    found = {seat: value for side, value in zip(groups, values, strict=True) for seat in side}
    return tuple([found[seat] for seat in sorted(found)])


def race_winners(groups: Sides, totals: Sequence[int], target: int) -> tuple[Seat, ...]:
    """The seats of the side with the best total at or above the target (D-GEN-4); none while no side has reached it, or
    the best tie (D-GEN-5)."""
    best = max(totals)
    leading = [side for side in groups if totals[side[0]] == best]
    return leading[0] if best >= target and len(leading) == 1 else ()
