"""The tables of a daemon: naming, finding and closing them, and what is kept of those that wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import trio
from trio_parallel import open_worker_context

from p2pcards.control.declined import Declined
from p2pcards.control.exits import USAGE
from p2pcards.control.messages import OpenHost, Someone, TableStatus
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.call import Caller
from p2pcards.daemon.crew import PARTING
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.followed import FollowedGames
from p2pcards.daemon.gamelogs import new_log
from p2pcards.daemon.garbage import look_at_all_again
from p2pcards.daemon.pastlogs import PastLogs
from p2pcards.daemon.records import Records
from p2pcards.daemon.runner import Runner
from p2pcards.daemon.thinking import Decide, decide_here, deciding_in
from p2pcards.daemon.waiting import Kept, WaitingTables
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import UseLog
from p2pcards.session.listener import Listener
from p2pcards.store.home import Home
from p2pcards.store.logfile import LogFile, Sync
from p2pcards.wire.keys import PrivateKey

CLOSING = 15.0
"""Seconds in which all tables are closed when the daemon stops."""


class Tables:
    """All tables. changed: called when one is opened or closed. sync: puts what was written to
    a log on disk."""

    def __init__(
        self, home: Home, identity: PrivateKey, diagnostics: Diagnostics, sync: Sync, changed: Callable[[], None]
    ) -> None:
        self._home = home
        self._diagnostics = diagnostics
        self._sync = sync
        self._changed = changed
        self._waiting = WaitingTables(home, diagnostics)
        self._followed = FollowedGames(home, identity, diagnostics, sync)
        self._records = Records(home, diagnostics)
        self._past = PastLogs(home, identity)
        self._runners: dict[str, Runner] = {}
        self._latest = ""
        self._closed = Bell()
        self._nursery: trio.Nursery | None = None
        self._decide: Decide = decide_here

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """The tables live as long as this does."""
        async with open_worker_context(grace_period=PARTING) as workers, trio.open_nursery() as self._nursery:
            self._decide = deciding_in(workers)
            await self._nursery.start(self._followed.run)
            self._nursery.start_soon(self._records.run)
            task_status.started()
            await trio.sleep_forever()

    # --- finding ------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._runners)

    def find(self, name: str) -> Runner:
        """The table of this name; for "" the only one, or the one that was opened or attached to last. Raises
        Declined."""
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

    def waiting_at(self, port: int | None = None, device: str = "") -> Runner | None:
        """The table that waits on this port, or at this serial device."""
        for runner in self._runners.values():
            at = runner.entrance
            if at and ((port and at.port == port) or (device and at.device == device)):
                return runner
        return None

    def joined(self, host: str, via: str) -> Runner | None:
        """The table that has joined this host, at its address, in this way."""
        there = self._runners.get(self._waiting.joined(host, via))
        return None if there is None or there.over else there

    def with_peer(self, key: bytes, other_than: Runner) -> Runner | None:
        """The table at which somebody with this key is."""
        there = (runner for runner in self._runners.values() if runner is not other_than and not runner.over)
        return next((runner for runner in there if runner.has_peer(key)), None)

    def at_work(self) -> dict[Path, str]:
        """The logs that tables write now, and the names of these tables."""
        at_work = [runner for runner in self._runners.values() if not runner.over]
        return {runner.log_path: runner.name for runner in at_work if runner.log_path}

    def status(self) -> tuple[TableStatus, ...]:
        return tuple([_status(runner) for runner in self._runners.values()])

    # --- opening and closing ------------------------------------------------------------------------------------------

    async def begin(
        self,
        machine: Coordinator | Listener,
        caller: Caller,
        *,
        hooks: Mapping[str, str],
        log: LogFile | None = None,
    ) -> Runner:
        """A new table at work; hooks, log: as in `Runner`."""
        assert self._nursery is not None
        name = next(name for number in range(1, len(self._runners) + 2) if (name := f"t{number}") not in self._runners)
        listener = machine if isinstance(machine, Listener) else None
        if isinstance(machine, Listener):
            resumes = partial(self._followed.gather, name)
        else:
            resumes = partial(self._past.gather, machine)
        runner = Runner(
            name,
            machine,
            caller=caller,
            diagnostics=self._diagnostics,
            listens=listener is not None,
            open_log=self._followed.open_log if listener else partial(self._new_log, name),
            resumes=resumes,
            hooks=hooks,
            log=log,
            decide=self._decide,
            ended=self._records.note_end,
        )
        self._runners[name] = runner
        if listener is not None:
            self._followed.add(runner, listener)
        self._latest = name
        self._changed()
        self._diagnostics.note(f"{name} opened as {'listener' if listener else 'coordinator'}")
        await self._nursery.start(self._keep, runner)
        return runner

    def keep(self, table: Runner, request: Kept | OpenHost) -> None:
        """The table waits or has joined from now on, and does so again after a restart. request: how it was opened,
        with the port or device that it found."""
        self._waiting.add(table.name, request)

    async def drop(self, table: Runner, why: str) -> None:
        """Close a table that could not be opened as it was asked for."""
        table.end(why)
        with trio.CancelScope(shield=True):
            await self._gone(table)

    async def close_all(self) -> str:
        """Returns a sentence."""
        self._waiting.freeze()
        closing = list(self._runners.values())
        for runner in closing:
            runner.stop("The daemon was stopped. The game can be resumed.")
        with trio.move_on_after(CLOSING):
            for runner in closing:
                await self._gone(runner)
        if not closing:
            return "The daemon has stopped."
        names = ", ".join(runner.name for runner in closing)
        return f"The daemon has stopped; closed: {names}. Unfinished games can be resumed."

    async def _keep(self, runner: Runner, task_status: trio.TaskStatus[None]) -> None:
        try:
            await runner.run(task_status)
        except* Exception as errors:
            self._diagnostics.fault(runner.name, errors)
        finally:
            del self._runners[runner.name]
            self._followed.remove(runner.name)
            self._waiting.remove(runner.name)
            self._closed.ring()
            self._changed()
            look_at_all_again()

    async def _gone(self, table: Runner) -> None:
        while table in self._runners.values():
            await self._closed.wait()

    def _new_log(self, table: str, wanted: UseLog) -> LogFile:
        """A log for a game that this table begins. Raises StoreError."""
        file = new_log(self._home, self._sync, wanted.game, wanted.game_id)
        self._waiting.begin_log(table, file.path.stem)
        return file


def _status(runner: Runner) -> TableStatus:
    view, at = runner.view(), runner.entrance
    return TableStatus(
        runner.name,
        view.role,
        "paused" if view.paused else view.phase,
        view.game_name,
        view.waiting,
        tuple([Someone(one.name, one.character, one.link, one.where, one.line) for one in view.people]),
        at.port if at else None,
        len(runner.audience),
        runner.audience.unread,
        runner.paused,
        runner.log_path.name if runner.log_path else "",
        view.code,
        at.device if at else "",
    )
