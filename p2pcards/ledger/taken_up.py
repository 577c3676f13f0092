"""An earlier hand of a game alone, taken up as a game of its own: the hands before it stand in a new log as they were
played, then it is dealt and played again, as after a `restart`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from p2pcards.ledger.advance import action_of
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.payloads import (
    NOTE,
    RECORD,
    Numbering,
    PlayedByComputer,
    note_payload,
    read_note,
    read_start,
    start_payloads,
)
from p2pcards.ledger.position import begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.wire.keys import PrivateKey
from p2pcards.wire.records import (
    HEADER_LABEL,
    VALUE,
    VERSION,
    ActionEntry,
    CommitEntry,
    ContinueEntry,
    DealEntry,
    FaceUpEntry,
    Header,
    OpeningEntry,
    OutcomeEntry,
    PauseEntry,
    RedealEntry,
    RestartEntry,
    ReturnEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
    encode_header,
    sign,
)

NONCE = 16
"""Bytes that tell the headers of two games apart."""


class NotTakenUp(Exception):
    """Why a hand cannot be taken up, as a sentence."""


def take_up_hand(key: PrivateKey, log: Sequence[bytes], hand: int, entropy: Callable[[int], bytes]) -> list[bytes]:
    """The payloads of a new game alone that begins with hand number `hand` (from 1) of an old one, dealt from the same
    cards. log: the payloads of the old game. Raises NotTakenUp, and Refused for a log that does not hold."""
    start = read_start(log)
    _check_alone(start.header)
    old = LedgerWriter.restored(key, start.frame, start.position, log)
    count = _records_before_hand(old, hand)
    seed = entropy(VALUE)
    (side,) = start.header.sides
    header = replace(
        start.header,
        sides=(replace(side, end=chain_value(seed, 0)),),
        nonce=entropy(NONCE),
        previous=old.position.head,
        version=VERSION,
    )
    frame = sign(key, HEADER_LABEL, b"", encode_header(header))
    new = LedgerWriter(key, frame, begin(frame, header, 0, seed))
    for logged in old.log[:count]:
        _repeat_record(new, logged)
    while new.position.phase is not Phase.PLAY:
        new.deal()
    new.restart()
    numbering, written = Numbering(), list[bytes]()
    for payload in (*start_payloads(0, seed, frame), *_computer_notes(log, count), *_record_payloads(new)):
        for dressed in numbering.prepare_payload(payload):
            numbering.add_payload(dressed)
            written.append(dressed)
    return written


# --- private ----------------------------------------------------------------------------------------------------------


def _check_alone(header: Header) -> None:
    """Raise NotTakenUp unless the hand was played alone and can be dealt again."""
    if len(header.sides) > 1:
        raise NotTakenUp("You can't start from a hand with friends: everyone shuffled its cards, for that game only.")
    if header.deal is None:
        raise NotTakenUp(
            "You can't start from this hand: its deal has no number. Solo games have had one since p2pcards 0.3.0."
        )


def _records_before_hand(old: LedgerWriter, hand: int) -> int:
    """The number of records before the hand was dealt for the last time. Raises NotTakenUp."""
    dealt = {
        logged.before.state.hand + 1: number
        for number, logged in enumerate(old.log)
        if isinstance(logged.entries[0], DealEntry) and logged.before.phase is Phase.CHECKS
    }
    if hand not in dealt:
        there = f"it has hands 1 to {max(dealt)}" if dealt else "none was dealt yet"
        raise NotTakenUp(f"There's no hand {hand} in this game: {there}.")
    return dealt[hand]


def _repeat_record(new: LedgerWriter, logged: Logged) -> None:
    """Write one record of the old log again, signed anew, in the new log."""
    match logged.entries[0]:
        case ActionEntry() | CommitEntry() as entry:
            new.move(entry.seat, action_of(logged.before, logged.record, entry))
        case DealEntry():
            new.deal()
        case OutcomeEntry():
            new.show()
        case OpeningEntry():
            new.open_hand()
        case TakeoverEntry(_, seat, reason):
            new.takeover(seat, reason)
        case ReturnEntry(_, seat):
            new.give_back(seat)
        case PauseEntry():
            new.pause()
        case ContinueEntry():
            new.resume()
        case UndoEntry():
            new.undo()
        case RedealEntry():
            new.redeal(0)
        case RestartEntry():
            new.restart()
        case SwapEntry(_, seat):
            new.swap(seat)
        case FaceUpEntry(_, up):
            new.turn_hands(up)
        case entry:
            raise AssertionError(f"{entry.kind.name} stands before no hand of a game alone")


def _computer_notes(log: Sequence[bytes], count: int) -> list[bytes]:
    """The notes, about the first `count` records of a log, that a computer player has played for its player."""
    notes = [read_note(payload) for payload in log if payload[:1] == NOTE]
    return [note_payload(one) for one in notes if isinstance(one, PlayedByComputer) and one.record < count]


def _record_payloads(new: LedgerWriter) -> list[bytes]:
    """All records of a new game as payloads."""
    return [RECORD + bytes(logged.record) for logged in new.log]
