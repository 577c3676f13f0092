"""What a browser finds at the port of a table: the files of the page, and the WebSocket that leads to the table. Calls
over TCP come to the same port, and are told by their first byte (protocol/websocket.md)."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import formatdate
from hashlib import sha256

import h11
import trio

from p2pcards.links.address import TABLE
from p2pcards.links.door import Arrival
from p2pcards.links.head import read_head
from p2pcards.links.tcp import where
from p2pcards.links.websocket import WebSocketStream, answer_to, has_body
from p2pcards.page.files import ENTRY, INLINE, PageFile, whole_page_files

DEADLINE = 10.0
"""Seconds that a request may take, and that a connection may be idle between two."""
PATIENCE = 30.0
"""Seconds in which a browser takes CHUNK bytes of a file: 2 kB a second."""
CHUNK = 65536
REQUESTS = 100
"""On one connection."""
PARTING = 1.0
"""Seconds until a connection is cut whose other end does not close it."""

VERSIONS = (b"1.0", b"1.1")
YEAR = 31536000
"""Seconds; browsers keep nothing for longer."""

CONTENT_POLICY = (
    f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {INLINE}; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws: wss:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

HEADERS = [
    ("Content-Security-Policy", CONTENT_POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
]
"""With every answer, also where there is nothing."""

NOTHING = {
    400: "Bad request.",
    404: "Nothing here. The table's page is at /, as in the link you were sent.",
    405: "Files are read-only here.",
    406: "This page is compressed in a way that your browser doesn't support.",
    426: "Connect to the table with a WebSocket and the subprotocol p2pcards.1.",
    431: "That request's header is too long.",
}
"""What is said in place of a file, and never anything of the request."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int  # of HTTP
    file: PageFile | None = None  # None for an answer without a body
    headers: tuple[tuple[str, str], ...] = ()  # in addition to those of every answer


class WebDoor:
    """That of one table. files: by the name in the address."""

    def __init__(self, files: Mapping[str, PageFile]) -> None:
        self._files = files
        self._tags = {name: f'"{sha256(file.body).hexdigest()[:32]}"' for name, file in files.items()}

    @classmethod
    def of_page(cls) -> WebDoor:
        """A door with the page's files, read the first time; call it outside the event loop."""
        return cls(whole_page_files())

    async def caller(self, stream: trio.SocketStream) -> Arrival | None:
        """The caller on this connection, None if only files were wanted."""
        first = b""
        with trio.move_on_after(DEADLINE):
            first = await _first_byte(stream)
        if first == b"\0":
            return Arrival(stream, where(stream))
        if not first:
            return None
        http, come = h11.Connection(h11.SERVER), b""
        with suppress(trio.BrokenResourceError, trio.TooSlowError):
            for left in reversed(range(REQUESTS)):
                request, come = await _request(stream, http, come)
                if request is None:
                    break
                if (switch := self._switch(request)) is not None:
                    await stream.send_all(http.send(switch) or b"")
                    websocket = WebSocketStream(stream, client=False, come=come)
                    return Arrival(websocket, _web(stream), any(name == b"origin" for name, _ in request.headers))
                await _send(stream, http, self.answer(request), last=not left, head=request.method == b"HEAD")
                if http.our_state is not h11.DONE or http.their_state is not h11.DONE:
                    break
                http.start_next_cycle()
            await _part(stream)
        return None

    def _switch(self, request: h11.Request) -> h11.InformationalResponse | None:
        """The response that opens a WebSocket, None if none is wanted."""
        return answer_to(request) if _path(request) == TABLE else None

    def answer(self, request: h11.Request) -> Reply:
        """The reply to a request for a file, or for a WebSocket that is malformed."""
        if has_body(request) or request.http_version not in VERSIONS:
            return Reply(400)
        if request.method not in (b"GET", b"HEAD"):
            return Reply(405, headers=(("Allow", "GET, HEAD"),))
        path = _path(request)
        if path == TABLE:
            return Reply(426, headers=(("Upgrade", "websocket"),))
        name = path.removeprefix("/") or ENTRY
        file = self._files.get(name) if path.startswith("/") else None
        if file is None:
            return Reply(404)
        kept = f"public, max-age={YEAR}, immutable" if file.lasting else "no-cache"
        headers = [("ETag", self._tags[name]), ("Cache-Control", kept)]
        if file.encoding:
            headers.append(("Vary", "Accept-Encoding"))
        if self._tags[name] in _listed(request, b"if-none-match"):
            return Reply(304, headers=tuple(headers))
        if file.encoding and not _takes(request, file.encoding):
            return Reply(406)
        if file.encoding:
            headers.append(("Content-Encoding", file.encoding))
        return Reply(200, file, tuple(headers))


def _path(request: h11.Request) -> str:
    """The path of a request, without a query, and without a code whose # was written as %23."""
    return re.split(r"\?|%23", request.target.decode("ascii", "replace"), maxsplit=1)[0]


def _listed(request: h11.Request, header: bytes) -> list[str]:
    """The words of a header that is a list."""
    values = [value.decode("ascii", "replace") for name, value in request.headers if name == header]
    return [word.strip().removeprefix("W/") for value in values for word in value.split(",")]


def _takes(request: h11.Request, encoding: str) -> bool:
    """True if the browser accepts this encoding; one that doesn't say accepts all (RFC 9110, 12.5.3)."""
    if all(name != b"accept-encoding" for name, _ in request.headers):
        return True
    for word in _listed(request, b"accept-encoding"):
        coding, _, weight = word.lower().partition(";")
        if coding.strip() in (encoding, "*"):
            return weight.replace(" ", "").removeprefix("q=").strip("0.") != "" or not weight
    return False


# --- one connection ---------------------------------------------------------------------------------------------------


async def _first_byte(stream: trio.SocketStream) -> bytes:
    """The first byte of a connection, left unread; b"" if it has ended."""
    try:
        return await stream.socket.recv(1, socket.MSG_PEEK)
    except OSError:
        return b""


async def _request(stream: trio.SocketStream, http: h11.Connection, come: bytes) -> tuple[h11.Request | None, bytes]:
    """(request, bytes after it); None if the other end is gone or speaks no HTTP, which it is told. come: bytes read so
    far. Raises BrokenResourceError and TooSlowError."""
    try:
        with trio.fail_after(DEADLINE):
            head, come = await read_head(stream, come)
        http.receive_data(head)
        event = http.next_event()
        if not isinstance(event, h11.Request):
            return None, come
        if not has_body(event):
            http.next_event()  # its end, which has come with it
        return event, come
    except h11.RemoteProtocolError as error:
        if http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = Reply(error.error_status_hint if error.error_status_hint in NOTHING else 400)
            await _send(stream, http, answer, last=True)
        return None, come


async def _send(
    stream: trio.SocketStream, http: h11.Connection, answer: Reply, *, last: bool, head: bool = False
) -> None:
    """Send a reply. last: close afterwards; head: only the head was asked for. Raises BrokenResourceError and
    TooSlowError."""
    body, kind = _body(answer)
    headers = [*HEADERS, ("Date", formatdate(usegmt=True)), *answer.headers]
    if answer.status != 304:
        headers += [("Content-Type", kind), ("Content-Length", str(len(body)))]
    if answer.file is None and answer.status != 304:
        headers.append(("Cache-Control", "no-store"))
    if last or answer.status == 400:
        headers.append(("Connection", "close"))
    await _written(stream, http.send(h11.Response(status_code=answer.status, headers=headers, reason="")) or b"")
    for start in range(0, 0 if head or answer.status == 304 else len(body), CHUNK):
        await _written(stream, http.send(h11.Data(data=body[start : start + CHUNK])) or b"")
    http.send(h11.EndOfMessage())


def _body(answer: Reply) -> tuple[bytes, str]:
    """(body, media type) of a reply."""
    if answer.file is not None:
        return answer.file.body, answer.file.kind
    return f"{NOTHING.get(answer.status, '')}\n".encode(), "text/plain; charset=utf-8"


async def _written(stream: trio.SocketStream, data: bytes) -> None:
    """Send data within PATIENCE seconds. Raises TooSlowError."""
    with trio.fail_after(PATIENCE):
        await stream.send_all(data)


async def _part(stream: trio.SocketStream) -> None:
    """Close so that the other end can read everything: unread bytes would cut the connection."""
    with trio.move_on_after(PARTING), suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        await stream.send_eof()
        while await stream.receive_some(CHUNK):
            pass


def _web(stream: trio.SocketStream) -> str:
    """The other end of a WebSocket, for people: `web 192.0.2.7:4747`."""
    return where(stream).replace("tcp", "web", 1)
