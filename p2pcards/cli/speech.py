"""What a person is told in line mode, read aloud by a command of their own."""

from __future__ import annotations

from collections.abc import Callable

import trio

from p2pcards.cli.line_editor import Complete, Event, no_completions
from p2pcards.cli.line_terminal import Screen
from p2pcards.control.own_command import OwnCommandFailed, run_own_command
from p2pcards.frontend.sound import READING, Speech


async def read_aloud(speech: Speech, report: Callable[[str], None]) -> None:
    """Read until cancelled, or until the command fails, which `report` is told."""
    try:
        while True:
            more = trio.Event()
            if text := speech.take(more.set):
                await run_own_command(speech.command, text, deadline=READING)
            else:
                await more.wait()
    except OwnCommandFailed as failed:
        report(speech.failed(failed))


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
