"""Deleting the logs of old games. What came of them stays in the records."""

from __future__ import annotations

from collections.abc import Iterable

from p2pcards.results.book import Book, note_deleted, writing
from p2pcards.results.keeping import Progress, Tell, ask, keep_without_logs, silent
from p2pcards.store.home import Home
from p2pcards.store.logs import ENDED_EARLY, FINISHED, LogEntry, delete_log, indexed_logs, log_names


def logs_beyond(home: Home, keep: int, tell: Tell = silent, progress: Progress = silent) -> list[LogEntry]:
    """The logs of games that are over but for the newest of them, so many as to keep; only those whose games stand in
    the records. The newest first. Raises StoreError."""
    kept = ask(home, _in_book, tell, progress)
    over = [log for log, facts in indexed_logs(home) if facts.state in (FINISHED, ENDED_EARLY)]
    return [log for log in over[keep:] if log.name in kept]


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
    return {name for (name,) in book.execute("SELECT name FROM logs WHERE state = 'kept'")}


def _note(book: Book, there: set[str]) -> None:
    with writing(book):
        note_deleted(book, there)
