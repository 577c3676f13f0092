"""Whoever says more than anybody could, to daemons that really run: their disks, screens and commands do not suffer."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any, TypeVar

import trio

from p2pcards import __version__
from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import (
    Attach,
    DaemonStatus,
    Greet,
    Happened,
    OpenHost,
    OpenPlay,
    Persona,
    Rules,
    Status,
)
from p2pcards.control.protocol import answer_reader, encode
from p2pcards.control.starting import reach
from p2pcards.session.pace import FROM_A_LISTENER, MOST_EARLY
from p2pcards.store.home import Home
from p2pcards.store.logfile import read_log
from p2pcards.store.logs import list_logs
from p2pcards.views.commands import Command
from p2pcards.views.happenings import GameWon, Notice, PlayerLost
from p2pcards.wire.messages import Away, Bye
from rigs.giving_up import GIVE_UP
from rigs.homes import MakeHome, happening
from rigs.hostile import hostile_listener

T = TypeVar("T")


async def hosting(stack: AsyncExitStack, client: Client) -> tuple[ClientTable, int]:
    opened = await client.open(OpenHost(0, Rules("crazy_eights"), Persona("Ann")))
    assert opened.port is not None
    return await client.attach(opened.table), opened.port


def records(home: Home) -> int:
    """How many stand in the only log of this home."""
    (log,) = list_logs(home)
    return sum(payload[:1] == b"R" for _, payload in read_log(log.path).records)


async def test_a_front_end_that_does_not_read_stays_and_is_told_how_much_it_missed(make_home: MakeHome) -> None:
    ann = make_home("ann")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(ann))
        me, rules = Persona("Ann", "wayne", auto="carefree"), Rules("gin_rummy", "oklahoma", (("winning_score", "25"),))
        opened = await client.open(OpenPlay(rules, me, seed=1, opponents=("betty:carefree",)))
        table = await client.attach(opened.table)
        deaf = await stack.enter_async_context(await reach(ann, start=False))
        for request in (Greet(__version__), Attach(opened.table)):
            await deaf.send_all(encode(request))
        await happening(table, GameWon)
        await deaf.send_all(encode(Status()))
        reader, heard = answer_reader(), list[Any]()
        with trio.fail_after(GIVE_UP):
            while not told_of(heard, GameWon) or not any(isinstance(message, DaemonStatus) for message in heard):
                data = bytes(await deaf.receive_some())
                assert data, "the daemon has hung up"
                heard += reader.feed(data)
    left_out = [told for told in told_of(heard, Notice) if "left out" in str(told.text)]
    assert len(left_out) == 1, "the socket takes some, then the oldest give way"


def told_of(heard: list[Any], kind: type[T]) -> list[T]:
    told = [message.happening for message in heard if isinstance(message, Happened)]
    return [one for one in told if isinstance(one, kind)]


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
