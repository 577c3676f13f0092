"""The tables of a daemon: opening, naming, finding and closing them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import trio

from p2pcards.control.exits import NETWORK, USAGE
from p2pcards.control.messages import Open, Opened, Someone, TableStatus
from p2pcards.control.starting import Declined
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.gamelogs import OwnLog, logs_to_follow, new_log, open_log, own_log, unfinished_logs
from p2pcards.daemon.machines import Entropy, Machine, coordinator, listener, me_of
from p2pcards.daemon.runner import Runner
from p2pcards.daemon.waiting import keep_listening, kept_listening
from p2pcards.links.door import keep_door
from p2pcards.links.lan import answer_probes
from p2pcards.links.tcp import CannotListen, listen, port_of
from p2pcards.session.me import Me
from p2pcards.session.tableview import Command
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.logfile import LogFile, Sync
from p2pcards.store.logs import find_log
from p2pcards.store.settings import Settings, load_settings
from p2pcards.wire.keys import public_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEATING = 30.0
"""Seconds in which somebody who was called has sat down, or has not."""

CLOSING = 5.0
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
        self.latest = ""
        self._home = home
        self._identity = identity
        self._key = public_bytes(identity)
        self._diagnostics = diagnostics
        self._sync = sync
        self._changed = changed
        self._nursery: trio.Nursery | None = None
        self._runners: dict[str, Runner] = {}
        self._listening: dict[str, Open] = {}
        self._closing = False

    def __len__(self) -> int:
        return len(self._runners)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """The tables live as long as this does."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    async def restore(self) -> None:
        """Listen again where the daemon before this one did, if we are owed a seat."""
        for request in kept_listening(self._home):
            if not self._owed():
                return
            try:
                await self.open(request)
            except (Declined, StoreError) as error:
                self._diagnostics.note(f"cannot listen again on port {request.port}: {error}")

    def find(self, name: str) -> Runner:
        """The table of this name; for "" the only one, or the one that was opened or attached to last."""
        if not self._runners:
            raise Declined("No table is open here. Open one: p2pcards play, listen or connect.", USAGE)
        if not name:
            return self._runners.get(self.latest) or next(reversed(self._runners.values()))
        if name not in self._runners:
            raise Declined(f"There is no table '{name}'. There are: {', '.join(self._runners)}.", USAGE)
        return self._runners[name]

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

    async def open(self, request: Open) -> Opened:
        """Raises Declined, CommandError and StoreError; then no table was opened."""
        openers = {"play": self._play, "connect": self._connect, "listen": self._listen, "resume": self._resume}
        if request.kind not in openers:
            raise Declined(f"A table cannot be opened by '{request.kind}'.", USAGE)
        if request.seed is not None and request.kind != "play":
            raise Declined(
                "--seed is for playing alone: with other people nobody may know the cards beforehand.", USAGE
            )
        return await openers[request.kind](request, load_settings(self._home))

    async def _play(self, request: Open, settings: Settings) -> Opened:
        machine = coordinator(self._me(request, settings), request, _entropy(request.seed))
        runner = await self._begin(machine, request, settings)
        try:
            _choose_game(runner, request, settings)
            runner.command(Command("start"))
        except BaseException:
            await _drop(runner, "The game could not be started.")
            raise
        return Opened(runner.name)

    async def _connect(self, request: Open, settings: Settings) -> Opened:
        machine = coordinator(self._me(request, settings), request, os.urandom)
        runner = await self._begin(machine, request, settings)
        try:
            if request.game:
                _choose_game(runner, request, settings)
            # One after the other, so that the seats are in the order in which the hosts are named.
            for number, host in enumerate(request.hosts, 1):
                words = (host.address, "partner") if host.partner else (host.address,)
                runner.command(Command("invite", words))
                await _settled(runner, number)
            if request.hosts and not runner.here():
                raise _nobody(runner)
        except BaseException:
            await _drop(runner, "Nobody could be reached.")
            raise
        return Opened(runner.name)

    async def _resume(self, request: Open, settings: Settings) -> Opened:
        log = self._log_to_resume(request.log)
        machine = coordinator(self._me(request, settings), request, os.urandom, log.payloads)
        file = LogFile.open(log.path, self._sync)
        return Opened((await self._begin(machine, request, settings, file)).name)

    async def _listen(self, request: Open, settings: Settings) -> Opened:
        port = settings.port if request.port is None else request.port
        for runner in self._runners.values():
            if port and runner.port == port:
                return Opened(runner.name, port, new=False)
        try:
            listeners = await listen(port)
        except CannotListen as cannot:
            raise Declined(cannot.sentence, NETWORK) from None
        port = port_of(listeners[0])
        me = self._me(request, settings)
        machine = listener(me, os.urandom, [log.payloads for log in self._to_follow()])
        runner = await self._begin(machine, request, settings)
        runner.port = port
        self._listening[runner.name] = replace(request, port=port)
        self._keep_listening()
        try:
            await runner.start(partial(keep_door, listeners, identity=self._identity, on_channel=runner.serve))
            if request.lan:
                await runner.start(partial(answer_probes, name=me.name, port=port, key=self._key))
        except CannotListen as cannot:
            await _drop(runner, cannot.sentence)
            raise Declined(cannot.sentence, NETWORK) from None
        return Opened(runner.name, port)

    def _me(self, request: Open, settings: Settings) -> Me:
        return me_of(self._identity, request, settings)

    async def _begin(self, machine: Machine, request: Open, settings: Settings, log: LogFile | None = None) -> Runner:
        assert self._nursery is not None
        name = next(name for number in range(1, len(self._runners) + 2) if (name := f"t{number}") not in self._runners)
        runner = Runner(
            name,
            machine,
            home=self._home,
            identity=self._identity,
            diagnostics=self._diagnostics,
            open_log=partial(open_log, self._home, self._sync, self._key)
            if request.kind == "listen"
            else partial(new_log, self._home, self._sync),
            via=request.via,
            hook=settings.hook,
            log=log,
        )
        self._runners[name] = runner
        self.latest = name
        self._changed()
        self._diagnostics.note(f"{name} opened: {request.kind}")
        await self._nursery.start(self._keep, runner)
        return runner

    async def _keep(self, runner: Runner, task_status: trio.TaskStatus[None]) -> None:
        try:
            await runner.run(task_status)
        except* Exception as errors:
            self._diagnostics.fault(runner.name, errors)
        finally:
            del self._runners[runner.name]
            if self._listening.pop(runner.name, None) and not self._closing:
                self._keep_listening()
            runner.closed.set()
            self._changed()

    def _keep_listening(self) -> None:
        try:
            keep_listening(self._home, list(self._listening.values()))
        except StoreError as error:
            self._diagnostics.note(f"what is listened on is not kept: {error}")

    # --- unfinished games ---------------------------------------------------------------------------------------------

    def _owed(self) -> list[OwnLog]:
        """Unfinished games in which we are owed a seat, and that no table goes on with."""
        return [log for log in self._to_follow() if not log.over]

    def _to_follow(self) -> list[OwnLog]:
        at_work = self._at_work()
        return [log for log in logs_to_follow(self._home, self._key) if log.path not in at_work]

    def _at_work(self) -> dict[Path, str]:
        """The logs that tables write now, and the names of these tables."""
        return {runner.log.path: runner.name for runner in self._runners.values() if runner.log}

    def _log_to_resume(self, name: str) -> OwnLog:
        at_work = self._at_work()
        if name:
            log = self._named_log(name)
            if log.path in at_work:
                raise Declined(f"That game is on at a table: p2pcards attach {at_work[log.path]}", USAGE)
            return log
        logs = [log for log in unfinished_logs(self._home, self._key) if log.path not in at_work]
        for log in logs:
            if log.coordinates:
                return log
        listens = " Where you are a listener, 'p2pcards listen' waits for the coordinator." if logs else ""
        raise Declined(f"There is no unfinished game that you coordinate.{listens}", USAGE)

    def _named_log(self, name: str) -> OwnLog:
        path = find_log(self._home, name).path
        log = own_log(path, self._key)
        if log is None:
            raise Declined(f"You have no side in the game of {path.name}, so it cannot be resumed here.", USAGE)
        if log.over:
            raise Declined(f"The game of {path.name} is over. 'p2pcards verify {path.stem}' shows how it ended.", USAGE)
        if not log.coordinates:
            raise Declined(
                "You are a listener in that game: run 'p2pcards listen', and its coordinator 'p2pcards resume'.", USAGE
            )
        return log


def _entropy(seed: int | None) -> Entropy:
    return os.urandom if seed is None else Random(seed).randbytes


def _choose_game(runner: Runner, request: Open, settings: Settings) -> None:
    """Raises CommandError."""
    preset = request.preset or settings.presets.get(request.game, "")
    runner.command(Command("game", (request.game, preset) if preset else (request.game,)))
    for key, value in request.changes:
        runner.command(Command("set", (key, value)))


async def _drop(runner: Runner, why: str) -> None:
    """Close a table that could not be opened as it was asked for."""
    runner.end(why)
    with trio.CancelScope(shield=True):
        await runner.closed.wait()


async def _settled(runner: Runner, called: int) -> None:
    """Wait until each who was called is here or was not reached."""
    with trio.move_on_after(SEATING):
        while not runner.over and runner.here() + len(runner.failures) < called:
            await runner.stepped()


def _nobody(runner: Runner) -> Declined:
    sentences = [str(failure) for failure in runner.failures.values()]
    codes = [failure.code for failure in runner.failures.values()]
    return Declined(" ".join(sentences) or "Nobody who was called has sat down in time.", (codes or [NETWORK])[0])


def _status(runner: Runner) -> TableStatus:
    view = runner.view()
    people = tuple([Someone(one.name, one.character, one.link, one.where) for one in view.people])
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
    )
