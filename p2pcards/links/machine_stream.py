"""The Trio stream above a machine that brings bytes over a way that loses some."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from operator import index
from typing import Any, Protocol

import trio

from p2pcards.links.link import StreamFailed, alone, must_be_some
from p2pcards.links.stream_ends import ReceivingEnd, SendingEnd


class StreamMachine(Protocol):
    @property
    def outgoing(self) -> SendingEnd[Any]:
        """The end to which bytes are written."""

    @property
    def incoming(self) -> ReceivingEnd:
        """The end from which bytes are read."""

    @property
    def failure(self) -> str | None:
        """A sentence that says why it broke."""

    @property
    def is_closed(self) -> bool:
        """True if this side has closed it."""

    @property
    def is_left(self) -> bool:
        """The other side has closed: it takes nothing any more."""

    @property
    def is_over(self) -> bool:
        """True if nothing more is to be done."""

    def output(self, now: float) -> Any:
        """What to send now; nothing before `next_time`."""

    def next_time(self) -> float:
        """When to ask for `output` again if nothing comes; inf for never."""


class MachineStream(trio.abc.HalfCloseableStream):
    """Everything raises StreamFailed with a sentence once the machine has failed."""

    def __init__(self, machine: StreamMachine) -> None:
        self._machine = machine
        self._work = trio.Event()
        self._news = trio.lowlevel.ParkingLot()
        self._sending, self._receiving = trio.Lock(), trio.Lock()

    def _tell(self) -> None:
        """Wake the machine's task and those that wait for the stream."""
        self._work.set()
        self._news.unpark_all()

    async def _drive_machine(self, send: Callable[[Any], Awaitable[None]]) -> None:
        """Send what the machine gives until it is over."""
        while not self._machine.is_over:
            self._work = trio.Event()
            output = self._machine.output(trio.current_time())
            if output:
                await send(output)
            self._news.unpark_all()
            if not output and not self._machine.is_over:
                with trio.move_on_at(self._machine.next_time()):
                    await self._work.wait()

    def _has_read(self) -> None:
        """Called after bytes were read from the machine."""

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Returns when the machine has taken the last byte."""
        with alone(self._sending, "sending on this stream"):
            self._check_sending()
            await trio.lowlevel.checkpoint()
            rest = memoryview(data)
            while rest:
                self._check_sending()
                taken = self._machine.outgoing.write(rest)
                rest = rest[taken:]
                if taken:
                    self._work.set()
                if rest:
                    await self._news.park()

    async def wait_send_all_might_not_block(self) -> None:
        with alone(self._sending, "sending on this stream"):
            self._check_sending()
            await trio.lowlevel.checkpoint()
            self._check_sending()
            while not self._machine.outgoing.room:
                await self._news.park()
                self._check_sending()

    async def send_eof(self) -> None:
        with alone(self._sending, "sending on this stream"):
            self._check()
            await trio.lowlevel.checkpoint()
            self._machine.outgoing.end()
            self._work.set()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        must_be_some(None if max_bytes is None else index(max_bytes))
        with alone(self._receiving, "receiving from this stream"):
            await trio.lowlevel.checkpoint()
            incoming = self._machine.incoming
            while True:
                self._check_open()
                if incoming.waiting:
                    data = incoming.read(max_bytes)
                    self._has_read()
                    return data
                if incoming.is_whole:
                    return b""
                self._check()
                await self._news.park()

    # --- what may not be done now ---

    def _check_open(self) -> None:
        """Raise ClosedResourceError if this side has closed."""
        if self._machine.is_closed:
            raise trio.ClosedResourceError("this stream is closed")

    def _check(self) -> None:
        """Raise if the stream is closed or has failed."""
        self._check_open()
        if self._machine.failure is not None:
            raise StreamFailed(self._machine.failure)

    def _check_sending(self) -> None:
        """Raise unless bytes may be sent."""
        self._check()
        if self._machine.is_left or self._machine.is_over:
            raise StreamFailed(_LEFT)
        if self._machine.outgoing.ended:
            raise trio.ClosedResourceError("send_eof was called before")


_LEFT = "The other side has closed the connection."
