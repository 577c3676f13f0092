"""How much somebody whose key is not verified may make us write: an open port must not be a way to fill a disk."""

from __future__ import annotations

DAY = 86400.0
BYTES = 16 << 20
GAMES = 300
KEYS = 32
"""Keys that have an allowance of their own in one day."""


class Allowance:
    """What one may have written in a day: of the bytes, and of the new games, so many yet."""

    def __init__(self) -> None:
        self._bytes = 0
        self._games = 0

    def write(self, size: int) -> None:
        self._bytes += size

    def begin_game(self) -> None:
        self._games += 1

    @property
    def spent(self) -> bool:
        return self._bytes > BYTES or self._games > GAMES


class Allowances:
    """Those of one table. Everybody whom we know has one of their own, so that nobody else can use it up; strangers
    have one together, as anybody can make as many keys as they like, and so have those who come after the first `KEYS`
    of a day. No clock: each method is told what time it is, in seconds."""

    def __init__(self) -> None:
        self._since = 0.0
        self._strangers = Allowance()
        self._own: dict[bytes, Allowance] = {}

    def of(self, key: bytes, now: float, *, stranger: bool) -> Allowance:
        if now >= self._since + DAY:
            self._since, self._strangers, self._own = now, Allowance(), {}
        if stranger or (key not in self._own and len(self._own) >= KEYS):
            return self._strangers
        return self._own.setdefault(key, Allowance())
