"""Songs of a player's own at the table, and the order in which they are played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random


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


def _next(songs: Sequence[str], last: str | None) -> str | None:
    """A song that is listed twice is played where it stands first, or what follows it would never be reached."""
    listed = list(dict.fromkeys(songs))
    if not listed:
        return None
    return listed[(listed.index(last) + 1) % len(listed)] if last in listed else listed[0]
