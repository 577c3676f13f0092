"""Computer players of a page: they decide in the page's own worker, in plain Python, which stands meanwhile. So a
decision has a second, whatever the level wants; the edition says that it was made so (`players/levels.hurried`)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import trio

from p2pcards.daemon.thinking import Decide
from p2pcards.players.choose import choose, rate
from p2pcards.players.search import Hurry
from p2pcards.session.effects import Think

BUDGET = 0.7
"""Seconds after which no further world is tried out; the one that is under way is still followed to its end."""
NODES = 1000
"""Positions of an exact end, which take half a second; a hint looks at eight times as many, to tell all worths."""


@asynccontextmanager
async def thinking_here() -> AsyncIterator[Decide]:
    yield decide_in_a_hurry


async def decide_in_a_hurry(think: Think) -> Any:
    await trio.lowlevel.checkpoint()
    end = time.monotonic() + BUDGET
    hurry = Hurry(lambda: time.monotonic() > end, NODES // 4 if think.hint else NODES)
    return (rate if think.hint else choose)(think.game, think.view, think.seat, think.level, Random(think.seed), hurry)
