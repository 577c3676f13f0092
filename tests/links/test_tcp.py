"""TCP: whom an address reaches, and a sentence for whatever goes wrong."""

import errno
import ipaddress
import re
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.links import tcp
from p2pcards.links.address import format_address
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.link import LinkLost
from p2pcards.links.tcp import CannotConnect, CannotListen, PortInUse, kind_of
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("8.8.8.8", "public"),
        ("2606:4700::1111", "public"),
        ("::ffff:8.8.8.8", "public"),
        ("10.1.2.3", "private"),
        ("172.31.0.1", "private"),
        ("192.168.1.5", "private"),
        ("169.254.3.4", "private"),
        ("100.64.0.1", "private"),
        ("fd12::1", "private"),
        ("fe80::1%eth0", "private"),
        ("0.0.0.0", "private"),
        ("127.0.0.1", "loopback"),
        ("::1", "loopback"),
        ("::ffff:127.0.0.1", "loopback"),
    ],
)
def test_who_can_reach_an_address(address: str, kind: str) -> None:
    assert kind_of(address) == kind


def test_own_addresses_are_ours_and_the_loopback_is_last() -> None:
    addresses = tcp.own_addresses()
    assert addresses[-1] == ("127.0.0.1", "loopback")
    assert len(set(addresses)) == len(addresses)
    for address, kind in addresses:
        assert kind == kind_of(address)
        family = socket.AF_INET if ipaddress.ip_address(address).version == 4 else socket.AF_INET6
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.bind((address, 0))


async def test_a_connection_has_no_delay_and_says_where_it_leads() -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    async with listener:
        port = tcp.port_of(listener)
        async with (
            await tcp.connect("127.0.0.1", port, deadline=longest_wait()) as ours,
            await listener.accept() as theirs,
        ):
            for stream in (ours, theirs):
                assert stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert tcp.where(ours) == f"tcp 127.0.0.1:{port}"
        assert tcp.where(ours) == "tcp, already gone"


def is_own(host: str, family: int) -> bool:
    """Whether this machine has the address: a kernel that knows IPv6 may have none of its addresses."""
    with socket.socket(family) as bound:
        try:
            bound.bind((host, 0))
        except OSError:
            return False
    return True


async def test_all_addresses_share_the_free_port() -> None:
    async with AsyncExitStack() as opened:
        listeners = [await opened.enter_async_context(listener) for listener in await tcp.listen(0)]
        assert len({tcp.port_of(listener) for listener in listeners}) == 1
        hosts = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}
        called = {listener.socket.family: tcp.port_of(listener) for listener in listeners}
        for family, port in called.items():
            host = hosts[family]
            if is_own(host, family):
                async with await tcp.connect(host, port, deadline=longest_wait()) as stream:
                    assert tcp.where(stream) == f"tcp {format_address(host, port)}"
        assert is_own("127.0.0.1", socket.AF_INET) and socket.AF_INET in called


async def test_port_in_use() -> None:
    (listener,) = await tcp.listen(0, "127.0.0.1")
    async with listener:
        port = tcp.port_of(listener)
        with pytest.raises(PortInUse) as caught:
            await tcp.listen(port, "127.0.0.1")
    assert f"Port {port}" in caught.value.sentence
    assert f"--port {port + 1}" in caught.value.sentence


async def test_another_machine_s_address_cannot_be_listened_on() -> None:
    with pytest.raises(CannotListen, match="isn't one of this machine's addresses"):
        await tcp.listen(0, "192.0.2.1")
    with pytest.raises(CannotListen, match="isn't one of this machine's addresses"):
        await tcp.listen(0, "a..b")


async def test_nobody_listening() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        with pytest.raises(CannotConnect) as caught:
            await tcp.connect("127.0.0.1", port, deadline=longest_wait())
    assert caught.value.sentence.startswith(f"Nobody is listening at 127.0.0.1:{port}.")


class Resolver(trio.abc.HostnameResolver):
    """Knows no name, or takes for ever to say so."""

    def __init__(self, silent: bool) -> None:
        self.silent = silent

    async def getaddrinfo(self, *_: object) -> list[tuple[int, int, int, str, tuple[str, int]]]:  # type: ignore[override]
        if self.silent:
            await trio.sleep_forever()
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    async def getnameinfo(self, *_: object) -> tuple[str, str]:
        raise NotImplementedError


async def test_unknown_names() -> None:
    trio.socket.set_custom_hostname_resolver(Resolver(silent=False))
    for host in ("nowhere.invalid", "a..b"):
        with pytest.raises(CannotConnect, match=f"There's no machine called '{host}'"):
            await tcp.connect(host, 4747, deadline=longest_wait())


async def test_no_answer_in_time(autojump_clock: MockClock) -> None:
    trio.socket.set_custom_hostname_resolver(Resolver(silent=True))
    started = trio.current_time()
    with pytest.raises(CannotConnect, match="No answer from anna:4747"):
        await tcp.connect("anna", 4747, deadline=3)
    assert trio.current_time() - started == 3


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ([errno.ECONNREFUSED], "Nobody is listening"),
        ([errno.ENETUNREACH, errno.ECONNREFUSED], "Nobody is listening"),
        ([errno.EHOSTUNREACH, errno.ETIMEDOUT], "No answer from"),
        ([errno.ENETUNREACH], "Can't reach"),
        ([errno.EPROTO], "Protocol error"),
        ([], "no reason"),
    ],
)
async def test_the_address_that_came_closest_to_an_answer_speaks(numbers: list[int], sentence: str) -> None:
    error = OSError("all attempts failed")
    if numbers:
        error.__cause__ = ExceptionGroup("attempts", [OSError(number, "") for number in numbers])
    assert sentence in tcp._why_not_connected("anna:4747", error)


@asynccontextmanager
async def channels() -> AsyncIterator[tuple[Channel, Channel, trio.SocketStream]]:
    """(Anna's channel, Ben's channel, the stream under Ben's)."""
    (listener,) = await tcp.listen(0, "127.0.0.1")
    async with listener:
        ours = await tcp.connect("127.0.0.1", tcp.port_of(listener), deadline=longest_wait())
        theirs = await listener.accept()
    opened: list[Channel] = []

    async def open_theirs() -> None:
        opened.append(await open_channel(theirs, initiator=False, identity=BEN, where="Anna", deadline=longest_wait()))

    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(open_theirs)
            a = await open_channel(ours, initiator=True, identity=ANNA, where="Ben", deadline=longest_wait())
        (b,) = opened
        yield a, b, theirs
        await trio.aclose_forcefully(theirs)
        await a.aclose()
        await b.aclose()


async def fill(link: Channel) -> int:
    """Send until the kernel takes no more, and give up in the middle of a message: how many went out whole."""
    sent = 0

    async def send() -> None:
        nonlocal sent
        while True:
            await link.send(bytes(link.max_size))
            sent += 1

    async with trio.open_nursery() as nursery:
        nursery.start_soon(send)
        await wait_all_tasks_blocked(0.05)
        nursery.cancel_scope.cancel()
    return sent


async def test_a_send_cancelled_in_the_middle_breaks_the_link() -> None:
    """Nobody reads, so the kernel takes only a part; what came whole is still received at the other end."""
    async with channels() as (a, b, _):
        sent = await fill(a)
        for _ in range(2):
            with pytest.raises(LinkLost, match="stopped in the middle"):
                await a.send(b"x")
            with pytest.raises(LinkLost, match="stopped in the middle"):
                await a.receive()
        for _ in range(sent):
            assert await b.receive() == bytes(a.max_size)
        with pytest.raises(LinkLost):
            await b.receive()


async def test_a_send_cancelled_at_any_moment_breaks_nothing_while_the_line_is_free() -> None:
    async with channels() as (a, b, _):
        for moment in range(80):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(a.send, b"maybe")
                for _ in range(moment % 4):
                    await trio.lowlevel.checkpoint()
                nursery.cancel_scope.cancel()
            await a.send(b"said %d" % moment)
            heard = await b.receive()
            if heard == b"maybe":
                heard = await b.receive()
            assert heard == b"said %d" % moment


async def send_for_ever(link: Channel, sentence: str) -> None:
    with pytest.raises(LinkLost, match=sentence):
        while True:
            await link.send(bytes(link.max_size))
    with pytest.raises(LinkLost, match=sentence):
        await link.send(b"x")


async def test_closing_wakes_a_sender_that_waits_for_a_full_line() -> None:
    async with channels() as (a, _, _), trio.open_nursery() as nursery:
        nursery.start_soon(send_for_ever, a, "This side closed the connection to Ben")
        await wait_all_tasks_blocked(0.05)
        await a.aclose()


async def test_a_connection_that_is_reset_is_noticed_by_sender_and_receiver() -> None:
    async with channels() as (a, _, under_b), trio.open_nursery() as nursery:

        async def receive() -> None:
            # The kernel tells of a reset only once: if the sender heard it, the receiver just meets the end.
            with pytest.raises(LinkLost, match=r"broke\.|closed the connection"):
                await a.receive()

        nursery.start_soon(send_for_ever, a, r"The connection to Ben broke\.")
        nursery.start_soon(receive)
        await wait_all_tasks_blocked(0.05)
        # Closing with unread bytes resets the connection.
        await trio.aclose_forcefully(under_b)


class Factory(trio.abc.SocketFactory):
    """Refuses sockets with an error number: all of them, or those of one family."""

    def __init__(self, number: int, family: int | None = None) -> None:
        self.number = number
        self.family = family

    def socket(self, family: int = 0, type: int = 0, proto: int = 0) -> trio.socket.SocketType:  # noqa: A002
        if self.family in (None, family):
            raise OSError(self.number, "")
        return trio.socket.from_stdlib_socket(socket.socket(family, type, proto))


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.EACCES, "You don't have permission to listen on port 80. Choose 1024 or higher with --port"),
        (errno.EMFILE, "Can't listen on port 80"),
        (errno.EADDRNOTAVAIL, "'127.0.0.1' isn't one of this machine's addresses"),
    ],
)
async def test_a_port_that_cannot_be_had(number: int, sentence: str) -> None:
    trio.socket.set_custom_socket_factory(Factory(number))
    with pytest.raises(CannotListen, match=re.escape(sentence)):
        await tcp.listen(80, "127.0.0.1")


async def test_a_machine_with_ipv6_switched_off_listens_on_ipv4() -> None:
    trio.socket.set_custom_socket_factory(Factory(errno.EADDRNOTAVAIL, socket.AF_INET6))
    (listener,) = await tcp.listen(0)
    assert listener.socket.getsockname()[0] == "0.0.0.0"
    await listener.aclose()
