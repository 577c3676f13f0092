"""The process of a daemon. Nothing is imported here that takes a while: the title begins it before anything else."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from select import select
from typing import Protocol

START_DEADLINE = 60.0
"""Seconds for a daemon to start and be reached: half a second at rest, twenty beside twenty busy programs."""

ANSWERS = 0.2
"""Seconds in which a daemon that runs takes a connection."""

PROFILE = "P2PCARDS_PROFILE"
"""In the environment: whose home is meant."""


class Place(Protocol):
    """Where the files of a daemon are."""

    @property
    def state(self) -> Path:
        """The state folder."""

    @property
    def config(self) -> Path:
        """The settings folder."""

    @property
    def socket(self) -> Path:
        """The control socket."""

    @property
    def diagnostics(self) -> Path:
        """The file for the daemon's notes."""

    @property
    def profile(self) -> str:
        """The name of the profile, "" for the Default one."""

    @property
    def fallback(self) -> Path | None:
        """The settings file that counts where the profile's says nothing; None for the Default profile."""


def spawn_daemon(place: Place, announce: int) -> int:
    """Start a daemon process and return its process id. announce: the file descriptor of its standard output, on which
    it reports readiness."""
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
    """The command line arguments of a daemon: its folders and socket; for other profiles than the Default one also name
    and fallback settings."""
    folders = [os.fspath(path) for path in (place.state, place.config, place.socket)]
    return folders if place.fallback is None else [*folders, place.profile, os.fspath(place.fallback)]


def begin_daemon(place: Place) -> int | None:
    """Start the daemon unless one runs or none can be started. Returns a file descriptor that can be read when the
    daemon is ready or has failed, None if nothing was started."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as running:
        running.settimeout(ANSWERS)
        running.connect(os.fspath(place.socket))
        return None
    reading, writing = os.pipe()
    try:
        spawn_daemon(place, writing)
    except OSError:
        os.close(reading)
        return None
    finally:
        os.close(writing)
    return reading


def wait_until_ready(begun: int | None) -> None:
    """Wait for the daemon that `begin_daemon` started, to be ready or to fail. begun: what that returned."""
    if begun is not None:
        select([begun], [], [], START_DEADLINE)
        os.close(begun)
