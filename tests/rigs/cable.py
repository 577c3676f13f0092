"""A null-modem cable between two serial devices: two ptys, and what passes between them."""

from __future__ import annotations

import os
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

Change = Callable[[bytes], bytes]


def unchanged(data: bytes) -> bytes:
    return data


@asynccontextmanager
async def cable(change: Change = unchanged) -> AsyncIterator[tuple[str, str]]:
    """The devices at its two ends. change: what becomes of bytes on their way, in each direction."""
    masters, slaves = zip(*[os.openpty() for _ in range(2)], strict=True)
    for end in (*masters, *slaves):
        tty.setraw(end)
    names = [os.ttyname(slave) for slave in slaves]  # which stay open here, or a master would read an error

    async def carry(source: trio.lowlevel.FdStream, sink: trio.lowlevel.FdStream) -> None:
        while data := await source.receive_some(512):
            if passed := change(bytes(data)):
                await sink.send_all(passed)

    try:
        a, b = (trio.lowlevel.FdStream(master) for master in masters)
        async with a, b, trio.open_nursery() as nursery:
            nursery.start_soon(carry, a, b)
            nursery.start_soon(carry, b, a)
            yield names[0], names[1]
            nursery.cancel_scope.cancel()
    finally:
        for slave in slaves:
            os.close(slave)
