"""How much somebody whose key is not verified may make us write: an open port must not be a way to fill a disk."""

from __future__ import annotations

from enum import Enum

DAY = 86400.0
BYTES = 16 << 20
GAMES = 300


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


class Whose(Enum):
    """Whose allowance somebody uses up."""

    OWN = "their own"
    KNOWN = "that of all who are known and have none of their own"
    STRANGERS = "that of all strangers"


class Allowances:
    """Those of one table. Whom our player has made sure of, or we have known longest, has one of their own, so that
    nobody else can use it up; all others whom we know have one together, and so have all strangers, as anybody can make
    as many keys as they like, and can have each known by one move. No clock: each method is told what time it is, in
    seconds."""

    def __init__(self) -> None:
        self._since = 0.0
        self._shared: dict[Whose, Allowance] = {}
        self._own: dict[bytes, Allowance] = {}

    def of(self, key: bytes, now: float, whose: Whose) -> Allowance:
        if now >= self._since + DAY:
            self._since, self._shared, self._own = now, {}, {}
        if whose is Whose.OWN:
            return self._own.setdefault(key, Allowance())
        return self._shared.setdefault(whose, Allowance())
