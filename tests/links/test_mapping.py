"""A port of the router, from routers that a test plays on the loopback: willing ones, and hostile ones."""

from __future__ import annotations

import re
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from ipaddress import ip_address

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.links import mapping, upnp
from p2pcards.links.gateway import Gateway
from p2pcards.links.mapping import LEASE, Mapped, NotMapped, Ports, map_port
from rigs.giving_up import longest_wait

pytestmark = pytest.mark.deadline(10)  # a program that waits for what never comes stands still under a mock clock

HOST = "127.0.0.1"
HERE = Gateway(ip_address(HOST), ip_address(HOST))
PORT = 4747
PUBLIC, OTHER, OF_CARRIER = map(ip_address, ("192.0.1.12", "192.0.1.99", "100.64.0.7"))
KIND = "urn:schemas-upnp-org:service:WANIPConnection:1"


def refused(why: str) -> str:
    return f"Your router didn't open port {PORT} ({why}). Forward it by hand in its settings."


SILENT = f"Your router won't open a port by itself. Turn on UPnP in its settings, or forward TCP port {PORT} there."

Outcome = Mapped | NotMapped
Page = Callable[[str], tuple[int, str]]


@pytest.fixture
def jumping_clock() -> MockClock:
    """Time passes when nothing has happened for a moment, in which whatever is on its way arrives."""
    return MockClock(autojump_threshold=0.02)


class Router:
    """answer: to a datagram of PCP or NAT-PMP; None where it has neither. pages: its answers over HTTP, by the path or
    the action that is asked for. location: where it says that it is described."""

    def __init__(
        self,
        answer: Callable[[bytes], list[bytes]] | None = None,
        pages: dict[str, Page] | None = None,
        location: str = "http://127.0.0.1:{port}/root.xml",
    ) -> None:
        self.answer = answer
        self.pages = pages or {}
        self.location = location
        self.datagrams: list[bytes] = []
        self.calls: list[tuple[str, str]] = []
        self._askers: dict[bytes, tuple[str, int]] = {}  # by nonce of PCP
        self._changed = trio.Event()
        self.asked, self.found = (trio.socket.socket(type=trio.socket.SOCK_DGRAM) for _ in range(2))
        self.answers_searches = self.found
        self.ports = Ports(0, 0, 0)

    async def bind(self) -> None:
        with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as free:
            for sock in (self.asked, self.found, free):
                await sock.bind((HOST, 0))
            asked, found, announced = (sock.getsockname()[1] for sock in (self.asked, self.found, free))
        self.ports = Ports(asked, announced, found)
        if self.answer is None:
            self.asked.close()

    async def serve(self, task_status: trio.TaskStatus[None]) -> None:
        with self.asked, self.found:
            async with trio.open_nursery() as nursery:
                listeners = await nursery.start(partial(trio.serve_tcp, self._answer_http, 0, host=HOST))
                if self.answer is not None:
                    nursery.start_soon(self._answer_datagrams, self.answer)
                nursery.start_soon(self._answer_searches, listeners[0].socket.getsockname()[1])
                task_status.started()

    async def until(self, true: Callable[[], bool]) -> None:
        """True once it has been asked enough."""
        while not true():
            await self._changed.wait()

    async def _answer_datagrams(self, answer: Callable[[bytes], list[bytes]]) -> None:
        while True:
            datagram, sender = await self.asked.recvfrom(2000)
            self._askers[datagram[24:36]] = sender
            self.datagrams.append(datagram)
            self._note()
            for reply in answer(datagram):
                asker = self._askers.get(reply[24:36]) if is_pcp(reply) else None
                await self.asked.sendto(reply, asker or sender)

    async def _answer_searches(self, port: int) -> None:
        while True:
            _, sender = await self.found.recvfrom(2000)
            if self.pages:
                lines = ["HTTP/1.1 200 OK", f"ST: {upnp.DEVICE}1", f"LOCATION: {self.location.format(port=port)}"]
                await self.answers_searches.sendto("\r\n".join([*lines, "", ""]).encode(), sender)

    async def _answer_http(self, stream: trio.SocketStream) -> None:
        said = b""
        while not (whole := re.fullmatch(rb"(.*?)\r\n\r\n(.*)", said, re.DOTALL)) or len(whole[2]) < _length(whole[1]):
            said += await stream.receive_some()
        head, body = whole[1].decode(), whole[2].decode()
        action = re.search(r'SOAPAction: ".*#(\w+)"', head)
        asked = action[1] if action else head.split(" ")[1]
        self.calls.append((asked, body))
        status, answer = self.pages[asked](body)
        lines = [f"HTTP/1.1 {status} Whatever", "Connection: close", f"Content-Length: {len(answer)}", "", answer]
        with suppress(trio.BrokenResourceError):
            await stream.send_all("\r\n".join(lines).encode())
        self._note()

    def _note(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def _length(head: bytes) -> int:
    found = re.search(rb"Content-Length: (\d+)", head)
    return int(found[1]) if found else 0


@asynccontextmanager
async def outcomes_of(
    router: Router, gateway: Gateway | None = HERE, wall: Callable[[], float] = lambda: 0.0
) -> AsyncIterator[list[Outcome]]:
    """What the router has given and gives until the block ends; there is one at least."""
    outcomes: list[Outcome] = []
    if router.ports == Ports(0, 0, 0):
        await router.bind()
    async with trio.open_nursery() as nursery:
        await nursery.start(router.serve)
        async with trio.open_nursery() as client:
            kept = partial(map_port, PORT, outcomes.append, gateway=gateway, ports=router.ports, wall=wall)
            await client.start(kept)
            yield outcomes
            client.cancel_scope.cancel()
        nursery.cancel_scope.cancel()


# --- PCP --------------------------------------------------------------------------------------------------------------


def is_pcp(request: bytes) -> bool:
    return len(request) == 60


def lifetime_of(request: bytes) -> int:
    return int.from_bytes(request[4:8] if is_pcp(request) else request[8:12], "big")


def sixteen(address: object) -> bytes:
    return b"\0" * 10 + b"\xff\xff" + ip_address(str(address)).packed


def granting(
    *, address: Callable[[], object] = lambda: PUBLIC, lifetime: int = LEASE, result: int = 0
) -> Callable[[bytes], list[bytes]]:
    """Of a router that has PCP alone and gives whatever is asked for."""
    began = trio.current_time()

    def answer(request: bytes) -> list[bytes]:
        if not is_pcp(request):
            return []
        given = lifetime if lifetime_of(request) else 0
        head = struct.pack("!BBxBII12x", 2, 0x81, result, given, 100 + int(trio.current_time() - began))
        return [head + request[24:42] + (5000).to_bytes(2, "big") + sixteen(address())]

    return answer


async def test_a_port_is_mapped_by_pcp_and_given_back(mock_clock: MockClock) -> None:
    router = Router(granting())
    async with outcomes_of(router) as outcomes:
        assert outcomes == [Mapped(PUBLIC, 5000, "PCP")]
    asked = [one for one in router.datagrams if is_pcp(one)]
    assert [lifetime_of(one) for one in asked] == [LEASE, 0]
    assert len({one[24:36] for one in asked}) == 1, "with the same nonce"


@pytest.mark.parametrize("lifetime", [LEASE, 2**32 - 1])
async def test_a_lease_is_renewed_after_half_an_hour(mock_clock: MockClock, lifetime: int) -> None:
    router = Router(granting(lifetime=lifetime))
    async with outcomes_of(router) as outcomes:
        await wait_all_tasks_blocked()
        had = len(router.datagrams)
        mock_clock.jump(LEASE / 2 - 1)
        await wait_all_tasks_blocked()
        assert len(router.datagrams) == had
        mock_clock.jump(1)
        await router.until(lambda: len(router.datagrams) > had)
        assert outcomes == [Mapped(PUBLIC, 5000, "PCP")]
    first, again, _ = [one for one in router.datagrams if is_pcp(one)]
    assert again[24:36] == first[24:36]
    assert again[42:] == (5000).to_bytes(2, "big") + sixteen(PUBLIC), "it asks for the same address and port"


async def test_a_lifetime_of_seconds_is_no_help_and_is_given_back(jumping_clock: MockClock) -> None:
    router = Router(granting(lifetime=5))
    async with outcomes_of(router) as outcomes:
        assert outcomes == [NotMapped(refused("PCP: for 5 seconds only"))]
    assert [lifetime_of(one) for one in router.datagrams if is_pcp(one)] == [LEASE, 0]


async def test_an_address_that_changes_at_a_renewal_is_told(mock_clock: MockClock) -> None:
    addresses = iter([PUBLIC])
    router = Router(granting(address=lambda: next(addresses, OTHER)))
    async with outcomes_of(router) as outcomes:
        await wait_all_tasks_blocked()
        had = len(router.datagrams)
        mock_clock.jump(LEASE / 2)
        await router.until(lambda: len(router.datagrams) > had)
        await wait_all_tasks_blocked()
        assert outcomes == [Mapped(PUBLIC, 5000, "PCP"), Mapped(OTHER, 5000, "PCP")]


async def test_a_router_that_gives_no_more_is_told_and_asked_again_later(jumping_clock: MockClock) -> None:
    gives = granting()
    router = Router(lambda request: gives(request) if trio.current_time() < began + 60 or is_later() else [])
    began = trio.current_time()

    def is_later() -> bool:
        return trio.current_time() > began + LEASE / 2 + 60

    async with outcomes_of(router) as outcomes:
        while len(outcomes) < 3:
            await trio.sleep(300)
    assert outcomes == [Mapped(PUBLIC, 5000, "PCP"), NotMapped(SILENT), Mapped(PUBLIC, 5000, "PCP")]


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (2, refused("PCP: not allowed")),
        (77, refused("PCP: error 77")),
    ],
)
async def test_a_router_that_refuses_is_quoted(jumping_clock: MockClock, result: int, told: str) -> None:
    async with outcomes_of(Router(granting(result=result))) as outcomes:
        assert outcomes == [NotMapped(told)]


@pytest.mark.parametrize("result", [0, 8])
async def test_the_address_of_a_carrier_is_told_as_what_it_is(jumping_clock: MockClock, result: int) -> None:
    router = Router(granting(address=lambda: OF_CARRIER, result=result))
    async with outcomes_of(router) as outcomes:
        assert outcomes == [
            NotMapped(
                "Your router is behind your provider's own router (100.64.0.7), so calls from outside can't reach it."
            )
        ]
    assert lifetime_of([one for one in router.datagrams if is_pcp(one)][-1]) == 0, "it is given back"


async def test_a_router_that_says_nothing_is_asked_three_times(jumping_clock: MockClock) -> None:
    router = Router(lambda _: [])
    async with outcomes_of(router) as outcomes:
        assert outcomes == [NotMapped(SILENT)]
        assert sum(map(is_pcp, router.datagrams)) == len(mapping.SENDINGS)


async def test_a_trial_of_another_port_advises_the_usual_one(jumping_clock: MockClock) -> None:
    router = Router(lambda _: [])
    await router.bind()
    async with trio.open_nursery() as nursery:
        await nursery.start(router.serve)
        trial = partial(map_port, 5123, print, gateway=HERE, ports=router.ports, advised=PORT)
        assert await nursery.start(trial) == NotMapped(SILENT)
        nursery.cancel_scope.cancel()


async def test_an_answer_to_another_request_is_none(jumping_clock: MockClock) -> None:
    gives = granting()
    router = Router(lambda request: [reply[:24] + b"another nonce"[:12] + reply[36:] for reply in gives(request)])
    async with outcomes_of(router) as outcomes:
        assert outcomes == [NotMapped(SILENT)]


@pytest.mark.parametrize("host", [HOST, "127.0.0.2"])
async def test_nobody_but_the_router_is_heard(jumping_clock: MockClock, host: str) -> None:
    """Somebody who sees the request and knows all of it, from another port or address."""
    gives = granting()
    with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as other:
        await other.bind((host, 0))

        def forge(request: bytes) -> list[bytes]:
            for reply in gives(request):
                other._sock.sendto(reply, router._askers[request[24:36]])  # type: ignore[attr-defined]
                forged.append(reply)
            return []

        forged: list[bytes] = []
        router = Router(forge)
        async with outcomes_of(router) as outcomes:
            assert outcomes == [NotMapped(SILENT)] and forged


async def test_given_up_before_an_answer_the_port_is_given_back(mock_clock: MockClock) -> None:
    gives = granting()
    router = Router(lambda request: [] if lifetime_of(request) else gives(request))
    await router.bind()
    async with trio.open_nursery() as nursery:
        await nursery.start(router.serve)
        async with trio.open_nursery() as client:
            client.start_soon(partial(map_port, PORT, print, gateway=HERE, ports=router.ports))
            await router.until(lambda: any(map(is_pcp, router.datagrams)))
            client.cancel_scope.cancel()
        nursery.cancel_scope.cancel()
    assert [lifetime_of(one) for one in router.datagrams if is_pcp(one)] == [LEASE, 0]


async def test_a_router_that_takes_nothing_back_is_left_after_a_second(jumping_clock: MockClock) -> None:
    gives = granting()
    router = Router(lambda request: gives(request) if lifetime_of(request) else [])
    async with outcomes_of(router) as outcomes:
        assert outcomes == [Mapped(PUBLIC, 5000, "PCP")]
        left = trio.current_time()
    assert trio.current_time() == pytest.approx(left + mapping.PARTING, abs=0.01)


async def test_where_another_program_hears_announcements_leases_are_renewed_all_the_same(
    mock_clock: MockClock,
) -> None:
    router = Router(granting())
    await router.bind()
    with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as other:
        await other.bind(("", router.ports.announced))
        async with outcomes_of(router):
            await wait_all_tasks_blocked()
            had = len(router.datagrams)
            mock_clock.jump(LEASE / 2)
            await router.until(lambda: len(router.datagrams) > had)


async def test_a_machine_that_has_slept_renews_its_lease(mock_clock: MockClock) -> None:
    slept = 0.0
    router = Router(granting())
    async with outcomes_of(router, wall=lambda: trio.current_time() + slept):
        await wait_all_tasks_blocked()
        had = len(router.datagrams)
        slept = LEASE / 2 - mapping.LOOKING - 1
        mock_clock.jump(mapping.LOOKING)
        await wait_all_tasks_blocked()
        assert len(router.datagrams) == had
        slept += mapping.LOOKING
        mock_clock.jump(mapping.LOOKING)
        await router.until(lambda: len(router.datagrams) > had)


@pytest.mark.parametrize("gives", [True, False])
async def test_a_machine_that_has_moved_asks_its_new_router(
    jumping_clock: MockClock, monkeypatch: pytest.MonkeyPatch, gives: bool
) -> None:
    """It has another address; and whether the router before gave a port or not, it asks at once."""
    moved, where = Gateway(ip_address(HOST), ip_address("127.0.0.2")), [HERE]

    async def find(version: int) -> Gateway:
        return where[0]

    monkeypatch.setattr(mapping, "find_gateway", find)
    grant = granting()
    router = Router(lambda request: grant(request) if gives or sixteen("127.0.0.2") in request else [])
    async with outcomes_of(router, gateway=None) as outcomes:
        assert outcomes == [Mapped(PUBLIC, 5000, "PCP") if gives else NotMapped(SILENT)]
        where[0] = moved
        began = trio.current_time()
        await router.until(lambda: sixteen("127.0.0.2") in router.datagrams[-1])
        assert trio.current_time() < began + 2 * mapping.LOOKING


def announcement(epoch: int) -> bytes:
    return struct.pack("!BBHII12x", 2, 0x80, 0, 0, epoch)


async def test_a_router_that_has_begun_anew_is_asked_again(mock_clock: MockClock) -> None:
    router = Router(granting())
    async with outcomes_of(router):
        await wait_all_tasks_blocked()
        had = len(router.datagrams)
        mock_clock.jump(15)
        heard = HOST, router.ports.announced
        await router.asked.sendto(announcement(115), heard)
        await wait_all_tasks_blocked()
        assert len(router.datagrams) == had, "that is the epoch which it should have"
        await router.asked.sendto(announcement(0), heard)
        await router.until(lambda: len(router.datagrams) == had + 1)
        for _ in range(5):
            await router.asked.sendto(announcement(0), heard)
            await wait_all_tasks_blocked()
        assert len(router.datagrams) == had + 1, "no more often than every ten seconds, whatever it announces"
        mock_clock.jump(mapping.BETWEEN_RESTARTS - 1)
        await wait_all_tasks_blocked()
        assert len(router.datagrams) == had + 1
        mock_clock.jump(1)
        await router.until(lambda: len(router.datagrams) == had + 2)


# --- NAT-PMP ----------------------------------------------------------------------------------------------------------


def before_pcp(request: bytes) -> list[bytes]:
    """Of a router that has NAT-PMP alone and refuses any other version (RFC 6886, section 3.5)."""
    if is_pcp(request):
        return [struct.pack("!BBHI", 0, 0x81, 1, 7)]
    if request == b"\0\0":
        return [struct.pack("!BBHI", 0, 0x80, 0, 7) + PUBLIC.packed]
    internal, external, lifetime = struct.unpack("!HHI", request[4:])
    return [struct.pack("!BBHIHHI", 0, 0x82, 0, 7, internal, external and 5001, lifetime)]


async def test_a_port_is_mapped_by_nat_pmp_and_given_back(mock_clock: MockClock) -> None:
    router = Router(before_pcp)
    async with outcomes_of(router) as outcomes:
        assert outcomes == [Mapped(PUBLIC, 5001, "NAT-PMP")]
    assert bytes.fromhex("00020000" + "128b0000" + "00000000") in router.datagrams


async def test_what_the_loser_may_have_got_is_given_back_and_the_winner_asks_again(jumping_clock: MockClock) -> None:
    """On one router both may have got the same mapping."""
    gives = granting()
    asked: list[tuple[str, bool]] = []  # by which protocol, and whether to map

    def answer(request: bytes) -> list[bytes]:
        if request == b"\0\0":
            return before_pcp(request)
        asked.append(("PCP" if is_pcp(request) else "NAT-PMP", bool(lifetime_of(request))))
        if ("NAT-PMP", True) not in asked:
            return []  # PCP is late: it is answered once the other has asked, too
        return (
            gives(next(filter(is_pcp, router.datagrams)))
            if asked[-1] == ("NAT-PMP", True)
            else gives(request) or before_pcp(request)
        )

    router = Router(answer)
    async with outcomes_of(router) as outcomes:
        assert outcomes == [Mapped(PUBLIC, 5000, "PCP")]
        await router.until(lambda: ("NAT-PMP", False) in asked and asked[-1] == ("PCP", True))
        assert asked.index(("NAT-PMP", True)) < asked.index(("NAT-PMP", False))
        assert outcomes == [Mapped(PUBLIC, 5000, "PCP")]


# --- UPnP -------------------------------------------------------------------------------------------------------------


def envelope(inner: str) -> str:
    return f'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>{inner}</s:Body></s:Envelope>'


def fault(number: int) -> tuple[int, str]:
    return 500, envelope(f"<s:Fault><detail><UPnPError><errorCode>{number}</errorCode></UPnPError></detail></s:Fault>")


def pages(**others: Page) -> dict[str, Page]:
    service = f"<service><serviceType>{KIND}</serviceType><controlURL>/control</controlURL></service>"
    usual: dict[str, Page] = {
        "/root.xml": lambda _: (200, f"<root><device><serviceList>{service}</serviceList></device></root>"),
        "GetExternalIPAddress": lambda _: (200, envelope(f"<NewExternalIPAddress>{PUBLIC}</NewExternalIPAddress>")),
        "AddPortMapping": lambda _: (200, envelope("<u/>")),
        "DeletePortMapping": lambda _: (200, envelope("<u/>")),
    }
    return {**usual, **others}


def argument(body: str, name: str) -> str:
    found = re.search(f"<{name}>(.*)</{name}>", body)
    assert found, body
    return found[1]


async def test_a_port_is_mapped_by_upnp_and_given_back(mock_clock: MockClock) -> None:
    router = Router(pages=pages())
    async with outcomes_of(router) as outcomes:
        assert outcomes == [Mapped(PUBLIC, PORT, "UPnP")]
        (body,) = [body for asked, body in router.calls if asked == "AddPortMapping"]
        values = ("NewInternalClient", "NewInternalPort", "NewExternalPort", "NewProtocol", "NewLeaseDuration")
        assert [argument(body, name) for name in values] == [HOST, "4747", "4747", "TCP", "3600"]
    assert router.calls[-1][0] == "DeletePortMapping"
    assert argument(router.calls[-1][1], "NewExternalPort") == "4747"


async def test_a_port_that_another_machine_has_is_not_taken_from_it(mock_clock: MockClock) -> None:
    taken = pages(AddPortMapping=lambda body: fault(718) if ">4747</NewExternal" in body else (200, envelope("<u/>")))
    router = Router(pages=taken)
    async with outcomes_of(router) as outcomes:
        (mapped,) = outcomes
        assert isinstance(mapped, Mapped) and mapped.port in mapping.OTHER_PORTS
    assert argument(router.calls[-1][1], "NewExternalPort") == str(mapped.port)


async def test_after_three_ports_of_others_it_gives_up(jumping_clock: MockClock) -> None:
    router = Router(pages=pages(AddPortMapping=lambda _: fault(718)))
    async with outcomes_of(router) as outcomes:
        why = refused("UPnP: another machine has it")
        assert outcomes == [NotMapped(why)]
        assert [asked for asked, _ in router.calls].count("AddPortMapping") == 3


async def test_a_router_that_knows_no_leases_maps_for_good_until_told(mock_clock: MockClock) -> None:
    router = Router(
        pages=pages(AddPortMapping=lambda body: (200, envelope("<u/>")) if "Duration>0<" in body else fault(725))
    )
    async with outcomes_of(router) as outcomes:
        assert outcomes == [Mapped(PUBLIC, PORT, "UPnP")]
    assert router.calls[-1][0] == "DeletePortMapping"


async def test_of_several_reasons_the_one_that_says_most_is_told(jumping_clock: MockClock) -> None:
    """PCP's, which comes last."""
    nowhere = pages(GetExternalIPAddress=lambda _: (200, envelope("<NewExternalIPAddress></NewExternalIPAddress>")))
    of_carrier = granting(address=lambda: OF_CARRIER, result=8)
    asked: list[bytes] = []

    def answer(request: bytes) -> list[bytes]:
        if not is_pcp(request):
            return [struct.pack("!BBHI", 0, 0x80, 3, 7) + bytes(4)]
        asked.append(request)
        return of_carrier(request) if len(asked) > 1 else []

    async with outcomes_of(Router(answer, nowhere)) as outcomes:
        assert isinstance(outcomes[0], NotMapped) and "(100.64.0.7)" in outcomes[0].why
    async with outcomes_of(Router(pages=nowhere)) as outcomes:
        assert isinstance(outcomes[0], NotMapped) and "no public address" in outcomes[0].why


SENSELESS = refused("UPnP: a garbled answer")


@pytest.mark.parametrize(
    "hostile",
    [
        {"/root.xml": lambda _: (200, "<root>" + "<x/>" * 16384 + "</root>")},  # 64 kB
        {"/root.xml": lambda _: (200, "<!DOCTYPE r [<!ENTITY a 'b'>]><r>&a;</r>")},
        {"/root.xml": lambda _: (302, "")},
        {"/root.xml": lambda _: (200, "no XML")},
        {"GetExternalIPAddress": lambda _: (200, envelope("<NewExternalIPAddress>me</NewExternalIPAddress>"))},
        {"GetExternalIPAddress": lambda _: (500, "")},
        {"AddPortMapping": lambda _: (500, envelope("<errorCode>\x1b[2J</errorCode>"))},
    ],
    ids=["64 kB", "entities", "elsewhere", "no XML", "no address", "no fault", "escapes"],
)
async def test_a_hostile_router_is_told_in_a_sentence(jumping_clock: MockClock, hostile: dict[str, Page]) -> None:
    async with outcomes_of(Router(pages=pages(**hostile))) as outcomes:
        assert outcomes == [NotMapped(SENSELESS)]


@pytest.mark.parametrize("of_location", [True, False])
async def test_a_router_cannot_have_a_third_party_asked(jumping_clock: MockClock, of_location: bool) -> None:
    called: list[trio.SocketStream] = []

    async def note(stream: trio.SocketStream) -> None:
        called.append(stream)

    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, note, 0, host="127.0.0.2"))
        third = f"http://127.0.0.2:{listener.socket.getsockname()[1]}/control"
        service = f"<service><serviceType>{KIND}</serviceType><controlURL>{third}</controlURL></service>"
        router = (
            Router(pages=pages(), location=third)
            if of_location
            else Router(pages=pages(**{"/root.xml": lambda _: (200, f"<root>{service}</root>")}))
        )
        async with outcomes_of(router) as outcomes:
            assert outcomes == [NotMapped(SILENT if of_location else SENSELESS)]
        assert not called
        nursery.cancel_scope.cancel()


async def test_nobody_but_the_router_tells_where_it_is_described(jumping_clock: MockClock) -> None:
    router = Router(pages=pages())
    with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as other:
        await other.bind(("127.0.0.2", 0))
        router.answers_searches = other
        async with outcomes_of(router) as outcomes:
            assert outcomes == [NotMapped(SILENT)]
    assert not router.calls


async def test_a_router_that_never_ends_its_answer_is_given_up(jumping_clock: MockClock) -> None:
    """One that says nothing, one that sends without an end, and one whose head has none."""

    async def say_nothing(stream: trio.SocketStream) -> None:
        await trio.sleep_forever()

    async def say(stream: trio.SocketStream, head: bytes, more: bytes) -> None:
        with suppress(trio.BrokenResourceError):
            await stream.send_all(head)
            while True:
                await stream.send_all(more)

    endless = partial(say, head=b"HTTP/1.1 200 OK\r\n\r\n", more=b"<a>" * 1000)
    headless = partial(say, head=b"HTTP/1.1 200 OK\r\n", more=b"X: y\r\n" * 1000)
    for handler in (say_nothing, endless, headless):
        async with trio.open_nursery() as nursery:
            (listener,) = await nursery.start(partial(trio.serve_tcp, handler, 0, host=HOST))
            place = f"http://{HOST}:{listener.socket.getsockname()[1]}/root.xml"
            with trio.fail_after(longest_wait()):
                async with outcomes_of(Router(pages=pages(), location=place)) as outcomes:
                    (told,) = outcomes
            assert isinstance(told, NotMapped) and told.why.startswith(f"Your router didn't open port {PORT} (UPnP: ")
            nursery.cancel_scope.cancel()


# --- no router --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "version", "told"),
    [
        ("198.41.0.4", 4, "This machine has a public address, 198.41.0.4, so you don't need a port opened."),
        ("fd00::2", 6, "This machine has no public IPv6 address."),
    ],
)
async def test_a_router_that_is_no_help_is_not_asked(
    jumping_clock: MockClock, own: str, version: int, told: str
) -> None:
    router = Gateway(ip_address("198.41.0.1" if version == 4 else "fe80::1"), ip_address(own), "none")
    async with trio.open_nursery() as nursery:
        outcome = await nursery.start(partial(map_port, PORT, print, version=version, gateway=router))
        assert outcome == NotMapped(told)
        nursery.cancel_scope.cancel()


async def test_a_machine_without_a_router_is_told_so(monkeypatch: pytest.MonkeyPatch, jumping_clock: MockClock) -> None:
    async def none(version: int) -> None:
        return None

    monkeypatch.setattr(mapping, "find_gateway", none)
    async with trio.open_nursery() as nursery:
        outcome = await nursery.start(partial(map_port, PORT, print))
        assert outcome == NotMapped("Can't find a router to open a port. Check that this machine is online.")
        nursery.cancel_scope.cancel()
