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
from p2pcards.players.choose import choosing, promised, weighing
from p2pcards.session.effects import Think


@asynccontextmanager
async def thinking_here() -> AsyncIterator[Decide]:
    yield decide_in_time


async def decide_in_time(think: Think) -> Any:
    """Between two worlds whatever else there is to do is done first: what has just happened is shown, somebody says
    something, a link is served. So a table that no longer waits for it ends it there."""
    await wait_all_tasks_blocked()
    deadline = promised(think.game.key, think.level, time.monotonic, fast=False)
    steps = (weighing if think.hint else choosing)(
        think.game, think.view, think.seat, think.level, Random(think.seed), deadline
    )
    while True:
        try:
            next(steps)
        except StopIteration as decided:
            return decided.value
        await wait_all_tasks_blocked()
