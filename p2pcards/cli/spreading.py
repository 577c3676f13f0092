"""Where much work is done: in this process, in several here, or in those of a cluster; with the same results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from p2pcards.cli.command import Failure, contains_error
from p2pcards.control.exits import UNEXPECTED, USAGE

if TYPE_CHECKING:
    from p2pcards.daemon.crew import Crew

MOST_JOBS = 1000


def run_with_crew(main: Callable[[Crew], Awaitable[None]], jobs: int, cluster: str = "") -> None:
    """Run `main` with a crew. jobs: our own processes, 1 for this one alone; cluster: address of the Dask scheduler
    whose workers to use instead. Raises what main raises, Failure or KeyboardInterrupt, never a group; nothing still
    runs then."""
    import trio

    from p2pcards.daemon.crew import TRIES, WorkersDied

    async def run() -> None:
        async with _open_crew(jobs, cluster) as crew:
            await main(crew)

    try:
        trio.run(run)
    except BaseException as error:
        cause = _single_cause(error)
        if isinstance(cause, WorkersDied):
            cause = Failure(
                f"{TRIES} processes died on the same task, perhaps out of memory. Try a smaller --jobs.",
                UNEXPECTED,
            )
        raise cause from None


def check_number(option: str, number: int, most: int) -> None:
    """Raise Failure for a number that is not from 1 to most. option: its name."""
    if not 1 <= number <= most:
        raise Failure(f"{option} takes 1 to {most}, not {number}.", USAGE)


@asynccontextmanager
async def _open_crew(jobs: int, cluster: str) -> AsyncIterator[Crew]:
    from p2pcards.daemon.crew import ALONE, crew_of_processes

    if cluster:
        from p2pcards.cli.cluster import crew_of_cluster

        async with crew_of_cluster(cluster) as crew:
            yield crew
    elif jobs > 1:
        async with crew_of_processes(jobs) as crew:
            yield crew
    else:
        yield ALONE


def _single_cause(error: BaseException) -> BaseException:
    if contains_error(KeyboardInterrupt, error):
        return KeyboardInterrupt()
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
