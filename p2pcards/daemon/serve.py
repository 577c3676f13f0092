"""The daemon at work: front ends come and go, tables are held, and when there is nothing to do it ends by itself."""

from __future__ import annotations

import os
import socket
import struct

import trio

from p2pcards.daemon.bell import Bell
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.frontend import FrontEnd
from p2pcards.daemon.opening import Opener
from p2pcards.daemon.tables import Tables
from p2pcards.store.home import Home
from p2pcards.store.logfile import Sync
from p2pcards.wire.keys import PrivateKey

IDLE = 600.0
"""Seconds without a table and without a front end after which the daemon ends."""


class Daemon:
    """One daemon of one home."""

    def __init__(self, home: Home, identity: PrivateKey, diagnostics: Diagnostics, sync: Sync) -> None:
        self.diagnostics = diagnostics
        self._home = home
        self._changed = Bell()
        self._tables = Tables(home, identity, diagnostics, sync, self._changed.ring)
        self._opener = Opener(home, identity, self._tables, diagnostics, sync)
        self._front_ends = 0
        self._stop = trio.Event()

    def stop(self) -> None:
        self._stop.set()

    async def run(self, listener: trio.SocketListener) -> None:
        """Serve whoever connects to the control socket, until `stop` or until there was nothing to do for IDLE."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self._tables.run)
            nursery.start_soon(self._opener.restore)
            nursery.start_soon(self._take, listener, nursery)
            nursery.start_soon(self._watch_idleness)
            await self._stop.wait()
            await self._tables.close_all()
            nursery.cancel_scope.cancel()

    async def _take(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        async with listener:
            while True:
                stream = await listener.accept()
                if _is_ours(stream):
                    nursery.start_soon(self._serve, stream)
                else:
                    await trio.aclose_forcefully(stream)

    async def _serve(self, stream: trio.SocketStream) -> None:
        self._front_ends += 1
        self._changed.ring()
        try:
            await FrontEnd(self._home, stream, self._tables, self._opener, self.diagnostics, self.stop).run()
        except* Exception as errors:
            self.diagnostics.fault("front end", errors)
        finally:
            self._front_ends -= 1
            self._changed.ring()

    async def _watch_idleness(self) -> None:
        while True:
            while self._front_ends or len(self._tables):
                await self._changed.wait()
            with trio.move_on_after(IDLE) as idle:
                await self._changed.wait()
            if idle.cancelled_caught:
                self.diagnostics.note(f"ends after {IDLE:.0f} idle seconds")
                self.stop()
                return


def _is_ours(stream: trio.SocketStream) -> bool:
    """Whether the same user is at the other end; the folder of the socket lets no other in, this is the second lock."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    found: bytes = stream.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    uid: int = struct.unpack("3i", found)[1]
    return uid == os.geteuid()
