"""Between two ends of a data channel: every datagram takes so long, and some are lost. Each end knows only a port of
the path, which stands for the other end in the candidates that it is told."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from ipaddress import ip_address

import trio

from p2pcards.links.signals import Candidate, read_signal

HERE = "127.0.0.1"
LARGEST = 2048
"""Bytes of a datagram."""
OTHER = {"a": "b", "b": "a"}


class LossyPath:
    """loss: the share of datagrams. delay: seconds, one way. Made by lossy_path."""

    def __init__(
        self, chance: random.Random, loss: float, delay: float, ports: dict[str, trio.socket.SocketType]
    ) -> None:
        self._chance = chance
        self._loss = loss
        self._delay = delay
        self._ports = ports
        self._ends: dict[str, tuple[str, int]] = {}

    def rewritten(self, signal: bytes, end: str) -> bytes:
        """What the other end is told in place of a signal of this one."""
        read = read_signal(signal)
        if not isinstance(read, Candidate):
            return signal
        self._ends[end] = (str(read.address), read.port)
        return replace(read, address=ip_address(HERE), port=self._ports[end].getsockname()[1]).signal()

    def mend(self) -> None:
        self._loss = 0

    async def carry(self, end: str, nursery: trio.Nursery) -> None:
        """What is sent to this end."""
        while True:
            try:
                datagram = await self._ports[end].recv(LARGEST)
            except OSError:  # the end to which something was sent is gone
                continue
            if self._chance.random() >= self._loss:
                nursery.start_soon(self._deliver, datagram, end)

    async def _deliver(self, datagram: bytes, end: str) -> None:
        await trio.sleep(self._delay)
        if end in self._ends:
            await self._ports[OTHER[end]].sendto(datagram, self._ends[end])


@asynccontextmanager
async def lossy_path(chance: random.Random, loss: float, delay: float) -> AsyncIterator[LossyPath]:
    ports = {end: trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM) for end in OTHER}
    path = LossyPath(chance, loss, delay, ports)
    with ports["a"], ports["b"]:
        for port in ports.values():
            await port.bind((HERE, 0))
        async with trio.open_nursery() as nursery:
            for end in OTHER:
                nursery.start_soon(path.carry, end, nursery)
            yield path
            nursery.cancel_scope.cancel()
