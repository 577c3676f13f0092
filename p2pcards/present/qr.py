"""A link as a QR code that a telephone reads off a terminal: two rows of modules in a line of half blocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from p2pcards.present.width import PLAIN

DARK_ON_LIGHT = "\x1b[48;5;231;38;5;16m"
"""Black on white, whatever colours the terminal has: not every reader takes a code that is light on dark."""
HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""By the modules above and below, 1 the dark one."""
QUIET = 2
"""Light modules around it. ISO/IEC 18004 wants four; on a screen telephones read it with two."""
WIDEST = 60
"""Columns. A code that needs more is not read off a terminal any more."""


@lru_cache(1)
def qr_rows(text: str) -> list[list[int]]:
    """The modules of a QR code, 1 for dark, with the light margin; empty for a link that telephones cannot follow."""
    if not text.startswith("http"):
        return []
    from segno import encoder  # a page has no more of segno

    encode: Callable[..., Any] = encoder.encode
    dark = [[0] * QUIET + list(row) + [0] * QUIET for row in encode(text, error="l", micro=False).matrix]
    light = [[0] * len(dark[0])] * QUIET
    return [*light, *dark, *light]


def qr_lines(text: str, columns: int) -> list[str]:
    """The QR code in half blocks, empty where it is wider than the terminal. columns: of the terminal."""
    rows = qr_rows(text)
    if not rows or len(rows[0]) > min(columns, WIDEST):
        return []
    pairs = zip(rows[::2], [*rows[1::2], [0] * len(rows[0])], strict=False)
    lines = ["".join([HALVES[bool(one), bool(other)] for one, other in zip(*pair, strict=True)]) for pair in pairs]
    return [f"{DARK_ON_LIGHT}{line}{PLAIN}" for line in lines]
