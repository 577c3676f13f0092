"""Two ends of a WebSocket as the program opens them, and a WebSocket as a browser opens it for a page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import trio

from p2pcards.links import tcp
from p2pcards.links.webdoor import WebDoor
from p2pcards.links.websocket import WebSocketStream, connect_websocket
from rigs.giving_up import longest_wait

HERE = "127.0.0.1"


@asynccontextmanager
async def both_ends() -> AsyncIterator[tuple[WebSocketStream, WebSocketStream]]:
    """The caller's and the waiter's, over TCP; who takes them closes them."""
    (listener,) = await tcp.listen(0, HERE)
    came: list[WebSocketStream] = []

    async def wait() -> None:
        who = await WebDoor({}).caller(await listener.accept())
        assert who is not None and isinstance(who.stream, WebSocketStream)
        came.append(who.stream)

    async with listener, trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        called = await connect_websocket(f"ws://{HERE}:{tcp.port_of(listener)}", longest_wait())
    yield called, came[0]


def upgrade(origin: str | None = None) -> bytes:
    """The request of a page for the WebSocket of a table; None: of a program that is no page."""
    lines = ["GET /table HTTP/1.1", "Host: cards.example", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"]
    lines += ["Sec-WebSocket-Protocol: p2pcards.1", *([] if origin is None else [f"Origin: {origin}"])]
    return "\r\n".join([*lines, "", ""]).encode()


async def as_page(port: int, origin: str | None = None) -> WebSocketStream:
    """A WebSocket as a browser opens it for a page of this origin."""
    stream = await tcp.connect(HERE, port, deadline=longest_wait())
    await stream.send_all(upgrade(origin))
    assert (await stream.receive_some()).startswith(b"HTTP/1.1 101 ")
    return WebSocketStream(stream, client=True)


@asynccontextmanager
async def as_websocket(port: int) -> AsyncIterator[int]:
    """Another port, at which the program that waits at this one on TCP can be called over a WebSocket."""

    async def carry(there: trio.abc.Stream, here: trio.abc.Stream, scope: trio.CancelScope) -> None:
        with suppress(trio.BrokenResourceError):
            while some := await there.receive_some():
                await here.send_all(some)
        scope.cancel()

    async def take(stream: trio.SocketStream) -> None:
        if (who := await WebDoor({}).caller(stream)) is None:
            return
        program = await tcp.connect(HERE, port, deadline=longest_wait())
        async with who.stream, program, trio.open_nursery() as both:
            both.start_soon(carry, who.stream, program, both.cancel_scope)
            both.start_soon(carry, program, who.stream, both.cancel_scope)

    (listener,) = await tcp.listen(0, HERE)
    async with listener, trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, take, [listener])
        yield tcp.port_of(listener)
        nursery.cancel_scope.cancel()
