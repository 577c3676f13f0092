"""The interface that every link has: whole messages to one other side, in order, and nothing about what they mean."""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import trio


class LinkLost(Exception):
    """The link is over: ended, cut, garbled or closed by us. The argument is a sentence that a player understands."""


class StreamFailed(trio.BrokenResourceError):
    """Raised by a byte stream below a link that knows why it broke. The argument is a sentence that a player
    understands; a link shows it instead of its own."""


class Prompt(trio.abc.HalfCloseableStream):
    """A stream below a channel that may take bytes at once, as a socket does."""

    @abstractmethod
    def write_now(self, data: bytes) -> int:
        """Write without waiting; returns how many bytes were taken. `send_all` has to begin with the others."""

    @property
    def way(self) -> str:
        """What the stream goes through now, for people; "" if it is direct."""
        return ""

    async def next_way(self) -> bool:
        """Wait until the way is settled or changes; True if it is direct."""
        return bool(await trio.sleep_forever())


def must_be_some(max_bytes: int | None) -> None:
    """Raise ValueError for a limit of no bytes."""
    if max_bytes is not None and max_bytes < 1:
        raise ValueError("max_bytes must be at least 1")


@contextmanager
def alone(lock: trio.Lock, doing: str) -> Iterator[None]:
    """Hold the lock in this context; another task gets BusyResourceError. doing: what is being done, for its text."""
    try:
        lock.acquire_nowait()
    except trio.WouldBlock:
        raise trio.BusyResourceError(f"another task is {doing}") from None
    try:
        yield
    finally:
        lock.release()


class Line(Protocol):
    """What carries a slow link, as it can be told."""

    @property
    def rate(self) -> int:
        """Bits a second; a byte takes ten."""

    @property
    def quality(self) -> str:
        """The quality of the line for people: `2400 bps, 210 bytes/s, 3 of 120 frames resent`."""

    async def freed(self) -> None:
        """Wait until the call is over and its port free."""


class Link(Protocol):
    """Moves whole messages of 1 to `max_size` bytes, in order; knows no meaning.

    Closing and failing look alike from the other side: its `receive` raises LinkLost once it has given out every
    message that had arrived whole.
    """

    @property
    def max_size(self) -> int:
        """Bytes of the longest message."""

    @property
    def line(self) -> Line | None:
        """The slow line that carries it, which says by itself whether the other side is alive; None on TCP."""

    @property
    def way(self) -> str:
        """What the link goes through now, for people; "" if it is direct."""

    async def next_way(self) -> bool:
        """Wait until the way is settled or changes; True if it is direct. Never returns where no other way is tried."""

    @property
    def peer(self) -> bytes:
        """The Ed25519 public key (32 bytes) of the other side, as the link has proven it."""

    @property
    def where(self) -> str:
        """The other side's place, for people: `tcp 192.0.2.7:4747`."""

    @property
    def binding(self) -> bytes:
        """32 bytes, the same on both sides and of this session alone."""

    @property
    def waiting(self) -> int:
        """Bytes that were given to `send_nowait` and that the transport has not taken yet."""

    def send_nowait(self, message: bytes) -> None:
        """Send one message as far as the transport takes it at once; the rest of it waits for `flush`, and so does
        everything after it. Raises LinkLost, and ValueError for an empty or oversized message (our own mistake)."""

    async def flush(self) -> None:
        """Returns when the transport has taken what waited, not when it has arrived; any number of tasks may wait for
        that. Raises LinkLost. Cancelled when a part may have gone out it breaks the link."""

    async def send(self, message: bytes) -> None:
        """`send_nowait` and `flush`. Cancelled before it began it sends nothing."""

    async def receive(self) -> bytes:
        """The next message; one task at a time. Raises LinkLost with a sentence that tells an end from a cut from
        garbage. A cancelled receive loses nothing."""

    async def aclose(self) -> None:
        """Close; may be repeated. What was sent before still arrives if the other side takes it in time."""
