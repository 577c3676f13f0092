"""How long a friend waits to join a listener whose port 200 strangers hold open: they say nothing, half a greeting, or
greet and then say nothing."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from typing import Any

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.figures import NotMeasured, figure
from benchmarks.homes import Daemon, Daemons, listen
from p2pcards.control.client import connect
from p2pcards.control.messages import Host, OpenConnect, Persona
from p2pcards.links.channel import open_channel
from p2pcards.links.tcp import connect as connect_tcp

STALLERS = 200
TRIES = 5
LIMIT = 0.5
GREETED = 40
"""Of the stallers so many greet and then say nothing; they cost both sides more than the others."""

PATIENCE = 30.0


def measure() -> dict[str, Any]:
    with Daemons() as daemons:
        ann, bob = daemons.start("ann"), daemons.start("bob")
        seconds = trio.run(_join_between_stallers, ann, bob)
    return {"friend_joins": figure(max(seconds), "s", LIMIT, stallers=STALLERS, tries=len(seconds), least=min(seconds))}


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
