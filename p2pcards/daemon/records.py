"""The games that end are entered in the records while the daemon has time: whoever asks need not wait for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import trio

from p2pcards.daemon.bell import Bell
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.results.keeping import ask, proofread_all, silent
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home

REST, FEW = 0.1, 4
"""Seconds after each log, where there are more to read than so few: the loop keeps its share of the processor."""
BREATH = 0.0005
"""Seconds after each game that is proofread."""


class Records:
    """Those of a home."""

    def __init__(self, home: Home, diagnostics: Diagnostics) -> None:
        self._home = home
        self._diagnostics = diagnostics
        self._ended = Bell()
        self._due = False

    def note_end(self) -> None:
        """A game is over, and its log says so."""
        self._due = True
        self._ended.ring()

    async def run(self) -> None:
        """They are proofread, and brought up to date after each game, as long as this runs."""
        await self._do(partial(proofread_all, self._home, progress=_rest, pause=_breathe))
        while True:
            while self._due:
                self._due = False
                await self._do(partial(ask, self._home, silent, progress=_rest))
            await self._ended.wait()

    async def _do(self, task: Callable[..., None]) -> None:
        told: list[str] = []
        try:
            # It is waited for, as nothing may be written here once the daemon has gone; `_breathe` ends it soon.
            await trio.to_thread.run_sync(partial(task, tell=told.append))
        except StoreError as error:
            told.append(str(error))
        except Exception as error:  # no table ends for the sake of the records
            self._diagnostics.fault("records", error)
        for sentence in told:
            self._diagnostics.note(f"records: {sentence}")


def _breathe() -> None:
    """In the thread."""
    trio.from_thread.check_cancelled()
    time.sleep(BREATH)


def _rest(_done: int, logs: int) -> None:
    trio.from_thread.check_cancelled()
    if logs > FEW:
        time.sleep(REST)
