"""Friends behind routers of every kind sit down by a code, and play by the way that their routers leave: real daemons,
mosquitto, coturn and miniupnpd in the NAT laboratory."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigs.apart import BROKER, TCP, play_a_game
from rigs.nat import Kind, Laboratory

pytestmark = pytest.mark.reach

PAIRS = [
    (Kind.PCP, Kind.SYMMETRIC, TCP),
    (Kind.SYMMETRIC, Kind.PCP, TCP),
    (Kind.UPNP, Kind.NO_UDP, TCP),
    (Kind.PORT_RESTRICTED, Kind.UPNP, TCP),
    (Kind.IPV6, Kind.IPV6, TCP),
    (Kind.SYMMETRIC, Kind.SYMMETRIC, BROKER),
    (Kind.NO_UDP, Kind.CARRIER, BROKER),
]


@pytest.mark.parametrize(("waits", "calls", "way"), PAIRS)
def test_two_homes_play_by_the_way_that_their_routers_leave(
    apart: Laboratory, tmp_path: Path, waits: Kind, calls: Kind, way: str
) -> None:
    play_a_game(apart, tmp_path, waits, calls, "tcp router broker", way)
