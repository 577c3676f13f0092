"""Whether an entry may stand at the end of a log, and is signed by whom it must be: the first checks of a record, in
the order of protocol/records.md."""

from __future__ import annotations

from p2pcards.ledger.course import check_yeses
from p2pcards.ledger.fullness import LAST, is_full
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import may_follow
from p2pcards.wire.actions import decode_action
from p2pcards.wire.entries import (
    FIRST_VERSION,
    ActionEntry,
    CheckEntry,
    CommitEntry,
    Entry,
    Move,
    OutcomeEntry,
    RedealEntry,
    ReturnEntry,
    TakeoverEntry,
    UndoEntry,
)
from p2pcards.wire.frame import ENTRY_LABEL, check_signature, next_head
from p2pcards.wire.record import Record
from p2pcards.wire.refused import Cause, Refused


def check_entry(position: Position, record: Record, entry: Entry) -> None:
    """Whether the entry may stand here and is signed by whom it must be. Raises Refused."""
    if FIRST_VERSION.get(entry.kind, 1) > position.header.version:
        raise Refused(Cause.SHAPE, f"Version {position.header.version} has no {entry.kind.name}.")
    if isinstance(entry, ActionEntry):
        decode_action(position.game, entry.action, entry.fields)
    _check_base(position, entry)
    _check_signatures(position, record, entry)
    if not may_follow(position.phase, entry.kind):
        raise Refused(Cause.RULES, f"{entry.kind.name} cannot follow here ({position.phase}).")
    if is_full(position) and entry.kind not in LAST:
        raise Refused(Cause.RULES, f"The log is full: {entry.kind.name} cannot follow, the game can only end.")
    if isinstance(entry, UndoEntry | RedealEntry):
        check_yeses(position, entry)


def _is_concurrent(position: Position, entry: Entry) -> bool:
    return position.simultaneous and isinstance(entry, ActionEntry | CommitEntry | CheckEntry)


def _check_base(position: Position, entry: Entry) -> None:
    if isinstance(entry, OutcomeEntry):
        return
    due = position.open_base if _is_concurrent(position, entry) else position.count
    if entry.base != due:
        raise Refused(Cause.BASE, f"{entry.kind.name} builds on record {entry.base}, but {due} is due.")


def signing_side(position: Position, entry: Entry) -> int:
    """The side that must have signed an entry. Raises Refused for a seat or side that does not exist."""
    if isinstance(entry, CheckEntry):
        if not 0 < entry.side < len(position.header.sides):
            raise Refused(Cause.SEAT, f"There is no listener {entry.side}.")
        return entry.side
    if not isinstance(entry, ActionEntry | CommitEntry | TakeoverEntry | ReturnEntry):
        return 0
    if entry.seat >= len(position.header.seats):
        raise Refused(Cause.SEAT, f"There is no seat {entry.seat}.")
    return position.signer(entry.seat) if isinstance(entry, Move) else 0


def _check_signatures(position: Position, record: Record, entry: Entry) -> None:
    head = position.open_head if _is_concurrent(position, entry) else position.head
    sides = position.header.sides
    check_signature(sides[signing_side(position, entry)].key, ENTRY_LABEL, head, record.frames[0])
    if len(record.frames) == 2:
        after_action = next_head(position.head, record.frames[0])
        check_signature(sides[0].key, ENTRY_LABEL, after_action, record.frames[1])
