"""Songs at the table, played by a command of the player's own, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import trio

from p2pcards.cli.line_words import NotUnderstood
from p2pcards.daemon.own_command import OwnCommandFailed, run_own_command
from p2pcards.wire.clean import clean

PAUSE = 1.0
"""Seconds between two songs, so that a command that plays nothing is not started without an end."""

NAME = 200
"""Characters of a song's name that are shown."""


@dataclass(frozen=True, slots=True)
class Playlist:
    """command: gets the name of a file as its last word, and ends with the song. method: how the songs follow each
    other, one of `settings.MUSIC`; of_game: the song of each game, by its key."""

    command: str = ""
    method: str = "off"
    songs: tuple[str, ...] = ()
    of_game: Mapping[str, str] = field(default_factory=dict)

    @property
    def plays(self) -> bool:
        return bool(self.command) and self.method != "off"

    def after(self, last: str | None, game: str, chance: Random) -> str | None:
        """The song that follows; last: None at the beginning. None: no song follows."""
        if self.method == "game":
            return self.of_game.get(game)
        if not self.songs or (self.method == "single" and last is not None):
            return None
        if self.method == "random":
            return chance.choice([song for song in self.songs if song != last] or self.songs)
        return last if self.method == "repeat" and last in self.songs else _next(self.songs, last)

    def instead_of(self, skipped: str | None, game: str, chance: Random) -> str | None:
        """What whoever skips a song hears: another if there is one, also where each game has its song."""
        if self.method == "random":
            return self.after(skipped, game, chance)
        others = self.of_game.values() if self.method == "game" else ()
        return _next([*self.songs, *others], skipped)


def told_of_songs(music: Music | None, arguments: Sequence[str]) -> str:
    """What `song` says, and `song skip` does. music: None where none is to be played. Raises NotUnderstood."""
    if music is None:
        return "No music is played. To have some: p2pcards config set player COMMAND, then music and songs"
    if arguments and arguments[0].lower() != "skip":
        raise NotUnderstood("It is typed like this: song, or song skip")
    if arguments:
        return music.skip()
    return f"Now playing: {music.named}" if music.song else "No song is playing."


def _next(songs: Sequence[str], last: str | None) -> str | None:
    """A song that is listed twice is played where it stands first, or what follows it would never be reached."""
    listed = list(dict.fromkeys(songs))
    if not listed:
        return None
    return listed[(listed.index(last) + 1) % len(listed)] if last in listed else listed[0]


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
