"""Moves and checks that listeners send: what is wrong with them, whether they have to wait, and their records."""

from __future__ import annotations

from enum import Enum, auto

from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.wire.entries import CheckEntry, Entry, Move
from p2pcards.wire.messages import RefusedMove
from p2pcards.wire.reasons import RefusalCode
from p2pcards.wire.record import Record, read_record
from p2pcards.wire.refused import Cause, Refused


class Untaken(Enum):
    """What becomes of a move that is neither taken nor refused."""

    DEFERRED = auto()
    REPEATED = auto()  # its author has the record, or it is on the way


class Intake:
    """deferred: by side the moves that wait for the coordinator's own choice, or until logs are complete."""

    def __init__(self, writer: LedgerWriter) -> None:
        self.deferred: dict[int, bytes] = {}
        self._writer = writer

    def take(self, side: int, data: bytes, awaiting_logs: bool) -> Logged | RefusedMove | Untaken:
        """The record of a move, now in the log, or why there is none. Raises Refused when the side broke the
        protocol."""
        record, entries = read_record(data)
        entry = self._check_author(side, entries[0])
        try:
            if awaiting_logs or (self.mine_first() and not isinstance(entry, CheckEntry)):
                self._writer.check(record, entries)
                self.deferred[side] = data
                return Untaken.DEFERRED
            return self._writer.take(record, entries)
        except Refused as refusal:
            return self._refuse(record, entry.base, refusal)

    def take_deferred(self) -> dict[int, bytes]:
        """The moves that need not wait any more."""
        if self.mine_first():
            return {}
        deferred, self.deferred = self.deferred, {}
        return deferred

    def mine_first(self) -> bool:
        """Whether a seat of the coordinator's must choose before this side may see what the others chose."""
        position = self._writer.position
        choosing = position.phase is Phase.PLAY and position.simultaneous
        return choosing and any(position.signer(seat) == 0 for seat in position.state.to_act)

    def _check_author(self, side: int, entry: Entry) -> Move | CheckEntry:
        if isinstance(entry, CheckEntry):
            if entry.side != side:
                raise Refused(Cause.SEAT, "A check came for another side.")
            return entry
        if not isinstance(entry, Move):
            raise Refused(Cause.SHAPE, "A listener sends moves and checks only.")
        if self._writer.position.header.seat_of(side) != entry.seat:
            raise Refused(Cause.SEAT, "A move came for another seat.")
        return entry

    def _refuse(self, record: Record, base: int, refusal: Refused) -> RefusedMove | Untaken:
        if self._writer.was_taken(record.frames[0]):
            return Untaken.REPEATED
        match refusal.cause:
            case Cause.BASE | Cause.SEAT | Cause.SIGNATURE if base < self._writer.position.count:
                return RefusedMove(base, RefusalCode.LATE, str(refusal))
            case Cause.RULES | Cause.FAIRNESS | Cause.BASE:
                rules = refusal.cause is Cause.RULES
                code = RefusalCode.AGAINST_THE_RULES if rules else RefusalCode.LATE
                return RefusedMove(base, code, str(refusal)[:200])
            case _:
                raise refusal
