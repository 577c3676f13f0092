"""A session of `p2pcards autoplay`, told in lines; on a terminal a key stops it."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

from p2pcards.cli.terminal import print_text
from p2pcards.control.messages import Happened
from p2pcards.daemon.thinking import decide_now
from p2pcards.frontend.autoplay import Autoplay
from p2pcards.frontend.stage import Cue, Stage, StageEvent, Tempo, add_happening, advance_stage
from p2pcards.present.cards import Style
from p2pcards.present.score import sheet_lines
from p2pcards.present.story import happening_sentence
from p2pcards.present.table import hand_lines
from p2pcards.session.effects import Think
from p2pcards.views.happenings import HandDealt, HandScored, Happening
from p2pcards.views.tableview import TableView

STOP = (b"q", b"Q", b"\x04")
STOP_HELP = "Press q to stop."


def print_session(session: Autoplay, style: Style, pace: float, *, keys: bool) -> None:
    """Print the session line by line, until it is over or stopped. pace: seconds for an action; keys: a key pressed at
    the terminal stops it."""
    stage, tempo = Stage(), Tempo(pace, pace)
    with suppress(KeyboardInterrupt), _stop_key_watch(keys) as stops:
        for one in _session_updates(session):
            if isinstance(one, TableView):
                stage, cues = advance_stage(stage, StageEvent.VIEW, monotonic(), tempo, one)
            else:
                stage, cues = add_happening(stage, Happened(one))
            _print_cues(cues, session, style)
            while stage.until is not None:
                if stops(max(stage.until - monotonic(), 0)):
                    return
                stage, cues = advance_stage(stage, StageEvent.TIME, monotonic(), tempo)
                _print_cues(cues, session, style)
        _print_cues(advance_stage(stage, StageEvent.END, monotonic(), tempo)[1], session, style)


def play_without_output(session: Autoplay) -> None:
    """Play the session without printing, until it is over or Ctrl-C."""
    with suppress(KeyboardInterrupt):
        action = None
        while (step := session.go_on(action)) is not None:
            action = decide_now(step) if isinstance(step, Think) else None


def _session_updates(session: Autoplay) -> Iterator[Happening | TableView]:
    """Everything that happens, and the view of the table whenever a computer player decides."""
    action = None
    while (step := session.go_on(action)) is not None:
        if isinstance(step, Think):
            yield session.view()
            action = decide_now(step)
        else:
            yield step


def _print_cues(cues: Sequence[Cue], session: Autoplay, style: Style) -> None:
    for cue in cues:
        if not isinstance(cue, Happened):
            continue
        print_text(happening_sentence(cue.happening, session.name, style))
        if isinstance(cue.happening, HandDealt):
            print_text("\n".join(hand_lines(session.view(), style)))
        if isinstance(cue.happening, HandScored):
            print_text("\n".join(sheet_lines(cue.happening, session.name, style)))


@contextmanager
def _stop_key_watch(terminal: bool) -> Iterator[Callable[[float], bool]]:
    """Give a function that waits for so many seconds, and is True if the key that stops was pressed."""
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
