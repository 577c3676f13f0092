"""Whether the other side of a link is still there: pings of our own, because a stopped process keeps its TCP
connection. A slow line has heartbeats of its own, and answers may have to wait behind much else on it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

PING_AFTER = 5.0
"""Seconds of silence after which a ping is sent."""
LOST_AFTER = 15.0
"""Seconds of silence after which the link is given up: three pings."""
FIRST_WORD = 45.0
"""Seconds for the first word on a slow line, where modems may train anew meanwhile."""
ANSWER_SIZE = 1024
"""Bytes that may pass on a line, both ways together, before an answer is there."""


def allowed(seconds: float, pace: float, size: int = ANSWER_SIZE) -> float:
    """The time for what takes at most so many seconds where nothing waits: on a slow line four times as long as its
    bytes need is added. pace: seconds that a byte takes."""
    return seconds + 4 * size * pace


@dataclass
class Pulse:
    """One link. heard: when the last message came, or when the link began; pace: seconds that a byte takes on a slow
    line, 0 on others; spoken: a message has come; pinged: when the last ping went."""

    heard: float
    pace: float = 0.0
    spoken: bool = False
    pinged: float = float("-inf")
    number: int = 0

    def hear(self, now: float) -> None:
        self.heard, self.spoken = now, True

    def ping_due(self, now: float) -> int | None:
        """The number of a ping to be sent now, if one is due."""
        if self.pace or now < max(self.heard, self.pinged) + PING_AFTER:
            return None
        self.pinged = now
        self.number += 1
        return self.number

    def lost_at(self) -> float:
        """On a slow line only for the first word: later the line says by itself whether somebody is there."""
        if not self.pace:
            return self.heard + LOST_AFTER
        return inf if self.spoken else self.heard + allowed(FIRST_WORD, self.pace)

    def is_lost(self, now: float) -> bool:
        return now >= self.lost_at()

    def next_time(self) -> float:
        """When to look again."""
        return self.lost_at() if self.pace else min(max(self.heard, self.pinged) + PING_AFTER, self.lost_at())
