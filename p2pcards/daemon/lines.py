"""Serial lines: calling through a modem or over a cable, waiting there for a call, and who calls by telephone."""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

import trio

from p2pcards.control.exits import LINE, USAGE
from p2pcards.control.messages import Serial
from p2pcards.links.channel import ChannelRefused
from p2pcards.links.door import Admit, Fault, OnChannel, hand_on, raise_it, welcome
from p2pcards.links.link import LinkLost, StreamFailed
from p2pcards.links.modem import calls
from p2pcards.links.modem.calls import CallStream, untold
from p2pcards.links.modem.hayes import (
    BadCommand,
    BadNumber,
    CallerShown,
    Dialect,
    Progress,
    clean_command,
    redial_after,
)
from p2pcards.links.modem.port import CannotOpen, Flow, SerialPort, open_port
from p2pcards.links.modem.reliable import ReliableStream
from p2pcards.links.modem.retransmission import GREETING_PATIENCE, RETRAIN
from p2pcards.session.bounds import time_allowed
from p2pcards.store.directory import Entry, load_directory, note_call
from p2pcards.store.files import Home, StoreError
from p2pcards.store.settings import Settings, commands_in, device_settings
from p2pcards.wire.keys import PrivateKey

# --- who calls by telephone -------------------------------------------------------------------------------------------


LOCAL = 7
"""Digits that tell one number from another where one of the two is written without its area."""


def caller_sentence(home: Home, caller: CallerShown) -> str:
    """A sentence that says who is calling by telephone; a caller in the phone book has the call noted there."""
    if not (caller.number or caller.name):
        return "The caller's number is withheld." if caller.withheld else "The caller's number is unknown."
    try:
        entry = next((one for one in load_directory(home) if same_number(one.number, caller.number)), None)
        if entry is not None:
            note_call(home, entry.name, time.strftime("%Y-%m-%d %H:%M"), "they called")
    except StoreError:
        entry = None
    return f"{_caller_name(entry, caller)} is calling."


def _caller_name(entry: Entry | None, caller: CallerShown) -> str:
    """The name and number of a telephone caller as far as they are known."""
    if entry is not None:
        return f"{entry.name} ({caller.number})"
    return f"{caller.number} ({caller.name})" if caller.number and caller.name else caller.number or caller.name


def same_number(one: str, other: str) -> bool:
    """True if two telephone numbers are the same, apart from an area code or outside line digit in front."""
    short, long = sorted([_longest_part(text) for text in (one, other)], key=len)
    return bool(short) and (short == long or (len(short) >= LOCAL and long.endswith(short)))


def _longest_part(number: str) -> str:
    """The longest run of digits between pauses: before it an outside line is dialled, after it an extension."""
    parts = [re.sub("[^0-9]", "", part) for part in re.split("[,Ww!@]", number)]
    return max(parts, key=len)


# --- serial lines -----------------------------------------------------------------------------------------------------


TRY_AGAIN = 10.0
"""Seconds until a port that failed is opened again by a table that waits there."""

GREETING = 512
"""Bytes of a channel's greeting, a spoken code with it."""

Tell = Callable[[str], None]
Who = Callable[[CallerShown], str]


class LineFailed(Exception):
    """No call came about on a line; the argument is a sentence. code: one of `exits`. again: it may be tried again."""

    def __init__(self, sentence: str, code: int = LINE, again: bool = True) -> None:
        super().__init__(sentence)
        self.code = code
        self.again = again


@dataclass(frozen=True, slots=True)
class Setup:
    """How a serial device is used."""

    device: str
    speed: int  # bits per second of the port
    flow: Flow
    dialect: Dialect
    rate: int = 0  # bits per second of the line itself; 0 to use what the modem reports, or the speed on a cable
    prefix: str = ""  # added to telephone numbers that do not begin with it


def setup_of(serial: Serial, settings: Settings) -> Setup:
    """The line setup asked for, completed by the settings. Raises LineFailed."""
    device = serial.device or settings.device
    if not device:
        raise LineFailed(
            "Which serial device? Give it with --device, such as --device /dev/ttyUSB0, or set 'device' in the "
            "settings.",
            USAGE,
        )
    kept = device_settings(settings, device)
    try:
        commands = tuple([clean_command(command) for command in commands_in((*kept.init, *serial.init))])
    except BadCommand as bad:
        raise LineFailed(str(bad), USAGE) from None
    pulse = kept.pulse if serial.pulse is None else serial.pulse
    flow = cast("Flow", serial.flow or kept.flow)  # cli and settings have checked it
    dialect = Dialect(pulse, commands, serial.rings or kept.rings)
    prefix = kept.prefix if serial.prefix is None else serial.prefix
    return Setup(device, serial.speed or kept.speed, flow, dialect, serial.rate, prefix)


def deadline(rate: int) -> float:
    """Seconds for a channel's greeting on a line of this rate (bits a second), in which modems may retrain."""
    return time_allowed(20.0 + RETRAIN, 10 / rate, GREETING)


class SlowLine:
    """A line that is in use, as `links.link.Line` has it."""

    def __init__(self, stream: ReliableStream) -> None:
        self._stream = stream
        self._over = trio.Event()

    @property
    def rate(self) -> int:
        """Bits a second."""
        return self._stream.rate

    @property
    def quality(self) -> str:
        """The quality of the line for people: `2400 bps, 210 bytes/s, 3 of 120 frames resent`."""
        found = self._stream.quality()
        return f"{self.rate} bps, {found.goodput:.0f} bytes/s, {found.resent} of {found.frames} frames resent"

    async def freed(self) -> None:
        """Wait until the call is over and its port free."""
        await self._over.wait()

    def free(self) -> None:
        """Note that the call is over."""
        self._over.set()


# --- calling ----------------------------------------------------------------------------------------------------------


async def call_line(
    address: str, number: str, setup: Setup, *, nursery: trio.Nursery, tell: Tell, trace: Tell = untold
) -> Call:
    """Call a telephone number, or "" over a cable. nursery: runs the line while it lasts; trace: gets the modem's
    dialogue line by line. Raises LineFailed."""
    port = await _open_serial_port(setup)
    try:
        if number:
            stream = await _dial_number(port, number, setup.dialect, tell, trace)
            tell(f"{stream.connected.text}.")
            call = Call(port, stream, _line_rate(stream, setup), calls=True)
        else:
            call = Call(port, port, setup.rate or setup.speed, calls=True)
    except BaseException:
        with trio.CancelScope(shield=True):
            await port.aclose()
        raise
    await nursery.start(call.run)
    try:
        await call.stream.greeted()
    except StreamFailed as failed:
        raise LineFailed(f"No p2pcards answered at {address}. {failed}") from None
    except BaseException:
        await trio.aclose_forcefully(call.stream)
        raise
    tell(f"Securing the line to {address} ...")
    return call


async def _open_serial_port(setup: Setup) -> SerialPort:
    """Open the port of this setup. Raises LineFailed."""
    try:
        return await open_port(setup.device, speed=setup.speed, flow=setup.flow)
    except CannotOpen as cannot:
        raise LineFailed(cannot.sentence) from None


async def _dial_number(port: SerialPort, number: str, dialect: Dialect, tell: Tell, trace: Tell = untold) -> CallStream:
    """Dial a number, a few more times where it is busy. Raises LineFailed."""
    redials = 0
    while True:
        try:
            return await calls.dial(
                port, number, dialect=dialect, tell=lambda progress: _tell_progress(progress, tell), trace=trace
            )
        except BadNumber as bad:
            raise LineFailed(str(bad), USAGE, again=False) from None
        except calls.CallFailed as failed:
            pause = redial_after(failed.result, redials)
            if pause is None:
                raise LineFailed(failed.sentence, again=failed.result not in NEVER_AGAIN) from None
        tell(f"Busy. Dialing again in {pause:.0f} s.")
        await trio.sleep(pause)
        redials += 1


NEVER_AGAIN = frozenset({"VOICE", "FAX", "BLACKLISTED", "ERROR"})
"""Results after which a number is not dialled again without being asked."""


def _tell_progress(progress: Progress, tell: Tell) -> None:
    """Tell what a modem is doing in a sentence, if the player should know."""
    text = f" {progress.text}" if progress.text else ""
    sentences = {
        "setting up": "Setting up the modem ...",
        "refused": f"The modem doesn't know{text}, so p2pcards skipped it.",
        "by itself": (
            f"This modem answers every call (S0={progress.text}) and can't be told not to. Switch it off when "
            "you're not expecting a call."
        ),
        "words": f"The modem says:{text}",
        "dialling": f"Dialing{text} ...",
        "ringing": "Ringing ...",
        "answering": "Answering ...",
        "carrier": f"Carrier{text}.",
        "missed": f"Missed a call:{text or ' nobody was there'}.",
    }
    if progress.kind in sentences:
        tell(sentences[progress.kind].rstrip())


def _line_rate(stream: CallStream, setup: Setup) -> int | None:
    """Bits a second of the line itself, None if unknown: a modem may promise more than its port carries."""
    if setup.rate or stream.connected.rate is None:
        return setup.rate or None
    return min(stream.connected.rate, setup.speed)


class Call:
    """One call while it lasts: the stream that loses nothing, and the line that it uses. `run` carries it, and closes
    the port at its end where that was opened for this call alone (keep: it was not)."""

    def __init__(
        self, port: SerialPort, stream: CallStream | SerialPort, rate: int | None, *, calls: bool, keep: bool = False
    ) -> None:
        # A player at a cable waits for as long as it takes.
        patience = GREETING_PATIENCE if calls or stream is not port else math.inf
        carrier = stream.has_carrier if isinstance(stream, CallStream) else lambda: False
        self.stream = ReliableStream(
            stream, rate=rate, calls=calls, entropy=os.urandom, patience=patience, carrier=carrier
        )
        self.line = SlowLine(self.stream)
        self._port = port
        self._keep = keep

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Carry the call until it ends, then close the port unless it is kept."""
        try:
            task_status.started()
            await self.stream.run()
        finally:
            if not self._keep:
                with trio.CancelScope(shield=True):
                    await self._port.aclose()
            self.line.free()


# --- waiting ----------------------------------------------------------------------------------------------------------


async def keep_line(
    setup: Setup,
    cable: bool,
    *,
    identity: PrivateKey,
    admit: Admit,
    on_channel: OnChannel,
    tell: Tell,
    who: Who,
    trace: Tell = untold,
    fault: Fault = raise_it,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Take one call after the other at a device until cancelled; started once the modem has answered, or the cable's
    port is open. Raises LineFailed until then; a port or modem that fails later is tried again. admit, on_channel
    and fault are as in `links.door.keep_door`, trace as in `call_line`; who makes a sentence of who calls."""
    ready = trio.Event()

    def is_ready() -> None:
        """Report, once, that calls can come."""
        if not ready.is_set():
            ready.set()
            task_status.started()

    async def serve(call: Call) -> None:
        """Serve one call; a fault of the program costs only this call."""
        try:
            await _serve_caller(call, setup.device, identity, admit, on_channel, tell)
        except Exception as error:
            fault(error)

    while True:
        failed: LineFailed | None = None
        try:
            port = await _open_serial_port(setup)
            if cable:
                is_ready()
                await _take_cable(port, setup, serve)
            else:
                failed = await _take_calls(port, setup, serve, is_ready, tell, who, trace)
        except LineFailed as cannot:
            failed = cannot
        if failed is not None:
            if not ready.is_set():
                raise failed
            tell(f"{failed} Trying again every {TRY_AGAIN:.0f} s.")
            await trio.sleep(TRY_AGAIN)


Serve = Callable[[Call], Awaitable[None]]


async def _take_cable(port: SerialPort, setup: Setup, serve: Serve) -> None:
    """Serve the one who connects at the other end of a cable, once."""
    call = Call(port, port, setup.rate or setup.speed, calls=False)
    async with trio.open_nursery() as nursery:
        await nursery.start(call.run)
        await serve(call)


async def _take_calls(
    port: SerialPort, setup: Setup, serve: Serve, is_ready: Callable[[], None], tell: Tell, who: Who, trace: Tell
) -> LineFailed:
    """Serve one telephone call after another; returns how the modem or port failed in the end."""
    warned = False

    def told(progress: Progress) -> None:
        """Tell the progress, and note when the modem is ready."""
        nonlocal warned
        if progress.kind == "ready":
            is_ready()
        elif progress.kind == "by itself":
            if not warned:
                _tell_progress(progress, tell)
            warned = True
        elif progress.caller is not None:
            tell(who(progress.caller))
        elif progress.kind not in ("setting up", "refused"):
            _tell_progress(progress, tell)

    async with port, trio.open_nursery() as nursery:
        while True:
            try:
                stream = await calls.answer(port, dialect=setup.dialect, tell=told, trace=trace)
            except calls.CallFailed as failed:
                return LineFailed(failed.sentence)
            tell(f"{stream.connected.text}.")
            call = Call(port, stream, _line_rate(stream, setup), calls=False, keep=True)
            await nursery.start(call.run)
            await serve(call)


async def _serve_caller(
    call: Call, device: str, identity: PrivateKey, admit: Admit, on_channel: OnChannel, tell: Tell
) -> None:
    """Greet one caller on a line and serve them until the call is over."""
    try:
        await call.stream.greeted()
        channel = await welcome(
            call.stream,
            identity=identity,
            where=f"line {device}",
            deadline=deadline(call.line.rate),
            admit=admit,
            line=call.line,
        )
        if channel is not None:
            await hand_on(channel, on_channel)
    except (StreamFailed, ChannelRefused, LinkLost) as failed:
        tell(f"A call ended: {failed}")
    finally:
        with trio.CancelScope(shield=True):
            await call.stream.aclose()
