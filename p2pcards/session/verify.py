"""What a log proves: a pure function from the payloads of a log to findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.games.game import Seat
from p2pcards.session.advance import advance, check_move
from p2pcards.session.payloads import (
    ADDRESS,
    LEFT,
    PENDING,
    RECORD,
    no_such_payload,
    read_address,
    read_header,
    read_start,
)
from p2pcards.session.position import Position
from p2pcards.wire.entries import VERDICTS, CheckEntry, OpeningEntry, TakeoverEntry
from p2pcards.wire.record import read_record
from p2pcards.wire.refused import Cause, Refused


@dataclass(frozen=True, slots=True)
class HandFinding:
    """A hand that was opened. verdict: a place in VERDICTS, found by the replay; claims: what the sides said (side,
    verdict); absent: sides without a part in its shuffle; missing: sides that did not sign its closing head."""

    hand: int
    verdict: int
    claims: tuple[tuple[int, int], ...]
    absent: tuple[int, ...]
    missing: tuple[int, ...]

    @property
    def sentence(self) -> str:
        return VERDICTS[self.verdict]


@dataclass(frozen=True, slots=True)
class Findings:
    """finished: the log ends with the closing entry of a game that was won. heads: after the header and each record.
    takeovers: (record, seat). unproven: the number of a hand that was dealt but never opened, or None."""

    position: Position
    finished: bool
    records: int
    hands: tuple[HandFinding, ...]
    takeovers: tuple[tuple[int, Seat], ...]
    unproven: int | None
    heads: tuple[bytes, ...]

    @property
    def honest(self) -> bool:
        return all(hand.verdict == 0 for hand in self.hands)


class FalseLog(Exception):
    """A log that does not prove itself. payload: the place of the payload that is refused; records: how many stood
    before it."""

    def __init__(self, payload: int, records: int, refusal: Refused) -> None:
        super().__init__(str(refusal))
        self.payload = payload
        self.records = records
        self.cause = refusal.cause


def verify_log(payloads: Sequence[bytes]) -> Findings:
    """Signatures, chain, the legality of every action, own faces against the opened packs, the scores. Raises
    FalseLog."""
    positions: list[Position] = []
    takeovers: list[tuple[int, Seat]] = []
    place = 1  # the header is signed; what stands before it must fit it
    try:
        read_header(payloads)
        place = 0
        start = read_start(payloads)
        place = 1
        positions.append(start.position)
        for place, payload in enumerate(payloads[2:], 2):  # noqa: B007 - names what was refused
            if payload[:1] != RECORD:
                _check_aside(positions[-1], payload)
                continue
            record, entries = read_record(payload[1:])
            positions.append(advance(positions[-1], record, entries))
            if isinstance(entries[0], TakeoverEntry):
                takeovers.append((len(positions) - 2, entries[0].seat))
    except Refused as refusal:
        raise FalseLog(place, max(len(positions) - 1, 0), refusal) from refusal
    position = positions[-1]
    hands = _hands(positions, payloads)
    opened = hands[-1].hand if hands else 0
    unproven = position.state.hand if position.state.hand > opened else None
    heads = tuple([one.head for one in positions])
    return Findings(position, position.ended == 0, position.count, hands, tuple(takeovers), unproven, heads)


def _check_aside(position: Position, payload: bytes) -> None:
    """What stands in a log between the records. Raises Refused."""
    if payload[:1] == PENDING:
        record, entries = read_record(payload[1:])
        if len(entries) != 1 or record.faces is not None:
            raise Refused(Cause.SHAPE, "Only a move can be pending.")
        check_move(position, record, entries[0])
    elif payload[:1] == ADDRESS:
        read_address(payload)
    elif payload != LEFT:
        raise no_such_payload()


def _hands(positions: Sequence[Position], payloads: Sequence[bytes]) -> tuple[HandFinding, ...]:
    findings = []
    entries = [read_record(payload[1:])[1][0] for payload in payloads if payload[:1] == RECORD]
    for number, entry in enumerate(entries):
        if not isinstance(entry, OpeningEntry):
            continue
        after = positions[number + 1]
        later = [other for other in entries[number:] if isinstance(other, CheckEntry) and other.hand == entry.hand]
        claims = tuple([(check.side, check.verdict) for check in later])
        signed = {side for side, _ in claims}
        missing = tuple([side for side in range(1, len(after.header.sides)) if side not in signed])
        findings.append(HandFinding(entry.hand, after.finding, claims, after.absent, missing))
    return tuple(findings)


def fork(first: Findings, second: Findings) -> int | None:
    """The number (from 0) of the first record in which two logs of one game differ; None if one continues the
    other."""
    shared = zip(first.heads[1:], second.heads[1:], strict=False)
    return next((number for number, (one, other) in enumerate(shared) if one != other), None)
