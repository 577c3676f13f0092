"""The stream through brokers in Trio: what a channel runs on, over a machine of `links/relayed`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import trio

from p2pcards.links.link import Prompt
from p2pcards.links.machine_stream import MachineStream
from p2pcards.links.relayed import Publication, RelayedMachine, RelayPhase, Signal


@dataclass(frozen=True, slots=True)
class DirectPath:
    where: str  # the address of the other end, for people
    send: Callable[[bytes], None]  # takes one message, or drops it
    close: Callable[[], None]  # ends the path soon


WAYS_TOLD = 8
"""Changes of the way that wait to be told."""
PATHS = 4
"""Direct ones of one stream."""
LAST_WORDS = 1.0
"""Seconds that closing waits for what was sent before; the machine goes on for a while afterwards."""


class RelayedStream(MachineStream, Prompt):
    """Its maker starts `run`; until then nothing happens."""

    def __init__(
        self,
        machine: RelayedMachine,
        publish: Callable[[Publication], Awaitable[None]],
        addresses: Sequence[str],
    ) -> None:
        """addresses: of the brokers, by their number."""
        super().__init__(machine)
        self._relayed = machine
        self._publish = publish
        self._addresses = addresses
        self._paths: dict[int, DirectPath] = {}
        self._next_path = len(addresses)
        self._settled, self._next_ways = trio.open_memory_channel[bool](WAYS_TOLD)

    async def run(self) -> None:
        """Carry the bytes until the stream is over. Never raises for what happens on the way: the stream does."""
        try:
            await self._drive_machine(self._send)
        finally:
            self._relayed.fail(_STOPPED)
            for path in self._paths.values():
                path.close()
            self._tell()

    async def _send(self, publication: Publication) -> None:
        """Send a message on the paths and brokers that it is meant for."""
        for number, path in [*self._paths.items()]:
            if publication.path in (None, number):
                path.send(publication.payload)
        if publication.path is None or publication.path < len(self._addresses):
            await self._publish(publication)

    # --- what the brokers and direct paths bring ---

    def receive_frame(self, payload: bytes, path: int) -> bool:
        """Take a payload from a path; True if it was a new FRAME or SIGNAL of this stream."""
        was_new = self._relayed.receive(payload, path, trio.current_time())
        if was_new:
            self._tell()
        return was_new

    def asked_again(self) -> None:
        """Note that the OPENING was repeated."""
        self._relayed.asked_again(trio.current_time())
        self._tell()

    # --- direct paths ---

    @property
    def is_direct(self) -> bool:
        """True if frames take a direct path."""
        return self._relayed.is_direct

    async def direct(self, wanted: bool) -> None:
        """Wait until the stream is direct, or for False until it isn't; also ends when it is over."""
        await trio.lowlevel.checkpoint()
        while self._relayed.is_direct != wanted and not self._relayed.is_over:
            await self._news.park()

    async def become_direct(self) -> None:
        """Wait until the stream is direct. Raises StreamFailed if it is over before."""
        await self.direct(True)
        self._check()

    def reserve_path(self) -> int:
        """A number for a path to be added."""
        self._next_path += 1
        return self._next_path - 1

    def add_path(self, number: int, path: DirectPath) -> None:
        """Add a path, on which a frame is sent at once. The oldest unused path gives way to a fifth."""
        self._paths[number] = path
        if len(self._paths) > PATHS:
            next(path for other, path in self._paths.items() if other != self._relayed.path).close()
        self._relayed.probe(number)
        self._tell()

    def drop_path(self, number: int) -> None:
        """Remove a path."""
        if self._paths.pop(number, None) is not None:
            self._relayed.lose_path(number)
            self._tell()

    def send_signal(self, signal: Signal) -> None:
        """Send a signal to the other end."""
        self._relayed.signals.send(signal, trio.current_time())
        self._tell()

    async def next_signal(self) -> Signal | None:
        """The next signal from the other end, None when the stream is over."""
        await trio.lowlevel.checkpoint()
        while not (arrived := self._relayed.signals.arrived):
            if self._relayed.is_over:
                return None
            await self._news.park()
        return arrived.popleft()

    # --- the stream ---

    @property
    def way(self) -> str:
        """What the stream goes through now, for people; "" if it is direct."""
        number = self._relayed.path
        if number is None:
            return "through the meeting points"
        if number in self._paths:
            way = self._paths[number].where
        else:
            way = f"through {self._addresses[number].partition('://')[2].partition('/')[0]}"
        seconds = self._relayed.round_trip
        return way if seconds is None else f"{way}, round trip {1000 * seconds:.0f} ms"

    def settle_way(self) -> None:
        """Report the present way to `next_way`."""
        with suppress(trio.WouldBlock):
            self._settled.send_nowait(self.is_direct)

    async def next_way(self) -> bool:
        """Wait until the way is settled or changes; True if it is direct."""
        return await self._next_ways.receive()

    @property
    def is_closed(self) -> bool:
        """True if this side has closed it."""
        return self._relayed.is_closed

    @property
    def is_over(self) -> bool:
        return self._relayed.is_over

    async def opened(self) -> None:
        """Wait until the caller has the keys. Raises StreamFailed if nothing of theirs comes in time."""
        await trio.lowlevel.checkpoint()
        while self._relayed.phase is RelayPhase.ANSWERED:
            await self._news.park()
        self._check()

    def write_now(self, data: bytes) -> int:
        """Write without waiting; returns how many bytes were taken."""
        if self._sending.locked() or self._relayed.failure or self._relayed.is_left or self._relayed.outgoing.ended:
            return 0
        taken = self._relayed.outgoing.write(data)
        self._work.set()
        return taken

    def _has_read(self) -> None:
        """Tell the machine that bytes were read."""
        self._relayed.has_read(trio.current_time())
        self._work.set()

    async def aclose(self) -> None:
        """Close; what was sent before is still brought over, for a bounded time. Cancelled, one last message says
        so."""
        self._relayed.close(trio.current_time())
        self._tell()
        try:
            with trio.move_on_after(LAST_WORDS):
                while not self._relayed.is_said:
                    await self._news.park()
            await trio.lowlevel.checkpoint()
        except trio.Cancelled:
            self.abandon()
            raise

    def fail(self, sentence: str) -> None:
        """Break the stream. sentence: why."""
        self._relayed.fail(sentence)
        self._tell()

    def abandon(self) -> None:
        """Close at once, dropping what has not arrived."""
        self._relayed.abandon(trio.current_time())
        self._tell()


_STOPPED = "This side no longer uses the meeting points."
