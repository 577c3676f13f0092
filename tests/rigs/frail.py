"""A TCP relay on this machine whose connections break at random moments."""

from __future__ import annotations

import socket
import struct
from random import Random

import trio

from p2pcards.links.tcp import port_of

MEAN = 9000
"""Bytes that a connection carries on average, both ways together: about a hundred moves. Some break in the middle
of a message, some before they have become a channel."""


class Even(Random):
    """Every connection of a frail line carries as much."""

    def expovariate(self, lambd: float = 1.0) -> float:
        return 2500.0


class FrailLine:
    """Carries connections to `target`, a port. breaking: whether they break; those that have carried too much by then
    break with the next byte. cuts: how many broke; calls: how many there were."""

    def __init__(self, target: int, rng: Random) -> None:
        self.port = 0
        self.breaking = False
        self.cuts = 0
        self.calls = 0
        self._target = target
        self._rng = rng

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Until cancelled; `port` is known when it has started."""
        listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
        self.port = port_of(listener)
        async with listener, trio.open_nursery() as nursery:
            task_status.started()
            while True:
                nursery.start_soon(self._carry, await listener.accept())

    async def _carry(self, near: trio.SocketStream) -> None:
        rest = [int(self._rng.expovariate(1 / MEAN))]
        try:
            far = await trio.open_tcp_stream("127.0.0.1", self._target)
        except OSError:  # nobody is there now
            await trio.aclose_forcefully(near)
            return
        self.calls += 1
        async with near, far:
            with trio.CancelScope() as life:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._pump, near, far, rest, life)
                    nursery.start_soon(self._pump, far, near, rest, life)

    async def _pump(
        self, source: trio.SocketStream, sink: trio.SocketStream, rest: list[int], life: trio.CancelScope
    ) -> None:
        try:
            async for data in source:
                passed = data[: max(0, rest[0])] if self.breaking else data
                rest[0] -= len(data)
                await sink.send_all(passed)
                if self.breaking and rest[0] <= 0:
                    self.cuts += 1
                    for end in (source, sink):
                        _break(end)
                    life.cancel()
                    return
            await sink.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            life.cancel()


def _break(end: trio.SocketStream) -> None:
    """When it is closed the other side sees an error, not an end."""
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
