"""What is heard at one table: songs of a player's own, and what they are told, each by a command of their own."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from random import Random

import trio

from p2pcards.control.own_command import OwnCommandFailed, run_own_command
from p2pcards.frontend.manner import Playlist
from p2pcards.frontend.words import NotUnderstood
from p2pcards.present.width import PAINT
from p2pcards.wire.clean import clean

# --- songs of a player's own, one after the other ---------------------------------------------------------------------


PAUSE = 1.0
"""Seconds between two songs, so that a command that plays nothing is not started without an end."""

NAME = 200
"""Characters of a song's name that are shown."""


def run_song_command(jukebox: Jukebox | None, arguments: Sequence[str]) -> str:
    """Carry out `song`, `song skip` or `song stop`, and return what to show. jukebox: None where no songs are to be
    played. Raises NotUnderstood."""
    if jukebox is None:
        return "Music isn't set up. To set it up: p2pcards config set player COMMAND, then music and songs"
    does = {"skip": jukebox.skip, "stop": jukebox.stop}
    if arguments and arguments[0].lower() not in does:
        raise NotUnderstood("Usage: song [skip|stop]")
    return does[arguments[0].lower()]() if arguments else jukebox.now


class Jukebox:
    """Chooses the song to play next, and interrupts the current one. song: the current one."""

    def __init__(self, playlist: Playlist, chance: Random) -> None:
        self.song: str | None = None
        self._playlist = playlist
        self._chance = chance
        self._last: str | None = None
        self._game = ""
        self._skipping = False
        self._stopped = False
        self._break_off: Callable[[], None] | None = None

    @property
    def command(self) -> str:
        """The command that plays a song."""
        return self._playlist.command

    @property
    def now(self) -> str:
        """The song that is playing, as a sentence."""
        return "No song is playing." if self.song is None else f"Now playing: {self._song_name}"

    def next_song(self, break_off: Callable[[], None]) -> str | None:
        """The song to play now, None for silence. break_off: called at most once, when this song must stop early."""
        follows = self._playlist.song_after_skipping if self._skipping else self._playlist.after
        self._skipping = False
        self._break_off = break_off
        self.song = None if self._stopped else follows(self._last, self._game, self._chance)
        if self.song is not None:
            self._last = self.song
        return self.song

    def switch_game(self, game: str) -> None:
        """Play the songs of this game from now on. game: its key."""
        if game == self._game:
            return
        self._game = game
        if self._playlist.method == "game":
            self._choose_next()

    def skip(self) -> str:
        """Play the next song, also after the music was stopped; return the confirmation."""
        if self.song is None and not self._stopped:
            return "No song is playing."
        said = "Music on." if self._stopped else f"Skipped {self._song_name}."
        self._skipping, self._stopped = True, False
        self._choose_next()
        return said

    def stop(self) -> str:
        """Play no more songs at this table, until one is skipped; return the confirmation."""
        if self.song is None:
            return "No song is playing."
        self._stopped = True
        self._choose_next()
        return "Music stopped. To play again: song skip"

    def failed(self, why: OwnCommandFailed) -> str:
        """Play nothing any more, as the command failed; return the sentence to show."""
        self.song = self._break_off = None
        return (
            f"The music stopped: the command {clean(self.command, NAME)!r} {why}. "
            "To use another: p2pcards config set player COMMAND"
        )

    @property
    def _song_name(self) -> str:
        return clean(self.song or "", NAME)

    def _choose_next(self) -> None:
        break_off, self._break_off = self._break_off, None
        if break_off is not None:
            break_off()


async def play_songs(jukebox: Jukebox, report: Callable[[str], None]) -> None:
    """Play songs until cancelled or the command fails. report: called with a sentence for each song, and for the
    failure."""
    try:
        while True:
            with trio.CancelScope() as playing:
                song = jukebox.next_song(playing.cancel)
                if song is None:
                    await trio.sleep_forever()
                else:
                    report(jukebox.now)
                    await run_own_command(jukebox.command, arguments=(song,), deadline=math.inf)
                    await trio.sleep(PAUSE)
    except OwnCommandFailed as failed:
        report(jukebox.failed(failed))


# --- what a person is told, as a command of their own gets it to read aloud -------------------------------------------


READING = 60.0
"""Seconds that the command may read at once."""

WAITING = 50
"""Lines that wait while it reads; of more the oldest are left out, since what was long ago helps nobody."""

LINE = 500
"""Characters of a line."""


class Speech:
    """Text waiting to be read aloud: the command gets all of it at once, and then what came meanwhile."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._lines: deque[str] = deque(maxlen=WAITING)
        self._wake: Callable[[], None] | None = None

    def say(self, text: str) -> None:
        """Have this text read. It may have several lines, and colours."""
        cleaned = [clean(PAINT.sub("", line), LINE) for line in text.split("\n")]
        self._lines.extend([line for line in cleaned if line])
        wake = self._wake
        if self._lines and wake is not None:
            self._wake = None
            wake()

    def take_waiting(self, wake: Callable[[], None]) -> str:
        """Take all text that waits, "" for none. `wake` is then called when the next comes."""
        text = "".join([f"{line}\n" for line in self._lines])
        self._lines.clear()
        self._wake = None if text else wake
        return text

    def failed(self, why: OwnCommandFailed) -> str:
        """Read nothing any more, as the command failed; return the sentence to show."""
        return (
            f"Speech is off: the command {clean(self.command, LINE)!r} {why}. To test it: p2pcards config test speech"
        )


async def read_aloud(speech: Speech, report: Callable[[str], None]) -> None:
    """Read text aloud until cancelled or the command fails. report: called with a sentence for the failure."""
    try:
        while True:
            more = trio.Event()
            if text := speech.take_waiting(more.set):
                await run_own_command(speech.command, text, deadline=READING)
            else:
                await more.wait()
    except OwnCommandFailed as failed:
        report(speech.failed(failed))
