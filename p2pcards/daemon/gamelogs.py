"""The logs of our own games: new ones, and those of a game that we follow or have coordinated, with that game as it
stands there."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import read_beginning
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.logfile import LogFile, Sync, read_log
from p2pcards.store.logs import create_log, logs_named_by
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.refused import Refused


def new_log(home: Home, sync: Sync, game: str, game_id: bytes) -> LogFile:
    """A log for a game that begins here, also if one was played from the same seed before. Raises StoreError."""
    return create_log(home, time.strftime("%Y-%m-%d"), game, game_id, sync)


def followed_logs(home: Home, key: bytes, coordinator: bytes, game_id: bytes) -> list[Path]:
    """The logs of whoever has this public key, as a listener, of a game of this coordinator's, the newest first. Only
    those are opened that are named like it."""
    return [path for path in _named(home, game_id) if _follows(path, key, coordinator, game_id)]


def followed_game(paths: Iterable[Path], key: PrivateKey) -> tuple[Path, LedgerFollower] | None:
    """The game that the first of these logs tells that is whole and holds; that takes as long as it is."""
    for path in paths:
        with suppress(StoreError, Refused):
            return path, LedgerFollower.restored(key, read_log(path).payloads)
    return None


def coordinated_game(home: Home, key: PrivateKey, listener: bytes, game_id: bytes) -> LedgerWriter | None:
    """A game of ours with this listener, as the newest of its logs tells it that is whole and holds; that takes as long
    as it is."""
    for path in _named(home, game_id):
        with suppress(StoreError, Refused):
            payloads = read_log(path).payloads
            start = read_beginning(payloads)
            position, sides = start.position, start.header.sides
            ours = start.side == 0 and sides[0].key == public_bytes(key) and position.game_id == game_id
            if ours and start.header.side_of(listener):
                return LedgerWriter.restored(key, start.frame, position, payloads)
    return None


def _named(home: Home, game_id: bytes) -> list[Path]:
    try:
        return logs_named_by(home, game_id)
    except StoreError:
        return []


def _follows(path: Path, key: bytes, coordinator: bytes, game_id: bytes) -> bool:
    """A damaged log is nobody's: nobody can go on with it."""
    with suppress(StoreError, Refused):
        start = read_beginning(read_log(path).payloads)
        sides = start.header.sides
        ours = start.side > 0 and sides[start.side].key == key and sides[0].key == coordinator
        return ours and start.position.game_id == game_id
    return False
