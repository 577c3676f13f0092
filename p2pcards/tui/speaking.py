"""What is told at the table on the screen, read aloud by a command of the player's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.frontend.sound import Speech, read_aloud
from p2pcards.present.table import is_another_turn, is_due
from p2pcards.present.width import PAINT
from p2pcards.views.tableview import TableView


class Speaking:
    """At one table. command: "" for none; show: puts a sentence where it can be read."""

    def __init__(self, command: str, show: Callable[[str], None]) -> None:
        self._speech = Speech(command) if command else None
        self._show = show
        self._told: Sequence[str] = ()

    async def run(self) -> None:
        """Until cancelled, which ends the command."""
        if self._speech:
            await read_aloud(self._speech, self._show)

    def came(self, before: TableView, view: TableView, to_do: str) -> None:
        """A view has come after another; what there is to do is read when it becomes due, not as it counts down."""
        if is_due(view) and (not is_due(before) or is_another_turn(before, view)):
            self.say(to_do)

    def told(self, lines: Sequence[str]) -> None:
        """Something has happened."""
        self._told = lines
        self.say(*lines)

    def opened(self, title: str, lines: Sequence[str]) -> None:
        """A panel is there to be read. It may begin with what has just been told."""
        self.say(title, *[line for line in lines if line not in self._told])

    def say(self, *lines: str) -> None:
        if self._speech:
            self._speech.say(PAINT.sub("", "\n".join(lines)))
