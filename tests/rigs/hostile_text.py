"""Text that moves the cursor, hides what it is, or spills over other lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import strategies as st

FLOOD = "\u0301" * 8  # marks of one letter, over the lines above

PIECES = (
    *("\x00", "\x07", "\x08", "\t", "\n", "\r", "\x0e", "\x1a", "\x7f"),  # C0
    *("\x84", "\x85", "\x8d", "\x90", "\x9b2J", "\x9d0;x\x9c"),  # C1, NEL among them
    *("\x1b[2J", "\x1b[31m", "\x1b]0;x\x07", "\x1b]8;;file:x\x1b\\", "\x1bc", "\x1bP+q\x1b\\", "\x1b[?1049h"),
    *("\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u061c"),
    *("\u2028", "\u2029", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff", "\u00ad"),
    *("\U000e0041", "\U000e007f", "\ufff9", "\ue000", FLOOD),
    *("Ann", " ", "b", "(trusted)", "/", "'", '"', "{0}", "\\", "%s"),
)

HOSTILE = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
SURROGATES = ("\ud800", "\udfff", "\udc9b2J")
"""Halves of pairs, which some files can hold and nothing can print."""


def harmful(text: str) -> set[str]:
    """The characters of it that would do more than be read, apart from line ends, and marks that are too many."""
    found = {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\n"}
    return found | {"\u0301"} if "\u0301" * 3 in unicodedata.normalize("NFD", text) else found


def texts_in(data: Any) -> Iterator[str]:
    """Every text in a view, a happening or what JSON has."""
    if isinstance(data, str):
        yield data
    elif is_dataclass(data):
        for field in fields(data):
            yield from texts_in(getattr(data, field.name))
    elif isinstance(data, dict):
        yield from texts_in([*data, *data.values()])
    elif isinstance(data, (tuple, list)):
        for part in data:
            yield from texts_in(part)
