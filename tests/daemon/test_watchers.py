"""Watchers at the tables of real daemons: they come in mid-game, see it to its end, keep a log, and hold nothing up."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from p2pcards.control.client import connect
from p2pcards.control.exits import REFUSED, USAGE
from p2pcards.control.messages import OpenHost, Persona, Rules
from p2pcards.ledger.payloads import RECORD
from p2pcards.session.coordinator import Coordinator
from p2pcards.store.files import find_home
from p2pcards.store.identity import remember
from p2pcards.store.logs import facts_of, list_logs, read_log
from p2pcards.views.tableview import Command
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import (
    MAX_WATCHERS,
    Bye,
    Hello,
    LookOn,
    MoveMessage,
    People,
    Ping,
    RecordMessage,
    Watch,
    WatchersNow,
)
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from rigs.homes import MakeHome, play_until, says, view
from rigs.hostile import Hostile, hostile
from rigs.net import key_of
from rigs.program import MakeProgram, Program
from rigs.programs_at_tables import until

programs = pytest.mark.usefixtures("loaded_daemons")


def begun(make_program: MakeProgram, *names: str) -> tuple[str, list[Program]]:
    """The address of Ann's table, where she and Bob have begun a game of hearts, and the homes of all."""
    ann, bob, *others = [make_program(name.lower()).inside() for name in ("Ann", "Bob", *names)]
    port = ann.data("host", "--port", "0", "--game", "hearts", "--name", "Ann")["port"]
    bob.out("join", f"127.0.0.1:{port}", "--name", "Bob", "--detached")
    ann.out("attach", said="set end_score=25\nstart\n")
    bob.out("attach", said="who\n")
    return f"127.0.0.1:{port}", [ann, bob, *others]


def who(one: Program) -> str:
    return one.out("attach", said="who\n")


@programs
def test_a_watcher_comes_in_mid_game_and_their_log_verifies(make_program: MakeProgram) -> None:
    address, (ann, bob, cy) = begun(make_program, "Cy")
    cy.out("watch", address, "--name", "Cy", "--detached")
    until(lambda: "Cy: wants to watch" in who(ann))
    assert "waiting for the host to let you watch" in cy.out("status")
    assert "Cy is watching." in ann.out("attach", said="watchers yes Cy\n")
    until(lambda: "You're watching." in cy.out("attach", said="table\n"))
    said = who(cy)
    assert "Cy: you, watching" in said and "Bob: here, seat 2" in said
    assert "Cy: watching" in who(bob)
    assert "Watchers can't talk or vote." in cy.out("attach", said="say hello\n")
    for one in (ann, bob):
        one.out("attach", said="auto novice\n")
    for one in (ann, bob, cy):
        one.wait_for("finished")
    (log,) = cy.data("logs")
    assert log["state"] == "finished" and log["players"] == ["Ann", "Bob"]
    said = cy.out("verify", log["log"])
    assert "finished, and everything matches what was signed." in said
    assert "A watcher's log: no hand of theirs is in it." in said
    assert "You watched" in cy.refused("saves", "export", log["log"])[1]
    assert cy.data("saves") == [] and not cy.data("history")
    assert cy.out("watch", "--log", log["log"]).startswith("   1. ")
    home = find_home({"P2PCARDS_HOME": str(cy.home)})
    (kept,) = list_logs(home)
    facts = facts_of(read_log(kept.path).payloads)
    assert facts.watched and not facts.owner


@programs
def test_the_host_lets_everyone_watch_or_nobody(make_program: MakeProgram) -> None:
    address, (ann, _, cy, dee) = begun(make_program, "Cy", "Dee")
    ann.out("attach", said="watchers on\n")
    cy.out("watch", address, "--name", "Cy", "--detached")
    until(lambda: "Cy: watching" in who(ann))
    ann.out("attach", said="watchers off\n")
    assert "Cy: watching" not in who(ann)
    until(lambda: cy.data("status")["tables"] == [])
    code, said = dee.refused("watch", address, "--name", "Dee", "--detached")
    assert code == REFUSED and "isn't letting you watch" in said


@programs
def test_a_watcher_is_given_a_seat(make_program: MakeProgram) -> None:
    address, (ann, bob, cy) = begun(make_program, "Cy")
    ann.out("attach", said="watchers on\n")
    cy.out("watch", address, "--name", "Cy", "--detached")
    until(lambda: "Cy: watching" in who(ann))
    cy.out("attach", said="sit\n")
    until(lambda: "Cy: here, watching, character" in who(ann))
    assert "Cy takes over from" in ann.out("attach", said="seat Cy\n")
    for one in (ann, bob, cy):
        one.out("attach", said="auto novice\n")
    until(lambda: "Cy: here, seat" in who(bob))
    for one in (ann, bob, cy):
        one.wait_for("finished")


@programs
def test_what_watch_does_not_take_gets_a_sentence(make_program: MakeProgram) -> None:
    cy = make_program("cy").inside()
    for arguments, words in (
        ((), "Give a host's code, link or address to watch"),
        (("hearts",), "p2pcards autoplay hearts"),
        (("127.0.0.1:1", "--log", "x"), "Give a host's code"),
        (("--log", "nothing"), "nothing"),
    ):
        code, said = cy.refused("watch", *arguments)
        assert code == USAGE and words in said


async def test_seventeen_who_want_to_watch_and_a_player_who_comes_after_them(make_home: MakeHome) -> None:
    ann = make_home("ann")
    for number in range(100, 100 + MAX_WATCHERS + 1):  # strangers come in slowly
        remember(ann, public_bytes(key_of(number, 1)), f"Wim{number}", "", 0)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(ann))
        opened = await client.open(OpenHost(0, Rules("crazy_eights"), Persona("Ann")))
        table = await client.attach(opened.table)
        assert opened.port is not None
        await table.command(Command("watchers", ("on",)))
        watchers: list[Hostile[Coordinator]] = []
        for number in range(100, 100 + MAX_WATCHERS):
            watchers.append(await stack.enter_async_context(hostile(opened.port, number)))
            await watchers[-1].say(Watch(VERSION, f"Wim{number}"))
            await watchers[-1].next(People)
            for one in watchers:  # who is silent for long is given up
                await one.say(Ping(number))
        late = await stack.enter_async_context(hostile(opened.port, 100 + MAX_WATCHERS))
        await late.say(Watch(VERSION, "Wim"))
        assert (await late.next(Bye)).code is ByeCode.NO_ROOM_TO_WATCH
        shown = await view(table, lambda shown: len(shown.watchers) == MAX_WATCHERS)
        assert len(shown.people) == 1
        bob = await stack.enter_async_context(hostile(opened.port, 300))
        await bob.say(Hello(VERSION, False, "Bob", "betty"))
        assert len((await bob.next(WatchersNow)).watchers) == MAX_WATCHERS
        assert len((await view(table, lambda shown: len(shown.people) == 2)).watchers) == MAX_WATCHERS


async def test_a_watcher_who_sends_a_move_is_hung_up_on_and_the_host_is_told(make_home: MakeHome) -> None:
    ann = make_home("ann")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(ann))
        opened = await client.open(OpenHost(0, Rules("crazy_eights"), Persona("Ann")))
        table = await client.attach(opened.table)
        assert opened.port is not None
        for words in (("watchers", "on"), ("start",)):
            await table.command(Command(words[0], tuple(words[1:])))
        await view(table, lambda shown: bool(shown.legal))
        (log,) = list_logs(ann)
        records = [payload[1:] for payload in read_log(log.path).payloads if payload[:1] == RECORD]
        async with hostile(opened.port, 100) as watcher:
            await watcher.say(Watch(VERSION, "Wim"))
            assert (await watcher.next(LookOn)).count == len(records)
            assert (await watcher.next(RecordMessage)).number == 0
            await watcher.say(MoveMessage(records[0]))
            assert (await watcher.next(Bye)).code is ByeCode.BROKE_PROTOCOL
        await play_until(table, says("Wim is no longer watching (Wim broke the protocol"))
