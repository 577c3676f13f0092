"""Computer players that search think in other processes, which may be cancelled, and may die."""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from multiprocessing import resource_tracker
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked
from trio_parallel import WorkerContext, open_worker_context

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.daemon import compiling
from p2pcards.daemon.attachments import Attachments
from p2pcards.daemon.compiling import COMPILER, lacks_kernels, slowness_sentence
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.engine import RETRY, Engine
from p2pcards.daemon.machines import CAST, edition_here
from p2pcards.daemon.thinking import CannotThink, Decide, clock_of, decide_here, deciding_in, thinking_in_processes
from p2pcards.games.game import Action, Stage
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose, rate
from p2pcards.players.levels import LEVELS, UNTRIED, edition_of
from p2pcards.session.bounds import PING_AFTER
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import Effect, Me, Send, Think
from p2pcards.views.happenings import Happening, Notice
from p2pcards.views.tableview import Command
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Hello, Message, Ping, Pong, decode_message, encode_message
from p2pcards.wire.records import VERSION
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait
from rigs.held import HeldWorkers, find_kernels
from rigs.program import Program


@pytest.fixture
async def workers() -> AsyncIterator[WorkerContext]:
    resource_tracker.ensure_running()  # a process that is none of theirs, and starts with the first
    async with open_worker_context(grace_period=longest_wait()) as context:
        yield context


def question(level: str, seed: int = 1) -> Think:
    """The first card of a hand of hearts in which nothing was passed."""
    game, rng = GAMES["hearts"], Random(seed)
    state: Any = game.start(game.options(passing="none", opening_lead="eldest"), 0)
    pack = list(game.pack(state.options))
    rng.shuffle(pack)
    state = game.play(state, game.deal(state, tuple(pack), tuple(pack)))
    assert state.stage is Stage.PLAY
    (seat,) = state.to_act
    return Think(seat, game, redact(state, eyes_of_viewer(seat)), level, seed)


def children() -> set[int]:
    """The processes that this one has started."""
    tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
    return {int(pid) for task in tasks for pid in (task / "children").read_text().split()}


async def a_new_child(known: set[int]) -> int:
    while not (new := children() - known):
        await trio.sleep(0.01)
    return new.pop()


async def gone(pid: int) -> None:
    while pid in children():
        await trio.sleep(0.01)


SEARCHING = ["expert", pytest.param("champion", marks=pytest.mark.slow)]


@pytest.mark.parametrize("level", ["novice", *SEARCHING])
async def test_a_decision_in_another_process_is_the_one_that_would_be_made_here(
    workers: WorkerContext, level: str
) -> None:
    think = question(level)
    here = choose(think.game, think.view, think.seat, level, Random(think.seed))
    assert await deciding_in(workers)(think) == here


@pytest.mark.parametrize("level", SEARCHING)
async def test_a_hint_in_another_process_weighs_what_would_be_weighed_here(workers: WorkerContext, level: str) -> None:
    think = replace(question(level), hint=True)
    here = rate(think.game, think.view, think.seat, level, Random(think.seed))
    assert len(here) > 1 and here[0].action == choose(think.game, think.view, think.seat, level, Random(think.seed))
    assert await deciding_in(workers)(think) == here == await decide_here(think)


async def test_a_process_that_dies_leaves_its_decision_to_another_that_decides_the_same(
    workers: WorkerContext, nursery: trio.Nursery
) -> None:
    known, think, decided = children(), question("expert"), []

    async def decide() -> None:
        decided.append(await deciding_in(workers)(think))
        nursery.cancel_scope.cancel()

    nursery.start_soon(decide)
    first = await a_new_child(known)
    os.kill(first, signal.SIGKILL)
    second = await a_new_child(known | {first})
    assert second != first
    with trio.CancelScope(shield=True):
        while not decided:
            await trio.sleep(0.01)
    assert decided == [choose(think.game, think.view, think.seat, think.level, Random(think.seed))]


async def test_where_the_second_dies_too_there_is_no_decision(workers: WorkerContext, nursery: trio.Nursery) -> None:
    """One that dies before it was told what to decide does not count, so every one is ended."""
    known, failed = children(), trio.Event()

    async def decide() -> None:
        with pytest.raises(CannotThink):
            await deciding_in(workers)(question("master"))
        failed.set()

    nursery.start_soon(decide)
    while not failed.is_set():
        for pid in children() - known:
            os.kill(pid, signal.SIGKILL)
            known.add(pid)
        await trio.sleep(0.01)


async def test_a_decision_that_nobody_waits_for_ends_with_its_process(
    workers: WorkerContext, nursery: trio.Nursery
) -> None:
    known = children()
    nursery.start_soon(deciding_in(workers), question("master"))
    pid = await a_new_child(known)
    nursery.cancel_scope.cancel()
    with trio.CancelScope(shield=True):
        await gone(pid)


# --- what a table does with it ----------------------------------------------------------------------------------------


def at_a_table(
    folder: Path,
    decide: Decide,
    pace: float = 0.0,
    level: str = "novice",
    carry_out: Callable[[Effect], None] = lambda _effect: None,
    **company: Any,
) -> Engine:
    """A table of one player, for whom a computer plays, with three others; a game of hearts has begun. pace: seconds
    for an action that somebody's eyes can follow."""
    attachments = Attachments()
    attachments.attach(pace)
    me = Me(ANNA, "Anna", "wayne", level)
    machine = Coordinator(me, entropy=bytes, now=trio.current_time(), levels=LEVELS, **{"cast": CAST, **company})
    engine = Engine(
        "t1",
        machine,
        attachments,
        Diagnostics(folder / "notes"),
        carry_out=carry_out,
        settled=lambda: None,
        decide=decide,
    )
    say(engine, "game", "hearts")
    say(engine, "start")
    return engine


def say(engine: Engine, *words: str) -> None:
    engine.step(lambda machine, now: machine.command(Command(words[0], words[1:]), now))


class Thinker:
    """Somebody who never comes to a decision."""

    def __init__(self) -> None:
        self.asked: list[Think] = []
        self.cancelled = trio.Event()

    async def decide(self, think: Think) -> Action:
        self.asked.append(think)
        try:
            await trio.sleep_forever()
        finally:
            self.cancelled.set()


async def a_table_in_thought(folder: Path, nursery: trio.Nursery) -> tuple[Engine, Thinker]:
    thinker = Thinker()
    engine = at_a_table(folder, thinker.decide)
    nursery.start_soon(engine.run)
    await wait_all_tasks_blocked()
    return engine, thinker


async def test_nobody_thinks_on_for_a_player_who_plays_again(
    tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    engine, thinker = await a_table_in_thought(tmp_path, nursery)
    assert [think.seat for think in thinker.asked] == [0] and not thinker.cancelled.is_set()
    say(engine, "auto", "off")
    await thinker.cancelled.wait()
    await wait_all_tasks_blocked()
    assert not engine.over
    nursery.cancel_scope.cancel()


async def test_nobody_thinks_on_at_a_table_that_is_closed(
    tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """However long its last words take: the table itself is ended by the test."""
    engine, thinker = await a_table_in_thought(tmp_path, nursery)
    engine.halt("It is closed.")
    with trio.fail_after(1):
        await thinker.cancelled.wait()
    await wait_all_tasks_blocked()
    assert len(thinker.asked) == 1, "what was still to be thought about is left"
    nursery.cancel_scope.cancel()


async def test_a_table_goes_on_to_serve_while_a_process_thinks(
    tmp_path: Path, workers: WorkerContext, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """The process is held until the test lets it go; a guest is greeted, answered and asked whether they are there."""
    held, sent = HeldWorkers(workers, tmp_path / "gate"), list[Message]()
    heartbeat, decided = trio.Event(), trio.Event()

    def carry_out(effect: Effect) -> None:
        if isinstance(effect, Send):
            sent.append(decode_message(effect.message))
            if isinstance(sent[-1], Ping):
                heartbeat.set()

    async def decide(think: Think) -> Action:
        action = await deciding_in(held)(think)
        decided.set()
        return action

    engine = at_a_table(tmp_path, decide, level="expert", carry_out=carry_out)
    nursery.start_soon(engine.run)
    with trio.fail_after(1):
        await held.asked.wait()
    engine.step(lambda machine, now: machine.joined(1, public_bytes(BEN), "here", now))
    engine.step(lambda machine, now: machine.receive(1, encode_message(Hello(VERSION, False, "Ben", "papa")), now))
    engine.step(lambda machine, now: machine.receive(1, encode_message(Ping(7)), now))
    assert sent[-1] == Pong(7)
    with trio.fail_after(PING_AFTER + 1):
        await heartbeat.wait()
    assert not decided.is_set() and not engine.over
    await held.let_go()
    await decided.wait()
    nursery.cancel_scope.cancel()


async def test_a_table_says_what_it_waits_for_and_tries_again(
    tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    asked: list[Think] = []
    enough = trio.Event()

    async def decide(think: Think) -> Action:
        asked.append(think)
        if len(asked) < 3:
            raise CannotThink
        enough.set()
        return await decide_here(think)

    engine = at_a_table(tmp_path, decide)
    began = trio.current_time()
    nursery.start_soon(engine.run)
    await enough.wait()
    assert asked[0] is asked[1] is asked[2], "no other level, no other chance"
    assert trio.current_time() == began + 2 * RETRY
    assert (tmp_path / "notes").read_text().count("cannot decide") == 2
    nursery.cancel_scope.cancel()


async def test_a_level_that_lacks_something_says_so_once_as_it_decides_first(
    tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many seats and decisions; not of a claim, which is no level."""
    enough, decided, told = trio.Event(), list[str](), list[Happening]()

    def lacking(game: str, level: str) -> str:
        return f"{game} has no tables for {level}." if level in ("novice", "standard") else ""

    async def decide(think: Think) -> Action:
        decided.append(think.level)
        if len(decided) == 9:
            enough.set()
        return await decide_here(replace(think, level="novice"))

    monkeypatch.setattr("p2pcards.daemon.engine.lacking_reason", lacking)
    monkeypatch.setattr(Attachments, "announce", lambda _attachments, happening: told.append(happening))
    engine = at_a_table(tmp_path, decide)
    nursery.start_soon(engine.run)
    await enough.wait()
    assert told[0] == Notice("hearts has no tables for novice.")
    assert told == [Notice(lacking("hearts", level)) for level in dict.fromkeys(decided) if lacking("hearts", level)]
    nursery.cancel_scope.cancel()


async def test_the_time_to_think_counts_in_the_pace(
    tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """With an action a second for the eyes, thoughts of 0.4 s delay nothing and thoughts of 1.5 s take their time."""
    times: list[float] = []
    enough = trio.Event()

    async def decide(think: Think) -> Action:
        times.append(trio.current_time())
        if len(times) == 5:
            enough.set()
        await trio.sleep(0.4 if len(times) < 3 else 1.5)
        return await decide_here(think)

    engine = at_a_table(tmp_path, decide, pace=1.0)
    nursery.start_soon(engine.run)
    await enough.wait()
    assert [round(later - one, 3) for one, later in pairwise(times)] == [1.0, 1.0, 1.5, 1.5]
    nursery.cancel_scope.cancel()


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a program that stands in for scripts/compile notes its starts; tests/test_scripts.py tries the real one."""
    program, notes = tmp_path / "compiler", tmp_path / "notes"
    program.write_text(f'#!/bin/sh\necho "$*" >>{notes}\n')
    program.chmod(0o755)
    monkeypatch.setenv(COMPILER, str(program))
    return notes


async def test_kernels_are_compiled_when_a_player_first_searches(workers: WorkerContext, compiler: Path) -> None:
    decide = deciding_in(workers)
    await decide(question("novice"))
    assert not compiler.exists()
    for seed in (1, 2):
        await decide(question("expert", seed))
    assert compiler.read_text() == "--quietly\n"


def test_games_to_be_simulated_have_the_kernels_compiled_where_a_player_searches(
    inside: Program, compiler: Path
) -> None:
    line = ("simulate", "thirty_one", "--games", "1", "--max-hands", "1", "--players")
    inside.out(*line, "novice,novice,novice,novice")
    assert not compiler.exists()
    inside.out(*line, "expert,novice,novice,novice")
    assert compiler.read_text() == "--quietly\n"


async def test_a_compiler_that_does_not_start_is_no_matter(
    workers: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(COMPILER, "/nowhere/compile")
    think = question("expert")
    assert await deciding_in(workers)(think) == await decide_here(think)


def test_status_says_that_the_kernels_are_being_compiled(
    inside: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = tmp_path / "compiling.lock"
    monkeypatch.setattr(compiling, "TURN", turn)
    assert inside.data("status")["compiling"] is False
    with turn.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert inside.data("status")["compiling"] is True
        assert "in the background. Until that's done" in inside.out("status")
    assert "compiled" not in inside.out("status")


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({COMPILER: "compile", "PATH": "nowhere"}, "here: the fast kernels need a C compiler."),
        ({COMPILER: "compile", "PATH": "tools"}, "until the fast kernels are built (about 2 min)."),
        ({}, "here, because this copy came without the fast kernels."),
    ],
)
def test_why_players_are_weaker_here_is_said_with_a_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], said: str
) -> None:
    monkeypatch.setattr(compiling, "takes_compiled", lambda: False)
    monkeypatch.setattr(compiling, "FAILED", tmp_path / "failed.stamp")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "cc").touch(mode=0o755)
    assert lacks_kernels(environment).startswith(said)
    if environment.get("PATH") == "tools":
        (tmp_path / "failed.stamp").touch()
        assert "couldn't be built" in lacks_kernels(environment)
    monkeypatch.setattr(compiling, "takes_compiled", lambda: True)
    assert lacks_kernels(environment) == ""
    assert lacks_kernels(environment, in_page=True).startswith("in a browser")


@pytest.mark.parametrize(
    ("game", "level", "how", "said"),
    [
        ("whist", "master", {}, "Masters play a little weaker until noon."),
        ("thirty_one", "standard", {}, "Standard players play a little weaker until noon."),
        ("whist", "expert", {"hint": True}, "Hints are a little weaker until noon."),
        ("whist", "master", {"repeatable": True}, "Masters think much longer until noon."),
        ("whist", "standard", {}, ""),
        ("whist", "novice", {}, ""),
    ],
)
def test_players_hear_of_levels_that_have_too_little_time(
    game: str, level: str, how: dict[str, bool], said: str
) -> None:
    assert slowness_sentence(game, level, "until noon.", **how) == said
    assert slowness_sentence(game, level, "", **how) == ""


@pytest.mark.parametrize("edition", [UNTRIED, 1])
async def test_how_slow_search_is_here_is_said_once_at_a_table(
    tmp_path: Path,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    edition: int,
) -> None:
    """A game whose editions nobody can repeat keeps the promise; another says that it takes longer."""
    enough, asked, told = trio.Event(), list[Think](), list[Happening]()

    async def decide(think: Think) -> Action:
        asked.append(think)
        if len(asked) == 9:
            enough.set()
        return await decide_here(replace(think, level="novice"))

    monkeypatch.setattr("p2pcards.daemon.engine.lacks_kernels", lambda _environment: "until noon.")
    monkeypatch.setattr(Attachments, "announce", lambda _attachments, happening: told.append(happening))
    cast = tuple([replace(one, level="master") for one in CAST])
    engine = at_a_table(tmp_path, decide, cast=cast, edition_of=lambda _game, _level: edition)
    nursery.start_soon(engine.run)
    await enough.wait()
    others = [think for think in asked if think.seat]
    assert {think.level for think in others} == {"master"} and len(others) > 3
    assert {think.repeatable for think in others} == {edition != UNTRIED}
    how = "play a little weaker" if edition == UNTRIED else "think much longer"
    assert told == [Notice(f"Masters {how} until noon.")]
    nursery.cancel_scope.cancel()


async def test_processes_that_think_begin_anew_once_the_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    contexts = list[WorkerContext]()

    @asynccontextmanager
    async def kept(**how: Any) -> AsyncIterator[WorkerContext]:
        async with open_worker_context(**how) as context:
            contexts.append(context)
            yield context

    monkeypatch.setattr("trio_parallel.open_worker_context", kept)
    resource_tracker.ensure_running()
    async with thinking_in_processes():
        first, same = [await contexts[0].run_sync(os.getpid) for _ in range(2)]
        await contexts[0].run_sync(find_kernels)
        other = await contexts[0].run_sync(os.getpid)
    assert first == same != other


@pytest.mark.parametrize("compiled", [False, True])
def test_a_table_with_slow_kernels_claims_no_edition_of_a_level_that_searches(
    monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    monkeypatch.setattr("p2pcards.daemon.machines.COMPILED", compiled)
    for level in LEVELS:
        claimed = edition_here("whist", level)
        searching = level in ("expert", "champion", "master")
        assert claimed == (UNTRIED if searching and not compiled else edition_of("whist", level))


def test_a_decision_that_somebody_may_repeat_has_no_clock() -> None:
    think = question("master")
    assert clock_of(think) is None
    assert clock_of(replace(think, repeatable=False)) is not None
