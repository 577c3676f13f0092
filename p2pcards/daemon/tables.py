"""The tables of a daemon: opening, naming, finding and closing them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import trio

from p2pcards.control.exits import NETWORK, USAGE
from p2pcards.control.messages import (
    Admission,
    Host,
    Open,
    OpenConnect,
    OpenHost,
    OpenJoin,
    OpenLine,
    OpenListen,
    OpenPlay,
    OpenResume,
    Persona,
    Rules,
    Serial,
    Someone,
    TableOpened,
    TableStatus,
    TimeLimits,
)
from p2pcards.control.starting import Declined
from p2pcards.daemon.call import Caller
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.gamelogs import OwnLog, new_log, open_log
from p2pcards.daemon.joining import keep_calling
from p2pcards.daemon.lines import LineFailed, keep_line, setup_of
from p2pcards.daemon.machines import Machine, coordinator, listener, me_of
from p2pcards.daemon.runner import Runner
from p2pcards.daemon.threshold import Threshold
from p2pcards.daemon.unfinished import log_to_resume, to_follow
from p2pcards.daemon.waiting import Kept, hosted, keep_hosted, keep_listening, kept_listening
from p2pcards.links.door import keep_door
from p2pcards.links.lan import answer_probes
from p2pcards.links.tcp import CannotListen, listen, port_of
from p2pcards.session.me import Me
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.logfile import LogFile, Sync
from p2pcards.store.logs import list_logs
from p2pcards.store.settings import Settings, load_settings
from p2pcards.views.commands import Command
from p2pcards.wire.address import is_line
from p2pcards.wire.keys import public_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEATING = 30.0
"""Seconds in which somebody who was called has sat down, or has not; on a slow line she takes as long as it needs."""

CLOSING = 15.0
"""Seconds in which all tables are closed when the daemon stops."""


class Tables:
    """All tables. changed: called when one is opened or closed. sync: puts what was written to a log on disk."""

    def __init__(
        self,
        home: Home,
        identity: Ed25519PrivateKey,
        diagnostics: Diagnostics,
        sync: Sync,
        changed: Callable[[], None],
    ) -> None:
        self._latest = ""
        self._home = home
        self._identity = identity
        self._key = public_bytes(identity)
        self._diagnostics = diagnostics
        self._sync = sync
        self._changed = changed
        self._nursery: trio.Nursery | None = None
        self._runners: dict[str, Runner] = {}
        self._waiting: dict[str, Kept | OpenHost] = {}
        self._closing = False

    def __len__(self) -> int:
        return len(self._runners)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """The tables live as long as this does."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    async def restore(self) -> None:
        """Listen again where the daemon before this one did, and join again what it had joined, if we are owed a
        seat."""
        for request in kept_listening(self._home):
            if all(log.over for log in self._to_follow()):
                return
            try:
                if isinstance(request, OpenJoin):
                    await self._join(request, load_settings(self._home), patient=True)
                else:
                    await self.open(request)
            except (Declined, StoreError) as error:
                self._diagnostics.note(f"not opened again: {type(request).__name__}: {error}")

    def find(self, name: str) -> Runner:
        """The table of this name; for "" the only one, or the one that was opened or attached to last."""
        if not self._runners:
            raise Declined("No table is open here. Open one: p2pcards play, listen or connect.", USAGE)
        if not name:
            return self._runners.get(self._latest) or next(reversed(self._runners.values()))
        if name not in self._runners:
            raise Declined(f"There is no table '{name}'. There are: {', '.join(self._runners)}.", USAGE)
        return self._runners[name]

    def note_latest(self, table: Runner) -> None:
        """Somebody has sat down there."""
        self._latest = table.name

    def status(self) -> tuple[TableStatus, ...]:
        return tuple([_status(runner) for runner in self._runners.values()])

    async def close_all(self) -> str:
        """Returns a sentence."""
        self._closing = True
        closing = list(self._runners.values())
        for runner in closing:
            runner.stop("The daemon was stopped. The game can be resumed.")
        with trio.move_on_after(CLOSING):
            while self._runners:
                await next(iter(self._runners.values())).closed.wait()
        if not closing:
            return "The daemon has stopped."
        names = ", ".join(runner.name for runner in closing)
        return f"The daemon has stopped; closed: {names}. Their games can be resumed."

    # --- opening ------------------------------------------------------------------------------------------------------

    async def open(self, request: Open, report: Callable[[str], None] | None = None) -> TableOpened:
        """report: takes how far a call on a slow line has come. Raises Declined, CommandError and StoreError; then no
        table was opened."""
        settings = load_settings(self._home)
        match request:
            case OpenPlay():
                return await self._play(request, settings)
            case OpenConnect():
                return await self._connect(request, settings, report)
            case OpenListen():
                return await self._listen(request, settings)
            case OpenLine():
                return await self._listen_on_line(request, settings)
            case OpenHost():
                return await self._host(request, settings)
            case OpenJoin():
                return await self._join(request, settings)
            case OpenResume():
                return await self._resume(request, settings)

    async def _play(self, request: OpenPlay, settings: Settings) -> TableOpened:
        limits = replace(request.limits, turn_clock=request.limits.turn_clock or 0)  # nobody waits for us
        entropy = os.urandom if request.seed is None else Random(request.seed).randbytes
        machine = coordinator(self._me(request.persona, settings), limits, entropy, alone=request.seed is not None)
        runner = await self._begin(machine, request, settings)
        try:
            _choose_game(runner, request.rules, settings)
            runner.command(Command("start"))
        except BaseException:
            await _drop(runner, "The game could not be started.")
            raise
        return TableOpened(runner.name)

    async def _connect(
        self, request: OpenConnect, settings: Settings, report: Callable[[str], None] | None
    ) -> TableOpened:
        machine = coordinator(self._me(request.persona, settings), request.limits, os.urandom)
        runner = await self._begin(machine, request, settings, request.via, request.serial)
        runner.report = report
        try:
            if request.rules.game:
                _choose_game(runner, request.rules, settings)
            # One after the other, so that the seats are in the order in which the hosts are named.
            for number, host in enumerate(request.hosts, 1):
                words = (host.address, "partner" if host.partner else "", host.code)
                runner.command(Command("invite", tuple(filter(None, words))))
                await _settled(runner, request.hosts[:number])
            if request.hosts and not runner.here():
                raise _nobody(runner)
        except BaseException:
            await _drop(runner, "Nobody could be reached.")
            raise
        finally:
            runner.report = None
        return TableOpened(runner.name)

    async def _resume(self, request: OpenResume, settings: Settings) -> TableOpened:
        log = log_to_resume(self._home, self._key, self._at_work(), request.log)
        me = self._me(request.persona, settings)
        machine = coordinator(me, TimeLimits(), os.urandom, log=log.payloads)
        at = hosted(self._home, log.path.stem)
        listeners = await _ears(at.port or 0) if at else []
        file = LogFile.open(log.path, self._sync)
        runner = await self._begin(machine, request, settings, request.via, request.serial, file)
        return await self._open_door(runner, at, listeners) if at else TableOpened(runner.name)

    async def _listen(self, request: OpenListen, settings: Settings) -> TableOpened:
        port = settings.port if request.port is None else request.port
        if (there := self._waits_on(port, listens=True)) is not None:
            return TableOpened(there.name, port, new=False, code=there.view().code)
        me = self._me(request.persona, settings)
        machine = self._listener(me)
        listeners = await _ears(port)
        runner = await self._begin(machine, request, settings)
        return await self._open_door(runner, request, listeners, me.name if request.lan else "")

    async def _host(self, request: OpenHost, settings: Settings) -> TableOpened:
        port = settings.port if request.port is None else request.port
        if (there := self._waits_on(port, listens=False)) is not None:
            return TableOpened(there.name, port, new=False, code=there.view().code)
        machine = coordinator(self._me(request.persona, settings), request.limits, os.urandom)
        listeners = await _ears(port)
        runner = await self._begin(machine, request, settings)
        opened = await self._open_door(runner, request, listeners)
        if request.rules.game:
            try:
                _choose_game(runner, request.rules, settings)
            except BaseException:
                await _drop(runner, "The game could not be chosen.")
                raise
        return opened

    async def _listen_on_line(self, request: OpenLine, settings: Settings) -> TableOpened:
        try:
            setup = setup_of(request.serial, settings)
        except LineFailed as failed:
            raise Declined(str(failed), failed.code) from None
        for runner in self._runners.values():
            if runner.device == setup.device:
                return TableOpened(runner.name, new=False, code=runner.view().code)
        runner = await self._begin(self._listener(self._me(request.persona, settings)), request, settings)
        threshold = self._threshold(runner, request.admission)
        line = partial(keep_line, setup, request.serial.cable, identity=self._identity, tell=runner.tell_line)
        try:
            await runner.start(partial(line, admit=threshold.admit, on_channel=threshold.arrived))
        except BaseException as failed:
            await _drop(runner, "The line could not be opened.")
            if isinstance(failed, LineFailed):
                raise Declined(str(failed), failed.code) from None
            raise
        runner.task(threshold.keep_codes)
        runner.device = setup.device
        self._waiting[runner.name] = replace(request, serial=replace(request.serial, device=setup.device))
        self._keep_listening()
        return TableOpened(runner.name, code=threshold.code)

    async def _join(self, request: OpenJoin, settings: Settings, patient: bool = False) -> TableOpened:
        """patient: call until somebody answers."""
        machine = self._listener(self._me(request.persona, settings))
        runner = await self._begin(machine, request, settings, request.via)
        try:
            invitation = Command("invite", (request.host.address, request.host.code))
            address = runner.introductions.invitation(invitation).arguments[0]
            runner.task(partial(keep_calling, runner, address, patient=patient))
            if not patient:
                await _settled(runner, (request.host,))
                if not runner.here():
                    raise _nobody(runner)
        except BaseException:
            await _drop(runner, "Nobody could be reached.")
            raise
        self._waiting[runner.name] = replace(request, host=Host(address))
        self._keep_listening()
        return TableOpened(runner.name)

    def _waits_on(self, port: int, listens: bool) -> Runner | None:
        """The table that waits there in the same way already. Raises Declined if one waits there in the other."""
        there = next((runner for runner in self._runners.values() if port and runner.port == port), None)
        if there is not None and there.listens != listens:
            raise Declined(f"Table {there.name} waits on port {port} already. Choose another: --port", USAGE)
        return there

    async def _open_door(
        self, runner: Runner, request: OpenListen | OpenHost, listeners: list[trio.SocketListener], name: str = ""
    ) -> TableOpened:
        """People come in at these listeners from now on. name: for whoever probes the local network, if they may."""
        port = runner.port = port_of(listeners[0])
        self._waiting[runner.name] = replace(request, port=port)
        self._keep_listening()
        threshold = self._threshold(runner, request.admission)
        door = partial(keep_door, listeners, identity=self._identity, on_channel=threshold.arrived)
        try:
            await runner.start(partial(door, admit=threshold.admit))
            runner.task(threshold.keep_codes)
            if name:
                await runner.start(partial(answer_probes, name=name, port=port, key=self._key))
        except CannotListen as cannot:
            await _drop(runner, cannot.sentence)
            raise Declined(cannot.sentence, NETWORK) from None
        return TableOpened(runner.name, port, code=threshold.code)

    def _threshold(self, runner: Runner, admission: Admission) -> Threshold:
        threshold = runner.introductions.threshold = Threshold(runner, self._home, self._key, os.urandom, admission)
        return threshold

    def _me(self, persona: Persona, settings: Settings) -> Me:
        return me_of(self._identity, persona, settings)

    def _listener(self, me: Me) -> Machine:
        return listener(me, os.urandom, [log.payloads for log in self._to_follow()])

    async def _begin(
        self,
        machine: Machine,
        request: Open,
        settings: Settings,
        via: str = "",
        serial: Serial | None = None,
        log: LogFile | None = None,
    ) -> Runner:
        """via, serial: what carries its calls; log: of the game that goes on."""
        assert self._nursery is not None
        name = next(name for number in range(1, len(self._runners) + 2) if (name := f"t{number}") not in self._runners)
        listens = isinstance(request, OpenListen | OpenLine | OpenJoin)
        runner = Runner(
            name,
            machine,
            caller=Caller(self._home, self._identity, via, serial or Serial()),
            diagnostics=self._diagnostics,
            open_log=partial(open_log, self._home, self._sync, self._key) if listens else partial(self._own_log, name),
            listens=listens,
            hook=settings.hook,
            log=log,
        )
        self._runners[name] = runner
        self._latest = name
        self._changed()
        self._diagnostics.note(f"{name} opened: {type(request).__name__}")
        await self._nursery.start(self._keep, runner)
        return runner

    async def _keep(self, runner: Runner, task_status: trio.TaskStatus[None]) -> None:
        try:
            await runner.run(task_status)
        except* Exception as errors:
            self._diagnostics.fault(runner.name, errors)
        finally:
            del self._runners[runner.name]
            if self._waiting.pop(runner.name, None) and not self._closing:
                self._keep_listening()
            runner.closed.set()
            self._changed()

    def _keep_listening(self) -> None:
        """The table of a host is kept with the log of its game instead: it goes on when that is resumed."""
        try:
            keep_listening(self._home, [one for one in self._waiting.values() if not isinstance(one, OpenHost)])
        except StoreError as error:
            self._diagnostics.note(f"what is listened on is not kept: {error}")

    def _own_log(self, table: str, game: str, game_id: bytes) -> LogFile:
        """A log for a game that this table begins. Raises StoreError."""
        file = new_log(self._home, self._sync, game, game_id)
        request = self._waiting.get(table)
        if isinstance(request, OpenHost):
            keep_hosted(self._home, file.path.stem, request, {log.path.stem for log in list_logs(self._home)})
        return file

    def _to_follow(self) -> list[OwnLog]:
        return to_follow(self._home, self._key, self._at_work())

    def _at_work(self) -> dict[Path, str]:
        """The logs that tables write now, and the names of these tables."""
        return {runner.log.path: runner.name for runner in self._runners.values() if runner.log}


async def _ears(port: int) -> list[trio.SocketListener]:
    """Raises Declined."""
    try:
        return await listen(port)
    except CannotListen as cannot:
        raise Declined(cannot.sentence, NETWORK) from None


def _choose_game(runner: Runner, rules: Rules, settings: Settings) -> None:
    """Raises CommandError."""
    preset = rules.preset or settings.presets.get(rules.game, "")
    runner.command(Command("game", (rules.game, preset) if preset else (rules.game,)))
    for key, value in rules.changes:
        runner.command(Command("set", (key, value)))


async def _drop(runner: Runner, why: str) -> None:
    """Close a table that could not be opened as it was asked for."""
    runner.end(why)
    with trio.CancelScope(shield=True):
        await runner.closed.wait()


async def _settled(runner: Runner, hosts: Sequence[Host]) -> None:
    """Wait until each who was called is here or was not reached."""
    slow = any(is_line(host.address) for host in hosts)
    with trio.move_on_after(math.inf if slow else SEATING):
        while not runner.over and runner.here() + len(runner.failures) < len(hosts):
            await runner.stepped()


def _nobody(runner: Runner) -> Declined:
    sentences = [str(failure) for failure in runner.failures.values()]
    codes = [failure.code for failure in runner.failures.values()]
    return Declined(" ".join(sentences) or "Nobody who was called has sat down in time.", (codes or [NETWORK])[0])


def _status(runner: Runner) -> TableStatus:
    view = runner.view()
    people = tuple([Someone(one.name, one.character, one.link, one.where, one.line) for one in view.people])
    return TableStatus(
        runner.name,
        view.role,
        view.phase,
        view.game_name,
        view.waiting,
        people,
        runner.port,
        len(runner.audience),
        runner.audience.unread,
        runner.paused,
        runner.log.path.name if runner.log else "",
        view.code,
        runner.device,
    )
