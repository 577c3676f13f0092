"""Which unfinished games can go on: those in which a seat waits for us, and the one that is to be resumed."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path

from p2pcards.control.declined import Declined
from p2pcards.control.exits import USAGE
from p2pcards.daemon.gamelogs import OwnLog, logs_to_follow, own_log, unfinished_logs
from p2pcards.store.home import Home
from p2pcards.store.logs import find_log


def to_follow(home: Home, key: bytes, at_work: Container[Path]) -> list[OwnLog]:
    """The games in which we are a listener and that no table goes on with. at_work: the logs of those with a table."""
    return [log for log in logs_to_follow(home, key) if log.path not in at_work]


def log_to_resume(home: Home, key: bytes, at_work: Mapping[Path, str], name: str) -> OwnLog:
    """The log of this name, "" the newest that we coordinate. at_work: as above, with the names of the tables. Raises
    Declined."""
    if name:
        log = _named(home, key, name)
        if log.path in at_work:
            raise Declined(f"That game is on at a table: p2pcards attach {at_work[log.path]}", USAGE)
        return log
    unfinished = unfinished_logs(home, key)
    logs = [log for log in unfinished if log.path not in at_work]
    for log in logs:
        if log.coordinates:
            return log
    listens = " Where you are a listener, 'p2pcards listen' waits for the coordinator." if logs else ""
    there = next((at_work[log.path] for log in unfinished if log.coordinates), "")
    but = f" but the one at table {there}: p2pcards attach {there}" if there else "."
    raise Declined(f"There is no unfinished game that you coordinate{but}{listens}", USAGE)


def _named(home: Home, key: bytes, name: str) -> OwnLog:
    path = find_log(home, name).path
    log = own_log(path, key)
    if log is None:
        raise Declined(f"You have no side in the game of {path.name}, so it cannot be resumed here.", USAGE)
    if log.over:
        raise Declined(f"The game of {path.name} is over. 'p2pcards verify {path.stem}' shows how it ended.", USAGE)
    if not log.coordinates:
        raise Declined(
            "You are a listener in that game: run 'p2pcards listen', and its coordinator 'p2pcards resume'.", USAGE
        )
    return log
