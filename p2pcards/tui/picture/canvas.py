"""A grid of characters on which things are drawn, each in its place once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

from p2pcards.present.width import char_width

Run = tuple[str, str]
"""(text, ink)"""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the grid, in characters from the upper left corner."""

    column: int
    row: int
    columns: int
    rows: int

    def has_point(self, column: int, row: int) -> bool:
        return 0 <= column - self.column < self.columns and 0 <= row - self.row < self.rows

    def without(self, rows: int) -> Box:
        """The rectangle without its first rows."""
        return Box(self.column, self.row + rows, self.columns, self.rows - rows)


@dataclass(frozen=True, slots=True)
class Zone:
    """A named part of the picture that can be clicked, such as "hand 3"."""

    name: str
    box: Box


@dataclass(frozen=True, slots=True)
class Picture:
    rows: tuple[tuple[Run, ...], ...]  # runs from left to right, by row from the top
    zones: tuple[Zone, ...] = ()  # in the order in which they were drawn
    cursor: tuple[int, int] | None = None  # (column, row) of the selection; None for none
    faults: tuple[str, ...] = ()  # things that did not fit, or overlap others

    def text(self) -> list[str]:
        """The rows without their inks."""
        return ["".join([text for text, _ in row]) for row in self.rows]

    def at(self, column: int, row: int) -> str:
        """The name of the zone here, "" for none."""
        found = [zone.name for zone in self.zones if zone.box.has_point(column, row)]
        return found[-1] if found else ""


class Canvas:
    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self._cells: list[list[Run | None]] = [[None] * columns for _ in range(rows)]
        self._zones: list[Zone] = []
        self._cursor: tuple[int, int] | None = None
        self._faults: list[str] = []

    def put(self, column: int, row: int, text: str, ink: str = "") -> None:
        """Write text here. What is outside the grid or over other text is left out and noted as a fault."""
        cells = self._cells[row] if 0 <= row < self.rows else []
        for character in text:
            taken = char_width(character)
            if not taken:
                continue
            last = column + taken - 1
            if column < 0 or last >= len(cells):
                self._faults.append(f"{text!r} at {column}, {row} is outside")
                return
            if cells[column] is not None or (taken > 1 and cells[last] is not None):
                self._faults.append(f"{text!r} at {column}, {row} lies on something else")
                return
            cells[column] = (character, ink)
            if taken > 1:
                cells[last] = ("", ink)
            column += taken

    def note_lack(self, what: str) -> None:
        """Note that there is no room for this, so that another layout is tried."""
        self._faults.append(f"no room for {what}")

    def zone(self, name: str, box: Box) -> None:
        """Name this rectangle as a zone."""
        self._zones.append(Zone(name, box))

    def cursor(self, column: int, row: int) -> None:
        """Put the cursor on the selection, here."""
        self._cursor = (column, row)

    def picture(self) -> Picture:
        """The picture drawn so far."""
        rows = tuple([_merge_runs([cell or (" ", "") for cell in row]) for row in self._cells])
        return Picture(rows, tuple(self._zones), self._cursor, tuple(self._faults))


def overlay_picture(picture: Picture, column: int, row: int, upper: Picture) -> Picture:
    """The picture with another one over it, whose upper left corner is here; what is outside is cut off."""
    rows = list(picture.rows)
    for number, line in enumerate(upper.rows, row):
        if 0 <= number < len(rows):
            rows[number] = _splice_row(rows[number], column, line)
    return replace(picture, rows=tuple(rows))


def _splice_row(row: tuple[Run, ...], column: int, line: tuple[Run, ...]) -> tuple[Run, ...]:
    """The row with a line over it from this column on. Half-covered wide characters become spaces."""
    cells = _split_cells(row)
    for place, cell in enumerate(_split_cells(line), column):
        if 0 <= place < len(cells):
            if cells[place][0] == "" and place:
                cells[place - 1] = (" ", cells[place - 1][1])
            if place + 1 < len(cells) and cells[place + 1][0] == "":
                cells[place + 1] = (" ", cells[place + 1][1])
            cells[place] = cell
    return _merge_runs(cells)


def _split_cells(row: tuple[Run, ...]) -> list[Run]:
    """A run of one character for each column."""
    return [
        cell
        for text, ink in row
        for character in text
        for cell in [(character, ink), *[("", ink)] * (char_width(character) - 1)]
    ]


def _merge_runs(cells: list[Run]) -> tuple[Run, ...]:
    """Neighbours of one ink merged into runs."""
    inked = groupby(cells, itemgetter(1))
    return tuple([("".join([character for character, _ in group]), ink) for ink, group in inked])
