"""What is wrong with a file of the records, where a damaged one goes, and what can still be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from pathlib import Path

from p2pcards.results.book import Book, with_logs
from p2pcards.results.facts import Fact, Kept, Reset
from p2pcards.results.result import DamagedResult
from p2pcards.store.errors import told

BESIDE = ("", "-wal", "-shm")
"""A file, and what SQLite has beside it, by the end of the name."""

FAULTS = (DamagedResult, UnicodeDecodeError, sqlite3.DatabaseError)
"""What is raised where the database is not as it was written, cannot be written, or is busy; the second where SQLite
quotes what is no text."""
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_SCHEMA", "SQLITE_ERROR")
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")


class Trouble(Enum):
    DAMAGED = "a byte was changed, or the end is missing"
    BUSY = "another process writes"
    UNWRITABLE = "nothing can be written"


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
        raise told(error, f"Cannot move the damaged file {path} aside") from error
    return aside


def facts_in(book: Book) -> Iterator[Fact]:
    """The facts, as far as the book shows them."""
    yield from [Kept(one) for one in with_logs(book, lambda log: log is None)]
    reset: dict[str, list[str]] = {}
    for game, one in book.execute("SELECT game, id FROM games WHERE won AND NOT counts ORDER BY ended, id"):
        reset.setdefault(game, []).append(one)
    for game, ids in reset.items():
        yield Reset(game, tuple(ids), when=0)
