"""Work that is spread over many hands: in a thread beside the event loop, in processes of our own, or wherever else a
crew works."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import trio

if TYPE_CHECKING:  # a browser has no processes, and what is done beside the loop is done there too
    from trio_parallel import WorkerContext

# --- what takes long is done in a thread, beside the event loop, which goes on meanwhile ------------------------------


T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


async def beside(
    function: Callable[[*Arguments], T], *arguments: *Arguments, lane: trio.CapacityLimiter | None = None
) -> T:
    """Run a function in a thread and return its result. A cancelled one goes on for nobody, keeps its place in the
    lane, and ends with the process at the latest. lane: limits how many run at once."""
    return await trio.to_thread.run_sync(function, *arguments, abandon_on_cancel=True, limiter=lane)


# --- work that is spread over many hands ------------------------------------------------------------------------------


Run = Callable[..., Awaitable[Any]]
"""(a function, its arguments) -> what it returns, wherever that is; all three must travel."""

TRIES = 3
PARTING = 1.0
"""Seconds in which the processes end by themselves when nothing is wanted of them any more."""


class WorkersDied(Exception):
    """As many processes as may try have ended while they were at one and the same work."""


@dataclass(frozen=True, slots=True)
class Crew:
    hands: int  # number of pieces of work that may run at once
    run: Run


async def spread(
    crew: Crew, work: Callable[..., Any], items: Iterable[tuple[Any, ...]], finished: Callable[[int, Any], None]
) -> None:
    """Run work(*item) for each item, started in order. finished: called with an item's number and result as soon as it
    is done, in any order."""
    waiting = iter(enumerate(items))

    async def lend_a_hand() -> None:
        """Do items until none is left."""
        for number, item in waiting:
            finished(number, await crew.run(work, *item))

    async with trio.open_nursery() as nursery:
        for _ in range(crew.hands):
            nursery.start_soon(lend_a_hand)


async def run_here(function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a function in this task, after a checkpoint."""
    await trio.lowlevel.checkpoint()
    return function(*arguments)


ALONE = Crew(1, run_here)


def running_in(workers: WorkerContext, tries: int = TRIES, limiter: trio.CapacityLimiter | None = None) -> Run:
    """A `Run` that runs functions in these processes. A cancelled one ends at once; if a process dies, another repeats
    its work, `tries` times in all."""
    from trio_parallel import BrokenWorkerError

    async def run(function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in one of the processes. Raises WorkersDied."""
        for _ in range(tries):
            with suppress(BrokenWorkerError):
                return await workers.run_sync(function, *arguments, kill_on_cancel=True, limiter=limiter)
        raise WorkersDied

    return run


@asynccontextmanager
async def crew_of_processes(jobs: int) -> AsyncIterator[Crew]:
    """A crew of this many processes, kept until the context ends."""
    from trio_parallel import BrokenWorkerError, open_worker_context

    error: BaseException | None = None
    with suppress(BrokenWorkerError):  # all is done by then: how an idle process ends matters to nobody
        async with open_worker_context(grace_period=PARTING) as workers:
            try:
                yield Crew(jobs, running_in(workers, limiter=trio.CapacityLimiter(jobs)))
            except BaseException as raised:
                error = raised
    if error is not None:
        raise error
