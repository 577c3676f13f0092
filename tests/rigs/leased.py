"""Files that nobody else can open before the test lets them, as on a disk that takes its time; whether somebody has
tried is known. Linux has leases for that (fcntl(2))."""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import trio

from rigs.giving_up import longest_wait


class Leased:
    """A file of ours that nobody has open. A process that opens it waits until `let_go`."""

    def __init__(self, path: Path) -> None:
        self.fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        fcntl.fcntl(self.fd, fcntl.F_SETSIG, signal.SIGURG)  # which is ignored; that of a lease would end the test
        fcntl.fcntl(self.fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)

    @property
    def wanted(self) -> bool:
        """Whether somebody has tried to open it."""
        return fcntl.fcntl(self.fd, fcntl.F_GETLEASE) != fcntl.F_WRLCK

    async def until_wanted(self) -> None:
        with trio.fail_after(longest_wait()):
            while not self.wanted:
                await trio.sleep(0.01)

    def let_go(self) -> None:
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)


@contextmanager
def leased(paths: Iterable[Path]) -> Iterator[list[Leased]]:
    files: list[Leased] = []
    try:
        files += map(Leased, paths)
        yield files
    finally:
        for file in files:
            file.let_go()
