"""Somebody who holds a table up, at a host whose daemon has the clock of the test."""

from __future__ import annotations

from trio.testing import MockClock

from p2pcards.control.messages import OpenHost, Persona, Rules, TimeLimits
from p2pcards.views.happenings import SeatTakenOver
from p2pcards.views.tableview import Command
from p2pcards.wire.messages import Bye, Resume
from rigs.daemons_here import client_here
from rigs.homes import MakeHome, happening
from rigs.hostile import hostile_listener

CLOCK = 30
"""Simulated seconds of a turn."""


async def test_saying_how_far_the_log_goes_gives_no_new_turn(make_home: MakeHome, mock_clock: MockClock) -> None:
    """Again and again, and nothing else: a player who had a turn anew each time would never come to its end."""
    async with client_here(make_home("ann")) as client:
        limits = TimeLimits(turn_clock=CLOCK)
        opened = await client.open(OpenHost(0, Rules("crazy_eights"), Persona("Ann", auto="novice"), limits=limits))
        table = await client.attach(opened.table)
        assert opened.port is not None
        async with hostile_listener(opened.port, auto=None) as mal:
            await mal.sit_down()
            await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
            await table.command(Command("start"))
            await mal.until(lambda: bool(mal.machine.view(0.0).legal))
            said = Resume(mal.position.game_id, mal.position.count, mal.position.head)
            for _ in range(CLOCK // 2):
                await mal.say(said)
                assert await mal.heard(Bye) == 0
                mock_clock.jump(2)
            taken = await happening(table, SeatTakenOver)
        assert (taken.name, taken.why) == ("Mal", "the turn clock ran out")
