"""Keys whose bytes arrive apart, as on a slow line."""

from __future__ import annotations

import os
import pty
import tty
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import _parser
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.drivers import linux_driver
from textual.events import Key, MouseDown, MouseUp, Paste
from textual.message import Message

from p2pcards.tui.keys import ESCAPE, LONGEST, NEXT, KeyState, SlowLineParser
from p2pcards.tui.program import Program


def test_keys_are_read_so_at_a_terminal() -> None:
    """The driver of a terminal takes this parser, and gives it what a pty gives."""
    Program[None]()
    assert vars(linux_driver)["XTermParser"] is SlowLineParser
    keyboard, terminal = pty.openpty()
    tty.setraw(terminal)
    typed = Typed()
    try:
        for piece in (b"\x1b", b"[", b"D", b"\x1b", b"O", b"P", b"d"):
            os.write(keyboard, piece)
            typed.type(os.read(terminal, 4096).decode()).wait(0.25)
    finally:
        os.close(keyboard)
        os.close(terminal)
    assert typed.keys == ["left", "f1", "d"]


class Typed:
    """A keyboard at a line, with a clock of its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.heard: list[Message] = []
        self._parser = SlowLineParser(clock=lambda: self.now)

    def type(self, data: str) -> Typed:
        self.heard += self._parser.feed(data)
        return self

    def wait(self, seconds: float) -> Typed:
        self.now += seconds
        self.heard += self._parser.tick()
        return self

    @property
    def keys(self) -> list[str]:
        return [one.key for one in self.heard if isinstance(one, Key)]


SEQUENCES = sorted([one for one in ANSI_SEQUENCES_KEYS if one[:2] in ("\x1b[", "\x1bO")])
REPORTS = ("\x1b[<0;12;7M", "\x1b[<0;12;7m", "\x1b[M !!", "\x1b[97;5u", "\x1b[12;40R", "\x1b[?2026;2$y", "\x1b[I")
ANSWERS = ("\x1bP>|kitty(0.35.2)\x1b\\", "\x1b_Gi=1;OK\x1b\\", "\x1b[6;18;9t", "\x1b[?62;4c")
LONG = 3600.0


def heard_whole(sequence: str) -> tuple[list[str], list[type[Message]]]:
    typed = Typed().type(sequence)
    return typed.keys, [type(one) for one in typed.heard]


@given(
    sequence=st.sampled_from([*SEQUENCES, *REPORTS, *ANSWERS]),
    waits=st.lists(st.sampled_from([None, 0.0, ESCAPE - 0.1, ESCAPE, 2.0, LONG]), min_size=30, max_size=30),
)
def test_a_sequence_is_what_it_is_however_it_is_split_and_however_late_it_comes(
    sequence: str, waits: list[float | None]
) -> None:
    """None: the next character is in the same piece."""
    if sequence in ANSWERS:  # a P after Escape is a key of its own
        waits[0] = None
    typed, piece = Typed(), ""
    for character, wait in zip(sequence, waits, strict=False):
        piece += character
        if wait is not None:
            typed.type(piece).wait(wait)
            piece = ""
    typed = typed.type(piece) if piece else typed
    keys, kinds = heard_whole(sequence)
    escapes = ["escape"] if (waits[0] or 0.0) >= ESCAPE else []
    assert typed.keys == [*escapes, *keys]
    assert [type(one) for one in typed.heard][len(escapes) :] == kinds
    assert typed.type("d").keys == [*escapes, *keys, "d"]


def test_no_part_of_a_sequence_is_a_key_of_a_game() -> None:
    assert not [one for one in [*REPORTS[:3], *ANSWERS] if heard_whole(one)[0]]
    assert [type(one) for one in Typed().type("\x1b[<0;12;7M\x1b[<0;12;7m").heard] == [MouseDown, MouseUp]
    for sequence, key in {"\x1b[D": "left", "\x1bOP": "f1", "\x1b[[A": "f1", "\x1b[3$": "shift+delete"}.items():
        assert heard_whole(sequence)[0] == [key]


def test_the_escape_key_is_pressed_after_its_time_and_once() -> None:
    typed = Typed().type("\x1b").wait(ESCAPE - 0.1)
    assert typed.keys == []
    assert typed.wait(0.1).wait(ESCAPE).type("d").wait(LONG).keys == ["escape", "d"]
    assert Typed().type("\x1b\x1b").wait(ESCAPE).keys[-1:] == ["escape"]


@pytest.mark.parametrize("unknown", ["\x1b[?62;4c", "\x1b[1;5I", "\x1bOz", "\x1b[99z", "\x1b[ d"])
def test_a_sequence_that_the_toolkit_does_not_know_is_no_key(unknown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a tenth of a second it would take each character of it for one."""
    typed = Typed().type(unknown)
    monkeypatch.setattr(_parser, "get_time", lambda: inf)
    assert typed.wait(LONG).type("d").wait(LONG).keys == ["d"]


def test_what_never_becomes_a_key_is_dropped() -> None:
    assert Typed().type("\x1b[1;\x03d").keys == ["ctrl+c", "d"]
    assert Typed().type("\x1b[1").wait(LONG).type("\rd").keys == ["enter", "d"]
    assert Typed().type("\x1b[" + "1" * (LONGEST - 1) + "2d").keys == ["2", "d"]
    assert Typed().type("\x1b_x").keys == ["x"]
    assert Typed().type("\x1bP>|never ended\rd").keys == ["d"]
    assert Typed().type("\x1bP>|never ended\x1b[D").keys == ["left"]


@given(data=st.text(st.sampled_from("\x1b[O?P>_GM<1;$\\\x07d"), min_size=1, max_size=40))
def test_enter_is_heard_whatever_came_before_it(data: str) -> None:
    """Nothing is waited for without an end: four, as an old mouse's report has three characters of any kind."""
    assert Typed().type(data).wait(LONG).type("\r\r\r\r").keys[-1:] == ["enter"]


def test_keys_after_the_escape_key_are_keys() -> None:
    for key in "dDpP1_]Xx\r":
        assert Typed().type("\x1b").wait(ESCAPE).type(key).keys[1:] == Typed().type(key).keys
    assert Typed().type("\x1b").wait(ESCAPE).type("O").wait(LONG).type("O").keys == ["escape", "O"]
    assert Typed().type("\x1b").wait(ESCAPE).type("\x1b").wait(ESCAPE).type("d").keys == ["escape", "escape", "d"]


def test_each_state_has_a_row_for_every_character() -> None:
    for state, rows in NEXT.items():
        assert rows[-1][0] == "" or state is KeyState.NONE
    assert NEXT.keys() == set(KeyState)


def test_all_else_is_read_as_before() -> None:
    typed = Typed().type("ab\x1b[200~d\x1b").wait(ESCAPE / 2).type("[201~é\x1b[Ch").type("\x1bx").wait(1).wait(1)
    assert typed.keys[:5] == ["a", "b", "é", "right", "h"]
    assert [one.text for one in typed.heard if isinstance(one, Paste)] == ["d"]
