"""A relay on this machine that counts what passes: TCP connections to one port go on to another."""

from __future__ import annotations

from dataclasses import dataclass, field

import trio

from p2pcards.links.tcp import port_of


@dataclass
class Recorded:
    """What one connection carried: up, from the side that opened it; down, to them."""

    up: bytearray = field(default_factory=bytearray)
    down: bytearray = field(default_factory=bytearray)


class Relay:
    def __init__(self, target: int) -> None:
        self.connections: list[Recorded] = []
        self.port = 0
        self._target = target

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Until cancelled; `port` is known when it has started."""
        listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
        self.port = port_of(listener)
        async with listener, trio.open_nursery() as nursery:
            task_status.started()
            while True:
                nursery.start_soon(self._carry, await listener.accept())

    async def _carry(self, near: trio.SocketStream) -> None:
        recorded = Recorded()
        self.connections.append(recorded)
        async with near, await trio.open_tcp_stream("127.0.0.1", self._target) as far, trio.open_nursery() as nursery:
            nursery.start_soon(_pump, near, far, recorded.up)
            nursery.start_soon(_pump, far, near, recorded.down)


async def _pump(source: trio.SocketStream, sink: trio.SocketStream, recorded: bytearray) -> None:
    try:
        async for data in source:
            recorded += data
            await sink.send_all(data)
        await sink.send_eof()
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        await source.aclose()


def sizes(recorded: bytes | bytearray) -> list[int]:
    """The bytes of each message on the wire: its u16 length and what that counts."""
    found = []
    place = 0
    while place + 2 <= len(recorded):
        size = 2 + int.from_bytes(recorded[place : place + 2], "big")
        found.append(size)
        place += size
    return found
