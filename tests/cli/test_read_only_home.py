"""A home that cannot be written: a command that reads is answered, one that wants to write is told why not, and nothing
changes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from p2pcards.control.exits import FINE, STORAGE, UNFINISHED
from p2pcards.store.files import ROOT
from rigs.giving_up import longest_wait
from rigs.own_disk import own_disk
from rigs.program import PROGRAM, AtTerminal, Program
from rigs.real_programs import homes

READ_ONLY = "the disk is read-only"
KEPT_NO_MORE = "Stopped: Nothing is lost so far, but the last move can't be saved"
SHORT_GAME = ("play", "crazy_eights", "--set", "winning_score=50", "--name", "Ann")
OVERRIDES = "-dac_override,-dac_read_search"
"""What lets root write everywhere."""


@dataclass(frozen=True)
class Unwritable:
    """A home with a game that came to its end and one that did not. seen: where it is for the test; why: nothing can be
    written in it."""

    program: Program
    seen: Path
    why: str


DISK, FOLDER = "a read-only disk", "another's folder"


@pytest.fixture(scope="module")
def two_games() -> Iterator[Path]:
    """A home with them, to be copied."""
    with homes() as make:
        ann = make("ann")
        ann.out(*SHORT_GAME, "--seed", "3", "--auto", "novice")
        ann.wait_for("finished")
        ann.out("stop")
        ann.out(*SHORT_GAME, "--seed", "5")
        ann.out("stop")
        yield ann.home


@pytest.fixture(scope="module")
def home(request: pytest.FixtureRequest, two_games: Path) -> Iterator[Unwritable]:
    with on_a_read_only_disk(two_games) if request.param == DISK else in_anothers_folder(two_games) as home:
        yield home


@contextmanager
def on_a_read_only_disk(two_games: Path) -> Iterator[Unwritable]:
    with own_disk() as disk:
        shutil.copytree(two_games, disk.seen, dirs_exist_ok=True)
        disk.mount_again("ro")
        yield Unwritable(disk.program(), disk.seen, READ_ONLY)


@contextmanager
def in_anothers_folder(two_games: Path) -> Iterator[Unwritable]:
    as_others = ["setpriv", f"--bounding-set={OVERRIDES}"] if os.geteuid() == ROOT else []
    if as_others and not shutil.which("setpriv"):
        pytest.skip("no setpriv here, and root may write everywhere")
    with homes() as make:
        ann = make("ann")
        shutil.copytree(two_games, ann.home)
        folders = [ann.home, *[path for path in ann.home.rglob("*") if path.is_dir()]]
        for folder in folders:
            folder.chmod(0o500)
        yield Unwritable(Program(ann.home, command=[*as_others, *PROGRAM]), ann.home, "permission denied")
        for folder in folders:
            folder.chmod(0o700)


def contents(folder: Path) -> dict[str, tuple[int, int, str]]:
    """What stands there, with modes and times."""
    found = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_mtime_ns, digest)
    return found


def commands(usual: dict[str, tuple[str, ...]], others: tuple[str, ...]) -> list[Any]:
    """Homes with commands in them. usual: what the plain run tries of each home; the slow run tries every command in
    every home."""
    lines = [*[line for some in usual.values() for line in some], *others]
    return [
        pytest.param(home, line.split(), id=f"{home}-{line}", marks=[] if line in usual[home] else pytest.mark.slow)
        for home in usual
        for line in lines
    ]


READS = commands(
    {DISK: ("records",), FOLDER: ("league",)},
    (
        "logs",
        "history",
        "saves",
        "hall",
        "board",
        "profiles",
        "config list",
        "identity",
        "peers list",
        "status",
        "logs prune --keep 0 --dry-run",
    ),
)
WRITES = commands(
    {DISK: ("play hearts", "records rebuild"), FOLDER: ("listen --port 0", "config set bell false")},
    (
        "resume",
        "profiles add Kid",
        "records crazy_eights --reset --yes",
        "logs prune --keep 0 --yes",
        "directory add Bob 5551234",
    ),
)


@pytest.mark.parametrize(("home", "command"), READS, indirect=["home"])
def test_what_only_reads_answers(home: Unwritable, command: list[str]) -> None:
    before = contents(home.seen)
    done = home.program(*command)
    assert done.returncode == FINE and done.stdout
    assert not done.stderr or (done.stderr.count("\n") == 1 and home.why in done.stderr)
    assert contents(home.seen) == before


@pytest.mark.parametrize(("home", "command"), WRITES, indirect=["home"])
def test_what_writes_is_refused_in_one_line(home: Unwritable, command: list[str]) -> None:
    before = contents(home.seen)
    done = home.program(*command)
    assert (done.returncode, done.stdout) == (STORAGE, "")
    assert done.stderr.count("\n") == 1 and home.why in done.stderr and "P2PCARDS_HOME" in done.stderr
    assert contents(home.seen) == before


@pytest.mark.parametrize("home", [DISK, FOLDER], indirect=True)
def test_verify_and_the_lists_have_every_game(home: Unwritable) -> None:
    ann, before = home.program, contents(home.seen)
    logs = {log["state"]: log["log"] for log in ann.data("logs")}
    assert set(logs) == {"finished", "unfinished"}
    assert ann("verify", logs["finished"]).returncode == FINE
    assert [game["save"] for game in ann.data("saves")] == [logs["unfinished"]]
    assert [game["log"] for game in json.loads(ann("history", "--json").stdout)] == [logs["finished"]]
    assert contents(home.seen) == before


def test_a_disk_that_becomes_read_only_in_a_game_loses_nothing() -> None:
    """As the system makes it at a fault of the disk, with the log open: a write fails, or the sync after it, whose
    record can be read until the disk is mounted again."""
    with own_disk() as disk:
        ann = disk.program()
        ann.out(*SHORT_GAME, "--seed", "3", "--auto", "novice")
        ann.out("config", "set", "speed", "off")
        with AtTerminal(ann, *SHORT_GAME, "--seed", "5", settings=False) as terminal:
            terminal.until("your turn: .*>")
            before, seen = ann.data("logs"), ann.out("attach")
            disk.make_read_only()
            terminal.type("draw\n")
            terminal.until(r"(?s)Nothing\s+is\s+lost\s+so\s+far.*\sdisk\s.*again")
            assert hand(ann.out("attach")) == hand(seen) != [], "nothing is shown that is not kept"
            assert KEPT_NO_MORE in ann.out("status")
            assert [game["log"] for game in json.loads(ann("history", "--json").stdout)] == [before[1]["log"]]
        disk.kill_daemon()
        disk.mount_again()
        assert [log["records"] for log in ann.data("logs")] == [log["records"] for log in before]
        assert ann("verify", before[0]["log"]).returncode == UNFINISHED
        assert hand(ann.out("resume")) == hand(seen)
        ann.out("stop")
        ann.out("resume", "--auto", "novice")
        assert [log["state"] for log in ann.data("logs")] == ["finished", "finished"]
        assert len(ann.data("history")) == 2


@pytest.mark.slow
def test_a_game_of_two_goes_on_after_the_disk_of_one_became_read_only() -> None:
    with own_disk() as disk, homes() as make:
        bob, ann = disk.program(), make("ann")
        wait = ("listen", "--name", "Bob", "--auto", "novice", "--port")
        port = str(bob.data(*wait, "0")["port"])
        rules = ("--game", "crazy_eights", "--set", "winning_score=50")
        ann.data("connect", f"127.0.0.1:{port}", *rules, "--name", "Ann", "--grace", "600")
        with AtTerminal(ann, "attach") as terminal:
            terminal.until("start")
            terminal.type("start\n")
            terminal.until("your turn: .*>")
            kept = bob.data("logs")[0]["records"]
            disk.make_read_only()
            terminal.type("auto novice\n")
            give_up = time.monotonic() + longest_wait()
            while KEPT_NO_MORE not in bob.out("status"):
                assert time.monotonic() < give_up
            disk.kill_daemon()
            disk.mount_again()
            assert bob.data("logs")[0]["records"] >= kept
            bob.out(*wait, port)
            ended = [one.wait_for("finished") for one in (ann, Program(disk.seen))]
        assert ended[0]["records"] == ended[1]["records"] > kept
        assert [len(one.data("history")) for one in (ann, bob)] == [1, 1]


def hand(shown: str) -> list[str]:
    """What stands there of the player's hand."""
    return re.findall(r"Your hand .*", shown)
