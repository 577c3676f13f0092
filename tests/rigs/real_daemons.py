"""Homes in temporary folders, whose daemons are real processes and are ended with the test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from p2pcards.store.home import Home, find_home
from rigs.homes import MakeHome, daemon_runs, kill_daemon


@pytest.fixture
def make_home() -> Iterator[MakeHome]:
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
    shutil.rmtree(folder)
