"""`p2pcards conform` against the example programs, which must pass, and against ones with one change each, which must
be caught by the case that is named for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from p2pcards.control.exits import FINE, UNEXPECTED
from rigs.broken_programs import COORDINATORS, LISTENERS, Change, broken
from rigs.giving_up import longest_wait
from rigs.node_programs import COORDINATOR, LISTENER, MakeExample, program
from rigs.ports import lasting_port
from rigs.program import MakeProgram
from rigs.websockets import as_websocket

pytestmark = pytest.mark.node
Judge = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def judge_listener(make_program: MakeProgram) -> Judge:
    """The exit code, and what is found, of the example listener in this folder."""

    def judge(folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
        port = lasting_port()
        run = f"{program('node')} {folder}/{LISTENER}/listener.mjs --port {port} --home {{home}}"
        patience = ("--patience", str(longest_wait()))
        done = make_program("judge")(
            "conform", "listen", f"127.0.0.1:{port}", "--run", run, *patience, "--json", *words
        )
        return done.returncode, json.loads(done.stdout)

    return judge


@pytest.fixture
def judge_coordinator(make_program: MakeProgram) -> Judge:
    """The same of the example coordinator."""

    def judge(folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
        port = lasting_port()
        run = f"{program('node')} {folder}/{COORDINATOR}/coordinator.mjs --home {{home}} 127.0.0.1:{port}"
        words = ("--run", run, "--patience", str(longest_wait()), "--json", *words)
        done = make_program("judge")("conform", "connect", "--port", str(port), *words)
        return done.returncode, json.loads(done.stdout)

    return judge


def failed(found: dict[str, Any]) -> list[str]:
    return [f"{one['number']} {one['title']}: {one['why']}" for one in found["cases"] if one["result"] == "failed"]


def test_the_example_listener_passes(examples: Path, judge_listener: Judge) -> None:
    code, found = judge_listener(examples)
    assert failed(found) == [] and code == FINE
    skipped = {one["why"] for one in found["cases"] if one["result"] == "skipped"}
    assert skipped == {"needs ws://"} and found["ok"] >= 79


async def test_it_passes_over_a_websocket_and_without_being_started_anew(
    make_nora: MakeExample, make_program: MakeProgram
) -> None:
    """One process for all cases; what it waits with over a WebSocket is ours."""
    nora = make_nora()
    async with as_websocket(int(await nora.says(""))) as port:
        words = ("conform", "listen", f"ws://127.0.0.1:{port}", "--patience", str(longest_wait()), "--json")
        done = await trio.to_thread.run_sync(lambda: make_program("judge")(*words))
    found = json.loads(done.stdout)
    assert failed(found) == [] and done.returncode == FINE
    assert {one["why"] for one in found["cases"] if one["result"] == "skipped"} == {"needs --run"}
    assert {one["page"] for one in found["cases"]} >= {"websocket.md"}


def test_the_example_coordinator_passes(examples: Path, judge_coordinator: Judge) -> None:
    code, found = judge_coordinator(examples)
    assert failed(found) == [] and code == FINE
    assert found["skipped"] == 0 and found["ok"] >= 33


@pytest.mark.parametrize("change", LISTENERS, ids=lambda change: change.name)
def test_a_listener_that_is_broken_is_caught(
    examples: Path, tmp_path: Path, judge_listener: Judge, change: Change
) -> None:
    caught(judge_listener, broken(examples, tmp_path / "broken", change, LISTENER), change)


@pytest.mark.parametrize("change", COORDINATORS, ids=lambda change: change.name)
def test_a_coordinator_that_is_broken_is_caught(
    examples: Path, tmp_path: Path, judge_coordinator: Judge, change: Change
) -> None:
    caught(judge_coordinator, broken(examples, tmp_path / "broken", change, COORDINATOR), change)


def caught(judge: Judge, folder: Path, change: Change) -> None:
    """By its case, and for its fault: a program that fails otherwise is caught by accident."""
    code, found = judge(folder, "--case", str(change.case))
    (one,) = found["cases"]
    assert (code, one["number"], one["result"]) == (UNEXPECTED, change.case, "failed")
    assert change.says in one["why"]
    assert one["musts"] and one["bytes"]
