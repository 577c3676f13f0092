"""The stream through brokers in Trio: what a channel runs on, over a machine of `links/relayed`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import trio

from p2pcards.links.link import Prompt
from p2pcards.links.machine_stream import MachineStream
from p2pcards.links.relayed import Publication, RelayedMachine, RelayPhase

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

    async def run(self) -> None:
        """Carry the bytes until the stream is over. Never raises for what happens on the way: the stream does."""
        try:
            while not self._relayed.is_over:
                self._work = trio.Event()
                publication = self._relayed.output(trio.current_time())
                if publication is not None:
                    await self._publish(publication)
                self._news.unpark_all()
                if publication is None and not self._relayed.is_over:
                    with trio.move_on_at(self._relayed.next_time()):
                        await self._work.wait()
        finally:
            self._relayed.fail(_STOPPED)
            self._tell()

    # --- what the brokers bring ---

    def receive_frame(self, payload: bytes, broker: int) -> bool:
        """Whether it was a frame of this stream that had not been here before."""
        was_new = self._relayed.receive(payload, broker, trio.current_time())
        if was_new:
            self._tell()
        return was_new

    def asked_again(self) -> None:
        """The OPENING came once more."""
        self._relayed.asked_again(trio.current_time())
        self._tell()

    # --- the stream ---

    @property
    def way(self) -> str:
        if (broker := self._relayed.broker) is None:
            return "through the meeting points"
        host = self._addresses[broker].partition("://")[2].partition("/")[0]
        return f"through {host}, round trip {1000 * self._relayed.round_trip:.0f} ms"

    @property
    def is_closed(self) -> bool:
        return self._relayed.is_closed

    @property
    def is_over(self) -> bool:
        return self._relayed.is_over

    async def opened(self) -> None:
        """Returns when the caller has the keys. Raises StreamFailed where nothing of theirs arrives in time."""
        await trio.lowlevel.checkpoint()
        while self._relayed.phase is RelayPhase.ANSWERED:
            await self._news.park()
        self._check()

    def write_now(self, data: bytes) -> int:
        if self._sending.locked() or self._relayed.failure or self._relayed.is_left or self._relayed.outgoing.ended:
            return 0
        taken = self._relayed.outgoing.write(data)
        self._work.set()
        return taken

    def _has_read(self) -> None:
        self._relayed.has_read(trio.current_time())
        self._work.set()

    async def aclose(self) -> None:
        """What was sent before is still brought over, for a bounded time; cancelled, one last message says so."""
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

    def abandon(self) -> None:
        """Close at once; what has not arrived will not."""
        self._relayed.abandon(trio.current_time())
        self._tell()


_STOPPED = "This side no longer uses the meeting points."
