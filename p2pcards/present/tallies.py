"""A hand that is counted item by item, as it is said and shown at a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from p2pcards.views.tableview import Items, TableView, TallyItemView, TallyView


@dataclass(frozen=True, slots=True)
class Counting:
    """A moment of a count."""

    tally: TallyView  # being counted
    items: tuple[TallyItemView, ...]  # those announced so far

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of the item being counted."""
        return self.items[-1].cards if self.items else ()


def count_moments(view: TableView) -> tuple[Counting, ...]:
    """Every item of every hand in order; a hand that counts nothing has a moment, too."""
    return tuple(
        [
            Counting(tally, tally.items[:number])
            for tally in view.tallies
            for number in (range(1, len(tally.items) + 1) if tally.items else (0,))
        ]
    )


def seat_count_texts(view: TableView, seat: int, at: int | None) -> list[str]:
    """What a seat has counted: ``hand: fifteen two, fifteen four`` during its count, ``hand 4`` after it, or its last
    remark where nothing adds up. at: index of the moment, None once all is counted."""
    told: dict[str, str] = {}
    seen = count_moments(view) if at is None else count_moments(view)[: at + 1]
    for number, moment in enumerate(seen):
        if moment.tally.seat == seat:
            told[moment.tally.what] = _moment_text(moment, now=number == at)
    return list(told.values())


def items_and_tallies(view: TableView, seat: int, items: Items) -> Items:
    """The items of a sheet that belong to no tally, then a line for each tally."""
    mine = [tally for tally in view.tallies if tally.seat == seat]
    told = {item.name for tally in mine for item in tally.items if item.name}
    others = [item for item in items if item[0] not in told]
    listed = {name for name, _ in items}
    sums = [(tally.what, _sum_points(item for item in tally.items if item.name in listed)) for tally in mine]
    return (*others, *[(what, points) for what, points in sums if points])


# --- private ----------------------------------------------------------------------------------------------------------


def _moment_text(moment: Counting, *, now: bool) -> str:
    what = moment.tally.what
    if not moment.items:
        return f"{what}: nothing"
    if now:
        return f"{what}: {', '.join([item.words for item in moment.items])}"
    points = _sum_points(moment.items)
    return f"{what} {points}" if points else moment.items[-1].words


def _sum_points(items: Iterable[TallyItemView]) -> int:
    return sum([item.points for item in items])
