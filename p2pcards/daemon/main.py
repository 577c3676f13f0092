"""Starting and ending a daemon process."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

import trio

from p2pcards import __version__
from p2pcards.control.exits import DAEMON, FINE, STORAGE
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.garbage import sparing_what_lasts
from p2pcards.daemon.lock import AlreadyRuns, take_lock
from p2pcards.daemon.serve import Daemon
from p2pcards.store.errors import StoreError, told
from p2pcards.store.home import Home, make_folders
from p2pcards.store.identity import load_or_make_identity
from p2pcards.store.logfile import SYNC, Sync
from p2pcards.store.usable import usable_settings

BACKLOG = 16

Announce = Callable[[str], None]


def run_daemon(home: Home, announce: Announce, sync: Sync = SYNC) -> int:
    """Be the daemon of `home` until it ends; returns an exit code.

    announce is called once: with "ready PID" when front ends can connect, or with "refused CODE SENTENCE".
    sync: puts what was written to a log on disk; only a measurement may do otherwise.
    """
    try:
        make_folders(home)
        lock = take_lock(home.lock)
    except AlreadyRuns as other:
        announce(f"refused {DAEMON} {other}")
        return DAEMON
    except StoreError as error:
        announce(f"refused {STORAGE} {error.with_advice}")
        return STORAGE
    try:
        return _run_locked(home, announce, sync)
    except StoreError as error:
        announce(f"refused {STORAGE} {error.with_advice}")
        return STORAGE
    finally:
        os.close(lock)


def _run_locked(home: Home, announce: Announce, sync: Sync) -> int:
    identity = load_or_make_identity(home)
    try:
        diagnostics = Diagnostics(home.diagnostics)
    except OSError as error:
        raise told(error, f"Cannot write {home.diagnostics}") from error
    diagnostics.take_stderr()
    ear = _bind(home)
    try:
        diagnostics.note(f"daemon {__version__} starts, pid {os.getpid()}")
        for fault in usable_settings(home).faults:
            diagnostics.note(fault)
        os.chdir(home.state)
        announce(f"ready {os.getpid()}")
        daemon = Daemon(home, identity, diagnostics, sync)
        with sparing_what_lasts():
            trio.run(_serve, daemon, ear)
        diagnostics.note("daemon ends")
        return FINE
    finally:
        ear.close()
        with suppress(OSError):
            home.socket.unlink()


def _bind(home: Home) -> socket.socket:
    """The control socket. What a daemon that was killed left there is in nobody's use: we hold the lock."""
    ear = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        home.socket.unlink(missing_ok=True)
        ear.bind(os.fspath(home.socket))
        home.socket.chmod(0o600)
        ear.listen(BACKLOG)
    except OSError as error:
        ear.close()
        raise told(error, f"Cannot listen on {home.socket}") from error
    return ear


async def _serve(daemon: Daemon, ear: socket.socket) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_heed_signals, daemon)
        await daemon.run(trio.SocketListener(trio.socket.from_stdlib_socket(ear)))
        nursery.cancel_scope.cancel()


async def _heed_signals(daemon: Daemon) -> None:
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for number in signals:
            daemon.diagnostics.note(f"signal {number}")
            daemon.stop()
