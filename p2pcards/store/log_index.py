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
EDITION = 5
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

    state: one of STATES. side: whose log it is, None where it does not say. players, keys: the names of the sides, safe
    to show, and their public keys. redeals: of each side, how many hands were dealt again as it asked, () where none
    was; broken_off, left_out: how many notes say so of the coordinator. scores: None until somebody has worked them
    out, and told `keep_scores`. checked: in a listener's log with a check of theirs the id of the game, else b""; over:
    the ids of the games that were on when this one began.
    """

    state: str
    records: int = 0
    side: int | None = None
    players: tuple[str, ...] = ()
    keys: tuple[bytes, ...] = ()
    redeals: tuple[int, ...] = ()
    broken_off: int = 0
    left_out: int = 0
    scores: SaveScores | None = None
    checked: bytes = b""
    over: tuple[bytes, ...] = ()

    @property
    def owner(self) -> bytes:
        """The public key of the side whose log it is, b"" where it does not say."""
        return b"" if self.side is None else self.keys[self.side]

    def is_open_to(self, key: bytes) -> bool:
        """Whether whoever has this public key can go on with the game."""
        return self.state == UNFINISHED and self.owner == key


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
    from p2pcards.ledger.payloads import (
        NOTE,
        RECORD,
        BrokenOff,
        LeftOut,
        check_notes,
        has_checked,
        has_left,
        read_beginning,
        read_note,
    )
    from p2pcards.wire.clean import clean
    from p2pcards.wire.entries import CloseEntry, EntryKind, RedealEntry
    from p2pcards.wire.record import first_kind, read_record
    from p2pcards.wire.refused import Refused

    if len(payloads) < 2:
        return LogFacts(UNFINISHED)
    try:
        start = read_beginning(payloads)
        check_notes(payloads)
        records = [payload for payload in payloads if payload[:1] == RECORD]
        last = read_record(records[-1][1:])[1][0] if records else None
        redeals = [read_record(one[1:])[1][0] for one in records if first_kind(one[1:]) == EntryKind.REDEAL]
        notes = [read_note(payload) for payload in payloads if payload[:1] == NOTE]
    except Refused:
        return LogFacts(FALSE)
    state = LEFT if has_left(payloads) else UNFINISHED
    if isinstance(last, CloseEntry):
        state = FINISHED if last.reason == 0 else ENDED_EARLY
    sides = start.header.sides
    players = tuple([clean(side.name, NAME_LIMIT) for side in sides])
    asked = [entry.side for entry in redeals if isinstance(entry, RedealEntry)]
    return LogFacts(
        state,
        len(records),
        start.side,
        players,
        tuple([side.key for side in sides]),
        tuple([asked.count(side) for side in range(len(sides))]) if asked else (),
        sum(isinstance(note, BrokenOff) for note in notes),
        sum(isinstance(note, LeftOut) for note in notes),
        checked=start.position.game_id if start.side and has_checked(payloads) else b"",
        over=tuple([note.game_id for note in notes if isinstance(note, BrokenOff)]),
    )


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
        edition, keys, rows = json.loads(read_whole(home.state / NAME) or b"null")
        known = [bytes.fromhex(key) for key in keys]
        return {name: _indexed(known, *row) for name, row in rows.items()} if edition == EDITION else {}
    except (StoreError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return {}


def _indexed(
    known: Sequence[bytes],
    size: Any,
    changed: Any,
    state: Any,
    records: Any,
    side: Any,
    players: Any,
    keys: Any,
    redeals: Any,
    broken_off: Any,
    left_out: Any,
    scores: Any,
    checked: Any,
    over: Any,
) -> tuple[Stamp, LogFacts]:
    """known: the keys of all logs, of which a row has the numbers. Raises ValueError, TypeError and LookupError."""
    if not (type(size) is type(changed) is type(records) is type(broken_off) is type(left_out) is int):
        raise TypeError("not what is indexed of a log")
    if not (type(players) is type(keys) is type(redeals) is list and all(type(count) is int for count in redeals)):
        raise TypeError("not what is indexed of a log")
    if state not in STATES or not (side is None or (type(side) is int and 0 <= side < len(keys))):
        raise ValueError("no state or side")
    theirs, stands = tuple([known[key] for key in keys]), _scores(scores) if scores else None
    games = bytes.fromhex(checked), tuple([bytes.fromhex(game) for game in over])
    facts = LogFacts(
        state, records, side, _names(players), theirs, tuple(redeals), broken_off, left_out, stands, *games
    )
    return (size, changed), facts


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
    numbers: dict[bytes, int] = {}
    rows = {name: (*stamp, *_row(facts, numbers)) for name, (stamp, facts) in index.items()}
    data = [EDITION, [key.hex() for key in numbers], rows]
    write_whole(home.state / NAME, json.dumps(data, separators=(",", ":")).encode())


def _row(facts: LogFacts, numbers: dict[bytes, int]) -> tuple[Any, ...]:
    """numbers: of the keys so far, to which those of this log are added."""
    keys = [numbers.setdefault(key, len(numbers)) for key in facts.keys]
    return (
        facts.state,
        facts.records,
        facts.side,
        facts.players,
        keys,
        facts.redeals,
        facts.broken_off,
        facts.left_out,
        facts.scores and (facts.scores.preset, [(side.names, side.score) for side in facts.scores.sides]),
        facts.checked.hex(),
        [game.hex() for game in facts.over],
    )
