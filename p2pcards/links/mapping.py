"""A TCP port of the router that leads to this machine: asked for by PCP, NAT-PMP and UPnP at once, kept, and given up.

The first way that gives a port of a public address wins; what the others may have got is given back.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import h11
import trio

from p2pcards.links import pcp, upnp
from p2pcards.links.gateway import Gateway, find_gateway, why_not_public
from p2pcards.links.pcp import IP

LEASE = 3600
"""Seconds for which a port is asked for; it is asked for again after half of them."""
SHORTEST = 120
"""Seconds; a router that gives less is no help (RFC 6887 has it give no less)."""

SENDINGS = (0.25, 0.5, 1.0)
"""Seconds until a datagram is sent again, or given up (RFC 6886, section 3.1, cut short)."""
HTTP_PATIENCE = 3.0
PATIENCE = 6.0
"""Seconds until a router has to have given a port."""
PARTING = 1.0
"""Seconds in which ports are given back."""

AGAIN = (60.0, 300.0, 900.0)
"""Seconds until a router is asked again that gave no port; the last of them from then on."""
LOOKING = 60.0
"""Seconds until it is looked again whether this machine has another router, or has slept."""
SETTLING = 2.0
"""Seconds in which a new network gets going."""
BETWEEN_RESTARTS = 10.0
"""Seconds; a router that claims to restart all the time is asked no more often."""

OTHER_PORTS = range(20000, 60000)
TRIES = 3
"""External ports tried by UPnP, where another machine may have the first."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """Calls to this address and port come to our own port."""

    address: IP
    port: int
    by: str  # PCP, NAT-PMP or UPnP


@dataclass(frozen=True, slots=True)
class NotMapped:
    why: str  # a sentence for players


@dataclass(frozen=True, slots=True)
class Ports:
    """UDP ports of a router, and the one of ours to which it announces that it has begun anew."""

    asked: int = pcp.SERVER_PORT
    announced: int = pcp.CLIENT_PORT
    searched: int = upnp.SEARCH_PORT


@dataclass(frozen=True, slots=True)
class Lease:
    address: IP
    port: int
    seconds: int
    epoch: int | None = None


class CannotMap(Exception):
    """One way gave no port. weight: the heaviest of the ways' sentences is told."""

    def __init__(self, sentence: str, weight: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.weight = weight


LATE, SILENT, REFUSED, NO_ADDRESS, NOT_PUBLIC = range(5)


async def map_port(
    port: int,
    tell: Callable[[Mapped | NotMapped], None],
    *,
    version: int = 4,
    gateway: Gateway | None = None,
    ports: Ports = Ports(),
    wall: Callable[[], float] = time.time,
    advised: int | None = None,
    task_status: trio.TaskStatus[Mapped | NotMapped] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Have the router lead calls to TCP `port` of this machine until cancelled. It has started with the first outcome,
    after at most some seconds; `tell` gets that and every later one that differs.

    version: 4, or 6 to have the router let calls in to an address of our own. gateway: by default that of the
    routing table, now and later. wall: a clock that goes on while this machine sleeps, which Trio's need not. advised:
    the port that sentences name, where `port` is one for a trial.
    """
    last: Mapped | NotMapped | None = None

    def told(outcome: Mapped | NotMapped) -> None:
        """Report an outcome if it differs from the last one."""
        nonlocal last
        if last is None:
            task_status.started(outcome)
        if outcome != last:
            last = outcome
            tell(outcome)

    async def find() -> Gateway | None:
        """The gateway given, or the one found now."""
        return gateway or await find_gateway(version)

    attempts = 0
    while True:
        router = await find()
        if router is None:
            told(NotMapped("Can't find a router to open a port. Check that this machine is online."))
        elif (why := _why_not_asked(router)) is not None:
            told(NotMapped(why))
        elif await _Hold(port, router, ports, advised or port, told, find, wall).hold():
            attempts = 0
        attempts = 0 if await _has_moved(router, find, AGAIN[attempts]) else min(attempts + 1, len(AGAIN) - 1)


async def _has_moved(router: Gateway | None, find: Callable[[], Awaitable[Gateway | None]], seconds: float) -> bool:
    """Wait at most so many seconds; True as soon as this machine has another router."""
    end = trio.current_time() + seconds
    while await find() == router:
        if (left := end - trio.current_time()) <= 0:
            return False
        await trio.sleep(min(left, LOOKING))
    await trio.sleep(SETTLING)
    return True


def _why_not_asked(router: Gateway) -> str | None:
    """Why the router need not or cannot be asked, a sentence; None if it can."""
    if router.own.version == 4 and router.own.is_global:
        return f"This machine has a public address, {router.own}, so you don't need a port opened."
    if router.own.version == 6 and not router.own.is_global:
        return "This machine has no public IPv6 address."
    return None


@dataclass(frozen=True, slots=True)
class _Hold:
    """A port of one router."""

    port: int
    router: Gateway
    ports: Ports
    advised: int
    told: Callable[[Mapped | NotMapped], None]
    find: Callable[[], Awaitable[Gateway | None]]
    wall: Callable[[], float]

    async def hold(self) -> bool:
        """Map the port and keep it until the router gives it no longer or is another; True if it ever was mapped."""
        by_pcp = PcpMapper(self.router, self.port, self.ports, self.advised)
        mappers: list[Mapper] = [by_pcp]
        if self.router.address.version == 4:
            mappers.append(NatPmpMapper(self.router, self.port, self.ports, self.advised, by_pcp.failed))
            mappers.append(UpnpMapper(self.router, self.port, self.ports, self.advised))
        try:
            found = await _first_public(mappers)
            if isinstance(found, CannotMap):
                self.told(NotMapped(found.sentence))
                return False
            mapper, lease = found
            others = [other for other in mappers if other.asked and other is not mapper]
            if others:  # on one router two of them may have got the same mapping, which is gone then
                await _give_back(others)
                lease = await mapper.map_public()
            async with announcement_socket(self.ports) as heard:
                self.told(Mapped(lease.address, lease.port, mapper.name))
                while await self._is_due(lease, heard):
                    lease = await mapper.map_public()
                    self.told(Mapped(lease.address, lease.port, mapper.name))
        except CannotMap as error:
            self.told(NotMapped(error.sentence))
        finally:
            await _give_back(mappers)
        return True

    async def _is_due(self, lease: Lease, heard: trio.socket.SocketType | None) -> bool:
        """Wait until the lease must be renewed: at half its time, sleep included, or when the router restarts. False if
        the router is another by then."""
        came, came_by_wall = trio.current_time(), self.wall()
        half, passed, early = min(lease.seconds, LEASE) / 2, 0.0, False
        while passed < half:
            with trio.move_on_after(min(LOOKING, half - passed)):
                await _restart(heard, (str(self.router.address), self.ports.asked), lease.epoch, came)
                early = True
            if early:
                await trio.sleep(max(0.0, came + BETWEEN_RESTARTS - trio.current_time()))
                return True
            if await self.find() != self.router:
                return False
            passed = max(trio.current_time() - came, self.wall() - came_by_wall)
        return True


async def _first_public(mappers: Sequence[Mapper]) -> tuple[Mapper, Lease] | CannotMap:
    """The first way to give a public port, with its lease; else the weightiest reason why none did."""
    found: list[tuple[Mapper, Lease]] = []
    reasons: list[CannotMap] = []

    async def attempt(mapper: Mapper) -> None:
        """Ask one way for a port; the first that gives one cancels the others."""
        try:
            found.append((mapper, await mapper.map_public()))
            nursery.cancel_scope.cancel()
        except CannotMap as error:
            reasons.append(error)

    late = CannotMap(
        "Your router took too long to open a port. Try again, or forward it in the router's settings.", LATE
    )
    with trio.move_on_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            for mapper in mappers:
                nursery.start_soon(attempt, mapper)
    return found[0] if found else max([late, *reasons], key=lambda reason: reason.weight)


async def _give_back(mappers: Sequence[Mapper]) -> None:
    """Give back the ports of these ways, also when cancelled."""
    with trio.CancelScope(shield=True, deadline=trio.current_time() + PARTING):
        async with trio.open_nursery() as nursery:
            for mapper in mappers:
                if mapper.asked:
                    nursery.start_soon(mapper.give_back)


# --- the ways ---------------------------------------------------------------------------------------------------------


class Mapper(ABC):
    """asked: the router may have a mapping of ours. failed: it has given none."""

    name: str

    def __init__(self, router: Gateway, port: int, ports: Ports, advised: int) -> None:
        self.asked = False
        self.failed = trio.Event()
        self._router = router
        self._port = port
        self._ports = ports
        self._advised = advised

    async def map_public(self) -> Lease:
        """Ask for the port, or again for the same. Raises CannotMap, also if the router has no public address."""
        try:
            lease = await self._map()
            self._must_be_public(lease.address)
            if lease.seconds < SHORTEST:
                raise self._refused(f"for {lease.seconds} seconds only")
        except CannotMap:
            self.failed.set()
            raise
        return lease

    async def give_back(self) -> None:
        """Give the port back, if the router takes it."""
        with suppress(CannotMap):
            await self._unmap()
        self.asked = False

    @abstractmethod
    async def _map(self) -> Lease:
        """Ask the router for the port. Raises CannotMap."""

    @abstractmethod
    async def _unmap(self) -> None:
        """Ask the router to remove the mapping."""

    def _must_be_public(self, address: IP) -> None:
        """Raise CannotMap if the router's outside address isn't public."""
        if (why := why_not_public(address)) is not None:
            raise CannotMap(why, NO_ADDRESS if address.is_unspecified else NOT_PUBLIC)

    def _refused(self, why: str) -> CannotMap:
        """The CannotMap for a router that refused. why: in its words."""
        return CannotMap(
            f"Your router didn't open port {self._advised} ({self.name}: {why}). Forward it by hand in its settings.",
            REFUSED,
        )

    def _silent(self) -> CannotMap:
        """The CannotMap for a router that does not answer."""
        if self._router.address.version == 6:
            sentence = (
                "Your router won't open an IPv6 port by itself. "
                f"Allow incoming TCP port {self._advised} in its settings."
            )
        else:
            sentence = (
                "Your router won't open a port by itself. "
                f"Turn on UPnP in its settings, or forward TCP port {self._advised} there."
            )
        return CannotMap(sentence, SILENT)

    async def _ask(self, request: bytes, read: Callable[[bytes], pcp.Granted | pcp.Denied | None]) -> pcp.Granted:
        """Ask by PCP or NAT-PMP, and read the answer by `read`. Raises CannotMap."""
        answer = None
        with suppress(OSError):
            answer = await self._answer(request, read)
        if answer is None or answer is pcp.NO_PCP:
            self.asked = False
            raise self._silent()
        if isinstance(answer, pcp.Denied):
            if answer.address is not None:
                self._must_be_public(answer.address)
            raise self._refused(answer.why)
        return answer

    async def _answer(
        self, request: bytes, read: Callable[[bytes], pcp.Granted | pcp.Denied | None]
    ) -> pcp.Granted | pcp.Denied | None:
        """The answer to a request, sent several times; None if the router is silent."""
        router = self._router
        family = socket.AF_INET if router.address.version == 4 else socket.AF_INET6
        with trio.socket.socket(family, socket.SOCK_DGRAM) as sock:
            await sock.bind((str(router.own), 0))
            await sock.connect(router.at(self._ports.asked))  # so that nobody else's answer is heard
            for pause in SENDINGS:
                await sock.send(request)
                with trio.move_on_after(pause):
                    while True:
                        answer = read(await sock.recv(pcp.LONGEST + 1))
                        if answer is not None:
                            return answer
        return None


class PcpMapper(Mapper):
    name = "PCP"

    def __init__(self, router: Gateway, port: int, ports: Ports, advised: int) -> None:
        super().__init__(router, port, ports, advised)
        self._nonce = os.urandom(pcp.NONCE_SIZE)
        self._had: tuple[IP, int] | None = None

    async def _map(self) -> Lease:
        """Map the port by PCP. Raises CannotMap."""
        self.asked = True
        granted = await self._ask_pcp(LEASE)
        self._had = granted.address, granted.port
        return Lease(granted.address, granted.port, granted.lifetime, granted.epoch)

    async def _unmap(self) -> None:
        """Give the port back by PCP."""
        await self._ask_pcp(0)

    async def _ask_pcp(self, lifetime: int) -> pcp.Granted:
        """Ask by PCP for this lifetime in seconds, 0 to give the port back. Raises CannotMap."""
        request = pcp.ask_pcp(self._router.own, self._nonce, self._port, lifetime, self._had)
        return await self._ask(request, lambda datagram: pcp.read_pcp(datagram, self._nonce, self._port))


class NatPmpMapper(Mapper):
    """no_pcp: the same router gives nothing by PCP, which would be the same mapping."""

    name = "NAT-PMP"

    def __init__(self, router: Gateway, port: int, ports: Ports, advised: int, no_pcp: trio.Event) -> None:
        super().__init__(router, port, ports, advised)
        self._no_pcp = no_pcp
        self._had = port

    async def _map(self) -> Lease:
        """Map the port by NAT-PMP, once the router has a public address. Raises CannotMap."""
        told = await self._ask(pcp.ask_nat_pmp_address(), pcp.read_nat_pmp_address)
        self._must_be_public(told.address)
        with trio.move_on_after(SENDINGS[0]):
            await self._no_pcp.wait()
        self.asked = True
        granted = await self._ask_nat_pmp(LEASE)
        self._had = granted.port
        return Lease(told.address, granted.port, granted.lifetime, granted.epoch)

    async def _unmap(self) -> None:
        """Give the port back by NAT-PMP."""
        await self._ask_nat_pmp(0)

    async def _ask_nat_pmp(self, lifetime: int) -> pcp.Granted:
        """Ask by NAT-PMP for this lifetime in seconds, 0 to give the port back. Raises CannotMap."""
        request = pcp.ask_nat_pmp(self._port, self._had, lifetime)
        return await self._ask(request, lambda datagram: pcp.read_nat_pmp(datagram, self._port))


class UpnpMapper(Mapper):
    name = "UPnP"

    def __init__(self, router: Gateway, port: int, ports: Ports, advised: int) -> None:
        super().__init__(router, port, ports, advised)
        self._service: upnp.MappingService | None = None
        self._external = port
        self._seconds = LEASE

    async def _map(self) -> Lease:
        """Map the port by UPnP. Raises CannotMap."""
        try:
            if self._service is None:
                described = await self._search()
                answer = await self._http(described, "GET")
                self._service = upnp.read_description(answer, described, self._router.address)
            address = upnp.read_address(await self._call(self._service, "GetExternalIPAddress"))
            self._must_be_public(address)
            await self._add(self._service)
        except upnp.BadUpnp:
            raise self._refused("a garbled answer") from None
        except UpnpFault as fault:
            raise self._refused(upnp.FAULTS.get(fault.number, f"error {fault.number}")) from None
        return Lease(address, self._external, LEASE)

    async def _unmap(self) -> None:
        """Give the port back by UPnP."""
        if self._service is not None:
            external = self._external
            with suppress(UpnpFault, upnp.BadUpnp):
                await self._call(
                    self._service, "DeletePortMapping", NewRemoteHost="", NewExternalPort=external, NewProtocol="TCP"
                )

    async def _add(self, service: upnp.MappingService) -> None:
        """Add the port mapping, with another outside port or no time limit if the router insists. Raises CannotMap,
        UpnpFault and BadUpnp."""
        self.asked = True
        for left in reversed(range(TRIES)):
            try:
                await self._call(
                    service,
                    "AddPortMapping",
                    NewRemoteHost="",
                    NewExternalPort=self._external,
                    NewProtocol="TCP",
                    NewInternalPort=self._port,
                    NewInternalClient=self._router.own,
                    NewEnabled=1,
                    NewPortMappingDescription="p2pcards",
                    NewLeaseDuration=self._seconds,
                )
                return
            except UpnpFault as fault:
                if fault.number == upnp.ONLY_PERMANENT and left:
                    self._seconds = 0
                elif fault.number == upnp.CONFLICT and left:
                    self._external = OTHER_PORTS[int.from_bytes(os.urandom(4), "big") % len(OTHER_PORTS)]
                else:
                    raise

    async def _search(self) -> upnp.Endpoint:
        """Find where the router describes itself. Raises CannotMap."""
        router = str(self._router.address)
        with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, suppress(OSError):
            await sock.bind((str(self._router.own), 0))
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, self._router.own.packed)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 2)
            for pause in SENDINGS:
                for target in (upnp.GROUP, router):
                    with suppress(OSError):
                        await sock.sendto(upnp.SEARCH, (target, self._ports.searched))
                with trio.move_on_after(pause):
                    while True:
                        datagram, sender = await sock.recvfrom(upnp.LONGEST_FOUND + 1)
                        found = upnp.read_found(datagram, self._router.address) if sender[0] == router else None
                        if found is not None:
                            return found
        raise self._silent()

    async def _call(self, service: upnp.MappingService, action: str, **arguments: object) -> bytes:
        """Call an action of the router's service; returns the XML of the answer. Raises CannotMap, UpnpFault and
        BadUpnp."""
        headers, body = upnp.soap(service, action, **arguments)
        return await self._http(service.endpoint, "POST", headers, body)

    async def _http(
        self, there: upnp.Endpoint, method: str, headers: Sequence[tuple[str, str]] = (), body: bytes = b""
    ) -> bytes:
        """Send the router an HTTP request; returns the body of the answer. Raises CannotMap, UpnpFault and BadUpnp."""
        try:
            with trio.fail_after(HTTP_PATIENCE):
                status, answer = await ask_http(str(self._router.address), there, method, headers, body)
        except (OSError, trio.BrokenResourceError, trio.TooSlowError):
            raise self._refused("no answer") from None
        if status == 500:
            raise UpnpFault(upnp.read_fault(answer))
        if status != 200:
            raise upnp.BadUpnp(f"HTTP {status}")
        return answer


class UpnpFault(Exception):
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


async def ask_http(
    host: str, there: upnp.Endpoint, method: str, headers: Sequence[tuple[str, str]], body: bytes
) -> tuple[int, bytes]:
    """Send an HTTP request; returns (status, body). Redirections are not followed. Raises BadUpnp, OSError and
    BrokenResourceError."""
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=upnp.LONGEST)
    length = [("Content-Length", str(len(body)))] if body else []
    heads = [("Host", f"{host}:{there.port}"), ("Connection", "close"), *length, *headers]
    events = [h11.Request(method=method, target=there.target, headers=heads), h11.Data(data=body), h11.EndOfMessage()]
    status, come, answer = 0, 0, b""
    async with await trio.open_tcp_stream(host, there.port) as stream:
        await stream.send_all(b"".join([http.send(event) or b"" for event in events]))
        try:
            while not isinstance(event := http.next_event(), h11.EndOfMessage):
                if event is h11.NEED_DATA:
                    some = await stream.receive_some(upnp.LONGEST)
                    come += len(some)
                    if come > upnp.LONGEST:
                        raise upnp.BadUpnp("too long")
                    http.receive_data(some)
                elif isinstance(event, h11.Response):
                    status = event.status_code
                elif isinstance(event, h11.Data):
                    answer += event.data
                elif not isinstance(event, h11.InformationalResponse):
                    raise upnp.BadUpnp("no answer")
        except h11.RemoteProtocolError:
            raise upnp.BadUpnp("not HTTP") from None
    return status, answer


# --- routers that begin anew ------------------------------------------------------------------------------------------


@asynccontextmanager
async def announcement_socket(ports: Ports) -> AsyncIterator[trio.socket.SocketType | None]:
    """A socket that hears a router's announcements by PCP or NAT-PMP (IPv4 only); None if another program has the
    port."""
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "darwin":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            await sock.bind(("", ports.announced))
        except OSError:
            yield None
        else:
            yield sock


async def _restart(
    heard: trio.socket.SocketType | None, router: tuple[str, int], epoch: int | None, came: float
) -> None:
    """Wait until the router announces a restart since its last answer. epoch: that of the answer; came: when it
    came."""
    while heard is not None and epoch is not None:
        datagram, sender = await heard.recvfrom(pcp.LONGEST + 1)
        told = pcp.read_announcement(datagram) if sender == router else None
        if told is not None and pcp.has_restarted((epoch, came), (told, trio.current_time())):
            return
    await trio.sleep_forever()
