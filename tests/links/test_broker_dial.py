"""What is said where a broker cannot be reached, on real sockets of this machine, with certificates of the test."""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import h11
import pytest
import trio

from p2pcards.links import tcp
from p2pcards.links.broker import BrokerLost
from p2pcards.links.broker_address import parse_broker
from p2pcards.links.broker_dial import dial_broker, utc_today
from p2pcards.links.websocket import answer_to
from rigs.giving_up import longest_wait
from rigs.lab_certificates import LabAuthority, server_context
from rigs.websockets import HERE

YEAR = timedelta(days=365)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> LabAuthority:
    return LabAuthority(tmp_path_factory.mktemp("authority"))


async def why(
    serve: Callable[[trio.SocketStream], Awaitable[object]],
    dial: Callable[..., Awaitable[trio.abc.Stream]],
    scheme: str = "mqtts",
    host: str = HERE,
) -> str:
    """The sentence with which a dial to this server fails."""
    (listener,) = await tcp.listen(0, HERE)
    with trio.fail_after(longest_wait()):
        async with listener, trio.open_nursery() as nursery:

            async def take() -> None:
                async with await listener.accept() as stream:
                    await serve(stream)

            nursery.start_soon(take)
            with pytest.raises(BrokerLost) as lost:
                await dial(parse_broker(f"{scheme}://{host}:{tcp.port_of(listener)}"))
            nursery.cancel_scope.cancel()
    return str(lost.value)


async def answered(stream: trio.SocketStream, files: tuple[Path, Path], answer: bytes = b"") -> None:
    """A server with this certificate, which answers once."""
    secured = trio.SSLStream(stream, server_context(files), server_side=True, https_compatible=True)
    try:
        await secured.do_handshake()
        await secured.receive_some()
        await secured.send_all(answer)
    except trio.BrokenResourceError:
        pass  # the certificate was refused


async def said(stream: trio.SocketStream, answer: bytes) -> None:
    """A server without TLS."""
    await stream.receive_some()
    await stream.send_all(answer)


# --- certificates -----------------------------------------------------------------------------------------------------


async def test_a_certificate_of_an_unknown_authority_is_refused(authority: LabAuthority) -> None:
    sentence = await why(partial(answered, files=authority.certificate()), dial_broker)
    assert "can't prove that it is 127.0.0.1 (unable to get local issuer certificate)" in sentence
    assert "On public Wi-Fi, sign in" in sentence


async def test_a_certificate_for_another_name_is_refused(authority: LabAuthority) -> None:
    dial = partial(dial_broker, context=authority.trusted())
    for names in (("portal.example",), ("192.0.2.7",)):
        sentence = await why(partial(answered, files=authority.certificate(names)), dial)
        assert "can't prove that it is 127.0.0.1 (its certificate is for another name)" in sentence
    sentence = await why(partial(answered, files=authority.certificate((HERE,))), dial, host="localhost")
    assert "can't prove that it is localhost (its certificate is for another name)" in sentence


@pytest.mark.parametrize(
    ("since", "until", "today", "sentence"),
    [
        (YEAR, 2 * YEAR, date(2019, 1, 2), "This machine's clock says January 2, 2019, so no certificate is valid yet"),
        (YEAR, 2 * YEAR, date(2026, 12, 1), "isn't valid on December 1, 2026, the date on this machine's"),
        (-2 * YEAR, -YEAR, date(2048, 5, 9), "isn't valid on May 9, 2048, the date on this machine's clock"),
        (-2 * YEAR, -YEAR, date(2019, 1, 2), "isn't valid on January 2, 2019, the date on this machine's"),
    ],
)
async def test_where_the_date_may_be_wrong_it_is_said(
    authority: LabAuthority, since: timedelta, until: timedelta, today: date, sentence: str
) -> None:
    dial = partial(dial_broker, context=authority.trusted(), today=lambda: today)
    assert sentence in await why(partial(answered, files=authority.certificate(since=since, until=until)), dial)


def test_the_date_is_that_of_this_machine() -> None:
    assert abs(utc_today() - date.today()) <= timedelta(days=1)  # noqa: DTZ011 (the local one is meant)


# --- what answers is no broker ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x20\x02\0\0\xd0\0", b"220 mail\r\n"])
async def test_what_speaks_no_tls_is_no_broker(authority: LabAuthority, answer: bytes) -> None:
    dial = partial(dial_broker, context=authority.trusted())
    for scheme in ("mqtts", "wss"):
        sentence = await why(partial(said, answer=answer), dial, scheme)
        assert "isn't a broker. On public Wi-Fi, sign in" in sentence


async def test_what_hangs_up_in_the_handshake_is_told(authority: LabAuthority) -> None:
    dial = partial(dial_broker, context=authority.trusted())
    assert "closed the connection right away" in await why(trio.SocketStream.receive_some, dial)


def switched(subprotocol: bytes) -> bytes:
    """The answer to a request for a WebSocket whose key is another one."""
    headers = [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Key", "A" * 22 + "==")]
    headers += [("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Protocol", "p2pcards.1"), ("Host", "x")]
    switch = answer_to(h11.Request(method="GET", target="/", headers=headers))
    assert switch is not None
    return b"HTTP/1.1 101 \r\n" + b"".join(
        name + b": " + (subprotocol if name == b"sec-websocket-protocol" else value) + b"\r\n"
        for name, value in switch.headers
    )


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: https://portal.example/\r\nContent-Length: 0\r\n\r\n",
        switched(b"mqtt") + b"\r\n",
        b"\x20\x02\0\0",
        b"HTTP/1.1 101 " + b"x" * 100_000,
        b"",
    ],
)
async def test_what_opens_no_websocket_for_mqtt_is_no_broker(authority: LabAuthority, answer: bytes) -> None:
    dial = partial(dial_broker, context=authority.trusted())
    serve = partial(answered, files=authority.certificate(), answer=answer)
    assert "isn't a broker. On public Wi-Fi, sign in" in await why(serve, dial, "wss")


# --- nobody answers ---------------------------------------------------------------------------------------------------


async def test_where_nobody_listens_it_is_said() -> None:
    (listener,) = await tcp.listen(0, HERE)
    port = tcp.port_of(listener)
    await listener.aclose()
    with pytest.raises(BrokerLost, match=f"mqtt://{HERE}:{port} refused the connection.*blocks port {port}"):
        await dial_broker(parse_broker(f"mqtt://{HERE}:{port}"))


class Resolver(trio.abc.HostnameResolver):
    """Knows no name; fails with this number of getaddrinfo."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def getaddrinfo(
        self,
        host: bytes | None,
        port: bytes | str | int | None,
        family: int = 0,
        type: int = 0,  # noqa: A002 (the interface has it)
        proto: int = 0,
        flags: int = 0,
    ) -> list[Any]:
        raise socket.gaierror(self._number, "")

    async def getnameinfo(self, sockaddr: object, flags: int) -> tuple[str, str]:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (
            socket.EAI_NONAME,
            "Can't find cards.example. Check that this machine is online, and the brokers",
        ),
        (socket.EAI_NODATA, "Can't find cards.example"),
        (socket.EAI_AGAIN, "Can't reach mqtts://cards.example: this machine seems to be offline"),
    ],
)
async def test_a_name_that_is_not_found_is_told_from_no_network(number: int, sentence: str) -> None:
    trio.socket.set_custom_hostname_resolver(Resolver(number))
    with pytest.raises(BrokerLost, match=sentence):
        await dial_broker(parse_broker("mqtts://cards.example"))


async def test_a_name_that_no_machine_can_have_is_not_found() -> None:
    with pytest.raises(BrokerLost, match="Can't find"):
        await dial_broker(parse_broker(f"mqtts://{'ä' * 200}"))


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ([errno.ENETUNREACH], "seems to be offline"),
        ([errno.ENETDOWN], "seems to be offline"),
        ([errno.ETIMEDOUT, errno.ENETUNREACH], "No answer from"),
        ([errno.ENETUNREACH, errno.ECONNREFUSED], "refused the connection"),
        ([errno.EMFILE], f"Can't connect to mqtts://cards.example: {os.strerror(errno.EMFILE)}"),
    ],
)
async def test_of_several_causes_the_one_nearest_to_an_answer_speaks(
    monkeypatch: pytest.MonkeyPatch, numbers: list[int], sentence: str
) -> None:
    async def fails(*_: object) -> trio.SocketStream:
        await trio.lowlevel.checkpoint()
        raise OSError("all failed") from ExceptionGroup("", [OSError(number, "") for number in numbers])

    monkeypatch.setattr(trio, "open_tcp_stream", fails)
    with pytest.raises(BrokerLost, match=sentence):
        await dial_broker(parse_broker("mqtts://cards.example"))


async def test_a_dial_that_is_cancelled_leaves_no_connection(authority: LabAuthority) -> None:
    ended = trio.Event()

    async def serve(stream: trio.SocketStream) -> None:
        while await stream.receive_some():
            pass
        ended.set()

    (listener,) = await tcp.listen(0, HERE)
    with trio.fail_after(longest_wait()):
        async with listener, trio.open_nursery() as nursery:

            async def take() -> None:
                async with await listener.accept() as stream:
                    nursery.start_soon(cancel_when_called, stream)
                    await serve(stream)

            async def cancel_when_called(_: trio.SocketStream) -> None:
                scope.cancel()

            nursery.start_soon(take)
            with trio.CancelScope() as scope:
                await dial_broker(parse_broker(f"mqtts://{HERE}:{tcp.port_of(listener)}"))
            await ended.wait()


def test_a_lab_trusts_its_own_authority_alone(authority: LabAuthority) -> None:
    context = authority.trusted()
    assert context.verify_mode is ssl.CERT_REQUIRED and context.check_hostname
    assert len(context.get_ca_certs()) == 1
