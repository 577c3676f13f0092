"""What a machine that brings bytes over a way that loses some keeps of the bytes themselves, whatever its frames are
like. No I/O, no clock."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import Generic, TypeVar

P = TypeVar("P")


class ReceivingEnd:
    """expected: what comes next, in order."""

    def __init__(self) -> None:
        self.expected = 0
        self.is_whole = False
        """The end has arrived, and everything before it."""
        self._ready = bytearray()
        self._is_deaf = False

    @property
    def waiting(self) -> int:
        """Bytes to be read."""
        return len(self._ready)

    def read(self, limit: int | None) -> bytes:
        """Take at most so many bytes that have arrived."""
        data = bytes(self._ready[:limit])
        del self._ready[: len(data)]
        return data

    def stop(self) -> None:
        """Drop what comes, as nobody reads any more."""
        self._is_deaf = True
        self._ready.clear()

    def _keep(self, data: bytes) -> None:
        """Keep bytes for reading."""
        if not self._is_deaf:
            self._ready += data


class SendingEnd(ABC, Generic[P]):
    """P: a piece of the bytes on the way."""

    def __init__(self) -> None:
        self.ended = False
        """Nothing more will be written."""
        self.resent = 0
        self._waiting = bytearray()
        self._out: deque[P] = deque()
        self._next = 0
        self._is_end_cut = False

    @property
    @abstractmethod
    def room(self) -> int:
        """Bytes that `write` takes now."""

    @property
    def is_done(self) -> bool:
        """True if everything written, and the end, has arrived."""
        return self._is_end_cut and not self._out

    @property
    def is_out(self) -> bool:
        """True if something was sent and is not known to have arrived."""
        return bool(self._out)

    @property
    def _has_more(self) -> bool:
        """True if bytes, or the end, are not cut yet."""
        return bool(self._waiting) or (self.ended and not self._is_end_cut)

    def write(self, data: bytes | memoryview) -> int:
        """Take bytes to send; returns how many."""
        taken = data[: self.room]
        self._waiting += taken
        return len(taken)

    def end(self) -> None:
        """Send the end after what was written."""
        self.ended = True

    def drop(self) -> None:
        """Drop everything, as the other side takes nothing any more."""
        self._waiting.clear()
        self._out.clear()
        self.ended = self._is_end_cut = True

    def _cut_bytes(self, size: int) -> bytes:
        """Take at most so many bytes from those that wait."""
        data = bytes(self._waiting[:size])
        del self._waiting[:size]
        return data
