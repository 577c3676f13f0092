"""What no log says: which results were reset, and those whose logs were deleted. A file beside the database, written
like a log, so that the database can be made again at any time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from p2pcards.results.book import Entered
from p2pcards.results.result import packed, unpacked
from p2pcards.store.files import locked, read_whole
from p2pcards.store.home import Home
from p2pcards.store.logs import DamagedLog, LogFile, parse_log

AT_ONCE = 1000
"""Games that one record of the file names at the most."""


@dataclass(frozen=True, slots=True)
class Reset:
    """From then on these games, by id, all of one kind, count no more; again: they do. when: seconds of unix time."""

    game: str
    ids: tuple[str, ...]
    when: int
    again: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """A result whose log was deleted."""

    entered: Entered


Fact = Reset | Kept


def check_facts(home: Home) -> None:
    """Raises StoreError, DamagedLog for a file with a changed byte."""
    _payloads(home)


def load_facts(home: Home) -> tuple[Fact, ...]:
    """In the order in which they came about. Raises StoreError, DamagedLog for a file with a changed byte."""
    try:
        return tuple([_decoded(json.loads(payload)) for payload in _payloads(home)])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DamagedLog(0, f"{home.facts} is not as it was written.") from error


def add_facts(home: Home, facts: Iterable[Fact]) -> None:
    """On disk when this returns. Raises StoreError."""
    if not (facts := list(facts)):
        return
    with locked(home.facts):
        file = LogFile.open(home.facts) if home.facts.exists() else LogFile.create(home.facts)
        try:
            for fact in facts:
                for part in _parts(fact):
                    file.append(json.dumps(part).encode())
        finally:
            file.close()


def reset_games(facts: Sequence[Fact]) -> frozenset[str]:
    """The ids of the games that count no more."""
    out: set[str] = set()
    for fact in facts:
        if isinstance(fact, Reset):
            out = out - set(fact.ids) if fact.again else out | set(fact.ids)
    return frozenset(out)


def last_reset(facts: Sequence[Fact], game: str) -> Reset | None:
    """The last reset of this game that was not taken back, all that was reset at once."""
    found: Reset | None = None
    for fact in facts:
        if isinstance(fact, Reset) and fact.game == game:
            if fact.again:
                found = None
            elif found and found.when == fact.when:
                found = Reset(game, found.ids + fact.ids, fact.when)
            else:
                found = fact
    return found


def _payloads(home: Home) -> list[bytes]:
    data = read_whole(home.facts)
    return [] if data is None else parse_log(data).payloads


def _parts(fact: Fact) -> Iterator[dict[str, Any]]:
    if isinstance(fact, Kept):
        one = fact.entered
        yield {"kept": packed(one.result).hex(), "ended": one.ended}
        return
    for start in range(0, len(fact.ids), AT_ONCE):
        ids = fact.ids[start : start + AT_ONCE]
        yield {"reset": fact.game, "ids": ids, "when": fact.when, "again": fact.again}


def _decoded(data: dict[str, Any]) -> Fact:
    """Raises ValueError, TypeError and KeyError."""
    if "kept" in data:
        return Kept(Entered(unpacked(bytes.fromhex(data["kept"])), int(data["ended"]), None))
    return Reset(str(data["reset"]), tuple(map(str, data["ids"])), int(data["when"]), bool(data["again"]))
