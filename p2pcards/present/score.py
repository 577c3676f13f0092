"""Scores as text, and the board on which they are pegged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from p2pcards.games.telling import load_told
from p2pcards.present.cards import Style, draw_cards_in_text
from p2pcards.present.table import LOOKING_ON, NAME_COLUMNS, seat_name
from p2pcards.present.width import COLUMNS, PLAIN, fit_text, pad_left, pad_right, text_width, wrap_words
from p2pcards.views.happenings import HandScored
from p2pcards.views.tableview import Items, TableView
from p2pcards.wire.clean import clean

# --- a board on which the score is pegged -----------------------------------------------------------------------------


def board_and_pegs(view: TableView) -> tuple[list[str], list[str]] | None:
    """(lines of the peg board, lines of who has which pegs), None in games without a board."""
    draw = load_told(view.game).board if view.game else None
    if draw is None or not view.seats:
        return None
    lines, pegs = draw(dict(view.options), [seat.score for seat in view.seats], view.rear)
    whose = [f"{peg} {clean(seat.name, 24)}: {place}" for (peg, place), seat in zip(pegs, view.seats, strict=True)]
    return lines, whose


def board_lines(view: TableView) -> list[str]:
    """The peg board and its legend as lines; none in games without one."""
    if (found := board_and_pegs(view)) is None:
        return []
    lines, whose = found
    return [*lines, fit_text(". ".join(whose) + ".", COLUMNS)]


# --- scores as text ---------------------------------------------------------------------------------------------------


BOLD, ITALIC, GREEN = "\x1b[1m", "\x1b[3m", "\x1b[32m"
"""Hands of before that are one line, and what this hand has made so far, its melds in green, where there are
colours."""
ROUNDS = 12
"""Hands that are listed one by one, where no window sets another limit; those before them are one line."""


def score_in_window(view: TableView, style: Style, lines: int) -> list[str]:
    """Like `score_lines`, with as many hands listed singly as a window of so many lines holds, at least one."""
    rounds = len(view.rounds)
    while rounds > 1 and len(score_lines(view, style, rounds)) > lines:
        rounds -= 1
    return score_lines(view, style, rounds)


def score_lines(view: TableView, style: Style, rounds: int = ROUNDS) -> list[str]:
    """The scores, a column for each side: the change by every hand, the scoring of the last one, what was made in this
    one, and the totals; in cribbage the board as well. rounds: how many hands are listed singly."""
    if not view.seats:
        return ["There are no scores yet."]
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    names = _column_names(tuple([seat.name for seat in view.seats]), sides, view.me)
    looking_on = [LOOKING_ON] if view.looks_on else []
    so_far = any(view.made) or any(view.due)
    if view.sheet is None and not so_far:
        pairs = zip(names, sides, strict=True)
        return [
            *[f"{pad_right(fit_text(name, 40), 40)} {view.seats[side[0]].score:5}" for name, side in pairs],
            *_notes_so_far(view, style),
            *board_lines(view),
            *looking_on,
        ]
    notes = [] if so_far else _notes_so_far(view, style)
    tricks = _trick_lines(view.due if so_far else view.tricks, names, sides)
    rows = score_rows(view, style, rounds)
    return [
        *_score_table(score_title(view), names, sides, rows, style.colour),
        *tricks,
        *notes,
        *board_lines(view),
        *looking_on,
    ]


def score_title(view: TableView) -> str:
    """The title above `score_rows`."""
    return f"Hand {view.sheet.hand if view.sheet else view.hand}"


def score_names(view: TableView) -> list[str]:
    """The names above the columns of `score_rows`, by side."""
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    return _column_names(tuple([seat.name for seat in view.seats]), sides, view.me)


def score_rows(view: TableView, style: Style, rounds: int = ROUNDS) -> list[SheetRow]:
    """The rows of `score_lines`, as data."""
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    so_far = any(view.made) or any(view.due)
    rows: list[SheetRow] = []
    scores = tuple([seat.score for seat in view.seats])
    if view.sheet is not None:
        several = len(view.rounds) > 1
        rows += _item_rows(view.sheet.items, sides, style)
        rows += _round_rows(view, sides, rounds) if several else [_score_row("this hand", view.sheet.points, sides)]
        rows.append(SheetRow("subtotal" if so_far else "total", _scores_by_side(view.sheet.totals, sides)))
    if so_far:
        rows += _rows_so_far(view, sides, style)
    elif view.sheet is not None and scores != view.sheet.totals:
        rows.append(SheetRow("now", _scores_by_side(scores, sides)))
    elif view.sheet is None:
        rows.append(SheetRow("score", _scores_by_side(scores, sides)))
    return rows


def sheet_lines(scored: HandScored, me: str, style: Style) -> list[str]:
    """How a hand was scored: a row for each item, a column for each side. me: the reader's name."""
    sides = scored.sides or tuple([(seat,) for seat in range(len(scored.names))])
    mine = scored.names.index(me) if me in scored.names else None
    sheet = scored.sheet
    rows = [
        *_item_rows(sheet.items, sides, style),
        _score_row("this hand", sheet.points, sides),
        SheetRow("total", _scores_by_side(sheet.totals, sides)),
    ]
    return _score_table(f"Hand {sheet.hand}", _column_names(scored.names, sides, mine), sides, rows)


def item_words(items: Items, style: Style) -> list[str]:
    """``queen of spades 13``: a seat's scored items, those of one name together."""
    sums: Counter[str] = Counter()
    for what, points in items:
        sums[what] += points
    return [f"{draw_cards_in_text(clean(what, 60), style)} {points}" for what, points in sums.items()]


# --- private ----------------------------------------------------------------------------------------------------------

Sides = Sequence[tuple[int, ...]]


class SheetRow(NamedTuple):
    """A row of scores: its label, the points by side, and its colour."""

    what: str
    points: list[str]
    looks: str = ""


def _column_names(names: Sequence[str], sides: Sides, me: int | None) -> list[str]:
    """The heading of each side's column. me: the reader's seat."""
    said = [clean(name, 24) + (" (you)" if seat == me else "") for seat, name in enumerate(names)]
    return [", ".join([said[seat] for seat in side]) for side in sides]


def _notes_so_far(view: TableView, style: Style) -> list[str]:
    """What each seat has made in this hand, with the names of melds that score."""
    if view.phase != "play" or not any(seat.note for seat in view.seats):
        return []
    notes = [
        f"{seat_name(view, seat.seat)}: {draw_cards_in_text(clean(seat.note), style)}"
        for seat in view.seats
        if seat.note
    ]
    return wrap_words(f"Hand {view.hand} so far: {'; '.join(notes)}.", indent="  ")


def _score_table(
    title: str, names: Sequence[str], sides: Sides, rows: Sequence[SheetRow], coloured: bool = False
) -> list[str]:
    first = min(max([text_width(row[0]) for row in rows] + [text_width(title)]) + 1, 26)
    each = (COLUMNS - first) // len(names)
    columns = [min(max(text_width(name), 6), NAME_COLUMNS * len(sides[0]), each - 2) + 2 for name in names]
    head = [pad_left(fit_text(name, column - 2), column) for name, column in zip(names, columns, strict=True)]
    lines = [pad_right(title, first) + "".join(head)]
    for what, points, looks in rows:
        shown = [pad_left(text, column) for text, column in zip(points, columns, strict=True)]
        line = (pad_right(fit_text(what, first - 1), first) + "".join(shown)).rstrip()
        lines.append(f"{looks}{line}{PLAIN}" if looks and coloured else line)
    return lines


def _item_rows(items: Sequence[Items], sides: Sides, style: Style) -> list[SheetRow]:
    firsts = [side[0] for side in sides]  # what a side has, each of its seats has
    kinds = dict.fromkeys(what for seat in firsts for what, _ in items[seat])
    return [
        SheetRow(draw_cards_in_text(clean(what, 60), style), [_item_points(items[seat], what) for seat in firsts])
        for what in kinds
    ]


def _rows_so_far(view: TableView, sides: Sides, style: Style) -> list[SheetRow]:
    """The rows of this hand so far: what the scores include, then what they don't yet."""
    nothing, rows = [""] * len(sides), list[SheetRow]()
    if any(view.made):
        scores = [seat.score for seat in view.seats]
        rows.append(SheetRow(f"hand {view.hand} so far", nothing, ITALIC))
        rows += [row._replace(looks=ITALIC + GREEN) for row in _item_rows(view.made, sides, style)]
        rows.append(SheetRow("total so far", _scores_by_side(scores, sides), ITALIC))
    if any(view.due):
        rows += [SheetRow(f"hand {view.hand}, not added yet", nothing), *_item_rows(view.due, sides, style)]
    return rows


def _scores_by_side(scores: Sequence[int], sides: Sides) -> list[str]:
    return [str(scores[side[0]]) for side in sides]


def _trick_lines(tricks: Sequence[Items], names: Sequence[str], sides: Sides) -> list[str]:
    """The points of each trick, where there are several items. tricks: by seat, an item for each trick."""
    kinds = [Counter([what for what, _ in tricks[side[0]]]) for side in sides] if tricks else []
    several = dict.fromkeys([what for kind in kinds for what, count in kind.items() if count > 1])
    lines = []
    for what in several:
        each = [[str(points) for name, points in tricks[side[0]] if name == what] for side in sides]
        told = [f"{name} {', '.join(points)}" for name, points in zip(names, each, strict=True) if points]
        lines += wrap_words(f"{what.capitalize()}, one by one: {'; '.join(told)}.", indent="  ")
    return lines


def _round_rows(view: TableView, sides: Sides, listed: int) -> list[SheetRow]:
    """A row for each hand, with old ones in one row. listed: how many have a row of their own."""
    first = max(len(view.rounds) - listed, 0)
    merged = [_score_row(f"hands 1 to {first}", _sum_rounds(view.rounds[:first]), sides)] if first else []
    older = [row._replace(looks=BOLD) for row in merged]
    later = enumerate(view.rounds[first:], first + 1)
    return [*older, *[_score_row(f"hand {number}", points, sides) for number, points in later]]


def _sum_rounds(rounds: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple([sum(points) for points in zip(*rounds, strict=True)])


def _score_row(what: str, points: Sequence[int], sides: Sides) -> SheetRow:
    return SheetRow(what, [f"{points[side[0]]:+d}" if points[side[0]] else "0" for side in sides])


def _item_points(items: tuple[tuple[str, int], ...], what: str) -> str:
    """The sum of one item for a seat, "." for none. what: the item's name."""
    counted = [points for name, points in items if name == what]
    return str(sum(counted)) if counted else "."
