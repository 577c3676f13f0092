"""The characters of people at another machine, heard at this one; and the switch for it."""

from __future__ import annotations

import re

from p2pcards.players.characters import CHARACTERS
from rigs.program import AtTerminal, MakeProgram, Program

GREETING = f'Granny Mildred (Bob): "{CHARACTERS["granny"].greeting}"'


def friends(make_program: MakeProgram) -> tuple[Program, Program]:
    """Ann, who coordinates as Luan Lee, and Bob, who listens as Granny Mildred. Neither has looked at the table yet."""
    ann, bob = make_program("ann").inside(), make_program("bob").inside()
    port = bob.data("listen", "--port", "0", "--name", "Bob", "--as", "granny")["port"]
    ann.data("connect", f"127.0.0.1:{port}", "--name", "Ann", "--as", "luan")
    return ann, bob


def test_the_character_of_a_friend_speaks_here(make_program: MakeProgram) -> None:
    ann, bob = friends(make_program)
    with AtTerminal(ann, "attach") as terminal:
        terminal.until(re.escape(GREETING))
        assert terminal.end("\x04") == 0
    with AtTerminal(bob, "attach") as terminal:
        terminal.until(r"Luan Lee \(Ann\): ")
        assert terminal.end("\x04") == 0


def test_they_are_silent_where_that_is_set(make_program: MakeProgram) -> None:
    ann, _ = friends(make_program)
    ann.out("config", "set", "phrases", "off")
    with AtTerminal(ann, "attach") as terminal:
        terminal.until("Bob sits down at the table as Granny Mildred")
        assert terminal.end("\x04") == 0
        assert GREETING not in terminal.text
