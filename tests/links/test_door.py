"""The door: strangers who stall, connections that fail, and a machine without descriptors."""

import math
import resource
from contextlib import AsyncExitStack

import pytest
import trio
from trio.testing import MockClock

from p2pcards.links import tcp
from p2pcards.links.channel import Channel, ChannelRefused, TooSlow, open_channel
from p2pcards.links.door import HALF_OPEN_LIMIT, keep_door
from p2pcards.links.link import LinkLost
from p2pcards.wire.keys import public_bytes
from rigs.conformance import ANNA, BEN
from rigs.giving_up import GIVE_UP

"""Seconds after which a test on real sockets has failed."""


async def welcome(channel: Channel) -> None:
    await channel.send(b"welcome")
    with pytest.raises(LinkLost):
        await channel.receive()
    await channel.aclose()


async def visit(port: int, deadline: float = GIVE_UP) -> Channel:
    stream = await tcp.connect("127.0.0.1", port, deadline=deadline)
    channel = await open_channel(
        stream, initiator=True, identity=ANNA, pin=public_bytes(BEN), where=tcp.where(stream), deadline=deadline
    )
    assert await channel.receive() == b"welcome"
    return channel


async def test_200_stallers_do_not_keep_a_friend_out() -> None:
    """They would have for ever, so the eviction lets the friend in: of the oldest, and of no more than needed."""
    (listener,) = await tcp.listen(0, "127.0.0.1")
    port = tcp.port_of(listener)
    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:

        async def open_door(task_status: trio.TaskStatus[None]) -> None:
            await keep_door([listener], identity=BEN, on_channel=welcome, deadline=math.inf, task_status=task_status)

        await nursery.start(open_door)
        with trio.fail_after(GIVE_UP):
            stallers = []
            for number in range(200):
                stream = await stack.enter_async_context(await tcp.connect("127.0.0.1", port, deadline=GIVE_UP))
                await stream.send_all(b"\x00\x20 and then nothing"[: number % 20])
                stallers.append(stream)
            friend = await visit(port)
            await friend.aclose()
            # The friend took one place of the 16 for as long as the greeting took.
            gone, waiting = stallers[: 200 - HALF_OPEN_LIMIT + 1], stallers[200 - HALF_OPEN_LIMIT + 1 :]
            for stream in gone:
                assert await ended(stream)
            for stream in waiting:
                with trio.move_on_after(0.001) as scope:
                    await stream.receive_some()
                assert scope.cancelled_caught
            # And while more come all the time.
            await (await visit(port)).aclose()
        nursery.cancel_scope.cancel()


async def ended(stream: trio.SocketStream) -> bool:
    try:
        return not await stream.receive_some()
    except trio.BrokenResourceError:
        return True


async def test_a_staller_is_hung_up_on_at_the_deadline(autojump_clock: MockClock) -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    async with trio.open_nursery() as nursery:

        async def open_door(task_status: trio.TaskStatus[None]) -> None:
            await keep_door([listener], identity=BEN, on_channel=welcome, deadline=9, task_status=task_status)

        await nursery.start(open_door)
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

    with trio.fail_after(GIVE_UP):
        async with trio.open_nursery() as nursery:

            async def open_door(task_status: trio.TaskStatus[None]) -> None:
                await keep_door([listener], identity=BEN, on_channel=on_channel, task_status=task_status)

            await nursery.start(open_door)
            first = await visit(port)
            with pytest.raises(LinkLost):
                await first.receive()
            await first.aclose()
            async with await tcp.connect("127.0.0.1", port, deadline=GIVE_UP) as stranger:
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

    with trio.fail_after(GIVE_UP):
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

            async def open_door(task_status: trio.TaskStatus[None]) -> None:
                await keep_door(
                    [listener], identity=BEN, on_channel=welcome, deadline=math.inf, task_status=task_status
                )

            await nursery.start(open_door)
            await trio.sleep(1)
            assert trio.current_time() - started == pytest.approx(1)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        channel = await open_channel(stream, initiator=True, identity=ANNA, where="there", deadline=math.inf)
        assert await channel.receive() == b"welcome"
        await channel.aclose()
        nursery.cancel_scope.cancel()


async def test_those_who_greet_and_then_say_nothing_are_half_open_too() -> None:
    """The oldest of them is hung up on, and the one who is admitted keeps the channel."""
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

    with trio.fail_after(GIVE_UP):
        async with trio.open_nursery() as nursery:

            async def open_door(task_status: trio.TaskStatus[None]) -> None:
                await keep_door(
                    [listener],
                    identity=BEN,
                    on_channel=on_channel,
                    admit=admit,
                    half_open_limit=3,
                    deadline=math.inf,
                    task_status=task_status,
                )

            async def greet() -> Channel:
                stream = await tcp.connect("127.0.0.1", port, deadline=GIVE_UP)
                return await open_channel(stream, initiator=True, identity=ANNA, where="there", deadline=GIVE_UP)

            await nursery.start(open_door)
            for _ in range(6):
                silent.append(await greet())
            friend = await greet()
            await friend.send(b"hello")
            assert await friend.receive() == b"welcome"
            for channel in silent[:4]:
                with pytest.raises(LinkLost):
                    await channel.receive()
            other = await greet()
            await other.send(b"something else")
            with pytest.raises(LinkLost):
                await other.receive()
            for channel in (friend, other, *silent):
                await channel.aclose()
            nursery.cancel_scope.cancel()


async def test_the_listeners_are_closed_with_the_door() -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    port = tcp.port_of(listener)
    async with trio.open_nursery() as nursery:

        async def open_door(task_status: trio.TaskStatus[None]) -> None:
            await keep_door([listener], identity=BEN, on_channel=welcome, task_status=task_status)

        await nursery.start(open_door)
        nursery.cancel_scope.cancel()
    (again,) = await tcp.listen(port, "127.0.0.1")
    await again.aclose()
