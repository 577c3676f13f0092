"""Homes in temporary folders, whose daemons are real processes and are ended with the test."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from p2pcards.control import starting
from p2pcards.store.files import Home, find_home
from rigs import forking
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, daemon_runs, faults_in, kill_daemon

OWN_START = "own_start"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{OWN_START}: its daemons load their program, as those of players do")


@pytest.fixture
def loaded_daemons(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What starts a daemon in the process of the test has it forked by a process that has loaded the program, and waits
    for it as long as the machine takes."""
    monkeypatch.setattr(starting, "START_DEADLINE", longest_wait())
    if sys.platform != "linux" or request.node.get_closest_marker(OWN_START):
        yield
        return
    with closing(forking.Daemons(forking.loaded.link)) as daemons:
        monkeypatch.setattr(os, "posix_spawn", daemons.posix_spawn)
        monkeypatch.setattr(os, "waitpid", daemons.waitpid)
        yield


@pytest.fixture
def make_home(request: pytest.FixtureRequest, loaded_daemons: None) -> Iterator[MakeHome]:
    """Makes a home of this name; at the end its daemon, if one runs, is killed."""
    folder = Path(tempfile.mkdtemp(prefix="p2p"))  # pytest's own can be too long for a socket
    made: list[Home] = []

    def make(name: str) -> Home:
        home = find_home({"P2PCARDS_HOME": str(folder / name)})
        made.append(home)
        return home

    yield make
    for home in made:
        if daemon_runs(home):
            kill_daemon(home)
        if home.socket.parent.parent != home.state.parent and home.socket.exists():
            with suppress(OSError):
                home.socket.unlink()
    faults = faults_in(folder)
    shutil.rmtree(folder)
    assert not faults or request.node.get_closest_marker("faulty"), faults
