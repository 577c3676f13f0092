"""Homes in temporary folders, whose daemons are ended with the test, and a game that was played to its end."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rigs import forking
from rigs.homes import faults_in
from rigs.program import MakeProgram, Program


@pytest.fixture(scope="session", autouse=True)
def forks_are_counted() -> Iterator[None]:
    """What was forked in all tests counts with the last of them."""
    yield
    forking.loaded.close()


@contextmanager
def homes(faulty: bool = False) -> Iterator[MakeProgram]:
    """Makes a home of this name; at the end the daemons are killed and all is removed. faulty: they may have noted
    mistakes of the program."""
    folder = Path(tempfile.mkdtemp(prefix="p2p"))  # pytest's own can be too long for a socket
    made: list[Program] = []

    def make(name: str) -> Program:
        made.append(Program(folder / name))
        return made[-1]

    try:
        yield make
    finally:
        for program in made:
            program.kill_daemon()
        faults = faults_in(folder)
        shutil.rmtree(folder)
    assert not faults or faulty, faults


@pytest.fixture
def make_program(request: pytest.FixtureRequest) -> Iterator[MakeProgram]:
    with homes(request.node.get_closest_marker("faulty") is not None) as make:
        yield make


@pytest.fixture
def program(make_program: MakeProgram) -> Program:
    return make_program("ann")


@pytest.fixture
def inside(program: Program) -> Program:
    return program.inside()


@pytest.fixture(scope="session")
def played() -> Iterator[tuple[Program, Program]]:
    """Ann and Bob, who have played crazy eights to its end; their daemons have stopped. Not to be changed."""
    with homes() as make:
        ann, bob = make("ann").inside(), make("bob").inside()
        port = bob.data("listen", "--port", "0", "--name", "Bob", "--auto", "novice")["port"]
        rules = ("--game", "crazy_eights", "--preset", "telecards", "--set", "winning_score=50")
        ann.data("connect", f"127.0.0.1:{port}", *rules, "--name", "Ann", "--auto", "novice", "--grace", "30")
        ann.out("attach", said="start\n")
        for one in (ann, bob):
            one.wait_for("finished")
            one.out("stop")
        yield ann, bob
