"""The door: strangers who stall, connections that fail, and a machine without descriptors."""

import itertools
import math
import resource
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from random import Random
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.links import tcp
from p2pcards.links.channel import Channel, ChannelRefused, TooSlow, open_channel
from p2pcards.links.door import HalfOpen, keep_door, source_of_address
from p2pcards.links.link import LinkLost
from p2pcards.wire.keys import public_bytes
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait

PLACES = 16
"""At the door, of those who have not said yet who they are."""


async def welcome(channel: Channel) -> None:
    await channel.send(b"welcome")
    with pytest.raises(LinkLost):
        await channel.receive()
    await channel.aclose()


async def open_door(nursery: trio.Nursery, listener: trio.SocketListener, **how: Any) -> None:
    """how: as in `keep_door`, where everybody is welcome."""
    await nursery.start(partial(keep_door, [listener], **{"identity": BEN, "on_channel": welcome, **how}))


async def visit(port: int, deadline: float | None = None) -> Channel:
    deadline = longest_wait() if deadline is None else deadline
    stream = await tcp.connect("127.0.0.1", port, deadline=deadline)
    channel = await open_channel(
        stream, initiator=True, identity=ANNA, pin=public_bytes(BEN), where=tcp.where(stream), deadline=deadline
    )
    assert await channel.receive() == b"welcome"
    return channel


async def test_200_stallers_do_not_keep_a_friend_out() -> None:
    """They would have for ever, so the eviction lets the friend in; no more are put out than needed."""
    (listener,) = await tcp.listen(0, "127.0.0.1")
    port = tcp.port_of(listener)
    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:
        await open_door(nursery, listener, half_open_limit=PLACES, deadline=math.inf)
        with trio.fail_after(longest_wait()):
            stallers = []
            for number in range(200):
                stream = await stack.enter_async_context(await tcp.connect("127.0.0.1", port, deadline=longest_wait()))
                await stream.send_all(b"\x00\x20 and then nothing"[: number % 20])
                stallers.append(stream)
            friend = await visit(port)
            await friend.aclose()
            # The friend took one place for as long as the greeting took.
            await some_end([partial(ended, stream) for stream in stallers], 200 - PLACES + 1)
            # And while more come all the time.
            await (await visit(port)).aclose()
        nursery.cancel_scope.cancel()


async def some_end(ends: Sequence[Callable[[], Awaitable[object]]], wanted: int) -> None:
    """Just so many of these come to their end."""
    count = 0

    async def watch(end: Callable[[], Awaitable[object]]) -> None:
        nonlocal count
        await end()
        count += 1

    async with trio.open_nursery() as nursery:
        for end in ends:
            nursery.start_soon(watch, end)
        while count < wanted:
            await trio.sleep(0.01)
        await wait_all_tasks_blocked(0.05)
        assert count == wanted
        nursery.cancel_scope.cancel()


async def ended(stream: trio.SocketStream) -> bool:
    try:
        return not await stream.receive_some()
    except trio.BrokenResourceError:
        return True


async def test_a_staller_is_hung_up_on_at_the_deadline(autojump_clock: MockClock) -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    async with trio.open_nursery() as nursery:
        await open_door(nursery, listener, deadline=9)
        stream = await tcp.connect("127.0.0.1", tcp.port_of(listener), deadline=math.inf)
        started = trio.current_time()
        async with stream:
            assert await stream.receive_some() == b""
        assert trio.current_time() - started == pytest.approx(9)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    "trouble",
    [LinkLost("gone"), TooSlow("slow"), ExceptionGroup("two", [LinkLost("gone"), ChannelRefused("no")])],
    ids=["lost", "refused", "both"],
)
async def test_the_end_of_one_connection_is_not_the_end_of_the_door(trouble: Exception) -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    port = tcp.port_of(listener)
    visits = 0

    async def on_channel(channel: Channel) -> None:
        nonlocal visits
        visits += 1
        await channel.send(b"welcome")
        if visits == 1:
            raise trouble
        await welcome(channel)

    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            await open_door(nursery, listener, on_channel=on_channel)
            first = await visit(port)
            with pytest.raises(LinkLost):
                await first.receive()
            await first.aclose()
            async with await tcp.connect("127.0.0.1", port, deadline=longest_wait()) as stranger:
                await stranger.send_all(b"GET / HTTP/1.1\r\n\r\n")
                assert await ended(stranger)
            await (await visit(port)).aclose()
            nursery.cancel_scope.cancel()
    assert visits == 2


async def test_a_mistake_of_ours_is_not_hidden() -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")

    async def on_channel(channel: Channel) -> None:
        await channel.send(b"welcome")
        raise KeyError("a bug")

    async def come() -> None:
        channel = await visit(tcp.port_of(listener))
        with pytest.raises(LinkLost):
            await channel.receive()
        await channel.aclose()

    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(come)
            with pytest.RaisesGroup(KeyError, flatten_subgroups=True):
                await keep_door([listener], identity=BEN, on_channel=on_channel)


async def test_a_machine_without_descriptors_takes_the_connection_later(autojump_clock: MockClock) -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    stream = await tcp.connect("127.0.0.1", tcp.port_of(listener), deadline=math.inf)
    _, hard = limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    async with trio.open_nursery() as nursery:
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            started = trio.current_time()

            await open_door(nursery, listener, deadline=math.inf)
            await trio.sleep(1)
            assert trio.current_time() - started == pytest.approx(1)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        channel = await open_channel(stream, initiator=True, identity=ANNA, where="there", deadline=math.inf)
        assert await channel.receive() == b"welcome"
        await channel.aclose()
        nursery.cancel_scope.cancel()


async def test_those_who_greet_and_then_say_nothing_are_half_open_too() -> None:
    """Some of them are hung up on, and the one who is admitted keeps the channel."""
    (listener,) = await tcp.listen(0, "127.0.0.1")
    port = tcp.port_of(listener)
    silent: list[Channel] = []

    async def admit(channel: Channel) -> bool:
        message = await channel.receive()
        channel.put_back(message)
        return message == b"hello"

    async def on_channel(channel: Channel) -> None:
        assert await channel.receive() == b"hello"
        await welcome(channel)

    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:

            async def greet() -> Channel:
                stream = await tcp.connect("127.0.0.1", port, deadline=longest_wait())
                return await open_channel(stream, initiator=True, identity=ANNA, where="there", deadline=longest_wait())

            await open_door(nursery, listener, on_channel=on_channel, admit=admit, half_open_limit=3, deadline=math.inf)
            for _ in range(6):
                silent.append(await greet())
            friend = await greet()
            await friend.send(b"hello")
            assert await friend.receive() == b"welcome"
            await some_end([partial(lost, channel) for channel in silent], 4)
            other = await greet()
            await other.send(b"something else")
            with pytest.raises(LinkLost):
                await other.receive()
            for channel in (friend, other, *silent):
                await channel.aclose()
            nursery.cancel_scope.cancel()


async def lost(channel: Channel) -> None:
    with pytest.raises(LinkLost):
        await channel.receive()


class SlowLine(trio.abc.HalfCloseableStream):
    """A connection on which so many others come to the door before each answer is there."""

    def __init__(self, stream: trio.SocketStream, meanwhile: Callable[[], Awaitable[None]]) -> None:
        self._stream = stream
        self._meanwhile = meanwhile

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        await self._meanwhile()
        return await self._stream.receive_some(max_bytes)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()


async def come_from(source: str, port: int) -> trio.SocketStream:
    connection = trio.socket.socket()
    try:
        await connection.bind((source, 0))
        await connection.connect(("127.0.0.1", port))
    except BaseException:  # a channel that is closed waits for no flood
        connection.close()
        raise
    return trio.SocketStream(connection)


@pytest.mark.parametrize("sources", [1, PLACES - 1])
async def test_a_flood_keeps_nobody_out_who_comes_slowly_from_elsewhere(sources: int) -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    port = tcp.port_of(listener)
    flooding = itertools.cycle([f"127.0.1.{number + 1}" for number in range(sources)])
    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:

        async def flood() -> None:
            for _ in range(4 * PLACES):
                await stack.enter_async_context(await come_from(next(flooding), port))

        await open_door(nursery, listener, half_open_limit=PLACES, deadline=math.inf, chance=Random(1))
        with trio.fail_after(longest_wait()):
            await flood()
            for _ in range(5):
                line = SlowLine(await come_from("127.0.0.2", port), flood)
                friend = await open_channel(line, initiator=True, identity=ANNA, where="there", deadline=longest_wait())
                assert await friend.receive() == b"welcome"
                await friend.aclose()
        nursery.cancel_scope.cancel()


async def test_who_comes_from_one_network_is_counted_together() -> None:
    places = HalfOpen(4, Random(1))
    scopes = {name: trio.CancelScope() for name in "abcdef"}
    for name in "abc":
        places.enter("192.0.2.1", scopes[name])
    places.enter("192.0.2.2", scopes["d"])
    places.enter("192.0.2.3", scopes["e"])
    assert sum(scopes[name].cancel_called for name in "abc") == 1
    assert not scopes["d"].cancel_called and not scopes["e"].cancel_called and len(places) == 4
    places.leave("192.0.2.2", scopes["d"])
    places.leave("192.0.2.2", scopes["d"])
    assert len(places) == 3


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("somewhere", ""),
    ],
)
def test_the_source_of_a_connection_is_its_address_or_network(address: str, source: str) -> None:
    assert source_of_address(address) == source


async def test_the_listeners_are_closed_with_the_door() -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    port = tcp.port_of(listener)
    async with trio.open_nursery() as nursery:
        await open_door(nursery, listener)
        nursery.cancel_scope.cancel()
    (again,) = await tcp.listen(port, "127.0.0.1")
    await again.aclose()
