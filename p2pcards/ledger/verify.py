"""Verification of a whole log: what it proves, as a pure function of its payloads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from p2pcards.games.game import Seat
from p2pcards.ledger.course import deciders
from p2pcards.ledger.position import Position
from p2pcards.ledger.signed import has_part
from p2pcards.ledger.transcript import Decision, FalseLog, Repeat, Transcript, read_transcript
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.entries import (
    CheckEntry,
    DealEntry,
    FaceUpEntry,
    RedealEntry,
    RestartEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
)
from p2pcards.wire.reasons import CloseReason, Verdict

__all__ = ["FalseLog", "Findings", "HandFinding", "fork", "forkers", "verify_log"]


@dataclass(frozen=True, slots=True)
class HandFinding:
    """A hand that was opened. verdict: found by the replay; fault: the record that is wrong, None
    where it is the opening itself, or nothing; claims: what the sides said (side, verdict); absent: sides without a
    part in its shuffle; own_part: the side whose log it is has one; missing: sides that did not sign its closing head;
    broken_off: it was opened before it was over.

    decisions: of its computer players; irreproducible: those of them that did not come out again; untried: how many
    were not repeated.
    """

    hand: int
    verdict: Verdict
    fault: int | None
    claims: tuple[tuple[int, Verdict], ...]
    absent: tuple[int, ...]
    own_part: bool
    missing: tuple[int, ...]
    broken_off: bool
    decisions: int
    irreproducible: tuple[Decision, ...]
    untried: int

    @property
    def proven(self) -> bool:
        """To the side whose log it is."""
        return self.verdict is Verdict.GOOD and self.own_part


@dataclass(frozen=True, slots=True)
class Redeal:
    """A hand that was given up to be dealt again. side: who asked; agreed: the others who had to, and did."""

    hand: int
    side: int
    agreed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CourseChanges:
    """What changed the course of hands otherwise than by play. taken_back: how many actions were; restarted, exchanged,
    face_up: how often somebody who is alone was dealt the same cards again, exchanged hands, and looked at all of them.
    """

    redeals: tuple[Redeal, ...]
    taken_back: int
    restarted: int
    exchanged: int
    face_up: int


@dataclass(frozen=True, slots=True)
class Findings:
    """finished: the log ends with the closing entry of a game that was won. takeovers: (record, seat). unproven: the
    number of a hand that was dealt but never opened, or None; due: whether that hand is over, so that it should be.
    """

    transcript: Transcript
    finished: bool
    hands: tuple[HandFinding, ...]
    takeovers: tuple[tuple[int, Seat], ...]
    unproven: int | None
    due: bool
    course: CourseChanges

    @property
    def position(self) -> Position:
        return self.transcript.end

    @property
    def records(self) -> int:
        return self.position.count

    @property
    def heads(self) -> tuple[bytes, ...]:
        """After the header and each record."""
        return tuple([one.head for one in self.transcript.positions])

    @property
    def honest(self) -> bool:
        return all(hand.verdict is Verdict.GOOD for hand in self.hands)


def verify_log(payloads: Sequence[bytes], repeat: Repeat | None = None) -> Findings:
    """Signatures, chain, the legality of every action, own faces against the opened packs, the scores; with `repeat`
    also whether the computer players decide so again. Raises FalseLog."""
    transcript = read_transcript(payloads)
    position = transcript.end
    hands = _hands(transcript, repeat)
    takeovers = [(number, one.seat) for number, one in enumerate(transcript.entries) if isinstance(one, TakeoverEntry)]
    unproven = position.dealt if position.steps else None
    due = position.phase is Phase.OPENING
    won = position.ended is CloseReason.WON
    return Findings(transcript, won, hands, tuple(takeovers), unproven, due, _course(transcript))


def _course(transcript: Transcript) -> CourseChanges:
    met = Counter(type(entry) for entry in transcript.entries)
    turned_up = sum(entry.up for entry in transcript.entries if isinstance(entry, FaceUpEntry))
    redeals = [
        Redeal(before.dealt, entry.side, tuple([side for side in deciders(before) if side != entry.side]))
        for before, entry in zip(transcript.positions, transcript.entries, strict=False)
        if isinstance(entry, RedealEntry)
    ]
    return CourseChanges(tuple(redeals), met[UndoEntry], met[RestartEntry], met[SwapEntry], turned_up)


def _hands(transcript: Transcript, repeat: Repeat | None) -> tuple[HandFinding, ...]:
    findings = []
    made_by_computers = [made for one in transcript.hands for made in one.decisions]
    again = repeat(transcript.end.game, made_by_computers) if repeat else {}
    for one in transcript.hands:
        after = transcript.positions[one.opening + 1]
        claims = _claims(transcript, one.opening)
        signed = {side for side, _ in claims}
        findings.append(
            HandFinding(
                one.hand,
                after.finding,
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


def _claims(transcript: Transcript, opening: int) -> tuple[tuple[int, Verdict], ...]:
    """What the sides said of the hand that this record opened; whoever was asked twice counts once."""
    until_deal = takewhile(lambda entry: not isinstance(entry, DealEntry), transcript.entries[opening:])
    said = {entry.side: entry.verdict for entry in until_deal if isinstance(entry, CheckEntry)}
    return tuple(said.items())


def fork(first: Findings, second: Findings) -> int | None:
    """The number (from 0) of the first record in which two logs of one game differ; None if one continues the
    other."""
    shared = zip(first.heads[1:], second.heads[1:], strict=False)
    return next((number for number, (one, other) in enumerate(shared) if one != other), None)


def forkers(first: Findings, second: Findings) -> tuple[int, ...]:
    """The sides that signed both of two histories that part: entries that stand in the one alone and entries that stand
    in the other alone. The chain is the coordinator's, who is among them as soon as both go on."""
    place = fork(first, second)
    if place is None:
        return ()
    one, other = [
        dict(zip(found.transcript.frames[place:], found.transcript.signers[place:], strict=True))
        for found in (first, second)
    ]
    here = {one[frame] for frame in one.keys() - other.keys()}
    there = {other[frame] for frame in other.keys() - one.keys()}
    return tuple(sorted(here & there))
