"""The server: connections come from this machine alone, each has one request, and a tab keeps its own; who is let
in, and the files of the page."""

from __future__ import annotations

import errno
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import h11
import trio

from p2pcards.page.files import table_files
from p2pcards.web.link import PageLink
from p2pcards.web.tab import (
    FAULT,
    LATER,
    NORMAL,
    POLICY,
    SAID_LIMIT,
    SIZE_LIMIT,
    Tab,
    TabGone,
    TabLink,
    Terminal,
    read_size,
    tab_of,
    terminal_with,
)

# --- who is let in ----------------------------------------------------------------------------------------------------


HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
USUAL_PORT = 80
SCREEN, FRONT = "screen", "front"
"""What pages ask for to have a WebSocket: that of the terminal, and that of drawn cards."""
HERE = "here"
"""What a page of drawn cards asks for to know that the daemon of this machine is at the other end."""


@dataclass(frozen=True, slots=True)
class Gate:
    """port: where the server listens; token: what nobody can guess, and the address begins with."""

    port: int
    token: str

    @property
    def address(self) -> str:
        return f"http://{HOST}{self._colon_port}/{self.token}/"

    def asked_for(self, request: h11.Request) -> str | None:
        """What the request asks for, by the name that follows the token; None for one who is not let in.

        A page of another site that has its name point here (DNS rebinding) sends that name as its Host, and one that
        opens a WebSocket here its own Origin."""
        host = _only(request, b"host")
        if not self.is_read_here(request):
            return None
        before, token, name = request.target.split(b"/") if request.target.count(b"/") == 2 else (b"", b"", b"")
        if before or not secrets.compare_digest(token, self.token.encode()):
            return None
        upgrades = (_only(request, b"upgrade") or "").lower() == "websocket"
        from_page = _only(request, b"origin") == f"http://{host}"
        if upgrades != (name in (SCREEN.encode(), FRONT.encode())) or (upgrades and not from_page):
            return None
        return name.decode("ascii", "replace")

    def is_read_here(self, request: h11.Request) -> bool:
        """Whether the request reads something of this server, by a name of this machine."""
        return request.method == b"GET" and _only(request, b"host") in [name + self._colon_port for name in NAMES]

    @property
    def _colon_port(self) -> str:
        """As browsers write it; they leave out the usual one."""
        return "" if self.port == USUAL_PORT else f":{self.port}"


def _only(request: h11.Request, header: bytes) -> str | None:
    """The value of a header that is there once."""
    values = [value for name, value in request.headers if name == header]
    return values[0].decode("ascii", "replace") if len(values) == 1 else None


# --- the files of the page, and what the browser may do with them -----------------------------------------------------


FOLDER = Path(__file__).parent / "page"

FILES = {
    "terminal": ("terminal.html", b"text/html; charset=utf-8"),
    "terminal.css": ("terminal.css", b"text/css; charset=utf-8"),
    "terminal.js": ("terminal.js", b"text/javascript; charset=utf-8"),
    "xterm.css": ("xterm.css", b"text/css; charset=utf-8"),
    "xterm.mjs": ("xterm.mjs", b"text/javascript; charset=utf-8"),
}
"""By the name that follows the token: the file of the terminal, and its kind."""

TERMINAL_POLICY = (
    # xterm.js writes its colours and sizes into the page as styles.
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
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


GONE = ("gone.html", b"text/html; charset=utf-8")
"""What somebody sees whose address is wrong or old."""


@dataclass(frozen=True, slots=True)
class Served:
    """What is answered. policy: what the browser may do with it."""

    body: bytes
    kind: bytes
    policy: str = PAGE_POLICY
    encoding: str = ""


def page_file(name: str) -> Served | None:
    """What stands at this name, None for nothing: the terminal, or the page of drawn cards."""
    if name in FILES:
        file, kind = FILES[name]
        return Served((FOLDER / file).read_bytes(), kind, TERMINAL_POLICY)
    if name == HERE:
        return Served(b"p2pcards\n", b"text/plain")
    page = table_files().get(name or "index.html")
    return Served(page.body, page.kind.encode(), encoding=page.encoding) if page else None


# --- the server -------------------------------------------------------------------------------------------------------


HALF_OPEN_LIMIT = 16
TABS = 8
"""Tabs at once; each is a process of some 60 MB."""
DEADLINE = 10.0
"""Seconds for a request and its answer, and for a new tab to say how large it is."""
PARTING = 1.0
"""Seconds until a connection is cut whose other end does not close it."""
HEAD_LIMIT = 16384
LIMITS = {SCREEN: SIZE_LIMIT, FRONT: SAID_LIMIT}
"""Characters of one text over each WebSocket."""
CHUNK = 16384
EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}
BACK_OFF = 0.1


Front = Callable[[PageLink], Awaitable[None]]
"""Serves one page of drawn cards, until it goes."""


async def serve(listener: trio.SocketListener, gate: Gate, command: Sequence[str], front: Front) -> None:
    """Until cancelled; every program that runs in a tab has ended then. command: what runs in the terminal of a tab.

    When more than `HALF_OPEN_LIMIT` connections wait for their request or its answer, the oldest is hung up on: a
    client that opens many and says nothing keeps nobody out."""
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
                tab = await _answered(stream, gate)
            if scope in half_open:
                half_open.remove(scope)
            if tab is not None:
                await _keep(tab, free, partial(front, TabLink(tab)) if tab.draws else partial(_run_in, tab, command))
                await _part(stream)

    async with listener, trio.open_nursery() as nursery:
        while True:
            try:
                nursery.start_soon(greet, await listener.accept())
            except OSError as error:
                if error.errno not in EXHAUSTED:
                    raise
                await trio.sleep(BACK_OFF)


async def _answered(stream: trio.SocketStream, gate: Gate) -> Tab | None:
    """Answer one request; the tab, if it asks for a screen. One who is not let in learns nothing but that."""
    http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_LIMIT)
    while (event := http.next_event()) is h11.NEED_DATA:
        http.receive_data(await stream.receive_some(CHUNK))
    if not isinstance(event, h11.Request):
        return None
    name = gate.asked_for(event)
    if name in LIMITS and (tab := await tab_of(stream, event, http.trailing_data[0], LIMITS[name])) is not None:
        return tab
    found = page_file(name) if name is not None else None
    status, served = (200, found) if found else (404, _nothing(event, gate))
    body = served.body
    headers = [*HEADERS, (b"Content-Security-Policy", served.policy.encode())]
    headers += [(b"Content-Type", served.kind), (b"Content-Length", str(len(body)).encode())]
    headers += [(b"Content-Encoding", served.encoding.encode())] if served.encoding else []
    response = h11.Response(status_code=status, headers=headers)
    await stream.send_all(
        b"".join([http.send(part) or b"" for part in (response, h11.Data(data=body), h11.EndOfMessage())])
    )
    await _part(stream)
    return None


def _nothing(request: h11.Request, gate: Gate) -> Served:
    """The same for every wrong address."""
    file, kind = GONE
    here = gate.is_read_here(request)
    return Served((FOLDER / file).read_bytes(), kind, TERMINAL_POLICY) if here else Served(b"", b"text/plain")


async def _part(stream: trio.SocketStream) -> None:
    """Let the other end read all that was sent: a connection closed with something unread in it is cut."""
    with trio.move_on_after(PARTING), suppress(trio.BrokenResourceError):
        await stream.send_eof()
        while await stream.receive_some(CHUNK):
            pass


async def _keep(tab: Tab, free: trio.Semaphore, run: Callable[[], Awaitable[None]]) -> None:
    """Until the tab is closed or what runs in it has ended."""
    try:
        free.acquire_nowait()
    except trio.WouldBlock:
        await tab.close(LATER, f"{TABS} screens are open, and there is no room for another. Close one of the tabs.")
        return
    try:
        await run()
    except* TabGone:
        pass
    except* OSError as errors:
        await tab.close(FAULT, f"p2pcards cannot be started here: {errors.exceptions[0]}"[:120])
    finally:
        free.release()


async def _run_in(tab: Tab, command: Sequence[str]) -> None:
    size = None
    with trio.move_on_after(DEADLINE):
        said = await tab.receive()
        size = read_size(said) if isinstance(said, str) else None
    if size is None:
        await tab.close(POLICY)
        return
    async with terminal_with(command, size) as terminal, trio.open_nursery() as nursery:
        nursery.start_soon(_type, tab, terminal)
        while painted := await terminal.painted():
            await tab.paint(painted)
        await tab.close(NORMAL)
        nursery.cancel_scope.cancel()


async def _type(tab: Tab, terminal: Terminal) -> None:
    while True:
        said = await tab.receive()
        if isinstance(said, bytes):
            await terminal.type(said)
        elif (size := read_size(said)) is not None:
            terminal.resize(size)
        else:
            await tab.close(POLICY)
            raise TabGone
