"""Links inside one process: for tests, and for seats that share a process with their coordinator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio
from trio.testing import memory_stream_pair

from p2pcards.links.channel import MAX_SIZE, Channel, open_channel
from p2pcards.links.link import LinkLost

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

WAITING = 64
"""Messages that may lie in one direction before a sender waits."""


class MemoryLink:
    """A Link without bytes and without encryption. Made by memory_pair."""

    def __init__(
        self,
        peer: bytes,
        max_size: int,
        outgoing: trio.MemorySendChannel[bytes],
        incoming: trio.MemoryReceiveChannel[bytes],
    ) -> None:
        self.peer = peer
        self.max_size = max_size
        self.where = "this process"
        self._outgoing = outgoing
        self._incoming = incoming

    async def send(self, message: bytes) -> None:
        if not 1 <= len(message) <= self.max_size:
            raise ValueError(f"a message has 1 to {self.max_size} bytes, this one {len(message)}")
        try:
            await self._outgoing.send(message)
        except trio.BrokenResourceError:
            raise LinkLost("The other side closed the link.") from None
        except trio.ClosedResourceError:
            raise LinkLost("This side closed the link.") from None

    async def receive(self) -> bytes:
        try:
            return await self._incoming.receive()
        except trio.EndOfChannel:
            raise LinkLost("The other side closed the link.") from None
        except trio.ClosedResourceError:
            raise LinkLost("This side closed the link.") from None

    async def aclose(self) -> None:
        self._outgoing.close()
        self._incoming.close()
        await trio.lowlevel.checkpoint()


def memory_pair(key_a: bytes, key_b: bytes, max_size: int = MAX_SIZE) -> tuple[MemoryLink, MemoryLink]:
    """The two ends of one link: the first is held by who has the public key `key_a`, its peer is `key_b`."""
    a_to_b, from_a = trio.open_memory_channel[bytes](WAITING)
    b_to_a, from_b = trio.open_memory_channel[bytes](WAITING)
    return MemoryLink(key_b, max_size, a_to_b, from_b), MemoryLink(key_a, max_size, b_to_a, from_a)


async def channel_pair(
    identity_a: Ed25519PrivateKey, identity_b: Ed25519PrivateKey, max_size: int = MAX_SIZE
) -> tuple[Channel, Channel]:
    """The two ends of one encrypted channel over memory streams: the first is held by `identity_a`, who opened it."""
    streams = memory_stream_pair()
    identities = (identity_a, identity_b)
    ends: dict[int, Channel] = {}

    async def open_end(i: int) -> None:
        ends[i] = await open_channel(
            streams[i], initiator=i == 0, identity=identities[i], where="this process", deadline=10, max_size=max_size
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_end, 0)
        nursery.start_soon(open_end, 1)
    return ends[0], ends[1]
