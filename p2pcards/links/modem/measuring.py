"""What a line turns out to be like: how long an answer takes, how much comes through."""

from dataclasses import dataclass
from math import exp, inf, log


@dataclass(frozen=True, slots=True)
class Quality:
    """goodput: bytes a second of late that have certainly arrived, both ways together. frames: data frames sent, those
    that were `resent` included."""

    goodput: float
    frames: int
    resent: int


class RoundTrip:
    """How long to wait for an answer, from how long answers took (RFC 6298)."""

    def __init__(self, first: float) -> None:
        """first: the seconds to wait while nothing is known."""
        self.smoothed: float | None = None
        """Seconds from the end of a frame to its answer; None while none has come."""
        self._spread = 0.0
        self._first = first
        self._left: dict[int, float] = {}

    def sent(self, sent_as: int, leaves: float) -> None:
        """This transmission is out at that time; it is about to go through the line's own queue until then."""
        self._left[sent_as] = leaves

    def seen(self, sent_as: int, now: float) -> bool:
        """The answer to this transmission is here, so none will come to those before. False if it was here before."""
        leaves = self._left.get(sent_as)
        if leaves is None:
            return False
        self._left = {other: at for other, at in self._left.items() if (other - sent_as) % 256 in range(1, 128)}
        took = max(now - leaves, 0.0)
        if self.smoothed is None:
            self.smoothed, self._spread = took, took / 2
        else:
            # An answer that was lost, and came with a later frame, says nothing about the line.
            took = min(took, 2 * self.smoothed + 0.1)
            self._spread += (abs(took - self.smoothed) - self._spread) / 4
            self.smoothed += (took - self.smoothed) / 8
        return True

    @property
    def patience(self) -> float:
        """Seconds after which no answer is likely to come any more."""
        return self._first if self.smoothed is None else self.smoothed + max(4 * self._spread, 0.1)


class Clocking:
    """The rate of a line of which the modem does not say it, from how fast bytes come in."""

    RATES = (300, 1200, 2400, 4800, 9600)
    """Bits a second. What comes faster counts for the last: modems with a buffer of their own give what they have at
    the speed of the port, and hold back who writes too fast."""
    GAP = 0.25
    """Seconds without a byte after which another burst begins: at 300 bits a second a byte takes 0.033."""
    HELD = 4
    """Bytes, about, that a port may hold back before it gives any."""

    def __init__(self) -> None:
        self._began = self._last = -inf
        self._bytes = 0

    def came(self, count: int, now: float) -> None:
        """So many bytes are here now; those that were here first say nothing about how long they took."""
        if now - self._last > self.GAP:
            self._began, self._bytes = now, 0
        else:
            self._bytes += count
        self._last = now

    @property
    def rate(self) -> int:
        """Bits a second, of the last burst."""
        took = self._last - self._began
        if not took > 0:
            return self.RATES[-1]
        found = 10 * (self._bytes + self.HELD) / took
        return min(self.RATES, key=lambda rate: abs(log(rate / found)))


class Recently:
    """An amount a second, of the last seconds more than of those before."""

    MEMORY = 10.0
    """Seconds after which an amount counts for a third of what it did, about."""

    def __init__(self) -> None:
        self._amount = 0.0
        self._at = 0.0

    def add(self, amount: float, now: float) -> None:
        self._amount = self.rate(now) + amount / self.MEMORY
        self._at = now

    def rate(self, now: float) -> float:
        return self._amount * exp(min(self._at - now, 0) / self.MEMORY)
