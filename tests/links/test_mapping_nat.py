"""A port of the router, from Debian's miniupnpd in the laboratory: calls come in by it until it is given back."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from functools import partial
from ipaddress import ip_address
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.links.gateway import find_gateway
from p2pcards.links.mapping import Mapped, NotMapped, map_port
from rigs.nat import Home, Kind, Laboratory, laboratory, start_miniupnpd

pytestmark = pytest.mark.reach

PORT = 4747
ANSWERED = 0.2
"""Seconds of a real clock in which a router has answered: a mock clock that ran on would give up what is under way."""
FORGET = "\n".join(f"flush chain inet home {name}miniupnpd" for name in ("", "prerouting_", "postrouting_"))


@pytest.fixture(scope="module")
def lab(nat_allowed: None) -> Iterator[Laboratory]:
    with laboratory(**{kind: kind for kind in Kind}) as made:
        yield made


def family_of(home: Home) -> int:
    return socket.AF_INET6 if home.kind is Kind.IPV6 else socket.AF_INET


def has_rule(home: Home) -> bool:
    return str(PORT) in home.router.listed_rules()


async def called_while_mapped(lab: Laboratory, home: Home) -> Mapped | NotMapped:
    """The outcome, after a call from outside came in if there is a port."""
    version = 6 if home.kind is Kind.IPV6 else 4
    async with trio.open_nursery() as nursery:
        outcome: Mapped | NotMapped = await nursery.start(partial(map_port, PORT, print, version=version))
        if isinstance(outcome, Mapped):
            with (
                trio.socket.socket(family_of(home), socket.SOCK_STREAM) as door,
                trio.socket.from_stdlib_socket(lab.public.socket(family_of(home), socket.SOCK_STREAM)) as caller,
            ):
                door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                await door.bind((home.address, PORT))
                door.listen()
                await caller.connect((str(outcome.address), outcome.port))
                came, _ = await door.accept()
                await caller.send(b"hello")
                assert await came.recv(10) == b"hello"
                came.close()
        nursery.cancel_scope.cancel()
    return outcome


@pytest.mark.parametrize(("kind", "by"), [(Kind.PCP, "PCP"), (Kind.UPNP, "UPnP"), (Kind.IPV6, "PCP")])
def test_a_call_comes_in_by_the_port_of_a_router(lab: Laboratory, kind: Kind, by: str) -> None:
    home = lab.homes[kind]
    assert home.run(called_while_mapped, lab, home) == Mapped(ip_address(home.outside), PORT, by)
    assert not has_rule(home), "it is given back"


@pytest.mark.parametrize("kind", [Kind.FULL_CONE, Kind.PORT_RESTRICTED, Kind.SYMMETRIC, Kind.NO_UDP])
def test_a_router_that_maps_no_ports_is_told_so(lab: Laboratory, kind: Kind) -> None:
    home = lab.homes[kind]
    told = home.run(called_while_mapped, lab, home, clock=MockClock(autojump_threshold=0.05))
    assert isinstance(told, NotMapped) and told.why.startswith("Your router won't open a port by itself.")


def test_a_router_behind_that_of_a_provider_is_told_as_what_it_is(lab: Laboratory) -> None:
    home = lab.homes[Kind.CARRIER]
    told = home.run(called_while_mapped, lab, home)
    assert isinstance(told, NotMapped)
    assert told.why.startswith("Your router is behind your provider's own router (100.64.")
    assert not has_rule(home)


@pytest.mark.parametrize("kind", [Kind.PCP, Kind.IPV6])
def test_the_router_is_found_in_the_routing_table(lab: Laboratory, kind: Kind) -> None:
    home = lab.homes[kind]
    found = home.run(find_gateway, 6 if kind is Kind.IPV6 else 4)
    assert found is not None
    assert (str(found.address), str(found.own), found.interface) == (home.gateway, home.address, "eth0")
    assert home.run(find_gateway, 4 if kind is Kind.IPV6 else 6) is None


def test_a_router_that_restarts_is_asked_again(nat_allowed: None, tmp_path: Path) -> None:
    """In the time of a mock clock, which passes where the test says so."""
    clock = MockClock()

    async def restarted(home: Home) -> None:
        async with trio.open_nursery() as nursery:
            await nursery.start(partial(map_port, PORT, print))
            await wait_all_tasks_blocked()  # it hears what the router announces
            assert has_rule(home)
            clock.jump(60)
            home.router.stop_programs()
            home.router.rules(FORGET)
            assert not has_rule(home)
            start_miniupnpd(home.router, tmp_path / "again.conf", Kind.PCP)
            for _ in range(1000):  # seconds: not until the lease is renewed anyway
                clock.jump(1)
                await wait_all_tasks_blocked(ANSWERED)
                if has_rule(home):
                    break
            assert has_rule(home)
            nursery.cancel_scope.cancel()

    with laboratory(home=Kind.PCP) as lab:
        home = lab.homes["home"]
        home.run(restarted, home, clock=clock)
        assert not has_rule(home)
