"""Headers by which a coordinator can keep others waiting, at a listener that really runs."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from p2pcards.store.logs import list_logs
from p2pcards.views.happenings import GameStarted, LongWaits, PlayerLost
from p2pcards.wire.messages import Bye
from p2pcards.wire.reasons import ByeCode
from rigs.homes import MakeHome, happening
from rigs.hostile import begin, bobs_table, hostile


@pytest.mark.parametrize("seconds", [3601, 86400])
async def test_a_pause_of_more_than_an_hour_between_two_hands_is_refused(make_home: MakeHome, seconds: int) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home)
        async with hostile(port, between_hands=seconds) as mal:
            await begin(mal)
            assert (await mal.next(Bye)).code is ByeCode.BROKE_PROTOCOL
        assert "sent something invalid" in (await happening(table, PlayerLost)).why
    assert not list_logs(home)


@pytest.mark.parametrize(
    ("grace", "turn_clock", "between_hands", "told"),
    [
        (300, 300, 300, None),
        (301, 300, 300, LongWaits("Mal", 301, 0, 0)),
        (300, 301, 300, LongWaits("Mal", 0, 301, 0)),
        (300, 300, 301, LongWaits("Mal", 0, 0, 301)),
        (86400, 0, 3600, LongWaits("Mal", 86400, None, 3600)),
    ],
)
async def test_long_waits_are_told_before_the_game_begins(
    make_home: MakeHome, grace: int, turn_clock: int, between_hands: int, told: LongWaits | None
) -> None:
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, make_home("bob"))
        async with hostile(port, grace=grace, turn_clock=turn_clock, between_hands=between_hands) as mal:
            await begin(mal)
            seen = await happening(table, (LongWaits, GameStarted))
            assert isinstance(seen, GameStarted) if told is None else seen == told
