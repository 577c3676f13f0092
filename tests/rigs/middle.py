"""Someone in the middle of a connection, who sees and may change every byte."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio
from trio.testing import memory_stream_pair

from p2pcards.links.channel import Channel, ChannelRefused, open_channel
from p2pcards.links.link import Line
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait

Change = Callable[[int, bytes], bytes | None]
"""(how many bytes went before in this direction, what comes now) -> what to pass on; None cuts the connection."""


def unchanged(_: int, data: bytes) -> bytes:
    return data


async def pump(source: trio.abc.Stream, sink: trio.abc.Stream, change: Change) -> None:
    """Carry one direction, until its source ends or `change` cuts both."""
    count = 0
    try:
        while data := bytes(await source.receive_some()):
            passed = change(count, data)
            count += len(data)
            if passed is None:
                await source.aclose()
                break
            await sink.send_all(passed)
        await sink.aclose()
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass


async def greet(
    upward: Change = unchanged, downward: Change = unchanged, deadline: float | None = None
) -> tuple[Channel | ChannelRefused, Channel | ChannelRefused, float]:
    """What Anna, who opens, and Ben, who waits, get when the middle changes what goes up (to Ben) and down; and the
    seconds that it took."""
    anna, from_anna = memory_stream_pair()
    to_ben, ben = memory_stream_pair()
    outcomes: dict[str, Channel | ChannelRefused] = {}

    async def open_end(name: str, stream: trio.abc.Stream) -> None:
        try:
            outcomes[name] = await open_channel(
                stream,
                initiator=name == "anna",
                identity=ANNA if name == "anna" else BEN,
                where=f"tcp {name}:4747",
                deadline=longest_wait() if deadline is None else deadline,
            )
        except ChannelRefused as refused:
            outcomes[name] = refused

    started = trio.current_time()
    async with trio.open_nursery() as pumps:
        pumps.start_soon(pump, from_anna, to_ben, upward)
        pumps.start_soon(pump, to_ben, from_anna, downward)
        async with trio.open_nursery() as ends:
            ends.start_soon(open_end, "anna", anna)
            ends.start_soon(open_end, "ben", ben)
        took = trio.current_time() - started
        if isinstance(outcomes["anna"], Channel) and not isinstance(outcomes["ben"], Channel):
            # They believe to be connected until they hear nothing but the end.
            await to_ben.aclose()
            await from_anna.aclose()
        pumps.cancel_scope.cancel()
    return outcomes["anna"], outcomes["ben"], took


class SlowLine:
    """What a channel is told of the line that carries it."""

    rate = 2400
    quality = "2400 bps"

    async def freed(self) -> None:
        await trio.lowlevel.checkpoint()


@asynccontextmanager
async def open_through_the_middle(
    line: Line | None = None,
) -> AsyncIterator[tuple[Channel, Channel, trio.abc.Stream, trio.abc.Stream]]:
    """(Anna's channel, Ben's channel, the middle's end to Anna, the middle's end to Ben); nothing is carried
    between the two any more."""
    anna, from_anna = memory_stream_pair()
    to_ben, ben = memory_stream_pair()
    ends: list[Channel] = []

    async def open_end(stream: trio.abc.Stream, initiator: bool) -> None:
        identity = ANNA if initiator else BEN
        ends.append(
            await open_channel(
                stream,
                initiator=initiator,
                identity=identity,
                where="tcp 192.0.2.7:4747",
                deadline=longest_wait(),
                line=line,
            )
        )

    async with trio.open_nursery() as pumps:
        pumps.start_soon(pump, from_anna, to_ben, unchanged)
        pumps.start_soon(pump, to_ben, from_anna, unchanged)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(open_end, anna, True)
            nursery.start_soon(open_end, ben, False)
        pumps.cancel_scope.cancel()
    a, b = ends
    yield a, b, from_anna, to_ben
    for resource in (from_anna, to_ben):
        await trio.aclose_forcefully(resource)
    await a.aclose()
    await b.aclose()


async def exactly(stream: trio.abc.Stream, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += await stream.receive_some(size - len(data))
    return data


async def frame(stream: trio.abc.Stream) -> bytes:
    """One whole frame, its length included; the mark of a piece is no part of that."""
    head = await exactly(stream, 2)
    return head + await exactly(stream, int.from_bytes(head, "big") & 0x7FFF)
