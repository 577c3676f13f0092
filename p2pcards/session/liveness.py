"""Whether the other side of a link is still there: pings of our own, because a stopped process keeps its TCP
connection."""

from __future__ import annotations

from dataclasses import dataclass

PING_AFTER = 5.0
"""Seconds of silence after which a ping is sent."""
LOST_AFTER = 15.0
"""Seconds of silence after which the link is given up: three pings."""


@dataclass
class Pulse:
    """One link. heard: when the last message came; pinged: when the last ping went; round_trip: seconds, if known."""

    heard: float
    pinged: float = float("-inf")
    number: int = 0
    round_trip: float | None = None

    def hear(self, now: float) -> None:
        self.heard = now

    def pong(self, number: int, now: float) -> None:
        if number == self.number:
            self.round_trip = now - self.pinged

    def ping_due(self, now: float) -> int | None:
        """The number of a ping to be sent now, if one is due."""
        if now < max(self.heard, self.pinged) + PING_AFTER:
            return None
        self.pinged = now
        self.number += 1
        return self.number

    def lost_at(self) -> float:
        return self.heard + LOST_AFTER

    def is_lost(self, now: float) -> bool:
        return now >= self.lost_at()

    def next_time(self) -> float:
        """When to look again."""
        return min(max(self.heard, self.pinged) + PING_AFTER, self.lost_at())
