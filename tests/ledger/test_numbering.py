"""What is left out of a log, stands there twice, or in another place."""

from __future__ import annotations

from itertools import combinations

import pytest

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import (
    ADDRESS,
    CHECKED,
    COUNT,
    HEADER,
    LEFT,
    ME,
    NOTE,
    PENDING,
    RECORD,
    BrokenOff,
    LeftOut,
    Note,
    Numbering,
    PlayedByComputer,
    check_notes,
    first_kind_of,
    note_number,
    note_payload,
    numbered_note,
    read_note,
)
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import FalseLog, read_transcript, verify_log
from p2pcards.store.logs import ENDED_EARLY, FALSE, facts_of
from p2pcards.wire.packing import Refused, pack, unpack
from p2pcards.wire.records import CheckEntry, EntryKind, read_record
from rigs.recorded import played

NOTES: tuple[Note, ...] = (PlayedByComputer(0), BrokenOff(bytes(16), 5, bytes(32), named=True), LeftOut(7, here=True))


def dressed(plain: list[bytes], begun: bool = False) -> list[bytes]:
    """As a table writes these payloads. begun: the first stands there already, as it is."""
    numbering, written = Numbering.of(plain[:begun]), plain[:begun]
    for payload in plain[begun:]:
        for one in numbering.prepare_payload(payload):
            numbering.add_payload(one)
            written.append(one)
    return written


def a_log(side: int = 1) -> list[bytes]:
    """A game of crazy eights that was ended, at a side, with notes here and there, and something behind its end."""
    plain = [one for payload in played("crazy_eights").payloads[side] for one in with_check(payload, side)]
    for place, note in zip((2, 5, len(plain) - 1), NOTES, strict=True):
        plain.insert(place, note_payload(note))
    return dressed([*plain, LEFT, LEFT])


def with_check(payload: bytes, side: int) -> list[bytes]:
    """A record, and before a CHECK of this side the same as it was signed."""
    if payload[:1] == RECORD:
        (entry, *_) = read_record(payload[1:])[1]
        if isinstance(entry, CheckEntry) and entry.side == side:
            return [CHECKED + payload[1:], payload]
    return [payload]


def asides_of(log: list[bytes]) -> list[int]:
    return [place for place, payload in enumerate(log) if payload[:1] not in (ME, HEADER, RECORD)]


def test_a_log_that_is_sealed_proves_itself_and_goes_on() -> None:
    log, table = a_log(), played("crazy_eights")
    assert verify_log(log).position.phase is Phase.CLOSED and facts_of(log).state == ENDED_EARLY
    assert read_transcript(log).notes == NOTES
    counts = [place for place, payload in enumerate(log) if payload[:1] == COUNT]
    ends = [place for place, one in enumerate(log) if first_kind_of(one) in (EntryKind.OPENING, EntryKind.CLOSE)]
    assert counts == [*[place - 1 for place in ends], len(log) - 4, len(log) - 2]
    for size in {*range(2, len(log), 7), *[place + more for place in asides_of(log) for more in (0, 1, 2)]}:
        LedgerFollower.restored(table.keys[1], log[:size])


@pytest.mark.parametrize("side", [0, 1])
def test_what_is_left_out_doubled_or_exchanged_is_found_wherever_it_stands(side: int) -> None:
    """My checks, my move, the addresses that were called, notes, counts, what stands behind the end: all but the last
    of a log."""
    log = a_log(side)
    asides = [place for place in asides_of(log) if place < len(log) - 2]
    assert {log[place][:1] for place in asides} >= {NOTE, COUNT, LEFT, *([CHECKED, PENDING] if side else [ADDRESS])}
    less = [[*log[:place], *log[place + 1 :]] for place in asides]
    more = [[*log[: place + 1], *log[place:]] for place in asides]
    other = [exchanged(log, *places) for places in combinations(asides, 2) if log[places[0]] != log[places[1]]]
    for changed in (*less, *more, *other):
        with pytest.raises(Refused):
            check_notes(changed)
    for changed in (less[0], more[0], other[0]):
        with pytest.raises(FalseLog):
            verify_log(changed)
        assert facts_of(changed).state == FALSE


def exchanged(log: list[bytes], one: int, other: int) -> list[bytes]:
    places = {one: other, other: one}
    return [log[places.get(place, place)] for place in range(len(log))]


def test_a_log_whose_notes_alone_are_counted_stays_what_it_was() -> None:
    me, *rest = [one for payload in played("crazy_eights").payloads[1] for one in with_check(payload, 1)]
    counted = ME + pack([*unpack(me[1:])[:2], True])
    log = dressed([counted, rest[0], note_payload(NOTES[0]), *rest[1:]], begun=True)
    assert [payload for payload in log if payload[:1] == COUNT] == [COUNT + pack([1])]
    assert verify_log(log).position.phase is Phase.CLOSED
    doubled = next(place for place, payload in enumerate(log) if payload[:1] == CHECKED)
    check_notes([*log[:doubled], *log[doubled + 1 :]])  # of what is no note nothing is said
    with pytest.raises(Refused):
        check_notes([*log[:2], *log[3:]])


def test_a_log_of_before_stays_what_it_was() -> None:
    plain = list(played("crazy_eights").payloads[1])
    plain.insert(2, note_payload(NOTES[0]))
    assert verify_log(plain).position.phase is Phase.CLOSED and read_transcript(plain).notes == NOTES[:1]
    assert Numbering.of(plain[:3]).prepare_payload(note_payload(NOTES[1])) == [note_payload(NOTES[1])]


def test_what_could_not_be_written_is_written_again_with_the_same_number() -> None:
    numbering = Numbering.of(a_log()[:3])
    assert numbering.notes == 1
    for _ in range(2):
        assert numbering.prepare_payload(note_payload(NOTES[1])) == [numbered_note(note_payload(NOTES[1]), 1)]


@pytest.mark.parametrize("note", NOTES)
def test_a_note_is_read_with_its_number(note: Note) -> None:
    payload = numbered_note(note_payload(note), 9)
    assert read_note(payload) == note and note_number(payload) == 9
    assert note_number(note_payload(note)) is None
