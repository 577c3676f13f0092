"""Keys whose bytes arrive apart, as on a slow line."""

from __future__ import annotations

import os
import pty
import tty

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.drivers import linux_driver
from textual.events import Key, MouseDown, Paste
from textual.message import Message

from p2pcards.tui.keys import ESCAPE, LATE, SlowLineParser
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


SEQUENCES = {
    "\x1b[D": "left",
    "\x1b[A": "up",
    "\x1bOP": "f1",
    "\x1bOD": "left",
    "\x1b[11~": "f1",
    "\x1b[[A": "f1",
    "\x1b[1;5C": "ctrl+right",
    "\x1b[3~": "delete",
    "\x1b[Z": "shift+tab",
}


@pytest.mark.parametrize("sequence", SEQUENCES)
@given(waits=st.lists(st.sampled_from([0.0, ESCAPE - 0.1, LATE - 0.1]), min_size=8, max_size=8))
def test_the_bytes_of_a_key_are_that_key_however_slowly_they_arrive(sequence: str, waits: list[float]) -> None:
    typed = Typed()
    for byte, wait in zip(sequence, waits, strict=False):
        typed.type(byte).wait(wait)
    escapes = ["escape"] if waits[0] >= ESCAPE else []
    assert typed.type("d").keys == [*escapes, SEQUENCES[sequence], "d"]


@pytest.mark.parametrize("cut", range(1, len("\x1b[<0;12;7M")))
def test_a_click_of_which_half_arrives_late_presses_no_key(cut: int) -> None:
    for click in [one for one in ("\x1b[<0;12;7M", "\x1b[M !!") if cut < len(one)]:
        typed = Typed().type(click[:cut]).wait(LATE - 0.1).type(click[cut:])
        assert set(typed.keys) <= {"escape"}
        assert sum(isinstance(one, MouseDown) for one in typed.heard) == click.startswith("\x1b[<")


def test_the_escape_key_is_pressed_after_its_time_and_once() -> None:
    typed = Typed().type("\x1b").wait(ESCAPE - 0.1)
    assert typed.keys == []
    assert typed.wait(0.1).wait(ESCAPE).type("d").wait(LATE).keys == ["escape", "d"]
    assert Typed().type("\x1b\x1b").wait(ESCAPE).keys[-1:] == ["escape"]


def test_what_never_becomes_a_key_is_dropped() -> None:
    assert Typed().type("\x1b[1;").wait(LATE).type("d").keys == ["d"]
    assert Typed().type("\x1b[1;\x03d").keys == ["ctrl+c", "d"]
    assert Typed().type("\x1bO").wait(LATE).type("P").keys == ["P"]
    assert Typed().type("\x1b").wait(ESCAPE).wait(LATE + 0.1).type("O").keys == ["escape", "O"]


def test_all_else_is_read_as_before() -> None:
    typed = Typed().type("ab\x1b[200~d\x1b").wait(ESCAPE / 2).type("[201~é\x1b[Ch").type("\x1bx").wait(1).wait(1)
    assert typed.keys[:5] == ["a", "b", "é", "right", "h"]
    assert [one.text for one in typed.heard if isinstance(one, Paste)] == ["d"]
