"""As in test_apart, where the two have libdatachannel: routers that map no port let a data channel through."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigs.apart import BROKER, DIRECT, TCP, play_a_game
from rigs.nat import Kind, Laboratory

pytestmark = pytest.mark.direct

PAIRS = [
    (Kind.FULL_CONE, Kind.SYMMETRIC, DIRECT),
    (Kind.SYMMETRIC, Kind.FULL_CONE, DIRECT),
    (Kind.PORT_RESTRICTED, Kind.PORT_RESTRICTED, DIRECT),
    (Kind.PORT_RESTRICTED, Kind.CARRIER, DIRECT),
    (Kind.PCP, Kind.CARRIER, rf"{TCP}|{DIRECT}"),
    (Kind.SYMMETRIC, Kind.PORT_RESTRICTED, BROKER),
    (Kind.NO_UDP, Kind.FULL_CONE, BROKER),
]


@pytest.mark.parametrize(("waits", "calls", "way"), PAIRS)
def test_two_homes_play_by_the_way_that_their_routers_leave(
    apart: Laboratory, tmp_path: Path, waits: Kind, calls: Kind, way: str
) -> None:
    play_a_game(apart, tmp_path, waits, calls, "tcp router direct", way)
