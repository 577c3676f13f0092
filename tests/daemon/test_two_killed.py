"""Two daemons of a table are killed with SIGKILL in the middle of a trick: everybody sees the same as before, and the
game ends as it does when nobody is killed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress

import pytest
import trio

from p2pcards.control.client import Client
from p2pcards.control.declined import Declined
from p2pcards.control.messages import Host, OpenConnect, OpenListen, OpenResume, Persona, Rules, TimeLimits
from p2pcards.daemon.bell import Bell
from p2pcards.results.reading import read_result
from p2pcards.results.result import GameResult
from p2pcards.store.files import Home
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.tableview import Command, TableView
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome
from rigs.killed import KilledEnd
from rigs.mid_trick import RULES, of_game, stops
from rigs.ports import lasting_port
from rigs.short_games import short

PATIENT = TimeLimits(grace=3600, turn_clock=0)
"""No computer takes the seat of a player who is killed."""


class Played:
    """Ann, who coordinates, and those who listen, each with a daemon. Until the trick they make the first legal move at
    each decision. ports: where the listeners waited before, in the order of their homes."""

    def __init__(self, homes: list[Home], nursery: trio.Nursery, ports: list[int] | None = None) -> None:
        self.changed = Bell()
        self.ends = [KilledEnd(home, self.changed.ring) for home in homes]
        self.ports = ports or [lasting_port() for _ in homes[1:]]
        self._nursery = nursery
        self._acted: set[tuple[str, int]] = set()
        self._by_computer: KilledEnd | None = None

    async def begin(self, rules: Rules) -> None:
        async def call(client: Client) -> None:
            hosts = tuple([Host(f"127.0.0.1:{port}") for port in self.ports])
            await client.open(OpenConnect(hosts, rules, Persona("Ann", "wayne"), PATIENT))

        for end in self.ends[1:]:
            await self.sit(end)
        await self._nursery.start(self.ends[0].live, call)
        assert self.ends[0].table is not None
        await self.ends[0].table.command(Command("start"))

    async def sit(self, end: KilledEnd) -> None:
        """Ann goes on with her game; a listener waits, on the port of before if there is one."""
        number = self.ends.index(end) - 1

        async def sit_down(client: Client) -> None:
            if number < 0:
                await client.open(OpenResume())
            else:
                waits = OpenListen(self.ports[number], Persona(end.home.state.name.title()))
                await client.open(waits)

        await self._nursery.start(end.live, sit_down)

    async def sit_all(self) -> None:
        """Ann last, who calls the others."""
        for end in reversed(self.ends):
            await self.sit(end)

    async def play(self, until: Callable[[], bool]) -> None:
        with trio.fail_after(longest_wait()):
            while not until():
                if not await self._act():
                    await self.changed.wait()

    async def _act(self) -> bool:
        """Whether somebody had a decision to make, and made it."""
        for end in self.ends:
            if end.table and self._is_due(end):
                self._acted.add((end.home.state.name, end.view.records))
                with suppress(Declined):  # the game has moved on
                    await end.table.command(Command("act", tuple(end.view.legal[0].split())))
                return True
        return False

    def _is_due(self, end: KilledEnd) -> bool:
        """Whether they are to decide, and have not yet."""
        return end is not self._by_computer and bool(end.view.legal) and not self._awaits(end)

    def _awaits(self, end: KilledEnd) -> bool:
        """Whether they have decided, which their view does not show yet."""
        return (end.home.state.name, end.view.records) in self._acted

    def in_a_trick(self) -> bool:
        """Whether the game stands still there for everybody until one of them decides."""
        decided = sum([name == "ann" for name, _ in self._acted])
        still = any(map(self._is_due, self.ends)) and not any(map(self._awaits, self.ends))
        return still and self.agree() and stops(self.ends[0].view, decided)

    def agree(self) -> bool:
        """Whether everybody is at the table, as everybody sees it, and has the same records."""
        shown = [end.view for end in self.ends]
        away = [view for view in shown if any(seat.plays == "away" for seat in view.seats)]
        missing = [view for view in shown if sum([one.link in ("here", "you") for one in view.people]) < len(shown)]
        return not away and not missing and {view.head for view in shown} == {shown[0].head}

    def views(self) -> list[TableView]:
        return [of_game(end.view) for end in self.ends]

    async def resumed(self) -> None:
        """Until everybody has the same records; then those who had no answer to a move may make it again."""
        self._acted.clear()
        with trio.fail_after(longest_wait()):
            while not self.agree():
                await self.changed.wait()

    async def end(self) -> list[GameResult]:
        """Play to the end, with the computer in Ann's seat, as a game of first legal moves may have none. It is the
        same for everybody. Then all daemons are killed; what each log tells of the game."""
        assert self.ends[0].table is not None
        await self.ends[0].table.command(Command("auto", ("novice",)))
        self._by_computer = self.ends[0]
        await self.play(lambda: all(end.won for end in self.ends))
        assert len({end.won[-1] for end in self.ends}) == 1
        for end in self.ends:
            await end.kill()
        return [result(end.home) for end in self.ends]


def result(home: Home) -> GameResult:
    (log,) = list_logs(home)
    return read_result(read_log(log.path).payloads)


def keep(home: Home) -> None:
    """What stands on the disk now, where `bring_back` finds it."""
    shutil.copytree(home.state, home.state.with_suffix(".kept"), ignore=shutil.ignore_patterns("run"))


def bring_back(home: Home) -> None:
    shutil.rmtree(home.state)
    home.state.with_suffix(".kept").rename(home.state)


@pytest.mark.parametrize(("key", "preset"), RULES)
async def test_both_are_killed(make_home: MakeHome, nursery: trio.Nursery, key: str, preset: str) -> None:
    homes = [make_home(name) for name in ("ann", "bob")]
    await kill_in_a_trick(homes, nursery, Rules(key, preset, short(key)), homes)


@pytest.mark.parametrize(
    "killed",
    [
        pytest.param((0, 1), id="the coordinator and a listener"),
        pytest.param((1, 2), id="both listeners", marks=pytest.mark.slow),
    ],
)
async def test_two_of_three_are_killed(make_home: MakeHome, nursery: trio.Nursery, killed: tuple[int, ...]) -> None:
    homes = [make_home(name) for name in ("ann", "bob", "cyd")]
    await kill_in_a_trick(homes, nursery, Rules("hearts", "", short("hearts")), [homes[number] for number in killed])


async def kill_in_a_trick(homes: list[Home], nursery: trio.Nursery, rules: Rules, killed: list[Home]) -> None:
    """The same game twice from the same trick on: first nobody is killed there, then the daemons of these homes."""
    undisturbed = Played(homes, nursery)
    await undisturbed.begin(rules)
    await undisturbed.play(undisturbed.in_a_trick)
    before = undisturbed.views()
    for home in homes:
        keep(home)
    outcome = await undisturbed.end()

    for home in homes:
        bring_back(home)
    disturbed = Played(homes, nursery, undisturbed.ports)
    await disturbed.sit_all()
    await disturbed.resumed()
    victims = [end for end in disturbed.ends if end.home in killed]
    for end in victims:
        await end.kill()
    for end in reversed(victims):
        await disturbed.sit(end)
    await disturbed.resumed()
    assert disturbed.views() == before
    assert await disturbed.end() == outcome
