"""The NAT laboratory itself: each router behaves as its name says, pair by pair, and nothing is left of it."""

from __future__ import annotations

import inspect
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import combinations_with_replacement

import pytest
from _pytest.outcomes import Failed, Skipped

from rigs import nat
from rigs.giving_up import longest_wait
from rigs.nat import SERVERS, SERVERS_V6, Home, Kind, Laboratory, laboratory, start_turnserver, sweep
from rigs.served import wait_until

pytestmark = pytest.mark.reach

Address = tuple[str, int]

SERVER_PORT = 4000
PAIRS = list(combinations_with_replacement(Kind, 2))


@pytest.fixture(scope="module")
def lab(nat_allowed: None) -> Iterator[Laboratory]:
    """Two homes of each kind."""
    with laboratory(**{f"{kind}{end}": kind for kind in Kind for end in "12"}) as made:
        yield made


class Servers:
    """Three addresses of the public network with a UDP port each, and a TCP port that proves a way back and forth."""

    def __init__(self, lab: Laboratory, stack: ExitStack, family: int) -> None:
        self.addresses = SERVERS_V6 if family == socket.AF_INET6 else SERVERS
        self.family = family
        self.udp = [stack.enter_context(lab.public.socket(family)) for _ in self.addresses]
        self.tcp = stack.enter_context(lab.public.socket(family, socket.SOCK_STREAM))
        for sock, address in zip(self.udp, self.addresses, strict=True):
            sock.bind((address, SERVER_PORT))
            sock.setblocking(False)
        self.tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.tcp.bind((self.addresses[0], SERVER_PORT))
        self.tcp.listen()


class End:
    """A UDP socket in a home, and where others can be found as far as it knows."""

    def __init__(self, home: Home, stack: ExitStack, servers: Servers) -> None:
        self.home, self.servers = home, servers
        self.sock = stack.enter_context(home.socket(servers.family))
        self.sock.bind(("", 5000))
        self.sock.setblocking(False)

    def settle(self) -> None:
        """Whatever was sent before has gone as far as it goes, as something has come and gone since."""
        with self.home.socket(self.servers.family, socket.SOCK_STREAM) as sock:
            sock.settimeout(longest_wait())
            sock.connect((self.servers.addresses[0], SERVER_PORT))
            self.servers.tcp.accept()[0].close()

    def seen_by(self, server: int) -> Address | None:
        """Our address as a server sees it; None if nothing arrives there."""
        self.sock.sendto(b"who am I?", (self.servers.addresses[server], SERVER_PORT))
        self.settle()
        found = received(self.servers.udp[server])
        return found[-1] if found else None


def received(sock: socket.socket) -> list[Address]:
    """The senders of all that has come."""
    found: list[Address] = []
    with suppress(BlockingIOError):
        while True:
            found.append(sock.recvfrom(100)[1][:2])
    return found


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as entered:
        yield entered


def end_of(lab: Laboratory, stack: ExitStack, kind: Kind) -> End:
    family = socket.AF_INET6 if kind is Kind.IPV6 else socket.AF_INET
    return End(lab.homes[f"{kind}1"], stack, Servers(lab, stack, family))


# --- each kind by itself ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", Kind)
def test_mapping_depends_on_the_endpoint_behind_a_symmetric_router_alone(
    lab: Laboratory, stack: ExitStack, kind: Kind
) -> None:
    end = end_of(lab, stack, kind)
    first, second = end.seen_by(0), end.seen_by(1)
    if kind is Kind.NO_UDP:
        assert first is second is None
        return
    assert first is not None and second is not None
    assert first[0] == second[0] == end.home.outside
    assert (first == second) == (kind is not Kind.SYMMETRIC)
    assert (first[0] == end.home.address) == (kind is Kind.IPV6)


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.NO_UDP])
def test_a_stranger_gets_through_a_full_cone_alone(lab: Laboratory, stack: ExitStack, kind: Kind) -> None:
    end = end_of(lab, stack, kind)
    outside = end.seen_by(0)
    assert outside is not None
    asked, stranger = end.servers.udp[0], end.servers.udp[2]
    stranger.sendto(b"uninvited", outside)
    asked.sendto(b"answer", outside)
    end.settle()
    came = {address for address, _ in received(end.sock)}
    assert came == {SERVERS[0], SERVERS[2]} if kind is Kind.FULL_CONE else came == {end.servers.addresses[0]}


def test_not_even_a_full_cone_opens_a_port_that_nobody_has_used(lab: Laboratory, stack: ExitStack) -> None:
    end = end_of(lab, stack, Kind.FULL_CONE)
    assert end.seen_by(0) is not None
    with end.home.socket() as unused:
        unused.bind(("", 5001))
        unused.setblocking(False)
        end.servers.udp[0].sendto(b"uninvited", (end.home.outside, 5001))
        end.settle()
        assert received(unused) == []


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.IPV6])
def test_a_full_cone_alone_leads_back_into_its_own_home(lab: Laboratory, stack: ExitStack, kind: Kind) -> None:
    end = end_of(lab, stack, kind)
    outside = end.seen_by(0) or (end.home.outside, 5000)
    with end.home.socket() as other:
        other.bind(("", 5001))
        other.sendto(b"hairpin", outside)
        end.settle()
        assert received(end.sock) == ([(end.home.outside, 5001)] if kind is Kind.FULL_CONE else [])


@pytest.mark.parametrize("kind", Kind)
def test_tcp_goes_out_of_every_home_and_into_none(lab: Laboratory, stack: ExitStack, kind: Kind) -> None:
    end = end_of(lab, stack, kind)
    end.settle()
    with (
        end.home.socket(end.servers.family, socket.SOCK_STREAM) as door,
        lab.public.socket(end.servers.family, socket.SOCK_STREAM) as caller,
    ):
        door.bind(("", 5002))
        door.listen()
        door.setblocking(False)
        caller.setblocking(False)
        with suppress(BlockingIOError):
            caller.connect((end.home.outside, 5002))
        end.settle()
        with pytest.raises(BlockingIOError):
            door.accept()


@pytest.mark.parametrize("kind", [Kind.FULL_CONE, Kind.PORT_RESTRICTED, Kind.CARRIER])
def test_coturn_tells_a_home_the_address_that_others_see(lab: Laboratory, stack: ExitStack, kind: Kind) -> None:
    end = end_of(lab, stack, kind)
    turnserver = start_turnserver(lab.public)
    question = bytes.fromhex("000100002112a442") + b"twelve bytes"  # RFC 8489: Binding, magic cookie, transaction
    end.sock.setblocking(True)
    end.sock.settimeout(longest_wait())
    end.sock.sendto(question, (SERVERS[1], 3478))
    answer = end.sock.recv(500)
    address = bytes(a ^ b for a, b in zip(socket.inet_aton(end.home.outside), question[4:8], strict=True))
    assert answer[:2] == b"\x01\x01" and answer[8:20] == b"twelve bytes" and address in answer
    turnserver.kill()
    turnserver.wait()


# --- pairs ------------------------------------------------------------------------------------------------------------


def can_meet(one: Kind, other: Kind) -> bool:
    """By UDP, with nothing but what a server has seen of each."""
    both = {one, other}
    if Kind.NO_UDP in both or (Kind.IPV6 in both and len(both) == 2):
        return False
    return Kind.FULL_CONE in both or Kind.SYMMETRIC not in both


def test_what_pairs_are_expected_to_do() -> None:
    assert len(PAIRS) == 36
    assert sum(can_meet(*pair) for pair in PAIRS) == 17


def exchange(ends: tuple[End, End], known: dict[End, Address], heard: set[End]) -> bool:
    """One round of sending to where the other was last seen; whether each has heard the other in this or an earlier."""
    for one, other in (ends, ends[::-1]):
        one.sock.sendto(b"hello", known[other])
        one.settle()
        if came := received(other.sock):
            known[one] = came[-1]
            heard.add(other)
    return len(heard) == 2


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=[f"{one}-{other}" for one, other in PAIRS])
def test_a_pair_meets_by_udp_if_its_routers_let_it(lab: Laboratory, stack: ExitStack, one: Kind, other: Kind) -> None:
    families = [socket.AF_INET6 if kind is Kind.IPV6 else socket.AF_INET for kind in (one, other)]
    servers = {family: Servers(lab, stack, family) for family in set(families)}
    ends = (
        End(lab.homes[f"{one}1"], stack, servers[families[0]]),
        End(lab.homes[f"{other}2"], stack, servers[families[1]]),
    )
    seen = [end.seen_by(0) for end in ends]
    if None in seen or len(servers) == 2:
        assert not can_meet(one, other)
        return
    known, heard = {end: at for end, at in zip(ends, seen, strict=True) if at}, set[End]()
    if can_meet(one, other):
        wait_until(lambda: exchange(ends, known, heard), "each has heard the other")
    else:
        assert not any([exchange(ends, known, heard) for _ in range(5)])  # noqa: C419 (all five rounds)


# --- what is left, and where there is none ----------------------------------------------------------------------------

KILLED = """
import sys, time
from rigs.nat import Kind, laboratory
with laboratory(a=Kind.PCP) as lab:
    lab.public.start("sleep", "1000")
    print(lab.public.namespace, flush=True)
    time.sleep(1000)
"""


def namespaces() -> set[str]:
    return {path.name for path in nat.NAMED.iterdir()}


def test_what_a_killed_process_left_is_removed_by_the_next(nat_allowed: None) -> None:
    words = [sys.executable, "-c", KILLED]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        public = process.stdout.readline().strip()
        sweep()
        assert public in namespaces(), "of a process that lives nothing is removed"
        process.send_signal(signal.SIGKILL)
    left = {name for name in namespaces() if name.startswith(public.removesuffix("public"))}
    assert {name.rpartition("-")[2] for name in left} == {"public", "a", "a_router"}
    running = subprocess.run(["ip", "netns", "pids", public], capture_output=True, text=True, check=True).stdout.split()
    assert running
    sweep()
    assert not left & namespaces()
    wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in running), "its programs have ended")  # noqa: PTH110


def test_where_there_can_be_none_tests_are_skipped_but_never_in_ci(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(nat, "why_not", lambda: "the kernel does not allow it")
    fixture = inspect.unwrap(nat.nat_allowed)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(Skipped, match="no NAT laboratory here: the kernel does not allow it"):
        fixture()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(Failed, match="no NAT laboratory here"):
        fixture()
