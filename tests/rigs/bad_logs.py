"""Homes with bad logs: p2pcards fails at them, by a fault that a test invents, or by a card that is none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from p2pcards.cards.card import Card
from p2pcards.games.registry import GAMES
from p2pcards.ledger.payloads import RECORD, read_beginning
from p2pcards.ledger.transitions import Phase
from p2pcards.results.book import Entered
from p2pcards.results.scoreboard import make_board
from p2pcards.store.files import Home, find_home, make_folders
from p2pcards.store.guarded import READERS
from p2pcards.store.identity import take_identity
from p2pcards.store.logs import LogEntry
from p2pcards.wire.records import DealEntry, decode_faces, read_record
from rigs.old_logs import ENDED
from rigs.quick_logs import quick_game, write_log
from rigs.recorded import OPTIONS, Table, entry_of

DATE = "2026-11-20"
SEED = 5
"""Of every table here, so that its sides have the same keys."""


class Invented(RuntimeError):
    """A fault that nobody foresaw."""


@dataclass(frozen=True, slots=True)
class BadLogs:
    """home: has good logs, and bad ones whose names without an end and last payloads these are."""

    home: Home
    bad: Mapping[str, bytes]

    def of(self, thing: Any) -> set[str]:
        """The bad logs that this is, names or holds, by their names."""
        match thing:
            case bytes():
                return {stem for stem, last in self.bad.items() if last in thing}
            case str() | Path():
                return {stem for stem in self.bad if stem in str(thing)}
            case LogEntry():
                return self.of(thing.stem)
            case Entered():
                return self.of(thing.log or "")
            case list() | tuple():
                return set().union(*map(self.of, thing))
        return set()

    @contextmanager
    def failing(self, reader: str) -> Iterator[set[str]]:
        """The reader fails at bad logs meanwhile; gives those at which it did."""
        read, met = READERS[reader], set[str]()

        def fail(*arguments: Any) -> Any:
            if found := self.of(arguments):
                met.update(found)
                raise Invented(reader)
            return read(*arguments)

        with mock.patch.dict(READERS, {reader: fail}):
            yield met


def home_of(folder: Path, side: int) -> Home:
    """That of the player who has this side at the tables of SEED."""
    home = find_home({"P2PCARDS_HOME": str(folder)})
    make_folders(home)
    take_identity(home, new_table("telecards").keys[side])
    return home


def new_table(name: str, said: Callable[[str], str] = str, **changes: Any) -> Table:
    """said: as `Table` takes it."""
    game, options = OPTIONS[name] if name in OPTIONS else (name, GAMES[name].options())
    return Table(game, replace(options, **changes), SEED, said=said)


def finished(name: str, said: Callable[[str], str] = str) -> Table:
    table = new_table(name, said, winning_score=1)
    while table.position.phase is not Phase.CLOSED:
        table.step()
    return table


def begun(name: str) -> Table:
    """In the middle of the first hand."""
    table = new_table(name)
    table.until(Phase.PLAY, 1)
    for _ in range(6):
        table.step()
    return table


def bad_logs(folder: Path, side: int = 0) -> BadLogs:
    """Of the player who has this side in two games that are over and two that are not, and of one of two-handed
    pinochle alone, twice, for the scoreboard; the second of each two is bad, and was played later."""
    home = home_of(folder, side)
    games = [(table.game.key, table.payloads[side]) for table in _tables()]
    key = new_table("telecards").keys[side]
    games += [("pinochle2", quick_game("pinochle2", seed, identity=key)[:-1]) for seed in (1, 2)]
    make_board(home)
    os.utime(home.scoreboard, (1, 1))
    stems = []
    for number, (game, payloads) in enumerate(games, 1):
        path = write_log(home, payloads, DATE, game, int.from_bytes(read_beginning(payloads).position.game_id[:4]))
        os.utime(path, (ENDED + number,) * 2)
        stems.append(path.stem)
    return BadLogs(home, {stems[number]: games[number][1][-1] for number in range(1, len(games), 2)})


@cache
def _tables() -> tuple[Table, ...]:
    return finished("telecards"), finished("crazy_eights"), begun("hearts"), begun("whist")


def with_card_that_is_none(table: Table, side: int) -> list[bytes]:
    """The log of this listener in which the first of the cards that they were dealt has the number of a copy."""
    payloads = table.payloads[side]
    number = table.find(DealEntry)
    place = payloads.index(RECORD + table.sent[side][number])
    record, _ = read_record(payloads[place][1:])
    assert record.faces is not None and isinstance(entry_of(table.sent[side][number]), DealEntry)
    first, *others = decode_faces(record.faces.body)
    forged = table.with_faces(number, side, replace(record, faces=None), [Card(first + 64), *others])
    return [*payloads[:place], RECORD + bytes(forged), *payloads[place + 1 :]]
