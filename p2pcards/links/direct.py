"""A WebRTC data channel as a byte stream: the direct way between two homes (libdatachannel).

The library holds Python's lock in all its calls but `close`, and its threads hold locks of theirs while they wait for
Python's. Either can wait for the other for ever. So here

- callbacks are set before anything runs, hand over what comes, and are never set or taken back later;
- the certificate is made here: `set_local_description` would wait for a thread of the library to make one;
- the callback for a drained buffer is not used, as the library calls it with the lock that `send` needs; full buffers
  are asked again after a while;
- a connection is closed in a thread of its own, and dropped when nothing in it wants Python's lock any more.

An empty message is the end of what one side sends; a channel that closes without it was cut.
"""

from __future__ import annotations

import atexit
import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from secrets import token_bytes
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

import trio

from p2pcards.links import stun
from p2pcards.links.address import format_address
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

if TYPE_CHECKING:
    import libdatachannel

T = TypeVar("T")

MESSAGE = 16384
"""Bytes of the longest message that is sent; every browser takes them."""
LONGEST = 65536
"""Bytes of a message that the other side may send."""
UNSENT = 256 * 1024
"""Bytes that may wait in the library beside the megabyte that is under way."""
POLL = 0.01
"""Seconds until a full buffer is asked again."""
UNREAD = 4 << 20
"""Bytes that may wait to be read; whoever sends more is cut off."""
COST = 256
"""Bytes that a waiting message counts beside its own."""

TRY = 5.0
"""Seconds until the next try begins; without loss one takes half a second."""
ANSWER = 1.0
"""Seconds that STUN servers have to answer."""
LINGER = 1.0
"""Seconds that closing waits for the other side."""
STILL = 1.0
"""Seconds from the last callback until a connection is dropped."""
STUCK = 60.0
"""Seconds without the last callback after which it is kept for good: better a leak than a hang."""

MISSING = (
    "A direct connection needs Python 3.12 or newer and the package libdatachannel-py: pip install 'p2pcards[reach]'."
)
_TOO_LONG = (
    "No direct connection opened within {deadline:g} s: a router or firewall between you keeps it out. "
    "Opening a port in one of the routers helps."
)
_CUT = "The direct connection was cut."
_FLOODED = "The other side sent more than could be read. The connection was closed to be safe."
_NO_BYTES = "What came over the direct connection breaks its rules (a text message). It was closed to be safe."

REFUSED = (RuntimeError, ValueError)
"""What the library raises."""

VALID = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))
"""Of a certificate; its fingerprint is what counts (RFC 8827, 6.5)."""

_kept: list[object] = []
_closers = WeakKeyDictionary[threading.Thread, threading.Event]()


@atexit.register
def close_all(longest: float = 3.0) -> None:
    """At the end of the program, when no thread can begin any more, and whatever of the library still called Python
    would abort it. Those whose other side is gone are not waited for so long."""
    end = time.monotonic() + longest
    closers = dict(_closers)
    for asked in closers.values():
        asked.set()
    for closer in closers:
        closer.join(max(0.0, end - time.monotonic()))


def is_available() -> bool:
    """Whether the library is here, which exists for Python 3.12 and newer, and not for every system."""
    try:
        import libdatachannel  # noqa: F401
    except ImportError:
        return False
    return True


async def open_direct(
    told: trio.MemorySendChannel[bytes],
    heard: trio.MemoryReceiveChannel[bytes],
    *,
    calls: bool,
    deadline: float,
    servers: Sequence[tuple[str, int]] = (),
    bind: str | None = None,
) -> DirectStream:
    """The stream to the other side, within `deadline` seconds. Raises CannotConnect.

    told, heard: signals for the other side and from it; what is no signal is passed over. calls: makes the offers, and
    has to send first on the stream: before that the other side waits on. servers: hosts and ports of STUN servers.
    """
    if not is_available():
        raise CannotConnect(MISSING)
    local, to_tell = trio.open_memory_channel[Description | Candidate](math.inf)
    opening = _Opening(calls, bind, local)
    try:
        with local, to_tell, trio.fail_after(deadline):
            await opening.choose_server(servers)
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
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        async for signal in local:
            await told.send(signal.signal())


class _Opening:
    """One try after the other, until a stream is open. A datagram lost at the wrong moment costs the library many
    seconds, and a try in twelve gets nowhere for no reason that is known."""

    def __init__(self, calls: bool, bind: str | None, local: trio.MemorySendChannel[Description | Candidate]) -> None:
        """local: takes what the other side is to be told."""
        self.decided = trio.Event()
        self._calls = calls
        self._bind = bind
        self._local = local
        self._server: tuple[str, int] | None = None
        self._number = 0
        self._connection: libdatachannel.PeerConnection | None = None
        self._stream: DirectStream | None = None

    async def choose_server(self, servers: Sequence[tuple[str, int]]) -> None:
        self._server = await answering_server(servers)

    async def call(self, nursery: trio.Nursery) -> None:
        for number in range(1, TRIES + 1):
            self._begin(number, None, nursery)
            await trio.sleep(TRY)

    async def hear(self, heard: trio.MemoryReceiveChannel[bytes], nursery: trio.Nursery) -> None:
        signals = PeerSignals("answer" if self._calls else "offer")
        early: list[Candidate] = []
        described = 0
        async for signal in heard:
            try:
                read = signals.take(signal)
            except BadSignal:
                continue
            if isinstance(read, Candidate):
                early.append(read)
            elif self._calls:
                described = read.number
                self._answered(read)
            else:
                described = read.number
                self._begin(read.number, read, nursery)
            for candidate in [one for one in early if one.number == described]:
                self._add(candidate)
            early = [one for one in early if one.number > described]

    def _begin(self, number: int, offer: Description | None, nursery: trio.Nursery) -> None:
        """A new connection, with an offer of ours or the answer to theirs. Where the library cannot, nothing opens."""
        import libdatachannel

        if self.decided.is_set():  # in this very turn of the event loop
            return
        self.drop()
        self._number = number
        with suppress(*REFUSED):
            self._connection = _connection(self._server, self._bind)
            self._stream = DirectStream(self._connection, number, self._local, speaks_first=self._calls)
            nursery.start_soon(self._watch, self._stream)
            if offer is not None:
                self._connection.set_remote_description(libdatachannel.Description(offer.sdp(), "offer"))
            self._connection.set_local_description()

    def _answered(self, answer: Description) -> None:
        import libdatachannel

        if self._connection is not None and answer.number == self._number:
            with suppress(*REFUSED):
                self._connection.set_remote_description(libdatachannel.Description(answer.sdp(), "answer"))

    def _add(self, candidate: Candidate) -> None:
        import libdatachannel

        if self._connection is not None and candidate.number == self._number:
            with suppress(*REFUSED):
                self._connection.add_remote_candidate(libdatachannel.Candidate(candidate.line()))

    async def _watch(self, stream: DirectStream) -> None:
        await stream.wait_until_usable()
        if stream is self._stream:
            self.decided.set()

    def drop(self) -> None:
        if self._stream is not None:
            self._stream.close_now()
        self._stream = self._connection = None

    def opened(self) -> DirectStream:
        assert self._stream is not None
        self._connection = None
        return self._stream


def _connection(server: tuple[str, int] | None, bind: str | None) -> libdatachannel.PeerConnection:
    import libdatachannel

    from p2pcards.wire.crypto import session_certificate  # which a browser has not

    certificate, key = session_certificate(*VALID)
    configuration = _made(
        libdatachannel.Configuration(),
        bind_address=bind,
        certificate_pem_file=certificate,
        disable_auto_negotiation=True,  # else it could take an answer for a change and make a new offer
        ice_servers=[libdatachannel.IceServer(*server)] if server is not None else [],
        key_pem_file=key,
        max_message_size=LONGEST,
    )
    return libdatachannel.PeerConnection(configuration)


def _made(thing: T, **values: object) -> T:
    for name, value in values.items():
        setattr(thing, name, value)
    return thing


# --- the stream -------------------------------------------------------------------------------------------------------


class DirectStream(Prompt):
    """The bytes of a data channel. Made by open_direct; `where` says to whom, once it is open."""

    def __init__(
        self,
        connection: libdatachannel.PeerConnection,
        number: int,
        local: trio.MemorySendChannel[Description | Candidate],
        *,
        speaks_first: bool,
    ) -> None:
        """number: of the try. local: takes what the other side is to be told in it."""
        import libdatachannel

        self.where = ""
        self.taken = 0  # bytes and messages, as `_Handover` counts what has come
        self._arrived = bytearray()
        self._news = trio.lowlevel.ParkingLot()
        self._usable, self._gone = trio.Event(), trio.Event()
        self._speaks_first = speaks_first
        self._ended = False  # the other side sends no more
        self._no_more_out = False
        self._why_broken = ""
        self._closed = False
        self._sending = trio.Lock()

        last_call = threading.Event()
        handover = _Handover(trio.lowlevel.current_trio_token(), self, number, local, last_call)
        connection.on_local_description(handover.local_description)
        connection.on_local_candidate(handover.local_candidate)
        channel = connection.create_data_channel(
            "p2pcards", _made(libdatachannel.DataChannelInit(), negotiated=True, id=0)
        )
        channel.on_open(handover.opened)
        channel.on_message(handover.message)
        channel.on_closed(handover.closed)
        self._library: tuple[libdatachannel.PeerConnection, libdatachannel.DataChannel] | None = connection, channel
        self._end_it = threading.Event()
        closer = threading.Thread(target=_close, args=(*self._library, self._end_it, last_call), daemon=True)
        _closers[closer] = self._end_it
        closer.start()

    async def wait_until_usable(self) -> None:
        """Open, and where the other side speaks first it has done so: until then it may begin another try."""
        await self._usable.wait()

    def opened(self) -> None:
        if self._library is None:
            return
        host, _, port = (self._library[0].remote_address() or "unknown:0").rpartition(":")
        self.where = f"direct {format_address(host, int(port))}"
        if self._speaks_first:
            self._usable.set()

    def take(self, message: bytes | str) -> None:
        if isinstance(message, str):
            self.lose(_NO_BYTES)
        elif not message:
            self._ended = True
        elif not self._ended and not self._why_broken:
            self.taken += COST
            self._arrived += message
            self._usable.set()
        self._news.unpark_all()

    def lose(self, why: str) -> None:
        """The first reason stays. What has arrived can still be read."""
        self._why_broken = self._why_broken or why
        self.close_now()

    def gone(self) -> None:
        self._gone.set()
        self.lose(_CUT)

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
        self.taken += len(some)
        return some

    # --- out ----------------------------------------------------------------------------------------------------------

    def write_now(self, data: bytes) -> int:
        return 0 if self._sending.locked() or self._no_more_out else self._write(data)

    def _write(self, data: bytes) -> int:
        """How many of these bytes the library took; none where its buffer is full, or the connection lost."""
        taken = 0
        while self._library is not None and taken < len(data) and not self._is_full():
            message = data[taken : taken + MESSAGE]
            if not self._send(message):
                break
            taken += len(message)
        return taken

    def _is_full(self) -> bool:
        return self._library is not None and self._library[1].buffered_amount() >= UNSENT

    def _send(self, message: bytes) -> bool:
        if self._library is None:
            return False
        try:
            self._library[1].send(message)
        except REFUSED:  # it has just been closed
            self.lose(_CUT)
            return False
        return True

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
        self._must_be_usable()
        if self._no_more_out:
            raise trio.ClosedResourceError("this side has said that it sends no more")

    def _must_be_usable(self) -> None:
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
        """Begins it; may be repeated."""
        self._library = None
        self._end_it.set()
        self._news.unpark_all()


def _close(
    connection: libdatachannel.PeerConnection,
    channel: libdatachannel.DataChannel,
    end_it: threading.Event,
    last_call: threading.Event,
) -> None:
    """In a thread of its own. Dropping a connection waits, with Python's lock held, for all that its threads still do,
    so none of that may want the lock any more."""
    end_it.wait()
    with suppress(RuntimeWarning):  # of half a minute that was not enough, where warnings are errors
        connection.close()
    if not last_call.wait(STUCK):
        _kept.append((connection, channel))
    time.sleep(STILL)


class _Handover:
    """What the library's threads call. They hold locks of the library meanwhile, so each thing that comes is handed to
    Trio, and nothing else is done."""

    def __init__(
        self,
        token: trio.lowlevel.TrioToken,
        stream: DirectStream,
        number: int,
        local: trio.MemorySendChannel[Description | Candidate],
        last_call: threading.Event,
    ) -> None:
        self._token = token
        self._stream = stream
        self._number = number
        self._local = local
        self._candidates = 0
        self._last_call = last_call
        self._come = 0

    def _hand(self, call: Callable[..., None], *args: object) -> None:
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(call, *args)

    def local_description(self, description: libdatachannel.Description) -> None:
        kind: Kind = "offer" if description.type_string() == "offer" else "answer"
        self._hand(self._tell, read_description(self._number, kind, str(description)))

    def local_candidate(self, candidate: libdatachannel.Candidate) -> None:
        with suppress(BadSignal):  # of this machine alone, or of its own wire
            own = read_candidate(self._number, candidate.candidate())
            self._candidates += 1
            if self._candidates <= CANDIDATES:
                self._hand(self._tell, own)

    def _tell(self, signal: Description | Candidate) -> None:
        with suppress(trio.ClosedResourceError, trio.BrokenResourceError):  # open or given up meanwhile
            self._local.send_nowait(signal)

    def opened(self) -> None:
        self._hand(self._stream.opened)

    def message(self, message: bytes | str) -> None:
        self._come += len(message) + COST
        if self._come - self._stream.taken > UNREAD:
            self._hand(self._stream.lose, _FLOODED)
        else:
            self._hand(self._stream.take, message)

    def closed(self) -> None:
        self._hand(self._stream.gone)
        self._last_call.set()


# --- STUN servers -----------------------------------------------------------------------------------------------------


async def answering_server(servers: Sequence[tuple[str, int]]) -> tuple[str, int] | None:
    """The first of them to answer, as an address and a port: the library asks one alone, and a silent one would leave
    us without an address to tell."""
    answered: list[tuple[str, int]] = []
    with trio.move_on_after(ANSWER) as patience:
        async with trio.open_nursery() as nursery:
            for server in servers:
                nursery.start_soon(_ask, server, answered, patience)
    return answered[0] if answered else None


async def _ask(server: tuple[str, int], answered: list[tuple[str, int]], patience: trio.CancelScope) -> None:
    with suppress(OSError, UnicodeError):
        family, kind, _, _, place = (await trio.socket.getaddrinfo(*server, type=trio.socket.SOCK_DGRAM))[0]
        transaction = token_bytes(stun.TRANSACTION_SIZE)
        with trio.socket.socket(family, kind) as asking:
            await asking.connect(place)
            await asking.send(stun.binding_request(transaction))
            while stun.read_answer(await asking.recv(stun.LONGEST + 1), transaction) is None:
                pass
        answered.append((str(place[0]), server[1]))
        patience.cancel()
