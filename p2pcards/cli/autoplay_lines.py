"""A session of `p2pcards autoplay`, told in lines; on a terminal a key stops it."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from p2pcards.cli.command import say
from p2pcards.frontend.autoplay import Autoplay, decided
from p2pcards.frontend.manner import pause_after
from p2pcards.present.cards import Style
from p2pcards.present.score import sheet_lines
from p2pcards.present.story import story
from p2pcards.present.table import hand_lines
from p2pcards.session.effects import Think
from p2pcards.views.happenings import HandDealt, HandScored, Happening

STOP = (b"q", b"Q", b"\x04")
STOP_HELP = "q stops it."


def tell_in_lines(session: Autoplay, style: Style, pace: float, *, keys: bool) -> None:
    """Until it is over or stopped. pace: seconds of an action; keys: there is a terminal to press one at."""
    with suppress(KeyboardInterrupt), _keys(keys) as stops:
        for happening in _all_of(session):
            _tell(happening, session, style)
            if stops(pause_after(happening) * pace):
                break


def play_quietly(session: Autoplay) -> None:
    """Until it is over, or stopped by Ctrl-C."""
    with suppress(KeyboardInterrupt):
        for _ in _all_of(session):
            pass


def _all_of(session: Autoplay) -> Iterator[Happening]:
    """All that happens; computer players decide meanwhile."""
    action = None
    while (step := session.go_on(action)) is not None:
        if isinstance(step, Think):
            action = decided(step)
        else:
            yield step


def _tell(happening: Happening, session: Autoplay, style: Style) -> None:
    say(story(happening, session.name, style))
    if isinstance(happening, HandDealt):
        say("\n".join(hand_lines(session.view(), style)))
    if isinstance(happening, HandScored):
        say("\n".join(sheet_lines(happening, session.name, style)))


@contextmanager
def _keys(terminal: bool) -> Iterator[Callable[[float], bool]]:
    """Gives a function that waits for so many seconds, and says whether the key that stops was pressed meanwhile."""
    if not terminal:
        yield lambda _seconds: False
        return
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)

    def stops(seconds: float) -> bool:
        return bool(select.select([fd], [], [], seconds)[0]) and os.read(fd, 1) in (*STOP, b"")

    try:
        tty.setcbreak(fd)
        yield stops
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
