"""What players like to know of their own play, counted from what the rules measure of their hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from p2pcards.games.game import AnyGame, Seat

POINTS = "points"
"""What every game measures: what the score of a seat changed by."""

Measured = tuple[tuple[str, int], ...]
"""What there was to count of a seat in a hand, by the keys of `Game.measures`."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number about someone's play, over many hands."""

    key: str
    meaning: str  # how it is counted, for people
    measure: str  # one of the game's, or POINTS, taken of every hand that has it
    share: bool = True  # The measure is 1 or 0, and the figure how often it is 1, in percent; otherwise the average.


def measure_hand(game: AnyGame, state: Any) -> tuple[Measured, ...]:
    """By seat, what the game's measures give for the hand that has just been scored."""
    return tuple(
        [((POINTS, points), *_measure_seat(game, state, seat)) for seat, points in enumerate(state.sheet.hand)]
    )


def _measure_seat(game: AnyGame, state: Any, seat: Seat) -> Measured:
    """The game's measures by key of one seat's hand, those left out that it had nothing of."""
    values = [(key, measure(state, seat)) for key, measure in game.measures.items()]
    return tuple([(key, int(value)) for key, value in values if value is not None])


POINTS_A_HAND = Figure("points a hand", "average change in your score", POINTS, share=False)
SET = Figure("set", "hands in which you bid and were set", "set")
