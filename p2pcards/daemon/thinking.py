"""Where computer players think: those that search do so in processes of their own, so that no link, heartbeat or other
table waits for them."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Any

import trio

from p2pcards.daemon.compiling import COMPILER, begin_compiling, has_newer_kernels
from p2pcards.daemon.crew import PARTING, WorkersDied, running_in
from p2pcards.players.choose import choose, choose_by_key, deadline_of_level, rate, rate_by_key
from p2pcards.players.levels import searches
from p2pcards.session.effects import Think

if TYPE_CHECKING:
    from trio_parallel import WorkerContext

Decide = Callable[[Think], Awaitable[Any]]
"""The action that is chosen; for a hint all that was weighed, as `rate` gives it."""

Thinking = Callable[[], AbstractAsyncContextManager[Decide]]
"""Where a daemon's players think as long as it runs: processes of their own, or what a system has that knows none."""

TRIES = 2


class CannotThink(Exception):
    """The processes in which a decision was to be made have ended."""


def decide_now(think: Think) -> Any:
    """Decide in this process, blocking; ratings of all choices for a hint, else an action."""
    decide = rate if think.hint else choose
    deadline = deadline_of_level(think.game.key, think.level, clock_of(think))
    return decide(think.game, think.view, think.seat, think.level, Random(think.seed), deadline)


async def decide_here(think: Think) -> Any:
    """Decide in this task, blocking the event loop."""
    return decide_now(think)


def clock_of(think: Think) -> Callable[[], float] | None:
    """The clock for a decision that has to keep its level's promise; None for one that must be repeatable."""
    return None if think.repeatable else time.monotonic


def deciding_in(workers: WorkerContext) -> Decide:
    """A `Decide` that gives long decisions to these processes. If one dies, another repeats its decision, with the same
    result."""
    run = running_in(workers, TRIES)
    searched = False

    async def decide(think: Think) -> Any:
        """Decide in one of the processes, or here if that is quick. Raises CannotThink."""
        nonlocal searched
        if not searches(think.game.key, think.level):
            return await decide_here(think)
        if not searched and COMPILER in os.environ:
            searched = True
            await trio.to_thread.run_sync(begin_compiling, os.environ)
        ask = rate_by_key if think.hint else choose_by_key
        try:
            return await run(ask, think.game.key, think.view, think.seat, think.level, think.seed, clock_of(think))
        except WorkersDied:
            raise CannotThink from None

    return decide


@asynccontextmanager
async def thinking_in_processes() -> AsyncIterator[Decide]:
    """A `Decide` with processes of its own, while in this context."""
    from trio_parallel import open_worker_context

    async with open_worker_context(grace_period=PARTING, retire=has_newer_kernels) as workers:
        yield deciding_in(workers)


@asynccontextmanager
async def thinking_apart() -> AsyncIterator[Decide]:
    """A `Decide` with processes of its own that decides here once these have died. Enter it before a toolkit takes
    standard error, which the first process inherits."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
    async with thinking_in_processes() as apart:

        async def decide(think: Think) -> Any:
            """Decide in a process, or here if these have died."""
            try:
                return await apart(think)
            except CannotThink:
                return await decide_here(think)

        yield decide
