"""What sixteen watchers who never read add to a player's move, beside the same table without any: three daemon
processes over TCP, as in `move_time`, where Ann hosts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from statistics import median
from typing import Any

import trio

from benchmarks.figures import figure, lowest_tenth, progress
from benchmarks.homes import Daemon, Daemons, helper, played
from benchmarks.move_time import STAMPS, times_of
from p2pcards.control.client import connect
from p2pcards.control.messages import Host, OpenHost, OpenJoin, Persona
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.tcp import connect as connect_tcp
from p2pcards.session.bounds import PING_AFTER
from p2pcards.store.identity import remember
from p2pcards.views.tableview import Command
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import MAX_WATCHERS, People, Ping, Watch, decode_message, encode_message
from p2pcards.wire.records import VERSION

LIMIT = 1.1
GAME, CHANGE = "hearts", "end_score=350"
PATIENCE = 60.0


def measure() -> dict[str, Any]:
    progress("moves that nobody watches")
    without = _moves(0)
    progress("moves that sixteen watch who never read")
    watched = _moves(MAX_WATCHERS)
    return {
        "watched_ratio": figure(median(watched) / median(without), "moves", LIMIT, moves=len(watched)),
        "watched_ratio_of_lowest_tenths": figure(lowest_tenth(watched) / lowest_tenth(without), "moves", LIMIT),
    }


def _moves(watchers: int) -> list[int]:
    """Nanoseconds of each card that Bob plays, until Cy has it. watchers: behind the table, who read nothing."""
    with Daemons() as daemons, helper("benchmarks.echo") as echo:
        names = ("ann", "bob", "cy")
        ann, bob, cy = [
            daemons.start(name, "benchmarks.timed_daemon", STAMPS, "leave", echo if name == "bob" else "0")
            for name in names
        ]
        trio.run(_play, watchers, ann, bob, cy)
        for daemon in (ann, bob, cy):
            daemons.stop(daemon)
        return times_of(ann.home, bob.home, cy.home)["whole"]


async def _play(watchers: int, ann: Daemon, *guests: Daemon) -> None:
    keys = [Ed25519PrivateKey.generate() for _ in range(watchers)]
    for number, key in enumerate(keys):  # strangers would be let in slowly
        remember(ann.home, public_bytes(key), f"Watcher {number}", "", 0)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(ann.home, start=False))
        opened = await client.open(OpenHost(0, persona=Persona("Ann", auto="carefree"), reach=False))
        assert opened.port is not None
        for guest, name in zip(guests, ("Bob", "Cy"), strict=True):
            async with connect(guest.home, start=False) as other:
                await other.open(OpenJoin(Host(f"127.0.0.1:{opened.port}"), Persona(name, auto="carefree")))
        table = await client.attach()
        for words in (("watchers", "on"), ("game", GAME), ("set", CHANGE)):
            await table.command(Command(words[0], words[1:]))
        channels = [await _watch(stack, opened.port, key) for key in keys]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_say_they_are_there, channels)
            await table.command(Command("start"))
            await table.detach()
            await played(client, "")
            nursery.cancel_scope.cancel()


async def _say_they_are_there(channels: Sequence[Channel]) -> None:
    """Who is silent is given up."""
    while True:
        for channel in channels:
            await channel.send(encode_message(Ping(1)))
        await trio.sleep(PING_AFTER)


async def _watch(stack: AsyncExitStack, port: int, key: Ed25519PrivateKey) -> Channel:
    """The channel of somebody who has been let in to watch, and reads no more."""
    stream = await stack.enter_async_context(await connect_tcp("127.0.0.1", port, deadline=PATIENCE))
    channel = await open_channel(stream, initiator=True, identity=key, where="there", deadline=PATIENCE)
    await channel.send(encode_message(Watch(VERSION, "Watcher")))
    while not isinstance(decode_message(await channel.receive()), People):
        pass
    return channel
