"""A grid of characters on which things are drawn, each in its place once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

from p2pcards.present.width import columns_of

Run = tuple[str, str]
"""(text, ink)"""


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the grid, in characters from its upper left corner."""

    column: int
    row: int
    columns: int
    rows: int

    def has(self, column: int, row: int) -> bool:
        return 0 <= column - self.column < self.columns and 0 <= row - self.row < self.rows

    def without(self, rows: int) -> Box:
        """What is left below its first rows."""
        return Box(self.column, self.row + rows, self.columns, self.rows - rows)


@dataclass(frozen=True, slots=True)
class Zone:
    """Something drawn that can be pointed at, such as "hand 3"."""

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
        """The name of what is there, "" where nothing can be pointed at."""
        found = [zone.name for zone in self.zones if zone.box.has(column, row)]
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
        """What lies outside the grid, or on something else, is left out, and remembered as a fault."""
        cells = self._cells[row] if 0 <= row < self.rows else []
        for character in text:
            taken = columns_of(character)
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

    def lack(self, what: str) -> None:
        """There is no room for this."""
        self._faults.append(f"no room for {what}")

    def zone(self, name: str, box: Box) -> None:
        self._zones.append(Zone(name, box))

    def cursor(self, column: int, row: int) -> None:
        """What is chosen lies here."""
        self._cursor = (column, row)

    def picture(self) -> Picture:
        rows = tuple([_runs([cell or (" ", "") for cell in row]) for row in self._cells])
        return Picture(rows, tuple(self._zones), self._cursor, tuple(self._faults))


def overlaid(picture: Picture, column: int, row: int, upper: Picture) -> Picture:
    """The picture with another on it, its upper left corner there; what is outside is left out."""
    rows = list(picture.rows)
    for number, line in enumerate(upper.rows, row):
        if 0 <= number < len(rows):
            rows[number] = _spliced(rows[number], column, line)
    return replace(picture, rows=tuple(rows))


def _spliced(row: tuple[Run, ...], column: int, line: tuple[Run, ...]) -> tuple[Run, ...]:
    """Characters of two columns that are half covered become spaces."""
    cells = _cells(row)
    for place, cell in enumerate(_cells(line), column):
        if 0 <= place < len(cells):
            if cells[place][0] == "" and place:
                cells[place - 1] = (" ", cells[place - 1][1])
            if place + 1 < len(cells) and cells[place + 1][0] == "":
                cells[place + 1] = (" ", cells[place + 1][1])
            cells[place] = cell
    return _runs(cells)


def _cells(row: tuple[Run, ...]) -> list[Run]:
    """A cell for each column."""
    return [
        cell
        for text, ink in row
        for character in text
        for cell in [(character, ink), *[("", ink)] * (columns_of(character) - 1)]
    ]


def _runs(cells: list[Run]) -> tuple[Run, ...]:
    """Neighbours of one ink together."""
    inked = groupby(cells, itemgetter(1))
    return tuple([("".join([character for character, _ in group]), ink) for ink, group in inked])
