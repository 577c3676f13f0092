"""A shelf as a browser has it: it may be full, another page may take it, and its page may be killed at any moment."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.web.worker.keeping import FULL, Changes


class ShelfInMemory:
    """pieces: what is kept, and found by the page that comes next. why: what it says of each call from now on."""

    def __init__(self) -> None:
        self.pieces: dict[str, bytes] = {}
        self.why = ""
        self._broken = False
        self._waiting: list[tuple[Changes, Callable[[str], object], bool]] = []

    def put(self, changes: Changes, done: Callable[[str], object], *, anew: bool) -> None:
        self._waiting.append((changes, done, anew))

    def keep(self, most: int | None = None) -> None:
        """The browser gets around to so many calls."""
        for changes, done, anew in self._waiting[:most]:
            self._broken = bool(self.why) or (self._broken and not anew)
            if not self._broken:
                kept: dict[str, bytes | None] = {**({} if anew else self.pieces), **changes}
                self.pieces = {key: piece for key, piece in kept.items() if piece is not None}
            done(self.why or (FULL if self._broken else ""))
        del self._waiting[:most]
