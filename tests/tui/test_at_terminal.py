"""The screen as a process, at a terminal, with a daemon."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest

from rigs.giving_up import longest_wait
from rigs.own_program import FOR_EVER, OwnProgram
from rigs.program import PATIENT, AtTerminal, MakeProgram, Program

YOUR_TURN = "Your turn: "
AGAIN = f"(?s)You play .*{YOUR_TURN}"
"""Enter plays nothing before it is one's turn."""
WHIST = ("play", "whist", "--name", "Zoe", "--as", "betty", "--seed", "1")


def test_a_card_is_played_and_the_seat_outlives_the_screen(program: Program) -> None:
    with AtTerminal(program, *WHIST, screen=True) as terminal:
        terminal.until(YOUR_TURN)
        terminal.type("\r")
        terminal.until("You play ")
        terminal.kill()
    assert program.inside().data("status")["tables"][0]["game"] == "Whist"
    with AtTerminal(program, "attach", screen=True) as terminal:
        terminal.until("You play ")
        terminal.type("\x11")  # Ctrl-Q
        assert terminal.end() == 0
        assert "Seat kept. To come back: p2pcards attach." in terminal.text


def test_two_screens_at_one_seat_stay_in_step_and_one_that_is_stopped_delays_nobody(program: Program) -> None:
    with AtTerminal(program, *WHIST, screen=True) as one:
        one.until(YOUR_TURN)
        with AtTerminal(program, "attach", screen=True) as other:
            other.until(YOUR_TURN)
            other.type("\r")
            for terminal in (one, other):
                terminal.until("You play ")
                terminal.until("takes? the trick")
            one.signal(signal.SIGSTOP)
            before = program.inside().data("logs")[0]["records"]
            other.until(AGAIN)
            while program.inside().data("logs")[0]["records"] < before + 8:  # two tricks at the least
                other.type("\r")
                other.until(AGAIN)
            one.type("")
            one.signal(signal.SIGCONT)
            one.until("You play ")
            other.type("\x11")
            assert other.end() == 0
        one.type("\x11")
        assert one.end() == 0


def test_the_cursor_of_the_terminal_stands_on_the_chosen_card(program: Program) -> None:
    words = ("play", "whist", "--deal", "1", "--name", "Zoe", "--as", "betty")
    with AtTerminal(program, *words, screen=True) as terminal:
        terminal.until(YOUR_TURN)
        assert "\x1b[?25h" in terminal.text
        terminal.type("\x1b[C")  # away from the card that is chosen at first, wherever that is
        terminal.until(r"\x1b\[20;\d+H$")
        terminal.type("\x1b[H")  # Home
        terminal.until(r"\x1b\[20;2H$")
        terminal.type("\x1b[C")
        terminal.until(r"\x1b\[20;9H$")


def test_what_friends_need_is_told_before_the_game(make_program: MakeProgram) -> None:
    ann, bob = make_program("ann"), make_program("bob")
    with AtTerminal(ann, "listen", "--port", "0", "--name", "Ann", "--as", "sam", screen=True) as listener:
        there = listener.until(r"p2pcards connect \S*:(\d+)")[1]
        code = re.sub(r"\s", "", listener.until(r"--code (\d+-\w+-\w+)")[1])
        words = ("connect", f"127.0.0.1:{there}", "--code", code, "--name", "Bob", "--as", "will")
        with AtTerminal(bob, *words, screen=True) as caller:
            caller.until("Ann joins the table")
            _type_line(caller, "/", "game cribbage")
            caller.until("Next game: Cribbage")
            _type_line(caller, "/", "start")
            listener.until(r"Your turn \(\d+ s\): discard two cards")
            _type_line(caller, "\t", "hello Ann")
            listener.until("Bob says: .hello")
            _type_line(caller, "/", "leave")
            caller.until("Leave for good")
            caller.type("y")
            assert caller.end() == 0
            assert "You left the table." in caller.text
        listener.until("The game ends|Bob left the table")


def test_lines_are_kept_for_who_wants_them(program: Program) -> None:
    for words in (("--line",), ("--plain",)):
        with AtTerminal(program, "play", "whist", "--name", "Zoe", "--as", "betty", *words, screen=True) as terminal:
            terminal.until("your turn, trump")
            terminal.type("leave yes\r")
            assert terminal.end() == 0


def test_a_table_that_is_not_there_is_said_without_a_screen(program: Program) -> None:
    with AtTerminal(program, "attach", screen=True) as terminal:
        assert terminal.end() != 0
        assert "No table is open. Open one with" in terminal.text


def test_a_daemon_that_ends_ends_the_screen_with_a_sentence(program: Program) -> None:
    with AtTerminal(program, "play", "whist", "--name", "Zoe", "--as", "betty", screen=True) as terminal:
        terminal.until(YOUR_TURN)
        program.inside().out("stop")
        assert terminal.end() == 0
        assert "Your games are kept" in terminal.text or "can resume" in terminal.text


def with_songs(program: Program, folder: Path) -> OwnProgram:
    player = OwnProgram(folder, FOR_EVER)
    for words in (("player", player.command), ("music", "cycle"), ("songs", "a.mid", "b.mid")):
        program.inside().out("config", "set", *words)
    return player


def got(own: OwnProgram, words: str) -> None:
    """Wait until a program of the player's own has got a line with these words."""
    end = time.monotonic() + longest_wait()
    while not any(words in line for line in own.got):
        assert time.monotonic() < end, f"{words!r} does not come"
        time.sleep(0.05)


def test_songs_are_played_named_and_skipped_and_end_with_the_table(program: Program, tmp_path: Path) -> None:
    player = with_songs(program, tmp_path)
    with AtTerminal(program, *WHIST, screen=True) as terminal:
        terminal.until("Now playing: a.mid")
        got(player, "a.mid")
        terminal.until(YOUR_TURN)
        _type_line(terminal, "/", "song skip")
        terminal.until("Skipped a.mid")
        got(player, "b.mid")
        _type_line(terminal, "/", "song")
        terminal.until("Now playing: b.mid")
        terminal.type("\x11")
        assert terminal.end() == 0
    assert player.got == ["a.mid", "b.mid"] and player.running() == set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_ends_the_screen_ends_its_songs_and_keeps_the_seat(
    program: Program, tmp_path: Path, number: signal.Signals
) -> None:
    player = with_songs(program, tmp_path)
    with AtTerminal(program, *WHIST, screen=True) as terminal:
        terminal.until(YOUR_TURN)
        got(player, "a.mid")
        terminal.signal(number)
        assert terminal.end() == 128 + number
        assert "Seat kept." in terminal.text
    assert player.running() == set()


def test_a_terminal_that_is_closed_ends_the_songs(program: Program, tmp_path: Path) -> None:
    player = with_songs(program, tmp_path)
    with AtTerminal(program, *WHIST, screen=True) as terminal:
        terminal.until(YOUR_TURN)
        got(player, "a.mid")
        assert terminal.close() == 128 + signal.SIGHUP
    assert player.running() == set()
    assert "FAULT" not in (program.home / "diagnostics.txt").read_text()


def test_a_terminal_that_is_gone_ends_a_screen_that_was_started_to_ignore_it(program: Program) -> None:
    """As under nohup: SIGHUP itself is still ignored, and the table is let go of."""
    ignoring = ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *PATIENT]
    with AtTerminal(program, *WHIST, command=ignoring, screen=True) as terminal:
        terminal.until(YOUR_TURN)
        terminal.signal(signal.SIGHUP)
        terminal.type("\x1b[C")
        terminal.until(".")
        assert program.inside().data("status")["tables"][0]["front_ends"] == 1
        assert terminal.close() == 128 + signal.SIGHUP
    end = time.monotonic() + longest_wait()
    while program.inside().data("status")["tables"][0]["front_ends"]:  # the daemon may notice a little later
        assert time.monotonic() < end, "the table is not let go of"


def test_the_story_and_what_there_is_to_do_are_read_aloud(program: Program, tmp_path: Path) -> None:
    speaker = OwnProgram(tmp_path)
    program.inside().out("config", "set", "speech", speaker.command)
    with AtTerminal(program, *WHIST, screen=True) as terminal:
        terminal.until(YOUR_TURN)
        got(speaker, YOUR_TURN)
        assert any("deals first" in line or "deal first" in line for line in speaker.got), speaker.got
        terminal.type("\r")
        got(speaker, "You play ")
        terminal.type("\x11")
        assert terminal.end() == 0


def _type_line(terminal: AtTerminal, key: str, line: str) -> None:
    terminal.type(key)
    terminal.until("Esc closes" if key == "\t" else "/")
    terminal.type(f"{line}\r")
