"""What is heard at the table on the screen, beside the bell: songs, and what is told, read aloud; each by a command of
the player's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import trio

from p2pcards.frontend.manner import Manner
from p2pcards.frontend.sound import Jukebox, Speech, play_songs, read_aloud, told_of_songs
from p2pcards.present.table import is_another_turn, is_due
from p2pcards.present.width import PAINT
from p2pcards.views.tableview import TableView

Report = Callable[[str], None]
"""Tells a sentence."""


class Sounding:
    """One table, heard as a person wants it. show: puts a sentence where it can be read."""

    def __init__(self, manner: Manner, show: Report) -> None:
        self._jukebox = Jukebox(manner.playlist, Random()) if manner.playlist.plays else None
        self._speech = Speech(manner.speech) if manner.speech else None
        self._show = show
        self._told: Sequence[str] = ()

    async def run(self) -> None:
        """Until cancelled, which ends every command."""
        async with trio.open_nursery() as nursery:
            if self._jukebox:
                nursery.start_soon(play_songs, self._jukebox, self._tell_of_song)
            if self._speech:
                nursery.start_soon(read_aloud, self._speech, self._show)

    @property
    def plays(self) -> bool:
        """Whether there are songs, with something to say of them."""
        return self._jukebox is not None

    def answer(self, arguments: Sequence[str]) -> str:
        """What `song` says with these arguments. Raises NotUnderstood."""
        return told_of_songs(self._jukebox, arguments)

    def came(self, before: TableView, view: TableView, to_do: str) -> None:
        """A view has come after another; what there is to do is read when it becomes due, not as it counts down."""
        if self._jukebox:
            self._jukebox.at_game(view.game or "")
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

    def _tell_of_song(self, sentence: str) -> None:
        self._show(sentence)
        self.say(sentence)
