"""A tab of the browser at the other end of a WebSocket: JSON texts to and from one page, as `link.PageLink` has it."""

from __future__ import annotations

from contextlib import suppress

import h11
import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Ping, Request, TextMessage
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from p2pcards.web.link import PageGone

CHUNK = 65536
SAID_LIMIT = 65536
"""Characters of one message of the page."""
PATIENCE = 30.0
"""Seconds in which a browser takes what it is told."""
PARTING = 1.0
"""Seconds in which it takes why it is closed."""

PROTOCOL, POLICY, TOO_LARGE, FAULT, LATER = 1002, 1008, 1009, 1011, 1013
"""Why a WebSocket is closed (RFC 6455, 7.4.1)."""


class Tab:
    """One tab."""

    def __init__(self, stream: trio.SocketStream, protocol: WSConnection) -> None:
        self._stream = stream
        self._protocol = protocol
        self._turn = trio.Lock()
        self._text = ""

    async def receive(self) -> str:
        """The next text. Raises PageGone where the tab was closed, or sent what our page never sends."""
        while True:
            try:
                for event in self._protocol.events():
                    if (said := await self._taken(event)) is not None:
                        return said
                data = await self._stream.receive_some(CHUNK)
                self._protocol.receive_data(data or None)
            except RemoteProtocolError:
                await self.close(PROTOCOL)
                raise PageGone from None
            except (trio.BrokenResourceError, LocalProtocolError):  # it is gone, or has been closed meanwhile
                raise PageGone from None

    async def _taken(self, event: object) -> str | None:
        """The text in an event of the WebSocket, None where it brings none."""
        match event:
            case TextMessage():
                self._text += event.data
                if len(self._text) > SAID_LIMIT:
                    await self.close(TOO_LARGE)
                    raise PageGone
                if event.message_finished:
                    text, self._text = self._text, ""
                    return text
            case BytesMessage():
                await self.close(POLICY)
                raise PageGone
            case Ping():
                await self._send(self._protocol.send(event.response()))
            case CloseConnection():
                await self.close(event.code)
                raise PageGone
        return None

    async def send(self, text: str) -> None:
        """Raises PageGone."""
        try:
            await self._send(self._protocol.send(TextMessage(data=text)))
        except LocalProtocolError:  # it has been closed meanwhile
            raise PageGone from None

    async def close(self, code: int, reason: str = "") -> None:
        """Close the tab, even in a cancelled task. reason: shown by the page; at most 123 bytes."""
        with trio.move_on_after(PARTING, shield=True), suppress(LocalProtocolError, PageGone):
            await self._send(self._protocol.send(CloseConnection(code=code, reason=reason)))

    async def _send(self, data: bytes) -> None:
        """Write bytes to the stream. Raises PageGone."""
        try:
            with trio.fail_after(PATIENCE):
                async with self._turn:
                    await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.TooSlowError):
            raise PageGone from None


async def accept_tab(stream: trio.SocketStream, request: h11.Request, more: bytes) -> Tab | None:
    """The tab that this request opens as a WebSocket, None for anything else. more: bytes that came after the
    request."""
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
    return Tab(stream, protocol)
