"""Many logs and long ones: a daemon that really runs opens only those that somebody asked for, and goes on meanwhile.

A log that takes long to read is one that the test does not let anybody open yet.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import trio

from p2pcards.cli.tables import status_lines
from p2pcards.control.client import ClientTable, connect
from p2pcards.control.messages import (
    Host,
    OpenConnect,
    OpenListen,
    OpenPlay,
    OpenResume,
    Persona,
    Rules,
    TableOpened,
    TimeLimits,
)
from p2pcards.store.files import Home
from p2pcards.store.logs import indexed_logs, list_logs, log_name
from p2pcards.views.happenings import PlayerBack, PlayerLost
from p2pcards.views.tableview import Command
from rigs.homes import MakeHome, happening, kill_daemon, view, wait_until_ended
from rigs.hostile import hostile
from rigs.leased import leased

MANY = 200


async def two_at_a_table(stack: AsyncExitStack, ann: Home, bob: Home) -> tuple[ClientTable, int]:
    """Ann has called Bob, who listens, and it is her turn. Her table, and Bob's port."""
    bobs, anns = [await stack.enter_async_context(connect(home)) for home in (bob, ann)]
    opened = await bobs.open(OpenListen(0, Persona("Bob", auto="novice")))
    assert opened.port is not None
    await anns.open(
        OpenConnect((Host(f"127.0.0.1:{opened.port}"),), Rules("crazy_eights"), Persona("Ann"), TimeLimits(300))
    )
    table = await anns.attach()
    await table.command(Command("start"))
    await view(table, lambda shown: bool(shown.legal))
    return table, opened.port


def the_log(home: Home) -> Path:
    (log,) = list_logs(home)
    return log.path


def many_logs(home: Home, like: Path) -> list[Path]:
    """So many logs, none of which is of a game that is over."""
    home.logs.mkdir(parents=True, exist_ok=True)
    paths = [home.logs / log_name("2026-11-20", "hearts", bytes([number, 0])) for number in range(MANY)]
    for path in paths:
        path.write_bytes(like.read_bytes())
    return paths


async def goes_on(home: Home) -> None:
    """What others ask of this daemon is answered, and a game is played there."""
    async with connect(home) as other:
        opened = await other.open(OpenPlay(Rules("crazy_eights"), Persona("Cy", auto="carefree")))
        await view(await other.attach(opened.table), lambda shown: shown.records > 8)
        assert opened.table in [table.name for table in (await other.status()).tables]


async def test_a_game_that_is_resumed_keeps_nobody_waiting_while_its_log_is_read(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with connect(home) as client:
        await client.open(OpenPlay(Rules("crazy_eights"), Persona("Ann")))
        await view(await client.attach(), lambda shown: bool(shown.legal))
        await client.stop()
    wait_until_ended(home)
    opened: list[TableOpened] = []

    async with connect(home) as client, connect(home) as other:

        async def resume() -> None:
            opened.append(await client.open(OpenResume()))

        async with trio.open_nursery() as nursery:
            with leased([the_log(home)]) as (log,):
                nursery.start_soon(resume)
                await log.until_wanted()
                assert (await other.status()).tables == ()
                await goes_on(home)
                assert not opened
        await view(await other.attach(opened[0].table), lambda shown: bool(shown.legal))


async def test_a_daemon_answers_while_it_looks_at_the_logs_of_the_one_before(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        anns, there = await two_at_a_table(stack, ann, bob)
        kill_daemon(bob)
        await happening(anns, PlayerLost)
        with leased([the_log(bob)]) as (log,):
            again = await stack.enter_async_context(connect(bob))
            await log.until_wanted()
            status = await again.status()
            assert (status.tables, status.restoring) == ((), True)
            assert status_lines(status, compiling=False)[1:] == [
                "Reopening the tables that were waiting for friends ..."
            ]
        await view(await again.attach(), lambda shown: shown.phase == "play")
        status = await again.status()
        assert ([table.port for table in status.tables], status.restoring) == ([there], False)


async def test_a_game_that_its_coordinator_goes_on_with_keeps_nobody_waiting_while_its_log_is_read(
    make_home: MakeHome,
) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        anns, there = await two_at_a_table(stack, ann, bob)
        kill_daemon(bob)
        await happening(anns, PlayerLost)
        path = the_log(bob)
        indexed_logs(bob)
        with leased([path]) as (log,):
            again = await stack.enter_async_context(connect(bob))
            await log.until_wanted()
            (table,) = (await again.status()).tables
            assert (table.port, table.log) == (there, "")
            await goes_on(bob)
        await happening(anns, PlayerBack)
        await view(await again.attach(table.name), lambda shown: shown.phase == "play")
        logs = {table.name: table.log for table in (await again.status()).tables}
        assert logs[table.name] == path.name, "it goes on in the log that was there"


async def test_listening_and_a_strangers_new_game_open_none_of_many_logs(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        await two_at_a_table(stack, ann, bob)
        like = the_log(bob)
    cy = make_home("cy")
    paths = many_logs(cy, like)
    indexed_logs(cy)
    with leased(paths) as logs:
        async with connect(cy) as client:
            opened = await client.open(OpenListen(0, Persona("Cy", auto="novice")))
            assert opened.port is not None
            async with hostile(opened.port) as mal:
                await mal.sit_down()
                await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
                await mal.command("game", "crazy_eights")
                await mal.command("start")
                await mal.until(lambda: mal.machine.view(0.0).phase == "play")
        assert not any(log.wanted for log in logs)
    assert len(list_logs(cy)) == MANY + 1
