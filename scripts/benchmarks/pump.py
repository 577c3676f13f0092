"""A serial line in memory, as slow, as far and as bad as wanted: for the tests and for scripts/bench."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

import trio

BITS = 10
"""Of a byte on the line."""

BUFFER = 4096
"""Bytes that an operating system takes before a writer has to wait."""


class Noise:
    """What becomes of bytes on a bad line. Of the bytes that are hit 60 % are altered in one bit, 38 % are lost, and
    before 2 % another one is inserted. Hits come alone, or on average `burst` of them close together."""

    def __init__(self, rng: Random, bit_errors: float, burst: float = 1.0) -> None:
        """bit_errors: the share of bits that are hit, from 0 to 0.1."""
        self._rng = rng
        self._rate = bit_errors * BITS
        self._burst = burst
        self._gap = self._next_gap() if bit_errors else None

    def _next_gap(self) -> int:
        """Bytes that are left alone."""
        if self._rng.random() * self._burst > 1:
            return self._rng.randrange(4)
        return int(self._rng.expovariate(self._rate / self._burst))

    def __call__(self, data: bytes) -> bytes:
        if self._gap is None:
            return data
        if self._gap >= len(data):
            self._gap -= len(data)
            return data
        heard = bytearray()
        place = 0
        while place + self._gap < len(data):
            heard += data[place : place + self._gap]
            place += self._gap
            what = self._rng.random()
            if what < 0.6:
                heard.append(data[place] ^ 1 << self._rng.randrange(8))
            elif what >= 0.98:
                heard += bytes([self._rng.randrange(256), data[place]])
            place += 1
            self._gap = self._next_gap()
        heard += data[place:]
        self._gap -= len(data) - place
        return bytes(heard)


Mangle = Callable[[bytes], bytes]


class _Direction:
    def __init__(self, rate: int, latency: float, mangle: Mangle) -> None:
        self._seconds = BITS / rate
        self._latency = latency
        self._mangle = mangle
        self._free = 0.0
        self._coming: deque[tuple[float, bytes]] = deque()
        self._changed = trio.Event()
        self.is_cut = False
        self.is_ended = False
        self.is_closed = False

    async def send(self, data: bytes) -> None:
        now = trio.current_time()
        self._free = max(self._free, now) + len(data) * self._seconds
        if not self.is_cut:
            self._coming.append((self._free + self._latency, self._mangle(data)))
            self.tell()
        await trio.sleep_until(max(now, self._free - BUFFER * self._seconds))

    async def receive(self, max_bytes: int | None) -> bytes:
        while True:
            await trio.lowlevel.checkpoint()
            if self.is_closed:
                raise trio.ClosedResourceError("this end of the line is closed")
            if self._coming and self._coming[0][0] <= trio.current_time():
                at, data = self._coming.popleft()
                if max_bytes is not None and len(data) > max_bytes:
                    self._coming.appendleft((at, data[max_bytes:]))
                if data:
                    return data[:max_bytes]
            elif self.is_ended and not self._coming:
                return b""
            else:
                with trio.move_on_at(self._coming[0][0] if self._coming else float("inf")):
                    await self._changed.wait()

    def tell(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


class LineEnd(trio.abc.Stream):
    """One end of a line. Closing it leaves silence at the other one, as a cable does, or ends it if it `hangs_up`."""

    def __init__(self, out: _Direction, into: _Direction, hangs_up: bool) -> None:
        self._out = out
        self._into = into
        self._hangs_up = hangs_up

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()
        if self._into.is_closed:
            raise trio.ClosedResourceError("this end of the line is closed")
        await self._out.send(bytes(data))

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        return await self._into.receive(max_bytes)

    def cut(self) -> None:
        """Nothing passes any more, in either direction, and nobody is told."""
        self._out.is_cut = self._into.is_cut = True

    async def aclose(self) -> None:
        self._into.is_closed = True
        self._into.tell()
        if self._hangs_up:
            self._out.is_ended = True
            self._out.tell()
        await trio.lowlevel.checkpoint()


def line(
    rate: int, *, latency: float = 0.1, noise: Callable[[], Mangle] | None = None, hangs_up: bool = False
) -> tuple[LineEnd, LineEnd]:
    """Two ends of a line of `rate` bits a second, in the time of Trio's clock; latency is in seconds. noise: makes what
    becomes of the bytes of one direction."""
    make = noise or (lambda: bytes)
    there, back = (_Direction(rate, latency, make()) for _ in range(2))
    return LineEnd(there, back, hangs_up), LineEnd(back, there, hangs_up)
