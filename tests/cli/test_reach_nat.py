"""`p2pcards reach` behind each kind of router: the real command, with real coturn, miniupnpd and mosquitto outside."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from p2pcards.cli.reach import AGAIN, BY_PORT, BY_PORT_IPV6, HOST_BY_CODE, NO_LIBRARY, NO_UDP, NO_WAY
from p2pcards.control.exits import FINE, NETWORK
from p2pcards.daemon.reach import FIRST_USE
from p2pcards.links.direct import MISSING
from p2pcards.links.outside_view import NO_ANSWER, NO_NAMES
from p2pcards.links.public_servers import PUBLIC_STUN_SERVERS
from p2pcards.links.ways import NO_IPV4, NO_IPV6
from rigs.nat import SERVERS, SERVERS_V6, Kind, Laboratory, Place, laboratory, start_turnserver
from rigs.program import PROGRAM, Program
from rigs.served import wait_until

pytestmark = pytest.mark.reach

BROKER, PORTAL = 1883, 8080
NAMES = {"broker.example": 0, "portal.example": 1}
"""The server that each leads to, beside the STUN servers."""


@dataclass(frozen=True)
class Internet:
    """hosts: the names in it, as a file."""

    lab: Laboratory
    hosts: Path
    folder: Path

    def program_at(self, place: Place, *brokers: str) -> Program:
        """It knows the names of this internet and no others; what is mounted in there, nobody else sees."""
        names = f"mount --bind {self.hosts} /etc/hosts && mount --bind /dev/null /etc/resolv.conf"
        home = self.folder / place.namespace
        Program(home).inside().out("config", "set", "brokers", *brokers)
        return Program(home, command=[*place.entry, "sh", "-c", f'{names} && exec "$@"', "sh", *PROGRAM])


@pytest.fixture(scope="module")
def internet(nat_allowed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Internet]:
    folder = tmp_path_factory.mktemp("internet")
    names = {**NAMES, **{server.host: place for place, server in enumerate(PUBLIC_STUN_SERVERS)}}
    rows = [f"{addresses[place]} {name}\n" for name, place in names.items() for addresses in (SERVERS, SERVERS_V6)]
    hosts = folder / "hosts"
    hosts.write_text("".join(rows))
    with laboratory(**{kind: kind for kind in Kind}) as lab:
        start_mosquitto(lab.public, folder)
        for place, server in enumerate(PUBLIC_STUN_SERVERS):
            start_turnserver(lab.public, (SERVERS[place], SERVERS_V6[place]), server.port)
        yield Internet(lab, hosts, folder)


def start_mosquitto(place: Place, folder: Path) -> None:
    listeners = [f"listener {BROKER} {addresses[0]}" for addresses in (SERVERS, SERVERS_V6)]
    configuration = folder / "mosquitto.conf"
    configuration.write_text("\n".join(["user root", "allow_anonymous true", *listeners, ""]))
    place.start("mosquitto", "-c", configuration)
    wait_until(lambda: is_open(place, SERVERS[0], BROKER), "mosquitto listens")


def is_open(place: Place, address: str, port: int) -> bool:
    with place.socket(kind=socket.SOCK_STREAM) as probe:
        return probe.connect_ex((address, port)) == 0


@pytest.fixture(scope="module")
def told(internet: Internet) -> dict[Kind, CompletedProcess[str]]:
    """What the command says in the home of each kind; two at a time, as it waits more than it works."""
    broker = f"mqtt://broker.example:{BROKER}"
    programs = {home.kind: internet.program_at(home, broker) for home in internet.lab.homes.values()}
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(programs, pool.map(lambda program: program("reach"), programs.values()), strict=True))


SEEN = r"yes +\d+  {outside}, {kind}"
OPENED = r"yes +\d+  {outside} by {by}, closed again"
NO = "no"
NO_PORT = "Your router won't open a port by itself. Turn on UPnP in its settings, or forward TCP port 4747 there."
OF_CARRIER = "Your router is behind your provider's own router (100.64.4.2), so calls from outside can't reach it."
CONE, SYMMETRIC, NO_NAT = "same port for all", "new port for each", "no NAT"


@dataclass(frozen=True)
class Expected:
    """The rest of each row, as a pattern, the reasons, and what it means."""

    udp_ipv4: str
    udp_ipv6: str
    port: str
    reasons: tuple[str, ...]
    meaning: str


def behind_nat(kind: str, why_no_port: str = NO_PORT) -> Expected:
    return Expected(SEEN.replace("{kind}", kind), NO, NO, (NO_IPV6, why_no_port), NO_LIBRARY)


def opening(by: str) -> Expected:
    return Expected(SEEN.replace("{kind}", CONE), NO, OPENED.replace("{by}", by), (NO_IPV6,), BY_PORT)


EXPECTED = {
    Kind.FULL_CONE: behind_nat(CONE),
    Kind.PORT_RESTRICTED: behind_nat(CONE),
    Kind.SYMMETRIC: behind_nat(SYMMETRIC),
    Kind.CARRIER: behind_nat(CONE, OF_CARRIER),
    Kind.NO_UDP: Expected(NO, NO, NO, (NO_ANSWER, NO_IPV6, NO_PORT), NO_UDP),
    Kind.PCP: opening("PCP"),
    Kind.UPNP: opening("UPnP"),
    Kind.IPV6: Expected(NO, SEEN.replace("{kind}", NO_NAT), OPENED.replace("{by}", "PCP"), (NO_IPV4,), BY_PORT_IPV6),
}


@pytest.mark.parametrize("kind", Kind)
def test_the_table_is_that_of_the_router(
    internet: Internet, told: dict[Kind, CompletedProcess[str]], kind: Kind
) -> None:
    done, expected, home = told[kind], EXPECTED[kind], internet.lab.homes[kind]
    assert (done.returncode, done.stderr) == (FINE, f"{FIRST_USE}\n")
    table, reasons, last = [part.splitlines() for part in done.stdout.split("\n\n")]
    patterns = (expected.udp_ipv4, expected.udp_ipv6, expected.port)
    rows = [
        r"way +works +ms  found",
        r"broker broker\.example +yes +\d+  a message came back",
        *[
            rf"{way} +{pattern.replace('{outside}', re.escape(home.outside))}"
            for way, pattern in zip(("UDP over IPv4", "UDP over IPv6", "router port"), patterns, strict=True)
        ],
        "direct connections +no",
    ]
    assert [bool(re.fullmatch(row, line)) for row, line in zip(rows, table, strict=True)] == [True] * 6, done.stdout
    assert reasons == [*expected.reasons, MISSING]
    assert last == [expected.meaning, HOST_BY_CODE]
    listed = home.router.listed_rules()
    assert "dnat ip to 192" not in listed and not re.search(r"chain miniupnpd \{\s*\w", listed), "it is given back"


def test_without_a_network_each_step_that_failed_is_told(internet: Internet) -> None:
    with laboratory(home=Kind.FULL_CONE) as lab:
        home = lab.homes["home"]
        home.ip("link set eth0 down")
        done = internet.program_at(home, "mqtts://broker.example", "mqtts://name.example")("reach")
    assert (done.returncode, done.stdout.splitlines()[-2:]) == (NETWORK, [NO_WAY, AGAIN])
    (reasons,) = [part.splitlines() for part in done.stdout.split("\n\n")[1:2]]
    assert reasons == [
        "Can't reach mqtts://broker.example: this machine seems to be offline. Check the network and try again.",
        "Can't reach mqtts://name.example: this machine seems to be offline. Check the network and try again.",
        NO_IPV4,
        NO_IPV6,
        "Can't find a router to open a port. Check that this machine is online.",
        MISSING,
    ]


def test_behind_a_captive_portal_the_player_is_told_to_sign_in(internet: Internet) -> None:
    """It lets no UDP out, and answers in HTTP what it takes for a request."""
    server = ("-m", "http.server", "--bind", SERVERS[1], str(PORTAL))
    internet.lab.public.start(sys.executable, *server)
    wait_until(lambda: is_open(internet.lab.public, SERVERS[1], PORTAL), "the portal listens")
    home = internet.lab.homes[Kind.NO_UDP]
    done = internet.program_at(home, *[f"{scheme}://portal.example:{PORTAL}" for scheme in ("mqtts", "wss")])("reach")
    assert (done.returncode, done.stdout.splitlines()[-2:]) == (NETWORK, [NO_WAY, AGAIN])
    for broker in (f"mqtts://portal.example:{PORTAL}", f"wss://portal.example:{PORTAL}/mqtt"):
        assert (
            f"{broker} answers, but isn't a broker. "
            "On public Wi-Fi, sign in on its web page first. Otherwise check the address."
        ) in done.stdout
    assert NO_ANSWER in done.stdout and NO_NAMES not in done.stdout
