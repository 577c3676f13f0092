"""Games back to back between three daemon processes whose connections break again and again: nothing is lost or
repeated."""

from __future__ import annotations

from contextlib import AsyncExitStack
from random import Random

import pytest
import trio

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import Happened, Host, OpenConnect, OpenListen, Persona
from p2pcards.ledger.payloads import RECORD
from p2pcards.ledger.verify import Findings, verify_log
from p2pcards.store.files import Home
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.happenings import Acted, GameStarted, GameWon
from p2pcards.views.tableview import Command
from p2pcards.wire.records import ActionEntry, CommitEntry, read_record
from rigs.frail import FrailLine
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening

GAMES = (("hearts", "end_score=25"), ("crazy_eights", "winning_score=50"))


@pytest.mark.parametrize(
    ("seconds", "cuts", "moves"),
    [pytest.param(6, 4, 100, id="6 s"), pytest.param(30, 20, 1000, id="30 s", marks=pytest.mark.slow)],
)
async def test_nothing_is_lost_or_repeated(make_home: MakeHome, seconds: float, cuts: int, moves: int) -> None:
    """At least so many seconds, cuts and moves, then the game that is on to its end."""
    homes = ann, bob, cy = [make_home(name) for name in ("ann", "bob", "cy")]
    heads: list[str] = []
    told = 0
    async with AsyncExitStack() as stack:
        nursery = await stack.enter_async_context(trio.open_nursery())
        stack.callback(nursery.cancel_scope.cancel)
        stack.enter_context(trio.fail_after(longest_wait()))
        lines, listeners = [], []
        for seed, home in enumerate((bob, cy)):
            client = await stack.enter_async_context(connect(home))
            opened = await client.open(OpenListen(0, Persona(home.state.name, auto="carefree")))
            assert opened.port is not None
            lines.append(FrailLine(opened.port, Random(seed)))
            await nursery.start(lines[-1].run)
            listeners.append(await client.attach())
        client = await stack.enter_async_context(connect(ann))
        hosts = tuple([Host(f"127.0.0.1:{line.port}") for line in lines])
        await client.open(OpenConnect(hosts, persona=Persona("ann", auto="carefree")))
        table = await client.attach()
        await start(table, len(heads))
        end = trio.current_time() + seconds
        async for update in table.updates():
            if not isinstance(update, Happened):
                continue
            happening = update.happening
            told += isinstance(happening, Acted)
            enough = trio.current_time() >= end and told >= moves and sum(line.cuts for line in lines) >= cuts
            if enough or isinstance(happening, GameStarted | GameWon):
                for line in lines:  # a guest who is away between two games is left out of the next
                    line.breaking = isinstance(happening, GameStarted) and not enough
            if isinstance(happening, GameWon):
                heads.append(happening.head)
                await everybody_has(heads[-1], listeners, client)
                if enough:
                    break
                await start(table, len(heads))
    print(f"{len(heads)} games, {told} moves, {sum(line.cuts for line in lines)} cuts")
    check_logs(homes, heads, told)


async def start(table: ClientTable, number: int) -> None:
    """Begin the game of this number."""
    game, rule = GAMES[number % len(GAMES)]
    for command in (Command("game", (game,)), Command("set", (rule,)), Command("start")):
        await table.command(command)


async def everybody_has(head: str, listeners: list[ClientTable], client: Client) -> None:
    """Wait until each listener has seen the end of this very game next, and is at the table."""
    for listener in listeners:
        assert (await happening(listener, GameWon)).head == head
    while any(person.link == "away" for person in (await client.status()).tables[0].people):
        await trio.sleep(0.01)


def check_logs(homes: list[Home], heads: list[str], told: int) -> None:
    """Each home has one log of each game, all of them prove the same game, and each move that was told of at Ann's
    stands once in each."""
    moves = []
    for home in homes:
        games = [read_log(log.path).payloads for log in reversed(list_logs(home))]
        findings = [verify_log(payloads) for payloads in games]
        assert sorted(found.heads[-1].hex() for found in findings) == sorted(heads)
        assert all(is_whole(found) for found in findings)
        records = [payload[1:] for payloads in games for payload in payloads if payload[:1] == RECORD]
        entries = [read_record(record)[1][0] for record in records]
        moves.append(sum(isinstance(entry, ActionEntry | CommitEntry) for entry in entries))
    assert moves == [told] * len(homes)


def is_whole(found: Findings) -> bool:
    """Won to its end, every hand opened and as it was shown, and signed by all who were there."""
    return found.finished and found.honest and found.unproven is None
