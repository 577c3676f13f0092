"""Which unfinished games can go on: whether a seat waits for us in one, and which one is to be resumed. To find that
out, many logs may have to be read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from p2pcards.control.declined import Declined
from p2pcards.control.exits import USAGE
from p2pcards.daemon.gamelogs import payloads_of
from p2pcards.store.home import Home
from p2pcards.store.log_index import UNFINISHED, indexed_logs, look_at
from p2pcards.store.logs import find_log


def is_owed_a_seat(home: Home, key: bytes) -> bool:
    """Whether a game can go on in which we are a listener. Raises StoreError."""
    return any(facts.is_open_to(key) and facts.side for _, facts in indexed_logs(home))


def log_to_resume(home: Home, key: bytes, at_work: Mapping[Path, str], name: str) -> Path:
    """The log of this name, "" the newest that we coordinate. at_work: the logs of those games that a table goes on
    with, and its name. Raises Declined and StoreError."""
    if name:
        path = _named(home, key, name)
        if path in at_work:
            raise Declined(f"That game is on at a table: p2pcards attach {at_work[path]}", USAGE)
        return path
    unfinished = [(log.path, facts.side == 0) for log, facts in indexed_logs(home) if facts.is_open_to(key)]
    logs = [(path, coordinates) for path, coordinates in unfinished if path not in at_work]
    for path, coordinates in logs:
        if coordinates:
            return path
    listens = " Where you are a listener, 'p2pcards listen' waits for the coordinator." if logs else ""
    there = next((at_work[path] for path, coordinates in unfinished if coordinates), "")
    but = f" but the one at table {there}: p2pcards attach {there}" if there else "."
    raise Declined(f"There is no unfinished game that you coordinate{but}{listens}", USAGE)


def _named(home: Home, key: bytes, name: str) -> Path:
    log = find_log(home, name)
    facts = look_at(payloads_of(log.path))
    if facts.side is None or facts.owner != key:
        raise Declined(f"You have no side in the game of {log.name}, so it cannot be resumed here.", USAGE)
    if facts.state != UNFINISHED:
        raise Declined(f"The game of {log.name} is over. 'p2pcards verify {log.stem}' shows how it ended.", USAGE)
    if facts.side:
        raise Declined(
            "You are a listener in that game: run 'p2pcards listen', and its coordinator 'p2pcards resume'.", USAGE
        )
    return log.path
