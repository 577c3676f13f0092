"""The characters of people at another machine, heard at this one while they play for these; and the switch for it."""

from __future__ import annotations

import re

from p2pcards.players.characters import CHARACTERS
from rigs.program import AtTerminal, MakeProgram, Program

GRANNY = CHARACTERS["granny"]
SITS_DOWN = f'Granny Mildred, playing for Bob: "{GRANNY.takes_over}"'
SAYS_GOODBYE = f'Granny Mildred: "{GRANNY.goodbye}"'


def friends(make_program: MakeProgram) -> tuple[Program, Program]:
    """Ann, who coordinates as Luan Lee, and Bob, who listens as Granny Mildred. Neither has looked at the table yet."""
    ann, bob = make_program("ann").inside(), make_program("bob").inside()
    port = bob.data("listen", "--port", "0", "--name", "Bob", "--as", "granny")["port"]
    ann.data("connect", f"127.0.0.1:{port}", "--name", "Ann", "--as", "luan")
    return ann, bob


def away_and_back(at_ann: AtTerminal, at_bob: AtTerminal) -> str:
    """What Ann reads from when Bob sits down until he is back from having been away."""
    at_ann.until("Bob joins the table as Granny Mildred")
    read = at_ann.text
    at_ann.type("game cribbage\n")
    at_bob.until("Cribbage")
    at_ann.type("start\n")
    at_bob.until(" begins: ")
    at_bob.type("away\n")
    at_ann.until("Granny Mildred is playing for Bob")
    at_bob.type("back\n")
    at_ann.until("Bob is playing again")
    at_bob.type("say Here I am.\n")
    at_ann.until("Here I am")
    return read + at_ann.text


def test_the_character_of_a_friend_speaks_while_it_plays_for_them(make_program: MakeProgram) -> None:
    """And when neither of the two has a character in their seat, nobody has said a word."""
    ann, bob = friends(make_program)
    with AtTerminal(ann, "attach") as at_ann, AtTerminal(bob, "attach") as at_bob:
        read = " ".join(away_and_back(at_ann, at_bob).split())
        said = re.findall(r'(?:Granny Mildred|Luan Lee)[^":.]*: "[^"]*"', read)
        assert said == [SITS_DOWN, SAYS_GOODBYE]
        assert at_ann.end("\x04") == 0 and at_bob.end("\x04") == 0


def test_they_are_silent_where_that_is_set(make_program: MakeProgram) -> None:
    ann, bob = friends(make_program)
    ann.out("config", "set", "phrases", "off")
    with AtTerminal(ann, "attach") as at_ann, AtTerminal(bob, "attach") as at_bob:
        read = away_and_back(at_ann, at_bob)
        assert GRANNY.takes_over not in read and GRANNY.goodbye not in read
        assert at_ann.end("\x04") == 0 and at_bob.end("\x04") == 0
