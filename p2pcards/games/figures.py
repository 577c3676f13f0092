"""What players like to know of their own play, counted from how their hands were scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2pcards.games.game import Items

Counted = Callable[[Items, bool], tuple[int, int]]
"""(hits, tries) of a hand, by what a seat was scored for, and whether it had dealt."""


@dataclass(frozen=True, slots=True)
class Figure:
    """key: its name. meaning: how it is counted, for people. share: hits are a part of the tries, in percent; otherwise
    they are points, of which the figure is the average."""

    key: str
    meaning: str
    counted: Counted
    share: bool = True


# The labels are those of the items of a score sheet, as the rules of a game name them.


def hands_with(*labels: str) -> Counted:
    """Hands that have one of these items, of all hands."""
    return lambda items, _dealt: (any(what.startswith(labels) for what, _ in items), 1)


def hands_gained(*labels: str) -> Counted:
    """Hands in which these items have brought points, of those that have them."""

    def counted(items: Items, _dealt: bool) -> tuple[int, int]:
        found = [points for what, points in items if what.startswith(labels)]
        return sum(found) > 0, bool(found)

    return counted


def points(*labels: str) -> Counted:
    """The points of these items in every hand; of all items, without labels."""
    return lambda items, _dealt: (sum([number for what, number in items if what.startswith(labels or "")]), 1)


def points_but(*labels: str) -> Counted:
    """The points of all other items."""
    return lambda items, _dealt: (sum([number for what, number in items if not what.startswith(labels)]), 1)


POINTS_A_HAND = Figure("points a hand", "what your score changed by, on average", points(), share=False)
SET = Figure("set", "hands in which you bid and were set, of all hands", hands_with("set: "))
