"""The one canonical msgpack, and the exact types of what is in it."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2pcards.wire.packing import (
    Cause,
    Refused,
    array,
    blob,
    blob_or_none,
    blob_up_to,
    boolean,
    maybe,
    pack,
    raw_field,
    row,
    rule_value,
    text,
    uint,
    unpack,
)
from p2pcards.wire.packing import match as match_all
from rigs.forging import BOMBS, respelled

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=40) | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=8,
)


@given(st.lists(plain, max_size=5))
@example(["x" * 31, "x" * 32, "x" * 255, "x" * 256, bytes(255), bytes(256), bytes(65536), [None] * 15, [None] * 16])
def test_an_array_comes_back_as_it_was(values: list[Any]) -> None:
    assert unpack(pack(values)) == values


@given(st.binary(max_size=60))
def test_any_bytes_are_one_canonical_array_or_refused(data: bytes) -> None:
    try:
        values = unpack(data)
    except Refused as refused:
        assert refused.cause in (Cause.ENCODING, Cause.SHAPE)
    else:
        assert pack(values) == data


@given(st.lists(plain, min_size=1, max_size=4))
def test_no_other_way_of_writing_a_value_is_taken(values: list[Any]) -> None:
    ways = respelled(values)
    assert ways
    for way in ways:
        assert msgpack.unpackb(way) == values
        with pytest.raises(Refused) as refused:
            unpack(way)
        assert refused.value.cause is Cause.ENCODING


def test_bombs_are_refused_or_come_back() -> None:
    for bomb in BOMBS:
        try:
            assert pack(unpack(bomb)) == bomb
        except Refused as refused:
            assert refused.cause in (Cause.ENCODING, Cause.SHAPE)


@pytest.mark.parametrize("wrong", [True, False, 1.0, "1", b"1", None, [1], -1, 256])
def test_a_number_is_an_int_in_its_range(wrong: Any) -> None:
    assert [uint(255)(0), uint(255)(255), uint(low=1)(2**32 - 1)] == [0, 255, 2**32 - 1]
    with pytest.raises(Refused):
        uint(255)(wrong)
    with pytest.raises(Refused):
        uint(low=1)(0)


@pytest.mark.parametrize(
    ("check", "good", "wrong"),
    [
        (blob(3), [b"abc"], [b"ab", b"abcd", "abc", None, [97]]),
        (blob_up_to(3), [b"", b"abc"], [b"abcd", "a", None]),
        (blob_or_none(3), [b"", b"abc"], [b"a", b"ab", b"abcd", "abc", None]),
        (text(3), ["", "äöü"], ["abcd", b"a", None, 1]),
        (boolean, [True, False], [0, 1, None, "true"]),
        (maybe(uint(3)), [None, 3], [False, 4, b""]),
        (rule_value, [True, 0, -5, "x" * 40], ["x" * 41, 2**31, 1.5, None, b"", []]),
        (array(uint(3), 2), [[], [1, 2]], [[1, 2, 3], [4], (1,), b"\1", None]),
        (row(lambda a, b: (a, b), uint(3), boolean), [[1, True]], [[1], [1, 1], [1, True, 2], None, b"ab"]),
        (raw_field, [None, 5, -1, True, b"x", [], [[[]]], [b"a", [1]]], ["x", 1.5, [[[[]]]], {}, [{}]]),
    ],
)
def test_checks_of_elements(check: Any, good: list[Any], wrong: list[Any]) -> None:
    for value in good:
        check(value)
    for value in wrong:
        with pytest.raises(Refused) as refused:
            check(value)
        assert refused.value.cause is Cause.SHAPE


def test_the_number_of_elements_counts() -> None:
    assert match_all([1, True], uint(), boolean) == [1, True]
    for values in ([], [1], [1, True, None]):
        with pytest.raises(Refused):
            match_all(values, uint(), boolean)
