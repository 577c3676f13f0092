"""Computer players of a page: they decide in the page's own worker, in plain Python, one world after the other. A
decision has a second, whatever the level wants; the edition says that it was made so (`players/levels.hurried`)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from trio.testing import wait_all_tasks_blocked

from p2pcards.daemon.thinking import Decide
from p2pcards.players.choose import choosing, weighing
from p2pcards.players.search import Hurry
from p2pcards.session.effects import Think

BUDGET = 0.7
"""Seconds after which no further world is tried out; the one that is under way is still followed to its end."""
NODES = 400
"""Positions of an exact end, which take a quarter of a second; a hint looks at eight times as many, for all worths."""


@asynccontextmanager
async def thinking_here() -> AsyncIterator[Decide]:
    yield decide_in_a_hurry


async def decide_in_a_hurry(think: Think) -> Any:
    """Between two worlds whatever else there is to do is done first: what has just happened is shown, somebody says
    something, a link is served. So a table that no longer waits for it ends it there."""
    await wait_all_tasks_blocked()
    end = time.monotonic() + BUDGET
    hurry = Hurry(lambda: time.monotonic() > end, NODES // 4 if think.hint else NODES)
    steps = (weighing if think.hint else choosing)(
        think.game, think.view, think.seat, think.level, Random(think.seed), hurry
    )
    while True:
        try:
            next(steps)
        except StopIteration as decided:
            return decided.value
        await wait_all_tasks_blocked()
