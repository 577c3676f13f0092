"""The tables of a daemon: naming, finding and closing them, and what is kept of those that wait, so that a daemon that
was killed can wait there again."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import USAGE
from p2pcards.control.messages import OpenHost, OpenJoin, OpenLine, OpenListen, Rules, Someone, TableStatus
from p2pcards.control.protocol import BadMessage, from_plain, to_plain
from p2pcards.daemon.acquaintance import knows_key
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.calling import Caller
from p2pcards.daemon.crew import beside
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.logs import PastLogs, Records, followed_game, followed_logs, games_with, new_log
from p2pcards.daemon.machines import change_machine
from p2pcards.daemon.runner import Runner
from p2pcards.daemon.tablelinks import Role
from p2pcards.daemon.thinking import Decide, Thinking, decide_here, thinking_in_processes
from p2pcards.games.options import value_text
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import TakeTable, UseLog, YieldTable
from p2pcards.session.listener import Listener
from p2pcards.store.files import Home, StoreError, read_whole, write_whole
from p2pcards.store.logs import LogFile, Sync, list_logs
from p2pcards.wire.keys import PrivateKey, public_bytes

# --- collecting garbage while tables play -----------------------------------------------------------------------------


EVERYTHING = 2
"""The generation that holds all others."""


@contextmanager
def freezing_garbage_collector() -> Iterator[None]:
    """While this lasts, garbage collections leave out what was there before, and what survived a full one."""
    gc.freeze()
    gc.callbacks.append(_freeze_survivors)
    try:
        yield
    finally:
        gc.callbacks.remove(_freeze_survivors)
        gc.unfreeze()


def unfreeze_garbage_collector() -> None:
    """Have the next garbage collection look at everything again, after something large was dropped."""
    gc.unfreeze()


def _freeze_survivors(phase: str, about: Mapping[str, int]) -> None:
    """Garbage collector callback: freeze what survived a full collection."""
    if phase == "stop" and about["generation"] == EVERYTHING:
        gc.freeze()


# --- the games that our tables follow as listeners --------------------------------------------------------------------


class FollowedGames:
    """Those of a daemon, each known at one table at most: two writers, or one that knows less than its log, would spoil
    that. sync: puts what was written to a log on disk."""

    def __init__(self, home: Home, identity: PrivateKey, diagnostics: Diagnostics, sync: Sync) -> None:
        self._home = home
        self._identity = identity
        self._diagnostics = diagnostics
        self._sync = sync
        self._tables: dict[str, tuple[Runner, Listener]] = {}
        self._paths: dict[bytes, Path] = {}
        self._under_way: dict[tuple[Listener, bytes], trio.Event] = {}
        # One log at a time, so that the loop keeps its share of the processor; strangers delay nobody whom we know.
        self._lanes = {known: trio.CapacityLimiter(1) for known in (True, False)}
        self._nursery: trio.Nursery | None = None

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Read logs on request, until cancelled."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    def add(self, table: Runner, listener: Listener) -> None:
        """Add a listener's table."""
        self._tables[table.name] = table, listener

    def remove(self, table: str) -> None:
        """Forget a table that is closed."""
        self._tables.pop(table, None)

    def open_log(self, wanted: UseLog) -> LogFile:
        """Open the log of a followed game for a table. Raises StoreError."""
        if not wanted.new:
            return LogFile.open(self._paths[wanted.game_id], self._sync)
        file = new_log(self._home, self._sync, wanted.game, wanted.game_id)
        self._paths[wanted.game_id] = file.path
        return file

    async def gather(self, table: str, coordinator: bytes, game_id: bytes) -> None:
        """Read what a coordinator wants to go on with, before the machine gets their message: this game (b"": a new
        one), or in its stead the last unfinished one. It becomes known at this table and no other. Reading goes on if
        the caller doesn't wait."""
        there, listener = self._tables[table]
        await self._look_for_open(there, listener, coordinator)
        if game_id:
            await self._move_game_to(there, listener, coordinator, game_id)
        if not listener.knows(game_id):
            last = listener.open_with(coordinator)
            if not self._other_tables_of(there, last):
                await self._move_game_to(there, listener, coordinator, last)

    async def _move_game_to(self, there: Runner, listener: Listener, coordinator: bytes, game_id: bytes) -> None:
        """Let this game go on at that table and no other; b"": no game."""
        if there.over or not game_id or listener.knows(game_id):
            return
        assert self._nursery is not None
        asked = (listener, game_id)
        if asked not in self._under_way:
            self._under_way[asked] = trio.Event()
            self._nursery.start_soon(self._gather, there, listener, coordinator, game_id)
        await self._under_way[asked].wait()

    async def _look_for_open(self, there: Runner, listener: Listener, coordinator: bytes) -> None:
        """Tell the listener which of this coordinator's games the logs say are unfinished, and give it the game that
        they may continue in the place of another."""
        if not listener.knows_open(coordinator):
            lane = self._lanes[knows_key(self._home, coordinator)]
            key = public_bytes(self._identity)
            with suppress(StoreError):
                found = await beside(games_with, self._home, key, coordinator, lane=lane)
                # Logs know the time of day, tables that of the loop.
                ahead = trio.current_time() - time.time()
                thrown = {game_id: when + ahead for game_id, when in found.thrown_away.items()}
                listener.know_open(coordinator, found.last, found.unfinished, thrown)
                if not self._other_tables_of(there, found.of_another):
                    await self._move_game_to(there, listener, coordinator, found.of_another)

    async def _gather(self, here: Runner, listener: Listener, coordinator: bytes, game_id: bytes) -> None:
        """Read this game from its log and make it known at this table."""
        try:
            lane = self._lanes[knows_key(self._home, coordinator)]
            key = public_bytes(self._identity)
            paths = await beside(followed_logs, self._home, key, coordinator, game_id, lane=lane)
            found = None
            while paths and not here.over:
                for other in self._other_tables_of(here, game_id):
                    other.end(f"That game is already open at table {here.name}: p2pcards attach {here.name}")
                found = await beside(followed_game, paths, self._identity, lane=lane)
                if not self._other_tables_of(
                    here, game_id
                ):  # else a table has gone on with it meanwhile, and written more
                    break
            self._keep_found(listener, game_id, found)
        except Exception as error:
            self._diagnostics.fault(here.name, error)
        finally:
            self._under_way.pop((listener, game_id)).set()

    def _other_tables_of(self, here: Runner, game_id: bytes) -> list[Runner]:
        """The other tables at which this game is in progress."""
        return [other for other, _ in self._tables.values() if other is not here and other.follows(game_id)]

    def _keep_found(self, listener: Listener, game_id: bytes, found: tuple[Path, LedgerFollower] | None) -> None:
        """Make the game that was found known at this machine alone."""
        if found is None:
            return
        for _, other in self._tables.values():
            other.forget(game_id)
        self._paths[game_id], game = found
        listener.know(game)


# --- what is kept of the tables that wait -----------------------------------------------------------------------------


NAME = "listening.json"
HOSTED = "hosted.json"
LOBBY = "lobby.json"


Kept = OpenListen | OpenLine | OpenJoin


class WaitingTables:
    """The requests of the tables that wait or have joined now, and the files that keep them. Nothing is refused when
    these cannot be written: the diagnostics say so."""

    def __init__(self, home: Home, diagnostics: Diagnostics) -> None:
        self._home = home
        self._diagnostics = diagnostics
        self._requests: dict[str, Kept | OpenHost] = {}
        self._playing: set[str] = set()
        self._frozen = False

    def add(self, table: str, request: Kept | OpenHost, *, plays: bool = False) -> None:
        """Keep the request of a table that waits or has joined. request: with the port or device found; plays: a game
        is in progress there."""
        self._requests[table] = request
        if plays:
            self._playing.add(table)
        self._keep()
        self.keep_lobby()

    def joined(self, host: str, via: str) -> str:
        """The name of the table that has joined this host in this way, "" for none."""
        joins = [(table, one) for table, one in self._requests.items() if isinstance(one, OpenJoin)]
        return next((table for table, one in joins if (one.host.address, one.via) == (host, via)), "")

    def remove(self, table: str) -> None:
        """Forget a table that is closed."""
        self._playing.discard(table)
        if self._requests.pop(table, None) is not None:
            self._keep()
            self.keep_lobby()

    def lobby(self, table: str) -> OpenHost | None:
        """The request of a page's table that waits without a game, None if there is none."""
        request = self._requests.get(table)
        waits = isinstance(request, OpenHost) and _is_at_brokers_alone(request)
        return request if isinstance(request, OpenHost) and waits and table not in self._playing else None

    def begin_log(self, table: str, log: str) -> None:
        """Keep the table of a host with the log of its game, to wait again when that is resumed. Raises StoreError."""
        self._playing.add(table)
        self.keep_lobby()
        request = self._requests.get(table)
        if isinstance(request, OpenHost):
            keep_hosted(self._home, log, request, {one.stem for one in list_logs(self._home)})

    def end_game(self, table: str) -> None:
        """Note that the table's game is over."""
        self._playing.discard(table)
        self.keep_lobby()

    def keep_lobby(self) -> None:
        """Save what a reloaded page returns to, unless a game is in progress."""
        waits = next(filter(None, map(self.lobby, self._requests)), None)
        if not self._frozen and waits != kept_lobby(self._home):
            try:
                _write_json(self._home, LOBBY, to_plain(OpenHost, waits) if waits else None)
            except StoreError as error:
                self._diagnostics.note(f"the table that waits is not kept: {error}")

    def freeze(self) -> None:
        """Change nothing more: the daemon ends, and the next one is to find what is there now."""
        self._frozen = True

    def _keep(self) -> None:
        """Save the requests of tables that listen or have joined."""
        if self._frozen:
            return
        try:
            keep_listening(self._home, [one for one in self._requests.values() if not isinstance(one, OpenHost)])
        except StoreError as error:
            self._diagnostics.note(f"what is listened on is not kept: {error}")


def keep_listening(home: Home, requests: list[Kept]) -> None:
    """Save the requests of tables that listen or have joined, with their ports. Raises StoreError."""
    _write_json(home, NAME, [to_plain(Kept, request) for request in requests])


def kept_listening(home: Home) -> list[Kept]:
    """The requests that `keep_listening` saved last."""
    listed = _read_json(home, NAME, [])
    requests = map(_read_request, listed) if type(listed) is list else []
    return [request for request in requests if request is not None]


def keep_hosted(home: Home, log: str, request: OpenHost, logs: Container[str]) -> None:
    """Save where the game of a log is hosted; those of other logs than `logs` are dropped. Raises StoreError."""
    listed = _read_json(home, HOSTED, {})
    kept = {name: entry for name, entry in listed.items() if name in logs} if type(listed) is dict else {}
    _write_json(home, HOSTED, {**kept, log: to_plain(OpenHost, request)})


def hosted(home: Home, log: str) -> OpenHost | None:
    """The place where the game of a log was hosted (port, device or meeting points), None if it was not."""
    listed = _read_json(home, HOSTED, {})
    request: OpenHost | None = _from_plain(OpenHost, listed.get(log)) if type(listed) is dict else None
    if request is None:
        return None
    if request.serial:
        return request if request.serial.device else None
    return request if _is_port(request.port) or (request.port is None and request.reach) else None


def kept_lobby(home: Home) -> OpenHost | None:
    """The request of the table that waited in this page when it was closed, None if there was none."""
    request: OpenHost | None = _from_plain(OpenHost, _read_json(home, LOBBY, None))
    return request if request and _is_at_brokers_alone(request) else None


def _is_at_brokers_alone(request: OpenHost) -> bool:
    """True if the request is for meeting points only."""
    return request.port is None and request.serial is None and request.reach is True


def _read_request(entry: object) -> Kept | None:
    """A request to wait or join read from JSON; None unless it says where to wait or whom to join."""
    request: Kept | None = _from_plain(Kept, entry)
    match request:
        case OpenJoin(host):
            return request if host.address else None
        case OpenListen(port):
            return request if _is_port(port) else None
    return request


def _is_port(port: int | None) -> bool:
    """True for a valid TCP port."""
    return port is not None and 1 <= port <= 65535


def _from_plain(kind: Any, entry: object) -> Any:
    """The record of this class in plain values, None if it doesn't fit."""
    try:
        return from_plain(kind, entry)
    except BadMessage:
        return None


def _read_json(home: Home, name: str, nothing: Any) -> Any:
    """The value in a JSON file of the home's state folder; `nothing` where it is missing or damaged."""
    try:
        return json.loads(read_whole(home.state / name) or b"null") or nothing
    except (StoreError, ValueError, RecursionError):
        return nothing


def _write_json(home: Home, name: str, value: object) -> None:
    """Write a value to a JSON file of the home's state folder."""
    write_whole(home.state / name, (json.dumps(value, indent=2) + "\n").encode())


# --- the tables of a daemon -------------------------------------------------------------------------------------------


CLOSING = 15.0
"""Seconds in which all tables are closed when the daemon stops."""
LEAVING = 5.0
"""Seconds that `leave` waits for its table to close: a silent peer, or the player's own command at the end of a table,
may take longer."""


class Tables:
    """All tables. changed: called when one is opened or closed. sync: puts what was written to
    a log on disk. thinking: where computer players decide."""

    def __init__(
        self,
        home: Home,
        identity: PrivateKey,
        diagnostics: Diagnostics,
        sync: Sync,
        changed: Callable[[], None],
        thinking: Thinking = thinking_in_processes,
    ) -> None:
        self._home = home
        self._diagnostics = diagnostics
        self._sync = sync
        self._changed = changed
        self._thinking = thinking
        self._waiting = WaitingTables(home, diagnostics)
        self._followed = FollowedGames(home, identity, diagnostics, sync)
        self._records = Records(home, diagnostics)
        self._past = PastLogs(home, identity)
        self._runners: dict[str, Runner] = {}
        self._machines: dict[str, Coordinator | Listener] = {}
        self._latest = ""
        self._closed = Bell()
        self._nursery: trio.Nursery | None = None
        self._decide: Decide = decide_here

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run the tables until cancelled."""
        async with self._thinking() as self._decide, trio.open_nursery() as self._nursery:
            await self._nursery.start(self._followed.run)
            self._nursery.start_soon(self._records.run)
            task_status.started()
            await trio.sleep_forever()

    # --- finding ------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._runners)

    def find(self, name: str) -> Runner:
        """The table of this name; for "" the only one, or the latest. Raises Declined."""
        if not self._runners:
            raise Declined("No table is open. Open one: p2pcards play, host, listen or connect", USAGE)
        if not name:
            return self._runners.get(self._latest) or next(reversed(self._runners.values()))
        if name not in self._runners:
            raise Declined(f"There's no table '{name}'. Open tables: {', '.join(self._runners)}.", USAGE)
        return self._runners[name]

    def note_latest(self, table: Runner) -> None:
        """Make this the latest table: a player has sat down there."""
        self._latest = table.name

    def waiting_at(self, port: int | None = None, device: str = "") -> Runner | None:
        """The table that waits on this port or serial device, None if there is none."""
        for runner in self._runners.values():
            at = runner.entrance
            if at and ((port and at.port == port) or (device and at.device == device)):
                return runner
        return None

    def waiting_at_brokers(self) -> Runner | None:
        """The table that waits at meeting points only, None if there is none."""
        there = (runner for runner in self._runners.values() if not runner.over)
        return next((one for one in there if (at := one.entrance) and at.anywhere and at.port is None), None)

    def joined(self, host: str, via: str) -> Runner | None:
        """The table that has joined the host at this address in this way, None if there is none."""
        there = self._runners.get(self._waiting.joined(host, via))
        return None if there is None or there.over else there

    def with_peer(self, key: bytes, other_than: Runner) -> Runner | None:
        """Another table with a link to this key, None if there is none."""
        there = (runner for runner in self._runners.values() if runner is not other_than and not runner.over)
        return next((runner for runner in there if runner.has_peer(key)), None)

    def at_work(self) -> dict[Path, str]:
        """The logs that tables have open, with the tables' names."""
        at_work = [runner for runner in self._runners.values() if not runner.over]
        return {runner.log_path: runner.name for runner in at_work if runner.log_path}

    def status(self) -> tuple[TableStatus, ...]:
        """The status of every table."""
        return tuple([_status(runner) for runner in self._runners.values()])

    # --- opening and closing ------------------------------------------------------------------------------------------

    async def open_table(
        self,
        machine: Coordinator | Listener,
        caller: Caller,
        *,
        hooks: Mapping[str, str],
        log: LogFile | None = None,
    ) -> Runner:
        """Open a table for this machine. hooks, log: as in `Runner`."""
        assert self._nursery is not None
        name = next(name for number in range(1, len(self._runners) + 2) if (name := f"t{number}") not in self._runners)
        runner = Runner(
            name,
            machine,
            caller=caller,
            diagnostics=self._diagnostics,
            role=self._role_of(machine, name),
            change_role=partial(self._change_role, name),
            open_log=partial(self._open_log, name),
            hooks=hooks,
            log=log,
            decide=self._decide,
            ended=partial(self._end_game, name),
        )
        self._runners[name] = runner
        self._machines[name] = machine
        if isinstance(machine, Listener):
            self._followed.add(runner, machine)
        self._latest = name
        if log is not None:
            self._waiting.keep_lobby()
        self._changed()
        self._diagnostics.note(f"{name} opened as {'listener' if runner.listens else 'coordinator'}")
        await self._nursery.start(self._keep, runner)
        return runner

    def _role_of(self, machine: Coordinator | Listener, name: str) -> Role:
        """The role of the table with this machine."""
        if isinstance(machine, Listener):
            return Role(listens=True, resumes=partial(self._followed.gather, name))
        return Role(listens=False, resumes=partial(self._past.gather, machine))

    def _change_role(
        self, name: str, effect: TakeTable | YieldTable, attended: bool
    ) -> tuple[Coordinator | Listener, Role]:
        """The machine and role of a table from now on. attended: our player is there."""
        machine = change_machine(self._machines[name], effect, attended)
        self._machines[name] = machine
        self._followed.remove(name)
        if isinstance(machine, Listener):
            self._followed.add(self._runners[name], machine)
        return machine, self._role_of(machine, name)

    def keep(self, table: Runner, request: Kept | OpenHost) -> None:
        """Keep a table that waits or has joined, to reopen it after a restart. request: how it was opened, with the
        port or device found."""
        self._waiting.add(table.name, request, plays=table.log_path is not None)

    def forget(self, table: Runner) -> None:
        """Don't reopen a table after a restart: its player has left."""
        self._waiting.remove(table.name)

    async def wait_closed(self, table: Runner) -> None:
        """Wait, at most LEAVING seconds, until a table that was left has freed its ports."""
        with trio.move_on_after(LEAVING):
            await self._wait_closed(table)

    def note_choice(self, table: Runner) -> None:
        """Save what was chosen at a table that waits in a page."""
        request = self._waiting.lobby(table.name)
        if request and (game := (view := table.view()).game):
            changes = tuple([(key, value_text(value)) for key, value in view.options])
            self._waiting.add(table.name, replace(request, rules=Rules(game, changes=changes)))

    async def drop(self, table: Runner, why: str) -> None:
        """Close a table that could not be opened as requested. why: a sentence."""
        table.end(why)
        with trio.CancelScope(shield=True):
            await self._wait_closed(table)

    async def close_all(self) -> str:
        """Close all tables; returns a sentence."""
        self._waiting.freeze()
        closing = list(self._runners.values())
        for runner in closing:
            runner.stop("The daemon was stopped. You can resume the game.")
        with trio.move_on_after(CLOSING):
            for runner in closing:
                await self._wait_closed(runner)
        if not closing:
            return "The daemon has stopped."
        names = ", ".join(runner.name for runner in closing)
        return f"The daemon has stopped and closed {names}. You can resume unfinished games."

    async def _keep(self, runner: Runner, task_status: trio.TaskStatus[None]) -> None:
        """Run a table until it is over, and clean up after it."""
        try:
            await runner.run(task_status)
        except* Exception as errors:
            self._diagnostics.fault(runner.name, errors)
        finally:
            del self._runners[runner.name]
            self._machines.pop(runner.name, None)
            self._followed.remove(runner.name)
            self._waiting.remove(runner.name)
            self._closed.ring()
            self._changed()
            unfreeze_garbage_collector()

    async def _wait_closed(self, table: Runner) -> None:
        """Wait until this table is closed."""
        while table in self._runners.values():
            await self._closed.wait()

    def _end_game(self, table: str) -> None:
        """Note the end of a table's game for records and waiting tables."""
        self._records.note_end()
        self._waiting.end_game(table)

    def _open_log(self, table: str, wanted: UseLog) -> LogFile:
        """Open the log of a game for a table. Raises StoreError."""
        if not wanted.new or isinstance(self._machines[table], Listener):
            return self._followed.open_log(wanted)
        file = new_log(self._home, self._sync, wanted.game, wanted.game_id)
        self._waiting.begin_log(table, file.path.stem)
        return file


def _status(runner: Runner) -> TableStatus:
    """The status of a table for `DaemonStatus`."""
    view, at = runner.view(), runner.entrance
    return TableStatus(
        runner.name,
        view.role,
        "paused" if view.paused else view.phase,
        view.game_name,
        view.waiting,
        tuple([Someone(one.name, one.character, one.link, one.where, one.line) for one in view.people]),
        at.port if at else None,
        len(runner.attachments),
        runner.attachments.unread,
        runner.paused,
        runner.log_path.name if runner.log_path else "",
        view.code,
        at.device if at else "",
        view.link,
        at.anywhere if at else False,
    )
