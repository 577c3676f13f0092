"""The process of a daemon. Nothing is imported here that takes a while: the title begins it before anything else."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Protocol

ANSWERS = 0.2
"""Seconds in which a daemon that runs takes a connection."""

PROFILE = "P2PCARDS_PROFILE"
"""In the environment: whose home is meant."""


class Place(Protocol):
    """Where the files of a daemon are."""

    @property
    def state(self) -> Path: ...
    @property
    def config(self) -> Path: ...
    @property
    def socket(self) -> Path: ...
    @property
    def diagnostics(self) -> Path: ...
    @property
    def profile(self) -> str: ...
    @property
    def fallback(self) -> Path | None: ...


def spawn(place: Place, announce: int) -> int:
    """The number of the process. The daemon says on `announce`, its standard output, whether it runs, and closes it."""
    try:
        errors = os.open(place.diagnostics, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:  # whatever is wrong with the folder, the daemon says it better
        errors = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    try:
        return os.posix_spawn(
            sys.executable,
            [sys.executable, "-P", "-m", "p2pcards.daemon", *_arguments(place)],
            {**os.environ, PROFILE: place.profile},  # for the player's own commands, which may be p2pcards again
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, announce, 1),
                (os.POSIX_SPAWN_DUP2, errors, 2),
            ],
            setsid=True,
        )
    finally:
        os.close(errors)


def _arguments(place: Place) -> list[str]:
    """Of a daemon: its folders and its socket; below the Default profile also its name, and whose settings count where
    it has none."""
    folders = [os.fspath(path) for path in (place.state, place.config, place.socket)]
    return folders if place.fallback is None else [*folders, place.profile, os.fspath(place.fallback)]


def begin(place: Place) -> int | None:
    """Begin a daemon, unless one runs already or none can be begun, which is told when it is needed. What is returned
    can be read, and ends when the daemon is ready, or will not be."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as running:
        running.settimeout(ANSWERS)
        running.connect(os.fspath(place.socket))
        return None
    reading, writing = os.pipe()
    try:
        spawn(place, writing)
    except OSError:
        os.close(reading)
        return None
    finally:
        os.close(writing)
    return reading


def wait_until_ready(begun: int | None) -> None:
    """begun: as `begin` returns it."""
    if begun is not None:
        with open(begun, "rb") as announced:  # noqa: PTH123
            announced.read()
