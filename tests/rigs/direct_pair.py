"""Two ends of a direct connection on this machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import trio

from p2pcards.links.data_channel import DirectStream, open_direct
from p2pcards.links.direct import prepare
from rigs.giving_up import longest_wait
from rigs.lossy_path import HERE

prepare_here = partial(prepare, bind=HERE)

Rewrite = Callable[[bytes, str], bytes]
"""What the other end is told in place of a signal of this one (a calls, b answers)."""


async def ends(rewrite: Rewrite = lambda signal, end: signal) -> tuple[DirectStream, DirectStream]:
    """The one that calls and the other, which have sent a byte to each other. Raises StreamFailed in a group where the
    connection is lost before that."""
    opened: dict[str, DirectStream] = {}
    a_told, from_a = trio.open_memory_channel[bytes](100)
    b_told, from_b = trio.open_memory_channel[bytes](100)
    to_a, a_heard = trio.open_memory_channel[bytes](100)
    to_b, b_heard = trio.open_memory_channel[bytes](100)

    async def carry(told: trio.MemoryReceiveChannel[bytes], to: trio.MemorySendChannel[bytes], end: str) -> None:
        async for signal in told:
            await to.send(rewrite(signal, end))

    async def call() -> None:
        opened["a"] = await open_direct(a_told, a_heard, prepare_here, calls=True, deadline=longest_wait())
        await opened["a"].send_all(b"!")
        assert await opened["a"].receive_some(1) == b"!"

    async def answer() -> None:
        opened["b"] = await open_direct(b_told, b_heard, prepare_here, calls=False, deadline=longest_wait())
        assert await opened["b"].receive_some(1) == b"!"
        await opened["b"].send_all(b"!")

    with a_told, from_a, b_told, from_b, to_a, a_heard, to_b, b_heard:
        async with trio.open_nursery() as carrying:
            carrying.start_soon(carry, from_a, to_b, "a")
            carrying.start_soon(carry, from_b, to_a, "b")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(call)
                nursery.start_soon(answer)
            carrying.cancel_scope.cancel()
    return opened["a"], opened["b"]
