"""A session of `p2pcards autoplay`, told in lines; on a terminal a key stops it."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

from p2pcards.cli.command import say
from p2pcards.control.messages import Happened
from p2pcards.daemon.thinking import decide_now
from p2pcards.frontend.autoplay import Autoplay
from p2pcards.frontend.stage import Cue, Stage, StageEvent, Tempo, after, heard
from p2pcards.present.cards import Style
from p2pcards.present.score import sheet_lines
from p2pcards.present.story import story
from p2pcards.present.table import hand_lines
from p2pcards.session.effects import Think
from p2pcards.views.happenings import HandDealt, HandScored, Happening
from p2pcards.views.tableview import TableView

STOP = (b"q", b"Q", b"\x04")
STOP_HELP = "Press q to stop."


def tell_in_lines(session: Autoplay, style: Style, pace: float, *, keys: bool) -> None:
    """Until it is over or stopped. pace: seconds of an action; keys: there is a terminal to press one at."""
    stage, tempo = Stage(), Tempo(pace, pace)
    with suppress(KeyboardInterrupt), _keys(keys) as stops:
        for one in _all_of(session):
            if isinstance(one, TableView):
                stage, cues = after(stage, StageEvent.VIEW, monotonic(), tempo, one)
            else:
                stage, cues = heard(stage, Happened(one))
            _tell(cues, session, style)
            while stage.until is not None:
                if stops(max(stage.until - monotonic(), 0)):
                    return
                stage, cues = after(stage, StageEvent.TIME, monotonic(), tempo)
                _tell(cues, session, style)
        _tell(after(stage, StageEvent.END, monotonic(), tempo)[1], session, style)


def play_quietly(session: Autoplay) -> None:
    """Until it is over, or stopped by Ctrl-C."""
    with suppress(KeyboardInterrupt):
        action = None
        while (step := session.go_on(action)) is not None:
            action = decide_now(step) if isinstance(step, Think) else None


def _all_of(session: Autoplay) -> Iterator[Happening | TableView]:
    """All that happens, and the table whenever a computer player decides."""
    action = None
    while (step := session.go_on(action)) is not None:
        if isinstance(step, Think):
            yield session.view()
            action = decide_now(step)
        else:
            yield step


def _tell(cues: Sequence[Cue], session: Autoplay, style: Style) -> None:
    for cue in cues:
        if not isinstance(cue, Happened):
            continue
        say(story(cue.happening, session.name, style))
        if isinstance(cue.happening, HandDealt):
            say("\n".join(hand_lines(session.view(), style)))
        if isinstance(cue.happening, HandScored):
            say("\n".join(sheet_lines(cue.happening, session.name, style)))


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
