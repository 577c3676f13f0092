"""Calls: the dialogue with the modem carried out at a port, and the call itself as a byte stream."""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress

import trio

from p2pcards.links.link import StreamFailed
from p2pcards.links.modem import hayes
from p2pcards.links.modem.dialogue import Dialogue
from p2pcards.links.modem.hayes import Dialect, Progress, Script
from p2pcards.links.modem.numbers import clean_number
from p2pcards.links.modem.port import POLL, Port, stuck

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

Tell = Callable[[Progress], None]
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
    """Tells nobody."""


async def dial(
    port: Port, number: str, *, dialect: Dialect | None = None, tell: Tell = untold, trace: Trace = untold
) -> "CallStream":
    """Call this number; raises BadNumber before a byte is written, and CallFailed. Cancelled it aborts the call."""
    return await _call(port, hayes.dial(clean_number(number), dialect or Dialect()), tell, trace)


async def answer(
    port: Port, *, dialect: Dialect | None = None, tell: Tell = untold, trace: Trace = untold
) -> "CallStream":
    """Wait for a call, as long as it takes, and answer it; raises CallFailed if the modem itself fails. Calls that come
    to nothing are told as missed, and the waiting goes on."""
    return await _call(port, hayes.answer(dialect or Dialect()), tell, trace)


async def examine(
    port: Port, *, dialect: Dialect | None = None, tell: Tell = untold, trace: Trace = untold
) -> hayes.Examined:
    """What a modem tells of itself, without a call; raises CallFailed."""
    try:
        outcome = await _run(port, hayes.examine(dialect or Dialect()), tell, trace)
    except StreamFailed as failed:
        raise CallFailed("gone", str(failed)) from None
    if isinstance(outcome, hayes.Examined):
        return outcome
    raise _failed(port, outcome)


async def hang_up(port: Port) -> None:
    """End whatever call there is at this port: by DTR, and by the escape where DCD does not show that this worked."""
    if not await _drop(port):
        await _run(port, hayes.hang_up(), untold)


async def _drop(port: Port, was_high: bool = False) -> bool:
    """Hang up by DTR; True if DCD, which may have been seen high before, shows that it worked."""
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


async def _call(port: Port, script: Script, tell: Tell, trace: Trace) -> "CallStream":
    calling = False
    idle = False

    def note(progress: Progress) -> None:
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
    assert isinstance(outcome, hayes.Failed)
    if outcome.result == "silent" and port.clear_to_send() is False:
        return CallFailed("stuck", stuck(port.device))
    return CallFailed(outcome.result, outcome.sentence)


async def _run(port: Port, script: Script, tell: Tell, trace: Trace = untold) -> hayes.Outcome:
    """Carry out one script. Raises StreamFailed if the port goes away."""
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
        """Whether DCD follows the carrier, and shows one now."""
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
        """What comes within POLL, without the modem's own words; notices the end of the call."""
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
            raise trio.BusyResourceError("another task is sending into this call")
        await self._while_it_lasts(lambda: self._port.send_all(data))

    async def wait_send_all_might_not_block(self) -> None:
        if self._sending:
            raise trio.BusyResourceError("another task is sending into this call")
        await self._while_it_lasts(self._port.wait_send_all_might_not_block)

    async def _while_it_lasts(self, send: Callable[[], Awaitable[None]]) -> None:
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
        carrier = self._port.carrier()
        if carrier:
            self._wired = True
        elif self._wired and carrier is False:
            self._lose()

    def _lose(self) -> None:
        if self._lost_at is None:
            self._lost_at = trio.current_time()
            self._port.discard_output()
            if self._sending:
                self._sending.cancel()

    def _check(self) -> None:
        if self._closed:
            raise trio.ClosedResourceError("this call was ended here")

    def _over(self) -> StreamFailed:
        return StreamFailed("The call has ended: the other side hung up, or the telephone line failed.")

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
