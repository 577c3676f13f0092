"""Text of strangers made safe to show."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

# Blank, though they count as letters, symbols or marks: Hangul and Khmer fillers, the empty braille cell, the combining
# grapheme joiner. Variation selectors are marks without ink, one of which changes how wide an emoji is drawn.
INVISIBLE = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f") | frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
ESCAPE_SEQUENCE = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)?|\x9b[0-9;:?]*[ -/]*[@-~]")
"""The bytes that a terminal takes for one command; without it no letters of the command stay behind."""
MINUS = "\u2212"
"""A dash, though it counts as a sign of arithmetic."""
WRAPPED = " \t\r\n\f\v\u00a0<>()*`'\"“”„‘’‚«»‹›"
BEFORE, BEHIND = WRAPPED, f"{WRAPPED}.,;!…"
"""What people and their programs put around a link or an address."""
SHOWN = 60
"""Characters of a refused text."""
MARKS = 2  # combining marks on one letter: enough for every living script, too few to climb over other lines


def clean(text: str, limit: int = 200) -> str:
    """The text on one line of at most `limit` characters, without anything that moves the cursor or hides.

    Control, format (escape, bidirectional, zero-width), private-use, surrogate and unassigned characters are removed;
    line ends and white space of any kind become one space; more than two combining marks on a letter are dropped.
    Cleaning twice changes nothing more.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())[:limit].rstrip()
    kept: list[str] = []
    marks = MARKS  # nothing to stand on yet
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        if kind[0] == "Z" or char in "\t\n\v\f\r\x85":
            kept.append(" ")
            marks = MARKS
        elif kind[0] == "C" or char in INVISIBLE:
            continue
        elif kind[0] == "M":
            marks += 1
            if marks <= MARKS:
                kept.append(char)
        else:
            kept.append(char)
            marks = 0
    words = unicodedata.normalize("NFC", "".join(kept)).split()
    return " ".join(words)[:limit].rstrip()


def as_typed(text: str) -> str:
    """A link, address or code copied from a message, as a person would type it: dashes become hyphens, and invisible
    characters, quotes, brackets and full stops around it are removed."""
    kinds = [(char, unicodedata.category(char)) for char in text]
    inked = [
        "-" if kind == "Pd" or char == MINUS else char for char, kind in kinds if kind != "Cf" and char not in INVISIBLE
    ]
    return "".join(inked).lstrip(BEFORE).rstrip(BEHIND)


def visible(text: str, also: Container[str] = ()) -> str:
    """The beginning of a refused text, safe to show: invisible characters, and those of `also`, are written as
    <U+200B>."""
    return "".join(
        [
            f"<U+{ord(char):04X}>" if not char.isprintable() or char in INVISIBLE or char in also else char
            for char in text[:SHOWN]
        ]
    )
