"""Computer players of a page: they decide in the page's own worker, in plain Python, one world after the other. Each
keeps the promise of its level, and the edition says so (`levels.edition_of`)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from trio.testing import wait_all_tasks_blocked

from p2pcards.daemon.thinking import Decide
from p2pcards.players.choose import choose_in_steps, deadline_of_level, rate_in_steps
from p2pcards.session.effects import Think


@asynccontextmanager
async def thinking_here() -> AsyncIterator[Decide]:
    yield decide_in_time


async def decide_in_time(think: Think) -> Any:
    """Decide, giving way between two simulated worlds to all else that is due. So a table that no longer waits can
    cancel it."""
    await wait_all_tasks_blocked()
    deadline = deadline_of_level(think.game.key, think.level, time.monotonic, fast=False)
    steps = (rate_in_steps if think.hint else choose_in_steps)(
        think.game, think.view, think.seat, think.level, Random(think.seed), deadline
    )
    while True:
        try:
            next(steps)
        except StopIteration as decided:
            return decided.value
        await wait_all_tasks_blocked()
