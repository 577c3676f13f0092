"""Links inside one process."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import trio
from trio.testing import memory_stream_pair

from p2pcards.links.channel import MAX_SIZE, Channel, open_channel
from p2pcards.links.link import Line, LinkLost
from rigs.giving_up import longest_wait

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

WAITING = 64
"""Messages that may lie in one direction before a sender waits."""


class MemoryLink:
    """A Link without bytes and without encryption. Made by memory_pair."""

    def __init__(
        self,
        peer: bytes,
        outgoing: trio.MemorySendChannel[bytes],
        incoming: trio.MemoryReceiveChannel[bytes],
    ) -> None:
        self.peer = peer
        self.max_size = MAX_SIZE
        self.line: Line | None = None
        self.where, self.way = "this process", ""
        self.binding = bytes(32)  # nobody sits between the two ends
        self._outgoing = outgoing
        self._incoming = incoming
        self._backlog: deque[bytes] = deque()
        self._flushing = trio.Lock()

    async def next_way(self) -> bool:
        return bool(await trio.sleep_forever())

    @property
    def waiting(self) -> int:
        return sum(map(len, self._backlog))

    def send_nowait(self, message: bytes) -> None:
        if not 1 <= len(message) <= self.max_size:
            raise ValueError(f"a message has 1 to {self.max_size} bytes, this one {len(message)}")
        with _told_as_lost():
            try:
                if self._backlog:
                    raise trio.WouldBlock
                self._outgoing.send_nowait(message)
            except trio.WouldBlock:
                self._backlog.append(message)

    async def flush(self) -> None:
        await trio.lowlevel.checkpoint()
        async with self._flushing:
            while self._backlog:
                with _told_as_lost():
                    await self._outgoing.send(self._backlog[0])
                self._backlog.popleft()

    async def send(self, message: bytes) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()
        self.send_nowait(message)
        await self.flush()

    async def receive(self) -> bytes:
        with _told_as_lost():
            return await self._incoming.receive()

    async def aclose(self) -> None:
        self._outgoing.close()
        self._incoming.close()
        await trio.lowlevel.checkpoint()


@contextmanager
def _told_as_lost() -> Iterator[None]:
    try:
        yield
    except (trio.BrokenResourceError, trio.EndOfChannel):
        raise LinkLost("The other side closed the link.") from None
    except trio.ClosedResourceError:
        raise LinkLost("This side closed the link.") from None


def memory_pair(key_a: bytes, key_b: bytes) -> tuple[MemoryLink, MemoryLink]:
    """The two ends of one link: the first is held by who has the public key `key_a`, its peer is `key_b`."""
    a_to_b, from_a = trio.open_memory_channel[bytes](WAITING)
    b_to_a, from_b = trio.open_memory_channel[bytes](WAITING)
    return MemoryLink(key_b, a_to_b, from_b), MemoryLink(key_a, b_to_a, from_a)


async def channel_pair(
    identity_a: Ed25519PrivateKey, identity_b: Ed25519PrivateKey, line: Line | None = None
) -> tuple[Channel, Channel]:
    """The two ends of one encrypted channel over memory streams: the first is held by `identity_a`, who opened it."""
    streams = memory_stream_pair()
    identities = (identity_a, identity_b)
    ends: dict[int, Channel] = {}

    async def open_end(i: int) -> None:
        ends[i] = await open_channel(
            streams[i],
            initiator=i == 0,
            identity=identities[i],
            where="this process",
            deadline=longest_wait(),
            line=line,
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_end, 0)
        nursery.start_soon(open_end, 1)
    return ends[0], ends[1]
