"""As in test_apart, where the two have libdatachannel: routers that map no port let a data channel through."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigs.apart import all_pairs, play_a_game, way_between
from rigs.nat import Kind, Laboratory

pytestmark = pytest.mark.direct

PAIRS = [
    (Kind.FULL_CONE, Kind.SYMMETRIC),
    (Kind.SYMMETRIC, Kind.FULL_CONE),
    (Kind.PORT_RESTRICTED, Kind.PORT_RESTRICTED),
    (Kind.PORT_RESTRICTED, Kind.CARRIER),
    (Kind.PCP, Kind.CARRIER),
    (Kind.SYMMETRIC, Kind.PORT_RESTRICTED),
    (Kind.NO_UDP, Kind.FULL_CONE),
]


@pytest.mark.parametrize(("waits", "calls"), all_pairs(PAIRS))
def test_two_homes_play_by_the_way_that_their_routers_leave(
    apart: Laboratory, tmp_path: Path, waits: Kind, calls: Kind
) -> None:
    play_a_game(apart, tmp_path, waits, calls, "tcp router direct", way_between(waits, calls, direct=True))
