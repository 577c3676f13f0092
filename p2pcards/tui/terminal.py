"""The terminal as it was before, whatever happens to the program of the screen."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from textual.driver import Driver


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
                termios.tcsetattr(sys.__stdin__, termios.TCSADRAIN, before)
