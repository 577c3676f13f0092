"""The daemon at work: starting and ending, front ends that come and go, and when there is nothing to do it ends by
itself."""

from __future__ import annotations

import math
import os
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import trio

from p2pcards import __version__
from p2pcards.control.attached import Refusal
from p2pcards.control.build import own_build
from p2pcards.control.declined import Declined
from p2pcards.control.exits import DAEMON, DAMAGED, FINE, STORAGE, UNEXPECTED, USAGE
from p2pcards.control.messages import (
    Answer,
    Attach,
    Attached,
    Compared,
    DaemonStatus,
    Detach,
    Done,
    Greet,
    Leave,
    News,
    NotDone,
    Release,
    Request,
    Say,
    Status,
    Stop,
    Underway,
    Welcome,
    Words,
)
from p2pcards.control.protocol import BadMessage, encode, request_reader
from p2pcards.daemon.attachments import Attachment
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.calling import CallWeb, over_web
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.lock import AlreadyRuns, take_lock
from p2pcards.daemon.opening import Opener, say
from p2pcards.daemon.reach import InPage, Reach
from p2pcards.daemon.runner import Runner
from p2pcards.daemon.tables import Tables, freezing_garbage_collector
from p2pcards.daemon.thinking import Thinking, thinking_in_processes
from p2pcards.session.effects import CommandError
from p2pcards.store.files import Home, StoreError, make_folders, store_error
from p2pcards.store.guarded import note_fault
from p2pcards.store.identity import load_or_make_identity
from p2pcards.store.logs import SYNC, DamagedLog, Sync
from p2pcards.store.settings import usable_settings
from p2pcards.views.tableview import Command
from p2pcards.wire.keys import PrivateKey

# --- one front end ----------------------------------------------------------------------------------------------------


WAITING = 16
"""Requests that may queue behind the one that is being carried out."""
CHOICES = ("game", "set")
"""Commands that choose what is played."""
PATIENCE = 0.5
"""Seconds for the tables of before to be open again, before somebody is told what there is without them."""


class FrontEnd:
    """The daemon's end of one connection on the control socket. stop: ends the daemon."""

    def __init__(
        self,
        home: Home,
        stream: trio.abc.Stream,
        tables: Tables,
        opener: Opener,
        diagnostics: Diagnostics,
        stop: Callable[[], None],
    ) -> None:
        self._home = home
        self._stream = stream
        self._tables = tables
        self._opener = opener
        self._diagnostics = diagnostics
        self._stop = stop
        self._sending = trio.Lock()
        self._greeted = False
        self._table: Runner | None = None
        self._attachment: Attachment | None = None
        self._shown = trio.Event()
        self._nursery: trio.Nursery | None = None

    async def run(self) -> None:
        """Serve the front end until it goes away."""
        try:
            async with self._stream, trio.open_nursery() as nursery:
                self._nursery = nursery
                to_answer, requests = trio.open_memory_channel[Request](WAITING)
                nursery.start_soon(self._answer_all, requests)
                await self._read(to_answer)
                # Nobody is left to take the answer, so what is being carried out ends.
                nursery.cancel_scope.cancel()
        except* (trio.BrokenResourceError, trio.ClosedResourceError):
            pass

    async def _read(self, to_answer: trio.MemorySendChannel[Request]) -> None:
        """Read requests and queue them for answers."""
        reader = request_reader()
        try:
            async for data in self._stream:
                for request in reader.feed(bytes(data)):
                    await to_answer.send(request)
        except BadMessage as bad:
            await self._send(NotDone(f"The daemon doesn't understand this request: {bad}.", DAEMON))

    async def _answer_all(self, requests: trio.MemoryReceiveChannel[Request]) -> None:
        """Answer queued requests one after the other."""
        async for request in requests:
            to_report, reports = trio.open_memory_channel[str](math.inf)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._report, reports)
                with to_report:
                    answer = await self._answer(request, to_report.send_nowait)
            await self._send(answer)
            if isinstance(request, Stop):
                self._stop()

    async def _report(self, reports: trio.MemoryReceiveChannel[str]) -> None:
        """Send the progress of a slow request."""
        async for text in reports:
            await self._send(Underway(text))

    async def _answer(self, request: Request, report: Callable[[str], None]) -> Answer:
        """The answer to a request; refusals and faults become `NotDone`."""
        try:
            return await self._carry_out(request, report)
        except Declined as declined:
            return NotDone(str(declined), declined.code)
        except (CommandError, Refusal) as refused:
            return NotDone(str(refused), USAGE)
        except DamagedLog as damaged:
            return NotDone(damaged.with_advice, DAMAGED)
        except StoreError as error:
            return NotDone(error.with_advice, STORAGE)
        except Exception as error:
            self._diagnostics.fault("request", error)
            return NotDone("Something went wrong inside the daemon. Its diagnostics show where.", UNEXPECTED)

    async def _carry_out(self, request: Request, report: Callable[[str], None]) -> Answer:
        """Carry out a request. Raises Declined, CommandError and StoreError."""
        tables = self._tables
        if not self._greeted and not isinstance(request, Greet):
            raise Declined("Say hello first.", DAEMON)
        if not isinstance(request, Greet | Status | Stop):
            await self._opener.restored.wait()
        match request:
            case Greet():
                self._greeted = True
                return Welcome(own_build(), os.getpid())
            case Status():
                with trio.move_on_after(PATIENCE):
                    await self._opener.restored.wait()
                return DaemonStatus(__version__, os.getpid(), tables.status(), not self._opener.restored.is_set())
            case Attach(name, pace):
                return await self._attach(tables.find(name), pace)
            case Say(command):
                if self._table is None:
                    raise Declined("Attach to a table first.", USAGE)
                self._say(self._table, command)
            case Detach():
                await self._detach()
            case Release(name):
                return Done(_detach_all(tables.find(name)))
            case Words(name):
                return Compared(tuple(await tables.find(name).compare_words()))
            case Leave(name):
                table = tables.find(name)
                self._say(table, Command("leave"))
                await self._tables.wait_closed(table)
                return Done(f"You left table {table.name}.")
            case Stop():
                return Done(await tables.close_all())
            case _:
                return await self._opener.open(request, report)
        return Done()

    def _say(self, table: Runner, command: Command) -> None:
        """Carry out a command at the attached table, and keep what must survive a restart."""
        say(table, command, self._home)
        if command.name in CHOICES:
            self._tables.note_choice(table)
        elif command.name == "leave":
            self._tables.forget(table)

    async def _attach(self, table: Runner, pace: float) -> Attached:
        """Attach to a table, in place of the one attached before."""
        await self._detach()
        assert self._nursery is not None
        self._table, self._shown = table, trio.Event()
        self._attachment = table.attach(pace)
        self._tables.note_latest(table)
        self._nursery.start_soon(self._show, table, self._attachment, self._shown)
        return Attached(table.name)

    async def _detach(self) -> None:
        """Detach from the table; returns once all that happened there is sent."""
        if self._attachment is not None:
            self._attachment.dismiss()
            await self._shown.wait()
        self._table = self._attachment = None

    async def _show(self, table: Runner, attachment: Attachment, shown: trio.Event) -> None:
        """Send the news of the attached table."""
        try:
            await attachment.news(table.view, self._send)
        finally:
            table.detach(attachment)
            shown.set()

    async def _send(self, message: Answer | News) -> None:
        """Send one message, whole."""
        async with self._sending:
            await self._stream.send_all(encode(message))


def _detach_all(table: Runner) -> str:
    """Detach every front end from a table, keeping the seat; returns a sentence."""
    if not len(table.attachments):
        return f"Nobody is attached to table {table.name}. The seat is kept."
    table.attachments.close("You detached from another terminal. Your seat is kept. To come back: p2pcards attach")
    return f"Detached from table {table.name}. Your seat is kept. To come back: p2pcards attach {table.name}"


# --- the daemon at work -----------------------------------------------------------------------------------------------


IDLE = 600.0
"""Seconds without a table and without a front end after which the daemon ends."""


class Daemon:
    """One daemon of one home. thinking: as in `Tables`; call_web: as in `Caller`; in_page: as in
    `Reach`."""

    def __init__(
        self,
        home: Home,
        identity: PrivateKey,
        diagnostics: Diagnostics,
        sync: Sync,
        thinking: Thinking = thinking_in_processes,
        call_web: CallWeb = over_web,
        in_page: InPage | None = None,
    ) -> None:
        self.diagnostics = diagnostics
        self._home = home
        self._changed = Bell()
        self._tables = Tables(home, identity, diagnostics, sync, self._changed.ring, thinking)
        self._reach = Reach(home, partial(diagnostics.fault, "a meeting point"), in_page)
        self._opener = Opener(home, identity, self._tables, diagnostics, sync, self._reach, call_web)
        self._front_ends = 0
        self._stop = trio.Event()

    def stop(self) -> None:
        """Have the daemon end."""
        self._stop.set()

    async def run(self, listener: trio.abc.Listener[Any]) -> None:
        """Serve front ends that connect, until `stop` or until idle for IDLE seconds."""
        note_fault.set(self.diagnostics.fault)
        async with trio.open_nursery() as nursery:
            await nursery.start(self._reach.run)
            await nursery.start(self._tables.run)
            nursery.start_soon(self._opener.restore)
            nursery.start_soon(self._take, listener, nursery)
            nursery.start_soon(self._watch_idleness)
            await self._stop.wait()
            await self._tables.close_all()
            nursery.cancel_scope.cancel()

    async def _take(self, listener: trio.abc.Listener[Any], nursery: trio.Nursery) -> None:
        """Accept front ends of the same user."""
        async with listener:
            while True:
                stream = await listener.accept()
                if _is_ours(stream):
                    nursery.start_soon(self._serve, stream)
                else:
                    await trio.aclose_forcefully(stream)

    async def _serve(self, stream: trio.abc.Stream) -> None:
        """Serve one front end; a fault in it is noted and costs nothing else."""
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
        """Stop the daemon once it was idle for IDLE seconds."""
        while True:
            while self._front_ends or len(self._tables):
                await self._changed.wait()
            with trio.move_on_after(IDLE) as idle:
                await self._changed.wait()
            if idle.cancelled_caught:
                self.diagnostics.note(f"ends after {IDLE:.0f} idle seconds")
                self.stop()
                return


def _is_ours(stream: trio.abc.Stream) -> bool:
    """True if the other end of a Unix socket is a process of the same user; a second check besides the socket's private
    folder."""
    if not isinstance(stream, trio.SocketStream) or not hasattr(socket, "SO_PEERCRED"):
        return True
    found: bytes = stream.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    uid: int = struct.unpack("3i", found)[1]
    return uid == os.geteuid()


# --- starting and ending a daemon process -----------------------------------------------------------------------------


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
    """Run the daemon, with its lock held; returns an exit code."""
    identity = load_or_make_identity(home)
    try:
        diagnostics = Diagnostics(home.diagnostics)
    except OSError as error:
        raise store_error(error, f"Can't write {home.diagnostics}") from error
    diagnostics.take_stderr()
    ear = _bind_socket(home)
    try:
        diagnostics.note(f"daemon {own_build()} starts, pid {os.getpid()}")
        for fault in usable_settings(home).faults:
            diagnostics.note(fault)
        os.chdir(home.state)
        announce(f"ready {os.getpid()}")
        daemon = Daemon(home, identity, diagnostics, sync)
        with freezing_garbage_collector():
            trio.run(_serve_until_stopped, daemon, ear)
        diagnostics.note("daemon ends")
        return FINE
    finally:
        ear.close()
        with suppress(OSError):
            home.socket.unlink()


def _bind_socket(home: Home) -> socket.socket:
    """Bind the control socket; one that a killed daemon left is removed, since we hold the lock."""
    ear = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        home.socket.unlink(missing_ok=True)
        ear.bind(os.fspath(home.socket))
        home.socket.chmod(0o600)
        ear.listen(BACKLOG)
    except OSError as error:
        ear.close()
        raise store_error(error, f"Can't listen on {home.socket}") from error
    return ear


async def _serve_until_stopped(daemon: Daemon, ear: socket.socket) -> None:
    """Run the daemon on its bound socket until it ends or a signal stops it."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_heed_signals, daemon)
        await daemon.run(trio.SocketListener(trio.socket.from_stdlib_socket(ear)))
        nursery.cancel_scope.cancel()


async def _heed_signals(daemon: Daemon) -> None:
    """Stop the daemon on SIGTERM or SIGINT."""
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for number in signals:
            daemon.diagnostics.note(f"signal {number}")
            daemon.stop()
