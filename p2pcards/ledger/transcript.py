"""A log read as what it tells: every position, the hands that were opened as they truly were, and what the computer
players decided; for whoever verifies, replays or exports it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import DEALER, PUBLIC, TRUTH, eye, redact, slots_of, viewer
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.ledger.advance import advance
from p2pcards.ledger.checking import signing_side
from p2pcards.ledger.events import check_move
from p2pcards.ledger.fair import chance_of, computer_seed, fits
from p2pcards.ledger.numbering import Numbering
from p2pcards.ledger.payloads import (
    ADDRESS,
    CHECKED,
    COUNT,
    LEFT,
    NOTE,
    PENDING,
    RECORD,
    Note,
    no_such_payload,
    read_address,
    read_count,
    read_header,
    read_note,
    read_start,
)
from p2pcards.ledger.position import Position, Step
from p2pcards.ledger.replay import Replay, TrueStep, replay_hand
from p2pcards.wire.entries import CheckEntry, DealEntry, Entry, Move, OpeningEntry, OutcomeEntry
from p2pcards.wire.frame import Frame
from p2pcards.wire.reasons import Verdict
from p2pcards.wire.record import read_record
from p2pcards.wire.refused import Cause, Refused

ONLOOKER = 15
"""A side that no header has."""


class FalseLog(Exception):
    """A log that does not prove itself. payload: the place of the payload that is refused; records: how many stood
    before it."""

    def __init__(self, payload: int, records: int, refusal: Refused) -> None:
        super().__init__(str(refusal))
        self.payload = payload
        self.records = records
        self.cause = refusal.cause


@dataclass(frozen=True, slots=True)
class Decision:
    """What a computer player decided in a hand that was opened. seed: the number for its `Random`; view: the state as
    the seat saw it."""

    record: int
    seat: Seat
    level: str
    edition: int
    seed: int
    view: Any
    action: Action


Repeat = Callable[[AnyGame, Sequence[Decision]], Mapping[int, Action]]
"""What computer players decide again, by the record; those that are left out were not tried."""


@dataclass(frozen=True, slots=True)
class OpenedHand:
    """opening: the number of the record that opened it."""

    hand: int
    opening: int
    replay: Replay
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """positions: before each record, and after the last one. entries, frames: of each record the entry, and its frame;
    signers: the sides that signed them. notes: of the side whose log it is, which prove nothing to others. checked: it
    holds a check of that side, signed, which need not stand in a record."""

    positions: tuple[Position, ...]
    entries: tuple[Entry, ...]
    frames: tuple[Frame, ...]
    signers: tuple[int, ...]
    hands: tuple[OpenedHand, ...]
    notes: tuple[Note, ...] = ()
    checked: bool = False

    @property
    def end(self) -> Position:
        return self.positions[-1]


@dataclass(frozen=True, slots=True)
class Moment:
    """A record as somebody sees it. hand: in which it belongs, 0 before the first deal. drawn: cards that the seat
    alone was shown, where all cards are seen."""

    record: int
    hand: int
    entry: Entry
    before: Position
    after: Position
    drawn: tuple[Card, ...] = ()


class NotOpened(ValueError):
    """Cards cannot be shown that nobody has opened, as a sentence."""


def read_transcript(payloads: Sequence[bytes]) -> Transcript:
    """Every check that a log can be put to but for those of the opened hands, whose replays say what is wrong. Raises
    FalseLog."""
    positions: list[Position] = []
    entries: list[Entry] = []
    frames: list[Frame] = []
    place = 1  # the header is signed; what stands before it must fit it
    try:
        read_header(payloads)
        place = 0
        start = read_start(payloads)
        place = 1
        positions.append(start.position)
        numbering = Numbering.of(payloads[:2])
        for place, payload in enumerate(payloads[2:], 2):  # noqa: B007 - names what was refused
            numbering.take(payload)
            if payload[:1] != RECORD:
                check_aside(positions[-1], payload)
                continue
            record, found = read_record(payload[1:])
            positions.append(advance(positions[-1], record, found))
            entries.append(found[0])
            frames.append(record.frames[0])
    except Refused as refusal:
        raise FalseLog(place, max(len(positions) - 1, 0), refusal) from refusal
    signers = tuple([signing_side(position, entry) for position, entry in zip(positions, entries, strict=False)])
    notes = tuple([read_note(payload) for payload in payloads if payload[:1] == NOTE])
    checks = [read_record(payload[1:])[1][0] for payload in payloads if payload[:1] == CHECKED]
    checked = any(isinstance(one, CheckEntry) and one.side == start.side for one in checks)
    hands = _opened(positions, entries)
    return Transcript(tuple(positions), tuple(entries), tuple(frames), signers, hands, notes, checked)


def check_aside(position: Position, payload: bytes) -> None:
    """What stands in a log between the records. Raises Refused."""
    if payload[:1] == PENDING:
        record, entries = read_record(payload[1:])
        if len(entries) != 1 or record.faces is not None:
            raise Refused(Cause.SHAPE, "Only a move can be pending.")
        check_move(position, record, entries[0])
    elif payload[:1] == CHECKED:
        record, entries = read_record(payload[1:])
        if not isinstance(entries[0], CheckEntry):
            raise Refused(Cause.SHAPE, "This is not a check.")
        advance(position, record, entries)
    elif payload[:1] == NOTE:
        read_note(payload)
    elif payload[:1] == COUNT:
        read_count(payload)
    elif payload[:1] == ADDRESS:
        read_address(payload)
    elif payload != LEFT:
        raise no_such_payload()


# --- hands that were opened -------------------------------------------------------------------------------------------


def _opened(positions: Sequence[Position], entries: Sequence[Entry]) -> tuple[OpenedHand, ...]:
    hands = []
    for number, entry in enumerate(entries):
        if isinstance(entry, OpeningEntry):
            before = positions[number]
            good = fits(entry.value, entry.hand, before.known[0])
            replay = replay_hand(before, entry) if good else Replay(Verdict.WRONG_VALUE)
            hands.append(OpenedHand(entry.hand, number, replay, tuple(_decisions(positions, entries, entry, replay))))
    return tuple(hands)


def _decisions(
    positions: Sequence[Position], entries: Sequence[Entry], opening: OpeningEntry, replay: Replay
) -> list[Decision]:
    """What the computer players decided, as far as the hand was true."""
    found = []
    chance = chance_of(positions[0].header, opening.hand, opening.value)
    for one in replay.steps:
        position, entry = positions[one.record], entries[one.record]
        if isinstance(entry, Move) and is_computers(position, entry.seat):
            seat = entry.seat
            seed = computer_seed(chance, seat, one.record)
            player = position.header.seats[seat]
            view = redact(one.before, viewer(seat))
            found.append(Decision(one.record, seat, player.level, player.edition, seed, view, one.action))
    return found


def is_computers(position: Position, seat: Seat) -> bool:
    """Whether the seat is nobody's, or its player's character has it."""
    return position.header.seats[seat].side is None or seat in position.substituted


# --- as somebody sees it ----------------------------------------------------------------------------------------------


def hand_of(transcript: Transcript, number: int) -> int:
    """The hand that a record belongs to; 0 before the first deal."""
    after = transcript.positions[number + 1]
    return after.dealt if after.steps else after.opened


def moments(transcript: Transcript) -> tuple[Moment, ...]:
    """The game as whose log it is saw it."""
    return tuple([_moment(transcript, number) for number in range(len(transcript.entries))])


def moments_as(transcript: Transcript, seat: Seat | None, hand: int) -> tuple[Moment, ...]:
    """A hand as a seat saw it, or (None) with all cards open. Raises NotOpened."""
    opened = next((one for one in transcript.hands if one.hand == hand), None)
    if opened is None:
        raise NotOpened(f"Hand {hand} was not opened, so nobody may see the cards of others.")
    if opened.replay.verdict is not Verdict.GOOD:
        why = opened.replay.verdict.sentence
        raise NotOpened(f"Hand {hand} is false ({why}), so nobody can say what the cards of others were.")
    return tuple(_as_seen(transcript, hand, opened.replay.steps, seat))


def _moment(transcript: Transcript, number: int) -> Moment:
    before, after = transcript.positions[number : number + 2]
    return Moment(number, hand_of(transcript, number), transcript.entries[number], before, after)


def _as_seen(transcript: Transcript, hand: int, steps: Sequence[TrueStep], seat: Seat | None) -> Iterator[Moment]:
    eyes = TRUTH if seat is None else viewer(seat)
    true_steps = {one.record: one for one in steps}
    state = steps[0].before
    for moment in moments(transcript):
        true = true_steps.get(moment.record)
        taken_back = true is None and isinstance(moment.entry, Move | DealEntry | OutcomeEntry)
        if moment.hand != hand or taken_back:
            continue
        before = _seen(moment.before, state, eyes, seat)
        state = true.after if true else state
        after = _seen(moment.after, state, eyes, seat)
        drawn: tuple[Card, ...] = ()
        if true is not None and true.event is not None:
            step = moment.after.steps[-1]
            after = after.changed(steps=(_step_seen(step, true, before),))
            drawn = _drawn(step, true) if seat is None else ()
        yield replace(moment, before=before, after=after, drawn=drawn)


def _seen(position: Position, state: Any, eyes: int, seat: Seat | None) -> Position:
    return position.changed(side=ONLOOKER, seat=seat, eyes=eyes, state=redact(state, eyes))


def _step_seen(step: Step, true: TrueStep, before: Position) -> Step:
    """A step with the action and the event as somebody sees them; a commitment is left where they do not."""
    event = redact(true.event, before.eyes)
    if step.seat is None or not step.commitment:
        return replace(step, shown=event)
    if before.eyes & (DEALER | eye(step.seat)):
        return replace(step, action=true.action, commitment=b"", shown=event)
    return replace(step, action=before.game.private[type(true.action)](before.state), shown=event)


def _drawn(step: Step, true: TrueStep) -> tuple[Card, ...]:
    """The cards of an open action that its seat alone was shown."""
    if step.seat is None or step.commitment:
        return ()
    mine = eye(step.seat)
    return tuple([slot.card for slot in slots_of(true.event) if slot.eyes & mine and not slot.eyes & PUBLIC])
