"""The byte stream of `links/websocket` where a browser makes the WebSocket, to a table (protocol/websocket.md) or to a
broker. What is read here comes from the browser, which has checked the frames; how long they are, and of what kind, is
checked here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import js
import trio
from pyodide.ffi import JsException, create_proxy, to_js

from p2pcards.links.address import MESSAGE, SUBPROTOCOL, WebAddress, parse_web
from p2pcards.links.link import StreamFailed, must_be_some
from p2pcards.links.tcp import CannotConnect

if TYPE_CHECKING:  # few pages need them
    from p2pcards.links.broker import Dial
    from p2pcards.links.broker_address import BrokerAddress

UNREAD = 1 << 23
"""Bytes that may have come and not been read; a browser takes as many as the other side sends."""
UNSENT = 1 << 18
"""Bytes that the browser may hold back before more is given to it."""
LOOKING = 0.02
"""Seconds before looking again how many these are: no event tells."""
HERE = ("localhost", "127.0.0.1", "::1")
"""Names of this machine."""
OPEN = 1
"""As `WebSocket.readyState`."""
NORMAL = 1000
"""Why it is closed (RFC 6455, 7.4.1)."""

Kept = Callable[[], Awaitable[None]]
"""Returns when all is kept that was written."""


def web_connector(kept: Kept, called: Callable[[], object]) -> Callable[[str, float], Awaitable[trio.abc.Stream]]:
    """`connect_websocket` for a page. kept: awaited before anything is sent; called: called when the other side is
    reached."""

    async def connect_websocket(address: str, deadline: float) -> trio.abc.Stream:
        """The stream to who waits at `ws://HOST[:PORT][/PATH]` or `wss://...`, within `deadline` seconds. Raises
        CannotConnect, and BadAddress."""
        there = parse_web(address)
        stream = BrowserStream(_open_socket(there), kept, SUBPROTOCOL, MESSAGE)
        with trio.move_on_after(deadline) as waiting:
            await stream.opened()
        if waiting.cancelled_caught or not stream.is_open:
            await trio.aclose_forcefully(stream)
            raise CannotConnect((_FORBIDDEN if _is_blocked_by_browser(there) else _NO_ANSWER).format(there=there))
        called()
        return stream

    return connect_websocket


_FORBIDDEN = (
    "A page loaded over https can't connect to {there}. "
    "Open your friend's link, or ask for an address that starts with wss://."
)
_NO_ANSWER = (
    "No answer from {there}: the table may be closed, or a firewall may block WebSockets. "
    "Ask your friend for a new link."
)


def _is_blocked_by_browser(there: WebAddress) -> bool:
    """Return whether browsers block a page that was loaded like this one from calling there; some only fail."""
    return js.location.protocol == "https:" and not there.secure and there.host not in HERE


def _open_socket(there: WebAddress) -> Any:
    """A WebSocket that is opening. Raises CannotConnect."""
    try:
        return _new_socket(there, SUBPROTOCOL)
    except JsException as error:
        if error.name == "SecurityError":
            raise CannotConnect(_FORBIDDEN.format(there=there)) from None
        raise CannotConnect(f"This browser doesn't accept the address {there}. Check it against the link.") from None


def _new_socket(there: WebAddress, subprotocol: str) -> Any:
    """A WebSocket that is opening. Raises JsException."""
    scheme, host = ("wss" if there.secure else "ws"), f"[{there.host}]" if ":" in there.host else there.host
    return js.WebSocket.new(f"{scheme}://{host}:{there.port}{there.path}", to_js([subprotocol]))


def broker_dialer(kept: Kept) -> Dial:
    """`dial_broker` for a page, to brokers at `wss://`. kept: as in `web_connector`."""

    async def dial_broker(there: BrokerAddress) -> trio.abc.Stream:
        """Raises BrokerLost."""
        from p2pcards.links.broker import BrokerLost
        from p2pcards.links.broker_dial import LONGEST_MESSAGE, SUBPROTOCOL

        assert there.web is not None, "a browser has nothing but WebSockets"
        try:
            socket = _new_socket(there.web, SUBPROTOCOL)
        except JsException:
            raise BrokerLost(_NO_BROKER_ADDRESS.format(there=there)) from None
        stream = BrowserStream(socket, kept, SUBPROTOCOL, LONGEST_MESSAGE)
        try:
            await stream.opened()
            if not stream.is_open:
                raise BrokerLost(_BROKER_CLOSED.format(there=there, port=there.port))
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream

    return dial_broker


_NO_BROKER_ADDRESS = "This browser doesn't accept the broker address {there}. Check your settings."
_BROKER_CLOSED = (
    "This browser can't connect to {there}: you may be offline, or the broker may be down or blocked (port {port}). "
    "Try again later."
)


class BrowserStream(trio.abc.HalfCloseableStream):
    """A byte stream over a WebSocket. It ends with the other side's Close; without one, or at a breach of the protocol,
    it raises StreamFailed."""

    def __init__(self, socket: Any, kept: Kept, subprotocol: str, longest: int) -> None:
        """kept: as in `web_connector`; longest: bytes of an incoming message."""
        socket.binaryType = "arraybuffer"
        self._socket = socket
        self._kept = kept
        self._subprotocol = subprotocol
        self._longest = longest
        self._arrived = bytearray()
        self._over = False
        self._failed = ""
        self._closed = False
        self._news = trio.Event()
        self._sending = trio.Lock()
        self._listens = {
            "onopen": create_proxy(lambda _event: self._wake_waiters()),
            "onmessage": create_proxy(self._take),
            "onclose": create_proxy(self._note_close),
        }
        for name, listener in self._listens.items():
            setattr(socket, name, listener)

    # --- what the browser tells ---------------------------------------------------------------------------------------

    def _take(self, event: Any) -> None:
        if isinstance(event.data, str):
            self._fail_stream("a text message")
        elif event.data.byteLength > self._longest:
            self._fail_stream(f"a message of more than {self._longest:,} bytes")
        elif len(self._arrived) > UNREAD:
            self._fail_stream("more data than this page can handle")
        else:
            self._arrived += event.data.to_bytes()
            self._wake_waiters()

    def _note_close(self, event: Any) -> None:
        self._over = True
        if not event.wasClean and not self._failed:
            self._failed = "The connection dropped."
        self._wake_waiters()

    def _fail_stream(self, what: str) -> None:
        self._failed = f"The other side broke the WebSocket rules ({what}), so the connection was closed."
        self._socket.close()
        self._wake_waiters()

    def _wake_waiters(self) -> None:
        self._news.set()
        self._news = trio.Event()

    # --- the stream ---------------------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        return bool(self._socket.readyState == OPEN and self._socket.protocol == self._subprotocol)

    async def opened(self) -> None:
        """Wait until it is open, or has failed to open."""
        while not self._over and self._socket.readyState != OPEN:
            await self._news.wait()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        must_be_some(max_bytes)
        await trio.lowlevel.checkpoint()
        while not self._arrived and not self._over and not self._failed and not self._closed:
            await self._news.wait()
        if self._closed:
            raise trio.ClosedResourceError
        if self._failed and not self._arrived:
            raise StreamFailed(self._failed)
        some = bytes(self._arrived[:max_bytes])
        del self._arrived[: len(some)]
        return some

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        async with self._sending:
            await self._kept()
            for at in range(0, len(data), MESSAGE):
                await self._wait_until_drained()
                self._socket.send(to_js(bytes(data[at : at + MESSAGE])))

    async def wait_send_all_might_not_block(self) -> None:
        async with self._sending:
            await self._wait_until_drained()

    async def _wait_until_drained(self) -> None:
        await trio.lowlevel.checkpoint()
        self._check_open()
        while self._socket.bufferedAmount > UNSENT:
            await trio.sleep(LOOKING)
            self._check_open()

    def _check_open(self) -> None:
        if self._closed:
            raise trio.ClosedResourceError
        if self._failed:
            raise StreamFailed(self._failed)
        if self._socket.readyState != OPEN:
            raise trio.BrokenResourceError("the WebSocket is closed")

    async def send_eof(self) -> None:
        async with self._sending:
            await trio.lowlevel.checkpoint()
            self._socket.close(NORMAL)

    async def aclose(self) -> None:
        if not self._closed:
            self._closed = True
            self._socket.close(NORMAL)
            for name, listener in self._listens.items():
                setattr(self._socket, name, None)
                listener.destroy()
            self._wake_waiters()
        await trio.lowlevel.checkpoint()
