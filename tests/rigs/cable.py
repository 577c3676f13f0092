"""A null-modem cable between two serial devices: two ptys, and what passes between them."""

from __future__ import annotations

import os
import tty
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

Change = Callable[[bytes], bytes]


def unchanged(data: bytes) -> bytes:
    return data


@contextmanager
def device_of(slave: int) -> Iterator[str]:
    """A name for this end of a pty that nobody finds afterwards: its number is soon that of another pty, and a daemon
    at a device that has gone opens it again and again."""
    with TemporaryDirectory(prefix="p2p") as folder:
        name = Path(folder, "pty")
        name.symlink_to(os.ttyname(slave))
        yield str(name)


@asynccontextmanager
async def cable(change: Change = unchanged) -> AsyncIterator[tuple[str, str]]:
    """The devices at its two ends. change: what becomes of bytes on their way, in each direction."""
    masters, slaves = zip(*[os.openpty() for _ in range(2)], strict=True)
    for end in (*masters, *slaves):
        tty.setraw(end)

    async def carry(source: trio.lowlevel.FdStream, sink: trio.lowlevel.FdStream) -> None:
        while data := await source.receive_some(512):
            if passed := change(bytes(data)):
                await sink.send_all(passed)

    try:
        a, b = (trio.lowlevel.FdStream(master) for master in masters)
        async with a, b, trio.open_nursery() as nursery:
            nursery.start_soon(carry, a, b)
            nursery.start_soon(carry, b, a)
            with ExitStack() as stack:
                one, other = (stack.enter_context(device_of(slave)) for slave in slaves)
                yield one, other
            nursery.cancel_scope.cancel()
    finally:
        for slave in slaves:  # open until now, or a master would read an error
            os.close(slave)
