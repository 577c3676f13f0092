"""Brokers inside one process, which deliver, lose, double and delay what is published, and die."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

import trio

from p2pcards.links.broker import BrokerLost
from p2pcards.links.meeting import MeetingPoint, OpenPaths, no_paths, place_of_code
from p2pcards.links.relayed import RATE, StreamKeys
from p2pcards.links.relayed_stream import RelayedStream


@dataclass
class MemoryBroker:
    """One broker, of which each program has an end (`connect`). lost, twice: chances; delay: seconds, from and to. The
    delays need a nursery. published: all that came, in order."""

    address: str
    lost: float = 0.0
    twice: float = 0.0
    delay: tuple[float, float] = (0.0, 0.0)
    chance: Random = field(default_factory=lambda: Random(0))
    nursery: trio.Nursery | None = None
    published: list[tuple[str, bytes]] = field(default_factory=list)
    is_dead: bool = False
    ends: list[BrokerEnd] = field(default_factory=list)

    def connect(self) -> BrokerEnd:
        self.ends.append(BrokerEnd(self))
        return self.ends[-1]

    def die(self) -> None:
        self.is_dead = True
        for end in self.ends:
            end.lose()

    def pass_on(self, topic: str, payload: bytes) -> None:
        self.published.append((topic, payload))
        for _ in range(1 + (self.chance.random() < self.twice)):
            if self.is_dead or self.chance.random() < self.lost:
                continue
            if self.nursery is None:
                self._deliver(topic, payload)
            else:
                self.nursery.start_soon(self._deliver_later, topic, payload, self.chance.uniform(*self.delay))

    async def _deliver_later(self, topic: str, payload: bytes, seconds: float) -> None:
        await trio.sleep(seconds)
        self._deliver(topic, payload)

    def _deliver(self, topic: str, payload: bytes) -> None:
        for end in self.ends:
            end.bring(topic, payload)


class BrokerEnd:
    """What one program has of a broker. "#" subscribes to everything."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.address = broker.address
        self._broker = broker
        self._topics: set[str] = set()
        self._send, self._receive = trio.open_memory_channel[tuple[str, bytes] | None](math.inf)

    async def subscribe(self, topic: str) -> None:
        self._topics.add(topic)

    async def publish(self, topic: str, payload: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self._broker.pass_on(topic, payload)

    async def receive(self) -> tuple[str, bytes]:
        message = await self._receive.receive()
        if message is None:
            raise BrokerLost(f"{self.address} is out of reach.")
        return message

    def bring(self, topic: str, payload: bytes) -> None:
        if self._topics & {topic, "#"} and not self._broker.is_dead:
            self._send.send_nowait((topic, payload))

    def lose(self) -> None:
        self._send.send_nowait(None)


@asynccontextmanager
async def stream_pair(
    rate: int = RATE, *, paths: OpenPaths = no_paths, broker: MemoryBroker | None = None
) -> AsyncIterator[tuple[RelayedStream, RelayedStream]]:
    """The ends of an open stream through one broker: of whoever called, and of whoever waited."""
    place, keys = place_of_code(48213), StreamKeys(b"c" * 32, b"w" * 32)
    broker = broker or MemoryBroker("mqtt://one")
    caller, waiter = [MeetingPoint([broker.connect()], rate=rate, paths=paths) for _ in range(2)]
    async with trio.open_nursery() as nursery:
        for point, topic in ((caller, place.host_topic), (waiter, place.guest_topic)):
            await nursery.start(point.run)
            await point.listen(topic, lambda _: None)
        waits = waiter.open_stream(place, bytes(16), keys, calls=False, answer=b"answer")
        calls = caller.open_stream(place, bytes(16), keys, calls=True)
        await waits.opened()
        for point, stream in ((caller, calls), (waiter, waits)):
            point.seek_paths(stream, calls=point is caller)
        yield calls, waits
        nursery.cancel_scope.cancel()
