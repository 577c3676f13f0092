"""What can still be read when a file is damaged, and where the damaged one goes."""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path

from p2pcards.results.book import Book, Entered, entered
from p2pcards.results.facts import Fact, Kept, Reset

BESIDE = ("", "-wal", "-shm")
"""A file, and what SQLite has beside it, by the end of the name."""


def move_aside(path: Path) -> Path:
    """Where it is then, with what SQLite has beside it."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for end in BESIDE:
        with suppress(FileNotFoundError):
            Path(f"{path}{end}").rename(f"{aside}{end}")
    return aside


def kind_of(error: sqlite3.DatabaseError) -> str:
    """SQLITE_READONLY of SQLITE_READONLY_DIRECTORY; "" for what Python finds fault with, such as text that is none."""
    return "_".join(str(getattr(error, "sqlite_errorname", "")).split("_")[:2])


def without_logs(book: Book, logs: Container[str]) -> list[Entered]:
    """The games in the book that have none of these logs."""
    return [one for one in entered(book) if one.log not in logs]


def facts_in(book: Book) -> Iterator[Fact]:
    """The facts, as far as the book shows them."""
    yield from [Kept(one) for one in entered(book, "WHERE log IS NULL")]
    reset: dict[str, list[str]] = {}
    for game, one in book.execute("SELECT game, id FROM games WHERE won AND NOT counts ORDER BY ended, id"):
        reset.setdefault(game, []).append(one)
    for game, ids in reset.items():
        yield Reset(game, tuple(ids), when=0)
