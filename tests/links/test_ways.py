"""Each way to be reached is tried within its time, and told by what failed. No router of this network is asked."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from ipaddress import ip_address
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2pcards.links import direct, tcp, ways
from p2pcards.links.broker import FORBIDDEN_TOPIC, SILENT, Dial
from p2pcards.links.broker_address import BrokerAddress
from p2pcards.links.broker_dial import dial_broker
from p2pcards.links.gateway import Gateway
from p2pcards.links.mapping import Mapped, NotMapped
from p2pcards.links.outside_view import MappingKind, OutsideView
from p2pcards.links.pcp import IP
from p2pcards.links.ways import BrokerWay, PortWay, Ways, try_broker, try_port, try_ways
from rigs.broker_packets import message, suback
from rigs.lab_certificates import LabAuthority, server_context
from rigs.stand_in_broker import ADDRESS, PUBLISH, SUBSCRIBE, Dialing, Serve, StandIn, accept, packets
from rigs.stun_answers import StandInStun, stun_answer
from rigs.websockets import HERE

YEAR = timedelta(days=365)
HOME, ROUTER = ip_address("192.168.1.2"), ip_address("192.168.1.1")
PUBLIC, PUBLIC_IPV6 = ip_address("192.0.1.12"), ip_address("2a00::2")

# --- brokers ----------------------------------------------------------------------------------------------------------


async def tried(serve: Serve | str) -> BrokerWay:
    async with trio.open_nursery() as nursery:
        found = await try_broker(ADDRESS, Dialing(nursery, serve))
        nursery.cancel_scope.cancel()
    return found


async def test_a_broker_works_when_a_message_came_back(mock_clock: MockClock) -> None:
    broker = StandIn()
    assert await tried(broker) == BrokerWay(ADDRESS, 0.0)
    said = dict(broker.said)
    topic, payload = said[PUBLISH][2 : -ways.PAYLOAD], said[PUBLISH][-ways.PAYLOAD :]
    assert topic.startswith(b"p2pcards/1/") and topic.endswith(b"/host") and len(topic) == 48
    assert payload not in bytes(ways.PAYLOAD)
    await tried(broker)
    assert topic not in broker.said[-1][1], "nobody can wait for the next one"


async def passing_nothing_on(stream: trio.abc.Stream) -> None:
    await accept(stream)
    async for first, body in packets(stream):
        if first == SUBSCRIBE:
            await stream.send_all(suback(int.from_bytes(body[:2], "big")))
        elif first == PUBLISH:
            size = 2 + int.from_bytes(body[:2], "big")
            await stream.send_all(message(body[2:size].decode(), b"of somebody else"))


async def forbidding(stream: trio.abc.Stream) -> None:
    await accept(stream)
    async for first, body in packets(stream):
        if first == SUBSCRIBE:
            await stream.send_all(suback(int.from_bytes(body[:2], "big"), 0x80))


async def slow_and_passing_nothing_on(stream: trio.abc.Stream) -> None:
    await trio.sleep(7)
    await passing_nothing_on(stream)


@pytest.mark.parametrize(
    ("serve", "seconds", "why_not"),
    [
        (passing_nothing_on, 4, ways.MUTE),
        (slow_and_passing_nothing_on, 8, ways.MUTE),
        (lambda _: trio.sleep_forever(), 8, SILENT),
        (forbidding, 0, FORBIDDEN_TOPIC),
        ("The cable is out.", 0, "The cable is out."),
    ],
)
async def test_a_broker_that_does_not_work_is_told_within_eight_seconds(
    autojump_clock: MockClock, serve: Serve | str, seconds: int, why_not: str
) -> None:
    began = trio.current_time()
    assert await tried(serve) == BrokerWay(ADDRESS, None, why_not.format(there=ADDRESS, port=8883))
    assert trio.current_time() - began == pytest.approx(seconds, abs=0.01)


async def test_a_broker_that_cannot_be_dialed_in_time_is_silent(autojump_clock: MockClock) -> None:
    async def dial(_: BrokerAddress) -> trio.abc.Stream:
        await trio.sleep_forever()
        raise AssertionError

    assert (await try_broker(ADDRESS, dial)).why_not == SILENT.format(there=ADDRESS, port=8883)


async def test_a_password_is_not_shown(mock_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        found = await try_broker("mqtts://ann:secret@cards.example", Dialing(nursery, StandIn()))
        nursery.cancel_scope.cancel()
    assert found == BrokerWay(ADDRESS, 0.0)


async def test_an_address_that_is_none_is_told_with_the_place_to_mend_it() -> None:
    found = await try_broker("mqtts://cards.example/path")
    assert found.why_not.endswith("Leave out '/path'. It's in your settings: p2pcards config edit")


# --- a captive portal, and a clock that is years off: on real sockets -------------------------------------------------


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> LabAuthority:
    return LabAuthority(tmp_path_factory.mktemp("authority"))


async def why_not(serve: Callable[[trio.SocketStream], Awaitable[object]], scheme: str, dial: Dial) -> str:
    (listener,) = await tcp.listen(0, HERE)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, serve, [listener])
        found = await try_broker(f"{scheme}://{HERE}:{tcp.port_of(listener)}", dial)
        nursery.cancel_scope.cancel()
    assert found.seconds is None
    return found.why_not


async def in_http(stream: trio.SocketStream) -> None:
    await stream.receive_some()
    await stream.send_all(b"HTTP/1.1 302 Found\r\nLocation: https://portal.example/\r\nContent-Length: 0\r\n\r\n")


async def with_certificate(stream: trio.SocketStream, files: tuple[Path, Path]) -> None:
    with suppress(trio.BrokenResourceError):
        await trio.SSLStream(stream, server_context(files), server_side=True).do_handshake()


@pytest.mark.parametrize("scheme", ["mqtt", "mqtts", "wss"])
async def test_a_captive_portal_that_answers_in_http_is_known(authority: LabAuthority, scheme: str) -> None:
    sentence = await why_not(in_http, scheme, partial(dial_broker, context=authority.trusted()))
    assert "answers, but isn't a broker. On public Wi-Fi, sign in" in sentence


async def test_a_captive_portal_with_a_certificate_of_its_own_is_known(authority: LabAuthority) -> None:
    portal = partial(with_certificate, files=authority.certificate(("portal.example",)))
    sentence = await why_not(portal, "mqtts", partial(dial_broker, context=authority.trusted()))
    assert "can't prove that it is 127.0.0.1 (its certificate is for another name). On public Wi-Fi" in sentence


@pytest.mark.parametrize(
    ("since", "until", "today", "sentence"),
    [
        (
            YEAR,
            2 * YEAR,
            date(2019, 1, 2),
            "This machine's clock says January 2, 2019, so no certificate is valid yet.",
        ),
        (-2 * YEAR, -YEAR, date(2048, 5, 9), "isn't valid on May 9, 2048, the date on this machine's clock."),
    ],
)
async def test_a_clock_that_is_years_off_is_told(
    authority: LabAuthority, since: timedelta, until: timedelta, today: date, sentence: str
) -> None:
    serve = partial(with_certificate, files=authority.certificate(since=since, until=until))
    dial = partial(dial_broker, context=authority.trusted(), today=lambda: today)
    assert sentence in await why_not(serve, "mqtts", dial)


# --- a port of the router ---------------------------------------------------------------------------------------------

Outcome = Mapped | NotMapped | None


class Routers:
    """In place of the router of this network. outcomes: by version of IP, of those versions that have a router; None
    from one that never answers. given_back: the versions whose port was mapped no longer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, outcomes: dict[int, Outcome], own: IP = HOME) -> None:
        self.given_back: list[int] = []
        self._own = own
        self._outcomes = outcomes
        monkeypatch.setattr(ways, "find_gateway", self.find)
        monkeypatch.setattr(ways, "map_port", self.map)

    async def find(self, version: int) -> Gateway | None:
        await trio.lowlevel.checkpoint()
        return Gateway(ROUTER, self._own) if version in self._outcomes else None

    async def map(
        self,
        port: int,
        tell: object,
        *,
        version: int,
        advised: int,
        task_status: trio.TaskStatus[Mapped | NotMapped],
    ) -> None:
        assert advised == 4747 and port >= 1024, "no router lends the others out"
        with socket.socket() as other:
            with pytest.raises(OSError, match="in use"):
                other.bind(("", port))
            assert other.connect_ex((HERE, port)), "nobody listens there"
        outcome = self._outcomes.get(version, NotMapped("There is no router."))
        try:
            if outcome is not None:
                task_status.started(outcome)
            await trio.sleep_forever()
        finally:
            self.given_back.append(version)


@pytest.mark.parametrize(
    ("outcomes", "way"),
    [
        ({4: Mapped(PUBLIC, 5000, "UPnP")}, PortWay(PUBLIC, "UPnP", 0.0)),
        (
            {4: Mapped(PUBLIC, 5000, "PCP"), 6: Mapped(PUBLIC_IPV6, 5000, "PCP")},
            PortWay(PUBLIC, "PCP", 0.0),
        ),
        ({4: NotMapped("No."), 6: Mapped(PUBLIC_IPV6, 5000, "PCP")}, PortWay(PUBLIC_IPV6, "PCP", 0.0)),
        ({4: NotMapped("No."), 6: NotMapped("Nor this one.")}, PortWay(why_not="No.")),
        ({6: NotMapped("No.")}, PortWay(why_not="No.")),
        ({}, PortWay(why_not="There is no router.")),
    ],
    ids=["IPv4", "both", "IPv6", "neither", "an IPv6 router that does not", "no router"],
)
async def test_a_port_is_opened_and_given_back(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch, outcomes: dict[int, Outcome], way: PortWay
) -> None:
    routers = Routers(monkeypatch, outcomes)
    assert await try_port() == way
    assert sorted(routers.given_back) == (sorted(outcomes) or [4])


async def test_a_router_that_never_answers_is_given_up_after_eight_seconds(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    routers = Routers(monkeypatch, {4: None})
    assert await try_port() == PortWay(why_not=ways.TOO_LATE)
    assert (trio.current_time(), routers.given_back) == (8, [4])
    Routers(monkeypatch, {4: None, 6: Mapped(PUBLIC_IPV6, 5000, "PCP")})
    assert await try_port() == PortWay(PUBLIC_IPV6, "PCP", 0.0), "what came in time counts"


async def test_a_public_address_needs_no_port(monkeypatch: pytest.MonkeyPatch) -> None:
    routers = Routers(monkeypatch, {4: None}, own=PUBLIC)
    assert await try_port() == PortWay(PUBLIC) and not routers.given_back


# --- all of them ------------------------------------------------------------------------------------------------------


async def test_all_ways_are_tried_at_once(mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    Routers(monkeypatch, {4: Mapped(PUBLIC, 5000, "UPnP")})
    monkeypatch.setattr(ways, "source_address", lambda target: None if ":" in target else HOME)
    monkeypatch.setattr(direct, "is_available", lambda: True)
    progress: list[tuple[int, int]] = []
    async with trio.open_nursery() as nursery:
        servers = [StandInStun(lambda transaction, seen: [stun_answer(seen, transaction)]) for _ in range(2)]
        for server in servers:
            await nursery.start(server.serve)
        places = [server.place for server in servers]
        brokers = [ADDRESS, "mqtts://other.example"]
        found = await try_ways(brokers, places, lambda *step: progress.append(step), Dialing(nursery, StandIn()))
        nursery.cancel_scope.cancel()
    assert found.brokers == (BrokerWay(ADDRESS, 0.0), BrokerWay(brokers[1], 0.0))
    assert (found.udp_ipv4.kind, found.udp_ipv4.address) == (MappingKind.NO_NAT, ip_address(HERE))
    assert found.udp_ipv6 == OutsideView(why_not=ways.NO_IPV6)
    assert (found.port, found.direct_why_not) == (PortWay(PUBLIC, "UPnP", 0.0), "")
    assert progress == [(tried, 5) for tried in range(6)]


async def test_where_nothing_answers_it_is_over_in_ten_seconds(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dial(_: BrokerAddress) -> trio.abc.Stream:
        await trio.sleep_forever()
        raise AssertionError

    Routers(monkeypatch, {4: None, 6: None})
    monkeypatch.setattr(ways, "source_address", lambda _: PUBLIC_IPV6)
    with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as silent:
        await silent.bind((HERE, 0))
        found = await try_ways([ADDRESS] * 3, [silent.getsockname()], None, dial)
    assert trio.current_time() <= 10
    assert not found.has_any
    assert all([*[one.why_not for one in found.brokers], found.udp_ipv4.why_not, found.udp_ipv6.why_not])


BROKEN, BROKER = BrokerWay(ADDRESS, None, "Down."), BrokerWay(ADDRESS, 0.1)


@pytest.mark.parametrize(
    ("brokers", "port", "any_way"),
    [
        ((BROKEN, BROKER), PortWay(why_not="No."), True),
        ((BROKEN,), PortWay(why_not="No."), False),
        ((BROKEN,), PortWay(PUBLIC, "UPnP", 0.1), True),
        ((BROKEN,), PortWay(PUBLIC), True),
        ((BROKEN,), PortWay(PUBLIC_IPV6, "PCP", 0.1), False),
    ],
)
def test_friends_anywhere_need_a_broker_or_an_address_that_all_of_them_reach(
    brokers: tuple[BrokerWay, ...], port: PortWay, any_way: bool
) -> None:
    assert Ways(brokers, OutsideView(), OutsideView(), port, "").has_any is any_way
