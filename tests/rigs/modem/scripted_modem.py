"""A Hayes modem of our own, for what a real one does not do on command. It sits at one end of any stream: the master of
a pty, or memory. Two of them that are partners call each other."""

from __future__ import annotations

import os
import re
import tty
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import trio
from trio.testing import memory_stream_pair

from rigs.cable import device_of

Says = tuple[tuple[float, bytes], ...]
"""Seconds to wait and bytes to say then, one after the other. CONNECT among them begins a call."""

TOKEN = re.compile(r"S\d+(=\d+|\?)|#[A-Z]+(?:=\d+)?|[&%\\*][A-Z]\d*|[A-CE-Z]\d*|D.*|\+.*")
GUARD = 1.0


def line(text: str) -> bytes:
    return b"\r\n" + text.encode() + b"\r\n"


Speech = Callable[[bytes], bytes]
"""What becomes of a modem's own words before they are sent."""

DIGITS = {"OK": 0, "CONNECT": 1, "RING": 2, "NO CARRIER": 3, "ERROR": 4, "CONNECT 1200": 5, "NO DIALTONE": 6, "BUSY": 7}


def in_words(words: bytes) -> bytes:
    return words


def in_digits(words: bytes) -> bytes:
    """A modem that stays with V0."""
    digit = DIGITS.get(words.strip().decode("latin-1"))
    return words if digit is None else b"%d\r" % digit


def with_even_parity(words: bytes) -> bytes:
    return bytes(byte | (byte.bit_count() % 2) << 7 for byte in words)


def with_mark_parity(words: bytes) -> bytes:
    return bytes(byte | 0x80 for byte in words)


def once(byte: int) -> bytes:
    return bytes([byte])


def twice(byte: int) -> bytes:
    return bytes([byte, byte])


@dataclass
class Wires:
    """The control lines between a port and a modem."""

    carrier: bool = False
    clear_to_send: bool = True
    dtr: bool = True
    dtr_dropped: Callable[[], None] = lambda: None


class ScriptedModem:
    """commands: the lines that it was given. dialled: the numbers. received: what came while it was on line.

    speech: how its own words come. echoes: what comes back for a byte. by_itself: the rings after which it answers a
    call whatever S0 is set to. rate: bits a second of the telephone line to its partner; 0: no limit.
    """

    def __init__(
        self,
        stream: trio.abc.Stream,
        *,
        on_dial: Says | None = None,
        on_answer: Says | None = None,
        echo: bool = True,
        always_echo: bool = False,
        refuses: tuple[str, ...] = (),
        deaf_to: int = 0,
        answer_after: float = 0.01,
        speech: Speech = in_words,
        echoes: Callable[[int], bytes] = once,
        by_itself: int = 0,
        rate: int = 0,
        connect: str = "CONNECT 2400",
        identity: tuple[str, ...] = ("Scripted 33.6",),
    ) -> None:
        self.stream = stream
        self.wires = Wires(dtr_dropped=self._dtr_dropped)
        self.commands: list[str] = []
        self.dialled: list[str] = []
        self.received = bytearray()
        self.online = False
        self.last_heard = 0.0
        self.partner: ScriptedModem | None = None
        self.answered = trio.Event()
        self.on_dial, self.on_answer = on_dial, on_answer
        self.refuses, self.deaf_to, self.answer_after = refuses, deaf_to, answer_after
        self.always_echo = always_echo
        self.speech, self.echoes, self.by_itself, self.rate = speech, echoes, by_itself, rate
        self.connect, self.identity = connect, identity
        self._trains_until = 0.0
        self._to_line, self._from_port = trio.open_memory_channel[bytes](1000)
        self._echo = echo or always_echo
        self._typed = bytearray()
        self._calling: trio.CancelScope | None = None
        self._nursery: trio.Nursery | None = None
        self._writing = trio.Lock()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            self._nursery.start_soon(self._carry)
            self.last_heard, escape = trio.current_time(), False
            while True:
                data = b""
                with trio.move_on_after(GUARD) if escape else trio.CancelScope():
                    data = bytes(await self.stream.receive_some(4096))
                    if not data:
                        break
                now, quiet_since = trio.current_time(), self.last_heard
                if not data:
                    self.online, escape = False, False
                    await self.tell(line("OK"))
                elif self.online:
                    escape = data == b"+++" and now - quiet_since >= GUARD
                    self.last_heard = now
                    self.received += data
                    await self._to_line.send(data)
                else:
                    self.last_heard = now
                    await self._type(data)
            self._nursery.cancel_scope.cancel()

    async def say(self, data: bytes) -> None:
        async with self._writing:
            await self.stream.send_all(data)

    def retrain(self, seconds: float) -> None:
        """For so long nothing comes through in either direction; both keep their carrier."""
        assert self.partner
        self._trains_until = self.partner._trains_until = trio.current_time() + seconds

    async def _carry(self) -> None:
        """What the port sent over the telephone line, as fast as that goes."""
        size = max(self.rate // 1200, 1) if self.rate else 4096
        async for data in self._from_port:
            due = trio.current_time()
            for place in range(0, len(data), size):
                piece = data[place : place + size]
                if self.rate:
                    due += len(piece) * 10 / self.rate  # however late this task wakes, the line keeps its rate
                    await trio.sleep_until(due)
                if self.partner and self.partner.online and trio.current_time() >= self._trains_until:
                    await self.partner.say(piece)

    async def tell(self, words: bytes) -> None:
        """The modem speaks itself."""
        await self.say(self.speech(words))

    async def ring(self, times: int = 1, pause: float = 6.0) -> None:
        for count in range(1, times + 1):
            await self.tell(line("RING"))
            if count == self.by_itself:
                self._begin(self._answer)
            with trio.move_on_after(pause):
                await self.answered.wait()
                return

    async def lose_carrier(self) -> None:
        """The far side hung up."""
        self._on_hook()
        await self.tell(line("NO CARRIER"))

    def _on_hook(self) -> None:
        self.online = self.wires.carrier = False
        self.answered = trio.Event()

    def _dtr_dropped(self) -> None:
        if self._nursery and (self.online or self._calling or self.wires.carrier):
            self._nursery.start_soon(self._hang_up)

    async def _hang_up(self) -> None:
        if self._calling:
            self._calling.cancel()
        was_up = self.wires.carrier
        self._on_hook()
        await self.tell(line("NO CARRIER"))
        if was_up and self.partner and self.partner.wires.carrier:
            await self.partner.lose_carrier()

    async def _type(self, data: bytes) -> None:
        if self._calling:
            # Any byte ends a call that has not come about.
            self._calling.cancel()
            return
        for position, byte in enumerate(data):
            if self._echo:
                await self.say(self.speech(self.echoes(byte)))
            if byte != 0x0D:
                self._typed.append(byte)
                continue
            command, self._typed = self._typed.decode("latin-1").strip(), bytearray()
            if command:
                await self._obey(command)
            if self.online or self._calling:
                self.received += data[position + 1 :]
                return

    async def _obey(self, command: str) -> None:
        self.commands.append(command)
        if self.deaf_to:
            self.deaf_to -= 1
            return
        await trio.sleep(self.answer_after)
        start = command.upper().find("AT")
        tokens = [found[0] for found in TOKEN.finditer(command.upper()[start + 2 :].replace(" ", ""))]
        if start < 0:
            return
        if command in self.refuses:
            await self.tell(line("ERROR"))
            return
        for token in tokens:
            if token.startswith("D"):
                self.dialled.append(token[1:])
            if token[0] in "DA":
                self._begin(self._dial if token.startswith("D") else self._answer)
                return
            if token.startswith("E"):
                self._echo = self.always_echo or token == "E1"
            if token.startswith("H") and self.wires.carrier:
                self._on_hook()
                if self.partner and self.partner.wires.carrier:
                    await self.partner.lose_carrier()
            if token.startswith("S") and token.endswith("?"):
                await self.tell(line(f"{self.by_itself if token == 'S0?' else 0:03d}"))
            if token.startswith("I"):
                for words in self.identity:
                    await self.tell(line(words))
            if token.startswith("O"):
                self.online = True
                await self.tell(line("CONNECT"))
                return
        await self.tell(line("OK"))

    def _begin(self, call: Callable[[], Awaitable[None]]) -> None:
        assert self._nursery
        self._calling = trio.CancelScope()
        self._nursery.start_soon(self._until_given_up, call)

    async def _until_given_up(self, call: Callable[[], Awaitable[None]]) -> None:
        scope = self._calling
        assert scope
        with scope:
            await call()
        self._calling = None
        if scope.cancelled_caught:
            await self.tell(line("NO CARRIER"))

    async def _dial(self) -> None:
        if self.on_dial is not None or self.partner is None:
            await self._recite(self.on_dial or ((1.0, line("NO CARRIER")),))
            return
        with trio.move_on_after(50):
            await self.partner.ring(9)
            if self.partner.answered.is_set():
                await self._connect(line(self.connect))
                return
        await self.tell(line("NO CARRIER"))

    async def _answer(self) -> None:
        self.answered.set()
        await self._recite(self.on_answer or ((0.5, line(self.connect)),))

    async def _recite(self, says: Says) -> None:
        for seconds, data in says:
            await trio.sleep(seconds)
            if b"CONNECT" in data:
                await self._connect(data)
            else:
                await self.tell(data)

    async def _connect(self, words: bytes) -> None:
        self.online = self.wires.carrier = True
        await self.tell(words)


class MemoryPort:
    """A serial port in memory, as calls know one; the lines only if they are wired."""

    def __init__(self, stream: trio.abc.Stream, wires: Wires | None, device: str = "/dev/ttyS9") -> None:
        self.device = device
        self.stream = stream
        self.wires = wires

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        return bytes(await self.stream.receive_some(max_bytes))

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self.stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.stream.wait_send_all_might_not_block()

    def carrier(self) -> bool | None:
        return self.wires.carrier if self.wires else None

    def clear_to_send(self) -> bool | None:
        return self.wires.clear_to_send if self.wires else None

    def set_dtr(self, ready: bool) -> bool:
        if self.wires is None:
            return False
        was, self.wires.dtr = self.wires.dtr, ready
        if was and not ready:
            self.wires.dtr_dropped()
        return True

    def discard_output(self) -> None:
        """Nothing waits here."""


def modem_in_memory(*, wired: bool = True, **how: Any) -> tuple[MemoryPort, ScriptedModem]:
    """A port and the modem at it; `how` goes to the modem."""
    ours, its = memory_stream_pair()
    modem = ScriptedModem(its, **how)
    return MemoryPort(ours, modem.wires if wired else None), modem


@asynccontextmanager
async def pty_line() -> AsyncIterator[tuple[trio.lowlevel.FdStream, str]]:
    """The end of a modem, and the device that programs open."""
    master, slave = os.openpty()
    tty.setraw(slave)
    try:
        async with trio.lowlevel.FdStream(master) as stream:
            with device_of(slave) as device:
                yield stream, device
    finally:
        os.close(slave)  # held until now: with nobody at the device, reading at the other end is an error
