"""The connections of `links/data_channel` where a browser makes them. A worker cannot have one, so the page holds it
(`page/source/connection.ts`), and a port for messages leads there. Each is an array with one of these words in front:

    worker -> page  begin OFFER       describe this end, in an offer or, where OFFER is theirs, in an answer to it
                    answer SDP        theirs
                    candidate LINE    theirs
                    send BYTES
                    read COUNT        so many bytes of what came, with the cost of each message, wait no longer
                    close
    page -> worker  described KIND SDP, candidate LINE
                    opened ADDRESS PORT     of the other end, "" and 0 where the browser does not tell
                    message BYTES, or a text
                    sent COUNT        bytes in all that have left the browser
                    gone FLOODED      nothing more comes; FLOODED: as more came than waits
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import ip_address
from typing import Any

import trio
from js import MessageChannel
from pyodide.ffi import create_proxy, to_js

from p2pcards.links.address import format_address
from p2pcards.links.data_channel import COST, UNREAD, Connect, DirectStream, Prepare
from p2pcards.links.signals import Candidate, Description
from p2pcards.links.tcp import CannotConnect

CONNECTIONS = 32
"""Of one page, at once; a browser has some hundreds."""
SERVERS = 3
"""STUN servers that are asked; more make a browser slow."""
READ = UNREAD // 8
"""Bytes after which the page is told that they were read."""

Hold = Callable[..., None]
"""Takes a port, URLs of STUN servers, UNREAD and COST: has the page hold a connection, to which the port leads."""

_open: set[PageConnection] = set()


def preparer(hold: Hold) -> Prepare:
    """A function that prepares connections held by the page. hold: hands a port to the page."""

    async def prepare(servers: Sequence[tuple[str, int]]) -> Connect:
        await trio.lowlevel.checkpoint()
        return partial(PageConnection, hold, [f"stun:{format_address(*server)}" for server in servers[:SERVERS]])

    return prepare


class PageConnection:
    """A `data_channel.PeerConnection` that the page holds for its worker."""

    def __init__(self, hold: Hold, servers: Sequence[str], stream: DirectStream) -> None:
        if len(_open) >= CONNECTIONS:
            raise CannotConnect(f"This page already has {CONNECTIONS} direct connections, which is the limit.")
        _open.add(self)
        self._stream = stream
        self._given = self._sent = 0
        self._read = 0  # bytes of which the page has not been told
        channel = MessageChannel.new()
        self._port = channel.port1
        self._listens = create_proxy(self._take_event)
        self._port.onmessage = self._listens
        hold(channel.port2, to_js([*servers]), UNREAD, COST)

    def _say(self, *said: object) -> None:
        """Send a message to the page's end of the connection."""
        if self in _open:
            self._port.postMessage(to_js(said))

    # --- what happens in it -------------------------------------------------------------------------------------------

    def _take_event(self, event: Any) -> None:
        what, *given = event.data
        HEARD[what](self, *given)

    def _described(self, kind: Any, sdp: str) -> None:
        self._stream.described(kind, sdp)

    def _note_candidate(self, line: str) -> None:
        self._stream.found_candidate(line)

    def _note_opened(self, address: str, port: int) -> None:
        try:
            place = format_address(str(ip_address(address)), port)
        except ValueError:  # the browser hides it, or tells a name of its own for it
            place = ""
        self._stream.opened(place)

    def _take(self, message: Any) -> None:
        """Take in a message of the peer."""
        self._read += COST
        self._stream.take(message if isinstance(message, str) else message.to_bytes())

    def _note_unsent(self, count: int) -> None:
        self._sent = count

    def _note_closed(self, flooded: bool) -> None:
        if self in _open:
            _open.remove(self)
            self._port.onmessage = None
            self._port.close()
            self._listens.destroy()
            if flooded:
                self._stream.flooded()
            self._stream.gone()

    # --- what is asked of it ------------------------------------------------------------------------------------------

    def begin(self, offer: Description | None) -> None:
        self._say("begin", offer.sdp() if offer is not None else "")

    def take_answer(self, answer: Description) -> None:
        self._say("answer", answer.sdp())

    def try_candidate(self, candidate: Candidate) -> None:
        self._say("candidate", candidate.line())

    def send(self, message: bytes) -> bool:
        self._given += len(message)
        self._say("send", message)
        return self in _open

    def unsent(self) -> int:
        return self._given - self._sent

    def has_read(self, count: int) -> None:
        self._read += count
        if self._read >= READ:
            self._say("read", self._read)
            self._read = 0

    def close(self) -> None:
        self._say("close")


HEARD: dict[str, Callable[..., None]] = {
    "described": PageConnection._described,
    "candidate": PageConnection._note_candidate,
    "opened": PageConnection._note_opened,
    "message": PageConnection._take,
    "sent": PageConnection._note_unsent,
    "gone": PageConnection._note_closed,
}
