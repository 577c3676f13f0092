"""The game logs on disk: records of bytes, each on disk before `append` returns; their folder; what stands in them,
kept in a file, so that nobody reads all of them to list them; and a log in a file of its own, to be carried
elsewhere. The format is protocol/log.md."""

from __future__ import annotations

import fcntl
import hmac
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

from p2pcards.games.nearest import did_you_mean
from p2pcards.store.files import (
    NAME_LIMIT,
    Home,
    StoreError,
    private_folder,
    read_whole,
    store_error,
    sync_folder,
    write_all,
    write_new,
    write_whole,
)
from p2pcards.store.guarded import guarded
from p2pcards.store.save_names import Stamp, load_names

NOT_INDEXED = "not what is indexed of a log"
LIST_LOGS = "See p2pcards logs."

# --- the game logs on disk --------------------------------------------------------------------------------------------


# --- the game log on disk ---------------------------------------------------------------------------------------------


MAGIC = b"p2pcards log 1\n"
MAX_PAYLOAD = 1 << 20
"""Bytes of one payload."""

_LENGTH_CHECK = crc32(b"p2pcards log record")  # the check of a length starts from here, so that zeros are not a record
_HEADER = 8
_TRAILER = 4
_SECTOR = 512
"""Bytes that a disk writes at once."""

Sync = Callable[[int], None]
SYNC: Sync = getattr(os, "fdatasync", os.fsync)


class DamagedLog(StoreError):
    """A log in which a byte was changed. `offset` is where the damaged record begins, None where nobody can say."""

    def __init__(self, offset: int | None, sentence: str) -> None:
        super().__init__(sentence, "Restore this log from a backup, or ask another player of the game for theirs.")
        self.offset = offset


class FaultyLog(DamagedLog):
    """A log at which this program fails, whatever is in it."""

    def __init__(self, fault: str) -> None:
        super().__init__(None, f"Can't read this log. {fault}")


@dataclass(frozen=True, slots=True)
class LogContents:
    """The whole records as (offset, payload), and the bytes of a last record that was never finished.

    `torn_offset` is where the whole part ends, also when nothing is torn.
    """

    records: tuple[tuple[int, bytes], ...]
    torn: bytes
    torn_offset: int

    @property
    def payloads(self) -> list[bytes]:
        """The payloads of the records."""
        return [payload for _, payload in self.records]


@dataclass(frozen=True, slots=True)
class TornTail:
    """An unfinished last record that was moved out of a log into the file `path`."""

    path: Path
    offset: int
    size: int


def encode_record(payload: bytes) -> bytes:
    """The bytes of one record, with length and checksum. Raises ValueError for a payload over MAX_PAYLOAD."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload of {len(payload)} bytes is over the limit of {MAX_PAYLOAD}")
    length = len(payload).to_bytes(4, "big")
    return length + _checksum(length, _LENGTH_CHECK) + payload + _checksum(payload)


@guarded(FaultyLog)
def parse_log(data: bytes) -> LogContents:
    """Parse a log file. A last record that is incomplete, or zeros after a power cut, counts as torn; anything else
    wrong raises DamagedLog."""
    if not data.startswith(MAGIC):
        if MAGIC.startswith(data) or not any(data):
            return LogContents((), data, 0)
        raise DamagedLog(0, "This isn't a p2pcards log: its first line differs (offset 0).")
    records: list[tuple[int, bytes]] = []
    offset = len(MAGIC)
    while (payload := _payload_at(data, offset)) is not None:
        records.append((offset, payload))
        offset += _HEADER + len(payload) + _TRAILER
    return LogContents(tuple(records), data[offset:], offset)


def _payload_at(data: bytes, offset: int) -> bytes | None:
    """The payload of the record at this offset, None where it is torn. Raises DamagedLog."""
    start = offset + _HEADER
    if start > len(data):
        return None
    end = start + int.from_bytes(data[offset : offset + 4], "big")
    fits = (
        data[offset + 4 : start] == _checksum(data[offset : offset + 4], _LENGTH_CHECK) and end - start <= MAX_PAYLOAD
    )
    if fits and end + _TRAILER > len(data):
        return None
    if fits and data[end : end + _TRAILER] == _checksum(data[start:end]):
        return data[start:end]
    if _was_not_written(data, offset, end + _TRAILER if fits else start + MAX_PAYLOAD + _TRAILER):
        return None
    raise _changed_record(offset)


def _was_not_written(data: bytes, offset: int, end: int) -> bool:
    """True if from this record, or from a sector in it, to its end and that of the file there are only zeros: a file
    system may grow a file before it writes the bytes."""
    written = len(data[offset:].rstrip(b"\0"))
    sector = -(-(offset + written) // _SECTOR) * _SECTOR
    return len(data) <= end and (written == 0 or sector < len(data))


def read_log(path: Path) -> LogContents:
    """Read a log, which may be in use. Raises StoreError, DamagedLog among it."""
    data = read_whole(path)
    if data is None:
        raise StoreError(f"There's no log {path}.", LIST_LOGS)
    return parse_log(data)


class LogFile:
    """A log that is open for writing, by one process at a time.

    `torn` tells of an unfinished record that opening it moved aside. `sync(fd)` puts what was written on
    disk; only a measurement may leave that out.
    """

    def __init__(
        self, path: Path, fd: int, end: int, torn: TornTail | None, sync: Sync, found: Sequence[bytes] = ()
    ) -> None:
        self.path = path
        self.torn = torn
        self._found = found
        self._fd = fd
        self._end = end
        self._whole = True  # the file ends at _end
        self._sync = sync

    @classmethod
    def create(cls, path: Path, sync: Sync = SYNC) -> LogFile:
        """Create an empty log and open it for writing. Raises StoreError if it exists."""
        private_folder(path.parent)
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            raise StoreError(
                f"The log {path} already exists.", "Move it aside, or resume it: p2pcards resume"
            ) from None
        except OSError as error:
            raise store_error(error, f"Can't create the log {path}") from error
        try:
            _lock_log(fd, path)
            _write_magic(fd, path)
        except BaseException:
            os.close(fd)
            with suppress(OSError):
                path.unlink()
            raise
        return cls(path, fd, len(MAGIC), None, sync)

    @classmethod
    def open(cls, path: Path, sync: Sync = SYNC) -> LogFile:
        """Open a log for writing. A torn tail is moved into a file beside it, `<name>.torn-<offset>`."""
        try:
            fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            raise StoreError(f"There's no log {path}.", LIST_LOGS) from None
        except OSError as error:
            raise store_error(error, f"Can't open the log {path}") from error
        try:
            _lock_log(fd, path)
            found = read_log(path)
            torn = _move_aside(fd, path, found) if found.torn else None
            if found.torn_offset == 0:
                _write_magic(fd, path)
        except BaseException:
            os.close(fd)
            raise
        return cls(path, fd, max(found.torn_offset, len(MAGIC)), torn, sync, found.payloads)

    @property
    def is_empty(self) -> bool:
        """True if it has no record."""
        return self._end == len(MAGIC)

    def hand_over(self) -> Sequence[bytes]:
        """The payloads found when it was opened, which are kept no longer."""
        found, self._found = self._found, ()
        return found

    def append(self, payload: bytes) -> int:
        """Add a record and put it on disk; returns its offset.

        When it fails (disk full, disk fault) StoreError is raised and the file is cut back to the last whole record.
        Where that fails too, every further append tries it again first, and is refused until it succeeds.
        """
        record = encode_record(payload)
        if not self._whole:
            self._cut_back()
        self._whole = False
        try:
            write_all(self._fd, record, self._end)
            self._sync(self._fd)
        except OSError as error:
            with suppress(StoreError):
                self._cut_back()
            raise store_error(
                error, f"Nothing is lost so far, but the last move can't be saved in {self.path}"
            ) from error
        self._whole = True
        offset, self._end = self._end, self._end + len(record)
        return offset

    def close(self) -> None:
        """Release the file for others. May be called twice."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def _cut_back(self) -> None:
        """Cut the file back to its last whole record, after a failed write."""
        try:
            os.ftruncate(self._fd, self._end)
            self._sync(self._fd)
        except OSError as error:
            raise store_error(error, f"Nothing is lost so far, but nothing more can be saved in {self.path}") from error
        self._whole = True


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Keep others from opening this log for writing while in this context; yields False if somebody has it open
    already. Raises StoreError."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield True
        return
    except OSError as error:
        raise store_error(error, f"Can't open the log {path}") from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        free = True
    except BlockingIOError:
        free = False
    try:
        yield free
    finally:
        os.close(fd)


def _checksum(data: bytes, start: int = 0) -> bytes:
    """The CRC-32 of these bytes, 4 bytes long, continuing from `start`."""
    return crc32(data, start).to_bytes(4, "big")


def _changed_record(offset: int) -> DamagedLog:
    return DamagedLog(offset, f"This log is damaged: the record at offset {offset} has changed.")


def _lock_log(fd: int, path: Path) -> None:
    """Lock an open log for writing. Raises StoreError if another process has it."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(
            f"The log {path} is in use by another p2pcards.", "Attach to it instead: p2pcards attach"
        ) from None
    except OSError as error:
        raise store_error(error, f"Can't lock the log {path}") from error


def _write_magic(fd: int, path: Path) -> None:
    """Write the first bytes of a new log and sync it."""
    try:
        write_all(fd, MAGIC, 0)
        os.fsync(fd)
        sync_folder(path.parent)
    except OSError as error:
        raise store_error(error, f"Can't write the log {path}") from error


def _move_aside(fd: int, path: Path, found: LogContents) -> TornTail:
    """Copy a torn tail into a file of its own, then cut it off; safe against a crash in between."""
    aside = path.with_name(f"{path.name}.torn-{found.torn_offset}")
    number = 1
    while read_whole(aside) not in (None, found.torn):
        number += 1
        aside = path.with_name(f"{path.name}.torn-{found.torn_offset}-{number}")
    write_whole(aside, found.torn)
    try:
        os.ftruncate(fd, found.torn_offset)
        os.fsync(fd)
    except OSError as error:
        raise store_error(error, f"Can't remove the unfinished last record from {path}") from error
    return TornTail(aside, found.torn_offset, len(found.torn))


# --- the folder of game logs ------------------------------------------------------------------------------------------


SUFFIX = ".log"
_NAME = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)-(?P<game>[a-z0-9_]+)-(?P<id>[0-9a-f]{4,})\.log")
_SHORTEST_ID = 2  # bytes of the game's id that its log is named by, more when that name is taken


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One log in the folder; `size` in bytes, `changed` in nanoseconds of unix time."""

    name: str
    folder: Path
    game: str
    size: int
    changed: int

    @property
    def path(self) -> Path:
        return self.folder / self.name

    @property
    def stem(self) -> str:
        """The name without its suffix, as a person types it."""
        return self.name.removesuffix(SUFFIX)

    @property
    def stamp(self) -> Stamp:
        """(size, time of change), by which a changed log is recognized."""
        return self.size, self.changed


def log_name(date: str, game: str, game_id: bytes, id_bytes: int = _SHORTEST_ID) -> str:
    """A log's file name, such as 2026-11-20-hearts-7f3a.log: ISO date, key of the game, first bytes of the game's
    id."""
    name = f"{date}-{game}-{game_id[:id_bytes].hex()}.log"
    if not _NAME.fullmatch(name):
        raise ValueError(f"no log can be named by {date!r}, {game!r} and {game_id!r}")
    return name


def is_log_name(name: str) -> bool:
    """True for a file name that `log_name` could make."""
    return _NAME.fullmatch(name) is not None


def create_log(home: Home, date: str, game: str, game_id: bytes, sync: Sync = SYNC) -> LogFile:
    """Create the log of a game, open for writing."""
    return LogFile.create(free_path(home, date, game, game_id), sync)


def free_path(home: Home, date: str, game: str, game_id: bytes) -> Path:
    """The path for the log of a game, with more of the id in its name if a shorter name is taken."""
    for id_bytes in range(_SHORTEST_ID, len(game_id) + 1):
        path = home.logs / log_name(date, game, game_id, id_bytes)
        if id_bytes == len(game_id) or not path.exists():
            return path
    raise ValueError("a game's id has at least two bytes")


def list_logs(home: Home) -> tuple[LogEntry, ...]:
    """All logs, newest first: by the date in the name, then by the last change."""
    folder, found = home.logs, []
    try:
        with os.scandir(folder) as files:
            for one in files:
                if (match := _NAME.fullmatch(one.name)) and one.is_file():
                    status = one.stat()
                    found.append(LogEntry(one.name, folder, match["game"], status.st_size, status.st_mtime_ns))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _not_listed(home, error) from error
    return tuple(sorted(found, key=lambda log: (log.name[:10], log.changed, log.name), reverse=True))


def _not_listed(home: Home, error: OSError) -> StoreError:
    """The StoreError for a logs folder that cannot be read."""
    return store_error(error, f"Can't list the logs in {home.logs}")


def log_names(home: Home) -> set[str]:
    """The file names of all logs, without looking at them."""
    try:
        return {one.name for one in home.logs.iterdir() if _NAME.fullmatch(one.name)}
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise _not_listed(home, error) from error


def logs_named_by(home: Home, game_id: bytes) -> list[Path]:
    """The logs whose names fit this game's id, newest first; none is opened."""
    try:
        with os.scandir(home.logs) as files:
            names = [one.name for one in files if game_id[:_SHORTEST_ID].hex() in one.name]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _not_listed(home, error) from error
    found = [match for match in map(_NAME.fullmatch, names) if match and game_id.hex().startswith(match["id"])]
    return [home.logs / match.string for match in sorted(found, key=lambda match: match.string, reverse=True)]


def delete_log(path: Path) -> bool:
    """Delete a log unless somebody has it open; True if it is gone. Raises StoreError."""
    with held(path) as free:
        if free:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise store_error(error, f"Can't delete the log {path}") from error
    return free


def find_log(home: Home, text: str) -> LogEntry:
    """The log of this name, or of the game with this name, or the only one whose name or id begins with the text.
    Raises StoreError."""
    logs = list_logs(home)
    for wanted in (text, load_names(home).called(text)):
        for log in logs:
            if wanted in (log.name, log.stem):
                return log
    matching = [log for log in logs if log.name.startswith(text) or _id_in(log).startswith(text)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        some = ", ".join(log.stem for log in matching[:4]) + (", ..." if len(matching) > 4 else "")
        raise StoreError(f"Several logs start with '{text}': {some}.", "Type more of the name.")
    advice = did_you_mean(text, [log.stem for log in logs], 0.5)
    raise StoreError(f"There's no log '{text}'.", advice or LIST_LOGS)


def _id_in(log: LogEntry) -> str:
    """The part of a game's id that is in a log's name."""
    return log.stem.rpartition("-")[2]


# --- what stands in the logs of a home, kept in a file, so that nobody reads all of them to list them -----------------


NAME = "logs.json"
EDITION = 8
"""Of what is kept there: another one is not read."""
NAMED = 10
"""Logs that are named in one sentence."""

SHOWN_LIMIT = 48
"""Characters of a name with what tells it from others that look like it."""

UNFINISHED, FINISHED, ENDED_EARLY, CONTINUED, LEFT, DAMAGED, FALSE = STATES = (
    "unfinished",
    "finished",
    "ended early",
    "continued",
    "left",
    "damaged",
    "false",
)
OVER = (FINISHED, ENDED_EARLY, CONTINUED)


@dataclass(frozen=True, slots=True)
class SideScore:
    """A partnership, or a player without a partner."""

    names: tuple[str, ...]  # safe to show
    score: int


@dataclass(frozen=True, slots=True)
class SaveScores:
    """The score of an unfinished game."""

    preset: str  # the name of its rules
    sides: tuple[SideScore, ...]
    hand: int  # number of the hand in progress; between two hands, of the next one


@dataclass(frozen=True, slots=True)
class LogFacts:
    """What a log says; what the players signed is not checked."""

    state: str  # one of STATES
    records: int = 0  # number of records
    side: int | None = None  # whose log this is; None if the log does not say
    players: tuple[str, ...] = ()  # names of the sides, safe to show
    keys: tuple[bytes, ...] = ()  # public keys of the sides
    redeals: tuple[int, ...] = ()  # by side, number of hands dealt again at its request; () if there were none
    broken_off: int = 0  # number of notes that the coordinator broke off another game
    left_out: int = 0  # number of notes that the coordinator called this side absent
    taken_over: int = 0  # number of notes that the coordinator recorded an untrue takeover
    dropped: int = 0  # in a listener's log, how often others dropped out of a shuffle
    scores: SaveScores | None = None  # None until worked out and saved by `keep_scores`
    checked: bytes = b""  # id of the game, if a listener signed a check in it; otherwise b""
    over: tuple[bytes, ...] = ()  # ids of the games that were broken off for this one

    @property
    def owner(self) -> bytes:
        """The public key of the player whose log it is, b"" if unknown, or if they watched."""
        return b"" if self.side is None or self.watched else self.keys[self.side]

    @property
    def watched(self) -> bool:
        """True if this is a watcher's log."""
        return self.side is not None and self.side >= len(self.keys)

    def is_open_to(self, key: bytes) -> bool:
        """True if the player with this public key can go on with the game."""
        return self.state == UNFINISHED and self.owner == key


Index = dict[str, tuple[Stamp, LogFacts]]
"""By the name of a log."""


def indexed_logs(home: Home) -> list[tuple[LogEntry, LogFacts]]:
    """All logs with what they say, newest first. Logs not in the index are read, and the index is written again. Raises
    StoreError when the logs cannot be listed."""
    known, kept, listed = _load_index(home), Index(), []
    for log in list_logs(home):
        indexed = known.get(log.name)
        if indexed is None or indexed[0] != log.stamp:
            facts, lasting = _read_facts(log)
            indexed = log.stamp, facts
        else:
            lasting = True
        if lasting:
            kept[log.name] = indexed
        listed.append((log, indexed[1]))
    if kept != known:
        with suppress(StoreError):  # the next one to ask reads the same logs again
            _write_index(home, kept)
    return listed


def names_of_unreadable(logs: Iterable[tuple[LogEntry, LogFacts]]) -> list[str]:
    """The names, without their suffix, of the logs that could not be read."""
    return [log.stem for log, facts in logs if facts.state in (DAMAGED, FALSE)]


def unread_logs_sentence(logs: Sequence[str]) -> str:
    """The sentence that names logs which cannot be read. logs: their names, at least one."""
    if len(logs) == 1:
        return f"The log {logs[0]} can't be read, so it's left out. 'p2pcards verify {logs[0]}' shows why."
    more = f" and {len(logs) - NAMED} more" if len(logs) > NAMED else ""
    return (
        f"{len(logs)} logs can't be read, so they're left out: {', '.join(logs[:NAMED])}{more}. 'p2pcards verify LOG' "
        "shows why."
    )


def keep_scores(home: Home, found: Sequence[tuple[LogEntry, SaveScores]]) -> None:
    """Keep in the index how these games stood when they were listed, until their logs change."""
    index = _load_index(home)
    for log, scores in found:
        stamp, facts = index.get(log.name, (None, None))
        if facts and stamp == log.stamp:
            index[log.name] = stamp, replace(facts, scores=scores)
    with suppress(StoreError):  # the next one to ask works it out again
        _write_index(home, index)


def facts_of(payloads: Sequence[bytes]) -> LogFacts:
    """Read the facts in a log's payloads; a damaged log has a state that says so."""
    try:
        return _facts_in(payloads)
    except FaultyLog:
        return LogFacts(DAMAGED)


@guarded(FaultyLog)
def _facts_in(payloads: Sequence[bytes]) -> LogFacts:
    """Read the facts in a log's payloads, without the guard against a faulty log."""
    # They bring all the games with them, and a caller who finds every log in the index does without.
    from p2pcards.ledger.payloads import (
        NOTE,
        RECORD,
        BrokenOff,
        LeftOut,
        UntrueTakeover,
        check_notes,
        count_drops,
        has_checked,
        has_left,
        is_succeeded,
        read_beginning,
        read_note,
    )
    from p2pcards.wire.clean import clean
    from p2pcards.wire.packing import Refused
    from p2pcards.wire.reasons import CloseReason
    from p2pcards.wire.records import CloseEntry, EntryKind, RedealEntry, first_kind, read_record

    if len(payloads) < 2:
        return LogFacts(UNFINISHED)
    try:
        start = read_beginning(payloads)
        check_notes(payloads)
        records = [payload for payload in payloads if payload[:1] == RECORD]
        last = read_record(records[-1][1:])[1][0] if records else None
        redeals = [read_record(one[1:])[1][0] for one in records if first_kind(one[1:]) == EntryKind.REDEAL]
        dropped = count_drops([one[1:] for one in records], start.side) if start.side else 0
        notes = [read_note(payload) for payload in payloads if payload[:1] == NOTE]
        succeeded = is_succeeded(payloads)
    except Refused:
        return LogFacts(FALSE)
    state = CONTINUED if succeeded else LEFT if has_left(payloads) else UNFINISHED
    if isinstance(last, CloseEntry):
        state = {CloseReason.WON: FINISHED, CloseReason.CONTINUED: CONTINUED}.get(last.reason, ENDED_EARLY)
    sides = start.header.sides
    players = tuple([clean(side.name, NAME_LIMIT) for side in sides])
    asked = [entry.side for entry in redeals if isinstance(entry, RedealEntry)]
    return LogFacts(
        state,
        len(records),
        start.side,
        players,
        tuple([side.key for side in sides]),
        tuple([asked.count(side) for side in range(len(sides))]) if asked else (),
        sum(isinstance(note, BrokenOff) for note in notes),
        sum(isinstance(note, LeftOut) for note in notes),
        sum(isinstance(note, UntrueTakeover) for note in notes),
        dropped,
        checked=start.position.game_id if start.side and has_checked(payloads) else b"",
        over=tuple([note.game_id for note in notes if isinstance(note, BrokenOff)]),
    )


def _read_facts(log: LogEntry) -> tuple[LogFacts, bool]:
    """Read a log's facts; with True if they hold as long as the file does not change."""
    try:
        return _facts_in(read_log(log.path).payloads), True
    except FaultyLog:  # another version may read it
        return LogFacts(DAMAGED), False
    except DamagedLog:
        return LogFacts(DAMAGED), True
    except StoreError:
        return LogFacts(DAMAGED), False


# --- the file ---------------------------------------------------------------------------------------------------------


def _load_index(home: Home) -> Index:
    """The index of logs; empty where the file is damaged or of another form."""
    try:
        edition, keys, rows = json.loads(read_whole(home.state / NAME) or b"null")
        known = [bytes.fromhex(key) for key in keys]
        return {name: _indexed(known, *row) for name, row in rows.items()} if edition == EDITION else {}
    except (StoreError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return {}


def _indexed(
    known: Sequence[bytes],
    size: Any,
    changed: Any,
    state: Any,
    records: Any,
    side: Any,
    players: Any,
    keys: Any,
    redeals: Any,
    broken_off: Any,
    left_out: Any,
    taken_over: Any,
    dropped: Any,
    scores: Any,
    checked: Any,
    over: Any,
) -> tuple[Stamp, LogFacts]:
    """A row of the index as (stamp, facts). known: the keys to which rows refer by number. Raises ValueError, TypeError
    and LookupError."""
    counts = broken_off, left_out, taken_over, dropped
    if any(type(count) is not int for count in (size, changed, records, *counts)):
        raise TypeError(NOT_INDEXED)
    if not (type(players) is type(keys) is type(redeals) is list and all(type(count) is int for count in redeals)):
        raise TypeError(NOT_INDEXED)
    if state not in STATES or not (side is None or (type(side) is int and 0 <= side <= len(keys))):
        raise ValueError("no state or side")
    theirs, stands = tuple([known[key] for key in keys]), _scores(scores) if scores else None
    games = bytes.fromhex(checked), tuple([bytes.fromhex(game) for game in over])
    facts = LogFacts(state, records, side, _names(players), theirs, tuple(redeals), *counts, stands, *games)
    return (size, changed), facts


def _names(found: Any, limit: int = NAME_LIMIT) -> tuple[str, ...]:
    """Check a list of names from the index. Raises ValueError and TypeError."""
    for name in found:
        if len(name) > limit or not name.isprintable():
            raise ValueError("not a name that is safe to show")
    return tuple(found)


def _scores(found: Any) -> SaveScores:
    """Check a score from the index. Raises ValueError and TypeError."""
    preset, sides, hand = found
    _names([preset], SHOWN_LIMIT)
    scores = tuple([SideScore(_names(names, SHOWN_LIMIT), score) for names, score in sides])
    if any(type(number) is not int for number in (hand, *[side.score for side in scores])):
        raise TypeError("not a score or hand")
    return SaveScores(preset, scores, hand)


def _write_index(home: Home, index: Index) -> None:
    """Write the index of logs. Raises StoreError."""
    numbers: dict[bytes, int] = {}
    rows = {name: (*stamp, *_index_row(facts, numbers)) for name, (stamp, facts) in index.items()}
    data = [EDITION, [key.hex() for key in numbers], rows]
    write_whole(home.state / NAME, json.dumps(data, separators=(",", ":")).encode())


def _index_row(facts: LogFacts, numbers: dict[bytes, int]) -> tuple[Any, ...]:
    """Write a log's facts as a row of the index. numbers: of the keys so far, to which those of this log are added."""
    keys = [numbers.setdefault(key, len(numbers)) for key in facts.keys]
    return (
        facts.state,
        facts.records,
        facts.side,
        facts.players,
        keys,
        facts.redeals,
        facts.broken_off,
        facts.left_out,
        facts.taken_over,
        facts.dropped,
        facts.scores
        and (facts.scores.preset, [(side.names, side.score) for side in facts.scores.sides], facts.scores.hand),
        facts.checked.hex(),
        [game.hex() for game in facts.over],
    )


# --- a log in a file of its own, to be carried elsewhere --------------------------------------------------------------


SAVE_MAGIC = b"p2pcards save 1\n"
SAVE_SUFFIX = ".p2psave"
LARGEST = 1 << 28
"""Bytes of a file: no log that a game has room for comes near."""

_DIGEST = 32
_ANY_MAGIC = re.compile(rb"p2pcards (save|log|home) ([1-9][0-9]{0,8})\n")


class BadSave(StoreError):
    """A file that is no save, or not as it was written."""


class LaterSave(StoreError):
    """A save that a later version of this program has written."""


def save_bytes(log: LogContents) -> bytes:
    """The bytes of a save file with the whole records of a log."""
    whole = SAVE_MAGIC + log_bytes(log.payloads)
    return whole + sha256(whole).digest()


def log_bytes(payloads: Sequence[bytes]) -> bytes:
    """The bytes of a log file with these records."""
    return MAGIC + b"".join([encode_record(payload) for payload in payloads])


def faulty_save(fault: str) -> BadSave:
    """The BadSave for a file at which this program fails."""
    return BadSave(f"Can't read this file. {fault}", CARRIED_AGAIN)


@guarded(faulty_save)
def parse_save(data: bytes) -> LogContents:
    """The log in the bytes of a save file. Raises BadSave and LaterSave."""
    check_first_line(data, "save", SAVE_MAGIC)
    whole, digest = data[:-_DIGEST], data[-_DIGEST:]
    if len(whole) < len(SAVE_MAGIC) or not hmac.compare_digest(sha256(whole).digest(), digest):
        raise _damage_in_save(data)
    log = whole[len(SAVE_MAGIC) :]
    check_first_line(log, "log", MAGIC)
    try:
        found = parse_log(log)
    except StoreError as error:
        raise BadSave(f"Can't read the log in this save. {error}", CARRIED_AGAIN) from None
    if found.torn:
        raise BadSave(
            f"The log in this save ends in the middle of a record (offset {found.torn_offset}).", CARRIED_AGAIN
        )
    return found


def read_carried(path: Path) -> bytes:
    """Read a save or backup file, unchecked. Raises StoreError and BadSave."""
    if path.exists() and (not path.is_file() or path.stat().st_size > LARGEST):
        raise BadSave(f"{path} isn't a saved game: it isn't a file, or it's too big.", CARRIED_AGAIN)
    data = read_whole(path)
    if data is None:
        raise StoreError(f"There's no file {path}.", "To create one: p2pcards saves export NAME FILE")
    return data


def write_save(path: Path, log: LogContents) -> None:
    """Write a new save file for its owner only. Raises StoreError, also when it exists."""
    write_new(path, save_bytes(log))


CARRIED_AGAIN = "Get the file again, or use another copy."
_CARRIED = {"save": "saved game", "log": "log", "home": "saved home"}
"""By the word of the first line, what such a file holds."""


def check_first_line(data: bytes, kind: str, ours: bytes) -> None:
    """Check that data is of this kind and version. ours: the first line we write; kind: its first word. Raises BadSave
    and LaterSave."""
    if data.startswith(ours):
        return
    found = _ANY_MAGIC.match(data)
    if found and found[1].decode() == kind and int(found[2]) > 1:
        raise LaterSave(
            f"This {_CARRIED[kind]} was written by a later version of p2pcards.", "Update yours, and try again."
        )
    if found and found[1] == b"log" and kind != "log":
        raise BadSave(f"This is a log, not a {_CARRIED[kind]}.", "To read it: p2pcards verify FILE")
    raise BadSave(f"This isn't a p2pcards {_CARRIED[kind]}: its first line differs (offset 0).", CARRIED_AGAIN)


def _damage_in_save(data: bytes) -> BadSave:
    """The BadSave for a save whose digest doesn't fit, naming the damaged record if that can be told."""
    try:
        found = parse_log(data[len(SAVE_MAGIC) : -_DIGEST])
    except StoreError as error:
        return BadSave(f"This save is damaged. {error}", CARRIED_AGAIN)
    where = f" after offset {found.torn_offset}" if found.torn else ""
    return BadSave(f"This save is damaged or cut short{where}: its digest doesn't match.", CARRIED_AGAIN)
