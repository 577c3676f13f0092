"""One end of a WebSocket, apart from the server."""

from __future__ import annotations

import h11
import pytest
import trio

from p2pcards.web.link import PageGone
from p2pcards.web.tab import LATER, accept_tab

UPGRADE = h11.Request(
    method="GET",
    target="/token/front",
    headers=[
        *[("Host", "127.0.0.1:8000"), ("Upgrade", "websocket"), ("Connection", "Upgrade")],
        *[("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==")],
    ],
)
PING = b"\x89\x80" + bytes(4)


async def test_what_comes_after_it_has_been_closed_is_the_end_of_the_tab_and_no_fault() -> None:
    ours, theirs = trio.socket.socketpair()
    with ours, theirs:
        tab = await accept_tab(trio.SocketStream(ours), UPGRADE, b"")
        assert tab is not None
        await tab.close(LATER)
        await theirs.send(PING)
        with pytest.raises(PageGone):
            await tab.receive()
        with pytest.raises(PageGone):
            await tab.send("more")
        await tab.close(LATER)


async def test_who_asks_for_another_version_has_no_tab() -> None:
    ours, theirs = trio.socket.socketpair()
    other = [(name, b"8" if value == b"13" else value) for name, value in UPGRADE.headers]
    with ours, theirs:
        request = h11.Request(method="GET", target="/token/front", headers=other)
        assert await accept_tab(trio.SocketStream(ours), request, b"") is None
