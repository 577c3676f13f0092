"""Meeting a friend from another home, in the NAT laboratory: how long from the code to the seat, what it costs, and a
round trip by each way. Needs root, mosquitto, coturn and miniupnpd, which `scripts/test --reach` installs."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import NotMeasured, figure, progress, rounded
from p2pcards.links.direct import MISSING, is_available
from p2pcards.store.files import find_home

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from rigs.apart import BROKER, DIRECT, TCP, at, homes_apart, hosting, way_of
from rigs.homes import daemon_pid
from rigs.nat import Home, Kind, Laboratory, Place, why_not
from rigs.program import Program

TIMES = 10
SEAT, SEAT_BY_BROKER = 2.0, 12.0
"""Seconds from the code to the seat, on a direct way and where none opens."""
IDLE = 60.0
"""Seconds in which nothing happens at a table that waits."""


@dataclass(frozen=True)
class Pair:
    name: str
    waits: Kind
    calls: Kind
    ways: str
    expected: str


PAIRS = [
    Pair("a port opened by PCP", Kind.PCP, Kind.SYMMETRIC, "tcp router broker", TCP),
    Pair("a port opened by UPnP", Kind.UPNP, Kind.NO_UDP, "tcp router broker", TCP),
    Pair("IPv6", Kind.IPV6, Kind.IPV6, "tcp router broker", TCP),
    Pair("a data channel", Kind.PORT_RESTRICTED, Kind.PORT_RESTRICTED, "direct broker", DIRECT),
    Pair("the broker", Kind.SYMMETRIC, Kind.SYMMETRIC, "tcp router direct broker", BROKER),
]


def measure() -> dict[str, Any]:
    if reason := why_not():
        raise NotMeasured(f"There is no NAT laboratory here: {reason}.")
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, homes_apart(Path(folder)) as lab:
        for number, pair in enumerate(PAIRS):
            if pair.expected == DIRECT and not is_available():
                found[pair.name] = {"error": MISSING}
                continue
            progress(f"{pair.name} ...")
            found[pair.name] = _meet(lab, pair, Path(folder) / str(number))
        progress("a table that waits ...")
        found["waiting"] = _idle(lab, Path(folder) / "idle")
    return found


def _meet(lab: Laboratory, pair: Pair, folder: Path) -> dict[str, Any]:
    """Each time with two new homes, which have never met."""
    seated, direct, sizes, trips = [], [], [], []
    for number in range(TIMES):
        ann = at(lab.homes[f"{pair.waits}1"], folder / f"ann{number}", *pair.ways.split())
        there = lab.homes[f"{pair.calls}2"]
        bob = at(there, folder / f"bob{number}", *pair.ways.split())
        with hosting(ann) as (host, code):
            before, began = _bytes_of(there), time.monotonic()
            bob.data("join", code, "--name", "Bob")
            seated.append(time.monotonic() - began)
            sizes.append(_bytes_of(there) - before)
            way_of(bob, pair.expected)
            direct.append(time.monotonic() - began)
            trips.append(_settled_trip(bob, pair.expected))
            bob.out("stop")
            host.type("leave yes\r")
            host.end()
        ann("stop")
    limit = SEAT_BY_BROKER if pair.expected == BROKER else SEAT
    return {
        "seconds to the seat": figure(median(seated), "s", limit, highest=rounded(max(seated))),
        "seconds until it is direct": figure(median(direct), "s", limit, highest=rounded(max(direct))),
        "bytes of the meeting": figure(median(sizes), "bytes"),
        "round trip": figure(median(trips), "ms"),
    }


def _settled_trip(bob: Program, expected: str) -> int:
    """Milliseconds, as `status` has them after some talk."""
    for _ in range(3):
        bob("attach", said="say hello\ndetach\n")
    return int(way_of(bob, rf"(?:{expected}), round trip (\d+) ms").rpartition(" trip ")[2].split()[0])


def _idle(lab: Laboratory, folder: Path) -> dict[str, Any]:
    there = lab.homes[f"{Kind.PORT_RESTRICTED}1"]
    ann = at(there, folder, "tcp", "router", "broker")
    with hosting(ann) as (host, _):
        time.sleep(5)
        before, processor = _bytes_of(there), _processor_of(ann)
        time.sleep(IDLE)
        size, cost = _bytes_of(there) - before, _processor_of(ann) - processor
        host.type("leave yes\r")
        host.end()
    ann("stop")
    an_hour = 3600 / IDLE
    return {
        "bytes an hour": figure(size * an_hour, "bytes"),
        "processor an hour": figure(cost * an_hour, "s"),
    }


def _bytes_of(place: Home | Place) -> int:
    """In and out of this machine so far."""
    lines = [line.split(":") for line in place.statistics().splitlines() if ":" in line]
    counts = [fields.split() for name, fields in lines if name.strip() != "lo"]
    return sum(int(row[0]) + int(row[8]) for row in counts)


def _processor_of(program: Program) -> float:
    """Seconds of its daemon."""
    pid = daemon_pid(find_home({"P2PCARDS_HOME": str(program.home)}))
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
