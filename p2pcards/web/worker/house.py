"""A daemon in the page's own worker: the tables, and front ends that are joined to them by a stream in memory."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from trio.testing import memory_stream_pair

from p2pcards.control.client import Client, greeted
from p2pcards.daemon.calling import CallWeb
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.reach import InPage
from p2pcards.daemon.serve import Daemon
from p2pcards.daemon.thinking import Thinking
from p2pcards.store.files import Home, make_folders, store_error
from p2pcards.store.identity import load_or_make_identity
from p2pcards.store.logs import Sync


class Switchboard(trio.abc.Listener[trio.abc.Stream]):
    """Joins front ends to the daemon by streams in memory, in place of a socket."""

    def __init__(self) -> None:
        self._calls, self._waiting = trio.open_memory_channel[trio.abc.Stream](math.inf)

    def connect(self) -> trio.abc.Stream:
        """Open a stream to the daemon."""
        ours, theirs = memory_stream_pair()
        self._calls.send_nowait(theirs)
        return ours

    async def accept(self) -> trio.abc.Stream:
        """Wait for the next front end's stream."""
        return await self._waiting.receive()

    async def aclose(self) -> None:
        self._waiting.close()


@asynccontextmanager
async def daemon_within(
    home: Home, sync: Sync, thinking: Thinking, call_web: CallWeb, in_page: InPage
) -> AsyncIterator[Switchboard]:
    """Run the daemon of this home until the context ends; its games can be resumed. The arguments are those of
    `Daemon`. Raises StoreError."""
    make_folders(home)
    identity = load_or_make_identity(home)
    try:
        diagnostics = Diagnostics(home.diagnostics)
    except OSError as error:
        raise store_error(error, f"Can't write {home.diagnostics}") from error
    daemon, switchboard = Daemon(home, identity, diagnostics, sync, thinking, call_web, in_page), Switchboard()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(daemon.run, switchboard)
        try:
            yield switchboard
        finally:
            daemon.stop()


@asynccontextmanager
async def open_client(switchboard: Switchboard) -> AsyncIterator[Client]:
    async with greeted(switchboard.connect()) as client:
        yield client
