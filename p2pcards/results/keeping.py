"""The book follows the logs and the facts that no log has: what asks it brings it up to date first, so that nothing
is lost with a process that is killed, or with the file itself. What is wrong with a file, and deleting the logs
of old games."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from p2pcards.results.book import (
    TABLES,
    Book,
    Entered,
    NewerBook,
    as_it_stands,
    enter,
    note_deleted,
    prepare,
    proofread,
    recount,
    take_out,
    with_logs,
    writing,
)
from p2pcards.results.result import DamagedResult, packed, unpacked
from p2pcards.store.files import Home, StoreError, busy, locked, private_folder, read_whole, refuse_read_only, told
from p2pcards.store.guarded import one_of_many
from p2pcards.store.logs import (
    ENDED_EARLY,
    FINISHED,
    SUFFIX,
    UNFINISHED,
    DamagedLog,
    FaultyLog,
    LogEntry,
    LogFacts,
    LogFile,
    delete_log,
    indexed_logs,
    left_out,
    log_names,
    parse_log,
    read_log,
    unreadable,
)
from p2pcards.store.save_names import load_names

KEPT = "SELECT name FROM logs WHERE state = 'kept'"

# --- what no log says -------------------------------------------------------------------------------------------------


IDS_AT_ONCE = 1000
"""Games that one record of the file names at the most."""


@dataclass(frozen=True, slots=True)
class Reset:
    """Games that stop counting, or count again."""

    game: str  # the kind of all of them
    ids: tuple[str, ...]
    when: int  # seconds of Unix time
    again: bool = False  # they count again


@dataclass(frozen=True, slots=True)
class Kept:
    """A result whose log was deleted."""

    entered: Entered


Fact = Reset | Kept


def check_facts(home: Home) -> None:
    """Raises StoreError, DamagedLog for a file with a changed byte."""
    _payloads(home)


def load_facts(home: Home) -> tuple[Fact, ...]:
    """In the order in which they came about. Raises StoreError, DamagedLog for a file with a changed byte."""
    try:
        return tuple([_decoded(json.loads(payload)) for payload in _payloads(home)])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DamagedLog(0, f"{home.facts} has changed since it was written.") from error


def add_facts(home: Home, facts: Iterable[Fact]) -> None:
    """On disk when this returns. Raises StoreError."""
    if not (facts := list(facts)):
        return
    with locked(home.facts):
        file = LogFile.open(home.facts) if home.facts.exists() else LogFile.create(home.facts)
        try:
            for fact in facts:
                for part in _parts(fact):
                    file.append(json.dumps(part).encode())
        finally:
            file.close()


def reset_games(facts: Sequence[Fact]) -> frozenset[str]:
    """The ids of the games that count no more."""
    out: set[str] = set()
    for fact in facts:
        if isinstance(fact, Reset):
            out = out - set(fact.ids) if fact.again else out | set(fact.ids)
    return frozenset(out)


def last_reset(facts: Sequence[Fact], game: str) -> Reset | None:
    """The last reset of this game that was not taken back, all that was reset at once."""
    found: Reset | None = None
    for fact in facts:
        if isinstance(fact, Reset) and fact.game == game:
            if fact.again:
                found = None
            elif found and found.when == fact.when:
                found = Reset(game, found.ids + fact.ids, fact.when)
            else:
                found = fact
    return found


def _payloads(home: Home) -> list[bytes]:
    data = read_whole(home.facts)
    return [] if data is None else parse_log(data).payloads


def _parts(fact: Fact) -> Iterator[dict[str, Any]]:
    if isinstance(fact, Kept):
        one = fact.entered
        yield {"kept": packed(one.result).hex(), "ended": one.ended}
        return
    for start in range(0, len(fact.ids), IDS_AT_ONCE):
        ids = fact.ids[start : start + IDS_AT_ONCE]
        yield {"reset": fact.game, "ids": ids, "when": fact.when, "again": fact.again}


def _decoded(data: dict[str, Any]) -> Fact:
    """Raises ValueError, TypeError and KeyError."""
    if "kept" in data:
        return Kept(Entered(unpacked(bytes.fromhex(data["kept"])), int(data["ended"]), None))
    return Reset(str(data["reset"]), tuple(map(str, data["ids"])), int(data["when"]), bool(data["again"]))


# --- what is wrong with a file of the records, where a damaged one goes, and what can still be read -------------------


BESIDE = ("", "-wal", "-shm")
"""A file, and what SQLite has beside it, by the end of the name."""

FAULTS = (DamagedResult, UnicodeDecodeError, sqlite3.DatabaseError)
"""What is raised where the database is not as it was written, cannot be written, or is busy; the second where SQLite
quotes what is no text."""
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_SCHEMA", "SQLITE_ERROR")
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")


class Trouble(Enum):
    DAMAGED = "a byte was changed, or the end is missing"
    BUSY = "another process is writing to it"
    UNWRITABLE = "it can't be written to"


def trouble_of(fault: Exception) -> Trouble:
    """fault: one of `FAULTS`, which is raised again where it is a mistake of this program."""
    if not isinstance(fault, sqlite3.DatabaseError):
        return Trouble.DAMAGED
    name = "_".join(getattr(fault, "sqlite_errorname", "").split("_")[:2])  # without what kind of this it is
    if name in _BUSY:
        return Trouble.BUSY
    if name and name not in _DAMAGED:
        return Trouble.UNWRITABLE
    if not name and not isinstance(fault, sqlite3.OperationalError):  # which Python raises for text that is none
        raise fault
    return Trouble.DAMAGED


def move_aside(path: Path) -> Path:
    """Where it is then, with what SQLite has beside it. Raises StoreError."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        for end in BESIDE:
            with suppress(FileNotFoundError):
                Path(f"{path}{end}").rename(f"{aside}{end}")
    except OSError as error:
        raise told(error, f"Can't move the damaged file {path} aside") from error
    return aside


def facts_in(book: Book) -> Iterator[Fact]:
    """The facts, as far as the book shows them."""
    yield from [Kept(one) for one in with_logs(book, lambda log: log is None)]
    reset: dict[str, list[str]] = {}
    for game, one in book.execute("SELECT game, id FROM games WHERE won AND NOT counts ORDER BY ended, id"):
        reset.setdefault(game, []).append(one)
    for game, ids in reset.items():
        yield Reset(game, tuple(ids), when=0)


# --- the book follows the logs and the facts --------------------------------------------------------------------------


T = TypeVar("T")
Progress = Callable[[int, int], None]
"""Is told how many logs are read, of how many."""
Tell = Callable[[str], None]
"""Is told in a sentence what happened to the file."""

PATIENCE = 20.0
"""Seconds for which another process may write."""
LOGS_AT_ONCE = 200
"""Logs whose games are entered at once."""


def silent(*_of: object) -> None:
    """For a caller who need not be told."""


def ask(home: Home, question: Callable[[Book], T], tell: Tell = silent, progress: Progress = silent) -> T:
    """What the book answers once every game that is over stands in it. A file that is damaged is kept aside, and made
    again; one that cannot be written is read, and what is missing there is added in memory. Raises StoreError."""
    fault: Exception
    try:
        return _asked(home, question, progress, tell)
    except DamagedLog as error:
        _mend_facts(home, error, tell)
        return ask(home, question, tell, progress)
    except FAULTS as error:
        fault = error
    match trouble_of(fault):
        case Trouble.BUSY:
            raise busy(home.results, PATIENCE, "Try again later.") from fault
        case Trouble.UNWRITABLE:
            tell(f"{_why_not_written(home.results, fault)}; the records are shown but not saved.")
            return _asked_in_memory(home, question, progress, tell)
        case Trouble.DAMAGED:
            _put_aside(home, fault, tell)
            return _asked(home, question, progress, tell)


def ask_with_logs(
    home: Home, question: Callable[[Book], T], tell: Tell = silent, progress: Progress = silent
) -> tuple[T, list[tuple[LogEntry, LogFacts]]]:
    """What `ask` and `indexed_logs` give. Raises StoreError."""
    answer, named = ask(home, lambda book: (question(book), _unreadable(book)), tell, progress)
    logs = indexed_logs(home)
    if bad := [stem for stem in unreadable(logs) if f"{stem}{SUFFIX}" not in named]:
        tell(left_out(bad))
    return answer, logs


def proofread_all(
    home: Home, tell: Tell = silent, progress: Progress = silent, pause: Callable[[], None] = silent
) -> None:
    """Make the book again unless all that it says is as it was entered. No log is read where it is. pause: as in
    `book.proofread`. Raises StoreError."""
    if not home.results.exists():
        return
    try:
        with _connected(home.results) as book, as_it_stands(book):
            proofread(book, pause)
    except FAULTS as fault:
        if trouble_of(fault) is Trouble.DAMAGED:
            _put_aside(home, fault, tell)
            ask(home, silent, tell, progress)


def rebuild(home: Home, tell: Tell = silent, progress: Progress = silent) -> tuple[str, ...]:
    """Make the book again from logs and facts. The logs that cannot be read. Raises StoreError."""
    ended, lost = ask(home, lambda book: (_ends(book), _without_logs(home, book)), tell)
    known = {fact.entered.result.id for fact in load_facts(home) if isinstance(fact, Kept)}
    # Games whose logs somebody has deleted by hand are kept as those are that were deleted with us.
    add_facts(home, [Kept(one) for one in lost if one.result.id not in known])
    try:
        # Without a name the file is this connection's alone, and goes with it. A BEGIN that it kept from before ATTACH
        # would lock no other file.
        with closing(sqlite3.connect("", timeout=PATIENCE, isolation_level=None, cached_statements=0)) as made:
            prepare(made)
            _catch_up(home, made, progress, ended)
            made.execute("ATTACH ? AS book", (str(home.results),))
            with writing(made):
                _catch_up(home, made, silent, ended)  # what others have entered meanwhile
                for table in TABLES:
                    made.execute(f"DELETE FROM book.{table}")
                    made.execute(f"INSERT INTO book.{table} SELECT * FROM main.{table}")
            return tuple(_unreadable(made))
    except sqlite3.DatabaseError as error:
        raise StoreError(f"Can't rebuild the records: {error}.", "Free some space, or try again later.") from error


def _ends(book: Book) -> dict[str, int]:
    """When each game ended, by id."""
    return dict(book.execute("SELECT id, ended FROM games").fetchall())


def _without_logs(home: Home, book: Book) -> list[Entered]:
    with as_it_stands(book):
        book.execute("SELECT 1 FROM games LIMIT 1").fetchone()  # as it stands now: before the folder is looked at
        there = log_names(home)
        return with_logs(book, lambda log: log not in there)


def reset(home: Home, game: str, when: int) -> int:
    """Everything that counts in this game counts no more. How many games that were. when: seconds of unix time. Raises
    StoreError."""

    def counted(book: Book) -> tuple[str, ...]:
        rows = book.execute("SELECT id FROM games WHERE game = ? AND counts ORDER BY ended, id", (game,))
        return tuple([one for (one,) in rows])

    ids = ask(home, counted)
    if ids:
        add_facts(home, [Reset(game, ids, when)])
        ask(home, silent)
    return len(ids)


def take_back_reset(home: Home, game: str, when: int) -> int:
    """The games of the last reset count again; how many, 0 when there was none. Raises StoreError."""
    last = last_reset(load_facts(home), game)
    if last is None:
        return 0
    add_facts(home, [Reset(game, last.ids, when, again=True)])
    ask(home, silent)
    return len(last.ids)


def keep_without_logs(home: Home, logs: set[str]) -> None:
    """The results of these logs stay when they are deleted. Raises StoreError."""
    kept = ask(home, lambda book: with_logs(book, lambda log: log in logs))
    add_facts(home, [Kept(one) for one in kept])


# --- bringing it up to date -------------------------------------------------------------------------------------------


def _asked(home: Home, question: Callable[[Book], T], progress: Progress, tell: Tell) -> T:
    check_facts(home)
    private_folder(home.results.parent)
    with _connected(home.results) as book:
        _catch_up(home, book, progress)
        if tell is not silent:
            _tell_taken_out(book, tell)
            _tell_left_out(home, book, tell)
        return question(book)


def _tell_taken_out(book: Book, tell: Tell) -> None:
    """Once, of games that were counted by an earlier version."""
    ((count,),) = book.execute("SELECT taken_out FROM applied").fetchall()
    if count:
        with writing(book):
            book.execute("UPDATE applied SET taken_out = 0")
        games, them = ("game is", "it") if count == 1 else ("games are", "them")
        tell(f"{count} {games} no longer counted, because you made no move in {them}.")


def _tell_left_out(home: Home, book: Book, tell: Tell) -> None:
    bad = _unreadable(book)
    there = log_names(home) if bad else set[str]()
    if bad := [name.removesuffix(SUFFIX) for name in bad if name in there]:
        tell(left_out(bad))


def _unreadable(book: Book) -> list[str]:
    """The names of the logs that could not be read."""
    return [name for (name,) in book.execute("SELECT name FROM logs WHERE state = ? ORDER BY name", (UNREADABLE,))]


def _asked_in_memory(home: Home, question: Callable[[Book], T], progress: Progress, tell: Tell) -> T:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as book:
        with (
            suppress(sqlite3.Error),
            closing(sqlite3.connect(f"{home.results.as_uri()}?immutable=1", uri=True)) as kept,
        ):
            kept.backup(book)
        prepare(book)
        _catch_up(home, book, progress)
        _tell_left_out(home, book, tell)
        return question(book)


@contextmanager
def _connected(path: Path) -> Iterator[Book]:
    with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as book:
        # What a power cut takes is read from the logs again.
        book.execute("PRAGMA synchronous = NORMAL")
        book.execute("PRAGMA journal_mode = WAL")
        try:
            prepare(book)
        except NewerBook:
            raise StoreError(
                f"{path} was written by a later version of p2pcards.", "Update yours, or move the file aside."
            ) from None
        yield book


def _catch_up(home: Home, book: Book, progress: Progress, ended: Mapping[str, int] | None = None) -> None:
    """ended: of games that are known already, when they ended, by id."""
    _apply_facts(home, book)
    waiting = _waiting(home, book)
    key = own_key(home) if waiting else b""
    for start in range(0, len(waiting), LOGS_AT_ONCE):
        games, rows = [], []
        for number, (name, stamp) in enumerate(waiting[start : start + LOGS_AT_ONCE], start + 1):
            state, kept, one = _look(home, key, name, stamp, ended or {})
            games += [one] if one else []
            rows.append((name, *kept, state))
            progress(number, len(waiting))
        out = reset_games(load_facts(home)) if games else frozenset[str]()
        with writing(book):
            bad = _enter(book, [replace(one, counts=one.result.id not in out) for one in games])
            rows = [(row[0], *AGAIN, UNREADABLE) if row[0] in bad else row for row in rows]
            take_out(book, [name for name, *_, state in rows if state == NOT_OURS])
            gone = take_out(book, [name for name, *_, state in rows if state == UNSIGNED])
            if gone:
                book.execute("UPDATE applied SET taken_out = taken_out + ?", (gone,))
            book.executemany("INSERT OR REPLACE INTO logs VALUES (?, ?, ?, ?)", rows)


def _enter(book: Book, games: Sequence[Entered]) -> set[str]:
    """Enter these games; the logs of those that cannot be entered."""
    if _is_entered(book, games):
        return set()
    return {one.log or "" for one in games if not _is_entered(book, [one])}


@one_of_many(False, *FAULTS)
def _is_entered(book: Book, games: Sequence[Entered]) -> bool:
    """All of them, or none."""
    book.execute("SAVEPOINT entering")
    try:
        enter(book, games)
    except FAULTS:  # SQLite may have ended all that is written
        raise
    except Exception:
        book.execute("ROLLBACK TO entering")
        book.execute("RELEASE entering")
        raise
    book.execute("RELEASE entering")
    return True


UNREADABLE, UNSIGNED, NOT_OURS = "unreadable", "unsigned", "not ours"
"""States of a log: it cannot be read, or its game cannot be entered; its game does not count, as nothing in it is
signed by us; or as we have no side in it."""

Stamp = tuple[int, int]
"""Bytes, and nanoseconds of unix time."""
AGAIN: Stamp = (-1, 0)
"""Of a log that is read again the next time, by another version perhaps."""


def _waiting(home: Home, book: Book) -> list[tuple[str, Stamp]]:
    """The logs that have changed since they were read, the oldest change first."""
    kept = {name for (name,) in book.execute(KEPT)}
    seen = {
        name: (size, changed)
        for name, size, changed in book.execute("SELECT name, size, changed FROM logs WHERE state != 'kept'")
    }
    found = []
    for name in log_names(home) - kept:
        with suppress(OSError):
            status = (home.logs / name).stat()
            stamp = status.st_size, status.st_mtime_ns
            if seen.get(name) != stamp:
                found.append((name, stamp))
    return sorted(found, key=lambda one: (one[1][1], one[0]))


def own_key(home: Home) -> bytes:
    """The public key of the player of this home; b"" where there is none yet, or none that can be read."""
    from p2pcards.store.identity import load_or_make_identity
    from p2pcards.wire.keys import public_bytes

    with suppress(StoreError):
        return public_bytes(load_or_make_identity(home)) if home.identity.exists() else b""
    return b""


def _look(
    home: Home, key: bytes, name: str, stamp: Stamp, ended: Mapping[str, int]
) -> tuple[str, Stamp, Entered | None]:
    """The state of a log, the stamp to be kept, and the game that it tells if that is over. key: as `own_key` gives
    it."""
    # They bring all the games with them, and a caller who finds every log in the book does without.
    from p2pcards.results.reading import read_owner, read_result
    from p2pcards.wire.packing import Refused

    try:
        payloads = read_log(home.logs / name).payloads
        if len(payloads) < 2:  # no game has begun in it
            return "open", stamp, None
        result = read_result(payloads)
    except FaultyLog:
        return UNREADABLE, AGAIN, None
    except (StoreError, Refused):
        return UNREADABLE, stamp, None
    if key and read_owner(payloads) != key:
        return NOT_OURS, stamp, None
    if not result.over:
        return "open", stamp, None
    if not result.signed:
        return UNSIGNED, stamp, None
    return "kept", stamp, Entered(result, ended.get(result.id, stamp[1] // 1_000_000), name)


def _apply_facts(home: Home, book: Book) -> None:
    """What was reset, or has no log any more, once the file of facts is another than the one that was applied."""
    size = _size(home.facts)
    if (size,) == book.execute("SELECT facts FROM applied").fetchone():
        return
    facts = load_facts(home)
    with writing(book):
        _enter(book, [fact.entered for fact in facts if isinstance(fact, Kept)])
        note_deleted(book, log_names(home))
        recount(book, reset_games(facts))
        book.execute("UPDATE applied SET facts = ?", (size,))


def _why_not_written(book: Path, fault: Exception) -> str:
    """SQLite does not say what the system did."""
    try:
        refuse_read_only(book.parent)
    except StoreError as error:
        return str(error).rstrip(".")
    return f"Can't write {book} ({fault})"


def _put_aside(home: Home, damage: Exception, tell: Tell) -> None:
    tell(
        f"{home.results} is damaged ({damage}). It was moved to {move_aside(home.results)}, and the records are "
        "rebuilt."
    )


def _mend_facts(home: Home, damage: DamagedLog, tell: Tell) -> None:
    """The file of facts is made again from what the book knows of them."""
    facts: list[Fact] = []
    with suppress(*FAULTS, StoreError), _connected(home.results) as book:
        facts += facts_in(book)
    aside = move_aside(home.facts)
    add_facts(home, facts)
    tell(f"{home.facts} is damaged ({damage}) It was moved to {aside} and is rebuilt from the records.")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


# --- deleting the logs of old games -----------------------------------------------------------------------------------


def logs_beyond(home: Home, keep: int, tell: Tell = silent, progress: Progress = silent) -> list[LogEntry]:
    """The logs of games that are over but for the newest of them, so many as to keep; only those whose games stand in
    the records. Behind them those of games alone that were thrown away. The newest first. Raises StoreError."""
    kept, logs = ask_with_logs(home, _in_book, tell, progress)
    names = load_names(home)
    over = [log for log, facts in logs if facts.state in (FINISHED, ENDED_EARLY)]
    alone = [log for log, facts in logs if facts.state == UNFINISHED and len(facts.players) == 1]
    thrown = [log for log in alone if names.is_thrown(log.stem, log.stamp)]
    return [*[log for log in over[keep:] if log.name in kept], *thrown]


def prune(home: Home, logs: Iterable[LogEntry]) -> list[LogEntry]:
    """Delete these logs, as `logs_beyond` gives them, but for those that a table has open; those that are gone. Their
    results are kept first, so that nothing is lost with a process that is killed here. Raises StoreError."""
    logs = list(logs)
    keep_without_logs(home, {log.name for log in logs})
    try:
        return [log for log in logs if delete_log(log.path)]
    finally:
        ask(home, lambda book: _note(book, log_names(home)))


def _in_book(book: Book) -> set[str]:
    return {name for (name,) in book.execute(KEPT)}


def _note(book: Book, there: set[str]) -> None:
    with writing(book):
        note_deleted(book, there)
