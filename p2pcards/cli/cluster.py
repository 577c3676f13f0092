"""A cluster of Dask's as a crew: workers of one scheduler on any machines, each with the same p2pcards.

Dask gives the work of a worker that dies to another, and gives work up at which several have died.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import trio

import p2pcards
from p2pcards.cli.command import Failure
from p2pcards.control.exits import NETWORK, UNEXPECTED, USAGE
from p2pcards.daemon.crew import Crew

if TYPE_CHECKING:
    from distributed import Client

NEEDED = "distributed>=2026.8"
ANSWER = 10.0
"""Seconds in which a scheduler answers."""
WORKERS = 30.0
"""Seconds in which a worker comes where there is none: one that died is started again by its nanny."""
PARTING = 2.0
"""Seconds that it takes at the most to tell the scheduler that we go."""
GLANCE = 1.0
"""Seconds between two looks whether the scheduler answers and has workers."""
AHEAD = 2
"""So much for each thread of a worker, so that none waits for what comes next."""
PLAYING = ("cards", "games", "ledger", "players")
"""The rooms that decide how a game goes."""

T = TypeVar("T")


class OtherProgram(Exception):
    """A worker runs another program than this one. The arguments are its `program_fingerprint` and its
    address."""


@asynccontextmanager
async def crew_of_cluster(address: str) -> AsyncIterator[Crew]:
    """Open a crew of a Dask cluster's workers. address: of its scheduler. Raises Failure where none answers or its
    program differs, also later on."""
    _check_address(address)
    with _silent_dask():
        client = await _connect_client(address)
        try:
            hands = AHEAD * await _count_checked_threads(client, address)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_watch_cluster, client, address)
                yield Crew(hands, _runner_on_cluster(client, address, trio.CapacityLimiter(hands)))
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True), suppress(TimeoutError):
                await _ask_dask(partial(client.close, PARTING), PARTING)


@cache
def program_fingerprint() -> str:
    """A text that is the same wherever decisions and results are: the version, a hash of the sources that decide them,
    and Dask's version."""
    root, sources = Path(p2pcards.__file__).parent, sha256()
    for path in sorted([path for room in PLAYING for path in (root / room).rglob("*.py")]):
        sources.update(f"{path.relative_to(root).as_posix()}\n{path.read_text(encoding='utf-8')}\n".encode())
    digest = sources.hexdigest()[:8]
    return f"p2pcards {p2pcards.__version__} (sources {digest}) with distributed {version('distributed')}"


def run_if_same_program(program: str, function: Callable[..., T], *arguments: Any) -> T:
    """On a worker: call the function if this is the expected program. Raises OtherProgram."""
    if program_fingerprint() != program:
        from distributed import get_worker

        raise OtherProgram(program_fingerprint(), get_worker().address)
    return function(*arguments)


# --- private ----------------------------------------------------------------------------------------------------------


@contextmanager
def _silent_dask() -> Iterator[None]:
    """Silence Dask's own output; errors are reported as sentences."""
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)


def _check_address(address: str) -> None:
    """Check the form of a scheduler's address. Raises Failure."""
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        fine = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
    except ValueError:
        fine = False
    if not fine:
        raise Failure(
            f"--cluster takes the address of a Dask scheduler, such as tcp://example.org:8786, not {address[:40]!r}.",
            USAGE,
        )


async def _connect_client(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise Failure(
            f"--cluster needs Dask, which isn't installed. To install it: {sys.executable} -m pip install '{NEEDED}'",
            USAGE,
        ) from None
    try:
        return await _ask_dask(partial(Client, address, timeout=ANSWER, set_as_default=False), ANSWER)
    except OSError:
        raise Failure(
            f"No Dask scheduler answers at {address}. Check the address, or start one there with 'dask scheduler'.",
            NETWORK,
        ) from None


async def _count_checked_threads(client: Client, address: str) -> int:
    """The number of threads of the cluster's workers, after checking that all run this program."""
    try:
        await _ask_dask(partial(client.wait_for_workers, 1), WORKERS)
    except OSError:
        raise _no_workers(address) from None
    try:
        programs = await _ask_dask(partial(client.run, program_fingerprint, on_error="return"), ANSWER)
        threads: dict[str, int] = await _ask_dask(client.nthreads, ANSWER)
    except OSError:
        raise _scheduler_gone(address) from None
    for worker, program in programs.items():
        if program != program_fingerprint():
            raise _other_program(worker, program)
    return sum(threads.values())


def _runner_on_cluster(client: Client, address: str, limiter: trio.CapacityLimiter) -> Callable[..., Any]:
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    async def run(function: Callable[..., Any], *arguments: Any) -> Any:
        future = client.submit(run_if_same_program, program_fingerprint(), function, *arguments, pure=False)
        try:
            return await trio.to_thread.run_sync(future.result, abandon_on_cancel=True, limiter=limiter)
        except OtherProgram as other:
            raise _other_program(other.args[1], other.args[0]) from None
        except KilledWorker:
            raise Failure(
                f"Several workers of {address} died on the same task, perhaps out of memory.",
                UNEXPECTED,
            ) from None
        except (FutureCancelledError, OSError):
            raise _scheduler_gone(address) from None

    return run


async def _watch_cluster(client: Client, address: str) -> None:
    """Raise Failure when the scheduler stops answering, or has had no workers for a while."""
    seen = trio.current_time()
    while True:
        await trio.sleep(GLANCE)
        try:
            threads = await _ask_dask(client.nthreads, ANSWER)
        except OSError:
            raise _scheduler_gone(address) from None
        seen = trio.current_time() if threads else seen
        if trio.current_time() - seen > WORKERS:
            raise _no_workers(address)


async def _ask_dask(question: Callable[[], T], seconds: float) -> T:
    """The answer to a question to Dask, within so many seconds. Raises OSError."""
    with trio.move_on_after(seconds):
        return await trio.to_thread.run_sync(question, abandon_on_cancel=True)
    raise TimeoutError


def _scheduler_gone(address: str) -> Failure:
    return Failure(f"The scheduler at {address} stopped answering. Check that it's running, then try again.", NETWORK)


def _no_workers(address: str) -> Failure:
    return Failure(
        f"The scheduler at {address} has no workers. Start one for each core: "
        f"dask worker {address} --nworkers auto --nthreads 1",
        NETWORK,
    )


def _other_program(worker: str, program: object) -> Failure:
    theirs = program if isinstance(program, str) else "no matching p2pcards"
    return Failure(
        f"The worker {worker} has {theirs}, but this machine has {program_fingerprint()}. Install the same version "
        f"on both, and restart the worker.",
        NETWORK,
    )
