"""A tab of the browser at the other end of a WebSocket, and the terminal of the system's own (a pty) in which its
program runs."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import struct
import termios
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import h11
import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Ping, Request, TextMessage
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from p2pcards.web.link import PageGone

# --- a terminal of the system's own (a pty), and the program that runs in it until its last reader goes ---------------


READ_AT_ONCE = 65536
TIME_TO_READ = 5.0
"""Seconds in which a program takes what is typed; then it is lost, as at a terminal that is full."""
TIME_TO_END = 3.0
"""Seconds that a program has to end once its terminal is gone."""
OWN = ("COLUMNS", "LINES", "P2PCARDS_LINE")
"""What the environment says of the terminal in which the server was started."""
KIND = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
"""What xterm.js is."""


@dataclass(frozen=True, slots=True)
class Size:
    columns: int
    lines: int


def read_size(text: str) -> Size | None:
    """A size as the page sends it, such as 80x24."""
    found = re.fullmatch(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})", text)
    return Size(int(found[1]), int(found[2])) if found else None


class Terminal:
    """The side of a terminal where a person sits."""

    def __init__(self, master: int) -> None:
        self._master = master
        self._stream = trio.lowlevel.FdStream(master)

    async def painted(self) -> bytes:
        """What the program has written; empty once it has ended."""
        try:
            return bytes(await self._stream.receive_some(READ_AT_ONCE))
        except trio.BrokenResourceError:  # Linux says so where others say that nothing more comes
            return b""

    async def type(self, keys: bytes) -> None:
        with trio.move_on_after(TIME_TO_READ), suppress(trio.BrokenResourceError):
            await self._stream.send_all(keys)

    def resize(self, size: Size) -> None:
        """The program is told."""
        _set_size(self._master, size)

    async def hang_up(self) -> None:
        """The system tells the program that its terminal is gone, which ends it."""
        await self._stream.aclose()


@asynccontextmanager
async def terminal_with(command: Sequence[str], size: Size) -> AsyncIterator[Terminal]:
    """A terminal in which the command runs; it has ended when this is left. Raises OSError if it cannot be started."""
    master, pid = _start(command, size)
    terminal, ended = Terminal(master), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_keep_going, pid, ended)
        try:
            yield terminal
        finally:
            with trio.CancelScope(shield=True):
                await terminal.hang_up()
                with trio.move_on_after(TIME_TO_END):
                    await ended.wait()
                if not ended.is_set():
                    os.killpg(pid, signal.SIGKILL)
                await ended.wait()


def _start(command: Sequence[str], size: Size) -> tuple[int, int]:
    """The master of a new terminal, and the process that it controls."""
    master, slave = os.openpty()
    try:
        _set_size(master, size)
        # The first terminal that the leader of a session opens becomes its own: keys such as Ctrl-C and hanging up
        # reach it. A server that ignores signals, as under nohup, does not pass that on.
        pid = os.posix_spawn(
            command[0],
            list(command),
            _environment(os.environ),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.ttyname(slave), os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                (os.POSIX_SPAWN_DUP2, 0, 2),
            ],
            setsid=True,
            setsigdef=[signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM],
        )
    except OSError:
        os.close(master)
        raise
    finally:
        os.close(slave)
    return master, pid


def _environment(ours: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in ours.items() if name not in OWN} | KIND


def _set_size(terminal: int, size: Size) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size.lines, size.columns, 0, 0))


async def _keep_going(pid: int, ended: trio.Event) -> None:
    """Until the process has ended. One that stops itself, as at Ctrl-Z, goes on at once: no shell is there to do it."""
    with trio.CancelScope(shield=True):
        while True:
            _, status = await trio.to_thread.run_sync(os.waitpid, pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                break
            os.killpg(pid, signal.SIGCONT)
        ended.set()


# --- a tab of the browser at the other end of a WebSocket -------------------------------------------------------------


CHUNK = 65536
KEYS_LIMIT = 65536
"""Bytes of one message, typed or pasted; the page sends no more at once."""
SIZE_LIMIT = len("999x999")
SAID_LIMIT = 65536
"""Characters of one message of the page of drawn cards."""
PATIENCE = 30.0
"""Seconds in which a browser takes what is painted."""
PARTING = 1.0
"""Seconds in which it takes why it is closed."""

NORMAL, PROTOCOL, POLICY, TOO_LARGE, FAULT, LATER = 1000, 1002, 1008, 1009, 1011, 1013
"""Why a WebSocket is closed (RFC 6455, 7.4.1)."""


class TabGone(Exception):
    """The tab is closed, or has said what no page of ours says."""


class Tab:
    """One tab."""

    def __init__(self, stream: trio.SocketStream, protocol: WSConnection, said_limit: int = SIZE_LIMIT) -> None:
        """said_limit: characters of one text that it says."""
        self._said_limit = said_limit
        self._stream = stream
        self._protocol = protocol
        self._turn = trio.Lock()
        self._length = 0
        self._text = ""

    @property
    def draws(self) -> bool:
        """Whether it shows drawn cards, and no terminal."""
        return self._said_limit == SAID_LIMIT

    async def receive(self) -> bytes | str:
        """Keys as bytes, in pieces as they come; or a size, as the page sends it. Raises TabGone."""
        while True:
            try:
                for event in self._protocol.events():
                    if (said := await self._taken(event)) is not None:
                        return said
                data = await self._stream.receive_some(CHUNK)
                self._protocol.receive_data(data or None)
            except RemoteProtocolError:
                await self.close(PROTOCOL)
                raise TabGone from None
            except (trio.BrokenResourceError, LocalProtocolError):  # it is gone, or has been closed meanwhile
                raise TabGone from None

    async def _taken(self, event: object) -> bytes | str | None:
        match event:
            case TextMessage() | BytesMessage():
                self._length += len(event.data)
                if self._length > (self._said_limit if isinstance(event, TextMessage) else KEYS_LIMIT):
                    await self.close(TOO_LARGE)
                    raise TabGone
                self._length = 0 if event.message_finished else self._length
                if isinstance(event, BytesMessage):
                    return bytes(event.data)
                self._text += event.data
                if event.message_finished:
                    text, self._text = self._text, ""
                    return text
            case Ping():
                await self._send(self._protocol.send(event.response()))
            case CloseConnection():
                await self.close(event.code)
                raise TabGone
        return None

    async def paint(self, data: bytes) -> None:
        """Raises TabGone."""
        try:
            await self._send(self._protocol.send(BytesMessage(data=data)))
        except LocalProtocolError:  # it has been closed meanwhile
            raise TabGone from None

    async def tell(self, text: str) -> None:
        """Raises TabGone."""
        try:
            await self._send(self._protocol.send(TextMessage(data=text)))
        except LocalProtocolError:  # it has been closed meanwhile
            raise TabGone from None

    async def close(self, code: int, reason: str = "") -> None:
        """Said even where its task is cancelled meanwhile. reason: what the page shows; at most 123 bytes."""
        with trio.move_on_after(PARTING, shield=True), suppress(LocalProtocolError, TabGone):
            await self._send(self._protocol.send(CloseConnection(code=code, reason=reason)))

    async def _send(self, data: bytes) -> None:
        try:
            with trio.fail_after(PATIENCE):
                async with self._turn:
                    await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.TooSlowError):
            raise TabGone from None


async def tab_of(
    stream: trio.SocketStream, request: h11.Request, more: bytes, said_limit: int = SIZE_LIMIT
) -> Tab | None:
    """The tab that asks for a WebSocket by this request, None if it asks for what we do not speak. more: what has come
    after the request."""
    protocol = WSConnection(ConnectionType.SERVER)
    try:
        protocol.initiate_upgrade_connection(list(request.headers), request.target)
        if not any(isinstance(event, Request) for event in protocol.events()):
            return None
    except (LocalProtocolError, RemoteProtocolError):
        return None
    await stream.send_all(protocol.send(AcceptConnection()))
    if more:
        protocol.receive_data(more)
    return Tab(stream, protocol, said_limit)


class TabLink:
    """A tab with drawn cards, as `link.PageLink`."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab

    async def send(self, text: str) -> None:
        try:
            await self._tab.tell(text)
        except TabGone:
            raise PageGone from None

    async def receive(self) -> str:
        try:
            said = await self._tab.receive()
        except TabGone:
            raise PageGone from None
        if isinstance(said, str):
            return said
        await self._tab.close(POLICY)
        raise PageGone
