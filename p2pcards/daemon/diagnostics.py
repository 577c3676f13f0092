"""The daemon's notes about itself, for finding faults: one line per event, never a key, a hand or chat."""

from __future__ import annotations

import os
import time
import traceback
from contextlib import suppress
from pathlib import Path

LIMIT = 256 * 1024
"""Bytes of the file; when it is full it becomes `.old`, and a new one begins."""


class Diagnostics:
    """The diagnostic log of one daemon. Nothing that goes wrong with it disturbs a game."""

    def __init__(self, path: Path) -> None:
        """Open the diagnostic log. Raises OSError."""
        self._path = path
        self._fd = self._open()

    def note(self, event: str) -> None:
        """Write a line. event: without a line break, a key or a card."""
        line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {event}\n"
        with suppress(OSError):
            if os.fstat(self._fd).st_size > LIMIT:
                self._begin_again()
            os.write(self._fd, line.encode(errors="replace"))

    def fault(self, where: str, error: BaseException) -> None:
        """Write down a mistake in the program: the kind of error and the lines it passed, without its text, which could
        hold cards."""
        frames = traceback.extract_tb(error.__traceback__)
        places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames))
        self.note(f"{where} FAULT {type(error).__name__} at {places}")
        if isinstance(error, BaseExceptionGroup):
            for part in error.exceptions:
                self.fault(where, part)

    def take_stderr(self) -> None:
        """Redirect standard error to the file, for what the interpreter says in a crash."""
        os.dup2(self._fd, 2)

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def _open(self) -> int:
        """Open the file for appending."""
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _begin_again(self) -> None:
        """Move the full file aside and start a new one."""
        self._path.replace(self._path.with_suffix(".old"))
        fresh = self._open()
        os.dup2(fresh, self._fd, inheritable=False)
        os.dup2(fresh, 2)
        os.close(fresh)
