"""The session apart in which the computer plays every hand."""

from __future__ import annotations

import json
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from p2pcards.games.registry import GAMES
from rigs.giving_up import longest_wait
from rigs.program import PROGRAM, AtTerminal, Program

ONE_GAME = ("autoplay", "whist", "--games", "1", "--seed", "3", "--set", "winning_score=2")


@pytest.mark.parametrize("key", ["whist", "pinochle2", "gin_rummy"])
def test_the_board_tells_who_won(inside: Program, key: str) -> None:
    """And one seed gives one board, which whist stands for."""
    command = ("autoplay", key, "--games", "2", "--seed", "3", "--json", "--level", "novice")
    board = json.loads(inside(*command).stdout)
    assert [board["game"], board["level"], board["finished"]] == [key, "novice", 2]
    assert len(board["seats"]) == GAMES[key].seats(next(iter(GAMES[key].presets.values())))
    assert sum(one["won"] for one in board["seats"]) >= 2 and all(len(one["scores"]) == 2 for one in board["seats"])
    assert key != "whist" or json.loads(inside(*command).stdout) == board


def test_the_games_are_told_and_nothing_is_kept(inside: Program) -> None:
    home = inside.home
    before = sorted(home.rglob("*"))
    told = inside("autoplay", "whist", "--seed", "3").stdout
    lines = told.splitlines()
    assert lines[0] == "The computer is playing Whist, level novice."
    assert any(line.startswith("Your hand (13): ") for line in lines) and "1 game finished." in lines
    assert lines[lines.index("1 game finished.") + 1].split() == ["player", "won", "scores"]
    assert sorted(home.rglob("*")) == before


def test_the_other_hands_are_played_at_a_level_of_their_own(inside: Program) -> None:
    command = ("autoplay", "whist", "--seed", "3", "--level", "novice", "--others", "carefree")
    assert inside(*command).stdout.startswith("The computer is playing Whist, level novice against carefree.")
    board = json.loads(inside(*command, "--json").stdout)
    assert (board["level"], board["others"]) == ("novice", "carefree")


def test_what_is_not_there_is_said(inside: Program) -> None:
    assert (
        "There's no level 'novise'. Did you mean 'novice'?" in inside("autoplay", "whist", "--level", "novise").stderr
    )
    assert "Did you mean 'whist'?" in inside("autoplay", "wist").stderr
    assert inside("autoplay", "whist", "--level", "Carefree", "--seed", "3").stdout.startswith(
        "The computer is playing Whist, level carefree."
    )


@pytest.mark.parametrize("how", ["q", "interrupt"])
def test_lines_are_stopped_at_a_terminal(program: Program, how: str) -> None:
    """With the board at the end, and the terminal as it was."""
    program.inside().out("config", "set", "speed", "slow")
    with AtTerminal(program, "autoplay", "whist", "--line", screen=True, settings=False) as terminal:
        terminal.until("(?s)to stop.*plays")
        if how == "q":
            terminal.type("q")
        else:
            terminal.signal(signal.SIGINT)
        assert terminal.end() == 0
        assert terminal.text.replace("\r", "").endswith("No games finished.\n")


@pytest.mark.parametrize(
    ("option", "setting", "painted"),
    [("--line", "", True), ("--plain", "", False), ("", "TERM=dumb", False), ("", "P2PCARDS_LINE=1", True)],
)
def test_lines_are_kept_for_who_wants_them(program: Program, option: str, setting: str, painted: bool) -> None:
    command = ["/usr/bin/env", setting, *PROGRAM] if setting else ()
    words = (*ONE_GAME, *option.split())
    with AtTerminal(program, *words, command=command, screen=True) as terminal:
        assert terminal.end() == 0
        assert "level novice. Press q to stop." in terminal.text and "1 game finished." in terminal.text
        assert "\x1b[?1049h" not in terminal.text
        assert ("\x1b" in terminal.text) == painted


def test_a_game_on_the_screen_ends_with_the_board(program: Program) -> None:
    program = program.by_python()
    with AtTerminal(program, *ONE_GAME, screen=True) as terminal:
        terminal.until(r"The computer plays every hand \(Q stops it\)\.")
        assert terminal.end() == 0
        after = terminal.text.rpartition("\x1b[?1049l")[2]
    assert f"{program.out(*ONE_GAME).partition('1 game finished.')[2]}" in after.replace("\r", "")
    assert program.processes() == []


@pytest.mark.parametrize("key", ["q", "\x11", "\x03"])
def test_the_screen_is_stopped_by_a_key_and_nothing_goes_on(program: Program, key: str) -> None:
    program = program.by_python()
    program.inside().out("config", "set", "speed", "slow")
    words = ("autoplay", "whist", "--level", "expert")
    with AtTerminal(program, *words, screen=True, settings=False) as terminal:
        terminal.until("Q stops it.")
        until_processes(program, 2)
        assert terminal.end(key) == 0
        assert "No games finished." in terminal.text
    assert program.processes() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_leaves_no_process_that_decides(program: Program, number: signal.Signals) -> None:
    program = program.by_python()
    words = ("autoplay", "whist", "--level", "expert")
    with AtTerminal(program, *words, screen=True) as terminal:
        terminal.until("Q stops it.")
        until_processes(program, 2)
        if number == signal.SIGKILL:
            terminal.kill()
        else:
            terminal.signal(number)
            assert terminal.end() == 128 + number
            assert "No games finished." in terminal.text
    until_processes(program, 0)


def until_processes(program: Program, count: int) -> None:
    """Wait until so many run: the program, and the one in which computer players decide."""
    end = time.monotonic() + longest_wait()
    while len(found := [pid for pid in program.processes() if not _tidies_up(pid)]) != count:
        assert time.monotonic() < end, found
        time.sleep(0.05)


def _tidies_up(pid: int) -> bool:
    """Whether it is Python's own, which waits for the end of those that have made others."""
    with suppress(OSError):
        return b"multiprocessing.resource_tracker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False
