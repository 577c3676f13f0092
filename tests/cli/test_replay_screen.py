"""What a replay at a terminal draws."""

from __future__ import annotations

from io import StringIO

import pytest

from p2pcards.cli.replay_screen import KEYS_HELP, _draw
from p2pcards.present.replaying import Page, Reel

REEL = Reel((Page(7, 1, ("Ann plays the two of clubs.",), ("Ann 2C", "Bob")),))


@pytest.mark.parametrize(
    ("say", "number", "last"),
    [("", "", ""), ("", "12", "step 12"), ("There are steps 1 to 1.", "", "There are steps 1 to 1.")],
)
def test_the_last_line_is_what_is_said_or_the_number_that_is_typed(say: str, number: str, last: str) -> None:
    output = StringIO()
    _draw(REEL, say, number, output)
    title, *rest = output.getvalue().removeprefix("\x1b[H\x1b[2J").split("\n")
    assert title == f"{REEL.title}."
    assert rest == ["Ann plays the two of clubs.", "", "Ann 2C", "Bob", "", KEYS_HELP, last]
