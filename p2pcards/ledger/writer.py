"""A game as its coordinator runs it: every record is made here, checked, and kept for those who were away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce

from p2pcards.games.game import Action, Seat
from p2pcards.games.outcome import NO_OUTCOME
from p2pcards.ledger.advance import Due, advance, apply, check_entry, due
from p2pcards.ledger.fair import chain_value, chance_of, commitment, computer_seed, derived_salt, parts_of_deal
from p2pcards.ledger.payloads import RECORD, check_notes
from p2pcards.ledger.position import Position
from p2pcards.wire.keys import PrivateKey
from p2pcards.wire.messages import HEAD_SHOWN, RecordMessage, Taken, encode_message
from p2pcards.wire.packing import Cause, Refused, encode_action
from p2pcards.wire.reasons import CloseReason, TakeoverReason
from p2pcards.wire.records import (
    ENTRY_LABEL,
    FACES_LABEL,
    AbsentEntry,
    ActionEntry,
    CloseEntry,
    CommitEntry,
    ContinueEntry,
    DealEntry,
    Entry,
    FaceUpEntry,
    Frame,
    Move,
    Opened,
    OpeningEntry,
    OutcomeEntry,
    PauseEntry,
    Record,
    RedealEntry,
    RestartEntry,
    ReturnEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
    Yes,
    decode_opening,
    encode_entry,
    encode_faces,
    encode_opening,
    next_head,
    read_record,
    sign,
)


@dataclass(frozen=True)
class Logged:
    """A record in the coordinator's log."""

    record: Record
    entries: tuple[Entry, ...]
    faces: tuple[Frame | None, ...]  # by seat, with the cards that it alone is shown; None if there are none
    before: Position  # the position before the record
    found: Due | None  # the event, for a move, a deal or a show; None for any other entry
    made: Position | None  # the position after the record, if found is None; otherwise `after` makes it

    @cached_property
    def after(self) -> Position:
        """Of an event made when it is asked for, since a move is sent on before that; it cannot fail any more."""
        return self.made or apply(self.before, self.record, self.entries, self.found)

    @property
    def number(self) -> int:
        return self.before.count

    @property
    def public(self) -> Record:
        """The record as it is sent to those who have no seat."""
        return Record(self.record.frames)

    def for_side(self, side: int) -> Record:
        """The record as this side is sent it."""
        seat = self.before.header.seat_of(side)
        if seat is None or not (self.faces or self.record.opening):
            return self.public
        entry = self.entries[0]
        own = isinstance(entry, CommitEntry) and entry.seat == seat
        return Record(self.record.frames, self.faces[seat] if self.faces else None, self.record.opening if own else b"")

    def message_for(self, side: int | None) -> bytes:
        """side: None for somebody who looks on."""
        record = self.public if side is None else self.for_side(side)
        return encode_message(RecordMessage(self.number, bytes(record)))

    def answer_for(self, side: int) -> bytes:
        """The record as it is told to the side that sent its entry."""
        sent = self.for_side(side)
        rest = b"".join([bytes(frame) for frame in (*sent.frames[1:], sent.faces) if frame])
        return encode_message(Taken(self.number, self.after.head[:HEAD_SHOWN], rest))


class LedgerWriter:
    """The records of one game so far. Every method that adds one returns it, already checked; nothing is sent here."""

    def __init__(self, key: PrivateKey, frame: Frame, position: Position) -> None:
        self.key = key
        self.frame = frame
        self.first = position
        self.log: list[Logged] = []

    @classmethod
    def restored(cls, key: PrivateKey, frame: Frame, position: Position, payloads: Sequence[bytes]) -> LedgerWriter:
        """The game that a log tells. position: that of its beginning. Raises Refused."""
        writer = cls(key, frame, position)
        check_notes(payloads)
        for payload in payloads:
            if payload[:1] == RECORD:
                writer.restore(payload[1:])
        return writer

    @property
    def position(self) -> Position:
        return self.log[-1].after if self.log else self.first

    def head_at(self, count: int) -> bytes:
        """The head after so many records (0 to the present count)."""
        return self.log[count - 1].after.head if count else self.first.head

    # --- records of others --------------------------------------------------------------------------------------------

    def add_sent(self, record: Record, entries: tuple[Entry, ...]) -> Logged:
        """A move or check that a listener sent, with the outcome that it has. Raises Refused."""
        self._check_sent(record, entries)
        return self._add(record, entries[0])

    def check(self, record: Record, entries: tuple[Entry, ...]) -> None:
        """What `take` checks, nothing changed. Raises Refused."""
        self._check_sent(record, entries)
        if isinstance(entries[0], Move):
            due(self.position, entries[0], record)

    def _check_sent(self, record: Record, entries: tuple[Entry, ...]) -> None:
        if len(entries) != 1 or record.faces is not None:
            raise Refused(Cause.SHAPE, "A listener sends one entry at a time.")
        check_entry(self.position, record, entries[0])

    def restore(self, data: bytes) -> Logged:
        """A record that stood in this log before."""
        record, entries = read_record(data)
        position, entry = self.position, entries[0]
        made = advance(position, record, entries)
        found = None
        if isinstance(entry, ActionEntry | CommitEntry | DealEntry | OutcomeEntry):
            found = due(position, entry, record)
        return self._keep(record, entries, found, made)

    def was_taken(self, frame: Frame) -> bool:
        """Whether exactly this entry stands in the log already."""
        return any(frame == logged.record.frames[0] for logged in reversed(self.log))

    # --- records of the coordinator -----------------------------------------------------------------------------------

    def move(self, seat: Seat, action: Action) -> Logged:
        """An action of a seat that the coordinator plays: their own, a computer player's, or one taken over."""
        position = self.position
        number, fields = encode_action(position.game, action)
        base = position.open_base if position.simultaneous else position.count
        if type(action) not in position.game.private:
            return self._sign(ActionEntry(base, seat, number, fields))
        salt = derived_salt(self.value(), seat, base)
        entry = CommitEntry(base, seat, number, commitment(salt, number, fields))
        return self._sign(entry, encode_opening(salt, number, fields))

    def deal(self) -> Logged:
        position = self.position
        _, absent = parts_of_deal(position)
        hand = position.next_hand()
        bare = DealEntry(position.count, hand, absent, NO_OUTCOME)
        found = due(position, bare, Record(()))
        return self._sign(replace(bare, outcome=found.outcome), found=found)

    def show(self) -> Logged:
        found = due(self.position, OutcomeEntry(NO_OUTCOME), Record(()))
        return self._sign(OutcomeEntry(found.outcome), found=found)

    def open_hand(self) -> Logged:
        position = self.position
        hand = position.dealt
        openings = []
        for step in position.steps:
            if step.commitment:
                assert step.seat is not None
                salt, number, fields = decode_opening(self.log[step.record].record.opening)
                derived = salt == derived_salt(self.value(), step.seat, step.base)
                openings.append(Opened(step.record, b"" if derived else salt, number, fields))
        return self._sign(OpeningEntry(position.count, hand, self.value(), tuple(openings)))

    def takeover(self, seat: Seat, reason: TakeoverReason) -> Logged:
        return self._sign(TakeoverEntry(self.position.count, seat, reason))

    def give_back(self, seat: Seat) -> Logged:
        return self._sign(ReturnEntry(self.position.count, seat))

    def absent(self, side: int) -> Logged:
        """Raises Refused unless the next deal waits for this side."""
        return self._sign(AbsentEntry(self.position.count, side))

    def pause(self) -> Logged:
        return self._sign(PauseEntry(self.position.count))

    def go_on(self) -> Logged:
        return self._sign(ContinueEntry(self.position.count))

    def undo(self, yeses: tuple[Yes, ...] = ()) -> Logged:
        """yeses: of those whom `voters` names. Raises Refused where there is nothing to take back."""
        return self._sign(UndoEntry(self.position.count, yeses))

    def redeal(self, side: int, yeses: tuple[Yes, ...] = ()) -> Logged:
        """side: who asked; yeses: of those whom `voters` names."""
        return self._sign(RedealEntry(self.position.count, side, yeses))

    def restart(self) -> Logged:
        return self._sign(RestartEntry(self.position.count))

    def swap(self, seat: Seat) -> Logged:
        """Raises Refused where hands cannot be exchanged."""
        return self._sign(SwapEntry(self.position.count, seat))

    def turn_hands(self, up: bool) -> Logged:
        return self._sign(FaceUpEntry(self.position.count, up))

    def close(self, reason: CloseReason) -> Logged:
        return self._sign(CloseEntry(self.position.count, reason))

    def value(self) -> bytes:
        """The coordinator's chain value for the hand being played."""
        return chain_value(self.position.seed, self.position.dealt)

    def thinking_seed(self, seat: Seat) -> int:
        """For the decision of a computer player that is due now."""
        position = self.position
        return computer_seed(chance_of(position.header, position.dealt, self.value()), seat, position.count)

    # --- private ------------------------------------------------------------------------------------------------------

    def _sign(self, entry: Entry, opening: bytes = b"", found: Due | None = None) -> Logged:
        position = self.position
        concurrent = position.simultaneous and isinstance(entry, Move)
        head = position.open_head if concurrent else position.head
        frame = sign(self.key, ENTRY_LABEL, head, encode_entry(entry))
        return self._add(Record((frame,), None, opening), entry, found)

    def _add(self, record: Record, entry: Entry, found: Due | None = None) -> Logged:
        """A checked entry, with the outcome that it has if it is a move."""
        position = self.position
        entries: tuple[Entry, ...] = (entry,)
        if isinstance(entry, Move):
            found = due(position, entry, record)
            if found.outcome:
                head = next_head(position.head, record.frames[0])
                entries = (entry, OutcomeEntry(found.outcome))
                frame = sign(self.key, ENTRY_LABEL, head, encode_entry(entries[1]))
                record = Record((*record.frames, frame), None, record.opening)
        return self._keep(record, entries, found, None if found else apply(position, record, entries))

    def _keep(self, record: Record, entries: tuple[Entry, ...], found: Due | None, made: Position | None) -> Logged:
        """In the log, with the faces that belong to it."""
        position = self.position
        frames: tuple[Frame | None, ...] = ()
        if found and any(found.faces):
            head = reduce(next_head, record.frames, position.head)
            frames = tuple(
                [
                    sign(self.key, FACES_LABEL, head + bytes((seat,)), encode_faces(cards)) if cards else None
                    for seat, cards in enumerate(found.faces)
                ]
            )
        logged = Logged(record, entries, frames, position, found, made)
        self.log.append(logged)
        return logged
