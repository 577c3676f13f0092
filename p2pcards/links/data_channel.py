"""A WebRTC data channel as a byte stream: the direct way between two homes. What makes the connections is an argument:
a library (`direct`) or the browser of a page (`web/worker/data_channel`).

An empty message is the end of what one side sends; a channel that closes without it was cut.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Protocol

import trio

from p2pcards.links.link import Prompt, StreamFailed, must_be_some
from p2pcards.links.signals import (
    CANDIDATES,
    TRIES,
    BadSignal,
    Candidate,
    Description,
    Kind,
    PeerSignals,
    read_candidate,
    read_description,
)
from p2pcards.links.tcp import CannotConnect

LABEL = "p2pcards"
"""Of the channel, which both ends negotiate as number 0."""
MESSAGE = 16384
"""Bytes of the longest message that is sent; every browser takes them."""
UNSENT = 256 * 1024
"""Bytes that may wait to be sent, beside what is under way."""
POLL = 0.01
"""Seconds until a full buffer is asked again."""
UNREAD = 4 << 20
"""Bytes that may wait to be read; whoever sends more is cut off."""
COST = 256
"""Bytes that a waiting message counts beside its own."""

TRY = 5.0
"""Seconds until the next try begins; without loss one takes half a second."""
LINGER = 1.0
"""Seconds that closing waits for the other side."""

_TOO_LONG = (
    "No direct connection opened within {deadline:g} s: a router or firewall blocks it. "
    "Opening a port in one of the routers helps."
)
_CUT = "The direct connection was cut."
_FLOODED = "The other side sent too much data at once. The connection was closed to be safe."
_NO_BYTES = "The other side broke the rules of the direct connection (a text message), so it was closed."


class PeerConnection(Protocol):
    """A WebRTC connection with its channel. All that happens in it is told to a `DirectStream`, in Trio's thread."""

    def begin(self, offer: Description | None) -> None:
        """Describe this end, in an offer or in the answer to theirs."""

    def take_answer(self, answer: Description) -> None:
        """Take the other side's answer to our offer."""

    def try_candidate(self, candidate: Candidate) -> None:
        """Try an address of the other side."""

    def send(self, message: bytes) -> bool:
        """Send a message; False if the connection is lost."""

    def unsent(self) -> int:
        """Bytes that wait to be sent."""

    def has_read(self, count: int) -> None:
        """Note that so many bytes were read, so that more may come."""

    def close(self) -> None:
        """Begin to close; the stream is told when it is done."""


Connect = Callable[["DirectStream"], PeerConnection]
"""Begins nothing yet. Raises CannotConnect."""
Prepare = Callable[[Sequence[tuple[str, int]]], Awaitable[Connect]]
"""Takes hosts and ports of STUN servers. Raises CannotConnect."""


async def open_direct(
    told: trio.MemorySendChannel[bytes],
    heard: trio.MemoryReceiveChannel[bytes],
    prepare: Prepare,
    *,
    calls: bool,
    deadline: float,
    servers: Sequence[tuple[str, int]] = (),
) -> DirectStream:
    """The stream to the other side, within `deadline` seconds. Raises CannotConnect.

    told, heard: signals for the other side and from it; what is no signal is passed over. calls: makes the offers, and
    has to send first on the stream: before that the other side waits on. servers: hosts and ports of STUN servers.
    """
    local, to_tell = trio.open_memory_channel[Description | Candidate](math.inf)
    opening = _Opening(calls, local)
    try:
        with local, to_tell, trio.fail_after(deadline):
            await opening.prepare(prepare, servers)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_tell, to_tell, told)
                nursery.start_soon(opening.hear, heard, nursery)
                if calls:
                    nursery.start_soon(opening.call, nursery)
                await opening.decided.wait()
                nursery.cancel_scope.cancel()
    except BaseException as error:
        opening.drop()
        if isinstance(error, trio.TooSlowError):
            raise CannotConnect(_TOO_LONG.format(deadline=deadline)) from None
        raise
    return opening.opened()


async def _tell(local: trio.MemoryReceiveChannel[Description | Candidate], told: trio.MemorySendChannel[bytes]) -> None:
    """Send descriptions and candidates to the other side as signals."""
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        async for signal in local:
            await told.send(signal.signal())


class _Opening:
    """One try after the other, until a stream is open. A datagram lost at the wrong moment costs a library many
    seconds, and a try in twelve gets nowhere for no reason that is known."""

    def __init__(self, calls: bool, local: trio.MemorySendChannel[Description | Candidate]) -> None:
        """calls: this end makes the offers. local: takes what the other side is to be told."""
        self.decided = trio.Event()
        self._calls = calls
        self._local = local
        self._connect: Connect | None = None
        self._stream: DirectStream | None = None

    async def prepare(self, prepare: Prepare, servers: Sequence[tuple[str, int]]) -> None:
        """Make ready what connections need, such as a STUN server that answers."""
        self._connect = await prepare(servers)

    async def call(self, nursery: trio.Nursery) -> None:
        """Make offers, one try after another."""
        for number in range(1, TRIES + 1):
            self._begin(number, None, nursery)
            await trio.sleep(TRY)

    async def hear(self, heard: trio.MemoryReceiveChannel[bytes], nursery: trio.Nursery) -> None:
        """Take the other side's signals."""
        signals = PeerSignals("answer" if self._calls else "offer")
        early: list[Candidate] = []
        described = 0
        async for signal in heard:
            try:
                read = signals.read_signal(signal)
            except BadSignal:
                continue
            if isinstance(read, Candidate):
                early.append(read)
            elif self._calls:
                described = read.number
                if connection := self._connection_of(read.number):
                    connection.take_answer(read)
            else:
                described = read.number
                self._begin(read.number, read, nursery)
            for candidate in [one for one in early if one.number == described]:
                if connection := self._connection_of(described):
                    connection.try_candidate(candidate)
            early = [one for one in early if one.number > described]

    def _connection_of(self, number: int) -> PeerConnection | None:
        """The connection of this try, None if that is over."""
        return self._stream.connection if self._stream is not None and self._stream.number == number else None

    def _begin(self, number: int, offer: Description | None, nursery: trio.Nursery) -> None:
        """Begin a connection with our offer, or our answer to theirs; nothing happens if none can be made."""
        if self.decided.is_set():  # in this very turn of the event loop
            return
        self.drop()
        assert self._connect is not None, "it is prepared"
        with suppress(CannotConnect):
            self._stream = DirectStream(self._connect, number, self._local, speaks_first=self._calls)
            nursery.start_soon(self._watch, self._stream)
            if self._stream.connection is not None:
                self._stream.connection.begin(offer)

    async def _watch(self, stream: DirectStream) -> None:
        """Settle on a stream once it is usable."""
        await stream.wait_until_usable()
        if stream is self._stream:
            self.decided.set()

    def drop(self) -> None:
        """Close the stream of the present try."""
        if self._stream is not None:
            self._stream.close_now()
        self._stream = None

    def opened(self) -> DirectStream:
        """The stream that became usable."""
        assert self._stream is not None
        return self._stream


# --- the stream -------------------------------------------------------------------------------------------------------


class DirectStream(Prompt):
    """The bytes of a data channel. Made by open_direct; `where` says to whom, once it is open."""

    def __init__(
        self,
        connect: Connect,
        number: int,
        local: trio.MemorySendChannel[Description | Candidate],
        *,
        speaks_first: bool,
    ) -> None:
        """Begin a connection. number: of the try; local: takes what the other side is to be told in it. Raises
        CannotConnect."""
        self.number = number
        self.where = ""
        self._local = local
        self._candidates = 0
        self._arrived = bytearray()
        self._news = trio.lowlevel.ParkingLot()
        self._usable, self._gone = trio.Event(), trio.Event()
        self._speaks_first = speaks_first
        self._ended = False  # the other side sends no more
        self._no_more_out = False
        self._why_broken = ""
        self._closed = False
        self._sending = trio.Lock()
        self.connection: PeerConnection | None = connect(self)

    async def wait_until_usable(self) -> None:
        """Wait until the channel is open and, if the other side speaks first, has spoken: before that it may start
        another try."""
        await self._usable.wait()

    # --- what happens in the connection -------------------------------------------------------------------------------

    def described(self, kind: Kind, sdp: str) -> None:
        """Tell the other side our description."""
        with suppress(BadSignal):
            self._tell(read_description(self.number, kind, sdp))

    def found_candidate(self, line: str) -> None:
        """Tell the other side an address of ours."""
        with suppress(BadSignal):  # of this machine alone, or of its own wire
            own = read_candidate(self.number, line)
            self._candidates += 1
            if self._candidates <= CANDIDATES:
                self._tell(own)

    def _tell(self, signal: Description | Candidate) -> None:
        """Queue a signal for the other side."""
        with suppress(trio.ClosedResourceError, trio.BrokenResourceError):  # open or given up meanwhile
            self._local.send_nowait(signal)

    def opened(self, place: str) -> None:
        """Note that the channel is open. place: where it leads, "" if unknown."""
        self.where = f"direct {place}".rstrip()
        self._use()

    def take(self, message: bytes | str) -> None:
        """Take a message that has come; b"" is the end."""
        if isinstance(message, str):
            self.lose(_NO_BYTES)
        elif not message:
            self._ended = True
        elif not self._ended and not self._why_broken:
            self._arrived += message
            self._use()
        self._news.unpark_all()

    def _use(self) -> None:
        """Note that the stream is usable, if it is."""
        if self.where and (self._speaks_first or self._arrived):
            self._usable.set()

    def flooded(self) -> None:
        """Break the stream: the other side sends faster than is read."""
        self.lose(_FLOODED)

    def gone(self) -> None:
        """Note that the connection is gone."""
        self._gone.set()
        self.lose(_CUT)

    def lose(self, why: str) -> None:
        """Break the stream for this reason unless there was one; what has arrived can still be read."""
        self._why_broken = self._why_broken or why
        self.close_now()

    # --- in -----------------------------------------------------------------------------------------------------------

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        must_be_some(max_bytes)
        await trio.lowlevel.checkpoint()
        while not self._arrived and not self._ended:
            self._must_be_usable()
            await self._news.park()
        if self._closed:
            raise trio.ClosedResourceError("this side closed the direct connection")
        some = bytes(self._arrived[:max_bytes])
        del self._arrived[: len(some)]
        if self.connection is not None:
            self.connection.has_read(len(some))
        return some

    # --- out ----------------------------------------------------------------------------------------------------------

    def write_now(self, data: bytes) -> int:
        """Write without waiting; returns how many bytes were taken."""
        return 0 if self._sending.locked() or self._no_more_out else self._write(data)

    def _write(self, data: bytes) -> int:
        """Send bytes; returns how many were taken, 0 if the buffer is full or the connection lost."""
        taken = 0
        while self.connection is not None and taken < len(data) and not self._is_full():
            message = data[taken : taken + MESSAGE]
            if not self._send(message):
                break
            taken += len(message)
        return taken

    def _is_full(self) -> bool:
        """True if too much waits to be sent."""
        return self.connection is not None and self.connection.unsent() >= UNSENT

    def _send(self, message: bytes) -> bool:
        """Send one message; False if the connection is lost."""
        if self.connection is None:
            return False
        sent = self.connection.send(message)
        if not sent:  # it has just been closed
            self.lose(_CUT)
        return sent

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        async with self._sending:
            self._must_be_writable()
            rest = bytes(data)
            while rest := rest[self._write(rest) :]:
                self._must_be_writable()
                await trio.sleep(POLL)

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()
        self._must_be_writable()
        while self._is_full():
            await trio.sleep(POLL)

    async def send_eof(self) -> None:
        async with self._sending:
            self._must_be_usable()
            if not self._no_more_out:
                self._no_more_out = True
                self._send(b"")

    def _must_be_writable(self) -> None:
        """Raise unless bytes may be written."""
        self._must_be_usable()
        if self._no_more_out:
            raise trio.ClosedResourceError("this side has already finished sending")

    def _must_be_usable(self) -> None:
        """Raise unless the stream is open and unbroken."""
        if self._closed:
            raise trio.ClosedResourceError("this side closed the direct connection")
        if self._why_broken:
            raise StreamFailed(self._why_broken)

    # --- the end ------------------------------------------------------------------------------------------------------

    async def aclose(self) -> None:
        self._closed = True
        self.close_now()
        with trio.move_on_after(LINGER):
            await self._gone.wait()

    def close_now(self) -> None:
        """Begin to close without waiting; may be repeated."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()
        self._news.unpark_all()
