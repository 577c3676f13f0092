"""Whole games between listeners and protocol/example-coordinator, a program in another language that was written from
the pages of protocol/: our daemon, and the example listener beside it. Lines are cut, programs killed, logs lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import OpenListen, Persona
from p2pcards.ledger.payloads import RECORD
from p2pcards.ledger.verify import Findings
from p2pcards.store.files import Home
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.happenings import GameWon, StrangeStandIn, TrickTaken
from p2pcards.views.tableview import Command
from rigs.homes import MakeHome, happening, kill_daemon, play_until, view
from rigs.node_programs import (
    COORDINATOR,
    PROTOCOL,
    Example,
    MakeExample,
    faults_of,
    proven,
    records,
)
from rigs.program import MakeProgram

SHORT = ("--end-score", "25")

pytestmark = pytest.mark.node
MakeCarl = Callable[..., Example]


@pytest.fixture
def make_carl(make_example: MakeExample) -> MakeCarl:
    """Starts the example coordinator, always in the same home."""
    return lambda *words: make_example(f"{COORDINATOR}/coordinator.mjs", "carl", "--name", "Carl", *words)


@asynccontextmanager
async def listening(home: Home, port: int = 0, auto: str | None = "novice") -> AsyncIterator[tuple[ClientTable, str]]:
    """Bob, who waits to be called, and where."""
    async with connect(home) as client:
        table, address = await listen(client, port, auto)
        yield table, address


async def listen(client: Client, port: int = 0, auto: str | None = "novice") -> tuple[ClientTable, str]:
    opened = await client.open(OpenListen(port, Persona("Bob", auto=auto)))
    return await client.attach(opened.table), f"127.0.0.1:{opened.port}"


async def accept(table: ClientTable) -> None:
    """Bob agrees to Carl's own player as the one that plays for him while he is away."""
    assert (await happening(table, StrangeStandIn)).name == "Carl"
    await table.command(Command("accept"))


def proven_alike(carl: Example, *logs: Findings) -> Findings:
    """What all logs prove of one game, in which Carl was refused nothing, and no computer's decision is doubted."""
    ours = proven(carl.log)
    assert all(theirs.heads[-1] == ours.heads[-1] for theirs in logs)
    assert faults_of(carl) == []
    return ours


def proven_by(home: Home) -> Findings:
    (log,) = list_logs(home)
    return proven(log.path)


async def test_a_whole_game_with_our_listener(
    make_home: MakeHome, make_carl: MakeCarl, make_program: MakeProgram
) -> None:
    """Bob's program plays by itself; `p2pcards verify` finds one game in both logs, and every hand of it proven."""
    bob = make_home("bob")
    async with listening(bob) as (table, address):
        carl = make_carl(*SHORT, address)
        await accept(table)
        won = await happening(table, GameWon)
        assert await carl.finished() == 0
    ours = proven_alike(carl, proven_by(bob))
    assert won.head == ours.heads[-1].hex() and ours.takeovers == ()
    (log,) = list_logs(bob)
    told = make_program("eve").inside().out("verify", str(carl.log), str(log.path))
    assert "are from the same game and agree to the end" in told and "void" not in told
    assert told.count("came from levels or editions") == 2


async def test_two_games_with_two_listeners_whose_lines_are_cut(
    make_home: MakeHome, make_carl: MakeCarl, make_nora: MakeExample
) -> None:
    """Bob and Nora, in another language, are called again, are sent what they lack, and play a second game."""
    bob, nora = make_home("bob"), make_nora()
    async with listening(bob) as (table, address):
        places = (address, f"127.0.0.1:{await nora.says('')}")
        carl = make_carl("--end-score", "40", "--games", "2", "--drop-after", "30", *places)
        await accept(table)
        await happening(table, GameWon)
        await table.command(Command("again"))
        second = await happening(table, GameWon)
        assert await carl.finished() == 0
    logs = list_logs(bob)
    assert len(logs) == 2
    found = [proven(log.path) for log in logs]
    ours = proven_alike(carl, proven(nora.log))
    assert second.head == ours.heads[-1].hex()
    assert ours.heads[-1] in [one.heads[-1] for one in found] and ours.position.header.previous in [
        one.heads[-1] for one in found
    ]
    assert await carl.says("cut off after") and faults_of(nora) == []


async def test_a_listener_that_is_killed_is_played_for_and_gets_its_seat_back(
    make_home: MakeHome, make_carl: MakeCarl
) -> None:
    """Without Bob no pack is made that Carl alone could know: the hand is played to its end, then the game waits."""
    bob = make_home("bob")
    async with listening(bob, auto=None) as (table, address):
        carl = make_carl("--end-score", "60", "--grace", "1", address)
        await accept(table)
        await play_until(table, lambda happened: isinstance(happened, TrickTaken))
        kill_daemon(bob)
        heard = len(carl.said)  # Bob may have been gone for longer than the grace before he agreed
    await carl.says("taken over 1", heard)
    async with listening(bob, int(address.rpartition(":")[2]), auto=None) as (table, _):
        await carl.says("given back 1", heard)
        await play_until(table, lambda happened: isinstance(happened, GameWon))
        assert await carl.finished() == 0
    ours = proven_alike(carl, proven_by(bob))
    assert {seat for _, seat in ours.takeovers} == {1} and not any(hand.absent for hand in ours.hands)


async def test_a_coordinator_with_an_older_log_gets_its_records_back(make_home: MakeHome, make_carl: MakeCarl) -> None:
    """The passes of a hand are lost, its own and those of its computers too, of which only commitments come back."""
    bob = make_home("bob")
    async with listening(bob, auto=None) as (table, address):
        carl = make_carl(*SHORT, address)
        await accept(table)
        await play_until(table, lambda happened: isinstance(happened, TrickTaken))
        await view(table, lambda shown: bool(shown.legal))  # it waits for Bob, and the logs stand still
        before = records(carl.log)
        carl.end()
        third = [offset for offset, payload in read_log(carl.log).records if payload[:1] == RECORD][3]
        carl.log.write_bytes(carl.log.read_bytes()[:third])
        again = make_carl(*SHORT, address)
        await play_until(table, lambda happened: isinstance(happened, GameWon))
        assert await again.finished() == 0
    assert again.said[0] == "goes on from 3 records"
    assert await again.says("got back record 3")
    assert records(again.log)[: len(before)] == before, "with every opening, and no faces"
    proven_alike(again, proven_by(bob))


def test_it_is_as_short_as_its_page_says() -> None:
    files = list((PROTOCOL / COORDINATOR).iterdir())
    assert {file.suffix for file in files} == {".mjs", ".md"}, "it needs no package of its own"
    assert sum(len(file.read_text().splitlines()) for file in files if file.suffix == ".mjs") <= 500
