"""The logs of games: that of the table, those that go on, those of before, and what is entered in the records."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import DAMAGED, USAGE
from p2pcards.daemon.attachments import Attachments
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.crew import beside
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.machines import resume_coordinator
from p2pcards.games.names import GAME_NAMES
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import RECORD, Numbering, last_head, read_beginning
from p2pcards.ledger.taken_up import NotTakenUp, take_up_hand
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.results.keeping import ask_book, proofread_all, tell_nobody
from p2pcards.results.saves import open_logs
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.doubt import OpenGame
from p2pcards.session.effects import UseLog
from p2pcards.session.lobby import LeftOpen
from p2pcards.store.files import Home, StoreError, write_whole
from p2pcards.store.guarded import guarded, one_of_many
from p2pcards.store.logs import (
    CONTINUED,
    ENDED_EARLY,
    FALSE,
    UNFINISHED,
    FaultyLog,
    LogEntry,
    LogFacts,
    LogFile,
    Sync,
    create_log,
    facts_of,
    find_log,
    free_path,
    indexed_logs,
    log_bytes,
    logs_named_by,
    read_log,
)
from p2pcards.store.logs import DAMAGED as DAMAGED_LOG
from p2pcards.views.happenings import Notice
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.packing import Refused

# --- the log of the game that is on at a table ------------------------------------------------------------------------


OpenLog = Callable[[UseLog], LogFile]
"""The log that is asked for. Raises StoreError."""


class TableLog:
    """file: the log of the game that the table was opened to go on with, None where it begins with none."""

    def __init__(self, open_log: OpenLog, file: LogFile | None, attachments: Attachments) -> None:
        self._open_log = open_log
        self._file = file
        self._game_id = b""
        self._numbering: Numbering | None = None  # of the file, once it is written to
        self._attachments = attachments

    @property
    def path(self) -> Path | None:
        """The path of the log, None while there is none."""
        return self._file.path if self._file else None

    @property
    def is_new(self) -> bool:
        """True if the log is empty."""
        return self._file is not None and self._file.is_empty

    def holds(self, game_id: bytes) -> bool:
        return self._game_id == game_id

    def use(self, wanted: UseLog) -> bool:
        """Open the log of this game; True if another was in use before. Raises StoreError."""
        if self.holds(wanted.game_id):
            return False
        self.close()
        self._file, self._game_id, self._numbering = None, b"", None
        self._file, self._game_id = self._open_log(wanted), wanted.game_id
        self.tell_torn()
        return True

    def append(self, payload: bytes) -> None:
        """Write a payload, numbered or counted as the log requires, and sync it. Raises StoreError, after which the
        same payload may be given again."""
        assert self._file is not None, "UseLog comes before Remember"
        if self._numbering is None:
            self._numbering = Numbering.of(self._file.hand_over())
        for one in self._numbering.prepare_payload(payload):
            self._file.append(one)
            self._numbering.add_payload(one)

    def tell_torn(self) -> None:
        """Tell our player about a log whose last record was incomplete."""
        if self._file and (torn := self._file.torn):
            text = (
                f"The log's last record is incomplete ({torn.size} bytes at offset {torn.offset}). "
                f"It's been moved to {torn.path}, and the game continues from the record before it."
            )
            self._attachments.tell(Notice(text))

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file:
            self._file.close()


# --- the logs of our own games ----------------------------------------------------------------------------------------


def new_log(home: Home, sync: Sync, game: str, game_id: bytes) -> LogFile:
    """Create the log of a game that begins here, under another name if one with the same id exists. Raises
    StoreError."""
    return create_log(home, time.strftime("%Y-%m-%d"), game, game_id, sync)


def followed_logs(home: Home, key: bytes, coordinator: bytes, game_id: bytes) -> list[Path]:
    """The logs, newest first, of this player as a listener in this coordinator's game. Only logs with a fitting name
    are opened."""
    return [path for path in _logs_named_by(home, game_id) if _follows(path, key, coordinator, game_id)]


def followed_game(paths: Iterable[Path], key: PrivateKey) -> tuple[Path, LedgerFollower] | None:
    """The game in the first of these logs that is whole and holds; slow for a long log."""
    for path in paths:
        if found := _followed(path, key):
            return path, found
    return None


@one_of_many(None)
def _followed(path: Path, key: PrivateKey) -> LedgerFollower:
    """The game in a log, followed on."""
    return LedgerFollower.restored(key, read_log(path).payloads)


def coordinated_game(home: Home, key: PrivateKey, listener: bytes, game_id: bytes) -> LedgerWriter | None:
    """Our game with this listener in the newest log that is whole and holds; slow for a long log."""
    games = (_coordinated(path, key, listener, game_id) for path in _logs_named_by(home, game_id))
    return next((game for game in games if game), None)


@one_of_many(None)
def _coordinated(path: Path, key: PrivateKey, listener: bytes, game_id: bytes) -> LedgerWriter | None:
    """The game in a log, if it is ours and has this id and this listener; else None."""
    payloads = read_log(path).payloads
    start = read_beginning(payloads)
    position, sides = start.position, start.header.sides
    ours = start.side == 0 and sides[0].key == public_bytes(key) and position.game_id == game_id
    if not ours or not start.header.side_of(listener):
        return None
    return LedgerWriter.restored(key, start.frame, position, payloads)


def _logs_named_by(home: Home, game_id: bytes) -> list[Path]:
    """The logs whose names fit this game; none while the folder cannot be read."""
    try:
        return logs_named_by(home, game_id)
    except StoreError:
        return []


@one_of_many(False)
def _follows(path: Path, key: bytes, coordinator: bytes, game_id: bytes) -> bool:
    """A damaged log cannot be continued. Any player of the game may succeed its coordinator."""
    start = read_beginning(read_log(path).payloads)
    ours = start.side > 0 and start.owner == key and coordinator in [side.key for side in start.header.sides]
    return ours and coordinator != key and start.position.game_id == game_id


# --- the logs of games that we have coordinated, of which a listener lacks the end ------------------------------------


class PastLogs:
    """Those of a home. They are read beside the event loop, one at a time."""

    def __init__(self, home: Home, identity: PrivateKey) -> None:
        self._home = home
        self._identity = identity
        self._lane = trio.CapacityLimiter(1)

    async def gather(self, machine: Coordinator, listener: bytes, game_id: bytes) -> None:
        """Read the earlier game that a listener asked for and give it to the machine, if it may be asked for."""
        if game_id and machine.wants_past(listener, game_id):
            found = await beside(coordinated_game, self._home, self._identity, listener, game_id, lane=self._lane)
            machine.know_past(listener, found)


# --- which unfinished games can go on ---------------------------------------------------------------------------------


MOST_OPEN = 20
"""Games that one coordinator has left open of which we count how many they are."""


def owed_seats(home: Home, key: bytes, at_work: Collection[Path]) -> dict[str, str]:
    """The unfinished games in which we are a listener and that no table has open: the name of the newest one by the
    name of its coordinator. Raises StoreError."""
    found: dict[str, str] = {}
    for log, facts in indexed_logs(home):
        if facts.is_open_to(key) and facts.side and log.path not in at_work:
            found.setdefault(facts.players[0], GAME_NAMES.get(log.game, log.game))
    return found


def is_owed_a_seat(home: Home, key: bytes) -> bool:
    """True if there is an unfinished game in which we are a listener. Raises StoreError."""
    return any(facts.side for _, facts in open_logs(home, key))


def log_to_resume(home: Home, key: bytes, at_work: Mapping[Path, str], name: str) -> Path:
    """The path of the log with this name, for "" of the newest game that we coordinate. at_work: logs that tables have
    open, with the tables' names. Raises Declined and StoreError."""
    if name:
        path = _log_named(home, key, name)
        if path in at_work:
            raise Declined(f"That game is already open at a table: p2pcards attach {at_work[path]}", USAGE)
        return path
    unfinished = [(log.path, facts.side == 0) for log, facts in open_logs(home, key)]
    logs = [(path, coordinates) for path, coordinates in unfinished if path not in at_work]
    for path, coordinates in logs:
        if coordinates:
            return path
    listens = " For a game that a friend hosts, run p2pcards listen." if logs else ""
    there = next((at_work[path] for path, coordinates in unfinished if coordinates), "")
    but = f" except at table {there}: p2pcards attach {there}" if there else "."
    raise Declined(f"You aren't hosting any unfinished games{but}{listens}", USAGE)


@guarded(FaultyLog, Declined)
def take_up(home: Home, key: PrivateKey, name: str, hand: int) -> Path:
    """Create a new game that begins with this hand of an earlier game alone; returns its log. Slow for a long log.
    Raises Declined and StoreError."""
    log = find_log(home, name)
    if facts_of(read_log(log.path).payloads).owner != public_bytes(key):
        raise Declined(f"You didn't play in {log.name}, so you can't start from a hand of it.", USAGE)
    try:
        payloads = take_up_hand(key, read_log(log.path).payloads, hand, os.urandom)
    except NotTakenUp as why:
        raise Declined(str(why), USAGE) from None
    except Refused as refused:
        raise Declined(f"This log is invalid, so you can't start from a hand of it: {refused}", DAMAGED) from None
    path = free_path(home, time.strftime("%Y-%m-%d"), log.game, read_beginning(payloads).position.game_id)
    write_whole(path, log_bytes(payloads))
    return path


@dataclass(frozen=True, slots=True)
class GamesWith:
    """The games that the player has as a listener of one coordinator, and one with them under another."""

    last: OpenGame | None  # the latest game; None if it is over
    unfinished: frozenset[bytes]  # ids of the games that are not over, MOST_OPEN at most
    # games that the coordinator ended or broke off after the player signed a check: by id, when the log was last
    # written, in seconds of Unix time
    thrown_away: Mapping[bytes, float]
    # id of the newest game with this player under another coordinator, which they may continue; b"" if it is over
    of_another: bytes


def games_with(home: Home, key: bytes, coordinator: bytes) -> GamesWith:
    """Our games as a listener with this coordinator. Raises StoreError when the logs cannot be listed."""
    theirs = [
        (log, facts)
        for log, facts in indexed_logs(home)
        if facts.side and facts.owner == key and facts.keys[0] == coordinator
    ]
    unfinished = [(log, facts) for log, facts in theirs if facts.state == UNFINISHED][:MOST_OPEN]
    games = [game for log, facts in unfinished if (game := _open_game(log.path, bool(facts.checked)))]
    last = games[0] if games and theirs[0] == unfinished[0] else None
    ids = frozenset([game.game_id for game in games])
    return GamesWith(last, ids, _thrown_away(theirs), _game_of_another(home, key, coordinator))


def _game_of_another(home: Home, key: bytes, successor: bytes) -> bytes:
    """The id of our newest game with this player as another listener, if they may continue it; else b""."""
    for log, facts in indexed_logs(home):
        if facts.side and facts.owner == key and successor in facts.keys[1:]:
            game = _open_game(log.path, bool(facts.checked)) if facts.state in (UNFINISHED, CONTINUED) else None
            return game.game_id if game else b""
    return b""


def _thrown_away(theirs: Sequence[tuple[LogEntry, LogFacts]]) -> dict[bytes, float]:
    """The ids of games that their coordinator threw away, with the unix time of each."""
    over = {game_id for _, facts in theirs for game_id in facts.over}
    return {
        facts.checked: log.changed / 1e9
        for log, facts in theirs
        if facts.checked and (facts.state == ENDED_EARLY or (facts.state == UNFINISHED and facts.checked in over))
    }


@one_of_many(None)
def _open_game(path: Path, checked: bool) -> OpenGame:
    """The unfinished game in a log."""
    payloads = read_log(path).payloads
    position = read_beginning(payloads).position
    records = sum(payload[:1] == RECORD for payload in payloads)
    return OpenGame(position.game_id, position.game.name, records, last_head(payloads), checked)


def left_open(home: Home, key: bytes) -> list[LeftOpen]:
    """Our unfinished games as coordinator after which none began with the same people, newest first. Raises StoreError
    when the logs cannot be listed."""
    found, met = [], set[bytes]()
    for log, facts in indexed_logs(home):
        others = set(facts.keys[1:])
        if facts.side == 0 and facts.owner == key and not others <= met:
            if facts.state == UNFINISHED and (game := _left_open(log.path)):
                found.append(game)
            met |= others
    return found


@one_of_many(None)
def _left_open(path: Path) -> LeftOpen:
    """The unfinished game in a log: its listeners and its last head."""
    payloads = read_log(path).payloads
    listeners = [side.key for side in read_beginning(payloads).header.sides[1:]]
    return LeftOpen(frozenset(listeners), last_head(payloads))


resume_game = guarded(FaultyLog, Declined)(resume_coordinator)


def _log_named(home: Home, key: bytes, name: str) -> Path:
    """The path of the log with this name. Raises Declined if the player can't go on with it."""
    log = find_log(home, name)
    facts = facts_of(read_log(log.path).payloads)
    if facts.state in (DAMAGED_LOG, FALSE):
        why = f"'p2pcards verify {log.stem}' shows why."
        raise Declined(f"The log {log.name} can't be read, so it can't be resumed. {why}", DAMAGED)
    if facts.side is None or facts.owner != key:
        raise Declined(f"You didn't play in {log.name}, so you can't resume it.", USAGE)
    if facts.state != UNFINISHED:
        raise Declined(f"The game of {log.name} is over. 'p2pcards verify {log.stem}' shows how it ended.", USAGE)
    if facts.side:
        raise Declined("A friend hosts that game: run p2pcards listen, and have them run p2pcards resume.", USAGE)
    return log.path


# --- the games that end are entered in the records while the daemon has time ------------------------------------------


REST, FEW = 0.1, 4
"""Seconds after each log, where there are more to read than so few: the loop keeps its share of the processor."""
BREATH = 0.0005
"""Seconds after each game that is proofread."""


class Records:
    """Those of a home."""

    def __init__(self, home: Home, diagnostics: Diagnostics) -> None:
        self._home = home
        self._diagnostics = diagnostics
        self._ended = Bell()
        self._due = False

    def note_end(self) -> None:
        """Note that a game is over, so that the records are updated."""
        self._due = True
        self._ended.ring()

    async def run(self) -> None:
        """Proofread the records, then update them after each game."""
        await self._run_in_thread(
            partial(proofread_all, self._home, progress=_rest_between_logs, pause=_stop_if_cancelled)
        )
        while True:
            while self._due:
                self._due = False
                await self._run_in_thread(partial(ask_book, self._home, tell_nobody, progress=_rest_between_logs))
            await self._ended.wait()

    async def _run_in_thread(self, task: Callable[..., None]) -> None:
        """Run a task in a thread; what goes wrong or is told goes to the diagnostics."""
        told: list[str] = []
        try:
            # It is waited for, as nothing may be written here once the daemon has gone; `_stop_if_cancelled` ends it.
            await trio.to_thread.run_sync(partial(task, tell=told.append))
        except StoreError as error:
            told.append(str(error))
        except Exception as error:  # no table ends for the sake of the records
            self._diagnostics.fault("records", error)
        for sentence in told:
            self._diagnostics.note(f"records: {sentence}")


def _stop_if_cancelled() -> None:
    """Stop the thread's task if the daemon is ending."""
    trio.from_thread.check_cancelled()
    time.sleep(BREATH)


def _rest_between_logs(_done: int, logs: int) -> None:
    """Rest a moment after each log when there are many, and stop if the daemon is ending."""
    trio.from_thread.check_cancelled()
    if logs > FEW:
        time.sleep(REST)
