"""Scores as text."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.present.boards import board_lines
from p2pcards.present.table import NAME
from p2pcards.present.width import COLUMNS, fit, left, right
from p2pcards.views.tableview import SheetView, TableView
from p2pcards.wire.clean import clean


def sheet_lines(view: TableView) -> list[str]:
    """How the last hand was scored: a row for each item, a column for each side. Before a hand is over the scores. In
    cribbage the board with the pegs, too."""
    if not view.seats:
        return ["There are no scores yet."]
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    names = [", ".join(_name(view, seat) for seat in side) for side in sides]
    first_seats = [side[0] for side in sides]  # what a side has, each of its seats has
    if view.sheet is None:
        pairs = zip(names, first_seats, strict=True)
        return [*[f"{left(fit(name, 40), 40)} {view.seats[seat].score:5}" for name, seat in pairs], *board_lines(view)]
    rows = _rows(view.sheet, first_seats)
    first = min(max([len(what) for what, _ in rows] + [len("this hand")]) + 1, 26)
    each = (COLUMNS - first) // len(names)
    columns = [min(max(len(name), 6), NAME * len(sides[0]), each - 2) + 2 for name in names]
    head = [right(fit(name, column - 2), column) for name, column in zip(names, columns, strict=True)]
    lines = [left("Last hand", first) + "".join(head)]
    for what, points in rows:
        shown = [right(text, column) for text, column in zip(points, columns, strict=True)]
        lines.append(left(fit(clean(what, 60), first - 1), first) + "".join(shown))
    return [*lines, *board_lines(view)]


def _name(view: TableView, seat: int) -> str:
    return clean(view.seats[seat].name, 24) + (" (you)" if seat == view.me else "")


def _rows(sheet: SheetView, seats: Sequence[int]) -> list[tuple[str, list[str]]]:
    kinds = dict.fromkeys(what for seat in seats for what, _ in sheet.items[seat])
    rows = [(what, [_points(sheet.items[seat], what) for seat in seats]) for what in kinds]
    rows.append(("this hand", [f"{sheet.hand[seat]:+d}" if sheet.hand[seat] else "0" for seat in seats]))
    rows.append(("total", [str(sheet.totals[seat]) for seat in seats]))
    return rows


def _points(items: tuple[tuple[str, int], ...], what: str) -> str:
    """The sum of one item for one seat; a dot where there is none."""
    counted = [points for name, points in items if name == what]
    return str(sum(counted)) if counted else "."
