"""The terminal as it was before, whatever happens to the program of the screen."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from textual.driver import Driver

from p2pcards.tui.own_command import end_own_commands

ENDING = 5.0
"""Seconds that the program has to end in once it is told to; a terminal that takes nothing more keeps the toolkit
waiting for ever."""


def keep_through_stops(driver: Driver | None) -> None:
    """Where the program was stopped without being asked (SIGSTOP), the terminal is still its own when it goes on: the
    toolkit would take it once more, and wait for the first taking at its end."""
    again = signal.getsignal(signal.SIGCONT) if hasattr(driver, "_must_signal_resume") else None
    if callable(again):
        asked = again

        def go_on(number: int, frame: FrameType | None) -> None:
            if getattr(driver, "_must_signal_resume", False):
                asked(number, frame)

        signal.signal(signal.SIGCONT, go_on)


@contextmanager
def ended_by_signals(let_go: Callable[[], None], ending: float = ENDING) -> Iterator[Sequence[int]]:
    """A signal that ends programs, as when the terminal is closed, has this one let go of its table. Where that is not
    done in time, ending seconds, it ends as it is, with the commands that it runs. Gives the numbers of those that
    have come."""
    loop = asyncio.get_running_loop()
    came: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        signal.setitimer(signal.ITIMER_REAL, ending)
        loop.call_soon_threadsafe(let_go)

    def end_at_once(_number: int, _frame: FrameType | None) -> None:
        end_own_commands()
        signal.signal(came[0], signal.SIG_DFL)
        os.kill(os.getpid(), came[0])

    heeded = [one for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) != signal.SIG_IGN]
    handlers = {**dict.fromkeys(heeded, end), signal.SIGALRM: end_at_once}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield came
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


if sys.platform == "win32":

    @contextmanager
    def given_back() -> Iterator[None]:
        """There is nothing to give back."""
        yield

else:
    import termios

    @contextmanager
    def given_back() -> Iterator[None]:
        """The toolkit gives back what it found when the program last went on, which after a stop is its own."""
        try:
            before = termios.tcgetattr(sys.__stdin__) if sys.__stdin__ else None
        except (termios.error, ValueError):
            before = None
        try:
            yield
        finally:
            if before is not None and sys.__stdin__:
                with suppress(termios.error):  # it may be closed
                    termios.tcsetattr(sys.__stdin__, termios.TCSADRAIN, before)
