"""A program of another version of the protocol at a table of this one: each player is told whose program to update."""

from __future__ import annotations

from contextlib import AsyncExitStack, aclosing

import msgpack
import pytest
import trio

from p2pcards.control.client import connect
from p2pcards.control.declined import Declined
from p2pcards.control.exits import REFUSED
from p2pcards.control.messages import Host, OpenConnect, OpenHost, OpenJoin, OpenListen, Persona, Rules
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.tcp import port_of
from p2pcards.store.identity import load_peers
from p2pcards.store.logs import list_logs
from p2pcards.views.happenings import Unreachable
from p2pcards.wire.messages import Bye, decode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening, play_until, says
from rigs.net import key_of

OLDER = "runs an older p2pcards. Ask them to update it, or to reload their page"
NEWER = "runs a newer p2pcards. Update yours, or reload this page"
OTHERS = [(1, OLDER, NEWER), (2, OLDER, NEWER), (VERSION + 1, NEWER, OLDER)]
"""A version, what is told here of somebody who speaks it, and what they are told."""

pytestmark = pytest.mark.parametrize(("version", "ours", "theirs"), OTHERS, ids=["released", "draft", "later"])


def hello(version: int, coordinates: bool) -> bytes:
    """HELLO as 0.1.0 writes it."""
    packed: bytes = msgpack.packb([16, version, coordinates, "Otto", "wayne"])
    return packed


async def channel_on(stream: trio.SocketStream, *, calls: bool) -> Channel:
    return await open_channel(stream, initiator=calls, identity=key_of(9, 1), where="there", deadline=longest_wait())


async def is_turned_away(channel: Channel, why: str) -> None:
    """The last thing that comes says why."""
    said = [decode_message(await channel.receive())]
    while not isinstance(said[-1], Bye):
        said.append(decode_message(await channel.receive()))
    assert said[-1] == Bye(ByeCode.OTHER_VERSION, why)


async def test_a_caller_of_a_listener(make_home: MakeHome, version: int, ours: str, theirs: str) -> None:
    home = make_home("nina")
    async with connect(home) as client:
        opened = await client.open(OpenListen(0, Persona("Nina")))
        table = await client.attach()
        assert opened.port is not None
        channel = await channel_on(await trio.open_tcp_stream("127.0.0.1", opened.port), calls=True)
        async with aclosing(channel):
            await channel.send(hello(version, coordinates=True))
            await play_until(table, says(f"{ours}."))
            await is_turned_away(channel, theirs)
    assert list_logs(home) == () and load_peers(home) == ()


async def test_a_caller_of_a_host(make_home: MakeHome, version: int, ours: str, theirs: str) -> None:
    home = make_home("nina")
    async with connect(home) as client:
        opened = await client.open(OpenHost(0, Rules("hearts"), Persona("Nina")))
        table = await client.attach()
        assert opened.port is not None
        channel = await channel_on(await trio.open_tcp_stream("127.0.0.1", opened.port), calls=True)
        async with aclosing(channel):
            await channel.send(hello(version, coordinates=False))
            told = await happening(table, Unreachable)
            assert str(told.why).endswith(ours)
            await is_turned_away(channel, theirs)
    assert list_logs(home) == () and load_peers(home) == ()


async def waiting(nursery: trio.Nursery, hello: bytes, why: str) -> str:
    """The address of somebody who waits there, speaks another version, and is turned away."""
    ear = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]

    async def answer(stream: trio.SocketStream) -> None:
        async with aclosing(await channel_on(stream, calls=False)) as channel:
            await channel.send(hello)
            await is_turned_away(channel, why)

    nursery.start_soon(trio.serve_listeners, answer, [ear])
    return f"127.0.0.1:{port_of(ear)}"


async def test_a_listener_called(
    make_home: MakeHome, nursery: trio.Nursery, version: int, ours: str, theirs: str
) -> None:
    address = await waiting(nursery, hello(version, coordinates=False), theirs)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(make_home("nina")))
        with pytest.raises(Declined) as declined:
            await client.open(OpenConnect((Host(address),), Rules("hearts"), Persona("Nina")))
        assert str(declined.value) == f"{address} {ours}."
        assert declined.value.code == REFUSED
    nursery.cancel_scope.cancel()


async def test_a_host_called(make_home: MakeHome, nursery: trio.Nursery, version: int, ours: str, theirs: str) -> None:
    address = await waiting(nursery, hello(version, coordinates=True), theirs)
    async with connect(make_home("nina")) as client:
        with pytest.raises(Declined) as declined:
            await client.open(OpenJoin(Host(address), Persona("Nina")))
        assert str(declined.value).endswith(f" {ours}.")
        assert declined.value.code == REFUSED
    nursery.cancel_scope.cancel()
