"""Calls: the dialogue with the modem carried out at a port, and the call itself as a byte stream."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

import trio

from p2pcards.links.link import StreamFailed
from p2pcards.links.modem import hayes
from p2pcards.links.modem.port import POLL, Port, stuck

SENDING = "another task is sending into this call"

# --- one script of `hayes` carried out --------------------------------------------------------------------------------


LINE_END = 0.25
"""Seconds in which the LF of CONNECT's line comes after its CR."""

LONGEST_LINE = 200


class Dialogue:
    """Runs one script. Call `start` once, `receive` with what comes, `tick` when `next_time` has come; after each,
    write what `take_bytes` gives and tell what `take_progress` gives, until there is an `outcome`.

    Times are seconds of any steady clock. Bytes after the line that connects are in `outcome.rest`.
    """

    def __init__(self, script: hayes.Script) -> None:
        self.outcome: hayes.Outcome | None = None
        self._script = script
        self._to_write = bytearray()
        self._told: list[hayes.Progress] = []
        self._transcript: list[str] = []
        self._line = bytearray()
        self._deadline: float | None = None
        self._carrier: int | None = None
        self._connected: hayes.Connected | None = None
        self._command = ""
        self._in_words = False

    def start(self, now: float) -> None:
        """Once, before anything else."""
        self._carry_out(next(self._script), now)

    def next_time(self) -> float | None:
        """When to call `tick`, None once there is an outcome."""
        return None if self.outcome else self._deadline

    def take_bytes(self) -> bytes:
        """The bytes to write to the modem, removed here."""
        taken, self._to_write = bytes(self._to_write), bytearray()
        return taken

    def take_progress(self) -> list[hayes.Progress]:
        """The progress since the last call of this."""
        taken, self._told = self._told, []
        return taken

    def take_transcript(self) -> list[str]:
        """The dialogue since the last call of this: `> ` and a command, `< ` and a line of the modem, in printable
        ASCII."""
        taken, self._transcript = self._transcript, []
        return taken

    def tick(self, now: float) -> None:
        """Note that nothing came by this time."""
        while self.outcome is None and self._deadline is not None and now >= self._deadline:
            if self._connected:
                self.outcome = self._connected
            else:
                self._send(None, now)

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes of the modem, cut anywhere."""
        if not self._connected:
            self.tick(now)
        for position, byte in enumerate(data):
            if self._connected:
                self._end(data[position:])
            if self.outcome:
                return
            if byte & 0x7F not in b"\r\n":  # with a parity bit or without
                self._line.append(byte)
                del self._line[:-LONGEST_LINE]
            elif self._line:
                self._transcript.append(f"< {hayes.read_result(bytes(self._line)).text}")
                self._hear(hayes.read_result(bytes(self._line), self._command, not self._in_words), now)
                self._line.clear()

    def _end(self, following: bytes) -> None:
        """End with a connection. following: bytes after CONNECT's CR: its LF, then data."""
        assert self._connected
        self.outcome = replace(self._connected, rest=following[1:] if following[0] & 0x7F == 0x0A else following)

    def _hear(self, result: hayes.ModemLine, now: float) -> None:
        """Take a line of the modem."""
        if result.text.startswith("AT") or not result.text:
            # What starts with AT is the echo of a command, which may hold the number.
            return
        self._in_words |= result.text == "OK"
        if result.text.startswith("RINGING"):
            self._told.append(hayes.Progress("ringing"))
        elif result.text.startswith(("CARRIER", "+MRR")):
            self._carrier = hayes.rate_in(result.text) or self._carrier
            self._told.append(hayes.Progress("carrier", re.sub(r"^[+A-Z]+[: ]*", "", result.text)))
        elif not result.word:
            shown = not result.is_known and re.search("[A-Za-z]{3}", result.text)
            self._told.append(hayes.Progress("words" if shown else "said", result.text))
        self._send(result, now)

    def _send(self, result: hayes.ModemLine | None, now: float) -> None:
        """Give the script a line, or None for silence, and do what it asks next."""
        try:
            self._carry_out(self._script.send(result), now)
        except StopIteration as ended:
            if isinstance(ended.value, hayes.Connected):
                self._connected = replace(ended.value, rate=self._carrier or ended.value.rate)
                self._deadline = now + LINE_END
            else:
                self.outcome = ended.value

    def _carry_out(self, step: hayes.Step, now: float) -> None:
        """Do a step of the script: write a command and wait."""
        while isinstance(step, hayes.Progress):
            self._told.append(step)
            step = next(self._script)
        self._to_write += step.write
        if step.write:
            self._command = step.write.decode().rstrip("\r")
            self._transcript.append(f"> {self._command}")
        if step.anew:
            self._deadline = None if step.seconds is None else now + step.seconds


# --- calls ------------------------------------------------------------------------------------------------------------


DTR_LOW = 0.6
"""Seconds for which DTR must be low to be sure that the modem has noticed (S25 is at most 0.05, many take longer)."""
CARRIER_FALLS = 2.0
"""Seconds that the modem has to give up its carrier once DTR is low."""
LAST_BYTES = 0.7
"""Seconds after the loss of the carrier for what had come before; with POLL this stays below a second."""
ABORT_WITHIN = 6.0

NO_CARRIER = re.compile(rb"\r\n?NO CARRIER\r")
"""What a modem says in the middle of the data when a call ends, perhaps with parity bits. It is not data: line frames
hold no CR."""
WITHOUT_PARITY = bytes(byte & 0x7F for byte in range(256))

Tell = Callable[[hayes.Progress], None]
Trace = Callable[[str], None]
"""Takes each line of the dialogue with a modem, see `Dialogue.take_transcript`."""


class CallFailed(Exception):
    """No call came about. result: as in `hayes.Failed`, or `stuck` or `gone` for what the port did; `sentence` says why
    and what to try."""

    def __init__(self, result: str, sentence: str) -> None:
        super().__init__(sentence)
        self.result = result
        self.sentence = sentence


def untold(_: object) -> None:
    """Ignore what is told; the default for callbacks."""


async def dial(
    port: Port, number: str, *, dialect: hayes.Dialect | None = None, tell: Tell = untold, trace: Trace = untold
) -> CallStream:
    """Call a number. Raises BadNumber before anything is written, and CallFailed. Cancelling aborts the call."""
    return await _call(port, hayes.dial(hayes.clean_number(number), dialect or hayes.Dialect()), tell, trace)


async def answer(
    port: Port, *, dialect: hayes.Dialect | None = None, tell: Tell = untold, trace: Trace = untold
) -> CallStream:
    """Wait for a call and answer it. Calls that fail are told as missed, and the wait goes on. Raises CallFailed if the
    modem itself fails."""
    return await _call(port, hayes.answer(dialect or hayes.Dialect()), tell, trace)


async def examine(
    port: Port, *, dialect: hayes.Dialect | None = None, tell: Tell = untold, trace: Trace = untold
) -> hayes.Examined:
    """Ask a modem about itself without a call. Raises CallFailed."""
    try:
        outcome = await _run(port, hayes.examine(dialect or hayes.Dialect()), tell, trace)
    except StreamFailed as failed:
        raise CallFailed("gone", str(failed)) from None
    if isinstance(outcome, hayes.Examined):
        return outcome
    raise _failed(port, outcome)


async def hang_up(port: Port) -> None:
    """End any call at this port: by DTR, then by the escape sequence unless DCD shows success."""
    if not await _drop(port):
        await _run(port, hayes.hang_up(), untold)


async def _drop(port: Port, was_high: bool = False) -> bool:
    """Hang up by DTR; True if DCD shows that it worked. was_high: DCD was high before."""
    was_high |= port.carrier() is True
    port.discard_output()
    if not port.set_dtr(False):
        return False
    await trio.sleep(DTR_LOW)
    with trio.move_on_after(CARRIER_FALLS):
        while port.carrier() is True:
            await trio.sleep(POLL)
    fell = was_high and port.carrier() is False
    port.set_dtr(True)
    return fell


async def _call(port: Port, script: hayes.Script, tell: Tell, trace: Trace) -> CallStream:
    """Run a script that ends in a call. Raises CallFailed."""
    calling = False
    idle = False

    def note(progress: hayes.Progress) -> None:
        """Tell the progress, and note whether a call is being made."""
        nonlocal calling
        if progress.kind in ("dialling", "answering", "missed"):
            calling = progress.kind != "missed"
        tell(progress)

    try:
        if port.set_dtr(False):
            # A call that a program left behind ends here.
            await trio.sleep(DTR_LOW)
            port.set_dtr(True)
        idle = port.carrier() is False
        outcome = await _run(port, script, note, trace)
    except StreamFailed as failed:
        raise CallFailed("gone", str(failed)) from None
    except trio.Cancelled:
        if calling:
            with trio.move_on_after(ABORT_WITHIN, shield=True):
                await _run(port, hayes.abort(), untold)
        port.set_dtr(False)
        raise
    if isinstance(outcome, hayes.Connected):
        return CallStream(port, outcome, shows_carrier=idle)
    raise _failed(port, outcome)


def _failed(port: Port, outcome: hayes.Outcome) -> CallFailed:
    """The CallFailed for a script's outcome."""
    assert isinstance(outcome, hayes.Failed)
    if outcome.result == "silent" and port.clear_to_send() is False:
        return CallFailed("stuck", stuck(port.device))
    return CallFailed(outcome.result, outcome.sentence)


async def _run(port: Port, script: hayes.Script, tell: Tell, trace: Trace = untold) -> hayes.Outcome:
    """Run one script. Raises StreamFailed if the port goes away."""
    dialogue = Dialogue(script)
    dialogue.start(trio.current_time())
    while True:
        for said in dialogue.take_transcript():
            trace(said)
        for progress in dialogue.take_progress():
            tell(progress)
        if dialogue.outcome:
            return dialogue.outcome
        until = dialogue.next_time()
        with trio.CancelScope() if until is None else trio.move_on_at(until):
            if to_write := dialogue.take_bytes():
                await port.send_all(to_write)
            dialogue.receive(await port.receive_some(), trio.current_time())
            continue
        dialogue.tick(trio.current_time())


class CallStream(trio.abc.Stream):
    """The bytes of a call. Made by dial and answer.

    The end of the call raises StreamFailed within a second where DCD is wired (it was high once) and where the modem
    says NO CARRIER; from then on nothing is written, so that no byte is ever taken for a command. What both sides
    send must not hold a CR; line frames do not. Closing hangs up and leaves the port open for the next call.
    """

    def __init__(self, port: Port, connected: hayes.Connected, *, shows_carrier: bool) -> None:
        """shows_carrier: DCD was low before the call, so it says something if it is high."""
        self.connected = connected
        self._shows_carrier = shows_carrier
        self._port = port
        self._rest = connected.rest
        self._tail = b"\r\n"
        """The last bytes that came, in which NO CARRIER may have begun; its line follows CONNECT's at the earliest."""
        self._wired = False
        self._lost_at: float | None = None
        self._silent = False
        self._closed = False
        self._receiving: trio.CancelScope | None = None
        self._sending: trio.CancelScope | None = None
        self._port_free = trio.Lock()
        self._look()

    def has_carrier(self) -> bool:
        """True if DCD follows the carrier and shows one now."""
        return self._shows_carrier and self._port.carrier() is True

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self._receiving:
            raise trio.BusyResourceError("another task is receiving from this call")
        await trio.lowlevel.checkpoint_if_cancelled()
        self._check()
        async with self._port_free:
            while True:
                if self._silent or (self._lost_at is not None and trio.current_time() >= self._lost_at + LAST_BYTES):
                    raise self._over()
                if data := await self._hear(max_bytes):
                    return data
                self._check()

    async def _hear(self, max_bytes: int | None) -> bytes:
        """The data that comes within POLL, without the modem's words; notices the end of the call."""
        came = b""
        if self._rest:
            await trio.lowlevel.checkpoint()
            came, self._rest = self._rest[:max_bytes], self._rest[max_bytes:] if max_bytes else b""
        else:
            self._receiving = trio.CancelScope(deadline=trio.current_time() + POLL)
            try:
                with self._receiving:
                    came = await self._port.receive_some(max_bytes)
            finally:
                self._receiving = None
        self._look()
        if not came:
            self._silent = self._lost_at is not None
            return b""
        before = len(self._tail)
        seen = self._tail + came
        self._tail = seen[-len(b"\r\nNO CARRIER") :]
        if end := NO_CARRIER.search(seen.translate(WITHOUT_PARITY)):
            self._lose()
            self._silent = True
            return seen[before : max(before, end.start())]
        return came

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self._sending:
            raise trio.BusyResourceError(SENDING)
        await self._while_it_lasts(lambda: self._port.send_all(data))

    async def wait_send_all_might_not_block(self) -> None:
        if self._sending:
            raise trio.BusyResourceError(SENDING)
        await self._while_it_lasts(self._port.wait_send_all_might_not_block)

    async def _while_it_lasts(self, send: Callable[[], Awaitable[None]]) -> None:
        """Run `send`, cancelled when the call ends."""
        await trio.lowlevel.checkpoint_if_cancelled()
        self._check()
        self._look()
        self._sending = trio.CancelScope()
        try:
            with self._sending:
                if self._lost_at is None:
                    return await send()
        finally:
            self._sending = None
        self._check()
        raise self._over()

    def _look(self) -> None:
        """Check DCD for the end of the call."""
        carrier = self._port.carrier()
        if carrier:
            self._wired = True
        elif self._wired and carrier is False:
            self._lose()

    def _lose(self) -> None:
        """Note the end of the call and stop writing."""
        if self._lost_at is None:
            self._lost_at = trio.current_time()
            self._port.discard_output()
            if self._sending:
                self._sending.cancel()

    def _check(self) -> None:
        """Raise ClosedResourceError if this side ended the call."""
        if self._closed:
            raise trio.ClosedResourceError("this call was ended here")

    def _over(self) -> StreamFailed:
        """The StreamFailed for a call that has ended."""
        return StreamFailed("The call ended: the other side hung up, or the phone line failed.")

    async def aclose(self) -> None:
        if self._closed:
            await trio.lowlevel.checkpoint()
            return
        self._closed = True
        for scope in (self._receiving, self._sending):
            if scope:
                scope.cancel()
        # At once, in case there is no time for the rest.
        self._port.discard_output()
        self._port.set_dtr(False)
        async with self._port_free:
            with suppress(StreamFailed):
                if not await _drop(self._port, self._wired) and self._lost_at is None:
                    await _run(self._port, hayes.hang_up(), untold)
