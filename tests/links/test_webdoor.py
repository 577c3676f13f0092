"""What a browser finds at the port of a table: the files of the page and nothing else, whatever is asked; and who comes
to the table over a WebSocket, over TCP, or from a page."""

from __future__ import annotations

import gzip
import math
import re
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from hashlib import sha256
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2pcards.links import tcp
from p2pcards.links.channel import Channel, CutOff, open_channel
from p2pcards.links.door import keep_door
from p2pcards.links.head import HEAD
from p2pcards.links.link import LinkLost
from p2pcards.links.webdoor import CONTENT_POLICY, DEADLINE, PATIENCE, REQUESTS, WebDoor
from p2pcards.links.websocket import connect_websocket
from p2pcards.page.files import INLINE, PageFile, page_hash, whole_page_files
from p2pcards.wire.keys import public_bytes
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait
from rigs.websockets import HERE, as_page, upgrade

SCRIPT = gzip.compress(b"let table = 1;\n" * 100, mtime=0)
LARGE = bytes(range(256)) * 40_000
FILES = {
    "index.html": PageFile(b"<!doctype html>", "text/html; charset=utf-8", "", lasting=False),
    "page.0a1b.js": PageFile(SCRIPT, "text/javascript; charset=utf-8", "gzip", lasting=True),
    "large.wasm": PageFile(LARGE, "application/wasm", "", lasting=True),
}


async def welcome(channel: Channel) -> None:
    await channel.send(channel.where.encode())
    with pytest.raises(LinkLost):
        await channel.receive()
    await channel.aclose()


@asynccontextmanager
async def door(**how: Any) -> AsyncIterator[int]:
    """The port of a table with a page. how: as in `keep_door`."""
    (listener,) = await tcp.listen(0, HERE)
    wants: dict[str, Any] = {"identity": BEN, "on_channel": welcome, "web": WebDoor(FILES), **how}
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(keep_door, [listener], **wants))
        yield tcp.port_of(listener)
        nursery.cancel_scope.cancel()


async def asked(port: int, request: bytes) -> bytes:
    """All that comes until the connection is closed."""
    async with await tcp.connect(HERE, port, deadline=longest_wait()) as stream:
        await stream.send_all(request)
        come = b""
        try:
            while some := await stream.receive_some():
                come += some
        except trio.BrokenResourceError:
            pass
        return come


def got(path: str, *headers: str, method: str = "GET") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 192.0.2.7:4747", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def parts(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in lines), body


# --- the files --------------------------------------------------------------------------------------------------------


async def test_the_files_of_the_page_are_served_as_they_are_kept() -> None:
    with trio.fail_after(longest_wait()):
        async with door() as port:
            for path, name in (("/", "index.html"), *[(f"/{name}", name) for name in FILES]):
                file = FILES[name]
                status, headers, body = parts(await asked(port, got(path, "Accept-Encoding: gzip, deflate")))
                assert (status, body, headers["Content-Type"]) == (200, file.body, file.kind)
                assert headers["Content-Length"] == str(len(body))
                assert headers.get("Content-Encoding", "") == file.encoding
                kept = "public, max-age=31536000, immutable" if file.lasting else "no-cache"
                assert headers["Cache-Control"] == kept
                assert headers["ETag"] == f'"{sha256(file.body).hexdigest()[:32]}"'
                only_head = await asked(port, got(path, method="HEAD"))
                assert parts(only_head)[0] == 200 and parts(only_head)[2] == b""
                assert parts(only_head)[1] | {"Date": ""} == headers | {"Date": ""}
                for tags in (headers["ETag"], f'"other", W/{headers["ETag"]}'):
                    status, again, body = parts(await asked(port, got(path, f"If-None-Match: {tags}")))
                    assert (status, again["ETag"], body) == (304, headers["ETag"], b"")


async def test_every_answer_says_what_a_browser_may_do_with_it() -> None:
    requests = [got("/"), got("/no"), got("/table"), got("/", method="POST"), got("/", method="HEAD"), b"what?\r\n\r\n"]
    requests += [got("/", "X: " + 3 * HEAD * "x")]
    with trio.fail_after(longest_wait()):
        async with door() as port:
            found = [parts(await asked(port, request)) for request in requests]
    assert [status for status, _, _ in found] == [200, 404, 426, 405, 200, 400, 431]
    for _, headers, _ in found:
        assert headers["Content-Security-Policy"] == CONTENT_POLICY
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "unsafe-inline" not in CONTENT_POLICY and "default-src 'none'" in CONTENT_POLICY


ODD = [
    b"GET / HTTP/1.1\nHost: a\n\n",
    b"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
]
ODD += [
    b"GET / HTTP/1.1\r\nHost: a\r\n\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n",
    b"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
]


async def test_a_head_has_its_bound_however_it_comes_and_lines_as_they_have_to_be() -> None:
    def as_long_as(size: int) -> bytes:
        return got("/", f"X: {(size - len(got('/', 'X: '))) * 'x'}")

    with trio.fail_after(longest_wait()):
        async with door() as port:
            assert [len(as_long_as(size)) for size in (HEAD, HEAD + 1)] == [HEAD, HEAD + 1]
            for size, status in ((HEAD, 200), (HEAD + 1, 431), (32_000, 431)):
                assert parts(await asked(port, as_long_as(size)))[0] == status
            assert [parts(await asked(port, odd))[0] for odd in ODD] == len(ODD) * [400]


@pytest.mark.parametrize(
    ("accepts", "status"),
    [
        ("", 406),
        ("identity", 406),
        ("br", 406),
        ("gzip;q=0", 406),
        ("gzip;q=0.0, br", 406),
        ("gzip", 200),
        ("br, GZIP;q=0.5", 200),
        ("*", 200),
    ],
)
def test_a_file_is_never_sent_to_who_does_not_take_it_so(accepts: str, status: int) -> None:
    import h11

    request = h11.Request(method="GET", target="/page.0a1b.js", headers=[("Host", "a"), ("Accept-Encoding", accepts)])
    assert WebDoor(FILES).answer(request).status == status


NOWHERE = (
    *(
        "/no",
        "//",
        "//index.html",
        "/index.html/",
        "/../index.html",
        "/./index.html",
        "/%2e%2e/files.py",
        "/index%2ehtml",
    ),
    *("/..%2f..%2fetc/passwd", "/etc/passwd", "/built/index.html", "/INDEX.HTML", "/index.html%00", "/table/", "*"),
    *("http://192.0.2.7/index.html", "192.0.2.7:80", "/<script>alert(1)</script>", "/?/../../etc/passwd/..\\files.py"),
)


async def test_there_is_nothing_else_and_nothing_of_a_request_comes_back() -> None:
    with trio.fail_after(longest_wait()):
        async with door() as port:
            for path in NOWHERE:
                status, _, body = parts(await asked(port, got(path)))
                assert status == (200 if path.startswith("/?") else 404), path
                assert body == FILES["index.html"].body if status == 200 else body.startswith(b"Nothing here.")
            marked = "marked-7f3a"
            for request in (got(f"/?{marked}"), got(f"/{marked}", f"X: {marked}"), got("/", method=marked)):
                assert marked.encode() not in await asked(port, request)


async def test_a_link_whose_sign_was_encoded_on_its_way_leads_to_the_page() -> None:
    with trio.fail_after(longest_wait()):
        async with door() as port:
            for path in (
                "/%237-acorn-zebra",
                "/%237%E2%80%93acorn%E2%80%93zebra?fbclid=x",
                "/index.html%237-acorn-zebra",
            ):
                status, _, body = parts(await asked(port, got(path)))
                assert (status, body) == (200, FILES["index.html"].body), path


def test_the_page_that_stands_here_is_whole() -> None:
    assert whole_page_files()["index.html"].kind.startswith("text/html")
    assert re.fullmatch(r"[0-9a-f]{64}", page_hash())
    for name, file in whole_page_files().items():
        assert re.fullmatch(r"[\w-]+([./][\w-]+)*", name) and file.encoding in ("", "gzip", "br") and file.body
    page = whole_page_files()["index.html"].content
    assert not re.search(rb"<style|\son\w+=|style=", page)
    (script,) = re.findall(rb"<script>(.*?)</script>", page, re.DOTALL)
    assert f"'sha256-{b64encode(sha256(script).digest()).decode()}'" == INLINE, "no policy lets another one run"


# --- one connection ---------------------------------------------------------------------------------------------------


async def test_a_connection_takes_request_after_request_and_not_without_end() -> None:
    ask = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    with trio.fail_after(longest_wait()):
        async with door() as port:
            assert (await asked(port, (REQUESTS + 5) * ask)).count(b"HTTP/1.1 200 ") == REQUESTS
            old = await asked(port, b"GET / HTTP/1.0\r\n\r\n" + ask)
            assert old.count(b"HTTP/1.1 ") == 1


SMUGGLED = b"GET /index.html HTTP/1.1\r\nHost: a\r\n\r\n"
SMUGGLING = {
    "a body": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(SMUGGLED),
    "a body of a GET": b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(SMUGGLED),
    "two lengths": b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n",
    "a length and chunks": b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    b"\r\n",
    "chunks": b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "hidden chunks": b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a space before the colon": b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\n",
    "a negative length": b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "a NUL": b"GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n",
    "a CR alone": b"GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n",
    "an upgrade with a body": b"GET /table HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: p2pcards.1\r\nContent-Length: 5\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01",
}


@pytest.mark.parametrize("what", SMUGGLING)
async def test_a_request_that_two_programs_could_read_otherwise_ends_the_connection(what: str) -> None:
    """One answer at the most, and none to what comes behind it."""
    with trio.fail_after(longest_wait()):
        async with door() as port:
            answer = await asked(port, SMUGGLING[what] + SMUGGLED)
    assert answer.count(b"HTTP/1.1 ") == 1 and parts(answer)[0] in (400, 405), what
    assert b"<!doctype" not in answer


async def test_a_request_has_its_time_and_so_has_each_part_of_an_answer(autojump_clock: MockClock) -> None:
    async with door() as port:
        for begun in (b"", b"G", b"GET / HTTP/1.1\r\nHost: a\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"):
            async with await tcp.connect(HERE, port, deadline=math.inf) as stream:
                started = trio.current_time()
                await stream.send_all(begun)
                while await stream.receive_some():
                    pass
                assert DEADLINE <= trio.current_time() - started <= DEADLINE + 3
        async with await tcp.connect(HERE, port, deadline=math.inf) as stream:
            started = trio.current_time()
            await stream.send_all(b"GET /large.wasm HTTP/1.1\r\nHost: a\r\n\r\n")
            await trio.sleep(PATIENCE + 5)  # reads nothing, and is hung up on
            come = 0
            while some := await stream.receive_some():
                come += len(some)
            assert come < len(LARGE)


async def test_a_file_that_is_read_slowly_comes_whole(autojump_clock: MockClock) -> None:
    async with door() as port, await tcp.connect(HERE, port, deadline=math.inf) as stream:
        await stream.send_all(got("/large.wasm"))
        come = b""
        while some := await stream.receive_some(200_000):
            come += some
            await trio.sleep(5)
        assert come.endswith(LARGE)


# --- who comes to the table -------------------------------------------------------------------------------------------


async def visit(stream: trio.abc.Stream) -> str:
    """Where the waiter sees us."""
    channel = await open_channel(
        stream, initiator=True, identity=ANNA, pin=public_bytes(BEN), where="there", deadline=longest_wait()
    )
    try:
        return (await channel.receive()).decode()
    finally:
        await channel.aclose()


async def test_one_port_takes_calls_over_tcp_and_over_websockets() -> None:
    with trio.fail_after(longest_wait()):
        async with door() as port:
            assert (await visit(await tcp.connect(HERE, port, deadline=longest_wait()))).startswith("tcp 127.0.0.1:")
            assert (await visit(await connect_websocket(f"ws://{HERE}:{port}", longest_wait()))).startswith(
                "web 127.0.0.1:"
            )
            with pytest.raises(Exception, match="There's no card table at"):
                await connect_websocket(f"ws://{HERE}:{port}/elsewhere", longest_wait())


@pytest.mark.parametrize("origin", ["http://127.0.0.1", "https://cards.example", "null", ""])
async def test_who_calls_from_a_page_is_asked_as_one_who_does_whatever_the_page_is(origin: str) -> None:
    async def nobody(channel: Channel) -> bool:
        await channel.aclose()
        return False

    with trio.fail_after(longest_wait()):
        async with door(admit_page=nobody) as port:
            assert await visit(await as_page(port))
            with pytest.raises((LinkLost, CutOff)):
                await visit(await as_page(port, origin))


@pytest.mark.parametrize("begun", [b"", b"GET /", upgrade(), b"\x00"], ids=["silent", "head", "websocket", "channel"])
async def test_300_connections_that_go_no_further_keep_nobody_out(begun: bytes) -> None:
    with trio.fail_after(longest_wait()):
        async with door(half_open_limit=16, deadline=math.inf) as port, AsyncExitStack() as stack:
            for _ in range(300):
                stream = await stack.enter_async_context(await tcp.connect(HERE, port, deadline=longest_wait()))
                await stream.send_all(begun)
            assert (await visit(await connect_websocket(f"ws://{HERE}:{port}", longest_wait()))).startswith("web ")
            assert parts(await asked(port, got("/")))[0] == 200


async def test_garbage_ends_its_connection_and_nothing_else() -> None:
    async def flood(stream: trio.abc.Stream, data: bytes) -> None:
        try:
            for _ in range(8):
                await stream.send_all(data)
        except trio.BrokenResourceError:
            pass
        await trio.aclose_forcefully(stream)

    with trio.fail_after(longest_wait()):
        async with door() as port:
            for garbage in (b"x" * 1_000_000, b"\0" * 1_000_000, b"GET / HTTP/1.1\r\nX: " + b"y" * 1_000_000):
                await flood(await tcp.connect(HERE, port, deadline=longest_wait()), garbage)
                await flood(await as_page(port), garbage)
                raw = await as_page(port)
                await flood(raw._transport, garbage)
            assert await visit(await connect_websocket(f"ws://{HERE}:{port}", longest_wait()))
