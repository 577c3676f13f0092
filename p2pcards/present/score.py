"""Scores as text, and the board on which they are pegged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from p2pcards.games.telling import told_of
from p2pcards.present.cards import Style, with_cards
from p2pcards.present.table import LOOKING_ON, NAME_COLUMNS, seat_name
from p2pcards.present.width import COLUMNS, PLAIN, fit, left, right, width, wrap
from p2pcards.views.happenings import HandScored
from p2pcards.views.tableview import Items, TableView
from p2pcards.wire.clean import clean

# --- a board on which the score is pegged -----------------------------------------------------------------------------


def board_of(view: TableView) -> tuple[list[str], list[str]] | None:
    """The lines of the board of a table whose game has one, and whose pegs are where; None for any other."""
    draw = told_of(view.game).board if view.game else None
    if draw is None or not view.seats:
        return None
    lines, pegs = draw(dict(view.options), [seat.score for seat in view.seats], view.rear)
    whose = [f"{peg} {clean(seat.name, 24)}: {place}" for (peg, place), seat in zip(pegs, view.seats, strict=True)]
    return lines, whose


def board_lines(view: TableView) -> list[str]:
    """The board with whose pegs are where, as lines; none where there is no board."""
    if (found := board_of(view)) is None:
        return []
    lines, whose = found
    return [*lines, fit(". ".join(whose) + ".", COLUMNS)]


# --- scores as text ---------------------------------------------------------------------------------------------------


BOLD, ITALIC, GREEN = "\x1b[1m", "\x1b[3m", "\x1b[32m"
"""Hands of before that are one line, and what this hand has made so far, its melds in green, where there are
colours."""
ROUNDS = 12
"""Hands that are listed one by one, where no window sets another limit; those before them are one line."""


def score_in_window(view: TableView, style: Style, lines: int) -> list[str]:
    """As `score_lines`, with as many hands one by one as a window of so many lines has room for, and one at least."""
    rounds = len(view.rounds)
    while rounds > 1 and len(score_lines(view, style, rounds)) > lines:
        rounds -= 1
    return score_lines(view, style, rounds)


def score_lines(view: TableView, style: Style, rounds: int = ROUNDS) -> list[str]:
    """The scores: what every hand has changed them by, how the last one was scored, what has been made in the one that
    is on, and the totals now, a column for each side. In cribbage the board with the pegs, too. rounds: how many hands
    are listed one by one."""
    if not view.seats:
        return ["There are no scores yet."]
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    names = _names(tuple([seat.name for seat in view.seats]), sides, view.me)
    looking_on = [LOOKING_ON] if view.looks_on else []
    so_far = any(view.made) or any(view.due)
    if view.sheet is None and not so_far:
        pairs = zip(names, sides, strict=True)
        return [
            *[f"{left(fit(name, 40), 40)} {view.seats[side[0]].score:5}" for name, side in pairs],
            *_notes_so_far(view, style),
            *board_lines(view),
            *looking_on,
        ]
    notes = [] if so_far else _notes_so_far(view, style)
    tricks = _trick_by_trick(view.due if so_far else view.tricks, names, sides)
    rows = score_rows(view, style, rounds)
    return [
        *_table(score_title(view), names, sides, rows, style.colour),
        *tricks,
        *notes,
        *board_lines(view),
        *looking_on,
    ]


def score_title(view: TableView) -> str:
    """What stands above `score_rows`."""
    return f"Hand {view.sheet.hand if view.sheet else view.hand}"


def score_names(view: TableView) -> list[str]:
    """What stands above the columns of `score_rows`, by side."""
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    return _names(tuple([seat.name for seat in view.seats]), sides, view.me)


def score_rows(view: TableView, style: Style, rounds: int = ROUNDS) -> list[SheetRow]:
    """As `score_lines` tells them, a column for each side."""
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    so_far = any(view.made) or any(view.due)
    rows: list[SheetRow] = []
    scores = tuple([seat.score for seat in view.seats])
    if view.sheet is not None:
        several = len(view.rounds) > 1
        rows += _items(view.sheet.items, sides, style)
        rows += _rounds(view, sides, rounds) if several else [_row("this hand", view.sheet.points, sides)]
        rows.append(SheetRow("subtotal" if so_far else "total", _by_side(view.sheet.totals, sides)))
    if so_far:
        rows += _so_far(view, sides, style)
    elif view.sheet is not None and scores != view.sheet.totals:
        rows.append(SheetRow("now", _by_side(scores, sides)))
    elif view.sheet is None:
        rows.append(SheetRow("score", _by_side(scores, sides)))
    return rows


def sheet_lines(scored: HandScored, me: str, style: Style) -> list[str]:
    """How a hand was scored: a row for each item, a column for each side. me: the name of the person who reads it."""
    sides = scored.sides or tuple([(seat,) for seat in range(len(scored.names))])
    mine = scored.names.index(me) if me in scored.names else None
    sheet = scored.sheet
    rows = [
        *_items(sheet.items, sides, style),
        _row("this hand", sheet.points, sides),
        SheetRow("total", _by_side(sheet.totals, sides)),
    ]
    return _table(f"Hand {sheet.hand}", _names(scored.names, sides, mine), sides, rows)


def item_words(items: Items, style: Style) -> list[str]:
    """``queen of spades 13``: what the items of a seat came to, those of one name together."""
    sums: Counter[str] = Counter()
    for what, points in items:
        sums[what] += points
    return [f"{with_cards(clean(what, 60), style)} {points}" for what, points in sums.items()]


# --- private ----------------------------------------------------------------------------------------------------------

Sides = Sequence[tuple[int, ...]]


class SheetRow(NamedTuple):
    """What it is, the points of each side, and how it looks where there are colours."""

    what: str
    points: list[str]
    looks: str = ""


def _names(names: Sequence[str], sides: Sides, me: int | None) -> list[str]:
    """By side. me: the seat of the person who reads them."""
    said = [clean(name, 24) + (" (you)" if seat == me else "") for seat, name in enumerate(names)]
    return [", ".join([said[seat] for seat in side]) for side in sides]


def _notes_so_far(view: TableView, style: Style) -> list[str]:
    """What each seat has in the hand that is on, melds by name where they count."""
    if view.phase != "play" or not any(seat.note for seat in view.seats):
        return []
    notes = [f"{seat_name(view, seat.seat)}: {with_cards(clean(seat.note), style)}" for seat in view.seats if seat.note]
    return wrap(f"Hand {view.hand} so far: {'; '.join(notes)}.", indent="  ")


def _table(
    title: str, names: Sequence[str], sides: Sides, rows: Sequence[SheetRow], coloured: bool = False
) -> list[str]:
    first = min(max([width(row[0]) for row in rows] + [width(title)]) + 1, 26)
    each = (COLUMNS - first) // len(names)
    columns = [min(max(width(name), 6), NAME_COLUMNS * len(sides[0]), each - 2) + 2 for name in names]
    head = [right(fit(name, column - 2), column) for name, column in zip(names, columns, strict=True)]
    lines = [left(title, first) + "".join(head)]
    for what, points, looks in rows:
        shown = [right(text, column) for text, column in zip(points, columns, strict=True)]
        line = (left(fit(what, first - 1), first) + "".join(shown)).rstrip()
        lines.append(f"{looks}{line}{PLAIN}" if looks and coloured else line)
    return lines


def _items(items: Sequence[Items], sides: Sides, style: Style) -> list[SheetRow]:
    firsts = [side[0] for side in sides]  # what a side has, each of its seats has
    kinds = dict.fromkeys(what for seat in firsts for what, _ in items[seat])
    return [
        SheetRow(with_cards(clean(what, 60), style), [_points(items[seat], what) for seat in firsts]) for what in kinds
    ]


def _so_far(view: TableView, sides: Sides, style: Style) -> list[SheetRow]:
    """What has been made in the hand that is on: what the scores have already, and below them what they have not."""
    nothing, rows = [""] * len(sides), list[SheetRow]()
    if any(view.made):
        scores = [seat.score for seat in view.seats]
        rows.append(SheetRow(f"hand {view.hand} so far", nothing, ITALIC))
        rows += [row._replace(looks=ITALIC + GREEN) for row in _items(view.made, sides, style)]
        rows.append(SheetRow("total so far", _by_side(scores, sides), ITALIC))
    if any(view.due):
        rows += [SheetRow(f"hand {view.hand}, not added yet", nothing), *_items(view.due, sides, style)]
    return rows


def _by_side(scores: Sequence[int], sides: Sides) -> list[str]:
    return [str(scores[side[0]]) for side in sides]


def _trick_by_trick(tricks: Sequence[Items], names: Sequence[str], sides: Sides) -> list[str]:
    """What each trick has scored or will, where it is of several. tricks: by seat an item for each."""
    kinds = [Counter([what for what, _ in tricks[side[0]]]) for side in sides] if tricks else []
    several = dict.fromkeys([what for kind in kinds for what, count in kind.items() if count > 1])
    lines = []
    for what in several:
        each = [[str(points) for name, points in tricks[side[0]] if name == what] for side in sides]
        told = [f"{name} {', '.join(points)}" for name, points in zip(names, each, strict=True) if points]
        lines += wrap(f"{what.capitalize()}, one by one: {'; '.join(told)}.", indent="  ")
    return lines


def _rounds(view: TableView, sides: Sides, listed: int) -> list[SheetRow]:
    """A row for each hand, those of long ago in one. listed: how many have a row of their own."""
    first = max(len(view.rounds) - listed, 0)
    merged = [_row(f"hands 1 to {first}", _sums(view.rounds[:first]), sides)] if first else []
    older = [row._replace(looks=BOLD) for row in merged]
    later = enumerate(view.rounds[first:], first + 1)
    return [*older, *[_row(f"hand {number}", points, sides) for number, points in later]]


def _sums(rounds: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple([sum(points) for points in zip(*rounds, strict=True)])


def _row(what: str, points: Sequence[int], sides: Sides) -> SheetRow:
    return SheetRow(what, [f"{points[side[0]]:+d}" if points[side[0]] else "0" for side in sides])


def _points(items: tuple[tuple[str, int], ...], what: str) -> str:
    """The sum of one item for one seat; a dot where there is none."""
    counted = [points for name, points in items if name == what]
    return str(sum(counted)) if counted else "."
