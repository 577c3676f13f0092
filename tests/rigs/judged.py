"""Positions with a right answer, judged by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from p2pcards.games.game import Seat


@dataclass(frozen=True, slots=True)
class Judged:
    """reason: why, as one player would tell another: "do not lead the queen of spades into the ace". state: the truth
    or the view of the seat that is to act; right: the spellings of the actions that are right, as `games.spelling`
    gives them, any of which will do. without: the same without what the others have taken, left lying or could not
    follow, where another answer is right; None where nothing of the kind decides. counted: the right answers are best
    in all worlds together, when all play on exactly, and others at 0 to 0."""

    reason: str
    state: Any
    seat: Seat
    right: tuple[str, ...]
    without: Any = None
    counted: bool = False


def at(scores: Sequence[int], judged: Judged) -> Judged:
    """The same position with the game standing so, by seat."""
    return replace(judged, state=replace(judged.state, scores=tuple(scores)))


def in_all_worlds(judged: Judged) -> Judged:
    """The same, counted."""
    return replace(judged, counted=True)
