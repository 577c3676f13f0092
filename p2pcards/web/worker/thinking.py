"""Computer players of a page: they decide in the page's own worker, in plain Python."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from p2pcards.daemon.thinking import Decide, decide_here


@asynccontextmanager
async def thinking_here() -> AsyncIterator[Decide]:
    yield decide_here
