"""How much somebody whose key is not verified may make us write: an open port must not be a way to fill a disk."""

from __future__ import annotations

DAY = 86400.0
BYTES = 16 << 20
GAMES = 300


class Allowance:
    """One table's. No clock: each method is told what time it is, in seconds."""

    def __init__(self) -> None:
        self._since = 0.0
        self._bytes = 0
        self._games = 0

    def write(self, size: int, now: float) -> None:
        if now >= self._since + DAY:
            self._since, self._bytes, self._games = now, 0, 0
        self._bytes += size

    def begin_game(self, now: float) -> None:
        self.write(0, now)
        self._games += 1

    @property
    def spent(self) -> bool:
        return self._bytes > BYTES or self._games > GAMES
