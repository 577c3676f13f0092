"""The door: takes connections, greets each one, and hands on those that became channels."""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable, Sequence

import trio

from p2pcards.links.channel import Channel, ChannelRefused, open_channel
from p2pcards.links.link import Line, LinkLost
from p2pcards.links.tcp import where
from p2pcards.wire.keys import PrivateKey

HALF_OPEN_LIMIT = 16
DEADLINE = 10.0
EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}
BACK_OFF = 0.1
"""Seconds to wait when this machine is out of descriptors or memory, before taking the next connection."""

OnChannel = Callable[[Channel], Awaitable[None]]
Admit = Callable[[Channel], Awaitable[bool]]


async def anybody(_channel: Channel) -> bool:
    """Admits everybody."""
    return True


async def keep_door(
    listeners: Sequence[trio.SocketListener],
    *,
    identity: PrivateKey,
    on_channel: OnChannel,
    admit: Admit = anybody,
    half_open_limit: int = HALF_OPEN_LIMIT,
    deadline: float = DEADLINE,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Take connections until cancelled; the listeners are closed at the end, whatever ends it.

    Each connection has `deadline` seconds to prove who it is, and as many again for `admit`, which says whether it may
    come in (it closes the channel if not). When more than `half_open_limit` are at it, the oldest is hung up on:
    strangers who stall never keep a friend out. Each channel that is admitted goes to a task of its own running
    `on_channel`, which owns it; the door closes it only if that raises. LinkLost and ChannelRefused end that
    connection and nothing else; any other exception is a mistake of ours and leaves this function. Strangers too can
    have a channel (an identity costs nothing): how many of those to keep is for `on_channel` to say.
    """
    half_open: list[trio.CancelScope] = []

    async def greet(stream: trio.SocketStream) -> None:
        scope = trio.CancelScope()
        half_open.append(scope)
        if len(half_open) > half_open_limit:
            half_open.pop(0).cancel()
        admitted: Channel | None = None
        try:
            with scope:
                admitted = await welcome(stream, identity=identity, where=where(stream), deadline=deadline, admit=admit)
        except (ChannelRefused, LinkLost):
            return
        finally:
            if admitted is None:
                stream.socket.close()
            if scope in half_open:
                half_open.remove(scope)
        if admitted is not None:
            await hand_on(admitted, on_channel)

    async with trio.open_nursery() as nursery:
        for listener in listeners:
            nursery.start_soon(_take, listener, greet, nursery)
        task_status.started()


async def _take(
    listener: trio.SocketListener, greet: Callable[[trio.SocketStream], Awaitable[None]], nursery: trio.Nursery
) -> None:
    async with listener:
        while True:
            try:
                stream = await listener.accept()
            except OSError as error:
                if error.errno not in EXHAUSTED:
                    raise
                await trio.sleep(BACK_OFF)
            else:
                nursery.start_soon(greet, stream)


async def welcome(
    stream: trio.abc.Stream,
    *,
    identity: PrivateKey,
    where: str,
    deadline: float,
    admit: Admit,
    line: Line | None = None,
) -> Channel | None:
    """Whoever opened this stream, if they may come in; deadline and admit are as in `keep_door`, line: the slow line
    that carries it. Raises ChannelRefused and LinkLost."""
    channel = await open_channel(stream, initiator=False, identity=identity, where=where, deadline=deadline, line=line)
    with trio.move_on_after(deadline):
        if await admit(channel):
            return channel
    return None


async def hand_on(channel: Channel, on_channel: OnChannel) -> None:
    """Give a channel to its owner; LinkLost and ChannelRefused end it and nothing else."""
    try:
        try:
            await on_channel(channel)
        except BaseException:
            await channel.aclose()
            raise
    except* (LinkLost, ChannelRefused):
        pass
