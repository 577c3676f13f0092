"""Data channels by libdatachannel, which alone is known here.

The library holds Python's lock in all its calls but `close`, and its threads hold locks of theirs while they wait for
Python's. Either can wait for the other for ever. So here

- callbacks are set before anything runs, hand over what comes, and are never set or taken back later;
- the certificate is made here: `set_local_description` would wait for a thread of the library to make one;
- the callback for a drained buffer is not used, as the library calls it with the lock that `send` needs; full buffers
  are asked again after a while;
- a connection is closed in a thread of its own, and dropped when nothing in it wants Python's lock any more.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

import trio

from p2pcards.links import stun
from p2pcards.links.address import format_address
from p2pcards.links.data_channel import COST, LABEL, UNREAD, Connect, DirectStream
from p2pcards.links.signals import Candidate, Description, Kind
from p2pcards.links.tcp import CannotConnect

if TYPE_CHECKING:
    import libdatachannel

T = TypeVar("T")

LONGEST = 65536
"""Bytes of a message that the other side may send."""
ANSWER = 1.0
"""Seconds that STUN servers have to answer."""
STILL = 1.0
"""Seconds from the last callback until a connection is dropped."""
STUCK = 60.0
"""Seconds without the last callback after which it is kept for good: better a leak than a hang."""

MISSING = (
    "A direct connection needs Python 3.12 or newer and the package libdatachannel-py: pip install 'p2pcards[reach]'."
)

REFUSED = (RuntimeError, ValueError)
"""What the library raises."""

VALID = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))
"""Of a certificate; its fingerprint is what counts (RFC 8827, 6.5)."""

_kept: list[object] = []
_closers = WeakKeyDictionary[threading.Thread, threading.Event]()


@atexit.register
def close_all(longest: float = 3.0) -> None:
    """Close all connections at exit, waiting at most so many seconds: later the library's threads would abort the
    program by calling Python."""
    end = time.monotonic() + longest
    closers = dict(_closers)
    for asked in closers.values():
        asked.set()
    for closer in closers:
        closer.join(max(0.0, end - time.monotonic()))


def is_available() -> bool:
    """True if libdatachannel is installed, which exists for Python 3.12 and newer on some systems."""
    try:
        import libdatachannel  # noqa: F401
    except ImportError:
        return False
    return True


async def prepare(servers: Sequence[tuple[str, int]], bind: str | None = None) -> Connect:
    """Find a STUN server and return what makes connections; as `data_channel.Prepare`. bind: the local address to use,
    None for all."""
    if not is_available():
        raise CannotConnect(MISSING)
    return partial(LibraryConnection, await answering_server(servers), bind)


class LibraryConnection:
    """As `data_channel.PeerConnection`. What the library refuses is left out, and nothing opens."""

    def __init__(self, server: tuple[str, int] | None, bind: str | None, stream: DirectStream) -> None:
        import libdatachannel

        last_call = threading.Event()
        handover = _Handover(trio.lowlevel.current_trio_token(), self, stream, last_call)
        try:
            connection = _connection(server, bind)
            connection.on_local_description(handover.local_description)
            connection.on_local_candidate(handover.local_candidate)
            channel = connection.create_data_channel(
                LABEL, _made(libdatachannel.DataChannelInit(), negotiated=True, id=0)
            )
        except REFUSED as error:
            raise CannotConnect(f"libdatachannel can't open a connection: {error}") from error
        channel.on_open(handover.opened)
        channel.on_message(handover.message)
        channel.on_closed(handover.closed)
        self.taken = 0  # bytes and messages, as `_Handover` counts what has come
        self._stream = stream
        self._library: tuple[libdatachannel.PeerConnection, libdatachannel.DataChannel] | None = connection, channel
        self._end_it = threading.Event()
        closer = threading.Thread(target=_close, args=(*self._library, self._end_it, last_call), daemon=True)
        _closers[closer] = self._end_it
        closer.start()

    # --- what happens in it -------------------------------------------------------------------------------------------

    def opened(self) -> None:
        """Tell the stream that the channel is open."""
        if self._library is not None:
            host, _, port = (self._library[0].remote_address() or "").rpartition(":")
            self._stream.opened(format_address(host, int(port)) if host else "")

    def take(self, message: bytes | str) -> None:
        """Give the stream a message that has come."""
        self.taken += COST
        self._stream.take(message)

    # --- what is asked of it ------------------------------------------------------------------------------------------

    def begin(self, offer: Description | None) -> None:
        """Describe this end, in an offer or in the answer to theirs."""
        if self._library is not None:
            with suppress(*REFUSED):
                if offer is not None:
                    self._describe(offer.sdp(), "offer")
                self._library[0].set_local_description()

    def take_answer(self, answer: Description) -> None:
        """Take the other side's answer to our offer."""
        with suppress(*REFUSED):
            self._describe(answer.sdp(), "answer")

    def _describe(self, sdp: str, kind: Kind) -> None:
        """Set the other side's description."""
        import libdatachannel

        if self._library is not None:
            self._library[0].set_remote_description(libdatachannel.Description(sdp, kind))

    def try_candidate(self, candidate: Candidate) -> None:
        """Try an address of the other side."""
        import libdatachannel

        # A name it would look up at a server of names, which knows none of these.
        if self._library is not None and not isinstance(candidate.address, str):
            with suppress(*REFUSED):
                self._library[0].add_remote_candidate(libdatachannel.Candidate(candidate.line()))

    def send(self, message: bytes) -> bool:
        """Send a message; False if the connection is lost."""
        if self._library is None:
            return False
        try:
            self._library[1].send(message)
        except REFUSED:
            return False
        return True

    def unsent(self) -> int:
        """Bytes that wait to be sent."""
        return 0 if self._library is None else self._library[1].buffered_amount()

    def has_read(self, count: int) -> None:
        """Note that so many bytes were read."""
        self.taken += count

    def close(self) -> None:
        """Begin to close, in a thread."""
        self._library = None
        self._end_it.set()


def _connection(server: tuple[str, int] | None, bind: str | None) -> libdatachannel.PeerConnection:
    """A libdatachannel connection with a certificate of its own."""
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
    """Set these attributes on an object, and return it."""
    for name, value in values.items():
        setattr(thing, name, value)
    return thing


def _close(
    connection: libdatachannel.PeerConnection,
    channel: libdatachannel.DataChannel,
    end_it: threading.Event,
    last_call: threading.Event,
) -> None:
    """Close a connection, in a thread: dropping it waits, with Python's lock held, for its own threads, so none of
    these may need the lock by then."""
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
        connection: LibraryConnection,
        stream: DirectStream,
        last_call: threading.Event,
    ) -> None:
        self._token = token
        self._connection = connection
        self._stream = stream
        self._last_call = last_call
        self._come = 0

    def _hand(self, call: Callable[..., None], *args: object) -> None:
        """Run a function in Trio's thread."""
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(call, *args)

    def local_description(self, description: libdatachannel.Description) -> None:
        """Library callback: this end's description is ready."""
        kind: Kind = "offer" if description.type_string() == "offer" else "answer"
        self._hand(self._stream.described, kind, str(description))

    def local_candidate(self, candidate: libdatachannel.Candidate) -> None:
        """Library callback: an address of this end was found."""
        self._hand(self._stream.found_candidate, candidate.candidate())

    def opened(self) -> None:
        """Library callback: the data channel is open."""
        self._hand(self._connection.opened)

    def message(self, message: bytes | str) -> None:
        """Library callback: a message has come."""
        self._come += len(message) + COST
        if self._come - self._connection.taken > UNREAD:
            self._hand(self._stream.flooded)
        else:
            self._hand(self._connection.take, message)

    def closed(self) -> None:
        """Library callback: the connection is closed."""
        self._hand(self._stream.gone)
        self._last_call.set()


# --- STUN servers -----------------------------------------------------------------------------------------------------


async def answering_server(servers: Sequence[tuple[str, int]]) -> tuple[str, int] | None:
    """The first of these STUN servers to answer, as address and port, None if none does: the library asks only one."""
    answered: list[tuple[str, int]] = []
    with trio.move_on_after(ANSWER) as patience:
        async with trio.open_nursery() as nursery:
            for server in servers:
                nursery.start_soon(_ask, server, answered, patience)
    return answered[0] if answered else None


async def _ask(server: tuple[str, int], answered: list[tuple[str, int]], patience: trio.CancelScope) -> None:
    """Ask one STUN server until it answers or another has."""
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
