"""A game as its coordinator runs it: every record is made here, checked, and kept for those who were away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce

from p2pcards.games.game import Action, Seat
from p2pcards.games.outcome import NO_OUTCOME
from p2pcards.ledger.advance import Due, advance, apply, check_entry, due
from p2pcards.ledger.branches import is_base
from p2pcards.ledger.fair import chain_value, chance_value_of, commitment, computer_seed, derived_salt, parts_of_deal
from p2pcards.ledger.payloads import RECORD, check_notes
from p2pcards.ledger.position import Position, RecordList
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
        """The position after the record; after an event made on demand, since the move is sent on first."""
        return self.made or apply(self.before, self.record, self.entries, self.found)

    @property
    def number(self) -> int:
        """The number of the record, from 0."""
        return self.before.count

    @property
    def public(self) -> Record:
        """The record as those without a seat are sent it."""
        return Record(self.record.frames)

    def for_side(self, side: int) -> Record:
        """The record as this side is sent it, with its own faces only."""
        seat = self.before.header.seat_of(side)
        if seat is None or not (self.faces or self.record.opening):
            return self.public
        entry = self.entries[0]
        own = isinstance(entry, CommitEntry) and entry.seat == seat
        return Record(self.record.frames, self.faces[seat] if self.faces else None, self.record.opening if own else b"")

    def message_for(self, side: int | None) -> bytes:
        """The RECORD message for a side, or for a watcher if None."""
        record = self.public if side is None else self.for_side(side)
        return encode_message(RecordMessage(self.number, bytes(record)))

    def answer_for(self, side: int) -> bytes:
        """The message that tells the side which sent this entry that it was logged."""
        sent = self.for_side(side)
        rest = b"".join([bytes(frame) for frame in (*sent.frames[1:], sent.faces) if frame])
        return encode_message(Taken(self.number, self.after.head[:HEAD_SHOWN], rest))


class LedgerWriter:
    """The records of one game so far. Every method that adds one returns it, already checked; nothing is sent here."""

    def __init__(self, key: PrivateKey, frame: Frame, position: Position) -> None:
        self.key = key
        self.frame = frame
        self.first = position
        self.log = RecordList[Logged]()

    @property
    def base(self) -> Position:
        """The latest position from which a successor may continue the game."""
        return next((one.after for one in reversed(self.log) if is_base(one.after)), self.first)

    @classmethod
    def restored(cls, key: PrivateKey, frame: Frame, position: Position, payloads: Sequence[bytes]) -> LedgerWriter:
        """The game as a log has it. position: that after the header. Raises Refused."""
        writer = cls(key, frame, position)
        check_notes(payloads)
        for payload in payloads:
            if payload[:1] == RECORD:
                writer.restore(payload[1:])
        return writer

    @property
    def position(self) -> Position:
        """The position after the last record."""
        return self.log[-1].after if self.log else self.first

    def head_at(self, count: int) -> bytes:
        """The head after so many records (0 to the present count)."""
        return self.log[count - 1].after.head if count else self.first.head

    # --- records of others --------------------------------------------------------------------------------------------

    def add_sent(self, record: Record, entries: tuple[Entry, ...]) -> Logged:
        """Log a move or check that a listener sent, with its outcome. Raises Refused."""
        self._check_sent(record, entries)
        return self._add_entry(record, entries[0])

    def check(self, record: Record, entries: tuple[Entry, ...]) -> None:
        """Raise Refused for an entry that `add_sent` would refuse; nothing is logged."""
        self._check_sent(record, entries)
        if isinstance(entries[0], Move):
            due(self.position, entries[0], record)

    def _check_sent(self, record: Record, entries: tuple[Entry, ...]) -> None:
        """Raise Refused unless a listener may send this entry now."""
        if len(entries) != 1 or record.faces is not None:
            raise Refused(Cause.SHAPE, "A listener sends one entry at a time.")
        check_entry(self.position, record, entries[0])

    def restore(self, data: bytes) -> Logged:
        """Take over a record that stood in this log before."""
        record, entries = read_record(data)
        position, entry = self.position, entries[0]
        made = advance(position, record, entries)
        found = None
        if isinstance(entry, ActionEntry | CommitEntry | DealEntry | OutcomeEntry):
            found = due(position, entry, record)
        return self._keep_record(record, entries, found, made)

    def was_taken(self, frame: Frame) -> bool:
        """True if exactly this entry is in the log already."""
        return any(frame == logged.record.frames[0] for logged in reversed(self.log))

    # --- records of the coordinator -----------------------------------------------------------------------------------

    def move(self, seat: Seat, action: Action) -> Logged:
        """Sign and log an action of a seat that the coordinator plays: their own, a computer's, or one taken over."""
        position = self.position
        number, fields = encode_action(position.game, action)
        base = position.open_base if position.simultaneous else position.count
        if type(action) not in position.game.private:
            return self._sign(ActionEntry(base, seat, number, fields))
        salt = derived_salt(self.hand_value(), seat, base)
        entry = CommitEntry(base, seat, number, commitment(salt, number, fields))
        return self._sign(entry, encode_opening(salt, number, fields))

    def deal(self) -> Logged:
        """Sign and log the next deal. Raises Refused while a value is awaited."""
        position = self.position
        _, absent = parts_of_deal(position)
        hand = position.next_hand()
        bare = DealEntry(position.count, hand, absent, NO_OUTCOME)
        found = due(position, bare, Record(()))
        return self._sign(replace(bare, outcome=found.outcome), found=found)

    def show(self) -> Logged:
        """Sign and log the card that the dealer turns up."""
        found = due(self.position, OutcomeEntry(NO_OUTCOME), Record(()))
        return self._sign(OutcomeEntry(found.outcome), found=found)

    def open_hand(self) -> Logged:
        """Sign and log the OPENING of the hand: its chain value and the salts of private actions."""
        position = self.position
        hand = position.dealt
        openings = []
        for step in position.steps:
            if step.commitment:
                assert step.seat is not None
                salt, number, fields = decode_opening(self.log[step.record].record.opening)
                derived = salt == derived_salt(self.hand_value(), step.seat, step.base)
                openings.append(Opened(step.record, b"" if derived else salt, number, fields))
        return self._sign(OpeningEntry(position.count, hand, self.hand_value(), tuple(openings)))

    def takeover(self, seat: Seat, reason: TakeoverReason) -> Logged:
        """Sign and log that a character plays a seat from now on."""
        return self._sign(TakeoverEntry(self.position.count, seat, reason))

    def give_back(self, seat: Seat) -> Logged:
        """Sign and log that a player has their seat back from the character."""
        return self._sign(ReturnEntry(self.position.count, seat))

    def absent(self, side: int) -> Logged:
        """Sign and log that a side gives no value to the next pack. Raises Refused unless the deal waits for it."""
        return self._sign(AbsentEntry(self.position.count, side))

    def pause(self) -> Logged:
        """Sign and log a PAUSE: nobody is here to play."""
        return self._sign(PauseEntry(self.position.count))

    def resume(self) -> Logged:
        """Sign and log the CONTINUE after a PAUSE."""
        return self._sign(ContinueEntry(self.position.count))

    def undo(self, yeses: tuple[Yes, ...] = ()) -> Logged:
        """Sign and log an UNDO. yeses: of all `voters`. Raises Refused where there is nothing to take back."""
        return self._sign(UndoEntry(self.position.count, yeses))

    def redeal(self, side: int, yeses: tuple[Yes, ...] = ()) -> Logged:
        """Sign and log a REDEAL. side: who asked; yeses: of all `voters`."""
        return self._sign(RedealEntry(self.position.count, side, yeses))

    def restart(self) -> Logged:
        """Sign and log that the same hand is dealt again. Raises Refused unless the player is alone."""
        return self._sign(RestartEntry(self.position.count))

    def swap(self, seat: Seat) -> Logged:
        """Sign and log that the player alone swaps hands with a seat. Raises Refused where that is impossible."""
        return self._sign(SwapEntry(self.position.count, seat))

    def turn_hands(self, up: bool) -> Logged:
        """Sign and log that all hands are shown face up, or no longer. Raises Refused unless the player is alone."""
        return self._sign(FaceUpEntry(self.position.count, up))

    def close(self, reason: CloseReason) -> Logged:
        """Sign and log the end of the game."""
        return self._sign(CloseEntry(self.position.count, reason))

    def hand_value(self) -> bytes:
        """The coordinator's chain value for the hand being played, which is secret until the hand is opened."""
        return chain_value(self.position.seed, self.position.dealt)

    def thinking_seed(self, seat: Seat) -> int:
        """The seed for the decision that a computer player owes now in this seat."""
        position = self.position
        return computer_seed(chance_value_of(position.header, position.dealt, self.hand_value()), seat, position.count)

    # --- private ------------------------------------------------------------------------------------------------------

    def _sign(self, entry: Entry, opening: bytes = b"", found: Due | None = None) -> Logged:
        """Sign an entry and log it. opening: that of a private action; found: what `due` returned, if known."""
        position = self.position
        concurrent = position.simultaneous and isinstance(entry, Move)
        head = position.open_head if concurrent else position.head
        frame = sign(self.key, ENTRY_LABEL, head, encode_entry(entry))
        return self._add_entry(Record((frame,), None, opening), entry, found)

    def _add_entry(self, record: Record, entry: Entry, found: Due | None = None) -> Logged:
        """Check an entry, work out and sign the outcome if it is a move, and log it."""
        position = self.position
        entries: tuple[Entry, ...] = (entry,)
        if isinstance(entry, Move):
            found = due(position, entry, record)
            if found.outcome:
                head = next_head(position.head, record.frames[0])
                entries = (entry, OutcomeEntry(found.outcome))
                frame = sign(self.key, ENTRY_LABEL, head, encode_entry(entries[1]))
                record = Record((*record.frames, frame), None, record.opening)
        return self._keep_record(record, entries, found, None if found else apply(position, record, entries))

    def _keep_record(
        self, record: Record, entries: tuple[Entry, ...], found: Due | None, made: Position | None
    ) -> Logged:
        """Append a checked record to the log, with signed faces for each seat that learns some."""
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
