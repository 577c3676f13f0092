"""Brokers that behave as a test wants, at the other end of a stream in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from p2pcards.links.broker import BrokerLost
from p2pcards.links.broker_address import BrokerAddress
from rigs.broker_packets import PINGRESP, connack, message, split, suback

Serve = Callable[[trio.abc.Stream], Awaitable[object]]
ADDRESS = "mqtts://cards.example"
CONNECT, PUBLISH, SUBSCRIBE, PINGREQ, DISCONNECT = 0x10, 0x30, 0x82, 0xC0, 0xE0


class Dialing:
    """A dial that reaches one broker after the other, and then the last again and again. A text in place of a broker is
    the sentence of a failure. times: of the calls, on Trio's clock. narrow: over a NarrowStream."""

    def __init__(self, nursery: trio.Nursery, *brokers: Serve | str, narrow: bool = False) -> None:
        self.times: list[float] = []
        self._narrow = narrow
        self._nursery = nursery
        self._brokers = brokers

    async def __call__(self, _there: BrokerAddress) -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        broker = self._brokers[min(len(self.times), len(self._brokers) - 1)]
        self.times.append(trio.current_time())
        if isinstance(broker, str):
            raise BrokerLost(broker)
        ours, theirs = NarrowStream.pair() if self._narrow else memory_stream_pair()
        self._nursery.start_soon(_play, broker, theirs)
        return ours


async def _play(broker: Serve, stream: trio.abc.Stream) -> None:
    try:
        await broker(stream)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass  # one of them has hung up
    finally:
        await trio.aclose_forcefully(stream)


async def packets(stream: trio.abc.Stream) -> AsyncIterator[tuple[int, bytes]]:
    """(first byte, body) of what the client says, to its end; it sends packets whole."""
    while data := bytes(await stream.receive_some()):
        for packet in split(data):
            yield packet


async def accept(stream: trio.abc.Stream) -> bytes:
    """Take a client; returns its CONNECT."""
    data = bytes(await stream.receive_some())
    await stream.send_all(connack())
    return data


class StandIn:
    """A broker with one client at a time, to whom it sends back what is published at a topic that was asked for. said:
    all packets of all clients."""

    def __init__(self) -> None:
        self.said: list[tuple[int, bytes]] = []
        self.stream: trio.abc.Stream | None = None
        self._topics: set[bytes] = set()

    async def __call__(self, stream: trio.abc.Stream) -> None:
        self._topics = set()
        self.said += split(await accept(stream))
        self.stream = stream
        async for first, body in packets(stream):
            self.said.append((first, body))
            size = 2 + int.from_bytes(body[:2], "big")
            if first == SUBSCRIBE:
                self._topics.add(body[4:-1])
                await stream.send_all(suback(int.from_bytes(body[:2], "big")))
            elif first == PUBLISH and body[2:size] in self._topics:
                await stream.send_all(message(body[2:size].decode(), body[size:]))
            elif first == PINGREQ:
                await stream.send_all(PINGRESP)

    async def cut(self) -> None:
        assert self.stream is not None
        await trio.aclose_forcefully(self.stream)
        await wait_all_tasks_blocked()


class NarrowStream(trio.abc.Stream):
    """Takes bytes only when the other end reads them."""

    def __init__(self, come: trio.MemoryReceiveChannel[bytes], go: trio.MemorySendChannel[bytes]) -> None:
        self._come = come
        self._go = go
        self._rest = b""

    @classmethod
    def pair(cls) -> tuple[NarrowStream, NarrowStream]:
        one, other = trio.open_memory_channel[bytes](0), trio.open_memory_channel[bytes](0)
        return cls(one[1], other[0]), cls(other[1], one[0])

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._go.send(bytes(data))

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        try:
            self._rest = self._rest or await self._come.receive()
        except trio.EndOfChannel:
            return b""
        some, self._rest = self._rest[:max_bytes], self._rest[max_bytes or len(self._rest) :]
        return some

    async def aclose(self) -> None:
        self._come.close()
        self._go.close()
        await trio.lowlevel.checkpoint()
