"""Scores as text."""

from __future__ import annotations

from p2pcards.present.boards import board_lines
from p2pcards.present.table import NAME
from p2pcards.present.width import COLUMNS, fit, left, right
from p2pcards.views.tableview import SheetView, TableView
from p2pcards.wire.clean import clean


def sheet_lines(view: TableView) -> list[str]:
    """How the last hand was scored: a row for each item, a column for each seat. Before a hand is over the scores.
    In cribbage the board with the pegs, too."""
    names = [clean(seat.name, 24) + (" (you)" if seat.seat == view.me else "") for seat in view.seats]
    if not names:
        return ["There are no scores yet."]
    if view.sheet is None:
        pairs = zip(names, view.seats, strict=True)
        return [*[f"{left(fit(name, 30), 30)} {seat.score:5}" for name, seat in pairs], *board_lines(view)]
    rows = _rows(view.sheet)
    first = min(max([len(what) for what, _ in rows] + [len("this hand")]) + 1, 26)
    each = (COLUMNS - first) // len(names)
    columns = [min(max(len(name), 6), NAME, each - 2) + 2 for name in names]
    head = [right(fit(name, column - 2), column) for name, column in zip(names, columns, strict=True)]
    lines = [left("Last hand", first) + "".join(head)]
    for what, points in rows:
        shown = [right(text, column) for text, column in zip(points, columns, strict=True)]
        lines.append(left(fit(clean(what, 60), first - 1), first) + "".join(shown))
    return [*lines, *board_lines(view)]


def _rows(sheet: SheetView) -> list[tuple[str, list[str]]]:
    kinds = dict.fromkeys(what for items in sheet.items for what, _ in items)
    rows = [(what, [_points(items, what) for items in sheet.items]) for what in kinds]
    rows.append(("this hand", [f"{points:+d}" if points else "0" for points in sheet.hand]))
    rows.append(("total", [str(total) for total in sheet.totals]))
    return rows


def _points(items: tuple[tuple[str, int], ...], what: str) -> str:
    """The sum of one item for one seat; a dot where there is none."""
    counted = [points for name, points in items if name == what]
    return str(sum(counted)) if counted else "."
