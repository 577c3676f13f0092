"""Every kind of entry, to and from bytes, and whatever hostile bytes make of them."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import Card
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.records import (
    ActionEntry,
    Entry,
    OpeningEntry,
    decode_entry,
    decode_faces,
    decode_opening,
    encode_entry,
    encode_faces,
    encode_opening,
)
from rigs.entry_strategies import KINDS, actions, cards, entries, fields, salts
from rigs.forging import BOMBS, MISFITS, damaged, respelled, with_element
from rigs.in_part import examples

one_of_each = st.fixed_dictionaries(KINDS)
FEW = 10
"""Of each kind."""


def check_hostile(data: bytes) -> None:
    """An entry that encodes back to these bytes, or Refused."""
    try:
        entry = decode_entry(data)
    except Refused as refused:
        assert refused.cause in (Cause.ENCODING, Cause.SHAPE)
    else:
        assert encode_entry(entry) == data


@examples(FEW)
@given(one_of_each)
def test_an_entry_comes_back_and_its_kind_is_its_first_element(drawn: dict[type, Entry]) -> None:
    for entry in drawn.values():
        body = encode_entry(entry)
        assert decode_entry(body) == entry
        assert msgpack.unpackb(body)[0] == entry.kind


@given(st.binary(max_size=80))
def test_any_bytes_are_an_entry_or_refused(data: bytes) -> None:
    check_hostile(data)


@given(entries.map(encode_entry).flatmap(damaged))
def test_a_damaged_entry_is_an_entry_or_refused(data: bytes) -> None:
    check_hostile(data)


@examples(FEW)
@given(one_of_each)
def test_an_entry_written_otherwise_is_refused(drawn: dict[type, Entry]) -> None:
    for entry in drawn.values():
        for way in respelled(msgpack.unpackb(encode_entry(entry))):
            with pytest.raises(Refused) as refused:
                decode_entry(way)
            assert refused.value.cause is Cause.ENCODING


@examples(FEW)
@given(one_of_each)
def test_elements_of_another_type_are_refused(drawn: dict[type, Entry]) -> None:
    for kind, entry in drawn.items():
        check_other_elements(kind, msgpack.unpackb(encode_entry(entry)))


NUMBERS = -1, 2**40, -(2**63)
"""The fields of an action may be any int."""


def check_other_elements(kind: type, plain: list[Any]) -> None:
    for misfit in MISFITS:
        for way in with_element(plain, misfit):
            if misfit not in (-1, 2**40, -(2**63)) or kind not in (
                ActionEntry,
                OpeningEntry,
            ):  # fields of an action may be any int
                with pytest.raises(Refused):
                    decode_entry(msgpack.packb(way))
    for way in ([], plain[:-1], [*plain, None], [*plain, 0]):
        if kind is not ActionEntry or len(way) < 4:  # an action has any number of fields
            with pytest.raises(Refused):
                decode_entry(msgpack.packb(way))
    for place in range(min(len(plain), 3)):
        if type(plain[place]) is int:
            with pytest.raises(Refused):
                decode_entry(msgpack.packb([*plain[:place], bool(plain[place]), *plain[place + 1 :]]))


def test_bombs_are_refused() -> None:
    beginnings = b"", b"\x95\x00\x00\x00\x00", b"\x95\x06\x00\x01\xc4\x18" + bytes(24) + b"\x91"
    for data in [beginning + bomb for beginning in beginnings for bomb in BOMBS]:
        check_hostile(data)
        with pytest.raises(Refused):
            decode_opening(data)
        with pytest.raises(Refused):
            decode_faces(data)


OUT_OF_RANGE: list[list[Any]] = [
    [9, b"\x02"],
    [10],
    [10, 0, 0],
    [11, -1],
    [12, 0],
    [True, 0, 0, 0],
    [0, 0, 4, 0],
    [0, 0, 0, 64],
    [1, 0, 0, 0, bytes(19)],
    [1, 0, 0, 0, bytes(21)],
    [2, b"\x00", b""],
    [2, b"\x00\x00", b""],
    [2, b"\x00\x02\x00\x03", b""],
    [2, b"\x01\x02\x00\x03", b""],
    [2, b"", b"\x01\x00\x00\x00"],
    [3, 0, 0, b"", b"", b""],
    [3, 0, 1, b"\x02\x01", b"", b""],
    [3, 0, 1, b"\x01\x01", b"", b""],
    [3, 0, 1, bytes(range(4)), b"", b""],
    [4, 0, 0, 4],
    [4, 0, 4, 0],
    [6, 0, 0, bytes(24), []],
    [6, 0, 1, bytes(23), []],
    [6, 0, 1, bytes(24), [[0, bytes(9), 0]]],
    [6, 0, 1, bytes(24), [[0, b"", 64]]],
    [6, 0, 1, bytes(24), [[0, b""]]],
    [6, 0, 1, bytes(24), [[0, b"", 0]] * 65],
    [7, 0, 16, 0, 0, bytes(24)],
    [7, 0, 1, 0, 5, bytes(24)],
    [7, 0, 1, 0, 0, bytes(25)],
    [8, 0, 3],
]


def test_values_out_of_range_have_no_shape() -> None:
    for body in OUT_OF_RANGE:
        with pytest.raises(Refused) as refused:
            decode_entry(msgpack.packb(body))
        assert refused.value.cause is Cause.SHAPE, body


@given(st.lists(cards, min_size=1, max_size=60).map(tuple))
def test_faces_come_back_in_their_order(faces: tuple[Card, ...]) -> None:
    assert decode_faces(encode_faces(faces)) == faces


@given(
    st.binary(max_size=20) | st.lists(cards, min_size=1).map(lambda faces: encode_faces(tuple(faces))).flatmap(damaged)
)
def test_any_bytes_are_faces_or_refused(data: bytes) -> None:
    try:
        faces = decode_faces(data)
    except Refused as refused:
        assert refused.cause in (Cause.ENCODING, Cause.SHAPE)
    else:
        assert encode_faces(faces) == data


def test_no_faces_are_left_out_not_sent_empty() -> None:
    with pytest.raises(Refused):
        decode_faces(encode_faces(()))


@given(salts, actions, fields)
def test_an_opening_comes_back(salt: bytes, action: int, values: tuple[Any, ...]) -> None:
    assert decode_opening(encode_opening(salt, action, values)) == (salt, action, values)


@given(st.builds(encode_opening, salts, actions, fields).flatmap(damaged))
def test_a_damaged_opening_is_an_opening_or_refused(data: bytes) -> None:
    try:
        opening = decode_opening(data)
    except Refused as refused:
        assert refused.cause in (Cause.ENCODING, Cause.SHAPE)
    else:
        assert encode_opening(*opening) == data
