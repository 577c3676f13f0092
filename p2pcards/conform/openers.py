"""Handshakes that no honest opener or waiter offers: identities that anybody can sign for, points of low order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import trio

from p2pcards.conform.bench import Bench, Broken, OnBench, Passed
from p2pcards.links import tcp
from p2pcards.links.address import SUBPROTOCOL, parse_web
from p2pcards.links.channel import PROLOGUE
from p2pcards.links.noise import Garbled, Handshake
from p2pcards.wire.crypto import X25519PrivateKey
from p2pcards.wire.keys import KEY_SIZE, P
from p2pcards.wire.messages import Bye, Hello, decode_message, encode_message
from p2pcards.wire.packing import Refused
from p2pcards.wire.records import VERSION

IDENTITY_POINT = (1).to_bytes(KEY_SIZE, "little")
"""Of order 1: under it the signature of R = the same point and s = 0 fits every message."""


def small_order_identity(_: Bench) -> bytes:
    """A point of small order in place of an identity and its signature."""
    return IDENTITY_POINT + IDENTITY_POINT + bytes(32)


def noncanonical_identity(_: Bench) -> bytes:
    """The same small-order point, written as a number that isn't below p."""
    return (P + 1).to_bytes(KEY_SIZE, "little") + IDENTITY_POINT + bytes(32)


async def _read_framed(stream: trio.abc.Stream, bench: Bench) -> bytes:
    """Read one length-prefixed message; b"" at the end of the stream."""
    arrived, size = b"", 2
    try:
        with trio.fail_after(bench.patience):
            while len(arrived) < size:
                if not (some := await stream.receive_some(size - len(arrived))):
                    return b""
                arrived += some
                if len(arrived) == 2:
                    size += int.from_bytes(arrived, "big")
    except trio.BrokenResourceError:
        return b""
    except trio.TooSlowError:
        raise Broken(f"It keeps the connection open and sends nothing within {bench.patience:g} s.") from None
    bench.passed.append(Passed("got", arrived))
    return arrived[2:]


async def _write_framed(stream: trio.abc.Stream, bench: Bench, data: bytes) -> None:
    frame = len(data).to_bytes(2, "big") + data
    bench.passed.append(Passed("sent", frame))
    try:
        await stream.send_all(frame)
    except trio.BrokenResourceError:
        return


def make_handshake(*, initiator: bool) -> Handshake:
    return Handshake(
        initiator=initiator,
        prologue=PROLOGUE,
        static=X25519PrivateKey.generate(),
        ephemeral=X25519PrivateKey.generate(),
    )


def refuses_forged_identity(payload: Callable[[Bench], bytes]) -> OnBench:
    """A case: the program ends the handshake with a peer that proves this in place of an identity."""

    async def play(bench: Bench) -> None:
        opens = not bench.waits
        ours = make_handshake(initiator=opens)
        stream = await bench.stream()
        try:
            if opens:
                await _write_framed(stream, bench, ours.write(lambda _: b""))
                ours.read(await _read_framed(stream, bench))
                await _write_framed(stream, bench, ours.write(lambda _: payload(bench)))
                sealer, opener = ours.split()
                await _write_framed(stream, bench, sealer.seal(encode_message(Hello(VERSION, True, "Kit", "wayne"))))
            else:
                ours.read(await _read_framed(stream, bench))
                await _write_framed(stream, bench, ours.write(lambda _: payload(bench)))
                if third := await _read_framed(stream, bench):
                    ours.read(third)
                    raise Broken("It goes on with an identity that proves nothing.")
                return
            while sealed := await _read_framed(stream, bench):
                if not isinstance(decode_message(opener.open(sealed)), Bye):
                    raise Broken("It accepts an identity that proves nothing.")
        except Garbled:
            raise Broken("Its handshake is not that of channel.md.") from None
        except Refused:
            raise Broken("It sends bytes that are no message.") from None
        finally:
            await trio.aclose_forcefully(stream)

    return play


async def refuses_low_order_point(bench: Bench) -> None:
    """A case: the program refuses a first message whose point makes every secret zero."""
    stream = await bench.stream()
    try:
        await _write_framed(stream, bench, bytes(KEY_SIZE))
        if await _read_framed(stream, bench):
            raise Broken("It goes on with a secret that anyone can compute.")
    finally:
        await trio.aclose_forcefully(stream)


# --- openings of a WebSocket ------------------------------------------------------------------------------------------


KEY = b"Sec-WebSocket-Key"
REQUEST = (
    (b"Host", b"localhost"),
    (b"Upgrade", b"websocket"),
    (b"Connection", b"Upgrade"),
    (KEY, b"dGhlIHNhbXBsZSBub25jZQ=="),
    (b"Sec-WebSocket-Version", b"13"),
    (b"Sec-WebSocket-Protocol", SUBPROTOCOL.encode()),
)
SWITCHED = b" 101 "
HEAD = 16384


@asynccontextmanager
async def _send_request(bench: Bench, request: bytes) -> AsyncIterator[tuple[trio.SocketStream, bytes]]:
    """(stream, head of the answer) after sending this request on a new connection, closed at the end."""
    there = parse_web(str(bench.address))
    stream = await tcp.connect(there.host, there.port, deadline=bench.patience)
    bench.passed.append(Passed("sent", request))
    answer = b""
    try:
        try:
            with trio.fail_after(bench.patience):
                await stream.send_all(request)
                while b"\r\n\r\n" not in answer and len(answer) < HEAD and (some := await stream.receive_some(HEAD)):
                    answer += some
        except trio.BrokenResourceError:
            pass
        except trio.TooSlowError:
            raise Broken("It keeps the connection open and answers nothing.") from None
        bench.passed.append(Passed("got", answer))
        yield stream, answer
    finally:
        await trio.aclose_forcefully(stream)


def _make_request(bench: Bench, line: bytes, drop: bytes = b"", more: bytes = b"") -> bytes:
    headers = b"".join(name + b": " + value + b"\r\n" for name, value in REQUEST if name != drop)
    return line.replace(b"%s", parse_web(str(bench.address)).path.encode()) + b"\r\n" + headers + more + b"\r\n"


GET = b"GET %s HTTP/1.1"


def refuses_upgrade(line: bytes = GET, *, drop: bytes = b"", more: bytes = b"", behind: bytes = b"") -> OnBench:
    """A case: the program refuses this request for a WebSocket. drop: the header that it lacks; behind: its body."""

    async def play(bench: Bench) -> None:
        async with _send_request(bench, _make_request(bench, line, drop, more) + behind) as (_, answer):
            if SWITCHED in answer.partition(b"\r\n")[0]:
                raise Broken("It answers 101.")

    return play


def closes_websocket(frame: bytes, code: int) -> OnBench:
    """A case: the program closes the WebSocket with this code after this frame."""

    async def play(bench: Bench) -> None:
        async with _send_request(bench, _make_request(bench, GET)) as (stream, answer):
            if SWITCHED not in answer.partition(b"\r\n")[0]:
                raise Broken("It does not answer 101 to a good request.")
            bench.passed.append(Passed("sent", frame))
            came = answer.partition(b"\r\n\r\n")[2]
            with suppress(trio.BrokenResourceError, trio.TooSlowError), trio.fail_after(bench.patience):
                await stream.send_all(frame)
                while some := await stream.receive_some(HEAD):
                    came += some
        bench.passed.append(Passed("got", came))
        if came[:1] != b"\x88" or came[2:4] != code.to_bytes(2, "big"):
            raise Broken(f"It does not close the WebSocket with code {code}.")

    return play
