"""What every data channel does, whoever makes its connections: here a stand-in that a test leads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from ipaddress import ip_address

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.links.data_channel import TRY, UNSENT, Connect, DirectStream, open_direct
from p2pcards.links.link import StreamFailed
from p2pcards.links.signals import CANDIDATES, PUBLIC, Candidate, Description, LocalName, is_public, read_signal
from p2pcards.links.tcp import CannotConnect

SDP = Description(1, "offer", "abcd", "x" * 22, ":".join(["00"] * 32), "actpass", "0", 5000)
ANSWER = Description(1, "answer", "abcd", "x" * 22, ":".join(["00"] * 32), "active", "0", 5000)
NAME = LocalName("81952376-f112-498c-870e-d75e1d1a9c4c.local")


class LedConnection:
    """As `data_channel.PeerConnection`; what is asked of it is kept."""

    def __init__(self, stream: DirectStream) -> None:
        self.stream = stream
        self.tried: list[Candidate] = []
        self.sent = bytearray()
        self.left = 0
        self.read = 0
        self.is_closed = False

    def begin(self, offer: Description | None) -> None:
        self.stream.described("offer" if offer is None else "answer", (SDP if offer is None else ANSWER).sdp())

    def take_answer(self, answer: Description) -> None: ...

    def try_candidate(self, candidate: Candidate) -> None:
        self.tried.append(candidate)

    def send(self, message: bytes) -> bool:
        self.sent += message
        return True

    def unsent(self) -> int:
        return len(self.sent) - self.left

    def has_read(self, count: int) -> None:
        self.read += count

    def close(self) -> None:
        self.is_closed = True
        self.stream.gone()


class Led:
    """Makes them."""

    def __init__(self) -> None:
        self.made: list[LedConnection] = []

    async def prepare(self, _servers: Sequence[tuple[str, int]]) -> Connect:
        await trio.lowlevel.checkpoint()
        return self._connect

    def _connect(self, stream: DirectStream) -> LedConnection:
        self.made.append(LedConnection(stream))
        return self.made[-1]


@asynccontextmanager
async def opening(*said: bytes) -> AsyncIterator[tuple[Led, trio.MemoryReceiveChannel[bytes]]]:
    """A caller that has heard this, and what it tells."""
    tell, told = trio.open_memory_channel[bytes](1000)
    hear, heard = trio.open_memory_channel[bytes](len(said))
    for signal in said:
        hear.send_nowait(signal)
    led = Led()
    with tell, told, hear, heard:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(open_direct, tell, heard, led.prepare, calls=True, deadline=1000))
            await wait_all_tasks_blocked()
            yield led, told
            nursery.cancel_scope.cancel()


async def open_stream() -> tuple[LedConnection, DirectStream]:
    tell, told = trio.open_memory_channel[bytes](1000)
    hear, heard = trio.open_memory_channel[bytes](0)
    led = Led()
    opened: list[DirectStream] = []

    async def call() -> None:
        opened.append(await open_direct(tell, heard, led.prepare, calls=True, deadline=1))

    with tell, told, hear, heard:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(call)
            await wait_all_tasks_blocked()
            led.made[0].stream.opened("192.0.2.7:5000")
    return led.made[0], opened[0]


async def test_ten_thousand_candidates_of_a_peer_are_few() -> None:
    crowd = [Candidate(1, "host", ip_address(f"8.{n >> 8}.{n & 255}.1"), 4000, 1, "1").signal() for n in range(10_000)]
    names = [
        Candidate(1, "host", LocalName(f"{n:08x}-0000-4000-8000-000000000000.local"), 4000, 1, "1").signal()
        for n in range(10_000)
    ]
    for said in (crowd, names, [*names, *crowd]):
        async with opening(ANSWER.signal(), *said) as (led, _):
            (connection,) = led.made
            public = {one.address for one in connection.tried if not isinstance(one.address, str)}
            assert 0 < len(connection.tried) <= CANDIDATES
            assert len({address for address in public if is_public(address)}) <= PUBLIC


async def test_few_of_our_own_are_told_and_none_that_nobody_can_try() -> None:
    async with opening() as (led, told):
        assert isinstance(read_signal(told.receive_nowait()), Description)
        stream = led.made[0].stream
        for line in (
            "",  # Firefox, when there are no more
            "candidate:1 1 udp 1 127.0.0.1 4000 typ host",
            "candidate:1 1 tcp 1 192.168.1.2 9 typ host tcptype active",
        ):
            stream.found_candidate(line)
        for number in range(100):
            stream.found_candidate(f"candidate:1 1 udp 1 {NAME} {4000 + number} typ host generation 0")
        await wait_all_tasks_blocked()
        own = [read_signal(told.receive_nowait()) for _ in range(CANDIDATES)]
        assert [one.address for one in own if isinstance(one, Candidate)] == [NAME] * CANDIDATES
        with pytest.raises(trio.WouldBlock):
            told.receive_nowait()


async def test_each_try_and_what_is_cancelled_leaves_no_connection(autojump_clock: MockClock) -> None:
    async with opening() as (led, _):
        await trio.sleep(2.5 * TRY)
    assert [one.is_closed for one in led.made] == [True] * 3


async def test_where_no_connection_can_be_made_nothing_opens(autojump_clock: MockClock) -> None:
    def refuse(_stream: DirectStream) -> LedConnection:
        raise CannotConnect("there are enough")

    async def prepare(_servers: Sequence[tuple[str, int]]) -> Connect:
        await trio.lowlevel.checkpoint()
        return refuse

    tell, told = trio.open_memory_channel[bytes](10)
    hear, heard = trio.open_memory_channel[bytes](0)
    with tell, told, hear, heard, pytest.raises(CannotConnect, match="within 10 s"):
        await open_direct(tell, heard, prepare, calls=True, deadline=10)


async def test_a_full_buffer_takes_no_more_until_something_has_left() -> None:
    connection, stream = await open_stream()
    assert stream.where == "direct 192.0.2.7:5000"
    taken = stream.write_now(bytes(2 * UNSENT))
    assert UNSENT <= taken < 2 * UNSENT and stream.write_now(b"more") == 0
    connection.left = taken
    assert stream.write_now(b"more") == 4


async def test_bytes_are_read_whatever_comes_after_them_and_whoever_floods_is_cut_off() -> None:
    connection, stream = await open_stream()
    stream.take(b"hello")
    stream.flooded()
    stream.take(b"and more")
    assert await stream.receive_some() == b"hello" and connection.is_closed
    with pytest.raises(StreamFailed, match="too much data at once"):
        await stream.receive_some()


async def test_the_connection_is_told_how_much_was_read() -> None:
    connection, stream = await open_stream()
    stream.take(b"hello")
    await stream.receive_some(2)
    assert connection.read == 2
    await stream.aclose()
    assert connection.is_closed
