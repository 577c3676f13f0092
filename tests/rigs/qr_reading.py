"""What a telephone reads off a QR code, by a library of others."""

from __future__ import annotations

from collections.abc import Sequence

import zxingcpp

MODULE = 4
"""Pixels."""


def read_qr(rows: Sequence[Sequence[int]]) -> str:
    """rows: the modules with the light ones around them, 1 the dark ones."""
    lines = [b"".join([(b"\0" if dark else b"\xff") * MODULE for dark in row]) * MODULE for row in rows]
    height, width = len(rows) * MODULE, len(rows[0]) * MODULE
    (found,) = zxingcpp.read_barcodes(memoryview(b"".join(lines)).cast("B", (height, width)))
    return str(found.text)
