"""A daemon in the process of the test, whose clock it has: for tests in which time passes, and no process ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from p2pcards.control.client import Client, connect
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.serve import Daemon, _bind_socket
from p2pcards.store.files import Home, make_folders
from p2pcards.store.identity import load_or_make_identity
from p2pcards.store.logs import SYNC


def daemon_of(home: Home) -> tuple[Daemon, trio.SocketListener]:
    """A daemon, and the socket at which it is to run."""
    make_folders(home)
    daemon = Daemon(home, load_or_make_identity(home), Diagnostics(home.diagnostics), SYNC)
    return daemon, trio.SocketListener(trio.socket.from_stdlib_socket(_bind_socket(home)))


@asynccontextmanager
async def client_here(home: Home) -> AsyncIterator[Client]:
    """A front end of a daemon that runs as long as it is there."""
    daemon, listener = daemon_of(home)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(daemon.run, listener)
        async with connect(home, start=False) as client:
            yield client
        nursery.cancel_scope.cancel()
