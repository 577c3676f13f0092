"""The buffers at both ends of a reliable stream over a way that loses frames, for any kind of frame. No I/O, no
clock."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import Generic, TypeVar

P = TypeVar("P")


class ReceivingEnd:
    def __init__(self) -> None:
        self.expected = 0  # what comes next, in order: the number of a piece, or the place of a byte
        self.is_whole = False  # the end has arrived, and everything before it
        self._ready = bytearray()
        self._is_deaf = False

    @property
    def waiting(self) -> int:
        """The number of bytes to be read."""
        return len(self._ready)

    def read(self, limit: int | None) -> bytes:
        """Remove and return at most `limit` bytes that have arrived, all for None."""
        data = bytes(self._ready[:limit])
        del self._ready[: len(data)]
        return data

    def stop(self) -> None:
        """Drop everything that arrives from now on."""
        self._is_deaf = True
        self._ready.clear()

    def _keep(self, data: bytes) -> None:
        if not self._is_deaf:
            self._ready += data


class SendingEnd(ABC, Generic[P]):
    """P: a piece of the stream, as one frame carries it."""

    def __init__(self) -> None:
        self.ended = False  # nothing more will be written
        self.resent = 0
        self._waiting = bytearray()  # not yet cut into pieces
        self._out: deque[P] = deque()  # sent, and not known to have arrived
        self._next = 0
        self._is_end_cut = False

    @property
    @abstractmethod
    def room(self) -> int:
        """The number of bytes that `write` takes now."""

    @property
    def is_done(self) -> bool:
        """True if everything written, and the end, has arrived."""
        return self._is_end_cut and not self._out

    @property
    def is_out(self) -> bool:
        """True if a piece was sent and is not known to have arrived."""
        return bool(self._out)

    @property
    def _has_more(self) -> bool:
        """True if bytes, or the end, are still to be sent for the first time."""
        return bool(self._waiting) or (self.ended and not self._is_end_cut)

    def write(self, data: bytes | memoryview) -> int:
        """Take as many of these bytes as there is room for, and return how many."""
        taken = data[: self.room]
        self._waiting += taken
        return len(taken)

    def end(self) -> None:
        """Send the end after everything written so far."""
        self.ended = True

    def drop(self) -> None:
        """Drop everything, once the other side reads no more."""
        self._waiting.clear()
        self._out.clear()
        self.ended = self._is_end_cut = True

    def _cut_bytes(self, size: int) -> bytes:
        """Remove and return at most `size` waiting bytes."""
        data = bytes(self._waiting[:size])
        del self._waiting[:size]
        return data
