"""One front end: its requests are answered in turn, and what it is attached to is shown to it meanwhile."""

from __future__ import annotations

import math
import os
from collections.abc import Callable

import trio

from p2pcards import __version__
from p2pcards.control.attached import Refusal
from p2pcards.control.declined import Declined
from p2pcards.control.exits import DAEMON, DAMAGED, STORAGE, UNEXPECTED, USAGE
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
from p2pcards.daemon.audience import Onlooker
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.opening import Opener
from p2pcards.daemon.runner import Runner
from p2pcards.daemon.tables import Tables
from p2pcards.daemon.wishes import say
from p2pcards.session.effects import CommandError
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.logfile import DamagedLog
from p2pcards.views.commands import Command

WAITING = 16
"""Requests that may queue behind the one that is being carried out."""
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
        self._onlooker: Onlooker | None = None
        self._shown = trio.Event()
        self._nursery: trio.Nursery | None = None

    async def run(self) -> None:
        """Until the front end goes away."""
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
        reader = request_reader()
        try:
            async for data in self._stream:
                for request in reader.feed(bytes(data)):
                    await to_answer.send(request)
        except BadMessage as bad:
            await self._send(NotDone(f"The daemon does not understand this request: {bad}.", DAEMON))

    async def _answer_all(self, requests: trio.MemoryReceiveChannel[Request]) -> None:
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
        async for text in reports:
            await self._send(Underway(text))

    async def _answer(self, request: Request, report: Callable[[str], None]) -> Answer:
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
            return NotDone("Something went wrong inside the daemon; its diagnostics say where.", UNEXPECTED)

    async def _carry_out(self, request: Request, report: Callable[[str], None]) -> Answer:
        tables = self._tables
        if not self._greeted and not isinstance(request, Greet):
            raise Declined("The first thing to say is hello.", DAEMON)
        if not isinstance(request, Greet | Status | Stop):
            await self._opener.restored.wait()
        match request:
            case Greet():
                self._greeted = True
                return Welcome(__version__, os.getpid())
            case Status():
                with trio.move_on_after(PATIENCE):
                    await self._opener.restored.wait()
                return DaemonStatus(__version__, os.getpid(), tables.status(), not self._opener.restored.is_set())
            case Attach(name, pace):
                return await self._attach(tables.find(name), pace)
            case Say(command):
                if self._table is None:
                    raise Declined("Attach to a table first.", USAGE)
                say(self._table, command, self._home)
            case Detach():
                await self._detach()
            case Release(name):
                return Done(_release(tables.find(name)))
            case Words(name):
                return Compared(tuple(await tables.find(name).compare_words()))
            case Leave(name):
                table = tables.find(name)
                table.command(Command("leave"))
                return Done(f"You have left table {table.name} for good.")
            case Stop():
                return Done(await tables.close_all())
            case _:
                return await self._opener.open(request, report)
        return Done()

    async def _attach(self, table: Runner, pace: float) -> Attached:
        await self._detach()
        assert self._nursery is not None
        self._table, self._shown = table, trio.Event()
        self._onlooker = table.audience.enter(pace)
        self._tables.note_latest(table)
        self._nursery.start_soon(self._show, table, self._onlooker, self._shown)
        return Attached(table.name)

    async def _detach(self) -> None:
        """Returns when what has happened at the table was sent, and nothing more comes."""
        if self._onlooker is not None:
            self._onlooker.dismiss()
            await self._shown.wait()
        self._table = self._onlooker = None

    async def _show(self, table: Runner, onlooker: Onlooker, shown: trio.Event) -> None:
        try:
            await onlooker.news(table.view, self._send)
        finally:
            table.audience.depart(onlooker)
            shown.set()

    async def _send(self, message: Answer | News) -> None:
        async with self._sending:
            await self._stream.send_all(encode(message))


def _release(table: Runner) -> str:
    """Returns a sentence."""
    if not len(table.audience):
        return f"Nobody sits at table {table.name} here; the seat is kept."
    table.audience.end("You let go of this table from another terminal. Seat kept. Back: p2pcards attach")
    return f"Table {table.name} is let go; the seat is kept. Back: p2pcards attach {table.name}"
