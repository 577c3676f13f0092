"""`p2pcards scoreboard`, the word of the table, and what is asked at the exit of a real table."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcards.cli.results import Change
from p2pcards.cli.terminal import escape_unprintable
from p2pcards.control.exits import STORAGE, USAGE
from p2pcards.frontend.record_pages import CHANGES
from p2pcards.results.scoreboard import GAME
from p2pcards.store.files import find_home
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.quick_logs import quick_game, write_log

LONG_AGO = 1_700_000_000
BOARD = """\
1010,870,2026-10-01,expert
800,1000,2026-10-02,master
7,7,2026-10-03,novice
-1,-1
300,250,2026-10-04,expert
"""
NONE_HERE = "There's no scoreboard of two-handed pinochle yet. To start one: scoreboard new\n"
PLAY = ("play", GAME, "--name", "Ann", "--as", "sam", "--seed", "1")
ASKED = r"Save the scoreboard \(1 game\)\?"


def board_of(program: Program) -> Path:
    return find_home(program.environment).scoreboard


def with_new_game(program: Program) -> str:
    """A board, and a game that has ended since it was written; the board with that game."""
    home = find_home(program.environment)
    program.inside().out("scoreboard", "new")
    home.scoreboard.write_text(BOARD)
    os.utime(home.scoreboard, (LONG_AGO,) * 2)
    log = write_log(home, quick_game(GAME, 0), "2026-11-20", GAME, 0)
    os.utime(log, (LONG_AGO + 86400,) * 2)
    assert program.inside().data("scoreboard")["saved"] is False
    return f"{BOARD.partition('-1,-1')[0]}115,97,2023-11-15,novice\n-1,-1\n"


# --- in the shell -----------------------------------------------------------------------------------------------------


def test_it_is_shown_from_the_file_alone(tmp_path: Path) -> None:
    program = Program(tmp_path, inside=True)
    assert program.out("scoreboard", "new").startswith("New scoreboard, at game 1.")
    board_of(program).write_text(BOARD)
    lines = program.out("scoreboard").splitlines()
    assert lines == [
        "Two-handed pinochle scoreboard",
        " game   you  they  date        level",
        "    1  1010   870  2026-10-01  expert  won",
        "    2   800  1000  2026-10-02  master  lost",
        "    3     7     7  2026-10-03  novice  even",
        "total  1817  1877                      1 won, 1 lost",
        "",
        "Game 4",
        "round  you  they  date        level",
        "    1  300   250  2026-10-04  expert  won",
        "total  300   250                      1 won, 0 lost",
    ]
    data = program.data("scoreboard")
    assert (data["game"], data["saved"], data["file"]) == (4, True, str(board_of(program)))
    assert [one["won"] for one in data["games"]] == [True, False, None]
    assert data["rounds"] == [
        {"number": 1, "mine": 300, "theirs": 250, "date": "2026-10-04", "level": "expert", "won": True}
    ]


def test_what_was_won_is_blue_and_what_was_lost_red(tmp_path: Path) -> None:
    program = Program(tmp_path, inside=True)
    program.out("scoreboard", "new")
    board_of(program).write_text(BOARD)
    shown = program.inside(columns=80).out("scoreboard").splitlines()
    assert [line[:5] for line in shown[2:5]] == ["\x1b[34m", "\x1b[31m", "    3"]
    assert escape_unprintable("\n".join(shown)) == "\n".join(shown)
    assert "\x1b" not in program.out("scoreboard")


def test_games_are_saved_reset_and_recovered(tmp_path: Path) -> None:
    program = Program(tmp_path, inside=True)
    saved = with_new_game(program)
    assert program.out("scoreboard").endswith("Not saved yet: 1 game.\n")
    assert program.out("scoreboard", "save") == "Scoreboard saved.\n"
    assert board_of(program).read_text() == saved
    assert "To undo: scoreboard recover" in program.out("scoreboard", "reset")
    assert board_of(program).read_text() == saved
    assert program.data("scoreboard")["games"] == [] and program.data("scoreboard")["game"] == 1
    assert program.out("scoreboard").endswith("Not saved yet: started over.\n")
    assert program.out("scoreboard", "recover") == "Scoreboard restored.\n"
    assert len(program.data("scoreboard")["games"]) == 4
    assert program.data("scoreboard", "reset")["games"] == []
    program.out("scoreboard", "save")
    assert board_of(program).read_text() == "-1,-1\n"


def test_what_does_not_go_is_told(tmp_path: Path) -> None:
    program = Program(tmp_path, inside=True)
    assert program.out("scoreboard") == NONE_HERE
    assert program.data("scoreboard") is None
    for change in ("save", "reset", "recover"):
        assert program.refused("scoreboard", change) == (USAGE, NONE_HERE)
    program.out("scoreboard", "new")
    code, said = program.refused("scoreboard", "new")
    assert code == USAGE and said.startswith("There's already a scoreboard")
    board_of(program).write_text("1,2\n-1,-1\n")
    code, said = program.refused("scoreboard", "save")
    assert code == STORAGE and said.count("\n") == 1 and "line 1 needs your points" in said
    assert board_of(program).read_text() == "1,2\n-1,-1\n"


def test_each_profile_has_its_own(tmp_path: Path) -> None:
    program = Program(tmp_path, inside=True)
    program.out("profiles", "add", "Zoe")
    program.out("scoreboard", "new")
    assert program.data("--profile", "Zoe", "scoreboard") is None


def test_the_same_changes_are_made_in_the_shell_and_at_the_table() -> None:
    assert tuple(Change) == CHANGES


# --- at a table -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["quit", "leave yes"])
def test_a_player_who_leaves_saves_it_with_a_yes(program: Program, word: str) -> None:
    saved = with_new_game(program)
    with AtTerminal(program, *PLAY) as terminal:
        terminal.until("your turn")
        terminal.type(f"{word}\r")
        terminal.until(ASKED)
        terminal.type("perhaps\r")
        terminal.until(r"Type yes or no\.")
        terminal.type("yes\r")
        assert terminal.end() == 0
        assert "Scoreboard saved." in terminal.text
    assert board_of(program).read_text() == saved


def test_a_no_keeps_the_board_as_it_was_and_takes_a_reset_back(program: Program) -> None:
    with_new_game(program)
    with AtTerminal(program, *PLAY) as terminal:
        terminal.until("your turn")
        terminal.type("scoreboard reset\r")
        terminal.until("back at game 1")
        terminal.type("scoreboard\r")
        terminal.until("Not saved yet: started over")
        terminal.type("quit\r")
        terminal.until(r"Save the scoreboard \(started over\)\?")
        terminal.type("no\r")
        assert terminal.end() == 0
        assert "Scoreboard restored." in terminal.text
    assert board_of(program).read_text() == BOARD
    with AtTerminal(program, "attach") as terminal:
        terminal.until("your turn")
        terminal.type("scoreboard\r")
        terminal.until("1010 .*2026-10-01")
        assert "Not saved" not in terminal.text
        terminal.type("quit\r")
        assert terminal.end() == 0  # nobody is asked


def test_only_rounds_that_are_over_are_saved_of_a_real_game(program: Program) -> None:
    program.inside().out("scoreboard", "new")
    program.inside().out("config", "set", "speed", "fast")  # the next rounds are not over before this one is read
    with AtTerminal(program, *PLAY, "--with", "betty:novice", "--set", "goal=100000", settings=False) as terminal:
        terminal.until("your turn")
        terminal.type("auto carefree\r")
        terminal.until("Hand 1 is over: ")
        terminal.type("auto off\rnext\r")
        terminal.until("your turn")
        terminal.type("scoreboard save\r")
        terminal.until(r"Scoreboard saved\.")
        terminal.type("scoreboard\r")
        terminal.until("total .*won")
        terminal.type("quit\r")
        assert terminal.end() == 0  # all is saved
    board, log = program.inside().data("scoreboard"), program.inside().data("logs")[0]["log"]
    hands = program.inside().data("board")["hands"]
    assert board["log"] == log and board["games"] == [] and board["saved"]
    assert [(one["mine"], one["theirs"]) for one in board["rounds"]] == [tuple(hand["points"]) for hand in hands]
    assert {one["level"] for one in board["rounds"]} == {"novice"}


def test_nobody_is_asked_without_a_board_without_a_terminal_or_at_another_game(
    make_program: MakeProgram,
) -> None:
    without, piped, whist = make_program("without"), make_program("piped"), make_program("whist")
    with AtTerminal(without, *PLAY) as terminal:
        terminal.until("your turn")
        assert terminal.end("quit\r") == 0
    assert not board_of(without).exists()
    for program, game, said in ((piped, GAME, "quit\n"), (whist, "whist", "")):
        with_new_game(program)
        if said:
            assert "Save the scoreboard" not in program.out("play", game, "--seed", "1", said=said)
        else:
            with AtTerminal(program, "play", game, "--name", "Ann", "--as", "sam") as terminal:
                terminal.until("your turn")
                assert terminal.end("quit\r") == 0
        assert board_of(program).read_text() == BOARD
        assert program.inside().data("scoreboard")["saved"] is False


def test_a_board_that_cannot_be_read_keeps_nobody(program: Program) -> None:
    program.inside().out("scoreboard", "new")
    board_of(program).write_text("?")
    with AtTerminal(program, *PLAY) as terminal:
        terminal.until("your turn")
        terminal.type("scoreboard\r")
        terminal.until("Can't read the scoreboard .*: no line starts with -1,-1")
        terminal.type("quit\r")
        assert terminal.end() == 0
    assert board_of(program).read_text() == "?"


# --- on the full screen -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "kept"), [("y", lambda saved: saved), ("n", lambda _saved: BOARD)])
def test_the_screen_asks_too(program: Program, key: str, kept: Callable[[str], str]) -> None:
    saved = with_new_game(program)
    with AtTerminal(program, *PLAY, screen=True) as terminal:
        terminal.until("Your turn: ")
        terminal.type("\x11")  # Ctrl-Q
        terminal.until(ASKED)
        terminal.type("\x1b")
        terminal.until(r"OK, you stay\.")
        terminal.type("\x11")
        terminal.until(ASKED)
        terminal.type(key)
        assert terminal.end() == 0
        assert "Seat kept." in terminal.text
    assert board_of(program).read_text() == kept(saved)


def test_a_signal_asks_nothing(program: Program) -> None:
    with_new_game(program)
    with AtTerminal(program, *PLAY, screen=True) as terminal:
        terminal.until("Your turn: ")
        terminal.signal(signal.SIGTERM)
        assert terminal.end() == 128 + signal.SIGTERM
    assert board_of(program).read_text() == BOARD
    assert program.inside().data("scoreboard")["saved"] is False
