"""How far the log of a listener goes beside ours, and what is needed to bring both to the same record."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto

from p2pcards.ledger.fair import commitment, derived_salt
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.wire.actions import encode_action
from p2pcards.wire.entries import CommitEntry, encode_opening
from p2pcards.wire.messages import Resume
from p2pcards.wire.record import Record, read_record

NO_HEAD = bytes(32)


class Standing(Enum):
    """Of a listener's log."""

    EMPTY = auto()  # not even the header
    BEHIND = auto()  # or level
    AHEAD = auto()
    OTHER = auto()  # it tells another history


def standing(writer: LedgerWriter, said: Resume) -> Standing:
    """said: the listener's RESUME for this game."""
    count = writer.position.count
    if said.count > count:
        return Standing.AHEAD
    if said.count == 0 and said.head == NO_HEAD:
        return Standing.EMPTY
    return Standing.BEHIND if writer.head_at(said.count) == said.head else Standing.OTHER


def with_opening(writer: LedgerWriter, moves: Iterable[bytes], data: bytes) -> bytes | None:
    """A record from a listener's log as the coordinator's own log holds it; None if an opening is not known. moves:
    records that wait to be taken, with their openings."""
    record, entries = read_record(data)
    entry = entries[0]
    if not isinstance(entry, CommitEntry) or record.opening:
        return bytes(Record(record.frames, None, record.opening))
    for move in moves:
        waiting, _ = read_record(move)
        if waiting.frames == record.frames[:1]:
            return bytes(Record(record.frames, None, waiting.opening))
    game, view = writer.position.game, writer.position.views[entry.seat]
    salt = derived_salt(writer.value(), entry.seat, entry.base)
    for action in game.legal(view, entry.seat):
        number, fields = encode_action(game, action)
        if commitment(salt, number, fields) == entry.commitment:
            return bytes(Record(record.frames, None, encode_opening(salt, number, fields)))
    return None


class LogsAhead:
    """The listeners whose logs go further than that of a restored coordinator, by side, and how far."""

    def __init__(self) -> None:
        self._ahead: dict[int, int] = {}
        self._told: dict[bytes, int] = {}  # by key how many records each listener was told that there are
        self._last_request = -1  # the record from which they were asked last
        self._lacked = -1  # the record that was found to lack its opening last

    def tell(self, key: bytes, count: int) -> None:
        """A listener is asked how far their log goes, and told how many records are here."""
        self._told[key] = count

    def waits(self, key: bytes, count: int) -> bool:
        """Whether a listener, who has so many records, takes ours for a shorter log: they wait to be asked again."""
        return self._told.get(key, count) < count

    def note(self, side: int, count: int) -> None:
        self._ahead[side] = count

    def of(self, side: int) -> int:
        """How many records this side has, 0 if it is not ahead."""
        return self._ahead.get(side, 0)

    def caught_up(self, side: int) -> None:
        self._ahead.pop(side, None)

    def reached(self, count: int) -> list[int]:
        """The sides that are ahead no longer, now that this side has so many records."""
        reached = [side for side, known in self._ahead.items() if known <= count]
        for side in reached:
            del self._ahead[side]
        return reached

    def may_ask(self, count: int) -> bool:
        """Whether nobody was asked for this record yet."""
        return self._last_request != count

    def lacks(self, count: int) -> bool:
        """Nobody who is here has the opening of this record; whether that is new."""
        before, self._lacked = self._lacked, count
        return before != count

    def ask(self, count: int) -> list[int]:
        """The sides that have more records than so many, and are asked for the rest."""
        self._last_request = count
        return [side for side, known in self._ahead.items() if known > count]
