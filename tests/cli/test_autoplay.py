"""The session apart in which the computer plays every hand."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards.games.registry import GAMES
from rigs.program import Program


@pytest.mark.parametrize("key", ["whist", "pinochle2", "gin_rummy"])
def test_the_board_tells_who_won(inside: Program, key: str) -> None:
    command = ("autoplay", key, "--games", "2", "--seed", "3", "--json", "--level", "novice")
    board = json.loads(inside(*command).stdout)
    assert [board["game"], board["level"], board["finished"]] == [key, "novice", 2]
    assert len(board["seats"]) == GAMES[key].seats(next(iter(GAMES[key].presets.values())))
    assert sum(one["won"] for one in board["seats"]) >= 2 and all(len(one["scores"]) == 2 for one in board["seats"])
    assert json.loads(inside(*command).stdout) == board


def test_the_games_are_told_and_nothing_is_kept(inside: Program) -> None:
    home = inside.home
    before = sorted(home.rglob("*"))
    told = inside("autoplay", "whist", "--seed", "3").stdout
    lines = told.splitlines()
    assert lines[0] == "The computer plays every hand of Whist, level novice."
    assert any(line.startswith("Your hand (13): ") for line in lines) and "1 game finished." in lines
    assert lines[lines.index("1 game finished.") + 1].split() == ["player", "won", "scores"]
    assert sorted(home.rglob("*")) == before


def test_what_is_not_there_is_said(inside: Program) -> None:
    assert (
        "There is no level 'novise'. Did you mean 'novice'?" in inside("autoplay", "whist", "--level", "novise").stderr
    )
    assert "Did you mean 'whist'?" in inside("autoplay", "wist").stderr
    assert inside("autoplay", "whist", "--level", "Carefree", "--seed", "3").stdout.startswith(
        "The computer plays every hand of Whist, level carefree."
    )


@pytest.mark.parametrize("how", ["q", "interrupt"])
def test_it_is_stopped_at_a_terminal(tmp_path: Path, how: str) -> None:
    """With the board at the end, and the terminal as it was."""
    (tmp_path / "settings.toml").write_text('speed = "slow"\n')
    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "p2pcards", "autoplay", "whist"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "P2PCARDS_HOME": str(tmp_path), "TERM": "xterm"},
    )
    os.close(theirs)
    said = b""
    while b"plays" not in said.partition(b"stops it.")[2]:
        said += os.read(ours, 4096)
    if how == "q":
        os.write(ours, b"q")
    else:
        program.send_signal(signal.SIGINT)
    try:
        while data := os.read(ours, 4096):
            said += data
    except OSError:
        pass  # the other end is closed
    assert program.wait(20) == 0
    assert said.replace(b"\r", b"").endswith(b"No game was finished.\n")
    os.close(ours)
