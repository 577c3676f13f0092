"""What is asked and shown of the rules before a game begins, with real daemons."""

from __future__ import annotations

import pytest

from rigs.program import AtTerminal, Program

ASKED = "How are the hands counted\\? H: by hand, with muggins; A: automatically"
COUNTING = ("cribbage", "--preset", "telecards")


def counting(program: Program, table: str = "t1") -> str:
    """How the hands are counted at a table."""
    shown = program.out("attach", table, said="options\n")
    return shown.split("counting: now ")[1].split(";")[0]


@pytest.mark.parametrize(("typed", "value"), [("x\nh\n", "manual"), ("a\n", "auto"), ("\n", "auto")])
def test_cribbage_in_the_telecards_preset_asks_how_to_count(program: Program, typed: str, value: str) -> None:
    with AtTerminal(program, "play", *COUNTING, "--name", "Ann") as terminal:
        terminal.until(ASKED)
        terminal.until(r"H or A \[A\]: ")
        terminal.type(typed)
        if typed.startswith("x"):
            terminal.until("It is one of H or A.")
        terminal.until("Your hand")
        assert terminal.end("\x03") == 0
    assert counting(program) == value


def test_it_is_not_asked_where_it_was_said_or_nobody_can_answer(program: Program) -> None:
    with AtTerminal(program, "play", *COUNTING, "--set", "counting=manual", "--name", "Ann") as terminal:
        terminal.until("Your hand")
        assert "How are the hands" not in terminal.text
        assert terminal.end("\x03") == 0
    assert counting(program) == "manual"
    assert "How are the hands" not in program.out("play", *COUNTING, "--name", "Ann", said="table\n")
    assert counting(program, "t2") == "auto"


def test_a_lobby_asks_it_at_the_start(program: Program) -> None:
    opened = program.data("host", "--port", "0", "--game", COUNTING[0], *COUNTING[1:], "--name", "Ann")
    with AtTerminal(program, "attach", opened["table"]) as terminal:
        terminal.until("start")
        terminal.type("start\n")
        terminal.until(ASKED)
        terminal.until("H/A > ")
        terminal.type("maybe\n")
        terminal.until("It is one of H or A.")
        terminal.until("H/A > ")
        terminal.type("h\n")
        terminal.until("Your hand")
        assert terminal.end("\x03") == 0
    assert counting(program, opened["table"]) == "manual"
    again = program.data("host", "--port", "0", "--game", COUNTING[0], *COUNTING[1:], "--name", "Ann")
    said = program.out("attach", again["table"], said="start\n")
    assert "How are the hands" not in said
    assert "Cribbage begins" in said
