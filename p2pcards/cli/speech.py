"""What a person is told, read aloud by a command of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import trio

from p2pcards.cli.line_editor import Complete, Event, no_completions
from p2pcards.cli.line_terminal import Screen
from p2pcards.daemon.own_command import OwnCommandFailed, run_own_command
from p2pcards.present.width import PAINT
from p2pcards.wire.clean import clean

READING = 60.0
"""Seconds that the command may read at once."""

WAITING = 50
"""Lines that wait while it reads; of more the oldest are left out, since what was long ago helps nobody."""

LINE = 500
"""Characters of a line."""


class Speech:
    """Gives lines to a command on its standard input: all that wait, then again what came meanwhile."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._lines: deque[str] = deque(maxlen=WAITING)
        self._more = trio.Event()

    def say(self, text: str) -> None:
        """text: lines, in colour or not."""
        cleaned = [clean(PAINT.sub("", line), LINE) for line in text.split("\n")]
        self._lines.extend([line for line in cleaned if line])
        self._more.set()

    async def run(self, report: Callable[[str], None]) -> None:
        """Read until cancelled, or until the command fails, which `report` is told."""
        try:
            while True:
                await self._more.wait()
                self._more = trio.Event()
                while self._lines:
                    text = "\n".join(self._lines)
                    self._lines.clear()
                    await run_own_command(self._command, f"{text}\n", deadline=READING)
        except OwnCommandFailed as failed:
            report(
                f"Nothing is read aloud any more: the command {clean(self._command, LINE)!r} {failed}. "
                "Try it: p2pcards config test speech"
            )


class SpokenScreen:
    """A screen, all of whose lines are read aloud too, and each prompt as it becomes due."""

    def __init__(self, screen: Screen, speech: Speech) -> None:
        self._screen = screen
        self._speech = speech
        self._due = False

    @property
    def columns(self) -> int:
        return self._screen.columns

    @property
    def lines(self) -> int:
        return self._screen.lines

    def say(self, text: str) -> None:
        self._screen.say(text)
        self._speech.say(text)

    def prompt(self, text: str, due: bool, again: bool = False) -> None:
        self._screen.prompt(text, due, again)
        if due and (again or not self._due):  # one that counts down is not read every second
            self._speech.say(text)
        self._due = due

    def ring(self) -> None:
        self._screen.ring()

    async def read(self, complete: Complete = no_completions) -> tuple[Event, ...]:
        return await self._screen.read(complete)

    def refresh(self) -> None:
        self._screen.refresh()

    def suspend(self) -> None:
        self._screen.suspend()

    def resume(self) -> None:
        self._screen.resume()
