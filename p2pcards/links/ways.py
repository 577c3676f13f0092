"""The ways by which friends elsewhere may reach this machine, each tried: brokers, UDP, a port of the router."""

from __future__ import annotations

import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import trio

from p2pcards.links import direct
from p2pcards.links.address import DEFAULT_PORT, BadAddress
from p2pcards.links.broker import SILENT, BrokerLost, Dial, MqttBroker, open_broker
from p2pcards.links.broker_address import parse_broker
from p2pcards.links.broker_dial import dial_broker
from p2pcards.links.gateway import OUTSIDE, find_gateway
from p2pcards.links.mapping import Mapped, NotMapped, map_port
from p2pcards.links.meeting import NAME, MeetingPlace
from p2pcards.links.outside_view import OutsideView, ask_stun_servers
from p2pcards.links.pcp import IP
from p2pcards.links.tcp import source_address

T = TypeVar("T")

WITHIN = 8.0
"""Seconds in which each way has to be tried; giving a port back and a goodbye may take one more."""
ECHO, SENDINGS = 2.0, 2
"""Seconds until a message is published again that has not come back, and how often at the most."""
PAYLOAD = 16
"""Random bytes of such a message."""
OUTSIDE_IPV4 = "198.51.100.1"
"""The routing table is asked for the way to it; nothing is sent there."""

MUTE = "{there} accepts messages but doesn't pass them on. Choose another broker in your settings."
TOO_LATE = "Your router took too long to open a port. Try again."
NO_IPV4 = "This machine has no IPv4 connection."
NO_IPV6 = "This machine has no public IPv6 address."


@dataclass(frozen=True, slots=True)
class BrokerWay:
    address: str
    seconds: float | None = None  # for a message there and back; None if it does not work
    why_not: str = ""  # a sentence if it does not work; otherwise ""


@dataclass(frozen=True, slots=True)
class PortWay:
    address: IP | None = None  # None if it does not work
    by: str = ""  # protocol by which a router opened a port, closed again after the test; "" if no router had to
    seconds: float | None = None  # that this took; None if no router had to
    why_not: str = ""  # a sentence if it does not work; otherwise ""


@dataclass(frozen=True, slots=True)
class Ways:
    brokers: tuple[BrokerWay, ...]
    udp_ipv4: OutsideView  # by STUN
    udp_ipv6: OutsideView  # by STUN
    port: PortWay
    direct_why_not: str  # a sentence if this Python makes no direct connections; otherwise ""

    @property
    def has_broker(self) -> bool:
        """True if a broker can be reached."""
        return any(not broker.why_not for broker in self.brokers)

    @property
    def has_any(self) -> bool:
        """True if friends anywhere can reach this machine."""
        return self.has_broker or (self.port.address is not None and self.port.address.version == 4)


async def try_ways(
    brokers: Sequence[str],
    stun_servers: Sequence[tuple[str, int]],
    progress: Callable[[int, int], None] | None = None,
    dial: Dial = dial_broker,
) -> Ways:
    """Try all ways at once, within ten seconds. brokers: as in the settings; progress: told (tried, total)."""
    of_brokers: list[list[BrokerWay]] = [[] for _ in brokers]
    of_udp_ipv4: list[OutsideView] = []
    of_udp_ipv6: list[OutsideView] = []
    of_port: list[PortWay] = []
    tried = 0

    def show_progress() -> None:
        """Report how many ways are tried."""
        if progress is not None:
            progress(tried, len(brokers) + 3)

    async def run(found: list[T], attempt: Callable[[], Awaitable[T]]) -> None:
        """Try one way and keep what it found."""
        nonlocal tried
        found.append(await attempt())
        tried += 1
        show_progress()

    show_progress()
    async with trio.open_nursery() as nursery:
        for address, of_broker in zip(brokers, of_brokers, strict=True):
            nursery.start_soon(run, of_broker, partial(try_broker, address, dial))
        nursery.start_soon(run, of_udp_ipv4, partial(try_udp, stun_servers, 4))
        nursery.start_soon(run, of_udp_ipv6, partial(try_udp, stun_servers, 6))
        nursery.start_soon(run, of_port, try_port)
    direct_why_not = "" if direct.is_available() else direct.MISSING
    return Ways(tuple([found for (found,) in of_brokers]), of_udp_ipv4[0], of_udp_ipv6[0], of_port[0], direct_why_not)


# --- brokers ----------------------------------------------------------------------------------------------------------


async def try_broker(address: str, dial: Dial = dial_broker) -> BrokerWay:
    """Connect to a broker and see a message to a secret topic come back."""
    try:
        there = parse_broker(address)
    except BadAddress as bad:
        return BrokerWay(address, why_not=f"{bad} It's in your settings: p2pcards config edit")
    seconds, why_not = None, ""
    async with trio.open_nursery() as nursery:
        broker = open_broker(address, nursery, dial)
        with trio.move_on_after(WITHIN) as trial:
            try:
                seconds = await _round_trip(broker)
            except BrokerLost as lost:
                why_not = str(lost)
        if trial.cancelled_caught:
            sentence = SILENT if broker.status.since is None else MUTE
            why_not = sentence.format(there=there, port=there.port)
        broker.close()
    return BrokerWay(str(there), seconds, why_not)


async def _round_trip(broker: MqttBroker) -> float:
    """Seconds for a message to come back. Raises BrokerLost."""
    topic = MeetingPlace(os.urandom(NAME).hex(), b"", "link").host_topic
    await broker.subscribe(topic)
    status = await broker.wait_for_try()
    if status.since is None:
        raise BrokerLost(status.last_failure)
    # The first one often waits at the broker until its answer to the subscription is acknowledged (Nagle).
    return min([await _echo(broker, topic) for _ in range(2)])


async def _echo(broker: MqttBroker, topic: str) -> float:
    """Publish to a topic and wait for the message; returns seconds. Raises BrokerLost."""
    sent: dict[bytes, float] = {}
    for _ in range(SENDINGS):
        payload = os.urandom(PAYLOAD)
        sent[payload] = trio.current_time()
        await broker.publish(topic, payload)
        with trio.move_on_after(ECHO):
            while True:
                _, came = await broker.receive()
                if came in sent:
                    return trio.current_time() - sent[came]
    raise BrokerLost(MUTE.format(there=broker.address))


# --- a port of the router ---------------------------------------------------------------------------------------------


async def try_port() -> PortWay:
    """Have the router open an unused port, then give it back. (The table's own port would shut friends out.)"""
    began = trio.current_time()
    outcomes: dict[int, tuple[Mapped | NotMapped, float]] = {}  # by version of IP
    with trio.move_on_after(WITHIN), socket.socket(socket.AF_INET, socket.SOCK_STREAM) as held:
        held.bind(("", 0))  # and nothing listens there
        routers = {version: await find_gateway(version) for version in (4, 6)}
        if (router := routers[4]) is not None and router.own.is_global:
            return PortWay(router.own)

        async def trial(version: int) -> None:
            """Map and give back a port for this version of IP."""
            outcome = await _mapped_for_a_moment(version, held.getsockname()[1])
            outcomes[version] = outcome, trio.current_time() - began

        async with trio.open_nursery() as nursery:
            for version in [version for version, router in routers.items() if router is not None] or [4]:
                nursery.start_soon(trial, version)
    for _, (outcome, seconds) in sorted(outcomes.items()):
        if isinstance(outcome, Mapped):
            return PortWay(outcome.address, outcome.by, seconds)
    reasons = [outcome.why for _, (outcome, _) in sorted(outcomes.items()) if isinstance(outcome, NotMapped)]
    return PortWay(why_not=reasons[0] if reasons else TOO_LATE)


async def _mapped_for_a_moment(version: int, port: int) -> Mapped | NotMapped:
    """Map a port and give it back at once; returns the outcome. version: of IP."""
    async with trio.open_nursery() as nursery:
        trial = partial(map_port, port, lambda _: None, version=version, advised=DEFAULT_PORT)
        outcome: Mapped | NotMapped = await nursery.start(trial)
        nursery.cancel_scope.cancel()
    return outcome


# --- UDP --------------------------------------------------------------------------------------------------------------


async def try_udp(stun_servers: Sequence[tuple[str, int]], version: int) -> OutsideView:
    """Ask STUN servers how they see this machine. version: of IP."""
    own = source_address(OUTSIDE_IPV4 if version == 4 else OUTSIDE)
    if own is None or (version == 6 and not own.is_global):
        return OutsideView(why_not=NO_IPV4 if version == 4 else NO_IPV6)
    return await ask_stun_servers(stun_servers, version)
