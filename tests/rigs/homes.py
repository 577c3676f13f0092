"""What the tests of the daemon share: looking at its process, and waiting for what a table shows."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import TypeVar

import trio

from p2pcards.control.client import ClientTable
from p2pcards.control.declined import Declined
from p2pcards.control.messages import Happened
from p2pcards.store.files import Home
from p2pcards.views.happenings import Happening, Notice
from p2pcards.views.tableview import Command, TableView
from rigs.giving_up import longest_wait

T = TypeVar("T")


MakeHome = Callable[[str], Home]


def faults_in(folder: Path) -> list[str]:
    """The mistakes of the program that the daemons of all homes below a folder have noted."""
    notes = [line for path in folder.rglob("diagnostics.*") for line in path.read_text().splitlines()]
    return [note for note in notes if " FAULT " in note]


def daemon_runs(home: Home) -> bool:
    """Whether somebody holds the lock of this home."""
    if not home.lock.exists():
        return False
    with home.lock.open() as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return True
    return False


def daemon_pid(home: Home) -> int:
    return int(home.lock.read_text())


def kill_daemon(home: Home) -> None:
    """kill -9, and wait until it is dead."""
    pid = daemon_pid(home)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)
    wait_until_ended(home)


def wait_until_ended(home: Home) -> None:
    end = time.monotonic() + longest_wait()
    while daemon_runs(home):
        assert time.monotonic() < end, "the daemon goes on"
        time.sleep(0.01)


async def happening(
    table: ClientTable, kind: type[T] | tuple[type[T], ...], seen: list[TableView | Happened] | None = None
) -> T:
    """The next happening of this kind, or of one of these; everything that came before it is added to `seen`."""
    with trio.fail_after(longest_wait()):
        async for update in table.updates():
            if seen is not None:
                seen.append(update)
            if isinstance(update, Happened) and isinstance(update.happening, kind):
                return update.happening
    raise AssertionError(f"the table ended before {kind}")


async def view(table: ClientTable, condition: Callable[[TableView], bool]) -> TableView:
    """The next view that fits."""
    with trio.fail_after(longest_wait()):
        async for update in table.updates():
            if isinstance(update, TableView) and condition(update):
                return update
    raise AssertionError("the table ended before such a view")


async def play_until(table: ClientTable, condition: Callable[[Happening], bool]) -> Happening:
    """Make the first legal move whenever it is my turn, until a happening fits."""
    with trio.fail_after(longest_wait()):
        async for update in table.updates():
            if isinstance(update, Happened):
                if condition(update.happening):
                    return update.happening
            elif update.legal:
                with suppress(Declined):  # the table may stand still, or have moved on
                    await table.command(Command("act", tuple(update.legal[0].split())))
    raise AssertionError("the table ended before such a happening")


def says(words: str) -> Callable[[Happening], bool]:
    """Whether a happening is a notice with these words in it."""
    return lambda happening: isinstance(happening, Notice) and words in str(happening.text)


async def all_at_once(*functions: Callable[[], Awaitable[None]]) -> None:
    """Call these at once, and wait for all: two ends of a link that close together do not wait for each other."""
    async with trio.open_nursery() as nursery:
        for function in functions:
            nursery.start_soon(function)


def unreadable(home: Home) -> None:
    """No log can be read any more, though none seems to have changed."""
    for log in home.logs.glob("*.log"):
        status = log.stat()
        log.write_bytes(bytes(status.st_size))
        os.utime(log, ns=(status.st_atime_ns, status.st_mtime_ns))
