"""How many columns text takes in a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

COLUMNS = 79
PAINT = re.compile(r"\x1b\[[0-9;]*m")
PLAIN = "\x1b[0m"
_PARTS = re.compile(rf"{PAINT.pattern}|.", re.DOTALL)


def width(text: str) -> int:
    """The columns that text takes: wide characters two, combining marks and colour none."""
    text = PAINT.sub("", text) if "\x1b" in text else text
    return len(text) if text.isascii() else sum(map(columns_of, text))


@lru_cache(maxsize=4096)
def columns_of(char: str) -> int:
    """Of one character."""
    if char < "\u0300":
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def fit(text: str, columns: int) -> str:
    """The text cut to so many columns, with dots where something is missing."""
    if width(text) <= columns:
        return text
    kept, used = "", 0
    for part in _PARTS.findall(text):
        used += width(part)
        if used > columns - 3:
            break
        kept += part
    painted = PAINT.findall(kept)[-1:] not in ([], [PLAIN])
    return kept.rstrip() + PLAIN * painted + "..."[: max(columns, 0)]


def left(text: str, columns: int) -> str:
    """The text with spaces after it, at least so many columns wide."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """The text with spaces before it, at least so many columns wide."""
    return " " * (columns - width(text)) + text


def columns(rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> list[str]:
    """Rows of as many words each, one below the other. numbers: the columns, from 0, whose words stand at the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    placed = [right if place in numbers else left for place in range(len(widths))]
    return [
        "  ".join([put(word, size) for put, word, size in zip(placed, row, widths, strict=True)]).rstrip()
        for row in rows
    ]


def wrap(words: str | Iterable[str], columns: int = COLUMNS, indent: str = "", first: str = "") -> list[str]:
    """Lines of at most so many columns that begin with `first`, the others with `indent`; a word longer than a line is
    broken."""
    lines, line = [], first
    for word in words.split() if isinstance(words, str) else words:
        for piece in _pieces(word, columns - len(indent)):
            if line.strip() and width(line) + 1 + width(piece) > columns:
                lines.append(line)
                line = indent
            line += (" " if line.strip() else "") + piece
    return [*lines, line] if line.strip() else lines


def fold(line: str, columns: int) -> list[str]:
    """A line that is too long in several, broken between words, the later ones indented deeper."""
    if width(line) <= columns:
        return [line]
    return wrap(line, columns, "    ", line[: len(line) - len(line.lstrip())])


def _pieces(word: str, columns: int) -> list[str]:
    if width(word) <= columns:
        return [word]
    pieces = [""]
    for part in _PARTS.findall(word):
        if width(pieces[-1]) + width(part) > columns:
            pieces.append("")
        pieces[-1] += part
    return pieces
