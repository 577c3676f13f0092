"""Games that a coordinator plays by itself in a listener's name, at listeners that really run."""

from __future__ import annotations

from contextlib import AsyncExitStack

from p2pcards.results.keeping import ask
from p2pcards.results.standings import history
from p2pcards.session.coordinator import Coordinator
from p2pcards.store.files import Home
from p2pcards.store.logs import FINISHED, indexed_logs
from p2pcards.views.happenings import GameWon
from p2pcards.wire.reasons import TakeoverReason
from rigs.homes import MakeHome, happening, kill_daemon
from rigs.hostile import Hostile, bobs_table, hostile
from rigs.short_games import short

GAME = "crazy_eights"


async def begin_short(mal: Hostile[Coordinator]) -> None:
    await mal.sit_down()
    await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
    await mal.command("game", GAME)
    for option, value in short(GAME):
        await mal.command("set", option, value)
    await mal.command("start")


def won_and_counted(home: Home) -> tuple[int, int]:
    """The logs of games that were won, and the games in the records."""
    return sum(facts.state == FINISHED for _, facts in indexed_logs(home)), len(ask(home, history))


async def test_a_game_that_its_coordinator_played_alone_counts_nowhere(make_home: MakeHome) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home, None)
        async with hostile(port) as mal:
            await begin_short(mal)
            await mal.until(lambda: mal.machine.view(0.0).phase == "play")
            await mal.take_over(1, TakeoverReason.LEFT)
            await mal.until(lambda: mal.position.ended is not None)
            await happening(table, GameWon)
    kill_daemon(home)
    assert won_and_counted(home) == (1, 0)
