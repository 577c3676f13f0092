"""How much a line frame carries: long frames on a clean line, short ones where long ones would not arrive whole."""

from math import sqrt

OVERHEAD = 11
"""Bytes around the payload of a data frame: two flags, five of header, four of CRC."""

WINDOW = 8
"""Data frames that may be out at once; an acknowledgement tells of each of them."""

SHORTEST, LONGEST = 24, 240
"""Bytes of a payload."""
MEMORY = 100
"""Frames over which the losses are counted."""


def longest_payload(rate: int) -> int:
    """Bytes of the longest payload at this many bits a second: about a second of the line, for what waits behind it."""
    return min(LONGEST, max(64, rate // 10))


class Sizing:
    """Learns from what arrived and what was lost. With q the chance that a byte is hit, h the overhead and L the length
    of a frame, the share of the line that is of use, (L - h) / L * exp(-q L), is largest where L (L - h) = h / q."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        # A guess to begin with, half a hit strong: three frames that are lost outweigh it.
        self._hits = 0.5
        self._bytes = 700.0

    def arrived(self, payload: int) -> None:
        self._count(payload + OVERHEAD, 0)

    def lost(self, payload: int) -> None:
        # On average the first hit was in the middle; nothing is known of what came behind it.
        self._count((payload + OVERHEAD) / 2, 1)

    def _count(self, size: float, hits: int) -> None:
        kept = 1 - 1 / MEMORY
        self._hits = self._hits * kept + hits
        self._bytes = self._bytes * kept + size

    @property
    def payload(self) -> int:
        """Bytes of the payload to be cut next."""
        hit = max(self._hits / self._bytes, 1e-9)
        best = (sqrt(OVERHEAD * OVERHEAD + 4 * OVERHEAD / hit) - OVERHEAD) / 2
        return round(min(self._longest, max(SHORTEST, best)))
