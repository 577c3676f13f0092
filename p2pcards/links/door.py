"""The door: takes connections, greets each one, and hands on those that became channels."""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from random import Random, SystemRandom
from typing import Protocol

import trio

from p2pcards.links.channel import Channel, ChannelRefused, open_channel
from p2pcards.links.link import Line, LinkLost
from p2pcards.links.tcp import where
from p2pcards.wire.keys import PrivateKey

HALF_OPEN_LIMIT = 256
NETWORK = 64
"""Bits of an IPv6 address that tell one subscriber from another: the owner of such a network has all its addresses."""
DEADLINE = 10.0
EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}
BACK_OFF = 0.1
"""Seconds to wait when this machine is out of descriptors or memory, before taking the next connection."""

OnChannel = Callable[[Channel], Awaitable[None]]
Admit = Callable[[Channel], Awaitable[bool]]


async def anybody(_channel: Channel) -> bool:
    """Admit everybody."""
    return True


Fault = Callable[[Exception], None]


def raise_it(error: Exception) -> None:
    """Raise the error; the default for faults."""
    raise error


async def keep_door(
    listeners: Sequence[trio.SocketListener],
    *,
    identity: PrivateKey,
    on_channel: OnChannel,
    admit: Admit = anybody,
    web: Receives | None = None,
    admit_page: Admit = anybody,
    half_open_limit: int = HALF_OPEN_LIMIT,
    deadline: float = DEADLINE,
    chance: Random | None = None,
    fault: Fault = raise_it,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Take connections until cancelled; the listeners are closed at the end, whatever ends it.

    Each connection has `deadline` seconds to prove who it is, and as many again for `admit`, which says whether it may
    come in (it closes the channel if not). When more than `half_open_limit` are at it, one of them is hung up on,
    drawn by lot from those of the address that has the most: a flood from a few addresses crowds out its own
    connections, and keeps nobody out who comes from another. web: serves a page there as well, and lets WebSockets in;
    such a connection counts as half-open as long as it loads files, and `admit_page` is asked of who calls from a
    page. Each channel that is admitted goes to a task of its own running `on_channel`, which owns it; the door closes
    it only if that raises. LinkLost and ChannelRefused end that connection and nothing else; so does any other
    exception, a mistake of ours, and `fault` is told. Strangers too can have a channel (an identity costs nothing):
    how many of those to keep is for `on_channel` to say.
    """
    half_open = HalfOpen(half_open_limit, chance or SystemRandom())

    async def take(stream: trio.SocketStream) -> None:
        """Greet one connection."""

        async def arrive() -> Channel | None:
            """The channel of the caller if they may come in, else None."""
            who = Arrival(stream, where(stream)) if web is None else await web.caller(stream)
            if who is None:
                return None
            asks = admit_page if who.from_page else admit
            return await welcome(who.stream, identity=identity, where=who.where, deadline=deadline, admit=asks)

        await greet(half_open, source_of(stream), arrive, stream.socket.close, on_channel=on_channel, fault=fault)

    async with trio.open_nursery() as nursery:
        for listener in listeners:
            nursery.start_soon(take_connections, listener, take, nursery)
        task_status.started()


async def greet(
    half_open: HalfOpen,
    source: str,
    arrive: Callable[[], Awaitable[Channel | None]],
    hang_up: Callable[[], None],
    *,
    on_channel: OnChannel,
    fault: Fault,
) -> None:
    """Greet one connection. `arrive`: returns the channel of a caller who may come in, or None; `hang_up`: called if
    none does. source: whom it is counted with."""
    try:
        scope = trio.CancelScope()
        half_open.enter(source, scope)
        admitted: Channel | None = None
        try:
            with scope:
                admitted = await arrive()
        except (ChannelRefused, LinkLost):
            return
        finally:
            if admitted is None:
                hang_up()
            half_open.leave(source, scope)
        if admitted is not None:
            await hand_on(admitted, on_channel)
    except Exception as error:
        fault(error)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A caller who wants to come to the table."""

    stream: trio.abc.Stream
    where: str  # for people
    from_page: bool = False  # the caller plays in a page in a browser


class Receives(Protocol):
    """What a connection is handed to first where a port serves browsers, too: `webdoor.WebDoor`."""

    async def caller(self, stream: trio.SocketStream) -> Arrival | None:
        """The caller on a connection, None if files of the page were all that was wanted. The caller's connection is
        closed if they are not admitted."""


class HalfOpen:
    """Connections at the door, by where they come from. limit: how many at once."""

    def __init__(self, limit: int, chance: Random) -> None:
        self._limit = limit
        self._chance = chance
        self._by_source: dict[str, list[trio.CancelScope]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._by_source.values()))

    def enter(self, source: str, scope: trio.CancelScope) -> None:
        """Add a connection; if there are too many, cancel one of the source with the most, never this one."""
        if len(self) >= self._limit:
            sizes = {one: len(scopes) + (one == source) for one, scopes in self._by_source.items()}
            most = max(sizes.values())
            crowded = self._chance.choice([one for one, size in sizes.items() if size == most])
            put_out = self._chance.choice(self._by_source[crowded])
            put_out.cancel()
            self.leave(crowded, put_out)
        self._by_source.setdefault(source, []).append(scope)

    def leave(self, source: str, scope: trio.CancelScope) -> None:
        """Remove a connection."""
        scopes = self._by_source.get(source, [])
        if scope in scopes:
            scopes.remove(scope)
        if not scopes:
            self._by_source.pop(source, None)


def source_of(stream: trio.SocketStream) -> str:
    """The source a connection is counted with, "" if it is gone."""
    try:
        return source_of_address(str(stream.socket.getpeername()[0]))
    except OSError:
        return ""


def source_of_address(text: str) -> str:
    """The IPv4 address itself, or the network of an IPv6 one; "" for anything else."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    if isinstance(address, IPv6Address) and mapped is None:
        return str(ip_network((address, NETWORK), strict=False))
    return str(mapped or address)


async def take_connections(
    listener: trio.SocketListener, take: Callable[[trio.SocketStream], Awaitable[None]], nursery: trio.Nursery
) -> None:
    """Accept connections, each in a task of its own, until cancelled."""
    async with listener:
        while True:
            try:
                stream = await listener.accept()
            except OSError as error:
                if error.errno not in EXHAUSTED:
                    raise
                await trio.sleep(BACK_OFF)
            else:
                nursery.start_soon(take, stream)


async def welcome(
    stream: trio.abc.Stream,
    *,
    identity: PrivateKey,
    where: str,
    deadline: float,
    admit: Admit,
    line: Line | None = None,
) -> Channel | None:
    """The channel to the caller on this stream if they may come in, else None. deadline, admit: as in `keep_door`;
    line: the slow line, if any. Raises ChannelRefused and LinkLost."""
    channel = await open_channel(stream, initiator=False, identity=identity, where=where, deadline=deadline, line=line)
    with trio.move_on_after(deadline):
        if await admit(channel):
            return channel
    return None


async def hand_on(channel: Channel, on_channel: OnChannel) -> None:
    """Give a channel to its owner; LinkLost and ChannelRefused end only this channel."""
    try:
        try:
            await on_channel(channel)
        except BaseException:
            await channel.aclose()
            raise
    except* (LinkLost, ChannelRefused):
        pass
