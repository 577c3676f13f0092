"""Entries of the chain, and the faces beside it, to and from their bodies; protocol/records.md has the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

from p2pcards.cards.card import Card, is_card
from p2pcards.games.outcome import Outcome
from p2pcards.wire.frame import SIGNATURE
from p2pcards.wire.packing import (
    array,
    blob,
    blob_or_none,
    blob_up_to,
    boolean,
    cards_from,
    match,
    member,
    pack,
    raw_field,
    row,
    uint,
    unpack,
)
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict
from p2pcards.wire.refused import Cause, Refused

VALUE = 24  # bytes of a chain value
COMMITMENT = 20
SALT = 10


class EntryKind(IntEnum):
    """The first element of a body."""

    ACTION = 0
    COMMIT = 1
    OUTCOME = 2
    DEAL = 3
    TAKEOVER = 4
    RETURN = 5
    OPENING = 6
    CHECK = 7
    CLOSE = 8
    FACES = 9
    PAUSE = 10
    CONTINUE = 11
    UNDO = 12
    REDEAL = 13
    RESTART = 14
    SWAP = 15
    FACE_UP = 16
    ABSENT = 17


FIRST_VERSION = {kind: 2 for kind in EntryKind if kind >= EntryKind.PAUSE}
"""The version of the protocol that brought an entry, where it was not the first."""


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """An open action of a seat; action and fields as `encode_action` gives them."""

    kind: ClassVar[EntryKind] = EntryKind.ACTION

    base: int
    seat: int
    action: int
    fields: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class CommitEntry:
    """A private action of a seat, of which only the class and a commitment are seen."""

    kind: ClassVar[EntryKind] = EntryKind.COMMIT

    base: int
    seat: int
    action: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class OutcomeEntry:
    """What everybody learns of an action; alone, a SHOW event."""

    kind: ClassVar[EntryKind] = EntryKind.OUTCOME

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class DealEntry:
    """absent: the sides that gave no part of the shuffle."""

    kind: ClassVar[EntryKind] = EntryKind.DEAL

    base: int
    hand: int
    absent: tuple[int, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class TakeoverEntry:
    kind: ClassVar[EntryKind] = EntryKind.TAKEOVER

    base: int
    seat: int
    reason: TakeoverReason


@dataclass(frozen=True, slots=True)
class ReturnEntry:
    kind: ClassVar[EntryKind] = EntryKind.RETURN

    base: int
    seat: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A private action made known. record: the number of its COMMIT; an empty salt is the coordinator's derived one."""

    record: int
    salt: bytes
    action: int
    fields: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class OpeningEntry:
    kind: ClassVar[EntryKind] = EntryKind.OPENING

    base: int
    hand: int
    value: bytes
    openings: tuple[Opened, ...]


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """value: the side's chain value for the next hand, empty where it has none to give."""

    kind: ClassVar[EntryKind] = EntryKind.CHECK

    base: int
    side: int
    hand: int
    verdict: Verdict
    value: bytes


@dataclass(frozen=True, slots=True)
class CloseEntry:
    kind: ClassVar[EntryKind] = EntryKind.CLOSE

    base: int
    reason: CloseReason


@dataclass(frozen=True, slots=True)
class PauseEntry:
    """No person is here who could act: nothing is played until the CONTINUE."""

    kind: ClassVar[EntryKind] = EntryKind.PAUSE

    base: int


@dataclass(frozen=True, slots=True)
class ContinueEntry:
    kind: ClassVar[EntryKind] = EntryKind.CONTINUE

    base: int


@dataclass(frozen=True, slots=True)
class Yes:
    """A side agrees to an entry: its signature over the entry without any yes."""

    side: int
    signature: bytes


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """The last event of the hand is taken back."""

    kind: ClassVar[EntryKind] = EntryKind.UNDO

    base: int
    yeses: tuple[Yes, ...] = ()


@dataclass(frozen=True, slots=True)
class RedealEntry:
    """The hand is given up: once it is opened, it is dealt again from new values. side: who asked for it."""

    kind: ClassVar[EntryKind] = EntryKind.REDEAL

    base: int
    side: int
    yeses: tuple[Yes, ...] = ()


@dataclass(frozen=True, slots=True)
class RestartEntry:
    """The same cards are dealt again."""

    kind: ClassVar[EntryKind] = EntryKind.RESTART

    base: int


@dataclass(frozen=True, slots=True)
class SwapEntry:
    """The person who plays alone and this seat exchange the cards in their hands."""

    kind: ClassVar[EntryKind] = EntryKind.SWAP

    base: int
    seat: int


@dataclass(frozen=True, slots=True)
class FaceUpEntry:
    """The person who plays alone sees everybody's hand from now on, or no longer."""

    kind: ClassVar[EntryKind] = EntryKind.FACE_UP

    base: int
    up: bool


@dataclass(frozen=True, slots=True)
class AbsentEntry:
    """This side gives nothing to the next pack, and whoever has given something gives other values."""

    kind: ClassVar[EntryKind] = EntryKind.ABSENT

    base: int
    side: int


Move = ActionEntry | CommitEntry
AboutTheTable = TakeoverEntry | ReturnEntry | PauseEntry | ContinueEntry | AbsentEntry
Agreed = UndoEntry | RedealEntry
Learning = RestartEntry | SwapEntry | FaceUpEntry
Entry = Move | OutcomeEntry | DealEntry | AboutTheTable | Agreed | Learning | OpeningEntry | CheckEntry | CloseEntry


def encode_entry(entry: Entry) -> bytes:
    match entry:
        case ActionEntry(base, seat, action, values):
            return pack([EntryKind.ACTION, base, seat, action, *values])
        case CommitEntry(base, seat, action, commitment):
            return pack([EntryKind.COMMIT, base, seat, action, commitment])
        case OutcomeEntry(outcome):
            return pack([EntryKind.OUTCOME, *_outcome_bins(outcome)])
        case DealEntry(base, hand, absent, outcome):
            return pack([EntryKind.DEAL, base, hand, bytes(absent), *_outcome_bins(outcome)])
        case TakeoverEntry(base, seat, reason):
            return pack([EntryKind.TAKEOVER, base, seat, reason])
        case ReturnEntry(base, seat):
            return pack([EntryKind.RETURN, base, seat])
        case OpeningEntry(base, hand, value, openings):
            rows = [[opened.record, opened.salt, opened.action, *opened.fields] for opened in openings]
            return pack([EntryKind.OPENING, base, hand, value, rows])
        case CheckEntry(base, side, hand, verdict, value):
            return pack([EntryKind.CHECK, base, side, hand, verdict, value])
        case CloseEntry(base, reason):
            return pack([EntryKind.CLOSE, base, reason])
        case PauseEntry(base) | ContinueEntry(base) | RestartEntry(base):
            return pack([entry.kind, base])
        case UndoEntry() | RedealEntry():
            return pack([*_agreed(entry), [[yes.side, yes.signature] for yes in entry.yeses]])
        case SwapEntry(base, seat):
            return pack([EntryKind.SWAP, base, seat])
        case FaceUpEntry(base, up):
            return pack([EntryKind.FACE_UP, base, up])
        case AbsentEntry(base, side):
            return pack([EntryKind.ABSENT, base, side])


def agreed_body(entry: Agreed) -> bytes:
    """What a yes signs: the body of the entry without the yeses."""
    return pack(_agreed(entry))


def _agreed(entry: Agreed) -> list[int]:
    return [entry.kind, entry.base] if isinstance(entry, UndoEntry) else [entry.kind, entry.base, entry.side]


def decode_entry(body: bytes) -> Entry:
    """Raises Refused."""
    values = unpack(body)
    kind = values[0] if values else None
    if type(kind) is not int or kind not in _DECODERS:
        raise Refused(Cause.SHAPE, "There is no entry of this kind.")
    return _DECODERS[kind](values[1:])


def encode_faces(faces: tuple[Card, ...]) -> bytes:
    return pack([EntryKind.FACES, bytes(faces)])


def decode_faces(body: bytes) -> tuple[Card, ...]:
    """Raises Refused."""
    kind, data = match(unpack(body), uint(255), blob_up_to(255))
    if kind != EntryKind.FACES or not data:
        raise Refused(Cause.SHAPE, "These are not faces.")
    return cards_from(data)


def encode_opening(salt: bytes, action: int, values: tuple[Any, ...]) -> bytes:
    """The opening of one commitment, as it stands in a record."""
    return pack([salt, action, *values])


def decode_opening(data: bytes) -> tuple[bytes, int, tuple[Any, ...]]:
    """salt, action, fields. Raises Refused."""
    values = unpack(data)
    salt, action = match(values[:2], blob_or_none(SALT), _ACTION)
    return salt, action, tuple([raw_field(value) for value in values[2:]])


def _outcome_bins(outcome: Outcome) -> list[bytes]:
    return [
        bytes([byte for pair in outcome.cards for byte in pair]),
        bytes([byte for pair in outcome.values for byte in pair]),
    ]


def _pairs(data: bytes) -> list[tuple[int, int]]:
    pairs = list(zip(data[::2], data[1::2], strict=False))
    places = [place for place, _ in pairs]
    if len(data) % 2 or places != sorted(set(places)):
        raise Refused(Cause.SHAPE, "Pairs of an outcome are not in order.")
    return pairs


def _outcome(cards: bytes, seats: bytes) -> Outcome:
    shown = _pairs(cards)
    if not all(is_card(byte) for _, byte in shown):
        raise Refused(Cause.SHAPE, "A byte of an outcome is not a card.")
    return Outcome(tuple([(place, Card(byte)) for place, byte in shown]), tuple(_pairs(seats)))


def _yeses(value: Any) -> tuple[Yes, ...]:
    yeses = array(row(Yes, uint(15), blob(SIGNATURE)), 3)(value)
    sides = [yes.side for yes in yeses]
    if sides != sorted(set(sides)):
        raise Refused(Cause.SHAPE, "The sides that say yes are not in order.")
    return yeses


_BASE = uint()
_SEAT = uint(3)
_ACTION = uint(63)
_BIN = blob_up_to(510)


def _decode_action(values: list[Any]) -> Entry:
    base, seat, action = match(values[:3], _BASE, _SEAT, _ACTION)
    return ActionEntry(base, seat, action, tuple([raw_field(value) for value in values[3:]]))


def _decode_deal(values: list[Any]) -> Entry:
    base, hand, absent, cards, seats = match(values, _BASE, uint(low=1), blob_up_to(3), _BIN, _BIN)
    if list(absent) != sorted(set(absent)):
        raise Refused(Cause.SHAPE, "The absent sides are not in order.")
    return DealEntry(base, hand, tuple(absent), _outcome(cards, seats))


def _opened(value: Any) -> Opened:
    if type(value) is not list:
        raise Refused(Cause.SHAPE, "An opening should be an array.")
    record, salt, action = match(value[:3], _BASE, blob_or_none(SALT), _ACTION)
    return Opened(record, salt, action, tuple([raw_field(element) for element in value[3:]]))


_DECODERS: dict[int, Callable[[list[Any]], Entry]] = {
    EntryKind.ACTION: _decode_action,
    EntryKind.COMMIT: lambda values: CommitEntry(*match(values, _BASE, _SEAT, _ACTION, blob(COMMITMENT))),
    EntryKind.OUTCOME: lambda values: OutcomeEntry(_outcome(*match(values, _BIN, _BIN))),
    EntryKind.DEAL: _decode_deal,
    EntryKind.TAKEOVER: lambda values: TakeoverEntry(*match(values, _BASE, _SEAT, member(TakeoverReason))),
    EntryKind.RETURN: lambda values: ReturnEntry(*match(values, _BASE, _SEAT)),
    EntryKind.OPENING: lambda values: OpeningEntry(*match(values, _BASE, uint(low=1), blob(VALUE), array(_opened, 64))),
    EntryKind.CHECK: lambda values: CheckEntry(
        *match(values, _BASE, uint(15), uint(), member(Verdict), blob_or_none(VALUE))
    ),
    EntryKind.CLOSE: lambda values: CloseEntry(*match(values, _BASE, member(CloseReason))),
    EntryKind.PAUSE: lambda values: PauseEntry(*match(values, _BASE)),
    EntryKind.CONTINUE: lambda values: ContinueEntry(*match(values, _BASE)),
    EntryKind.UNDO: lambda values: UndoEntry(*match(values, _BASE, _yeses)),
    EntryKind.REDEAL: lambda values: RedealEntry(*match(values, _BASE, uint(15), _yeses)),
    EntryKind.RESTART: lambda values: RestartEntry(*match(values, _BASE)),
    EntryKind.SWAP: lambda values: SwapEntry(*match(values, _BASE, _SEAT)),
    EntryKind.FACE_UP: lambda values: FaceUpEntry(*match(values, _BASE, boolean)),
    EntryKind.ABSENT: lambda values: AbsentEntry(*match(values, _BASE, uint(15))),
}
