"""A game that goes on until somebody has so many points: who is likely to win it, as it stands."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, highest

if TYPE_CHECKING:
    from mypy_extensions import i64

SURE: Final[int] = 1 << 16
STEPS: Final[int] = 1024  # of the logistic function, for each one of its argument
MOST: Final[int] = 8 * STEPS
LOGISTIC: Final[list[i64]] = [int(SURE / (1 + exp(-step / STEPS))) for step in range(-MOST, MOST + 1)]
"""Whole numbers that are the same everywhere: but for 0, whose value is exact, none is nearer than a millionth to the
next, and no system reckons so badly."""


def chance_to_win(mine: i64, theirs: i64, skew: i64) -> i64:
    """Of `SURE`, for a player who is `mine` points from the goal while the other is `theirs`, both more than 0: the
    logistic function of c (theirs - mine) / sqrt(theirs + mine). skew: 1000 c, the less the more luck there is in a
    hand."""
    step: i64 = (theirs - mine) * skew * 16 * STEPS // (1000 * root(256 * (mine + theirs)))
    return LOGISTIC[MOST + (-MOST if step < -MOST else MOST if step > MOST else step)]


def root(number: i64) -> i64:
    """The whole part of the square root of a number above 0 (Newton)."""
    guess: i64 = BIT[highest(number) // 2 + 1]
    while True:
        better: i64 = (guess + number // guess) // 2
        if better >= guess:
            return guess
        guess = better
