"""A WebSocket as a byte stream: the opening of both sides, what the framing allows, and that whatever else comes ends
the connection with one sentence."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from random import Random

import h11
import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from making.vectors import BINARY, CLOSE, CONTINUATION, LAST, MASK, PING, PONG, ws_frame
from p2pcards.links import tcp
from p2pcards.links.address import MESSAGE, BadAddress, parse_web
from p2pcards.links.head import HEAD
from p2pcards.links.link import StreamFailed
from p2pcards.links.tcp import CannotConnect, write_now
from p2pcards.links.webdoor import WebDoor
from p2pcards.links.websocket import (
    EMPTY,
    WebSocketStream,
    answer_to,
    connect_websocket,
    host_header,
    open_websocket,
)
from rigs.fuzzing import mutated
from rigs.giving_up import longest_wait
from rigs.lab_certificates import LabAuthority, server_context
from rigs.websockets import HERE, both_ends


async def read(stream: WebSocketStream) -> bytes:
    """All that comes, to its end."""
    come = b""
    while some := await stream.receive_some():
        come += some
    return come


async def read_frames(sent: bytes, client: bool = False) -> bytes:
    ours, theirs = memory_stream_pair()
    async with theirs:
        await theirs.send_all(sent)
        await theirs.send_eof()
        return await read(WebSocketStream(ours, client=client))


# --- the stream -------------------------------------------------------------------------------------------------------


async def test_whatever_is_written_comes_in_order_and_each_side_sees_the_end_of_the_other() -> None:
    chance = Random(1)
    with trio.fail_after(longest_wait()):
        async with both_ends() as ends, ends[0], ends[1]:
            for sender, receiver in (ends, ends[::-1]):
                pieces = [chance.randbytes(size) for size in (0, 1, 125, 126, 65535, MESSAGE, MESSAGE + 1, 3 * MESSAGE)]

                async def write(sender: WebSocketStream = sender, pieces: list[bytes] = pieces) -> None:
                    for piece in pieces:
                        await sender.send_all(piece)

                come = b""
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(write)
                    while len(come) < sum(map(len, pieces)):
                        come += await receiver.receive_some(1000)
                assert come == b"".join(pieces)
            caller, waiter = ends
            await caller.send_all(b"last")
            await caller.send_eof()
            assert await read(waiter) == b"last"
            assert await read(waiter) == await read(caller) == b""
            for end in ends:
                with pytest.raises(trio.BrokenResourceError):
                    await end.send_all(b"x")


@pytest.mark.parametrize("calls", [True, False])
async def test_what_is_taken_without_waiting_and_what_is_not_are_one_stream(calls: bool) -> None:
    """A socket takes a part of a frame where its buffer is full."""
    data = Random(2).randbytes(6_000_000)
    taken: list[int] = []
    with trio.fail_after(longest_wait()):
        async with both_ends() as ends, ends[0], ends[1]:
            sender, receiver = ends if calls else ends[::-1]

            async def write() -> None:
                rest = data
                while rest:
                    while count := write_now(sender, rest[:5000]):
                        taken.append(count)
                        rest = rest[count:]
                    await sender.send_all(rest[:9000])
                    rest = rest[9000:]
                await sender.send_eof()

            async with trio.open_nursery() as nursery:
                nursery.start_soon(write)
                come = await read(receiver)
    assert come == data
    assert len({*taken}) > 2  # whole pieces, and parts


async def test_it_is_direct_and_waits_for_no_other_way() -> None:
    ours, theirs = memory_stream_pair()
    async with WebSocketStream(ours, client=True) as stream, theirs:
        assert stream.way == ""
        with trio.CancelScope() as waiting:
            waiting.cancel()
            await stream.next_way()
        assert waiting.cancelled_caught


async def test_where_a_message_or_a_fragment_ends_means_nothing() -> None:
    sent = (
        ws_frame(BINARY, b"", MASK)
        + ws_frame(CONTINUATION, b"one, ", MASK)
        + ws_frame(LAST | PING, b"in between", MASK)
        + ws_frame(LAST | CONTINUATION, b"two", MASK)
        + ws_frame(LAST | BINARY, b"", MASK)
        + ws_frame(LAST | BINARY, b", three", MASK)
        + ws_frame(LAST | CLOSE, b"\x03\xe8", MASK)
        + ws_frame(LAST | BINARY, b"and more after the end", MASK)
    )
    assert await read_frames(sent) == b"one, two, three"


async def test_an_end_without_a_close_is_a_cut() -> None:
    with pytest.raises(StreamFailed, match="dropped"):
        await read_frames(ws_frame(LAST | BINARY, b"x", MASK))


async def test_a_message_has_a_longest_whatever_it_is_made_of() -> None:
    whole = ws_frame(LAST | BINARY, bytes(MESSAGE), MASK) + ws_frame(LAST | CLOSE, b"", MASK)
    assert len(await read_frames(whole)) == MESSAGE
    longer = ws_frame(BINARY, bytes(MESSAGE), MASK) + ws_frame(LAST | CONTINUATION, b"x", MASK)
    claimed = b"\x82\xff" + (1 << 62).to_bytes(8, "big") + MASK + bytes(MESSAGE + 1)
    for sent in (longer, claimed):
        with pytest.raises(StreamFailed, match=r"broke the WebSocket rules \(a message of more than 65,536 bytes\)"):
            await read_frames(sent)


async def test_pings_pongs_and_empty_messages_without_end_end_the_connection() -> None:
    for nothing in (
        ws_frame(LAST | PING, b"x" * 125, MASK),
        ws_frame(LAST | PONG, b"", MASK),
        ws_frame(BINARY | LAST, b"", MASK),
    ):
        with pytest.raises(StreamFailed, match="more than 64 frames with nothing in them"):
            await read_frames((EMPTY + 1) * nothing)
        fine = (EMPTY * nothing + ws_frame(LAST | BINARY, b"x", MASK)) * 3 + ws_frame(LAST | CLOSE, b"", MASK)
        assert await read_frames(fine) == b"xxx"


async def test_of_pings_that_nobody_takes_the_answers_of_the_latest_is_kept() -> None:
    """Somebody who asks and does not read makes nothing grow."""
    with trio.fail_after(longest_wait()):
        async with both_ends() as (caller, waiter), caller, waiter:
            asks = ws_frame(LAST | PING, b"x" * 125, MASK) + ws_frame(LAST | BINARY, b"y", MASK)
            while write_now(waiter, bytes(60_000)):
                pass
            transport = caller._transport
            for _ in range(200):
                await transport.send_all(asks * 20)
                assert await waiter.receive_some()
            assert len(waiter._begun) <= MESSAGE + 14 and len(waiter._arrived) <= tcp.READ


# --- whatever else comes ----------------------------------------------------------------------------------------------


GOODBYE = ws_frame(LAST | CLOSE, b"\x03\xe8bye", MASK)
SAID = (
    ws_frame(LAST | BINARY, bytes(range(200)), MASK),
    ws_frame(BINARY, b"one", MASK) + ws_frame(LAST | CONTINUATION, b"two", MASK),
    ws_frame(LAST | PING, b"here?", MASK),
    ws_frame(LAST | PONG, b"", MASK),
    ws_frame(LAST | BINARY, bytes(70000), MASK)[:300],
    ws_frame(LAST | 1, "text é".encode(), MASK),
    GOODBYE,
    ws_frame(LAST | BINARY, b"of a waiter"),
)


@pytest.mark.parametrize("inputs", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
async def test_mutated_frames_do_nothing_but_end_the_connection(inputs: int) -> None:
    chance, ends = Random("websocket"), {"closed": 0, "refused": 0}
    for number in range(inputs * 11 // 10):
        ours, theirs = memory_stream_pair()
        stream = WebSocketStream(ours, client=number % 2 == 1)
        if number < inputs:
            frames = [mutated(chance, SAID) for _ in range(chance.randint(1, 3))]
        else:  # of the mutated ones fewer than one in a hundred still ends in a whole close
            frames = [chance.choice(SAID[:4]), GOODBYE]
        await theirs.send_all(b"".join(frames))
        await theirs.send_eof()
        try:
            while await stream.receive_some():
                assert len(stream._arrived) <= tcp.READ
            ends["closed"] += 1
        except StreamFailed as failed:
            assert str(failed).startswith(("The other side broke the WebSocket rules (", "The connection dropped."))
            with pytest.raises(StreamFailed, match=re.escape(str(failed))):
                await stream.receive_some()
            ends["refused"] += 1
    assert min(ends.values()) > inputs / 100


# --- the opening, of the side that waits ------------------------------------------------------------------------------


ASKED = {
    "Host": "192.0.2.7:4747",
    "Upgrade": "websocket",
    "Connection": "keep-alive, Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "chat, p2pcards.1",
}


def request(
    changes: dict[str, str], method: str = "GET", more: tuple[tuple[str, str], ...] = (), http_version: bytes = b"1.1"
) -> h11.Request:
    headers = [one for one in [*{**ASKED, **changes}.items(), *more] if one[1]]
    return h11.Request(method=method, target="/table", headers=headers, http_version=http_version)


def test_a_request_for_our_subprotocol_is_granted_and_no_extension() -> None:
    answer = answer_to(request({}, more=(("Sec-WebSocket-Extensions", "permessage-deflate"), ("Origin", "null"))))
    assert answer is not None and answer.status_code == 101
    assert dict(answer.headers) == {
        b"upgrade": b"websocket",
        b"connection": b"Upgrade",
        b"sec-websocket-accept": b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        b"sec-websocket-protocol": b"p2pcards.1",
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"Upgrade": "h2c"},
        {"Upgrade": "websocket, h2c"},
        {"Connection": "keep-alive"},
        {"Sec-WebSocket-Version": "8"},
        {"Sec-WebSocket-Version": ""},
        {"Sec-WebSocket-Protocol": "p2pcards.2"},
        {"Sec-WebSocket-Protocol": ""},
        {"Sec-WebSocket-Key": ""},
        {"Sec-WebSocket-Key": "short"},
        {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==="},
        {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZXgx"},
        {"Content-Length": "5"},
        {"Transfer-Encoding": "chunked"},
    ],
    ids=str,
)
def test_any_other_request_is_not(changes: dict[str, str]) -> None:
    assert answer_to(request(changes)) is None
    assert answer_to(request({}, method="POST")) is None
    assert answer_to(request({}, http_version=b"1.0")) is None
    assert answer_to(request({}, more=(("Sec-WebSocket-Key", ASKED["Sec-WebSocket-Key"]),))) is None


# --- the opening, of the side that calls ------------------------------------------------------------------------------


GRANTED = (
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: ACCEPT\r\nSec-WebSocket-Protocol: p2pcards.1\r\n\r\n"
)
OTHER_ANSWERS = [
    "",
    "SSH-2.0-OpenSSH_9.2\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
    "HTTP/1.1 302 Found\r\nLocation: ws://elsewhere/\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n" * 3 + GRANTED,
    GRANTED.replace("ACCEPT", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    GRANTED.replace("p2pcards.1", "chat"),
    GRANTED.replace("Sec-WebSocket-Protocol: p2pcards.1\r\n", ""),
    GRANTED.replace("Upgrade: websocket", "Upgrade: h2c"),
    GRANTED.replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"),
    GRANTED.replace("\r\n\r\n", f"\r\nX: {'x' * HEAD}\r\n\r\n"),
    "x" * 100_000,
]


@pytest.mark.parametrize("answer", OTHER_ANSWERS, ids=range(len(OTHER_ANSWERS)))
async def test_an_answer_that_grants_no_table_is_no_table(answer: str) -> None:
    from wsproto.utilities import generate_accept_token

    (listener,) = await tcp.listen(0, HERE)

    async def serve() -> None:
        async with await listener.accept() as stream:
            head = bytes(await stream.receive_some())
            key = next(line for line in head.split(b"\r\n") if line.startswith(b"Sec-WebSocket-Key: "))[19:]
            try:
                await stream.send_all(answer.replace("ACCEPT", generate_accept_token(key).decode()).encode())
            except trio.BrokenResourceError:
                return

    with trio.fail_after(longest_wait()):
        async with listener, trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            with pytest.raises(CannotConnect, match=r"There's no card table at ws://127\.0\.0\.1:\d+, or") as no:
                await connect_websocket(f"ws://{HERE}:{tcp.port_of(listener)}", longest_wait())
            assert no.value.there


async def test_one_who_says_nothing_is_given_up(autojump_clock: MockClock) -> None:
    ours, _theirs = memory_stream_pair()
    with pytest.raises(CannotConnect, match="didn't answer in time"):
        await open_websocket(ours, parse_web("ws://192.0.2.7"), deadline=10)
    with pytest.raises(trio.ClosedResourceError):
        await ours.send_all(b"x")


async def test_nobody_there_is_said_as_of_any_address() -> None:
    (listener,) = await tcp.listen(0, HERE)
    port = tcp.port_of(listener)
    await listener.aclose()
    with pytest.raises(CannotConnect, match="Nobody is listening at"):
        await connect_websocket(f"ws://{HERE}:{port}/table", longest_wait())
    with pytest.raises(BadAddress):
        await connect_websocket("ws://:99999", longest_wait())


def test_the_host_is_named_as_browsers_name_it() -> None:
    assert host_header("example.org", 80, secure=False) == b"example.org"
    assert host_header("example.org", 443, secure=True) == b"example.org"
    assert host_header("example.org", 80, secure=True) == b"example.org:80"
    assert host_header("::1", 4747, secure=False) == b"[::1]:4747"


# --- over TLS ---------------------------------------------------------------------------------------------------------


async def echo_over_tls(listener: trio.SocketListener, files: tuple[Path, Path]) -> None:
    secured = trio.SSLStream(await listener.accept(), server_context(files), server_side=True, https_compatible=True)
    with suppress(trio.BrokenResourceError):
        async with secured:
            http = h11.Connection(h11.SERVER)
            http.receive_data(bytes(await secured.receive_some()))
            asked = http.next_event()
            if isinstance(asked, h11.Request) and (switch := answer_to(asked)) is not None:
                await secured.send_all(http.send(switch) or b"")
                stream = WebSocketStream(secured, client=False)
                await stream.send_all(await stream.receive_some())
                assert await read(stream) == b""
                await stream.send_eof()


async def test_over_tls_the_certificate_has_to_be_one_that_this_machine_trusts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = LabAuthority(tmp_path)
    files = authority.certificate()
    (listener,) = await tcp.listen(0, HERE)
    address = f"wss://{HERE}:{tcp.port_of(listener)}"
    with trio.fail_after(longest_wait()):
        async with listener, trio.open_nursery() as nursery:
            nursery.start_soon(echo_over_tls, listener, files)
            with pytest.raises(CannotConnect, match=r"This machine doesn't trust the certificate of wss://"):
                await connect_websocket(address, longest_wait())
            monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
            nursery.start_soon(echo_over_tls, listener, files)
            stream = await connect_websocket(address, longest_wait())
            await stream.send_all(b"over TLS")
            assert await stream.receive_some() == b"over TLS"
            await stream.send_eof()
            assert await read(stream) == b""
            await stream.aclose()


async def test_a_table_without_tls_is_told_from_one_with_it() -> None:
    (listener,) = await tcp.listen(0, HERE)
    with trio.fail_after(longest_wait()):
        async with listener, trio.open_nursery() as nursery:

            async def serve() -> None:
                async with await listener.accept() as stream:
                    assert await WebDoor({}).caller(stream) is None

            nursery.start_soon(serve)
            with pytest.raises(CannotConnect, match=r"doesn't speak TLS.*with ws://"):
                await connect_websocket(f"wss://{HERE}:{tcp.port_of(listener)}", longest_wait())
