"""Reaching the daemon, and starting it when none runs."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import trio

from p2pcards.control.declined import Declined, NoDaemon
from p2pcards.control.exits import DAEMON

START_DEADLINE = 15.0
"""Seconds for a daemon to start and be reached."""

RETRY = 0.05
"""Seconds before looking again for a daemon that somebody else is starting or ending."""


PROFILE = "P2PCARDS_PROFILE"
"""In the environment: whose home is meant."""


def untold(_pid: int) -> None:
    """Nobody wants to know."""


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


async def reach(place: Place, start: bool, spawned: Callable[[int], None] = untold) -> trio.SocketStream:
    """A stream to the daemon. spawned: is told the process that was begun, before it is ready. Two front ends may start
    one at the same time: then one of the two daemons gives way, and the other is waited for; so is the end of one that
    is stopping just now."""
    refused = Declined("The daemon does not come up.", DAEMON)
    with trio.move_on_after(START_DEADLINE if start else math.inf):
        while True:
            try:
                return await trio.open_unix_socket(os.fspath(place.socket))
            except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
                pass
            except OSError as error:
                raise Declined(
                    f"The daemon cannot be reached at {place.socket}: {error.strerror or error}.", DAEMON
                ) from None
            if not start:
                raise NoDaemon
            if (answer := await _start(place, spawned)) is not None:
                if answer.code != DAEMON:
                    raise answer
                refused = answer
                await trio.sleep(RETRY)
    raise refused


async def _start(place: Place, spawned: Callable[[int], None]) -> Declined | None:
    """Start a daemon that outlives this program, and wait until it is ready; or why it is not."""
    reading, writing = os.pipe()
    try:
        pid = _spawn(place, writing)
    except OSError as error:
        os.close(reading)
        return Declined(f"The daemon cannot be started: {error.strerror or error}.")
    finally:
        os.close(writing)
    spawned(pid)
    said = bytearray()
    async with trio.lowlevel.FdStream(reading) as pipe:
        async for data in pipe:
            said += data
    word, _, rest = said.decode(errors="replace").strip().partition(" ")
    if word == "ready":
        return None
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)
    code, _, sentence = rest.partition(" ")
    if word == "refused" and code.isdecimal():
        return Declined(sentence, int(code))
    return Declined(f"The daemon ended while it was starting; what it said is in {place.diagnostics}.")


def _spawn(place: Place, announce: int) -> int:
    """The daemon says on `announce`, its standard output, whether it runs, and closes it."""
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
