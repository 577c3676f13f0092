"""What a person is told, as a command of their own gets it to read aloud."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from p2pcards.control.spawning import OwnCommandFailed
from p2pcards.present.width import PAINT
from p2pcards.wire.clean import clean

READING = 60.0
"""Seconds that the command may read at once."""

WAITING = 50
"""Lines that wait while it reads; of more the oldest are left out, since what was long ago helps nobody."""

LINE = 500
"""Characters of a line."""


class Speech:
    """Lines that wait for the command, which gets all of them on its standard input, then again what came meanwhile."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._lines: deque[str] = deque(maxlen=WAITING)
        self._wake: Callable[[], None] | None = None

    def say(self, text: str) -> None:
        """text: lines, in colour or not."""
        cleaned = [clean(PAINT.sub("", line), LINE) for line in text.split("\n")]
        self._lines.extend([line for line in cleaned if line])
        wake = self._wake
        if self._lines and wake is not None:
            self._wake = None
            wake()

    def take(self, wake: Callable[[], None]) -> str:
        """All that waits, "" where nothing does; then `wake` is called as soon as something has come."""
        text = "".join([f"{line}\n" for line in self._lines])
        self._lines.clear()
        self._wake = None if text else wake
        return text

    def failed(self, why: OwnCommandFailed) -> str:
        """What is said where nothing is read any more."""
        return (
            f"Nothing is read aloud any more: the command {clean(self.command, LINE)!r} {why}. "
            "Try it: p2pcards config test speech"
        )
