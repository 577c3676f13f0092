"""Daemons that were started from other sources than the program that speaks to them, as after `git pull`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
import trio

from p2pcards.control import build, client
from p2pcards.control.build import ROOT, is_own_build, own_build
from p2pcards.control.exits import DAEMON
from p2pcards.store.files import Home, find_home, make_folders
from rigs.homes import daemon_pid, daemon_runs, wait_until_ended
from rigs.paged import paged
from rigs.program import AtTerminal, Program

pytestmark = pytest.mark.own_start

OTHER = "The daemon is from another version of p2pcards, probably an older one."

WAY_OUT = f"{OTHER} Run 'p2pcards stop', then try again. Your games pick up where they left off."

Change = tuple[str, str, str]
"""File, what is there, what is in its place."""

A_LINE = ("daemon/serve.py", "IDLE = 600.0", "IDLE = 601.0")
A_FIELD = (
    "control/messages.py",
    "    turn_clock: int | None = None  #",
    "    hurry: int = 0\n    turn_clock: float | None = None  #",
)
STOPS_NEVER = ("daemon/serve.py", "return Done(await tables.close_all())", "await trio.sleep_forever()")
NO_BUILD = ("daemon/serve.py", "Welcome(own_build(), os.getpid())", "Welcome(__version__, os.getpid())")
"""As it was before daemons told their build."""

StartDaemon = Callable[[Home, Change | None], int]


@pytest.fixture
def start_daemon(tmp_path: Path) -> Iterator[StartDaemon]:
    """Start a daemon from a copy of the sources with one change; its process."""
    begun: list[subprocess.Popen[str]] = []

    def start(home: Home, change: Change | None) -> int:
        copy = tmp_path / "earlier"
        left_out = shutil.ignore_patterns("__pycache__", "built", "*.so")
        shutil.copytree(ROOT, copy / "p2pcards", ignore=left_out, copy_function=shutil.copyfile)
        if change is not None:
            name, there, in_place = change
            path = copy / "p2pcards" / name
            text = path.read_text()
            assert there in text
            path.write_text(text.replace(there, in_place))
        make_folders(home)
        folders = [os.fspath(path) for path in (home.state, home.config, home.socket)]
        environment = os.environ | {"PYTHONPATH": os.fspath(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-P", "-m", "p2pcards.daemon", *folders]
        begun.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
        assert begun[0].stdout is not None
        assert begun[0].stdout.readline() == f"ready {begun[0].pid}\n"
        return begun[0].pid

    yield start
    for daemon in begun:
        daemon.kill()
        daemon.communicate()


@pytest.mark.parametrize("change", [A_LINE, A_FIELD, NO_BUILD])
def test_a_daemon_of_another_build_is_named_and_can_be_stopped(
    program: Program, start_daemon: StartDaemon, change: Change
) -> None:
    home = find_home({"P2PCARDS_HOME": str(program.home)})
    start_daemon(home, change)
    refused = program("play", "hearts", "--detached")
    assert refused.returncode == DAEMON
    assert refused.stderr == f"{WAY_OUT}\n"
    assert program("stop").stdout == "The daemon has stopped.\n"
    assert program("play", "hearts", "--detached").returncode == 0


def test_at_a_terminal_it_is_replaced_if_the_person_wants_it(program: Program, start_daemon: StartDaemon) -> None:
    home = find_home({"P2PCARDS_HOME": str(program.home)})
    earlier = start_daemon(home, A_LINE)
    with AtTerminal(program, "status") as terminal:
        terminal.until("Restart it\\? Your games pick up where they left off\\. \\(y/n\\) ")
        assert terminal.end("n\n") == DAEMON
    assert daemon_pid(home) == earlier
    with AtTerminal(program, "status") as terminal:
        terminal.until("Restart it")
        assert terminal.end("y\n") == 0
    assert daemon_runs(home)
    assert daemon_pid(home) != earlier
    program("stop")
    wait_until_ended(home)


def test_a_copy_of_the_same_sources_is_the_same_build(program: Program, start_daemon: StartDaemon) -> None:
    """Its files were written at other times."""
    home = find_home({"P2PCARDS_HOME": str(program.home)})
    earlier = start_daemon(home, None)
    assert program("play", "hearts", "--detached").returncode == 0
    assert daemon_pid(home) == earlier


def test_a_page_shows_that_its_daemon_is_of_another_build(program: Program, start_daemon: StartDaemon) -> None:
    home = find_home({"P2PCARDS_HOME": str(program.home)})
    start_daemon(home, A_FIELD)

    async def shown() -> str:
        async with paged(home) as page:
            page.say("start")
            return str((await page.until("gone"))["text"])

    assert trio.run(shown) == WAY_OUT


def test_a_program_that_was_updated_while_it_ran_is_the_one_to_be_ended(
    program: Program, start_daemon: StartDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_daemon(find_home({"P2PCARDS_HOME": str(program.home)}), None)
    monkeypatch.setattr(build, "STAMP", "0" * 16)
    code, said = program.inside().refused("status")
    assert code == DAEMON
    assert said == (
        "p2pcards was updated since this window opened. Close it and start again. "
        "Your games pick up where they left off.\n"
    )


def test_a_daemon_that_does_not_stop_is_named_with_what_ends_it(
    program: Program, start_daemon: StartDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = start_daemon(find_home({"P2PCARDS_HOME": str(program.home)}), STOPS_NEVER)
    monkeypatch.setattr(client, "STOPPING", 0)
    code, said = program.inside().refused("stop")
    assert code == DAEMON
    assert said == (
        f"The daemon is running but doesn't answer. If it's stuck, run 'kill -9 {pid}' and try again: "
        "your games are safe.\n"
    )


def test_an_archive_is_a_build_too(tmp_path: Path) -> None:
    """Its members have no files whose times could be told."""
    with ZipFile(tmp_path / "p2pcards.zip", "w") as archive:
        for name in ("__init__.py", "control/__init__.py", "control/build.py"):
            archive.write(ROOT / name, f"p2pcards/{name}")
    asked = "from p2pcards.control.build import own_build, is_own_build; print(is_own_build(own_build()), own_build())"
    environment = os.environ | {"PYTHONPATH": os.fspath(tmp_path / "p2pcards.zip")}
    told = [
        subprocess.run([sys.executable, "-P", "-c", asked], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert told[0].stdout == told[1].stdout
    assert told[0].stdout.startswith("True ") and own_build() not in told[0].stdout


def test_a_build_is_told_from_others_and_from_what_tells_none() -> None:
    version, _, hashes = own_build().partition("+")
    stamp, contents = hashes.split(".")
    assert is_own_build(own_build())
    assert is_own_build(f"{version}+{'0' * 16}.{contents}"), "touched"
    assert is_own_build(f"{version}+{stamp}.{'0' * 16}")
    for other in ("", version, f"{version}+", f"{version}+.", f"{version}+{'0' * 16}.", f"0.0.9+{hashes}"):
        assert not is_own_build(other), other
