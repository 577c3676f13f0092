"""Where much work is done: in this process, in several here, or in those of a cluster; with the same results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from p2pcards.cli.command import Failure, is_in
from p2pcards.control.exits import UNEXPECTED, USAGE

if TYPE_CHECKING:
    from p2pcards.daemon.crew import Crew

MOST_JOBS = 1000


def with_crew(main: Callable[[Crew], Awaitable[None]], jobs: int, cluster: str = "") -> None:
    """Runs main with a crew. jobs: processes of our own, 1 for this one. cluster: the address of Dask's scheduler,
    whose workers are the crew then. Raises what main raises, Failure, or KeyboardInterrupt, never a group of them;
    nothing is under way any more then."""
    import trio

    from p2pcards.daemon.crew import TRIES, WorkersDied

    async def run() -> None:
        async with _crew(jobs, cluster) as crew:
            await main(crew)

    try:
        trio.run(run)
    except BaseException as error:
        cause = _cause(error)
        if isinstance(cause, WorkersDied):
            cause = Failure(
                f"{TRIES} processes died on the same task, perhaps out of memory. Try a smaller --jobs.",
                UNEXPECTED,
            )
        raise cause from None


def check_number(option: str, number: int, most: int, least: int = 1) -> None:
    """Raises Failure."""
    if not least <= number <= most:
        raise Failure(f"{option} takes {least} to {most}, not {number}.", USAGE)


@asynccontextmanager
async def _crew(jobs: int, cluster: str) -> AsyncIterator[Crew]:
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


def _cause(error: BaseException) -> BaseException:
    if is_in(KeyboardInterrupt, error):
        return KeyboardInterrupt()
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
