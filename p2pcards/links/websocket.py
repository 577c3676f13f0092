"""A byte stream over a WebSocket, both ends (protocol/websocket.md): the opening, and binary messages whose borders
mean nothing. The channel runs on it as on TCP."""

from __future__ import annotations

import ssl
from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress

import h11
import trio
from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event, Ping, Pong, TextMessage
from wsproto.utilities import LocalProtocolError, generate_accept_token, generate_nonce

from p2pcards.links.address import EXAMPLE_LINK, MESSAGE, SUBPROTOCOL, WebAddress, format_address, parse_web
from p2pcards.links.head import read_head
from p2pcards.links.link import Prompt, StreamFailed, must_be_some
from p2pcards.links.tcp import CannotConnect, connect, read_some, write_now

EMPTY = 64
"""Frames in a row that may carry nothing of the stream: pings, pongs, empty messages."""

NORMAL, FORBIDDEN, TEXT, FLOOD, TOO_LONG = 1000, 1002, 1003, 1008, 1009
"""Why a WebSocket is closed (RFC 6455, 7.4.1)."""

# --- the stream -------------------------------------------------------------------------------------------------------


class WebSocketStream(Prompt):
    """The bytes of an open WebSocket. Its end is the Close of the other side; without one the stream raises
    StreamFailed, as it does for whatever the protocol forbids. A cancelled `receive_some` loses nothing: what has to be
    answered meanwhile is written as far as that needs no waiting, and with the next bytes else."""

    def __init__(self, transport: trio.abc.Stream, *, client: bool, come: bytes = b"", longest: int = MESSAGE) -> None:
        """come: what has come after the opening already. longest: bytes of a message that comes."""
        self._transport = transport
        self._longest = longest
        self._frames = Connection(ConnectionType.CLIENT if client else ConnectionType.SERVER)
        self._come = come
        self._arrived = bytearray()
        self._message = 0  # bytes of the one that is arriving
        self._empty = 0
        self._ended = False
        self._failed = ""
        self._begun = b""  # what is left of a frame of which a part is out
        self._repeated = 0  # bytes in it that `send_all` is given once more
        self._answer: Pong | CloseConnection | None = None  # the latest that is due
        self._sending = trio.Lock()

    # --- in -----------------------------------------------------------------------------------------------------------

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        must_be_some(max_bytes)
        await trio.lowlevel.checkpoint_if_cancelled()
        waited = False
        while not self._arrived and not self._ended:
            if self._failed:
                raise StreamFailed(self._failed)
            await self._read()
            waited = True
        if not waited:
            await trio.lowlevel.cancel_shielded_checkpoint()
        some = bytes(self._arrived[:max_bytes])
        del self._arrived[: len(some)]
        return some

    async def _read(self) -> None:
        """Read once from the connection and take what comes."""
        if self._come:
            data, self._come = self._come, b""
        else:
            data = await read_some(self._transport)
        if not data:
            self._failed = "The connection dropped."
            raise StreamFailed(self._failed)
        self._frames.receive_data(data)
        events = self._frames.events()
        while not (self._failed or self._ended) and (event := next(events, None)) is not None:
            self._take(event)

    def _take(self, event: Event) -> None:
        """Take one event, without waiting."""
        match event:
            case BytesMessage(data=data):
                self._message += len(data)
                if self._message > self._longest:
                    return self._fail(TOO_LONG, f"a message of more than {self._longest:,} bytes")
                self._message = 0 if event.message_finished else self._message
                self._arrived += data
                self._count(data)
            case TextMessage():
                self._fail(TEXT, "a text message")
            case Ping(payload=payload):
                self._owe(Pong(payload=bytes(payload)))
                self._count(b"")
            case Pong():
                self._count(b"")
            case CloseConnection(code=code, reason=reason):
                self._end(code, reason or "")
        return None

    def _end(self, code: int, reason: str) -> None:
        """Take a Close, or the one wsproto makes up for a protocol violation."""
        if self._frames.state in (ConnectionState.OPEN, ConnectionState.LOCAL_CLOSING):
            self._fail(code, reason)
            return
        self._ended = True
        if self._frames.state is ConnectionState.REMOTE_CLOSING:
            self._owe(CloseConnection(code=NORMAL))

    def _count(self, data: bytes | bytearray) -> None:
        """Count empty frames, of which too many break the stream."""
        self._empty = 0 if data else self._empty + 1
        if self._empty > EMPTY:
            self._fail(FLOOD, f"more than {EMPTY} frames with nothing in them")

    def _fail(self, code: int, what: str) -> None:
        """Break the stream for a violation. code: of our Close; what: a noun."""
        self._owe(CloseConnection(code=code))
        self._failed = f"The other side broke the WebSocket rules ({what}), so the connection was closed."

    # --- out ----------------------------------------------------------------------------------------------------------

    def write_now(self, data: bytes) -> int:
        """Write without waiting; returns how many bytes were taken."""
        if self._sending.locked() or self._begun or self._repeated or self._answer or not self._open:
            return 0
        frame = self._frames.send(BytesMessage(data=data[:MESSAGE]))
        size = min(len(data), MESSAGE)
        written = write_now(self._transport, frame)
        if not written:
            return 0
        taken = max(0, written - (len(frame) - size))
        self._begun, self._repeated = frame[written:], size - taken
        return taken

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        async with self._sending:
            self._must_be_open()
            rest = bytes(data)[self._repeated :]
            frames = [self._frames.send(BytesMessage(data=rest[i : i + MESSAGE])) for i in range(0, len(rest), MESSAGE)]
            self._begun, self._repeated = self._begun + b"".join(frames), 0
            await self._flush()

    async def wait_send_all_might_not_block(self) -> None:
        self._must_be_open()
        await self._transport.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        async with self._sending:
            if self._open:
                self._begun += self._frames.send(CloseConnection(code=NORMAL))
            await self._flush()

    async def aclose(self) -> None:
        if self._open and not self._sending.locked():
            self._owe(CloseConnection(code=NORMAL))
        await self._transport.aclose()

    @property
    def _open(self) -> bool:
        """True while the WebSocket is open."""
        return not self._failed and self._frames.state is ConnectionState.OPEN

    def _must_be_open(self) -> None:
        """Raise unless the WebSocket is open."""
        if self._failed:
            raise StreamFailed(self._failed)
        if not self._open:
            raise trio.BrokenResourceError("the WebSocket is closed")

    def _owe(self, answer: Pong | CloseConnection) -> None:
        """Answer at once if that needs no waiting, else later; of many pings only the latest (RFC 6455, 5.5.3)."""
        self._answer = answer
        if not self._sending.locked() and not self._begun:
            frame = self._due()
            written = write_now(self._transport, frame)
            self._begun = frame[written:]

    def _due(self) -> bytes:
        """The answer owed, as a frame; b"" if there is none."""
        answer, self._answer = self._answer, None
        with suppress(LocalProtocolError):
            return self._frames.send(answer) if answer else b""
        return b""

    async def _flush(self) -> None:
        """Send all that is begun or owed."""
        await trio.lowlevel.checkpoint()
        try:
            while out := self._begun or self._due():
                self._begun = b""
                await self._transport.send_all(out)
        except BaseException:
            self._failed = self._failed or "This side stopped in the middle of a message."
            raise


# --- the opening, of the side that waits ------------------------------------------------------------------------------


def answer_to(request: h11.Request) -> h11.InformationalResponse | None:
    """The 101 response to a WebSocket request with our subprotocol, None for any other."""
    listed = {name: _words(request, name) for name in (b"connection", b"upgrade", b"sec-websocket-protocol")}
    key = _only(request, b"sec-websocket-key")
    fine = (
        (request.method, request.http_version) == (b"GET", b"1.1")
        and b"upgrade" in [word.lower() for word in listed[b"connection"]]
        and [word.lower() for word in listed[b"upgrade"]] == [b"websocket"]
        and _only(request, b"sec-websocket-version") == b"13"
        and SUBPROTOCOL.encode() in listed[b"sec-websocket-protocol"]
        and _is_key(key)
        and not has_body(request)
    )
    return _switch(key) if fine else None


def _switch(key: bytes) -> h11.InformationalResponse:
    """The 101 response for this key."""
    headers = [
        (b"Upgrade", b"websocket"),
        (b"Connection", b"Upgrade"),
        (b"Sec-WebSocket-Accept", generate_accept_token(key)),
        (b"Sec-WebSocket-Protocol", SUBPROTOCOL.encode()),
    ]
    return h11.InformationalResponse(status_code=101, headers=headers, reason=b"Switching Protocols")


def has_body(request: h11.Request) -> bool:
    """True if a body follows the head; no request here has one."""
    lengths = [value for name, value in request.headers if name == b"content-length"]
    return any(name == b"transfer-encoding" for name, _ in request.headers) or any(one != b"0" for one in lengths)


def _words(message: h11.Request | h11.InformationalResponse, header: bytes) -> list[bytes]:
    """All values of a header that is a list."""
    values = [value for name, value in message.headers if name == header]
    return [word.strip() for value in values for word in value.split(b",")]


def _only(message: h11.Request | h11.InformationalResponse, header: bytes) -> bytes:
    """The value of a header that appears once, else b""."""
    values = [value for name, value in message.headers if name == header]
    return values[0] if len(values) == 1 else b""


def _is_key(key: bytes) -> bool:
    """True for a valid Sec-WebSocket-Key."""
    try:
        return len(b64decode(key, validate=True)) == 16
    except ValueError:
        return False


# --- the opening, of the side that calls ------------------------------------------------------------------------------


async def connect_websocket(address: str, deadline: float) -> WebSocketStream:
    """A stream over a WebSocket to `ws://HOST[:PORT][/PATH]` or `wss://...`, within `deadline` seconds. Raises
    CannotConnect and BadAddress."""
    there, end = parse_web(address), trio.current_time() + deadline
    transport = await connect(there.host, there.port, deadline=deadline)
    return await open_websocket(transport, there, deadline=end - trio.current_time())


async def open_websocket(transport: trio.abc.Stream, there: WebAddress, *, deadline: float) -> WebSocketStream:
    """Open a WebSocket on a connection, which it owns from now on. Raises CannotConnect."""
    try:
        with trio.fail_after(deadline):
            if there.secure:
                transport = await start_tls(
                    transport,
                    there.host,
                    ssl.create_default_context(),
                    lambda cause: CannotConnect(_why_not_secure(there, cause), there=True),
                )
            stream = await upgraded(transport, there, SUBPROTOCOL)
            if stream is None:
                raise _not_ours(there)
            return stream
    except trio.TooSlowError:
        await trio.aclose_forcefully(transport)
        raise _silent(there) from None
    except BaseException:
        await trio.aclose_forcefully(transport)
        raise


async def start_tls(
    transport: trio.abc.Stream,
    host: str,
    context: ssl.SSLContext,
    failure: Callable[[BaseException | None], Exception],
) -> trio.abc.Stream:
    """Start TLS on a connection. failure: makes the error to raise from the cause, None if unknown."""
    stream = trio.SSLStream(transport, context, server_hostname=host.partition("%")[0], https_compatible=True)
    try:
        await stream.do_handshake()
    except (trio.BrokenResourceError, ssl.CertificateError, UnicodeError) as broken:
        raise failure(broken if isinstance(broken, ssl.SSLError) else broken.__cause__) from None
    return stream


def _why_not_secure(there: WebAddress, cause: BaseException | None) -> str:
    """The sentence for a failed TLS handshake."""
    if isinstance(cause, ssl.SSLCertVerificationError):
        return (
            f"This machine doesn't trust the certificate of {there} ({cause.verify_message}). Check the address, and "
            "ask your friend who runs that server."
        )
    return f"{there} doesn't speak TLS. If it works without TLS, start the address with ws:// or http://."


async def upgraded(
    transport: trio.abc.Stream, there: WebAddress, subprotocol: str, longest: int = MESSAGE
) -> WebSocketStream | None:
    """The WebSocket that a connection becomes, None if refused. longest: bytes of an incoming message."""
    http, nonce = h11.Connection(h11.CLIENT), generate_nonce()
    try:
        await transport.send_all(http.send(_request(there, nonce, subprotocol)) or b"")
        answer, come = await _head(transport, http)
    except (trio.BrokenResourceError, h11.ProtocolError, UnicodeError):
        return None
    if answer is None or not _grants(answer, nonce, subprotocol):
        return None
    return WebSocketStream(transport, client=True, come=come, longest=longest)


def _request(there: WebAddress, nonce: bytes, subprotocol: str) -> h11.Request:
    """The request that opens a WebSocket."""
    host = there.host.partition("%")[0].encode("ascii" if ":" in there.host else "idna").decode()
    headers = [
        (b"Host", host_header(host, there.port, there.secure)),
        (b"Upgrade", b"websocket"),
        (b"Connection", b"Upgrade"),
        (b"Sec-WebSocket-Key", nonce),
        (b"Sec-WebSocket-Version", b"13"),
        (b"Sec-WebSocket-Protocol", subprotocol.encode()),
    ]
    return h11.Request(method=b"GET", target=there.path, headers=headers)


def host_header(host: str, port: int, secure: bool) -> bytes:
    """The Host header as browsers write it, without the usual port."""
    usual = port == (443 if secure else 80)
    return (format_address(host, port).removesuffix(f":{port}") if usual else format_address(host, port)).encode()


async def _head(transport: trio.abc.Stream, http: h11.Connection) -> tuple[h11.InformationalResponse | None, bytes]:
    """(response that switches protocols, bytes after it); None for any other response."""
    head, come = await read_head(transport)
    http.receive_data(head)
    answer = http.next_event()
    return (answer if isinstance(answer, h11.InformationalResponse) and answer.status_code == 101 else None), come


def _grants(answer: h11.InformationalResponse, nonce: bytes, subprotocol: str) -> bool:
    """True if the response accepts our WebSocket request."""
    return (
        [word.lower() for word in _words(answer, b"upgrade")] == [b"websocket"]
        and b"upgrade" in [word.lower() for word in _words(answer, b"connection")]
        and _only(answer, b"sec-websocket-accept") == generate_accept_token(nonce)
        and _only(answer, b"sec-websocket-protocol") == subprotocol.encode()
        and not any(_words(answer, b"sec-websocket-extensions"))
    )


def _silent(there: WebAddress) -> CannotConnect:
    """The CannotConnect for a server that doesn't answer in time."""
    return CannotConnect(
        f"{there} connected but didn't answer in time. It may be another program, so check the address."
    )


def _not_ours(there: WebAddress) -> CannotConnect:
    """The CannotConnect for a server without a card table."""
    return CannotConnect(
        f"There's no card table at {there}, or something blocks WebSockets. Ask your friend for the link that their "
        f"p2pcards shows, such as {EXAMPLE_LINK}",
        there=True,
    )
