"""What STUN servers say together of this machine and its router, also where some of them are silent or lie."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address

import pytest
import trio
from trio.testing import MockClock

from p2pcards.links.outside_view import NO_ANSWER, NO_NAMES, NO_WAY, MappingKind, OutsideView, ask_stun_servers
from p2pcards.links.public_servers import PUBLIC_STUN_SERVERS
from p2pcards.links.stun import ReflexiveAddress
from rigs.stun_answers import StandInStun, stun_answer

OUTSIDE = IPv4Address("198.51.100.7")
Answers = Callable[[bytes, ReflexiveAddress], list[bytes]]


@pytest.fixture
def jumping_clock() -> MockClock:
    return MockClock(autojump_threshold=0.02)


def honest(transaction: bytes, seen: ReflexiveAddress) -> list[bytes]:
    return [stun_answer(seen, transaction)]


def cone(transaction: bytes, seen: ReflexiveAddress) -> list[bytes]:
    return [stun_answer(ReflexiveAddress(OUTSIDE, 40000), transaction)]


def at_port(port: int) -> Answers:
    return lambda transaction, seen: [stun_answer(ReflexiveAddress(OUTSIDE, port), transaction)]


def silent(transaction: bytes, seen: ReflexiveAddress) -> list[bytes]:
    return []


async def view(*answers: Answers) -> OutsideView:
    async with trio.open_nursery() as nursery:
        servers = [StandInStun(answer) for answer in answers]
        for server in servers:
            await nursery.start(server.serve)
        found = await ask_stun_servers([server.place for server in servers])
        nursery.cancel_scope.cancel()
    return found


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ([honest, honest], MappingKind.NO_NAT),
        ([cone, cone, cone], MappingKind.ENDPOINT_INDEPENDENT),
        ([at_port(40000), at_port(40001), at_port(40002)], MappingKind.ADDRESS_DEPENDENT),
        ([cone, at_port(40001)], MappingKind.ADDRESS_DEPENDENT),
        ([cone, at_port(40001), cone], MappingKind.ENDPOINT_INDEPENDENT),
        ([cone], MappingKind.UNKNOWN),
    ],
    ids=["no router", "cone", "symmetric", "symmetric, two servers", "one that lies", "one server"],
)
async def test_the_kind_of_router_follows_from_the_answers(answers: list[Answers], kind: MappingKind) -> None:
    found = await view(*answers)
    assert (found.kind, found.why_not, len(found.answers)) == (kind, "", len(answers))
    assert found.address == (OUTSIDE if kind is not MappingKind.NO_NAT else IPv4Address("127.0.0.1"))
    assert found.seconds is not None and 0 <= found.seconds == min(answer.seconds for answer in found.answers)


async def test_a_silent_server_is_asked_three_times_and_then_given_up(jumping_clock: MockClock) -> None:
    mute = StandInStun(silent)
    async with trio.open_nursery() as nursery:
        servers = [mute, StandInStun(cone), StandInStun(cone)]
        for server in servers:
            await nursery.start(server.serve)
        began = trio.current_time()
        found = await ask_stun_servers([server.place for server in servers])
        assert trio.current_time() - began == pytest.approx(3.5, abs=0.1)
        nursery.cancel_scope.cancel()
    assert found.kind is MappingKind.ENDPOINT_INDEPENDENT
    assert [server.asked for server in servers] == [3, 1, 1]


async def test_a_lost_request_is_sent_again(jumping_clock: MockClock) -> None:
    lost = iter([True, False])
    found = await view(lambda transaction, seen: [] if next(lost) else cone(transaction, seen))
    assert found.address == OUTSIDE
    assert found.seconds is not None and found.seconds < 0.4, "it is counted from the sending that was answered"


async def test_nothing_but_the_answer_of_a_server_that_was_asked_is_believed(jumping_clock: MockClock) -> None:
    """Another sender, another transaction and noise; an answer that comes twice counts once."""

    def noisy(transaction: bytes, seen: ReflexiveAddress) -> list[bytes]:
        told = stun_answer(ReflexiveAddress(OUTSIDE, 1), bytes(12))
        return [b"", b"noise" * 300, told, told[:30], *[stun_answer(ReflexiveAddress(OUTSIDE, 40000), transaction)] * 2]

    async with trio.open_nursery() as nursery:
        with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as stranger:

            def told_to_a_stranger(transaction: bytes, seen: ReflexiveAddress) -> list[bytes]:
                answer = stun_answer(ReflexiveAddress(OUTSIDE, 2), transaction)
                nursery.start_soon(stranger.sendto, answer, (str(seen.address), seen.port))
                return []

            servers = [StandInStun(noisy), StandInStun(told_to_a_stranger)]
            for server in servers:
                await nursery.start(server.serve)
            found = await ask_stun_servers([server.place for server in servers])
            nursery.cancel_scope.cancel()
    assert [answer.seen for answer in found.answers] == [ReflexiveAddress(OUTSIDE, 40000)]
    assert servers[1].asked == 3


async def test_where_no_server_answers_the_step_that_failed_is_told(
    jumping_clock: MockClock,
) -> None:
    assert await view(silent, silent) == OutsideView(why_not=NO_ANSWER)
    assert await ask_stun_servers([("no-such-host.invalid", 3478)]) == OutsideView(why_not=NO_NAMES)
    assert await ask_stun_servers([("a" * 300, 3478)]) == OutsideView(why_not=NO_NAMES)
    to_everybody = ("255.255.255.255", 3478)  # where no system sends unasked
    assert await ask_stun_servers([to_everybody]) == OutsideView(why_not=NO_WAY)


def test_the_public_servers_are_of_different_parties() -> None:
    """A name's last two parts are whose it is."""
    owners = {tuple(server.host.split(".")[-2:]) for server in PUBLIC_STUN_SERVERS}
    assert len(owners) == len(PUBLIC_STUN_SERVERS) >= 3
    assert all(0 < server.port < 65536 and server.reason.endswith(".") for server in PUBLIC_STUN_SERVERS)
