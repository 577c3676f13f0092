"""Songs at the table, played by a command of the player's own, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

import trio

from p2pcards.daemon.own_command import OwnCommandFailed, run_own_command
from p2pcards.frontend.playlist import Playlist
from p2pcards.frontend.words import NotUnderstood
from p2pcards.wire.clean import clean

PAUSE = 1.0
"""Seconds between two songs, so that a command that plays nothing is not started without an end."""

NAME = 200
"""Characters of a song's name that are shown."""


def told_of_songs(music: Music | None, arguments: Sequence[str]) -> str:
    """What `song` says, and `song skip` does. music: None where none is to be played. Raises NotUnderstood."""
    if music is None:
        return "No music is played. To have some: p2pcards config set player COMMAND, then music and songs"
    if arguments and arguments[0].lower() != "skip":
        raise NotUnderstood("It is typed like this: song, or song skip")
    if arguments:
        return music.skip()
    return f"Now playing: {music.named}" if music.song else "No song is playing."


class Music:
    """What plays at one table. song: what plays now."""

    def __init__(self, playlist: Playlist, chance: Random) -> None:
        self.song: str | None = None
        self._playlist = playlist
        self._chance = chance
        self._game = ""
        self._skipping = False
        self._changed = trio.Event()
        self._playing = trio.CancelScope()

    def at_game(self, game: str) -> None:
        """Another game is played now."""
        if game == self._game:
            return
        self._game = game
        if self._playlist.method == "game":
            self._go_on()

    def skip(self) -> str:
        """The next song; what is said."""
        if self.song is None:
            return "No song is playing."
        self._skipping = True
        self._go_on()
        return f"Skips {self.named}."

    @property
    def named(self) -> str:
        return clean(self.song or "", NAME)

    def _go_on(self) -> None:
        self._playing.cancel()
        self._changed.set()

    async def run(self, report: Callable[[str], None]) -> None:
        """Play until cancelled, or until the command fails, which `report` is told."""
        last: str | None = None
        try:
            while True:
                self._changed = trio.Event()
                follows = self._playlist.instead_of if self._skipping else self._playlist.after
                self._skipping = False
                self.song = follows(last, self._game, self._chance)
                if self.song is None:
                    await self._changed.wait()
                    continue
                report(f"Now playing: {self.named}")
                with trio.CancelScope() as self._playing:
                    await run_own_command(self._playlist.command, arguments=(self.song,), deadline=math.inf)
                    await trio.sleep(PAUSE)
                last = self.song
        except OwnCommandFailed as failed:
            self.song = None
            report(
                f"No music is played any more: the command {clean(self._playlist.command, NAME)!r} {failed}. "
                "To have another: p2pcards config set player COMMAND"
            )
