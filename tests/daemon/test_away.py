"""Nobody loses a game by being away, on real daemons: nothing is played while no person is here, and all are told."""

from __future__ import annotations

import os
import re
from functools import partial
from io import StringIO

import trio
from trio.testing import MockClock

from p2pcards.cli.line import run_line_mode
from p2pcards.cli.tables import status_lines
from p2pcards.control.client import connect
from p2pcards.control.messages import (
    Happened,
    Host,
    OpenConnect,
    OpenListen,
    OpenPlay,
    OpenResume,
    Persona,
    Rules,
    TimeLimits,
)
from p2pcards.frontend.manner import Manner
from p2pcards.present.cards import Style
from p2pcards.present.table import prompt_text
from p2pcards.views.happenings import Acted, SeatTakenOver, TablePaused, TableResumed
from p2pcards.views.tableview import Command, TableView
from rigs.daemons_here import client_here
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening, kill_daemon, view

CLOCK = 5
"""Simulated seconds of a turn, in which nobody has to show that they are there."""


async def test_cribbage_waits_for_a_player_alone_who_is_away(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with connect(home) as client:
        await client.open(OpenPlay(Rules("cribbage"), seed=1))
        table = await client.attach()
        before = await view(table, lambda shown: bool(shown.legal))
        await table.command(Command("away"))
        await happening(table, TablePaused)
        shown = await view(table, lambda shown: shown.paused)
        assert (shown.hand, shown.records) == (before.hand, before.records + 2), "a takeover and a pause, no card"
        assert prompt_text(shown).startswith("paused | Enter: take over")
        status = await client.status()
        assert status.tables[0].phase == "paused" and "Cribbage, paused, everyone is away" in "\n".join(
            status_lines(status, compiling=False)
        )
    kill_daemon(home)
    async with connect(home) as client:
        await client.open(OpenResume())
        table = await client.attach()
        await view(table, lambda shown: shown.paused)
        await table.command(Command("back"))
        await happening(table, TableResumed)
        shown = await view(table, lambda shown: bool(shown.legal))
        assert shown.hand == before.hand and not shown.paused
        await table.command(Command("act", tuple(shown.legal[0].split())))
        await happening(table, Acted)


async def test_a_player_who_timed_out_comes_back_by_enter(make_home: MakeHome, mock_clock: MockClock) -> None:
    """In line mode, where a card that is typed does the same, and is not played."""
    async with client_here(make_home("bob")) as bobs, client_here(make_home("ann")) as anns:
        opened = await bobs.open(OpenListen(0, Persona("Bob")))
        at_bob = await bobs.attach()
        hosts, limits = (Host(f"127.0.0.1:{opened.port}"),), TimeLimits(turn_clock=CLOCK)
        await anns.open(OpenConnect(hosts, Rules("cribbage"), Persona("Ann"), limits))
        at_ann = await anns.attach()
        await at_ann.command(Command("start"))
        hands = [await view(table, lambda shown: bool(shown.legal)) for table in (at_ann, at_bob)]
        mock_clock.jump(CLOCK)
        for table in (at_ann, at_bob):
            await view(table, lambda shown: shown.paused)
        mock_clock.rate = 1  # what follows is shown at its pace
        for client, typed in ((bobs, "\n"), (anns, f"{hands[0].legal[0]}\n")):
            table = await client.attach()  # or nothing of it is left to be shown
            output, (source, keyboard) = StringIO(), os.pipe()
            with os.fdopen(source) as lines, os.fdopen(keyboard, "w") as keys:
                keys.write(typed)
                keys.flush()
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(
                        partial(run_line_mode, table, Manner(), Style(), input=lines, output=output, interactive=False)
                    )
                    with trio.fail_after(longest_wait()):
                        while "You're back." not in output.getvalue():
                            await trio.sleep(0.01)
                    nursery.cancel_scope.cancel()
            told = output.getvalue()
            put = re.findall(r"^You put (.+?) in .+? crib\.", told, re.MULTILINE)
            played = [f"made these moves for you: discard {one}." for one in put]
            assert all(one in told for one in played), "what was typed is not played"


async def test_two_people_whose_turn_clocks_run_out_find_their_game_as_they_left_it(
    make_home: MakeHome, mock_clock: MockClock
) -> None:
    async with client_here(make_home("bob")) as bobs, client_here(make_home("ann")) as anns:
        opened = await bobs.open(OpenListen(0, Persona("Bob")))
        at_bob = await bobs.attach()
        hosts, limits = (Host(f"127.0.0.1:{opened.port}"),), TimeLimits(turn_clock=CLOCK)
        await anns.open(OpenConnect(hosts, Rules("cribbage"), Persona("Ann"), limits))
        at_ann = await anns.attach()
        await at_ann.command(Command("start"))
        for table in (at_ann, at_bob):
            await view(table, lambda shown: bool(shown.legal))
        mock_clock.jump(CLOCK)
        for table in (at_ann, at_bob):
            seen: list[TableView | Happened] = []
            await happening(table, TablePaused, seen)
            told = [one.happening for one in seen if isinstance(one, Happened)]
            assert sum(isinstance(one, SeatTakenOver) for one in told) == 2
        shown = await view(at_bob, lambda shown: shown.paused)
        assert shown.hand == 1
        await at_bob.command(Command("back"))
        for table in (at_ann, at_bob):
            await happening(table, TableResumed)
        shown = await view(at_bob, lambda shown: bool(shown.legal))
        assert shown.hand == 1
        await at_bob.command(Command("act", tuple(shown.legal[0].split())))
        while not (await happening(at_bob, Acted)).mine:
            pass
