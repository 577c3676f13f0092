"""`p2pcards reach`: what it prints of what was tried, and when nothing is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from ipaddress import ip_address

import pytest
import trio

from p2pcards.cli import reach
from p2pcards.cli.terminal import Progress
from p2pcards.control.exits import FINE, NETWORK, USAGE
from p2pcards.daemon.reach import FIRST_USE, OFF, VARIABLE
from p2pcards.links import ways
from p2pcards.links.direct import MISSING
from p2pcards.links.outside_view import MappingKind, OutsideView, StunAnswer
from p2pcards.links.public_servers import PUBLIC_BROKERS, PUBLIC_STUN_SERVERS
from p2pcards.links.stun import ReflexiveAddress
from p2pcards.links.ways import NO_IPV6, BrokerWay, PortWay, Ways
from rigs.program import Program

OUTSIDE = ip_address("203.0.113.9")
SEEN = OutsideView(
    MappingKind.ENDPOINT_INDEPENDENT, (StunAnswer("stun.example", ReflexiveAddress(OUTSIDE, 40000), 0.0234),)
)
BLOCKED = OutsideView(why_not="No STUN server answered.")
DOWN = BrokerWay("mqtts://b.example", None, "No answer from mqtts://b.example.")
UP = BrokerWay("mqtts://a.example:8886", 0.0841)
HOME = Ways((UP, DOWN), SEEN, OutsideView(why_not=NO_IPV6), PortWay(OUTSIDE, "UPnP", 0.14), MISSING)

TABLE = """\
way                    works   ms  found
broker a.example:8886  yes     84  a message came back
broker b.example       no
UDP over IPv4          yes     23  203.0.113.9, same port for all
UDP over IPv6          no
router port            yes    140  203.0.113.9 by UPnP, closed again
direct connections     no

No answer from mqtts://b.example.
This machine has no public IPv6 address.
A direct connection needs Python 3.12 or newer and the package libdatachannel-py: pip install 'p2pcards[reach]'.

Friends anywhere can join you with a code, and games run directly: your router opens a port for them.
Next: p2pcards host --reach
"""


class Tries:
    """In place of all that is tried. asked: the brokers and the STUN servers of each time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, found: Ways = HOME) -> None:
        self.asked: list[tuple[Sequence[str], Sequence[tuple[str, int]]]] = []
        self._found = found
        monkeypatch.setattr(ways, "try_ways", self.try_ways)

    async def try_ways(
        self, brokers: Sequence[str], stun_servers: Sequence[tuple[str, int]], progress: Progress | None
    ) -> Ways:
        await trio.lowlevel.checkpoint()
        if progress is not None:
            progress(1, 6)
            progress(6, 6)
        self.asked.append((brokers, stun_servers))
        return self._found


def test_the_table_says_what_works_and_what_to_do_next(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch)
    done = inside("reach")
    assert (done.returncode, done.stdout, done.stderr) == (FINE, TABLE, f"{FIRST_USE}\n")
    assert inside.out("reach") == TABLE, "what brokers see is told once"
    places = [(server.host, server.port) for server in PUBLIC_STUN_SERVERS]
    assert tries.asked == [(tuple([broker.tls for broker in PUBLIC_BROKERS]), places)] * 2


def test_the_brokers_of_the_settings_are_tried(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch)
    inside.out("config", "set", "brokers", "mqtt://cards.example", "mqtts://ann:secret@other.example")
    inside("reach")
    assert tries.asked[0][0] == ("mqtt://cards.example", "mqtts://ann:secret@other.example")


def test_with_meeting_points_on_no_option_is_needed(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    Tries(monkeypatch)
    monkeypatch.delenv(VARIABLE)
    assert inside("reach").stdout.splitlines()[-1] == "Next: p2pcards host"


def test_switched_off_nothing_is_tried(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch)
    inside.out("config", "set", "reach", "off")
    for words in (("reach",), ("reach", "--json")):
        assert inside.refused(*words) == (USAGE, f"{OFF}\n")
    assert tries.asked == []
    inside.out("config", "set", "reach", "asked")
    assert FIRST_USE in inside("reach").stderr, "it was not told before"


def test_programs_are_told_the_same(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    Tries(monkeypatch)
    inside("reach")
    seen = {"server": "stun.example", "address": "203.0.113.9", "port": 40000, "ms": 23}
    assert inside.data("reach") == {
        "brokers": [
            {"broker": "mqtts://a.example:8886", "works": True, "ms": 84, "why_not": ""},
            {"broker": "mqtts://b.example", "works": False, "ms": None, "why_not": DOWN.why_not},
        ],
        "udp_ipv4": {
            "works": True,
            "ms": 23,
            "why_not": "",
            "address": "203.0.113.9",
            "mapping": "endpoint-independent",
            "answers": [seen],
        },
        "udp_ipv6": {
            "works": False,
            "ms": None,
            "why_not": NO_IPV6,
            "address": None,
            "mapping": "unknown",
            "answers": [],
        },
        "port": {"works": True, "ms": 140, "why_not": "", "address": "203.0.113.9", "by": "UPnP"},
        "direct": {"works": False, "why_not": MISSING},
        "friends_anywhere": True,
        "meaning": reach.BY_PORT,
        "next": reach.HOST_BY_CODE,
    }


SYMMETRIC = replace(SEEN, kind=MappingKind.ADDRESS_DEPENDENT)
NO_PORT, BY_IPV6 = PortWay(why_not="Your router opens no port."), PortWay(ip_address("2a00::2"), "PCP", 0.1)
UNSEEN = OutsideView(why_not=NO_IPV6)


@pytest.mark.parametrize(
    ("found", "meaning", "following", "code"),
    [
        (HOME, reach.BY_PORT, reach.HOST_BY_CODE, FINE),
        (replace(HOME, port=PortWay(OUTSIDE)), reach.BY_ADDRESS, reach.HOST_BY_CODE, FINE),
        (replace(HOME, port=BY_IPV6), reach.BY_PORT_IPV6, reach.HOST_BY_CODE, FINE),
        (replace(HOME, port=NO_PORT), reach.NO_LIBRARY, reach.HOST_BY_CODE, FINE),
        (replace(HOME, port=NO_PORT, direct_why_not=""), reach.BY_UDP, reach.HOST_BY_CODE, FINE),
        (
            replace(HOME, port=NO_PORT, direct_why_not="", udp_ipv4=SYMMETRIC),
            reach.SYMMETRIC,
            reach.HOST_BY_CODE,
            FINE,
        ),
        (replace(HOME, port=NO_PORT, udp_ipv4=BLOCKED), reach.NO_UDP, reach.HOST_BY_CODE, FINE),
        (
            replace(HOME, port=NO_PORT, direct_why_not="", udp_ipv4=BLOCKED, udp_ipv6=SEEN),
            reach.BY_UDP,
            reach.HOST_BY_CODE,
            FINE,
        ),
        (replace(HOME, brokers=(DOWN,)), reach.BY_HOST, reach.HOST, FINE),
        (replace(HOME, brokers=(DOWN,), port=BY_IPV6), reach.BY_IPV6, reach.HOST, NETWORK),
        (replace(HOME, brokers=(DOWN,), port=NO_PORT), reach.NO_WAY, reach.AGAIN, NETWORK),
        (Ways((DOWN, DOWN), BLOCKED, UNSEEN, NO_PORT, ""), reach.NO_WAY, reach.AGAIN, NETWORK),
    ],
    ids=[
        "port",
        "public address",
        "IPv6 port",
        "no library",
        "UDP",
        "symmetric",
        "no UDP",
        "UDP by IPv6",
        "port, no broker",
        "IPv6 port, no broker",
        "no broker",
        "nothing",
    ],
)
def test_the_last_lines_follow_from_the_table(
    inside: Program, monkeypatch: pytest.MonkeyPatch, found: Ways, meaning: str, following: str, code: int
) -> None:
    Tries(monkeypatch, found)
    done = inside("reach")
    assert done.returncode == code
    assert done.stdout.splitlines()[-2:] == [meaning, following]


def test_a_reason_is_told_once(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    Tries(monkeypatch, replace(HOME, brokers=(DOWN, DOWN)))
    assert inside("reach").stdout.count(DOWN.why_not) == 1


def test_at_a_terminal_a_bar_shows_how_far_it_is(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    Tries(monkeypatch)
    assert "1 of 6 ways" in Program(inside.home).inside(80)("reach").stderr
    assert "of 6" not in inside("reach").stderr


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_lines_break_between_words(inside: Program, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    Tries(monkeypatch)
    program = Program(inside.home).inside(columns)
    lines = program("reach").stdout.splitlines()
    assert all(len(line) <= columns for line in lines)
    assert " ".join(lines).split() == TABLE.split()
    assert columns == 60 or "broker a.example:8886  yes     84  a message came back" in lines
