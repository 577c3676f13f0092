"""Records: which frames stand together in what order, and hostile ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import Card
from p2pcards.games.outcome import Outcome
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.records import (
    ENTRY_LABEL,
    FACES_LABEL,
    ActionEntry,
    CommitEntry,
    DealEntry,
    Entry,
    Frame,
    OutcomeEntry,
    Record,
    encode_entry,
    encode_faces,
    encode_opening,
    read_record,
    sign,
)
from rigs.entry_strategies import KINDS, entries, fields, salts
from rigs.forging import damaged
from rigs.in_part import examples

KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
FACES = sign(KEY, FACES_LABEL, b"", encode_faces((Card(2), Card(62))))
OPENING = encode_opening(bytes(10), 0, (b"\2\3\4",))
SHOWN = OutcomeEntry(Outcome(((0, Card(2)),)))


def frame_of(entry: Entry) -> Frame:
    return sign(KEY, ENTRY_LABEL, b"", encode_entry(entry))


moves = KINDS[ActionEntry] | KINDS[CommitEntry]
outcomes = KINDS[OutcomeEntry].filter(lambda entry: isinstance(entry, OutcomeEntry) and bool(entry.outcome))
frames = st.one_of(entries.map(lambda entry: (entry,)), st.tuples(moves, outcomes))


@given(frames, st.booleans(), st.booleans(), salts, fields)
def test_a_record_comes_back(
    stand: tuple[Entry, ...], shows: bool, opens: bool, salt: bytes, values: tuple[object, ...]
) -> None:
    faces = FACES if shows and isinstance(stand[0], ActionEntry | CommitEntry | DealEntry | OutcomeEntry) else None
    opening = encode_opening(salt, 0, values) if opens and isinstance(stand[0], CommitEntry) else b""
    record = Record(tuple([frame_of(entry) for entry in stand]), faces, opening)
    assert read_record(bytes(record)) == (record, stand)


def check_hostile(data: bytes) -> None:
    try:
        record, _ = read_record(data)
    except Refused as refused:
        assert refused.cause in (Cause.LENGTH, Cause.ENCODING, Cause.SHAPE)
    else:
        assert bytes(record) == data


@given(st.binary(max_size=200))
def test_any_bytes_are_a_record_or_refused(data: bytes) -> None:
    check_hostile(data)


@given(frames.flatmap(lambda stand: damaged(bytes(Record(tuple([frame_of(e) for e in stand]), FACES, OPENING)))))
def test_a_damaged_record_is_a_record_or_refused(data: bytes) -> None:
    check_hostile(data)


@examples(10)
@given(st.fixed_dictionaries({kind: drawn for kind, drawn in KINDS.items() if kind not in (ActionEntry, CommitEntry)}))
def test_only_a_move_has_an_outcome_and_only_events_have_faces(drawn: dict[type, Entry]) -> None:
    for kind, entry in drawn.items():
        refusals = [Record((frame_of(entry), frame_of(SHOWN))), Record((frame_of(entry),), None, OPENING)]
        if kind not in (OutcomeEntry, DealEntry):
            refusals.append(Record((frame_of(entry),), FACES))
        for record in refusals:
            with pytest.raises(Refused) as refused:
                read_record(bytes(record))
            assert refused.value.cause is Cause.SHAPE


ACTION = frame_of(ActionEntry(0, 0, 0, ()))
COMMIT = frame_of(CommitEntry(0, 0, 0, bytes(20)))
OUTCOME = frame_of(SHOWN)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        bytes(FACES),
        b"\0\0" + OPENING,
        bytes(ACTION) + bytes(ACTION),
        bytes(ACTION) + bytes(OUTCOME) + bytes(OUTCOME),
        bytes(OUTCOME) + bytes(ACTION),
        bytes(ACTION) + bytes(frame_of(OutcomeEntry(Outcome()))),
        bytes(ACTION) + bytes(FACES) + bytes(OUTCOME),
        bytes(ACTION) + bytes(FACES) + bytes(FACES),
        bytes(ACTION) + b"\0\0" + OPENING,
        bytes(COMMIT) + b"\0\0",
        bytes(COMMIT) + b"\0\0" + OPENING + OPENING,
        bytes(COMMIT) + b"\0\0" + OPENING + bytes(FACES),
        bytes(COMMIT) + b"\0",
    ],
)
def test_orders_that_do_not_occur(data: bytes) -> None:
    with pytest.raises(Refused):
        read_record(data)


def test_a_slow_line_takes_short_frames_only() -> None:
    long = frame_of(ActionEntry(0, 0, 0, (bytes(440),)))
    read_record(bytes(long))
    with pytest.raises(Refused) as refused:
        read_record(bytes(long), cap=510)
    assert refused.value.cause is Cause.LENGTH
