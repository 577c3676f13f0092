"""Reaching the daemon, and starting it when none runs."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import suppress

import trio

from p2pcards.control.declined import Declined, NoDaemon
from p2pcards.control.exits import DAEMON
from p2pcards.control.spawning import START_DEADLINE, Place, spawn_daemon

RETRY = 0.05
"""Seconds before looking again for a daemon that somebody else is starting or ending."""


def untold(_pid: int) -> None:
    """Ignore the process id; the default for callbacks."""


async def reach(place: Place, start: bool, spawned: Callable[[int], None] = untold) -> trio.SocketStream:
    """Connect to the daemon, started first if none runs and `start` is true. spawned: gets the process id before the
    daemon is ready. Of two daemons started at once one gives way; one that is just stopping is waited for."""
    refused = Declined("The daemon didn't start.", DAEMON)
    with trio.move_on_after(START_DEADLINE if start else math.inf):
        while True:
            try:
                return await trio.open_unix_socket(os.fspath(place.socket))
            except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
                pass
            except OSError as error:
                raise Declined(
                    f"Can't reach the daemon at {place.socket}: {error.strerror or error}.", DAEMON
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
    """Start a daemon that outlives this program and wait until it is ready; returns why it is not, or None."""
    reading, writing = os.pipe()
    try:
        pid = spawn_daemon(place, writing)
    except OSError as error:
        os.close(reading)
        return Declined(f"Can't start the daemon: {error.strerror or error}.")
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
    return Declined(f"The daemon stopped while starting. See {place.diagnostics}.")
