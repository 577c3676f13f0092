"""Who comes before whom at a listener's table, and when whoever has it gives it to somebody who does.
protocol/first-contact.md has the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

QUIET = 60.0
"""Seconds without a record after which a hand is not waited for."""
LATEST = 300.0
"""Seconds from the first call after which it is not either."""
KEPT = 120.0
"""Seconds for which a table that was given away is kept for whom it is."""


@dataclass(frozen=True, slots=True)
class Familiarity:
    """How well our player knows somebody. sure: they have made sure of their key; since: when they met first, in
    seconds of unix time, None for a stranger."""

    sure: bool = False
    since: int | None = None

    def comes_before(self, other: Familiarity) -> bool:
        if self.since is None or other.sure:
            return False
        return self.sure or other.since is None or self.since < other.since


def stranger() -> Familiarity:
    return Familiarity()


StandingNow = Callable[[], Familiarity]
"""How well somebody is known when it is called: that may change."""


class GivingWay:
    """A place at the table of a listener. holder: how well whoever has it is known. next: the key of whoever comes
    next, b"" while nobody does. Each method is told what time it is."""

    def __init__(self) -> None:
        self.next = b""
        self.holder: StandingNow = stranger
        self._standing: StandingNow = stranger
        self._asked = 0.0
        self._kept_until: float | None = None  # while the table is not theirs yet

    def arrive(self, standing: StandingNow) -> None:
        """Somebody has the table from now on: whoever was to come next has come, or somebody who comes before them."""
        self.holder = standing
        self.next, self._kept_until = b"", None

    def claims(self, key: bytes, standing: StandingNow, now: float) -> bool:
        """Whether this one, who has called while another has the table, comes next; then that is kept in mind."""
        self._expire(now)
        wanted = standing()
        if not wanted.comes_before(self.holder()):
            return False
        if self.next and self.next != key and not wanted.comes_before(self._standing()):
            return False
        if not self.next:
            self._asked = now
        self.next, self._standing = key, standing
        return True

    def keeps_out(self, key: bytes, standing: StandingNow, now: float) -> bool:
        """Whether the free place is kept for somebody else, whom this one does not come before."""
        self._expire(now)
        return bool(self.next) and self.next != key and not standing().comes_before(self._standing())

    def keep(self, now: float) -> None:
        """The table is free: it is kept for whoever comes next."""
        if self.next and self._kept_until is None:
            self._kept_until = now + KEPT

    def due_at(self, last_record: float) -> float:
        """When the table is given to whoever comes next, though a hand is on. last_record: when that came."""
        return min(last_record + QUIET, self._asked + LATEST)

    def _expire(self, now: float) -> None:
        if self._kept_until is not None and now >= self._kept_until:
            self.next, self._kept_until = b"", None
