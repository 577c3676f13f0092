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
    enter_games,
    games_with_logs,
    note_deleted,
    prepare,
    proofread,
    remove_games,
    set_uncounted,
    writing,
)
from p2pcards.results.result import DamagedResult, pack_result, unpack_result
from p2pcards.results.standings import count_games
from p2pcards.store.files import (
    Home,
    StoreError,
    busy_error,
    locked,
    private_folder,
    read_whole,
    refuse_read_only,
    store_error,
)
from p2pcards.store.guarded import one_of_many
from p2pcards.store.logs import (
    OVER,
    SUFFIX,
    UNFINISHED,
    DamagedLog,
    FaultyLog,
    LogEntry,
    LogFacts,
    LogFile,
    delete_log,
    indexed_logs,
    log_names,
    names_of_unreadable,
    parse_log,
    read_log,
    unread_logs_sentence,
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
    """Raise StoreError, or DamagedLog for a changed byte, if the file of facts cannot be read."""
    _fact_payloads(home)


def load_facts(home: Home) -> tuple[Fact, ...]:
    """All facts in the order in which they were added. Raises StoreError, DamagedLog for a changed byte."""
    try:
        return tuple([_decode_fact(json.loads(payload)) for payload in _fact_payloads(home)])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DamagedLog(0, f"{home.facts} has changed since it was written.") from error


def add_facts(home: Home, facts: Iterable[Fact]) -> None:
    """Append facts and sync the file. Raises StoreError."""
    if not (facts := list(facts)):
        return
    with locked(home.facts):
        file = LogFile.open(home.facts) if home.facts.exists() else LogFile.create(home.facts)
        try:
            for fact in facts:
                for part in _fact_parts(fact):
                    file.append(json.dumps(part).encode())
        finally:
            file.close()


def reset_games(facts: Sequence[Fact]) -> frozenset[str]:
    """The ids of the games that no longer count after these facts."""
    out: set[str] = set()
    for fact in facts:
        if isinstance(fact, Reset):
            out = out - set(fact.ids) if fact.again else out | set(fact.ids)
    return frozenset(out)


def last_reset(facts: Sequence[Fact], game: str) -> Reset | None:
    """The last reset of this game kind that was not taken back; None if there is none."""
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


def _fact_payloads(home: Home) -> list[bytes]:
    """The payloads of the file of facts; none if it does not exist."""
    data = read_whole(home.facts)
    return [] if data is None else parse_log(data).payloads


def _fact_parts(fact: Fact) -> Iterator[dict[str, Any]]:
    """A fact as the JSON objects that are written for it: long lists of ids are split."""
    if isinstance(fact, Kept):
        one = fact.entered
        yield {"kept": pack_result(one.result).hex(), "ended": one.ended}
        return
    for start in range(0, len(fact.ids), IDS_AT_ONCE):
        ids = fact.ids[start : start + IDS_AT_ONCE]
        yield {"reset": fact.game, "ids": ids, "when": fact.when, "again": fact.again}


def _decode_fact(data: dict[str, Any]) -> Fact:
    """The fact in a JSON object. Raises ValueError, TypeError and KeyError."""
    if "kept" in data:
        return Kept(Entered(unpack_result(bytes.fromhex(data["kept"])), int(data["ended"]), None))
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
    """The kind of trouble behind a fault of the book. fault: one of `FAULTS`; a mistake of this program is raised
    again."""
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
    """Move a damaged book, with SQLite's files beside it, out of the way; returns its new path. Raises StoreError."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        for end in BESIDE:
            with suppress(FileNotFoundError):
                Path(f"{path}{end}").rename(f"{aside}{end}")
    except OSError as error:
        raise store_error(error, f"Can't move the damaged file {path} aside") from error
    return aside


def facts_in(book: Book) -> Iterator[Fact]:
    """The facts as far as they can be told from the book."""
    yield from [Kept(one) for one in games_with_logs(book, lambda log: log is None)]
    reset: dict[str, list[str]] = {}
    for game, one in book.execute("SELECT game, id FROM games WHERE played AND NOT counts ORDER BY ended, id"):
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


def tell_nobody(*_of: object) -> None:
    """Ignore what is told; the default for callbacks."""


def ask_book(
    home: Home, question: Callable[[Book], T], tell: Tell = tell_nobody, progress: Progress = tell_nobody
) -> T:
    """Ask the book a question after every finished game was entered. A damaged file is moved aside and rebuilt; a
    read-only one is completed in memory. Raises StoreError."""
    fault: Exception
    try:
        return _ask_on_disk(home, question, progress, tell)
    except DamagedLog as error:
        _mend_facts(home, error, tell)
        return ask_book(home, question, tell, progress)
    except FAULTS as error:
        fault = error
    match trouble_of(fault):
        case Trouble.BUSY:
            raise busy_error(home.results, PATIENCE, "Try again later.") from fault
        case Trouble.UNWRITABLE:
            tell(f"{_why_not_written(home.results, fault)}; the records are shown but not saved.")
            return _asked_in_memory(home, question, progress, tell)
        case Trouble.DAMAGED:
            _put_aside(home, fault, tell)
            return _ask_on_disk(home, question, progress, tell)


def ask_book_and_logs(
    home: Home, question: Callable[[Book], T], tell: Tell = tell_nobody, progress: Progress = tell_nobody
) -> tuple[T, list[tuple[LogEntry, LogFacts]]]:
    """The results of `ask_book` and `indexed_logs`. Raises StoreError."""
    answer, named = ask_book(home, lambda book: (question(book), _unreadable(book)), tell, progress)
    logs = indexed_logs(home)
    if bad := [stem for stem in names_of_unreadable(logs) if f"{stem}{SUFFIX}" not in named]:
        tell(unread_logs_sentence(bad))
    return answer, logs


def proofread_all(
    home: Home, tell: Tell = tell_nobody, progress: Progress = tell_nobody, pause: Callable[[], None] = tell_nobody
) -> None:
    """Proofread the book and rebuild it unless all is as it was entered; logs are read only for that. pause: as in
    `book.proofread`. Raises StoreError."""
    if not home.results.exists():
        return
    try:
        with _connected(home.results) as book, as_it_stands(book):
            proofread(book, pause)
    except FAULTS as fault:
        if trouble_of(fault) is Trouble.DAMAGED:
            _put_aside(home, fault, tell)
            ask_book(home, tell_nobody, tell, progress)


def rebuild(home: Home, tell: Tell = tell_nobody, progress: Progress = tell_nobody) -> tuple[str, ...]:
    """Rebuild the book from logs and facts; returns the names of logs that cannot be read. Raises StoreError."""
    ended, lost = ask_book(home, lambda book: (_end_times(book), _without_logs(home, book)), tell)
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
                _catch_up(home, made, tell_nobody, ended)  # what others have entered meanwhile
                for table in TABLES:
                    made.execute(f"DELETE FROM book.{table}")
                    made.execute(f"INSERT INTO book.{table} SELECT * FROM main.{table}")
            return tuple(_unreadable(made))
    except sqlite3.DatabaseError as error:
        raise StoreError(f"Can't rebuild the records: {error}.", "Free some space, or try again later.") from error


def _end_times(book: Book) -> dict[str, int]:
    """When each game in the book ended, by id."""
    return dict(book.execute("SELECT id, ended FROM games").fetchall())


def _without_logs(home: Home, book: Book) -> list[Entered]:
    """The games in the book whose logs no longer exist."""
    with as_it_stands(book):
        book.execute("SELECT 1 FROM games LIMIT 1").fetchone()  # as it stands now: before the folder is looked at
        there = log_names(home)
        return games_with_logs(book, lambda log: log not in there)


def reset(home: Home, game: str, when: int) -> int:
    """Stop counting every game of this kind; returns how many had been won. when: unix time in seconds. Raises
    StoreError."""

    def counted(book: Book) -> tuple[tuple[str, ...], int]:
        """The ids of the games that count now, and how many of them were won."""
        rows = book.execute("SELECT id FROM games WHERE game = ? AND counts ORDER BY ended, id", (game,))
        return tuple([one for (one,) in rows]), count_games(book, game)

    ids, won = ask_book(home, counted)
    if ids:
        add_facts(home, [Reset(game, ids, when)])
        ask_book(home, tell_nobody)
    return won


def take_back_reset(home: Home, game: str, when: int) -> int:
    """Count the games of the last reset again; returns how many had been won, 0 if there was no reset. Raises
    StoreError."""
    last = last_reset(load_facts(home), game)
    if last is None:
        return 0
    before = ask_book(home, lambda book: count_games(book, game))
    add_facts(home, [Reset(game, last.ids, when, again=True)])
    return ask_book(home, lambda book: count_games(book, game)) - before


def keep_without_logs(home: Home, logs: set[str]) -> None:
    """Keep the results of these logs, which are about to be deleted. Raises StoreError."""
    kept = ask_book(home, lambda book: games_with_logs(book, lambda log: log in logs))
    add_facts(home, [Kept(one) for one in kept])


# --- bringing it up to date -------------------------------------------------------------------------------------------


def _ask_on_disk(home: Home, question: Callable[[Book], T], progress: Progress, tell: Tell) -> T:
    """Bring the book on disk up to date and ask it."""
    check_facts(home)
    private_folder(home.results.parent)
    with _connected(home.results) as book:
        _catch_up(home, book, progress)
        if tell is not tell_nobody:
            _tell_taken_out(book, tell)
            _tell_left_out(home, book, tell)
        return question(book)


def _tell_taken_out(book: Book, tell: Tell) -> None:
    """Tell once how many games no longer count because the player made no move in them."""
    ((count,),) = book.execute("SELECT taken_out FROM applied").fetchall()
    if count:
        with writing(book):
            book.execute("UPDATE applied SET taken_out = 0")
        games, them = ("game is", "it") if count == 1 else ("games are", "them")
        tell(f"{count} {games} no longer counted, because you made no move in {them}.")


def _tell_left_out(home: Home, book: Book, tell: Tell) -> None:
    """Tell which logs could not be read."""
    bad = _unreadable(book)
    there = log_names(home) if bad else set[str]()
    if bad := [name.removesuffix(SUFFIX) for name in bad if name in there]:
        tell(unread_logs_sentence(bad))


def _unreadable(book: Book) -> list[str]:
    """The names of logs that could not be read."""
    return [name for (name,) in book.execute("SELECT name FROM logs WHERE state = ? ORDER BY name", (UNREADABLE,))]


def _asked_in_memory(home: Home, question: Callable[[Book], T], progress: Progress, tell: Tell) -> T:
    """Copy the book into memory, bring the copy up to date and ask it; the file stays as it is."""
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
    """An open, prepared connection to the book, closed at the end."""
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
    """Enter every game whose log has changed. ended: when games that are known already ended, by id."""
    _apply_facts(home, book)
    waiting = _changed_logs(home, book)
    key = own_key(home) if waiting else b""
    for start in range(0, len(waiting), LOGS_AT_ONCE):
        games, rows = [], []
        for number, (name, stamp) in enumerate(waiting[start : start + LOGS_AT_ONCE], start + 1):
            state, kept, one = _read_log_state(home, key, name, stamp, ended or {})
            games += [one] if one else []
            rows.append((name, *kept, state))
            progress(number, len(waiting))
        out = reset_games(load_facts(home)) if games else frozenset[str]()
        with writing(book):
            bad = _enter_games(book, [replace(one, counts=one.result.id not in out) for one in games])
            rows = [(row[0], *AGAIN, UNREADABLE) if row[0] in bad else row for row in rows]
            remove_games(book, [name for name, *_, state in rows if state == NOT_OURS])
            gone = remove_games(book, [name for name, *_, state in rows if state == UNSIGNED])
            if gone:
                book.execute("UPDATE applied SET taken_out = taken_out + ?", (gone,))
            book.executemany("INSERT OR REPLACE INTO logs VALUES (?, ?, ?, ?)", rows)


def _enter_games(book: Book, games: Sequence[Entered]) -> set[str]:
    """Enter games into the book; returns the logs of those that cannot be entered."""
    if _is_entered(book, games):
        return set()
    return {one.log or "" for one in games if not _is_entered(book, [one])}


@one_of_many(False, *FAULTS)
def _is_entered(book: Book, games: Sequence[Entered]) -> bool:
    """Enter these games in one transaction; False if that failed, with none entered."""
    book.execute("SAVEPOINT entering")
    try:
        enter_games(book, games)
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


def _changed_logs(home: Home, book: Book) -> list[tuple[str, Stamp]]:
    """The logs that changed since they were read, the oldest change first."""
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
    from p2pcards.store.identity import load_or_make_key

    with suppress(StoreError):
        return load_or_make_key(home) if home.identity.exists() else b""
    return b""


def _read_log_state(
    home: Home, key: bytes, name: str, stamp: Stamp, ended: Mapping[str, int]
) -> tuple[str, Stamp, Entered | None]:
    """The state of a log, the stamp to keep, and its game if that is over. key: as `own_key` gives it."""
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
    owner = read_owner(payloads)
    if not owner or (key and owner != key):
        return NOT_OURS, stamp, None
    if not result.over:
        return "open", stamp, None
    if not result.signed:
        return UNSIGNED, stamp, None
    return "kept", stamp, Entered(result, ended.get(result.id, stamp[1] // 1_000_000), name)


def _apply_facts(home: Home, book: Book) -> None:
    """Apply resets and kept results to the book if the file of facts has changed since."""
    size = _file_size(home.facts)
    if (size,) == book.execute("SELECT facts FROM applied").fetchone():
        return
    facts = load_facts(home)
    with writing(book):
        _enter_games(book, [fact.entered for fact in facts if isinstance(fact, Kept)])
        note_deleted(book, log_names(home))
        set_uncounted(book, reset_games(facts))
        book.execute("UPDATE applied SET facts = ?", (size,))


def _why_not_written(book: Path, fault: Exception) -> str:
    """The sentence for a book that cannot be written, as SQLite does not say what the system did."""
    try:
        refuse_read_only(book.parent)
    except StoreError as error:
        return str(error).rstrip(".")
    return f"Can't write {book} ({fault})"


def _put_aside(home: Home, damage: Exception, tell: Tell) -> None:
    """Move a damaged book aside and tell the player."""
    tell(
        f"{home.results} is damaged ({damage}). It was moved to {move_aside(home.results)}, and the records are "
        "rebuilt."
    )


def _mend_facts(home: Home, damage: DamagedLog, tell: Tell) -> None:
    """Rewrite a damaged file of facts from what the book knows of them."""
    facts: list[Fact] = []
    with suppress(*FAULTS, StoreError), _connected(home.results) as book:
        facts += facts_in(book)
    aside = move_aside(home.facts)
    add_facts(home, facts)
    tell(f"{home.facts} is damaged ({damage}) It was moved to {aside} and is rebuilt from the records.")


def _file_size(path: Path) -> int:
    """The size of a file in bytes, 0 if it cannot be read."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


# --- deleting the logs of old games -----------------------------------------------------------------------------------


def logs_to_delete(home: Home, keep: int, tell: Tell = tell_nobody, progress: Progress = tell_nobody) -> list[LogEntry]:
    """The logs of finished games except the newest `keep`, and the thrown-away ones of games alone; only those whose
    games are in the book. The newest first. Raises StoreError."""
    kept, logs = ask_book_and_logs(home, _logs_in_book, tell, progress)
    names = load_names(home)
    over = [log for log, facts in logs if facts.state in OVER]
    alone = [log for log, facts in logs if facts.state == UNFINISHED and len(facts.players) == 1]
    thrown = [log for log in alone if names.is_thrown(log.stem, log.stamp)]
    return [*[log for log in over[keep:] if log.name in kept], *thrown]


def delete_logs(home: Home, logs: Iterable[LogEntry]) -> list[LogEntry]:
    """Delete these logs, except those that a table has open; returns those deleted. Their results are kept first, so
    that nothing is lost if this process is killed."""
    logs = list(logs)
    keep_without_logs(home, {log.name for log in logs})
    try:
        return [log for log in logs if delete_log(log.path)]
    finally:
        ask_book(home, lambda book: _note_logs_left(book, log_names(home)))


def _logs_in_book(book: Book) -> set[str]:
    """The names of the logs whose games are in the book."""
    return {name for (name,) in book.execute(KEPT)}


def _note_logs_left(book: Book, there: set[str]) -> None:
    """Note in the book which logs are still there."""
    with writing(book):
        note_deleted(book, there)
