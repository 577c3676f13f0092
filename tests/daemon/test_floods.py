"""Whoever says more than anybody could, to daemons that really run: their disks, screens and commands do not suffer."""

from __future__ import annotations

from contextlib import AsyncExitStack

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import OpenHost, Persona, Rules
from p2pcards.session.pace import FROM_A_LISTENER, MOST_EARLY
from p2pcards.store.home import Home
from p2pcards.store.logfile import read_log
from p2pcards.store.logs import list_logs
from p2pcards.views.commands import Command
from p2pcards.views.happenings import PlayerLost
from p2pcards.wire.messages import Away, Bye
from rigs.homes import MakeHome, happening
from rigs.hostile import hostile_listener


async def hosting(stack: AsyncExitStack, client: Client) -> tuple[ClientTable, int]:
    opened = await client.open(OpenHost(0, Rules("crazy_eights"), Persona("Ann")))
    assert opened.port is not None
    return await client.attach(opened.table), opened.port


def records(home: Home) -> int:
    """How many stand in the only log of this home."""
    (log,) = list_logs(home)
    return sum(payload[:1] == b"R" for _, payload in read_log(log.path).records)


async def test_away_on_and_off_fills_no_disk(make_home: MakeHome) -> None:
    ann = make_home("ann")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(ann))
        table, port = await hosting(stack, client)
        async with hostile_listener(port) as mal:
            await mal.sit_down()
            await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
            await table.command(Command("start"))
            await mal.until(lambda: mal.machine.view(0.0).phase == "play")
            before = records(ann)
            for number in range(2 * MOST_EARLY):
                await mal.say(Away(number % 2 == 0))
            assert await mal.heard(Bye) == 1
        lost = await happening(table, PlayerLost)
        assert "More AWAY than anybody could mean" in str(lost.why)
        assert records(ann) <= before + FROM_A_LISTENER[Away].at_once + 10, "and a few of the game itself"
