"""How long a friend waits to join a listener whose port 200 strangers hold open: they say nothing, half a greeting, or
greet and then say nothing. And how long one waits whose messages take 0.3 s there and back, while 1,000 connections a
second come from one address, or 200 from as many addresses."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from typing import Any

import trio

from benchmarks.figures import NotMeasured, figure
from benchmarks.homes import Daemon, Daemons, listen
from p2pcards.control.client import connect
from p2pcards.control.messages import Host, OpenConnect, Persona
from p2pcards.links.channel import open_channel
from p2pcards.links.tcp import connect as connect_tcp
from p2pcards.wire.crypto import Ed25519PrivateKey

STALLERS = 200
TRIES = 5
LIMIT = 0.5
GREETED = 40
"""Of the stallers so many greet and then say nothing; they cost both sides more than the others."""

FLOODS = {"one address": (1000, 1), "200 addresses": (200, 200)}
"""Connections a second, and from how many addresses."""
DELAY = 0.15
"""Seconds that the messages of a slow friend take each way."""
SLOW_LIMIT = 3.0
SETTLED = 2.0
"""Seconds that a flood lasts before the friend comes."""

PATIENCE = 30.0


def measure() -> dict[str, Any]:
    with Daemons() as daemons:
        ann, bob = daemons.start("ann"), daemons.start("bob")
        seconds = trio.run(_join_between_stallers, ann, bob)
        flooded = {name: trio.run(_join_in_a_flood, ann, bob, *flood) for name, flood in FLOODS.items()}
    return {
        "friend_joins": figure(max(seconds), "s", LIMIT, stallers=STALLERS, tries=len(seconds), least=min(seconds)),
        **{
            f"slow_friend_joins_in_a_flood_from_{name.replace(' ', '_')}": figure(
                max(found), "s", SLOW_LIMIT, a_second=FLOODS[name][0], tries=len(found), least=min(found)
            )
            for name, found in flooded.items()
        },
    }


async def _join_between_stallers(ann: Daemon, bob: Daemon) -> list[float]:
    port = await listen(bob, "Bob")
    await _join(ann, port)  # the two know each other from now on
    seconds = []
    for _ in range(TRIES):
        async with AsyncExitStack() as stack, trio.open_nursery() as nursery:
            with trio.fail_after(PATIENCE):
                for number in range(STALLERS):
                    stream = await stack.enter_async_context(await connect_tcp("127.0.0.1", port, deadline=PATIENCE))
                    if number % (STALLERS // GREETED) == 0:
                        nursery.start_soon(_greet, stream)
                    else:
                        await stream.send_all(b"\x00\x20 and then nothing"[: number % 20])
                seconds.append(await _join(ann, port))
            nursery.cancel_scope.cancel()
    return seconds


async def _greet(stream: trio.SocketStream) -> None:
    key = Ed25519PrivateKey.generate()
    try:
        await open_channel(stream, initiator=True, identity=key, where="there", deadline=PATIENCE)
    except Exception:  # hung up on, as it should be
        return


async def _join(ann: Daemon, port: int) -> float:
    """Seconds from the call until Ann sits at a table with Bob, which Ann then leaves."""
    async with connect(ann.home, start=False) as client:
        start = time.monotonic()
        opened = await client.open(OpenConnect((Host(f"127.0.0.1:{port}"),), persona=Persona("Ann")))
        taken = time.monotonic() - start
        await client.leave(opened.table)
        with trio.fail_after(PATIENCE):
            while (await client.status()).tables:
                await trio.sleep(0.01)
    if taken > PATIENCE:
        raise NotMeasured("The friend did not join.")
    return taken


async def _join_in_a_flood(ann: Daemon, bob: Daemon, rate: int, sources: int) -> list[float]:
    port = await listen(bob, "Bob")
    async with trio.open_nursery() as nursery:
        relay = await nursery.start(_slow_way, port)
        await _join(ann, relay)  # so long as nobody else comes
        nursery.start_soon(_flood, port, rate, sources)
        await trio.sleep(SETTLED)
        seconds = [await _join(ann, relay) for _ in range(TRIES)]
        nursery.cancel_scope.cancel()
    return seconds


async def _flood(port: int, rate: int, sources: int) -> None:
    """Connections that say nothing, one after the other, until cancelled."""
    async with trio.open_nursery() as nursery:
        began, count = trio.current_time(), 0
        while True:
            await trio.sleep_until(began + count / rate)
            nursery.start_soon(_stall, f"127.0.1.{count % sources + 1}", port)
            count += 1


async def _stall(source: str, port: int) -> None:
    try:
        async with await _connection(source, port) as stream:
            while await stream.receive_some():
                pass
    except (OSError, trio.BrokenResourceError):
        return


async def _connection(source: str, port: int) -> trio.SocketStream:
    connection = trio.socket.socket()
    try:
        await connection.bind((source, 0))
        await connection.connect(("127.0.0.1", port))
    except BaseException:
        connection.close()
        raise
    return trio.SocketStream(connection)


async def _slow_way(port: int, task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED) -> None:
    """A relay to a port from an address of its own, on which everything takes `DELAY`; its port."""

    async def carry(stream: trio.SocketStream) -> None:
        async with stream, await _connection("127.0.2.1", port) as there, trio.open_nursery() as nursery:
            nursery.start_soon(_delayed, stream, there)
            nursery.start_soon(_delayed, there, stream)

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    task_status.started(listener.socket.getsockname()[1])
    await trio.serve_listeners(carry, [listener])


async def _delayed(source: trio.SocketStream, sink: trio.SocketStream) -> None:
    """What comes is there so much later, each piece by itself."""
    to_sink, pieces = trio.open_memory_channel[tuple[float, bytes]](1000)

    async def deliver() -> None:
        async for due, data in pieces:
            await trio.sleep_until(due)
            await sink.send_all(data)
        await sink.send_eof()

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(deliver)
            async with to_sink:
                async for data in source:
                    await to_sink.send((trio.current_time() + DELAY, bytes(data)))
    except* (trio.BrokenResourceError, trio.ClosedResourceError):
        pass
