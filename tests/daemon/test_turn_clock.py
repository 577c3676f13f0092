"""Somebody who holds a table up, at a host that really runs."""

from __future__ import annotations

import trio

from p2pcards.control.client import connect
from p2pcards.control.messages import OpenHost, Persona, Rules, TimeLimits
from p2pcards.session.listener import Listener
from p2pcards.views.commands import Command
from p2pcards.views.in_game import SeatTakenOver
from p2pcards.wire.messages import Bye, Resume
from rigs.homes import MakeHome, happening
from rigs.hostile import SILENT, Hostile, hostile_listener

CLOCK = 3
"""Seconds of a turn."""


async def say_how_far(mal: Hostile[Listener]) -> None:
    """Again and again, and nothing else: whoever has a turn anew each time never comes to its end."""
    assert SILENT < CLOCK
    said = Resume(mal.position.game_id, mal.position.count, mal.position.head)
    while True:
        await mal.say(said)
        assert await mal.heard(Bye) == 0


async def test_saying_how_far_the_log_goes_gives_no_new_turn(make_home: MakeHome) -> None:
    async with connect(make_home("ann")) as client:
        limits = TimeLimits(turn_clock=CLOCK)
        opened = await client.open(OpenHost(0, Rules("crazy_eights"), Persona("Ann", auto="novice"), limits=limits))
        table = await client.attach(opened.table)
        assert opened.port is not None
        async with hostile_listener(opened.port, auto=None) as mal, trio.open_nursery() as nursery:
            await mal.sit_down()
            await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
            await table.command(Command("start"))
            await mal.until(lambda: bool(mal.machine.view(0.0).legal))
            nursery.start_soon(say_how_far, mal)
            taken = await happening(table, SeatTakenOver)
            nursery.cancel_scope.cancel()
        assert (taken.name, taken.why) == ("Mal", "the turn clock ran out")
