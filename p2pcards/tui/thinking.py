"""Where computer players decide that belong to the screen alone: those that search do so in a process of their own, so
that the screen does not wait for them."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

from p2pcards.daemon.compiling import begin_compiling
from p2pcards.frontend.autoplay import decided
from p2pcards.games.game import Action
from p2pcards.players.choose import searches
from p2pcards.session.effects import Think

Decide = Callable[[Think], Awaitable[Action]]

MIND = [sys.executable, "-P", "-m", "p2pcards.tui.mind"]
TRIES = 2


@contextmanager
def thinking_apart() -> Iterator[Decide]:
    """Decides one thing after the other. When it is left the process has ended, whatever it was about."""
    thinker = Thinker()
    try:
        yield thinker.decide
    finally:
        thinker.end()


class Thinker:
    """The process, which is started when it is first needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    async def decide(self, think: Think) -> Action:
        """A process that dies leaves its decision to another, which decides the same. Where that dies too, the screen
        waits for the decision."""
        if searches(think.game.key, think.level):
            for _ in range(TRIES):
                with suppress(EOFError, OSError, pickle.UnpicklingError):
                    return await asyncio.to_thread(_asked, self._running(), think)
                self.end()
        return decided(think)

    def end(self) -> None:
        """At once."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(BrokenPipeError), process:  # it may hold what could not be said any more
                pass

    def _running(self) -> subprocess.Popen[bytes]:
        """In a session of its own: it ends with what it is asked on, not by a key."""
        if self._process is None:
            begin_compiling(os.environ)
            self._process = subprocess.Popen(
                MIND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        return self._process


def _asked(process: subprocess.Popen[bytes], think: Think) -> Action:
    """Raises EOFError, OSError or UnpicklingError where the process has ended."""
    if process.stdin is None or process.stdout is None:
        raise EOFError
    process.stdin.write(pickle.dumps((think.game.key, think.view, think.seat, think.level, think.seed)))
    process.stdin.flush()
    return pickle.load(process.stdout)
