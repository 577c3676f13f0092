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


def text_width(text: str) -> int:
    """The columns that a text takes: two for wide characters, none for combining marks and colours."""
    text = PAINT.sub("", text) if "\x1b" in text else text
    return len(text) if text.isascii() else sum(map(char_width, text))


@lru_cache(maxsize=4096)
def char_width(char: str) -> int:
    """The columns that a character takes."""
    if char < "\u0300":
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def fit_text(text: str, columns: int) -> str:
    """The text cut to so many columns, with dots if something is missing."""
    if text_width(text) <= columns:
        return text
    kept, used = "", 0
    for part in _PARTS.findall(text):
        used += text_width(part)
        if used > columns - 3:
            break
        kept += part
    painted = PAINT.findall(kept)[-1:] not in ([], [PLAIN])
    return kept.rstrip() + PLAIN * painted + "..."[: max(columns, 0)]


def pad_right(text: str, columns: int) -> str:
    """The text with spaces after it, at least so many columns wide."""
    return text + " " * (columns - text_width(text))


def pad_left(text: str, columns: int) -> str:
    """The text with spaces before it, at least so many columns wide."""
    return " " * (columns - text_width(text)) + text


def align_columns(rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> list[str]:
    """Rows of equally many words, aligned in columns. numbers: indices of columns that are aligned to the right."""
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    placed = [pad_left if place in numbers else pad_right for place in range(len(widths))]
    return [
        "  ".join([put(word, size) for put, word, size in zip(placed, row, widths, strict=True)]).rstrip()
        for row in rows
    ]


def wrap_words(words: str | Iterable[str], columns: int = COLUMNS, indent: str = "", first: str = "") -> list[str]:
    """Lines of at most so many columns, the first beginning with `first`, others with `indent`; a word longer than a
    line is broken."""
    lines, line = [], first
    for word in words.split() if isinstance(words, str) else words:
        for piece in _break_word(word, columns - len(indent)):
            if line.strip() and text_width(line) + 1 + text_width(piece) > columns:
                lines.append(line)
                line = indent
            line += (" " if line.strip() else "") + piece
    return [*lines, line] if line.strip() else lines


def fold_line(line: str, columns: int) -> list[str]:
    """A long line broken between words into several, the later ones indented deeper."""
    if text_width(line) <= columns:
        return [line]
    return wrap_words(line, columns, "    ", line[: len(line) - len(line.lstrip())])


def _break_word(word: str, columns: int) -> list[str]:
    if text_width(word) <= columns:
        return [word]
    pieces = [""]
    for part in _PARTS.findall(word):
        if text_width(pieces[-1]) + text_width(part) > columns:
            pieces.append("")
        pieces[-1] += part
    return pieces
