"""Scores as text."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.present.boards import board_lines
from p2pcards.present.cards import Style, with_cards
from p2pcards.present.table import LOOKING_ON, NAME, seat_name
from p2pcards.present.width import COLUMNS, fit, left, right, wrap
from p2pcards.views.in_game import HandScored
from p2pcards.views.tableview import SheetView, TableView
from p2pcards.wire.clean import clean

ROUNDS = 12
"""Hands that are listed one by one; those before them are one line."""


def score_lines(view: TableView, style: Style) -> list[str]:
    """The scores: what every hand has changed them by, how the last one was scored, and the totals now, a column for
    each side. In cribbage the board with the pegs, too."""
    if not view.seats:
        return ["There are no scores yet."]
    return [*_scores(view, style), *board_lines(view), *([LOOKING_ON] if view.looks_on else [])]


def sheet_lines(scored: HandScored, me: str, style: Style) -> list[str]:
    """How a hand was scored: a row for each item, a column for each side. me: the name of the person who reads it."""
    sides = scored.sides or tuple([(seat,) for seat in range(len(scored.names))])
    mine = scored.names.index(me) if me in scored.names else None
    sheet = scored.sheet
    rows = [
        *_items(sheet, sides, style),
        _row("this hand", sheet.points, sides),
        ("total", [str(sheet.totals[side[0]]) for side in sides]),
    ]
    return _table(f"Hand {sheet.hand}", _names(scored.names, sides, mine), sides, rows)


# --- private ----------------------------------------------------------------------------------------------------------

Sides = Sequence[tuple[int, ...]]
Row = tuple[str, list[str]]


def _scores(view: TableView, style: Style) -> list[str]:
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    names = _names(tuple([seat.name for seat in view.seats]), sides, view.me)
    if view.sheet is None:
        pairs = zip(names, sides, strict=True)
        now = [f"{left(fit(name, 40), 40)} {view.seats[side[0]].score:5}" for name, side in pairs]
        return [*now, *_so_far(view, style)]
    rows = [*_items(view.sheet, sides, style), _row("this hand", view.sheet.points, sides)]
    if len(view.rounds) > 1:
        rows += _rounds(view, sides)
    rows.append(("total", [str(view.sheet.totals[side[0]]) for side in sides]))
    scores = tuple([seat.score for seat in view.seats])
    if scores != view.sheet.totals:
        rows.append(("now", [str(scores[side[0]]) for side in sides]))
    return [*_table(f"Hand {view.sheet.hand}", names, sides, rows), *_so_far(view, style)]


def _names(names: Sequence[str], sides: Sides, me: int | None) -> list[str]:
    """By side. me: the seat of the person who reads them."""
    said = [clean(name, 24) + (" (you)" if seat == me else "") for seat, name in enumerate(names)]
    return [", ".join([said[seat] for seat in side]) for side in sides]


def _so_far(view: TableView, style: Style) -> list[str]:
    """What each seat has in the hand that is on, melds by name where they count."""
    if view.phase != "play" or not any(seat.note for seat in view.seats):
        return []
    notes = [f"{seat_name(view, seat.seat)}: {with_cards(clean(seat.note), style)}" for seat in view.seats if seat.note]
    return wrap(f"Hand {view.hand} so far: {'; '.join(notes)}.", indent="  ")


def _table(title: str, names: Sequence[str], sides: Sides, rows: Sequence[Row]) -> list[str]:
    first = min(max([len(what) for what, _ in rows] + [len(title)]) + 1, 26)
    each = (COLUMNS - first) // len(names)
    columns = [min(max(len(name), 6), NAME * len(sides[0]), each - 2) + 2 for name in names]
    head = [right(fit(name, column - 2), column) for name, column in zip(names, columns, strict=True)]
    lines = [left(title, first) + "".join(head)]
    for what, points in rows:
        shown = [right(text, column) for text, column in zip(points, columns, strict=True)]
        lines.append(left(fit(clean(what, 60), first - 1), first) + "".join(shown))
    return lines


def _items(sheet: SheetView, sides: Sides, style: Style) -> list[Row]:
    firsts = [side[0] for side in sides]  # what a side has, each of its seats has
    kinds = dict.fromkeys(what for seat in firsts for what, _ in sheet.items[seat])
    return [(with_cards(what, style), [_points(sheet.items[seat], what) for seat in firsts]) for what in kinds]


def _rounds(view: TableView, sides: Sides) -> list[Row]:
    """A row for each hand, those of long ago in one."""
    first = max(len(view.rounds) - ROUNDS, 0)
    older = [_row(f"hands 1 to {first}", _sums(view.rounds[:first]), sides)] if first else []
    later = enumerate(view.rounds[first:], first + 1)
    return [*older, *[_row(f"hand {number}", points, sides) for number, points in later]]


def _sums(rounds: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple([sum(points) for points in zip(*rounds, strict=True)])


def _row(what: str, points: Sequence[int], sides: Sides) -> Row:
    return what, [f"{points[side[0]]:+d}" if points[side[0]] else "0" for side in sides]


def _points(items: tuple[tuple[str, int], ...], what: str) -> str:
    """The sum of one item for one seat; a dot where there is none."""
    counted = [points for name, points in items if name == what]
    return str(sum(counted)) if counted else "."
