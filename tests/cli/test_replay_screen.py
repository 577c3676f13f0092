"""What a replay at a terminal draws."""

from __future__ import annotations

import os
import pty
from io import StringIO

import pytest

from p2pcards.cli.replay_screen import KEYS_HELP, _draw_page, watch_by_keys
from p2pcards.present.replaying import ReplayPage, ReplayReel

REEL = ReplayReel((ReplayPage(7, 1, ("Ann plays the two of clubs.",), ("Ann 2C", "Bob")),))


@pytest.mark.parametrize(
    ("say", "number", "last"),
    [("", "", ""), ("", "12", "step 12"), ("Pick a step from 1 to 1.", "", "Pick a step from 1 to 1.")],
)
def test_the_last_line_is_what_is_said_or_the_number_that_is_typed(say: str, number: str, last: str) -> None:
    output = StringIO()
    _draw_page(REEL, say, number, output)
    title, *rest = output.getvalue().removeprefix("\x1b[H\x1b[2J").split("\n")
    assert title == f"{REEL.title}."
    assert rest == ["Ann plays the two of clubs.", "", "Ann 2C", "Bob", "", KEYS_HELP, last]


class SlowLine(StringIO):
    """A screen; each time that it has been drawn, the next bytes arrive from the keyboard."""

    def __init__(self, keyboard: int, pieces: list[bytes]) -> None:
        super().__init__()
        self._keyboard = keyboard
        self._pieces = pieces
        self.shown = list[str]()

    def flush(self) -> None:
        self.shown.append(self.getvalue().rpartition("\x1b[H\x1b[2J")[2].split("\n")[1])
        if self._pieces:
            os.write(self._keyboard, self._pieces.pop(0))


@pytest.mark.parametrize(
    ("pieces", "last"),
    [
        ([b"\x1b", b"[C"], "step 2"),
        ([b"\x1b", b"[", b"F"], "step 20"),
        ([b"\x1bO", b"C"], "step 2"),
        ([b"\x1b[1", b"5", b"~", b"\r"], "step 2"),  # F5 is no number of a step
        ([b"\x1b", b"[15~", b"\r"], "step 2"),
    ],
)
def test_the_bytes_of_a_key_that_arrive_apart_are_that_key(pieces: list[bytes], last: str) -> None:
    reel = ReplayReel(tuple([ReplayPage(number, 1, (f"step {number}",), ("Ann",)) for number in range(1, 21)]))
    keyboard, terminal = pty.openpty()
    with os.fdopen(keyboard, "wb", 0), os.fdopen(terminal) as source:
        screen = SlowLine(keyboard, [*pieces, b"q"])
        watch_by_keys(reel, source, screen)
    assert screen.shown[-1] == last
