"""The conformance suite over every link there is."""

import shlex
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from p2pcards.links import tcp
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.link import Link
from p2pcards.links.via import connect_via
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from rigs.conformance import ANNA, BEN, CHECKS, Maker, close_both
from rigs.giving_up import longest_wait
from rigs.memory import channel_pair, memory_pair
from rigs.memory_brokers import stream_pair
from rigs.middle import SlowLine
from rigs.websockets import both_ends

RELAY = f"{shlex.quote(sys.executable)} -I {shlex.quote(str(Path(__file__).parents[1] / 'rigs/relay.py'))} %h %p"


@asynccontextmanager
async def memory() -> AsyncIterator[tuple[Link, Link]]:
    a, b = memory_pair(public_bytes(ANNA), public_bytes(BEN))
    yield a, b
    await close_both(a, b)


@asynccontextmanager
async def channel_over_memory() -> AsyncIterator[tuple[Link, Link]]:
    a, b = await channel_pair(ANNA, BEN)
    yield a, b
    await close_both(a, b)


@asynccontextmanager
async def slow_channel_over_memory() -> AsyncIterator[tuple[Link, Link]]:
    a, b = await channel_pair(ANNA, BEN, SlowLine())
    yield a, b
    await close_both(a, b)


@asynccontextmanager
async def channel_between(a: trio.abc.Stream, b: trio.abc.Stream) -> AsyncIterator[tuple[Link, Link]]:
    ends: dict[str, Channel] = {}

    async def open_end(name: str, stream: trio.abc.Stream, identity: Ed25519PrivateKey) -> None:
        ends[name] = await open_channel(
            stream, initiator=name == "a", identity=identity, where="the other end", deadline=longest_wait()
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_end, "a", a, ANNA)
        nursery.start_soon(open_end, "b", b, BEN)
    yield ends["a"], ends["b"]
    await close_both(ends["a"], ends["b"])


@asynccontextmanager
async def channel_over_tcp() -> AsyncIterator[tuple[Link, Link]]:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    async with listener:
        a = await tcp.connect("127.0.0.1", tcp.port_of(listener), deadline=longest_wait())
        b = await listener.accept()
    async with channel_between(a, b) as ends:
        yield ends


@asynccontextmanager
async def channel_over_a_websocket() -> AsyncIterator[tuple[Link, Link]]:
    async with both_ends() as streams, channel_between(*streams) as ends:
        yield ends


@asynccontextmanager
async def channel_through_a_broker() -> AsyncIterator[tuple[Link, Link]]:
    async with stream_pair(rate=10_000_000) as streams, channel_between(*streams) as ends:
        yield ends


@asynccontextmanager
async def channel_over_a_program() -> AsyncIterator[tuple[Link, Link]]:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    async with trio.open_nursery() as nursery:
        async with listener:
            a = await connect_via(RELAY, "127.0.0.1", tcp.port_of(listener), nursery=nursery)
            b = await listener.accept()
        async with channel_between(a, b) as ends:
            yield ends


@pytest.mark.parametrize(
    "maker",
    [
        memory,
        channel_over_memory,
        slow_channel_over_memory,
        channel_over_tcp,
        channel_over_a_websocket,
        channel_through_a_broker,
        channel_over_a_program,
    ],
    ids=lambda maker: str(maker.__name__),
)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
async def test_conformance(check: Callable[[Maker], Awaitable[None]], maker: Maker) -> None:
    with trio.fail_after(longest_wait()):
        await check(maker)
