"""A peer's link at work: a task that reads, and a task that sends what the transport did not take at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable

import trio

from p2pcards.links.link import Link, LinkLost
from p2pcards.session.bounds import time_allowed
from p2pcards.wire.messages import is_goodbye, is_talk

QUEUE_LIMIT = 4 << 20
"""Bytes that may wait for a peer: several whole games, so only one that has stopped reading gets there."""

WATCHER_LIMIT = 1 << 20
"""Bytes that may wait for a watcher: whole games, too, but sixteen who never read cost no more than four players."""

AT_A_TURN = 8
"""Messages that are sent to a watcher before it is the next one's turn."""

LAST_WORDS = 2.0
"""Seconds for what was sent to arrive before a link is closed, and for reading what a peer said before it hung up."""
GOODBYE = 128
"""Bytes of it on a slow line, where each takes its time."""
TALK_LIMIT = 100
"""Lines that may wait so; more than that go with everything else."""


class Connection:
    """A link of a table. address: where we called, "" when we were called. pace: seconds that a byte takes on a slow
    line, 0 on others. last_words: seconds for what was sent to arrive before the link is closed."""

    def __init__(self, link: Link, address: str = "") -> None:
        self.link = link
        self.address = address
        self.pace = 10 / link.line.rate if link.line else 0.0
        self.last_words = time_allowed(LAST_WORDS, self.pace, GOODBYE)
        self._talk: deque[bytes] = deque()  # what may wait until nothing else does, on a slow line
        self._more = trio.Event()
        self._limit = QUEUE_LIMIT
        self._lane: trio.Lock | None = None  # shared by the peers that are sent to when there is time
        self._later: deque[bytes] = deque()
        self._later_size = 0
        self._closing = False
        self._lost: str | None = None
        self._scope = trio.CancelScope()

    def send_later(self, limit: int, lane: trio.Lock) -> None:
        """From now on send when the loop has time, so that nobody else's message waits for it. limit: bytes that may
        wait for the peer; lane: shared by all such peers, which take turns."""
        self._limit, self._lane = limit, lane

    def send_at_once(self) -> None:
        """Send as to a player again; what waits for its turn goes out now."""
        self._limit, self._lane, self._later_size = QUEUE_LIMIT, None, 0
        while self._later:
            self._send_now(self._later.popleft())

    def send(self, message: bytes) -> None:
        """Send a message without waiting. A peer that stops reading is hung up on. On a slow line moves go before
        talk."""
        if self._lane is not None:
            self._later.append(message)
            self._later_size += len(message)
            self._hang_up_if_full()
            self._more.set()
            return
        busy = self.link.waiting or self._talk
        if self.link.line and busy and is_talk(message) and len(self._talk) < TALK_LIMIT:
            self._talk.append(message)
            return
        while self._talk and is_goodbye(message):
            self._send_now(self._talk.popleft())
        self._send_now(message)

    def _send_now(self, message: bytes) -> None:
        """Give the link a message at once; hang up on a peer that stopped reading."""
        if self._hang_up_if_full():
            return
        try:
            self.link.send_nowait(message)
        except LinkLost as lost:
            self._lost = self._lost or str(lost)
        if self.link.waiting:
            self._more.set()

    def _hang_up_if_full(self) -> bool:
        """Hang up on a peer if too much waits for it; True if so."""
        full = self.link.waiting + self._later_size > self._limit
        if full:
            self._lost = f"{self.link.where} has stopped reading."
            self._scope.cancel()
        return full

    async def _send_some(self, lane: trio.Lock) -> None:
        """Send a few of the messages that wait for their turn in this lane."""
        async with lane:
            for message in [self._later.popleft() for _ in range(min(len(self._later), AT_A_TURN))]:
                self._later_size -= len(message)
                self._send_now(message)

    def close(self) -> None:
        """Hang up once everything is sent; nothing more is received."""
        self._closing = True
        self._more.set()

    @property
    def closing(self) -> bool:
        """True once `close` was called."""
        return self._closing

    async def run(
        self, received: Callable[[bytes], Awaitable[None]], settled: Callable[[bool], None] = lambda _: None
    ) -> str | None:
        """Carry messages until the link is over; returns why it was lost, a sentence, or None after `close`. settled:
        told whenever it is decided whether the link is direct."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._read, received)
                    nursery.start_soon(self._follow_way, settled)
                    await self._write()
                    nursery.cancel_scope.cancel()
        finally:
            with trio.move_on_after(self.last_words, shield=True):
                await self.link.aclose()
        return None if self._closing else self._lost

    async def _read(self, received: Callable[[bytes], Awaitable[None]]) -> None:
        """Hand each message that comes to `received`."""
        try:
            while True:
                message = await self.link.receive()
                if not self._closing:
                    await received(message)
        except LinkLost as lost:
            self._lost = self._lost or str(lost)
            self._scope.cancel()

    async def _follow_way(self, settled: Callable[[bool], None]) -> None:
        """Tell `settled` each time the link becomes direct or no longer is."""
        while True:
            settled(await self.link.next_way())

    async def _write(self) -> None:
        """Send what the transport did not take at once."""
        try:
            while not self._closing or self.link.waiting or self._later:
                if self.link.waiting:
                    await self.link.flush()
                elif self._later and self._lane:
                    await self._send_some(self._lane)
                elif self._talk and not self._closing:
                    self._send_now(self._talk.popleft())
                else:
                    self._more = trio.Event()
                    await self._more.wait()
        except LinkLost as lost:
            self._lost = str(lost)
            # They may have said why before they hung up; the reader ends when it has read that.
            await trio.sleep(LAST_WORDS)
