"""What stands in the logs of a home, kept in a file, so that nobody reads all of them to list them.

The file may be deleted at any time: what is not in it, or has changed since, is read from the logs themselves.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole, write_whole
from p2pcards.store.home import Home
from p2pcards.store.logfile import DamagedLog, read_log
from p2pcards.store.logs import LogEntry, list_logs
from p2pcards.store.names import NAME_LIMIT

NAME = "logs.json"
EDITION = 3
"""Of what is kept there: another one is not read."""

SHOWN_LIMIT = 48
"""Characters of a name with what tells it from others that look like it."""

UNFINISHED, FINISHED, ENDED_EARLY, LEFT, DAMAGED, FALSE = STATES = (
    "unfinished",
    "finished",
    "ended early",
    "left",
    "damaged",
    "false",
)


@dataclass(frozen=True, slots=True)
class SideScore:
    """Those who play together, or one player alone. names: safe to show."""

    names: tuple[str, ...]
    score: int


@dataclass(frozen=True, slots=True)
class SaveScores:
    """How an unfinished game stands. preset: the name of its rules."""

    preset: str
    sides: tuple[SideScore, ...]


@dataclass(frozen=True, slots=True)
class LogFacts:
    """What a log says, without a check of what the players signed.

    state: one of STATES. side: whose log it is, None where it does not say; owner: their public key. players: the names
    of the sides, safe to show; tags: of each what its key begins with, as `tag_of` gives it. scores: None until
    somebody has worked them out, and told `keep_scores`.
    """

    state: str
    records: int = 0
    side: int | None = None
    owner: bytes = b""
    players: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    scores: SaveScores | None = None

    def is_open_to(self, key: bytes) -> bool:
        """Whether whoever has this public key can go on with the game."""
        return self.state == UNFINISHED and self.side is not None and self.owner == key


Stamp = tuple[int, int]
"""Bytes and time of the last change: as long as both stay, so does what stands in a log."""

Index = dict[str, tuple[Stamp, LogFacts]]
"""By the name of a log."""


def indexed_logs(home: Home) -> list[tuple[LogEntry, LogFacts]]:
    """All logs, the newest first. Those that are not in the index as they are now are read, and the index is written
    anew, which two processes may do at once. Raises StoreError when the logs cannot be listed."""
    known, kept, listed = _load(home), Index(), []
    for log in list_logs(home):
        stamp = (log.size, log.changed)
        indexed = known.get(log.name)
        if indexed is None or indexed[0] != stamp:
            facts, lasting = _look(log)
            indexed = stamp, facts
        else:
            lasting = True
        if lasting:
            kept[log.name] = indexed
        listed.append((log, indexed[1]))
    if kept != known:
        with suppress(StoreError):  # whoever asks next reads the same logs again
            _keep(home, kept)
    return listed


def keep_scores(home: Home, found: Sequence[tuple[LogEntry, SaveScores]]) -> None:
    """Keep how the games of these logs stood when they were listed, so that nobody works it out again until they have
    changed. Two processes may do so at once."""
    index = _load(home)
    for log, scores in found:
        stamp, facts = index.get(log.name, (None, None))
        if facts and stamp == (log.size, log.changed):
            index[log.name] = stamp, replace(facts, scores=scores)
    with suppress(StoreError):  # whoever asks next works it out again
        _keep(home, index)


def look_at(payloads: Sequence[bytes]) -> LogFacts:
    """What a log with these payloads says."""
    # They bring all the games with them, and whoever finds every log in the index does without.
    from p2pcards.ledger.payloads import RECORD, has_left, read_beginning
    from p2pcards.wire.clean import clean
    from p2pcards.wire.entries import CloseEntry
    from p2pcards.wire.record import read_record
    from p2pcards.wire.refused import Refused

    if len(payloads) < 2:
        return LogFacts(UNFINISHED)
    try:
        start = read_beginning(payloads)
        records = [payload for payload in payloads if payload[:1] == RECORD]
        last = read_record(records[-1][1:])[1][0] if records else None
    except Refused:
        return LogFacts(FALSE)
    state = LEFT if has_left(payloads) else UNFINISHED
    if isinstance(last, CloseEntry):
        state = FINISHED if last.reason == 0 else ENDED_EARLY
    sides = start.header.sides
    players = tuple([clean(side.name, NAME_LIMIT) for side in sides])
    tags = tuple([tag_of(side.key) for side in sides])
    return LogFacts(state, len(records), start.side, sides[start.side].key, players, tags)


def tag_of(key: bytes) -> str:
    """Enough of a key to leave out the logs of most others."""
    return key[:4].hex()


def _look(log: LogEntry) -> tuple[LogFacts, bool]:
    """What the log says, and whether it goes on saying so while nobody changes it."""
    try:
        return look_at(read_log(log.path).payloads), True
    except DamagedLog:
        return LogFacts(DAMAGED), True
    except StoreError:
        return LogFacts(DAMAGED), False


# --- the file ---------------------------------------------------------------------------------------------------------


def _load(home: Home) -> Index:
    """Nothing where it is damaged, or not as we write it."""
    try:
        edition, rows = json.loads(read_whole(home.state / NAME) or b"null")
        return {name: _indexed(*row) for name, row in rows.items()} if edition == EDITION else {}
    except (StoreError, ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _indexed(
    size: Any, changed: Any, state: Any, records: Any, side: Any, owner: Any, players: Any, tags: Any, scores: Any
) -> tuple[Stamp, LogFacts]:
    """Raises ValueError and TypeError."""
    if not (type(size) is type(changed) is type(records) is int and type(players) is list):
        raise TypeError("not what is indexed of a log")
    if state not in STATES or not (side is None or type(side) is int):
        raise ValueError("no state or side")
    tagged = tuple(tags.split())
    owned, names = bytes.fromhex(owner), _names(players)
    return (size, changed), LogFacts(state, records, side, owned, names, tagged, _scores(scores) if scores else None)


def _names(found: Any, limit: int = NAME_LIMIT) -> tuple[str, ...]:
    """Raises ValueError and TypeError."""
    for name in found:
        if len(name) > limit or not name.isprintable():
            raise ValueError("not a name that is safe to show")
    return tuple(found)


def _scores(found: Any) -> SaveScores:
    """Raises ValueError and TypeError."""
    preset, sides = found
    _names([preset], SHOWN_LIMIT)
    scores = tuple([SideScore(_names(names, SHOWN_LIMIT), score) for names, score in sides])
    if any(type(side.score) is not int for side in scores):
        raise TypeError("not a score")
    return SaveScores(preset, scores)


def _keep(home: Home, index: Index) -> None:
    """Raises StoreError."""
    rows = {name: (*stamp, *_row(facts)) for name, (stamp, facts) in index.items()}
    write_whole(home.state / NAME, json.dumps([EDITION, rows], separators=(",", ":")).encode())


def _row(facts: LogFacts) -> tuple[Any, ...]:
    scores = facts.scores and (facts.scores.preset, [(side.names, side.score) for side in facts.scores.sides])
    tags = " ".join(facts.tags)
    return facts.state, facts.records, facts.side, facts.owner.hex(), facts.players, tags, scores
