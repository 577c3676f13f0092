"""Notes that are left out of a log, or stand there twice."""

from __future__ import annotations

from itertools import combinations

import pytest

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import (
    COUNT,
    NOTE,
    BrokenOff,
    LeftOut,
    Note,
    Numbering,
    PlayedByComputer,
    check_notes,
    note_number,
    note_payload,
    numbered_note,
    read_note,
)
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import FalseLog, read_transcript, verify_log
from p2pcards.store.logs import ENDED_EARLY, FALSE, look_at
from p2pcards.wire.packing import Refused
from rigs.recorded import played

NOTES: tuple[Note, ...] = (PlayedByComputer(0), BrokenOff(bytes(16), 5, bytes(32), named=True), LeftOut(7, here=True))


def dressed(plain: list[bytes]) -> list[bytes]:
    """As a table writes these payloads."""
    numbering, written = Numbering(), list[bytes]()
    for payload in plain:
        for one in numbering.dress(payload):
            numbering.take(one)
            written.append(one)
    return written


def a_log() -> list[bytes]:
    """A game of crazy eights that was ended at a listener, with notes here and there."""
    plain = list(played("crazy_eights").payloads[1])
    for place, note in zip((2, 5, len(plain) - 1), NOTES, strict=True):
        plain.insert(place, note_payload(note))
    return dressed(plain)


def test_a_log_with_numbered_notes_proves_itself_and_goes_on() -> None:
    log, table = a_log(), played("crazy_eights")
    assert verify_log(log).position.phase is Phase.CLOSED and look_at(log).state == ENDED_EARLY
    assert read_transcript(log).notes == NOTES
    assert [payload[:1] for payload in log].count(COUNT) == 1
    asides = [place for place, payload in enumerate(log) if payload[:1] in (NOTE, COUNT)]
    for size in {*range(2, len(log), 7), *[place + more for place in asides for more in (0, 1, 2)]}:
        LedgerFollower.restored(table.keys[1], log[:size])


def test_notes_that_are_left_out_or_doubled_are_found_wherever_they_stand() -> None:
    log = a_log()
    asides = [place for place, payload in enumerate(log) if payload[:1] in (NOTE, COUNT)]
    less = [
        [payload for place, payload in enumerate(log) if place not in left]
        for count in range(1, len(asides) + 1)
        for left in combinations(asides, count)
    ]
    notes = [place for place in asides if log[place][:1] == NOTE]
    more = [[*log[: place + 1], log[place], *log[place + 1 :]] for place in notes]
    for changed in (*less, *more):
        with pytest.raises(Refused):
            check_notes(changed)
    for changed in (less[0], less[-1], more[0]):
        with pytest.raises(FalseLog):
            read_transcript(changed)
        with pytest.raises(Refused):
            LedgerFollower.restored(played("crazy_eights").keys[1], changed)
        assert look_at(changed).state == FALSE


def test_a_log_of_before_stays_what_it_was() -> None:
    plain = list(played("crazy_eights").payloads[1])
    plain.insert(2, note_payload(NOTES[0]))
    assert verify_log(plain).position.phase is Phase.CLOSED and read_transcript(plain).notes == NOTES[:1]
    assert Numbering.of(plain[:3]).dress(note_payload(NOTES[1])) == [note_payload(NOTES[1])]


def test_what_could_not_be_written_is_written_again_with_the_same_number() -> None:
    numbering = Numbering.of(a_log()[:3])
    assert numbering.notes == 1
    for _ in range(2):
        assert numbering.dress(note_payload(NOTES[1])) == [numbered_note(note_payload(NOTES[1]), 1)]


@pytest.mark.parametrize("note", NOTES)
def test_a_note_is_read_with_its_number(note: Note) -> None:
    payload = numbered_note(note_payload(note), 9)
    assert read_note(payload) == note and note_number(payload) == 9
    assert note_number(note_payload(note)) is None
