"""A game as a listener follows it: what came is checked, what is due from this side is signed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from p2pcards.games.game import Action, IllegalAction
from p2pcards.games.naming import verify_nameable
from p2pcards.ledger.advance import ONLY_MOVES, advance
from p2pcards.ledger.branches import bases_after_check, bases_after_record
from p2pcards.ledger.fair import CHAIN, chain_value, commitment, is_needed
from p2pcards.ledger.payloads import (
    CHECKED,
    COUNT,
    LEFT,
    NOTE,
    PENDING,
    RECORD,
    Note,
    PlaysOn,
    Start,
    Succeeded,
    check_notes,
    no_such_payload,
    read_note,
    read_start,
)
from p2pcards.ledger.position import Position, RecordList, begin
from p2pcards.ledger.signed import Use, may_use_log
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.keys import PrivateKey
from p2pcards.wire.packing import Cause, Refused, decode_action, encode_action
from p2pcards.wire.records import (
    ENTRY_LABEL,
    SALT,
    YES_LABEL,
    AbsentEntry,
    ActionEntry,
    Agreed,
    CheckEntry,
    CommitEntry,
    DealEntry,
    Entry,
    Frame,
    Move,
    OpeningEntry,
    Record,
    Yes,
    agreed_body,
    decode_opening,
    encode_entry,
    encode_opening,
    read_record,
    sign,
)


@dataclass(frozen=True, slots=True)
class Pending:
    """A move that this side has signed and saved, but that is not in the log yet."""

    record: Record
    entry: Move
    action: Action
    state: Any  # this side's view when it chose the move


@dataclass(frozen=True, slots=True)
class Received:
    """A record that a listener accepted."""

    record: Record  # as it is written to the log
    entries: tuple[Entry, ...]
    before: Position
    after: Position

    @property
    def drops(self) -> int | None:
        """The side that this record drops from the next shuffle, None if it drops none."""
        entry = self.entries[0]
        if isinstance(entry, AbsentEntry | CheckEntry) and self.after.recalled > self.before.recalled:
            return entry.side
        return None


class LedgerFollower:
    """One game at a listener. kept_check: the last check that stands in the log as signed, whether or not it was taken;
    left: this side has left it for good; told: the coordinator knows of that. left_out: how many records call this side
    absent though its check was signed; unanswered: the number of the last of them, until its player agrees to play on.
    dropped: how often each side dropped out of a shuffle; asks_about: the number of the last record by which another
    pack came, or one without this side, until its player agrees or this side signs anything. bases: the positions
    from which a successor may continue the game, the latest last. succeeded: one has, so nothing is signed here.
    """

    def __init__(self, key: PrivateKey, start: Start, before: Position | None = None) -> None:
        """before: as in `begin`."""
        self.key = key
        self.start = start
        self.position = begin(start.frame, start.header, start.side, start.seed, before)
        self.records = RecordList[Record]()
        self.pending: Pending | None = None
        self.kept_check = b""
        self.left = False
        self.told = False
        self.left_out = 0
        self.unanswered: int | None = None
        self.dropped: Counter[int] = Counter()
        self.asks_about: int | None = None
        self.bases = [self.position]
        self.succeeded = False
        self._called = self.position.roll  # the roll as it was called last

    def call(self, names: tuple[str, ...]) -> None:
        """Set the names that the sides have at this end."""
        self.position = self.position.changed(names=names)

    @classmethod
    def restored(cls, key: PrivateKey, payloads: Sequence[bytes]) -> LedgerFollower:
        """The game as a log has it. Raises Refused."""
        follower = cls(key, read_start(payloads))
        check_notes(payloads)
        for payload in payloads[2:]:
            if payload[:1] == RECORD:
                follower.receive_record(payload[1:])
            elif payload[:1] == PENDING:
                record, entries = read_record(payload[1:])
                follower.remember_pending(record, entries[0])
            elif payload[:1] == CHECKED:
                follower.keep_check(payload[1:])
            elif payload[:1] == NOTE:
                follower.remember_note(read_note(payload))
            elif payload[:1] == COUNT:
                pass
            elif payload == LEFT:
                follower.leave(told=follower.left)
            else:
                raise no_such_payload()
        return follower

    def receive_record(self, data: bytes) -> Received:
        """Check and keep a record from the coordinator or from the log. Raises Refused, nothing changed."""
        return self._take_records([data])[0]

    def take_after_check(self, data: bytes) -> list[Received]:
        """Check and keep a record, together with this side's own check, which the coordinator logged just before it.
        Raises Refused, nothing changed."""
        return self._take_records([bytes(self.check()), data])

    def take_own(self, head: bytes, rest: bytes) -> Received | None:
        """Keep the record of the pending move, of which the coordinator sends only what is new. head: the first bytes
        of the head after it; rest: what follows the move's entry in it. None if it must be another record. Raises
        Refused, nothing changed."""
        if self.pending is None or not self.is_current():
            return None
        record, entries = read_record(bytes(self.pending.record.frames[0]) + rest)
        if record.opening:
            raise Refused(Cause.SHAPE, "The other side sent our own opening value back.")
        received = self._check_record(self.position, record, entries)
        if not received.after.head.startswith(head):
            return None
        return self._keep_received([received])[0]

    def _take_records(self, records: Sequence[bytes]) -> list[Received]:
        """Check these records one after the other, then keep all. Raises Refused, nothing changed."""
        received: list[Received] = []
        position = self.position
        for data in records:
            received.append(self._check_record(position, *read_record(data)))
            position = received[-1].after
        return self._keep_received(received)

    def _check_record(self, position: Position, record: Record, entries: tuple[Entry, ...]) -> Received:
        """Check a record against this position; nothing is kept. Raises Refused."""
        record = self._with_opening(record, entries[0])
        return Received(record, entries, position, advance(position, record, entries))

    def _keep_received(self, received: list[Received]) -> list[Received]:
        """Make checked records part of this game's log and position."""
        for one in received:
            self._look_for_drops(one)
            self.bases = bases_after_record(self.bases, one.after)
        self.position = received[-1].after
        self.records += [one.record for one in received]
        self.left = self.told = False
        if self.pending and self.pending.record.frames == received[-1].record.frames[:1]:
            self.pending = None
        return received

    def _look_for_drops(self, received: Received) -> None:
        """Count the sides that a record drops from the shuffle, and note where that was unjust or needs the player's
        word."""
        before, entry, mine = received.before, received.entries[0], self.position.side
        if (side := received.drops) is not None:
            self.dropped[side] += 1
            if side == mine and isinstance(entry, AbsentEntry) and self.kept_check_of(before.open_base):
                self.left_out, self.unanswered = self.left_out + 1, before.count
            elif side != mine or isinstance(entry, AbsentEntry):
                self.asks_about = before.count
        elif isinstance(entry, OpeningEntry):
            self._called = received.after.roll
        elif isinstance(entry, DealEntry) and self._is_away_from(before):
            self.asks_about = before.count
        elif self._has_signed(entry, before):
            self._note_answer(entry.base)

    def _note_answer(self, base: int) -> None:
        """Note that this side has signed something on this base, which answers whether its player plays on."""
        if self.asks_about is not None and base > self.asks_about:
            self.asks_about = None

    def _is_away_from(self, checks: Position) -> bool:
        """True if this side was not on the last roll and has not checked since."""
        mine = self.position.side
        return checks.has_roll and checks.phase is Phase.CHECKS and mine not in self._called | checks.checked

    def _has_signed(self, entry: Entry, before: Position) -> TypeGuard[Move | CheckEntry]:
        """True if this side has signed this move or check."""
        if isinstance(entry, CheckEntry):
            return entry.side == self.position.side
        return isinstance(entry, Move) and before.signer(entry.seat) == self.position.side

    def remember_note(self, note: Note) -> None:
        """Take a note of the log into account: a PlaysOn settles an open question."""
        if note == PlaysOn(-1 if self.unanswered is None else self.unanswered):
            self.unanswered = None
        if note == PlaysOn(-1 if self.asks_about is None else self.asks_about):
            self.asks_about = None
        if isinstance(note, Succeeded):
            self.succeeded = True

    def remember_pending(self, record: Record, entry: Entry) -> None:
        """Restore a move that was signed before this log was closed, but perhaps never sent."""
        if isinstance(entry, ActionEntry):
            action = decode_action(self.position.game, entry.action, entry.fields)
        elif isinstance(entry, CommitEntry):
            _, number, fields = decode_opening(record.opening)
            action = decode_action(self.position.game, number, fields)
        else:
            raise Refused(Cause.SHAPE, ONLY_MOVES)
        try:
            verify_nameable(self.position.game, self.position.state, action)
        except IllegalAction as error:
            raise Refused(Cause.RULES, str(error)) from error
        self.pending = Pending(record, entry, action, self.position.state)

    def _with_opening(self, record: Record, entry: Entry) -> Record:
        """The record with the opening of the private action in it, if the action is the pending one of this side."""
        mine = self.pending and self.pending.record.frames == record.frames[:1]
        if mine and self.pending and isinstance(entry, CommitEntry):
            return Record(record.frames, record.faces, self.pending.record.opening)
        return record

    def owes_move(self) -> bool:
        """True if this side's seat owes an action that this side may sign."""
        position, seat = self.position, self.position.seat
        if position.phase is not Phase.PLAY or seat is None or self.succeeded:
            return False
        mine = seat in position.state.to_act and position.signer(seat) == position.side
        return mine and may_use_log(Use.PLAY, position)

    def owes_check(self) -> bool:
        """True if this side's check of the opened hand is due."""
        position = self.position
        due = position.phase is Phase.CHECKS and position.side not in position.checked and not self.succeeded
        return due and (self._gives or (position.has_roll and not is_needed(position, position.side)))

    @property
    def has_checked(self) -> bool:
        """True if this side has signed a check, and so given a value of its chain."""
        return bool(self.kept_check) or self.position.known[self.position.side][0] > 0

    @property
    def _gives(self) -> bool:
        """True if this side's chain has a value for the next pack."""
        return bool(self.position.seed) and self.position.dealt < CHAIN

    def check(self) -> Record:
        """Sign the check that is due: it agrees to the header, or has the verdict of the replay."""
        position = self.position
        hand = position.dealt
        value = chain_value(position.seed, hand + 1) if self._gives else b""
        return Record((self._sign(CheckEntry(position.open_base, position.side, hand, position.finding, value)),))

    def keep_check(self, check: bytes) -> bool:
        """Keep a check that is about to be sent; returns True if it is new and must be logged first."""
        new, self.kept_check = check != self.kept_check, check
        _, (entry, *_) = read_record(check)
        if isinstance(entry, CheckEntry):
            self._note_answer(entry.base)
            self.bases = bases_after_check(self.bases, self.position.opened)
        return new

    def kept_check_of(self, base: int) -> bool:
        """True if the check signed last builds on this base."""
        entry = read_record(self.kept_check)[1][0] if self.kept_check else None
        return isinstance(entry, CheckEntry) and entry.base == base

    def move(self, action: Action, salt: bytes) -> Record:
        """A signed move of my seat, which is pending from now on. salt: SALT random bytes."""
        position = self.position
        assert position.seat is not None and len(salt) == SALT
        number, fields = encode_action(position.game, action)
        base = position.open_base if position.simultaneous else position.count
        entry: Move = ActionEntry(base, position.seat, number, fields)
        opening = b""
        if type(action) in position.game.private:
            entry = CommitEntry(base, position.seat, number, commitment(salt, number, fields))
            opening = encode_opening(salt, number, fields)
        record = Record((self._sign(entry),), None, opening)
        self.pending = Pending(record, entry, action, position.state)
        self._note_answer(base)
        return record

    def give_up_pending(self) -> None:
        """Forget the pending move: it is no longer meant."""
        self.pending = None

    def leave(self, told: bool) -> None:
        """This side has left the game for good, until it takes another record. told: the coordinator knows of it."""
        self.left, self.told = True, told

    def is_current(self) -> bool:
        """True if the pending move builds on the base that is due now."""
        position, pending = self.position, self.pending
        due = position.open_base if position.simultaneous else position.count
        return pending is not None and self.owes_move() and pending.entry.base == due

    def still_meant(self) -> bool:
        """True if the pending move answers the decision that is open now, perhaps on another base."""
        pending = self.pending
        return self.is_current() or (pending is not None and self.owes_move() and pending.state == self.position.state)

    def yes(self, entry: Agreed) -> Yes:
        """Sign this side's agreement to an entry."""
        frame = sign(self.key, YES_LABEL, self.position.head, agreed_body(entry))
        return Yes(self.position.side, frame.signature)

    def _sign(self, entry: Move | CheckEntry) -> Frame:
        """Sign an entry on the base that is due."""
        position = self.position
        head = position.open_head if position.simultaneous else position.head
        return sign(self.key, ENTRY_LABEL, head, encode_entry(entry))
