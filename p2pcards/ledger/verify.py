"""A log read as what it tells, and what it proves: pure functions of its payloads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import DEALER, PUBLIC, TRUTH, eye_of_seat, eyes_of_viewer, redact, slots_of
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.ledger.advance import (
    ONLY_MOVES,
    Replay,
    TrueStep,
    advance,
    check_move,
    deciders,
    replay_hand,
    signing_side,
)
from p2pcards.ledger.fair import chance_value_of, computer_seed, fits_chain
from p2pcards.ledger.payloads import (
    ADDRESS,
    CHECKED,
    COUNT,
    LEFT,
    NOTE,
    PENDING,
    RECORD,
    Note,
    Numbering,
    no_such_payload,
    read_address,
    read_header,
    read_note,
    read_start,
)
from p2pcards.ledger.position import Position, Step
from p2pcards.ledger.signed import has_part
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import CloseReason, Verdict
from p2pcards.wire.records import (
    CheckEntry,
    DealEntry,
    Entry,
    FaceUpEntry,
    Frame,
    Move,
    OpeningEntry,
    OutcomeEntry,
    RedealEntry,
    RestartEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
    read_record,
)

# --- a log read as what it tells --------------------------------------------------------------------------------------


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
    """The decision of a computer player in a hand that was opened."""

    record: int  # number of the record with its move
    seat: Seat
    level: str
    edition: int
    seed: int  # for the player's `Random`
    view: Any  # the state as the seat saw it
    action: Action


Repeat = Callable[[AnyGame, Sequence[Decision]], Mapping[int, Action]]
"""What computer players decide again, by the record; those that are left out were not tried."""


@dataclass(frozen=True, slots=True)
class OpenedHand:
    hand: int
    opening: int  # number of the record that opened it
    replay: Replay
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A log as read, after every check except those of the opened hands."""

    positions: tuple[Position, ...]  # before each record, and after the last one
    entries: tuple[Entry, ...]  # the first entry of each record
    frames: tuple[Frame, ...]  # the frame of each of these entries
    signers: tuple[int, ...]  # the side that signed each of these entries
    hands: tuple[OpenedHand, ...]  # those that were opened
    notes: tuple[Note, ...] = ()  # written by the side whose log this is; they prove nothing to others
    checked: bool = False  # the log holds a check signed by that side, even if no record contains it

    @property
    def end(self) -> Position:
        """The position after the last record."""
        return self.positions[-1]


@dataclass(frozen=True, slots=True)
class Moment:
    """A record of a game as one player sees it."""

    record: int
    hand: int  # the number of its hand; 0 before the first deal
    entry: Entry
    before: Position
    after: Position
    drawn: tuple[Card, ...] = ()  # with all cards open, those that only the acting seat was shown; otherwise ()


class NotOpened(ValueError):
    """Cards cannot be shown that nobody has opened, as a sentence."""


def read_transcript(payloads: Sequence[bytes]) -> Transcript:
    """Read a log with every check except those of the opened hands, whose replays are returned for the caller to judge.
    Raises FalseLog."""
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
            numbering.add_payload(payload)
            if payload[:1] != RECORD:
                check_payload_between_records(positions[-1], payload)
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
    hands = _opened_hands(positions, entries)
    return Transcript(tuple(positions), tuple(entries), tuple(frames), signers, hands, notes, checked)


def check_payload_between_records(position: Position, payload: bytes) -> None:
    """Check a payload that is no record: a pending move, a check, a note, an address. Raises Refused."""
    if payload[:1] == PENDING:
        record, entries = read_record(payload[1:])
        if len(entries) != 1 or record.faces is not None:
            raise Refused(Cause.SHAPE, ONLY_MOVES)
        check_move(position, record, entries[0])
    elif payload[:1] == CHECKED:
        record, entries = read_record(payload[1:])
        if not isinstance(entries[0], CheckEntry):
            raise Refused(Cause.SHAPE, "This is not a check.")
        advance(position, record, entries)
    elif payload[:1] == NOTE:
        read_note(payload)
    elif payload[:1] == ADDRESS:
        read_address(payload)
    elif payload != LEFT and payload[:1] != COUNT:  # the numbering has looked at that
        raise no_such_payload()


# --- hands that were opened -------------------------------------------------------------------------------------------


def _opened_hands(positions: Sequence[Position], entries: Sequence[Entry]) -> tuple[OpenedHand, ...]:
    """All hands that were opened, each with its replay and the computers' decisions."""
    hands = []
    for number, entry in enumerate(entries):
        if isinstance(entry, OpeningEntry):
            before = positions[number]
            good = fits_chain(entry.value, entry.hand, before.known[0])
            replay = _replay_opened(before, entry) if good else Replay(Verdict.WRONG_VALUE)
            hands.append(
                OpenedHand(entry.hand, number, replay, tuple(_computer_decisions(positions, entries, entry, replay)))
            )
    return tuple(hands)


def _replay_opened(before: Position, opening: OpeningEntry) -> Replay:
    """Replay an opened hand; also by the earlier rule of version 2, in which an absent side had no value in the
    pack."""
    replay = replay_hand(before, opening)
    if replay.verdict is Verdict.GOOD or before.header.version != 2 or not before.absent:
        return replay
    present = tuple([(side, value) for side, value in before.parts if side not in before.absent])
    earlier = replay_hand(before.changed(parts=present), opening)
    return earlier if earlier.verdict is Verdict.GOOD else replay


def _computer_decisions(
    positions: Sequence[Position], entries: Sequence[Entry], opening: OpeningEntry, replay: Replay
) -> list[Decision]:
    """The decisions of the computer players in an opened hand, up to where it went wrong."""
    found = []
    chance = chance_value_of(positions[0].header, opening.hand, opening.value)
    for one in replay.steps:
        position, entry = positions[one.record], entries[one.record]
        if isinstance(entry, Move) and position.is_computers(entry.seat):
            seat = entry.seat
            seed = computer_seed(chance, seat, one.record)
            player = position.header.seats[seat]
            view = redact(one.before, eyes_of_viewer(seat))
            found.append(Decision(one.record, seat, player.level, player.edition, seed, view, one.action))
    return found


# --- as somebody sees it ----------------------------------------------------------------------------------------------


def hand_of(transcript: Transcript, number: int) -> int:
    """The number of the hand to which record `number` belongs; 0 before the first deal."""
    after = transcript.positions[number + 1]
    return after.dealt if after.steps else after.opened


def moments(transcript: Transcript) -> tuple[Moment, ...]:
    """All records of a game as the side whose log it is saw them."""
    return tuple([_moment_of(transcript, number) for number in range(len(transcript.entries))])


def moments_as(transcript: Transcript, seat: Seat | None, hand: int) -> tuple[Moment, ...]:
    """A hand as a seat saw it, or (None) with all cards open. Raises NotOpened."""
    opened = next((one for one in transcript.hands if one.hand == hand), None)
    if opened is None:
        raise NotOpened(f"Hand {hand} wasn't opened, so the other hands stay hidden.")
    if opened.replay.verdict is not Verdict.GOOD:
        why = opened.replay.verdict.sentence
        raise NotOpened(f"Hand {hand} is false ({why}), so the other hands are unknown.")
    return tuple(_moments_seen_by(transcript, hand, opened.replay.steps, seat))


def _moment_of(transcript: Transcript, number: int) -> Moment:
    """The moment of record `number` (from 0) as the side whose log it is saw it."""
    before, after = transcript.positions[number : number + 2]
    return Moment(number, hand_of(transcript, number), transcript.entries[number], before, after)


def _moments_seen_by(
    transcript: Transcript, hand: int, steps: Sequence[TrueStep], seat: Seat | None
) -> Iterator[Moment]:
    """The moments of an opened hand as a seat saw it, or with all cards open for None."""
    eyes = TRUTH if seat is None else eyes_of_viewer(seat)
    true_steps = {one.record: one for one in steps}
    state = steps[0].before
    for moment in moments(transcript):
        true = true_steps.get(moment.record)
        taken_back = true is None and isinstance(moment.entry, Move | DealEntry | OutcomeEntry)
        if moment.hand != hand or taken_back:
            continue
        before = _position_seen_by(moment.before, state, eyes, seat)
        state = true.after if true else state
        after = _position_seen_by(moment.after, state, eyes, seat)
        drawn: tuple[Card, ...] = ()
        if true is not None and true.event is not None:
            step = moment.after.steps[-1]
            after = after.changed(steps=(_step_seen(step, true, before),))
            drawn = _cards_drawn(step, true) if seat is None else ()
        yield replace(moment, before=before, after=after, drawn=drawn)


def _position_seen_by(position: Position, state: Any, eyes: int, seat: Seat | None) -> Position:
    """The position with this state, redacted for these eyes."""
    return position.changed(side=ONLOOKER, seat=seat, eyes=eyes, state=redact(state, eyes))


def _step_seen(step: Step, true: TrueStep, before: Position) -> Step:
    """A step with the action and event as the eyes of `before` see them; the commitment of a hidden action is kept."""
    event = redact(true.event, before.eyes)
    if step.seat is None or not step.commitment:
        return replace(step, shown=event)
    if before.eyes & (DEALER | eye_of_seat(step.seat)):
        return replace(step, action=true.action, commitment=b"", shown=event)
    return replace(step, action=before.game.private[type(true.action)](before.state), shown=event)


def _cards_drawn(step: Step, true: TrueStep) -> tuple[Card, ...]:
    """The cards that an open action showed to its own seat alone."""
    if step.seat is None or step.commitment:
        return ()
    mine = eye_of_seat(step.seat)
    return tuple([slot.card for slot in slots_of(true.event) if slot.eyes & mine and not slot.eyes & PUBLIC])


# --- verification of a whole log --------------------------------------------------------------------------------------


__all__ = ["FalseLog", "Findings", "HandFinding", "first_fork", "sides_that_forked", "verify_log"]


@dataclass(frozen=True, slots=True)
class HandFinding:
    """A hand that was opened, as the check of a whole log found it."""

    hand: int
    verdict: Verdict  # of the replay
    fault: int | None  # number of the wrong record; None if no record is wrong, or the opening itself is
    claims: tuple[tuple[int, Verdict], ...]  # (side, verdict): the verdicts that the sides signed in their checks
    absent: tuple[int, ...]  # sides without a part in its shuffle
    own_part: bool  # the side whose log this is has a part in its shuffle
    missing: tuple[int, ...]  # listeners whose check of this hand is not in the log
    broken_off: bool  # it was opened before it was over
    decisions: int  # number of decisions by its computer players
    irreproducible: tuple[Decision, ...]  # those that came out differently when repeated
    untried: int  # number of those that were not repeated

    @property
    def proven(self) -> bool:
        """To the side whose log it is."""
        return self.verdict is Verdict.GOOD and self.own_part


@dataclass(frozen=True, slots=True)
class Redeal:
    """A hand that was given up to be dealt again."""

    hand: int
    side: int  # the one that asked
    agreed: tuple[int, ...]  # the other sides, all of which had to agree


@dataclass(frozen=True, slots=True)
class CourseChanges:
    """What changed the course of the hands apart from play."""

    redeals: tuple[Redeal, ...]
    taken_back: int  # number of UNDO entries
    restarted: int  # how often a solo player was dealt the same cards again
    exchanged: int  # how often a solo player exchanged hands
    face_up: int  # how often a solo player turned all hands face up


@dataclass(frozen=True, slots=True)
class Findings:
    """What the check of a whole log found."""

    transcript: Transcript
    finished: bool  # the log ends with the closing entry of a game that was won
    hands: tuple[HandFinding, ...]  # those that were opened
    takeovers: tuple[tuple[int, Seat], ...]  # (record, seat)
    unproven: int | None  # number of a hand that was dealt but never opened; None if there is none
    due: bool  # the unproven hand is over, so it should have been opened
    course: CourseChanges

    @property
    def position(self) -> Position:
        """The position after the last record."""
        return self.transcript.end

    @property
    def records(self) -> int:
        """The number of records."""
        return self.position.count

    @property
    def heads(self) -> tuple[bytes, ...]:
        """After the header and each record."""
        return tuple([one.head for one in self.transcript.positions])

    @property
    def honest(self) -> bool:
        """True if every opened hand is as it should be."""
        return all(hand.verdict is Verdict.GOOD for hand in self.hands)


def verify_log(payloads: Sequence[bytes], repeat: Repeat | None = None) -> Findings:
    """Signatures, chain, the legality of every action, own faces against the opened packs, the scores; with `repeat`
    also whether the computer players decide so again. Raises FalseLog."""
    transcript = read_transcript(payloads)
    position = transcript.end
    hands = _hand_findings(transcript, repeat)
    takeovers = [(number, one.seat) for number, one in enumerate(transcript.entries) if isinstance(one, TakeoverEntry)]
    unproven = position.dealt if position.steps else None
    due = position.phase is Phase.OPENING
    won = position.ended is CloseReason.WON
    return Findings(transcript, won, hands, tuple(takeovers), unproven, due, _course_changes(transcript))


def _course_changes(transcript: Transcript) -> CourseChanges:
    """Collect what changed the course of the game besides play: undos, redeals, swaps, hands turned up."""
    met = Counter(type(entry) for entry in transcript.entries)
    turned_up = sum(entry.up for entry in transcript.entries if isinstance(entry, FaceUpEntry))
    redeals = [
        Redeal(before.dealt, entry.side, tuple([side for side in deciders(before) if side != entry.side]))
        for before, entry in zip(transcript.positions, transcript.entries, strict=False)
        if isinstance(entry, RedealEntry)
    ]
    return CourseChanges(tuple(redeals), met[UndoEntry], met[RestartEntry], met[SwapEntry], turned_up)


def _hand_findings(transcript: Transcript, repeat: Repeat | None) -> tuple[HandFinding, ...]:
    """The finding for each opened hand. repeat: decides anew for computer players, to compare."""
    findings = []
    made_by_computers = [made for one in transcript.hands for made in one.decisions]
    again = repeat(transcript.end.game, made_by_computers) if repeat else {}
    for one in transcript.hands:
        after = transcript.positions[one.opening + 1]
        claims = _verdicts_claimed(transcript, one.opening)
        signed = {side for side, _ in claims}
        findings.append(
            HandFinding(
                one.hand,
                one.replay.verdict,
                one.replay.fault,
                claims,
                after.absent,
                has_part(after),
                tuple([side for side in range(1, len(after.header.sides)) if side not in signed]),
                after.broken_off,
                len(one.decisions),
                tuple([made for made in one.decisions if again.get(made.record, made.action) != made.action]),
                sum([made.record not in again for made in one.decisions]),
            )
        )
    return tuple(findings)


def _verdicts_claimed(transcript: Transcript, opening: int) -> tuple[tuple[int, Verdict], ...]:
    """(side, verdict) pairs from the checks that follow the opening in record number `opening`; the last one of a side
    counts."""
    until_deal = takewhile(lambda entry: not isinstance(entry, DealEntry), transcript.entries[opening:])
    said = {entry.side: entry.verdict for entry in until_deal if isinstance(entry, CheckEntry)}
    return tuple(said.items())


def first_fork(first: Findings, second: Findings) -> int | None:
    """The number (from 0) of the first record in which two logs of one game differ; None if one continues the other."""
    shared = zip(first.heads[1:], second.heads[1:], strict=False)
    return next((number for number, (one, other) in enumerate(shared) if one != other), None)


def sides_that_forked(first: Findings, second: Findings) -> tuple[int, ...]:
    """The sides that signed both of two histories which fork: different entries in each. The coordinator is among them
    once both go on."""
    place = first_fork(first, second)
    if place is None:
        return ()
    one, other = [
        dict(zip(found.transcript.frames[place:], found.transcript.signers[place:], strict=True))
        for found in (first, second)
    ]
    here = {one[frame] for frame in one.keys() - other.keys()}
    there = {other[frame] for frame in other.keys() - one.keys()}
    return tuple(sorted(here & there))
