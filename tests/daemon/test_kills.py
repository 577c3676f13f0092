"""Two daemons play one game after the other, and one of the two is killed with SIGKILL at random moments, started again
and resumed: nothing that anybody was shown is lost, no log is false, nobody is asked whether to play on, and the game
reaches its end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
import trio

from p2pcards.control.client import Client
from p2pcards.control.declined import Declined
from p2pcards.control.messages import Host, OpenConnect, OpenListen, OpenResume, Persona
from p2pcards.daemon.bell import Bell
from p2pcards.games.registry import GAMES
from p2pcards.ledger.verify import first_fork
from p2pcards.views.tableview import Command
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome
from rigs.killed import KilledEnd
from rigs.ports import lasting_port
from rigs.short_games import short

ALL_KILLS = 1000
"""Of the slow run, over all games, at least."""
MOST_SEEN = 25
"""Updates that one front end is shown between two kills, at the most."""
ANN, BOB = Persona("Ann", "wayne", auto="novice"), Persona("Bob", "betty", auto="novice")


class Match:
    """Ann, who coordinates, and Bob, who listens; the computer plays for both."""

    def __init__(self, make_home: MakeHome, key: str, nursery: trio.Nursery) -> None:
        self.changed = Bell()
        self.ann, self.bob = [KilledEnd(make_home(name), self.changed.ring) for name in ("ann", "bob")]
        self.kills = 0
        self._key = key
        self._nursery = nursery
        self._port = lasting_port()
        self._stage: tuple[object, ...] = ()

    async def begin(self) -> None:
        await self._nursery.start(self.bob.live, self._listen)
        await self._nursery.start(self.ann.live, self._connect)

    async def _listen(self, client: Client) -> None:
        """On the port of before, where Bob waits already."""
        await client.open(OpenListen(self._port, BOB))

    @property
    def _address(self) -> str:
        return f"127.0.0.1:{self._port}"

    async def _connect(self, client: Client) -> None:
        """Ann goes on with the game that is not over, or opens a table for another."""
        try:
            await client.open(OpenResume(persona=ANN))
        except Declined as declined:
            assert "hosting any unfinished games" in str(declined)
            await client.open(OpenConnect((Host(self._address),), persona=ANN))

    async def bring_on(self) -> None:
        """Between two games: begin the next one, as soon as Bob is there. A guest who is lost there is called again
        only when Ann asks for it. Each is said once: a second time would begin it anew."""
        view, table = self.ann.view, self.ann.table
        links = tuple([person.link for person in view.people if person.link != "you"])
        stage = (self.kills, len(self.ann.won), view.phase, links)
        if table is None or view.phase not in ("lobby", "over") or stage == self._stage or links == ("away",):
            return
        self._stage = stage
        rules = [Command("set", (f"{option}={value}",)) for option, value in short(self._key)]
        start = [Command("game", (self._key,)), *rules, Command("start")]
        try:
            for command in start if links else [Command("invite", (self._address,))]:
                await table.command(command)
        except Declined:  # Bob was killed before Ann was shown it, and may be back before it is said again
            self._stage = ()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Play on until this holds, one game after the other."""
        with trio.move_on_after(longest_wait()):
            while not condition():
                seen = self.ann.seen + self.bob.seen
                await self.bring_on()
                if self.ann.seen + self.bob.seen == seen:
                    await self.changed.wait()
            return
        raise AssertionError(f"stuck after {self.kills} kills at {self._stage}: {self.ann.view}, {self.bob.view}")

    async def kill(self, end: KilledEnd) -> None:
        """What was shown stands in the logs as the daemon left them, and when it runs again."""
        self.kills += 1
        await end.kill()
        self.check()
        await self._nursery.start(end.live, self._connect if end is self.ann else self._listen)
        self.check()

    def check(self) -> None:
        """No log is false, none lacks what its end was shown, and those of one game are of one chain."""
        bobs, anns = self.bob.check(), self.ann.check()
        for game, found in bobs.items():
            assert first_fork(found, anns[game]) is None
            assert found.records <= anns[game].records, "Ann writes it before Bob hears of it"


FEW = [pytest.param(key, 2, id=f"{key} 2") for key in ("hearts", "gin_rummy", "cribbage")]
MANY = [pytest.param(key, -(-ALL_KILLS // len(GAMES)), id=f"{key} many", marks=pytest.mark.slow) for key in GAMES]


@pytest.mark.own_start
@pytest.mark.parametrize(("key", "kills"), FEW + MANY)
async def test_nothing_that_was_shown_is_lost_by_kill_minus_9(make_home: MakeHome, key: str, kills: int) -> None:
    chance = Random(f"kill {key}")
    async with trio.open_nursery() as nursery:
        match = Match(make_home, key, nursery)
        ann, bob = ends = match.ann, match.bob
        await match.begin()
        while match.kills < kills:
            victim, watched = chance.choice(ends), chance.choice(ends)
            enough = watched.seen + chance.randint(1, MOST_SEEN)
            await match.until(lambda watched=watched, enough=enough: watched.seen >= enough)  # type: ignore[misc]
            await match.kill(victim)
        won = len(ann.won)
        await match.until(lambda: bool(set(ann.won[won:]) & set(bob.won)))
        match.check()
        nursery.cancel_scope.cancel()
    assert (match.kills, bob.asked) == (kills, 0)
    print(f"{key}: {kills} kills, {len(ann.check())} games")
