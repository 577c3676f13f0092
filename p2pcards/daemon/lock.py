"""Which process is the daemon of a home: the one that holds a lock on a file, released when the process exits."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from p2pcards.store.files import store_error


class AlreadyRuns(Exception):
    """Another daemon holds the lock; the argument is a sentence."""


def take_lock(path: Path) -> int:
    """Lock this file as the daemon of the home; returns the descriptor that holds the lock while open. Raises
    AlreadyRuns and StoreError."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise store_error(error, f"Can't write {path}") from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
    except BlockingIOError:
        pid = os.pread(fd, 20, 0).decode(errors="replace").strip()
        os.close(fd)
        raise AlreadyRuns(f"A daemon is already running here (pid {pid or 'unknown'}).") from None
    except OSError as error:
        os.close(fd)
        raise store_error(error, f"Can't lock {path}") from error
    return fd


LOOKING = 0.02
"""Seconds before looking again whether a daemon has ended."""


def wait_until_free(path: Path, seconds: float) -> bool:
    """Wait at most so many seconds for the daemon that holds the lock to end; True if it has."""
    end = time.monotonic() + seconds
    while is_held(path):
        if time.monotonic() >= end:
            return False
        time.sleep(LOOKING)
    return True


def is_held(path: Path) -> bool:
    """True if a process holds this lock."""
    with suppress(FileNotFoundError), path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
