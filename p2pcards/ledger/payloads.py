"""The records of a log file: one byte of kind, and the rest; notes are numbered and all payloads are hashed, so that
none is missing, doubled or out of place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from typing import Any

from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.position import Position, begin
from p2pcards.wire.packing import (
    Cause,
    Kind,
    Refused,
    blob,
    blob_up_to,
    boolean,
    elements,
    find_kind,
    match,
    pack,
    text,
    uint,
    unpack,
)
from p2pcards.wire.records import (
    VALUE,
    AbsentEntry,
    CheckEntry,
    EntryKind,
    Frame,
    Header,
    OpeningEntry,
    decode_header,
    first_kind,
    next_head,
    read_record,
    split_frame,
)

# --- what stands in the records of a log file -------------------------------------------------------------------------


ME, HEADER, RECORD, PENDING, CHECKED, NOTE, ADDRESS, LEFT = b"M", b"H", b"R", b"P", b"C", b"N", b"A", b"L"
COUNT = b"K"
SEALED = 2
"""What a log says at its beginning in which each COUNT has a digest of all payloads before it; True stands for a number
of notes alone."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A record calls this side absent although it had signed its check."""

    record: int  # its number, from 0
    # the check was sent on the link that brought the record; False: it may have been lost with an older link
    here: bool


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """The coordinator began the game of this log while another game with this side was in progress."""

    game_id: bytes  # of the other game, like count and head
    count: int  # number of its records
    head: bytes  # after its last record
    named: bool  # the new header names that head; False: the player agreed instead


@dataclass(frozen=True, slots=True)
class PlayedByComputer:
    """From the record with this number (from 0) a computer player has played in my seat, at my wish, for some time."""

    record: int


@dataclass(frozen=True, slots=True)
class Restored:
    """There was no log of this game here: its player has agreed to take it as its coordinator tells it."""


@dataclass(frozen=True, slots=True)
class PlaysOn:
    """The player has agreed to play on with the coordinator, who calls me absent in the record with this number (from
    0)."""

    record: int


@dataclass(frozen=True, slots=True)
class UntrueTakeover:
    """The record with this number (from 0) took my seat over for a reason that was not so."""

    record: int


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The game continues in the log of a successor, to which this side has agreed."""

    game_id: bytes  # of that log


Note = LeftOut | BrokenOff | PlayedByComputer | Restored | PlaysOn | UntrueTakeover | Succeeded


@dataclass(frozen=True, slots=True)
class Start:
    """How a log begins: whose it is, and the game."""

    side: int  # one more than the last for a watcher
    seed: bytes
    frame: Frame
    header: Header

    @property
    def owner(self) -> bytes:
        """The public key of the side whose log this is; b"" for a watcher, whose key is not in it."""
        return self.header.sides[self.side].key if self.side < len(self.header.sides) else b""

    @property
    def position(self) -> Position:
        """The position after the header alone."""
        return begin(self.frame, self.header, self.side, self.seed)


def start_payloads(side: int, seed: bytes, frame: Frame) -> list[bytes]:
    """The first payloads of a log."""
    return [ME + pack([side, seed]), HEADER + bytes(frame)]


def address_payload(side: int, address: str) -> bytes:
    """The payload that notes the address of a side."""
    return ADDRESS + pack([side, address])


def read_address(payload: bytes) -> tuple[int, str]:
    """side, address. Raises Refused."""
    side, address = match(unpack(payload[1:]), uint(15), text(300))
    return side, address


_NOTES: dict[int, Kind[Note]] = {
    0: (lambda record: LeftOut(record, here=True), (uint(),)),
    1: (BrokenOff, (blob(16), uint(), blob(32), boolean)),
    2: (lambda record: LeftOut(record, here=False), (uint(),)),
    3: (PlayedByComputer, (uint(),)),
    4: (Restored, ()),
    5: (PlaysOn, (uint(),)),
    6: (UntrueTakeover, (uint(),)),
    7: (Succeeded, (blob(16),)),
}
_NOTE_KINDS = {build: kind for kind, (build, _) in _NOTES.items()}


def note_payload(note: Note) -> bytes:
    """The payload of a note, without a number."""
    if isinstance(note, LeftOut):
        return NOTE + pack([0 if note.here else 2, note.record])
    return NOTE + pack([_NOTE_KINDS[type(note)], *elements(note)])


def numbered_note(payload: bytes, number: int) -> bytes:
    return NOTE + pack([number, unpack(payload[1:])])


def note_number(payload: bytes) -> int | None:
    """The number of a note, from 0; None where it has none. Raises Refused."""
    return _note_parts(payload)[0]


def _note_parts(payload: bytes) -> tuple[int | None, list[Any]]:
    """(number or None, fields) of a note. Raises Refused."""
    values = unpack(payload[1:])
    if len(values) == 2 and type(values[1]) is list:
        return uint()(values[0]), values[1]
    return None, values


def read_note(payload: bytes) -> Note:
    """The note in a payload. Raises Refused."""
    _, values = _note_parts(payload)
    build, checks = find_kind(_NOTES, values, "There is no note of this kind.")
    return build(*match(values[1:], *checks))


def last_head(payloads: Sequence[bytes]) -> bytes:
    """The head after the last record of a log; nothing is checked. Raises Refused for payloads that are no log."""
    frame, _ = read_header(payloads)
    records = [read_record(payload[1:])[0] for payload in payloads if payload[:1] == RECORD]
    return reduce(next_head, [frame for record in records for frame in record.frames], next_head(b"", frame))


def read_header(payloads: Sequence[bytes]) -> tuple[Frame, Header]:
    """The second payload of a log. Raises Refused."""
    if len(payloads) < 2 or payloads[1][:1] != HEADER:
        raise Refused(Cause.SHAPE, "This log doesn't begin with the header of a game.")
    frame = header_frame(payloads[1][1:])
    return frame, decode_header(frame)


def header_frame(data: bytes) -> Frame:
    """The frame in these bytes, which must hold nothing else. Raises Refused."""
    frame, rest = split_frame(data)
    if rest:
        raise Refused(Cause.LENGTH, "Something follows the header.")
    return frame


def read_beginning(payloads: Sequence[bytes]) -> Start:
    """Read whose log it is and which game, without the slow check that the seed is that of the chain. Raises
    Refused."""
    frame, header = read_header(payloads)
    if payloads[0][:1] != ME:
        raise Refused(Cause.SHAPE, "This log doesn't say whose it is.")
    said = unpack(payloads[0][1:])
    if len(said) == 3 and not _is_numbering_mark(said.pop()):
        raise Refused(Cause.SHAPE, "This log doesn't say whether its notes are numbered.")
    side, seed = match(said, uint(15), blob_up_to(VALUE))
    if side > len(header.sides) or len(seed) not in (0, VALUE if side < len(header.sides) else 0):
        raise Refused(Cause.SHAPE, "The beginning of this log doesn't match its header.")
    return Start(side, seed, frame, header)


def _is_numbering_mark(said: object) -> bool:
    """True if a log's first payload says in a known way how its notes are numbered."""
    return said is True or (type(said) is int and said == SEALED)


def read_start(payloads: Sequence[bytes]) -> Start:
    """Like `read_beginning`, with the check that the seed is that of the chain, for going on with the game. Raises
    Refused."""
    start = read_beginning(payloads)
    if start.seed and chain_value(start.seed, 0) != start.header.sides[start.side].end:
        raise Refused(Cause.FAIRNESS, "The header gives this side a chain that doesn't come from the seed in this log.")
    return start


def has_left(payloads: Sequence[bytes]) -> bool:
    """True if this side has left the game for good, and has taken no record since."""
    kinds = [payload[:1] for payload in payloads]
    return next((kind for kind in reversed(kinds) if kind in (RECORD, LEFT)), RECORD) == LEFT


def count_drops(records: Iterable[bytes], side: int) -> int:
    """The number of times that another side than this one drops out of a shuffle in these records. Raises Refused."""
    newest, roll, count = dict[int, int](), set[int](), 0
    for record in records:
        if first_kind(record) not in _CALLS_OR_DROPS:
            continue
        _, (entry, *_) = read_record(record)
        drops = isinstance(entry, AbsentEntry) or (isinstance(entry, CheckEntry) and not entry.value)
        if isinstance(entry, OpeningEntry):
            roll = {one for one, number in newest.items() if number == entry.hand}
        elif isinstance(entry, AbsentEntry | CheckEntry) and drops and entry.side in roll:
            roll.remove(entry.side)
            count += entry.side != side
        elif isinstance(entry, CheckEntry) and entry.value:
            newest[entry.side] = entry.hand + 1
    return count


_CALLS_OR_DROPS = (EntryKind.OPENING, EntryKind.CHECK, EntryKind.ABSENT)


def is_succeeded(payloads: Sequence[bytes]) -> bool:
    """True if a log says that its game continues in a successor's log. Raises Refused."""
    return any(isinstance(read_note(payload), Succeeded) for payload in payloads if payload[:1] == NOTE)


def has_checked(payloads: Sequence[bytes]) -> bool:
    """True if the log says that this side has signed a check."""
    return any(payload[:1] == CHECKED for payload in payloads)


def no_such_payload() -> Refused:
    """The Refused for a payload of an unknown kind."""
    return Refused(Cause.SHAPE, "There is no payload of this kind here.")


# --- notes that are numbered and counted ------------------------------------------------------------------------------


class Numbering:
    """That of one log, as far as it has been read or written. numbered: whether it says so at its beginning; sealed:
    whether its counts are digests; notes: how many stand there."""

    def __init__(self) -> None:
        self.numbered = False
        self.sealed = False
        self.notes = 0
        self._closed = False
        self._last = b""
        self._seen = sha256(b"p2pcards payloads 1")

    @classmethod
    def of(cls, payloads: Iterable[bytes]) -> Numbering:
        """The numbering after these payloads, whether or not they hold."""
        numbering = cls()
        for payload in payloads:
            with suppress(Refused):
                numbering.add_payload(payload)
        return numbering

    def prepare_payload(self, payload: bytes) -> list[bytes]:
        """The payloads to write for this one: numbered, and preceded by a count where one is due. The first of a new
        log is marked as sealed. Preparing again what could not be written gives the same."""
        kind = payload[:1]
        if kind == ME and not self._last:
            return [ME + pack([*unpack(payload[1:])[:2], SEALED])]
        written = numbered_note(payload, self.notes) if kind == NOTE and self.numbered else payload
        return [COUNT + pack([self._count()]), written] if self._needs_count(payload) else [written]

    def add_payload(self, payload: bytes) -> None:
        """The next payload. Raises Refused where one was left out before it, doubled or moved."""
        kind = payload[:1]
        try:
            if kind == ME and not self._last:
                said = unpack(payload[1:])[2:]
                self.numbered, self.sealed = bool(said), said == [SEALED]
            elif kind == COUNT:
                self._take_count(payload)
            elif self._needs_count(payload) and self._last != COUNT:
                raise Refused(Cause.SHAPE, "The count of the entries before this one is missing.")
            elif kind == NOTE:
                self._take_number(note_number(payload))
        finally:
            self._seen.update(len(payload).to_bytes(4, "big") + payload)
            self._closed |= first_kind_of(payload) == EntryKind.CLOSE
            self._last = kind

    def _needs_count(self, payload: bytes) -> bool:
        """True if a count is written before this payload."""
        if not self.sealed:
            return self.numbered and first_kind_of(payload) == EntryKind.CLOSE
        return self._closed or first_kind_of(payload) in (EntryKind.OPENING, EntryKind.CLOSE)

    def _count(self) -> int | bytes:
        """The next count: a digest of all before it in a sealed log, else the number of notes."""
        return self._seen.digest() if self.sealed else self.notes

    def _take_number(self, number: int | None) -> None:
        """Check the number of a note that is read. Raises Refused."""
        if (number is not None) != self.numbered:
            raise Refused(Cause.SHAPE, "Some notes in this log are numbered and some aren't.")
        if number is not None:
            self._check_notes(number)
        self.notes += 1

    def _take_count(self, payload: bytes) -> None:
        """Check a count that is read against what came before it. Raises Refused."""
        if not self.numbered:
            raise no_such_payload()
        (count,) = match(unpack(payload[1:]), blob(sha256().digest_size) if self.sealed else uint())
        if not self.sealed:
            self._check_notes(count)
        elif count != self._count():
            raise Refused(Cause.SHAPE, "Something this log's owner wrote was left out, repeated or moved.")

    def _check_notes(self, number: int) -> None:
        """Raise Refused unless so many notes were read."""
        if number != self.notes:
            raise Refused(
                Cause.SHAPE,
                f"A note was left out of this log or repeated: {self.notes} come before this one, not {number}.",
            )


def first_kind_of(payload: bytes) -> int | None:
    """The kind of the first entry of a record payload; None for a payload that is no record."""
    return first_kind(payload[1:]) if payload[:1] == RECORD else None


def check_notes(payloads: Iterable[bytes]) -> None:
    """Raise Refused if a payload of this log was left out, doubled or moved."""
    numbering = Numbering()
    for payload in payloads:
        numbering.add_payload(payload)
