"""Whether the other side is still there: when to ask, and when to believe that it is not."""

from math import inf

SILENT_BEATS = 3
"""Beats of silence, and questions, after which a line counts as dead."""


RETRAIN = 30.0
"""Seconds of silence that may pass while a carrier is there: modems that train anew take 10 to 20."""


def beat(rate: int) -> float:
    """Seconds without a frame after which a side asks for one, at this many bits a second."""
    return 2 + 1500 / rate


class Silence:
    """Counted from the last frame that was heard. Who called asks first: there is no need for both to ask."""

    def __init__(self, rate: int, *, calls: bool, now: float) -> None:
        self._beat = beat(rate)
        self._asks_after = self._beat if calls else 1.25 * self._beat
        self._heard_at = now
        self._asked: list[float] = []

    def heard(self, now: float) -> None:
        self._heard_at = now
        self._asked.clear()

    def ask(self, now: float) -> None:
        self._asked.append(now)

    @property
    def ask_at(self) -> float:
        """Four times a beat once it is time: even a short frame is lost on a bad line."""
        return self._asked[-1] + self._beat / 4 if self._asked else self._heard_at + self._asks_after

    def patience(self, carrier: bool) -> float:
        """Seconds of silence after which the line counts as dead; carrier: one is seen at DCD."""
        beats = SILENT_BEATS * self._beat
        return max(beats, RETRAIN) if carrier else beats

    def dead_at(self, carrier: bool) -> float:
        """Never before a few questions had their time: this machine itself may have been asleep. inf until then."""
        if len(self._asked) < SILENT_BEATS:
            return inf
        return max(self._heard_at + self.patience(carrier), self._asked[SILENT_BEATS - 1] + self._beat / 4)
