"""Which unfinished games can go on: whether a seat waits for us in one, and which one is to be resumed. To find that
out, many logs may have to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from p2pcards.control.declined import Declined
from p2pcards.control.exits import USAGE
from p2pcards.ledger.payloads import RECORD, last_head, read_beginning
from p2pcards.session.doubt import OpenGame
from p2pcards.session.lobby import LeftOpen
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.log_index import ENDED_EARLY, UNFINISHED, LogFacts, indexed_logs, look_at
from p2pcards.store.logfile import read_log
from p2pcards.store.logs import LogEntry, find_log
from p2pcards.wire.refused import Refused

MOST_OPEN = 20
"""Games that one coordinator has left open of which we count how many they are."""


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


@dataclass(frozen=True, slots=True)
class GamesWith:
    """Our games as a listener with one coordinator. last: the last one, None where it is over; unfinished: the ids of
    those that are not, of the last MOST_OPEN; thrown_away: the ids of those that they have ended or broken off after a
    check of ours, each with when its log was written last, in seconds of unix time."""

    last: OpenGame | None
    unfinished: frozenset[bytes]
    thrown_away: Mapping[bytes, float]


def games_with(home: Home, key: bytes, coordinator: bytes) -> GamesWith:
    """Ours as a listener of this coordinator's. Raises StoreError when the logs cannot be listed."""
    theirs = [
        (log, facts)
        for log, facts in indexed_logs(home)
        if facts.side and facts.owner == key and facts.keys[0] == coordinator
    ]
    unfinished = [(log, facts) for log, facts in theirs if facts.state == UNFINISHED][:MOST_OPEN]
    games = [game for log, facts in unfinished if (game := _open_game(log.path, bool(facts.checked)))]
    last = games[0] if games and theirs[0] == unfinished[0] else None
    return GamesWith(last, frozenset([game.game_id for game in games]), _thrown_away(theirs))


def _thrown_away(theirs: Sequence[tuple[LogEntry, LogFacts]]) -> dict[bytes, float]:
    over = {game_id for _, facts in theirs for game_id in facts.over}
    return {
        facts.checked: log.changed / 1e9
        for log, facts in theirs
        if facts.checked and (facts.state == ENDED_EARLY or (facts.state == UNFINISHED and facts.checked in over))
    }


def _open_game(path: Path, checked: bool) -> OpenGame | None:
    """None where the log is damaged by now."""
    with suppress(StoreError, Refused):
        payloads = read_log(path).payloads
        position = read_beginning(payloads).position
        records = sum(payload[:1] == RECORD for payload in payloads)
        return OpenGame(position.game_id, position.game.name, records, last_head(payloads), checked)
    return None


def left_open(home: Home, key: bytes) -> list[LeftOpen]:
    """Our unfinished games as the coordinator, after which none has begun with the same people; the newest first.
    Raises StoreError when the logs cannot be listed."""
    found, met = [], set[bytes]()
    for log, facts in indexed_logs(home):
        others = set(facts.keys[1:])
        if facts.side == 0 and facts.owner == key and not others <= met:
            if facts.state == UNFINISHED:
                found += _left_open(log.path)
            met |= others
    return found


def _left_open(path: Path) -> list[LeftOpen]:
    with suppress(StoreError, Refused):
        payloads = read_log(path).payloads
        listeners = [side.key for side in read_beginning(payloads).header.sides[1:]]
        return [LeftOpen(frozenset(listeners), last_head(payloads))]
    return []


def _named(home: Home, key: bytes, name: str) -> Path:
    log = find_log(home, name)
    facts = look_at(read_log(log.path).payloads)
    if facts.side is None or facts.owner != key:
        raise Declined(f"You have no side in the game of {log.name}, so it cannot be resumed here.", USAGE)
    if facts.state != UNFINISHED:
        raise Declined(f"The game of {log.name} is over. 'p2pcards verify {log.stem}' shows how it ended.", USAGE)
    if facts.side:
        raise Declined(
            "You are a listener in that game: run 'p2pcards listen', and its coordinator 'p2pcards resume'.", USAGE
        )
    return log.path
