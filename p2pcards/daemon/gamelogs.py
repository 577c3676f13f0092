"""The logs of our own games: which game each one holds, which side we have in it, and whether it was finished."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from p2pcards.ledger.payloads import RECORD, has_left, last_head, read_start
from p2pcards.session.casting import LeftOpen
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.logfile import LogFile, Sync, read_log
from p2pcards.store.logs import create_log, list_logs
from p2pcards.wire.entries import CloseEntry
from p2pcards.wire.record import read_record
from p2pcards.wire.refused import Refused

KEPT_OVER = 3


@dataclass(frozen=True, slots=True)
class OwnLog:
    """A log of a game that we have a side in. coordinates: whether that is the coordinator's. coordinator: their public
    key, listeners: those of the others. over: the game has its closing entry, or we left it for good."""

    path: Path
    game_id: bytes
    coordinator: bytes
    listeners: frozenset[bytes]
    coordinates: bool
    over: bool
    payloads: tuple[bytes, ...]


def own_log(path: Path, key: bytes) -> OwnLog | None:
    """The log at `path`; None when nobody in it has our public key, or there is no game in it. Raises StoreError when
    it is damaged. What the players signed is not checked here."""
    payloads = tuple([payload for _, payload in read_log(path).records])
    try:
        start = read_start(payloads)
        if start.header.sides[start.side].key != key:
            return None
        coordinator, *listeners = [side.key for side in start.header.sides]
        return OwnLog(
            path,
            start.position.game_id,
            coordinator,
            frozenset(listeners),
            start.side == 0,
            _is_over(payloads),
            payloads,
        )
    except Refused:
        return None


def own_logs(home: Home, key: bytes) -> Iterator[OwnLog]:
    """The newest first; damaged ones are left out, since nobody can go on with them."""
    for entry in list_logs(home):
        try:
            log = own_log(entry.path, key)
        except StoreError:
            continue
        if log is not None:
            yield log


def unfinished_logs(home: Home, key: bytes) -> list[OwnLog]:
    """The newest first."""
    return [log for log in own_logs(home, key) if not log.over]


def logs_to_follow(home: Home, key: bytes) -> list[OwnLog]:
    """The listener's logs that a coordinator may still ask for: unfinished ones, and the last few that are over, whose
    table may still stand."""
    mine = [log for log in own_logs(home, key) if not log.coordinates]
    over = [log for log in mine if log.over][:KEPT_OVER]
    return [log for log in mine if not log.over or log in over]


def passed_over(home: Home, key: bytes) -> frozenset[bytes]:
    """The ids of our unfinished games as a listener in whose place another has begun with the same coordinator."""
    passed, met = set(), set()
    for log in own_logs(home, key):
        if not log.coordinates:
            if not log.over and log.coordinator in met:
                passed.add(log.game_id)
            met.add(log.coordinator)
    return frozenset(passed)


def left_open(home: Home, key: bytes) -> list[LeftOpen]:
    """Our unfinished games as the coordinator, after which none has begun with the same people; the newest first."""
    found, met = [], set[bytes]()
    for log in own_logs(home, key):
        if log.coordinates and log.listeners:
            if not log.over and not log.listeners <= met:
                found.append(LeftOpen(log.listeners - met, last_head(log.payloads)))
            met |= log.listeners
    return found


def followed_log(home: Home, key: bytes, coordinator: bytes, game_id: bytes) -> OwnLog | None:
    """The listener's log of a game of this coordinator's."""
    logs = (log for log in own_logs(home, key) if log.game_id == game_id and log.coordinator == coordinator)
    return next((log for log in logs if not log.coordinates), None)


def new_log(home: Home, sync: Sync, game: str, game_id: bytes) -> LogFile:
    """A log for a game that begins here, also if one was played from the same seed before. Raises StoreError."""
    return create_log(home, time.strftime("%Y-%m-%d"), game, game_id, sync)


def open_log(home: Home, sync: Sync, key: bytes, game: str, game_id: bytes) -> LogFile:
    """The log of a game that began elsewhere: the one that is here, or a new one. Raises StoreError."""
    for log in own_logs(home, key):
        if log.game_id == game_id and not log.coordinates:
            return LogFile.open(log.path, sync)
    return new_log(home, sync, game, game_id)


def _is_over(payloads: tuple[bytes, ...]) -> bool:
    last = next((payload[1:] for payload in reversed(payloads) if payload[:1] == RECORD), None)
    closed = last is not None and isinstance(read_record(last)[1][0], CloseEntry)
    return closed or has_left(payloads)
