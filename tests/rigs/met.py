"""Two programs that meet at brokers: a host with a code, and guests who come by it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random

import trio

from p2pcards.links.broker import Broker
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.meeting import (
    MeetingPlace,
    MeetingPoint,
    OpenPaths,
    Waiting,
    no_paths,
    place_of_code,
    place_of_link,
)
from p2pcards.links.pairing import code_is_proven, prove_code
from p2pcards.links.relayed_stream import RelayedStream
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import GiveCode, decode_message
from p2pcards.wire.spoken import Code
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait
from rigs.memory_brokers import MemoryBroker

MALLORY = Ed25519PrivateKey.from_private_bytes(b"mallory".ljust(32, b"\0"))
CODE = Code(48213, "crossword", "clockwork")
WRONG = Code(48213, "crossword", "zebra")
PLACE = place_of_code(CODE.number)
LINK = place_of_link(b"token of a link.")

chances = count()


def chance_bytes(size: int) -> bytes:
    """Other ones each time, and the same ones in each run."""
    return Random(next(chances)).randbytes(size)


@asynccontextmanager
async def at(*brokers: MemoryBroker, paths: OpenPaths = no_paths) -> AsyncIterator[MeetingPoint]:
    """What one program has of these brokers."""
    async with at_ends([broker.connect() for broker in brokers], paths) as point:
        yield point


@asynccontextmanager
async def at_ends(ends: Sequence[Broker], paths: OpenPaths = no_paths) -> AsyncIterator[MeetingPoint]:
    async with trio.open_nursery() as nursery:
        point = MeetingPoint(ends, entropy=chance_bytes, paths=paths)
        await nursery.start(point.run)
        yield point
        nursery.cancel_scope.cancel()


@dataclass
class Host:
    """Somebody who waits and has a code. proven: what came of each exchange; came: the keys of those with a channel."""

    code: Code = CODE
    identity: Ed25519PrivateKey = BEN
    proven: list[bool] = field(default_factory=list)
    came: list[bytes] = field(default_factory=list)

    async def on_channel(self, channel: Channel) -> None:
        """Says what it hears, after the code where one is named."""
        self.came.append(channel.peer)
        while True:
            message = await channel.receive()
            if message.startswith(b"say "):
                await channel.send(message)
                continue
            given = decode_message(message)
            assert isinstance(given, GiveCode)
            self.proven.append(False)
            self.proven[-1] = await code_is_proven(channel, given, self.code, public_bytes(self.identity))

    @asynccontextmanager
    async def waiting(
        self, *brokers: MemoryBroker, places: tuple[MeetingPlace, ...] = (PLACE,)
    ) -> AsyncIterator[Waiting]:
        async with at(*brokers) as point, self.waiting_at(point, places) as waiting:
            yield waiting

    @asynccontextmanager
    async def waiting_at(
        self, point: MeetingPoint, places: tuple[MeetingPlace, ...] = (PLACE,)
    ) -> AsyncIterator[Waiting]:
        waiting = Waiting(point, identity=self.identity, on_channel=self.on_channel, chance=Random(1))
        async with trio.open_nursery() as nursery:
            await nursery.start(waiting.run)
            await waiting.wait_at(places)
            yield waiting
            nursery.cancel_scope.cancel()


async def come_by_code(stream: RelayedStream, code: Code = CODE) -> Channel:
    channel = await come(stream)
    try:
        await prove_code(channel, code, public_bytes(ANNA))
    except BaseException:
        await channel.aclose()
        raise
    return channel


async def come(stream: RelayedStream, pin: bytes | None = None) -> Channel:
    return await open_channel(stream, initiator=True, identity=ANNA, pin=pin, where="the host", deadline=longest_wait())


async def talks(channel: Channel, count: int = 3) -> None:
    for number in range(count):
        await channel.send(b"say %d" % number)
        assert await channel.receive() == b"say %d" % number
