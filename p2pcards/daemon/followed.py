"""The games that our tables follow as listeners. What a log tells is read when the coordinator asks for its game,
beside the event loop, which does not wait for it however long it is."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import trio

from p2pcards.daemon.acquaintance import knows
from p2pcards.daemon.beside import beside
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.gamelogs import followed_game, followed_logs, new_log
from p2pcards.daemon.runner import Runner
from p2pcards.daemon.unfinished import games_with
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.session.effects import UseLog
from p2pcards.session.listener import Listener
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.logfile import LogFile, Sync
from p2pcards.wire.keys import PrivateKey, public_bytes


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
        """Logs are read as long as this runs."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    def add(self, table: Runner, listener: Listener) -> None:
        self._tables[table.name] = table, listener

    def remove(self, table: str) -> None:
        """The table is closed."""
        self._tables.pop(table, None)

    def open_log(self, wanted: UseLog) -> LogFile:
        """As `TableLog` wants it. Raises StoreError."""
        if not wanted.new:
            return LogFile.open(self._paths[wanted.game_id], self._sync)
        file = new_log(self._home, self._sync, wanted.game, wanted.game_id)
        self._paths[wanted.game_id] = file.path
        return file

    async def gather(self, table: str, coordinator: bytes, game_id: bytes) -> None:
        """A coordinator wants to go on with a game at this table, or (b"") to begin one: which of theirs are not over
        is known then, and that game goes on here with what its log holds now, and at no other; so does, where they
        begin one, or this is one of which there is no log, the last that is not over, unless it is on at another.
        Reading it goes on if whoever asked does not wait, so that it is known when they come again."""
        there, listener = self._tables[table]
        await self._look_for_open(listener, coordinator)
        if game_id:
            await self._bring(there, listener, coordinator, game_id)
        if not listener.knows(game_id):
            last = listener.open_with(coordinator)
            if not self._elsewhere(there, last):
                await self._bring(there, listener, coordinator, last)

    async def _bring(self, there: Runner, listener: Listener, coordinator: bytes, game_id: bytes) -> None:
        """This game goes on there; b"": none does."""
        if there.over or not game_id or listener.knows(game_id):
            return
        assert self._nursery is not None
        asked = (listener, game_id)
        if asked not in self._under_way:
            self._under_way[asked] = trio.Event()
            self._nursery.start_soon(self._gather, there, listener, coordinator, game_id)
        await self._under_way[asked].wait()

    async def _look_for_open(self, listener: Listener, coordinator: bytes) -> None:
        if not listener.knows_open(coordinator):
            lane = self._lanes[knows(self._home, coordinator)]
            key = public_bytes(self._identity)
            with suppress(StoreError):
                found = await beside(games_with, self._home, key, coordinator, lane=lane)
                # Logs know the time of day, tables that of the loop.
                ahead = trio.current_time() - time.time()
                thrown = {game_id: when + ahead for game_id, when in found.thrown_away.items()}
                listener.know_open(coordinator, found.last, found.unfinished, thrown)

    async def _gather(self, here: Runner, listener: Listener, coordinator: bytes, game_id: bytes) -> None:
        try:
            lane = self._lanes[knows(self._home, coordinator)]
            key = public_bytes(self._identity)
            paths = await beside(followed_logs, self._home, key, coordinator, game_id, lane=lane)
            found = None
            while paths and not here.over:
                for other in self._elsewhere(here, game_id):
                    other.end(f"That game goes on at table {here.name}: p2pcards attach {here.name}")
                found = await beside(followed_game, paths, self._identity, lane=lane)
                if not self._elsewhere(here, game_id):  # else a table has gone on with it meanwhile, and written more
                    break
            self._settle(listener, game_id, found)
        except Exception as error:
            self._diagnostics.fault(here.name, error)
        finally:
            self._under_way.pop((listener, game_id)).set()

    def _elsewhere(self, here: Runner, game_id: bytes) -> list[Runner]:
        """The tables at which the game is on, though the coordinator has come here."""
        return [other for other, _ in self._tables.values() if other is not here and other.follows(game_id)]

    def _settle(self, listener: Listener, game_id: bytes, found: tuple[Path, LedgerFollower] | None) -> None:
        """What was found is known here and nowhere else."""
        if found is None:
            return
        for _, other in self._tables.values():
            other.forget(game_id)
        self._paths[game_id], game = found
        listener.know(game)
