"""The server: connections come from this machine alone, each has one request, and a tab keeps its own; who is let
in, and the files of the page."""

from __future__ import annotations

import errno
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import h11
import trio

from p2pcards.links.head import read_head
from p2pcards.page.files import ENTRY, INLINE, table_page_files
from p2pcards.web.link import PageLink
from p2pcards.web.tab import FAULT, LATER, Tab, accept_tab

# --- who is let in ----------------------------------------------------------------------------------------------------


HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
USUAL_PORT = 80
FRONT = "front"
"""What the page asks for to have a WebSocket."""
HERE = "here"
"""What the page asks for to know that the daemon of this machine is at the other end."""


@dataclass(frozen=True, slots=True)
class Gate:
    port: int  # of the server
    token: str  # an unguessable text at the start of the address

    @property
    def address(self) -> str:
        """The address to open in a browser, with the token."""
        return f"http://{HOST}{self._port_suffix}/{self.token}/"

    def asked_for(self, request: h11.Request) -> str | None:
        """What the request asks for, by the name after the token; None where it isn't let in.

        A page of another site that has its name point here (DNS rebinding) sends that name as its Host, and one that
        opens a WebSocket here its own Origin."""
        host = _single_header(request, b"host")
        if not self.is_read_here(request):
            return None
        before, token, name = (*request.target.split(b"/", 2), b"", b"")[:3]
        if before or not secrets.compare_digest(token, self.token.encode()):
            return None
        upgrades = (_single_header(request, b"upgrade") or "").lower() == "websocket"
        from_page = _single_header(request, b"origin") == f"http://{host}"
        if upgrades != (name == FRONT.encode()) or (upgrades and not from_page):
            return None
        return name.decode("ascii", "replace")

    def is_read_here(self, request: h11.Request) -> bool:
        """Return whether the request reads from this server, under a name of this machine."""
        return request.method == b"GET" and _single_header(request, b"host") in [
            name + self._port_suffix for name in NAMES
        ]

    @property
    def _port_suffix(self) -> str:
        """The port as browsers write it in Host; they leave out the usual one."""
        return "" if self.port == USUAL_PORT else f":{self.port}"


def _single_header(request: h11.Request, header: bytes) -> str | None:
    """The value of a header that occurs once, else None."""
    values = [value for name, value in request.headers if name == header]
    return values[0].decode("ascii", "replace") if len(values) == 1 else None


# --- the files of the page, and what the browser may do with them -----------------------------------------------------


POLICY = (
    f"default-src 'none'; script-src 'self' {INLINE}; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = [
    (b"Connection", b"close"),
    (b"Cache-Control", b"no-store"),
    (b"Cross-Origin-Opener-Policy", b"same-origin"),
    (b"Cross-Origin-Resource-Policy", b"same-origin"),
    (b"Referrer-Policy", b"no-referrer"),
    (b"X-Content-Type-Options", b"nosniff"),
]


GONE = Path(__file__).parent / "gone.html"
"""What somebody sees whose address is wrong or old."""


@dataclass(frozen=True, slots=True)
class Served:
    body: bytes
    kind: bytes
    encoding: str = ""


def find_page_file(name: str) -> Served | None:
    """The file of this name, None for none."""
    if name == HERE:
        return Served(b"p2pcards\n", b"text/plain")
    page = table_page_files().get(name or ENTRY)
    return Served(page.body, page.kind.encode(), page.encoding) if page else None


# --- the server -------------------------------------------------------------------------------------------------------


HALF_OPEN_LIMIT = 16
TABS = 8
"""Tabs at once."""
DEADLINE = 10.0
"""Seconds for a request and its answer."""
PARTING = 1.0
"""Seconds until a connection is cut whose other end does not close it."""
CHUNK = 16384
EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}
BACK_OFF = 0.1


Front = Callable[[PageLink], Awaitable[None]]
"""Serves one page, until it goes."""


async def serve_until_cancelled(listener: trio.SocketListener, gate: Gate, front: Front) -> None:
    """Serve connections until cancelled.

    When more than `HALF_OPEN_LIMIT` connections wait for their request or its answer, the oldest is closed: a client
    that opens many and sends nothing shuts nobody out."""
    half_open: list[trio.CancelScope] = []
    free = trio.Semaphore(TABS)

    async def greet(stream: trio.SocketStream) -> None:
        scope = trio.CancelScope(deadline=trio.current_time() + DEADLINE)
        half_open.append(scope)
        if len(half_open) > HALF_OPEN_LIMIT:
            half_open.pop(0).cancel()
        tab: Tab | None = None
        async with stream:
            with scope, suppress(trio.BrokenResourceError, h11.RemoteProtocolError):
                tab = await _answer_request(stream, gate)
            if scope in half_open:
                half_open.remove(scope)
            if tab is not None:
                await _serve_tab(tab, free, front)
                await _drain_stream(stream)

    async with listener, trio.open_nursery() as nursery:
        while True:
            try:
                nursery.start_soon(greet, await listener.accept())
            except OSError as error:
                if error.errno not in EXHAUSTED:
                    raise
                await trio.sleep(BACK_OFF)


async def _answer_request(stream: trio.SocketStream, gate: Gate) -> Tab | None:
    """Answer one request; returns the tab if it asks for a WebSocket. Whoever isn't let in learns only that."""
    http = h11.Connection(h11.SERVER)
    head, come = await read_head(stream)
    http.receive_data(head)
    event = http.next_event()
    if not isinstance(event, h11.Request):
        return None
    name = gate.asked_for(event)
    if name == FRONT and (tab := await accept_tab(stream, event, come)) is not None:
        return tab
    found = find_page_file(name) if name is not None else None
    status, served = (200, found) if found else (404, _not_found(event, gate))
    body = served.body
    headers = [*HEADERS, (b"Content-Security-Policy", POLICY.encode())]
    headers += [(b"Content-Type", served.kind), (b"Content-Length", str(len(body)).encode())]
    headers += [(b"Content-Encoding", served.encoding.encode())] if served.encoding else []
    response = h11.Response(status_code=status, headers=headers)
    await stream.send_all(
        b"".join([http.send(part) or b"" for part in (response, h11.Data(data=body), h11.EndOfMessage())])
    )
    await _drain_stream(stream)
    return None


def _not_found(request: h11.Request, gate: Gate) -> Served:
    """The same answer to every wrong address."""
    here = gate.is_read_here(request)
    return Served(GONE.read_bytes(), b"text/html; charset=utf-8") if here else Served(b"", b"text/plain")


async def _drain_stream(stream: trio.SocketStream) -> None:
    """Let the other end read everything: a connection closed with unread input is reset."""
    with trio.move_on_after(PARTING), suppress(trio.BrokenResourceError):
        await stream.send_eof()
        while await stream.receive_some(CHUNK):
            pass


async def _serve_tab(tab: Tab, free: trio.Semaphore, front: Front) -> None:
    """Serve a tab until it is closed."""
    try:
        free.acquire_nowait()
    except trio.WouldBlock:
        await tab.close(LATER, f"{TABS} pages are open, which is the limit. Close a tab.")
        return
    try:
        await front(tab)
    except* OSError as errors:
        await tab.close(FAULT, f"p2pcards can't start here: {errors.exceptions[0]}"[:120])
    finally:
        free.release()
