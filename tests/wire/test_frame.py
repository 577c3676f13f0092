"""Frames: their length, what a signature covers, the chain of heads."""

from __future__ import annotations

from hashlib import sha256, sha512

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.wire.crypto import Ed25519PrivateKey, Ed25519PublicKey
from p2pcards.wire.keys import SMALL_ORDER_Y, public_bytes
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.records import (
    ENTRY_LABEL,
    FACES_LABEL,
    HEADER_LABEL,
    MAX_FRAME,
    Frame,
    check_signature,
    next_head,
    sign,
    split_frame,
)
from rigs import edwards

KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
OTHER = Ed25519PrivateKey.from_private_bytes(b"o" * 32)
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
labels = st.sampled_from([HEADER_LABEL, ENTRY_LABEL, FACES_LABEL])


def fits(key: bytes, label: bytes, context: bytes, frame: Frame) -> bool:
    try:
        check_signature(key, label, context, frame)
    except Refused as refused:
        assert refused.cause is Cause.SIGNATURE
        return False
    return True


@given(st.binary(min_size=1, max_size=300), st.binary(max_size=50))
def test_a_frame_comes_back_with_what_follows_it(body: bytes, rest: bytes) -> None:
    frame = sign(KEY, ENTRY_LABEL, b"", body)
    assert split_frame(bytes(frame) + rest) == (frame, rest)
    assert len(bytes(frame)) == 2 + len(body) + 64


@given(st.binary(max_size=200))
def test_any_bytes_are_a_frame_or_refused_for_their_length(data: bytes) -> None:
    try:
        frame, rest = split_frame(data)
    except Refused as refused:
        assert refused.cause is Cause.LENGTH
    else:
        assert bytes(frame) + rest == data


@pytest.mark.parametrize("size", [0, 1, 63, 64, MAX_FRAME + 1, 65535])
def test_lengths_that_cannot_be(size: int) -> None:
    with pytest.raises(Refused) as refused:
        split_frame(size.to_bytes(2, "big") + bytes(70000))
    assert refused.value.cause is Cause.LENGTH


def test_the_shortest_and_the_longest_frame() -> None:
    for size in (65, MAX_FRAME):
        frame, rest = split_frame(size.to_bytes(2, "big") + bytes(size))
        assert len(frame.body) == size - 64
        assert not rest
    with pytest.raises(Refused):
        split_frame((511).to_bytes(2, "big") + bytes(511), cap=510)


@given(labels, labels, st.binary(max_size=33), st.binary(max_size=33), st.binary(min_size=1), st.binary(min_size=1))
def test_a_signature_covers_label_context_and_body(
    label: bytes, other_label: bytes, context: bytes, other_context: bytes, body: bytes, other_body: bytes
) -> None:
    frame = sign(KEY, label, context, body)
    key = public_bytes(KEY)
    assert fits(key, label, context, frame)
    assert not fits(public_bytes(OTHER), label, context, frame)
    assert fits(key, other_label, context, frame) == (label == other_label)
    assert fits(key, label, other_context, frame) == (context == other_context)
    assert fits(key, label, context, Frame(other_body, frame.signature)) == (body == other_body)


@given(st.integers(0, 511))
def test_every_bit_of_a_signature_counts(bit: int) -> None:
    frame = sign(KEY, ENTRY_LABEL, b"", b"\x90")
    forged = bytearray(frame.signature)
    forged[bit // 8] ^= 1 << bit % 8
    assert not fits(public_bytes(KEY), ENTRY_LABEL, b"", Frame(frame.body, bytes(forged)))


def test_a_signature_has_one_spelling() -> None:
    """s and s + the order of the group would both fit the equation."""
    frame = sign(KEY, ENTRY_LABEL, b"", b"\x90")
    s = int.from_bytes(frame.signature[32:], "little") + GROUP_ORDER
    assert not fits(
        public_bytes(KEY), ENTRY_LABEL, b"", Frame(frame.body, frame.signature[:32] + s.to_bytes(32, "little"))
    )


def test_a_signature_that_fits_only_when_multiplied_by_the_cofactor_is_refused() -> None:
    secret, chance, body = 12345, 67890, b"\x90"
    key = edwards.times(secret, edwards.BASE)
    torsion = edwards.small_order_point()
    signed = ENTRY_LABEL + b"head" + body
    for added in (edwards.ZERO, torsion):
        first = edwards.add(edwards.times(chance, edwards.BASE), added)
        k = int.from_bytes(sha512(edwards.encoded(first) + edwards.encoded(key) + signed).digest(), "little")
        last = (chance + k * secret) % GROUP_ORDER
        eightfold = edwards.add(edwards.times(8, first), edwards.times(8 * k, key))
        assert edwards.times(8 * last, edwards.BASE) == eightfold, "the other equation holds for both"
        signature = edwards.encoded(first) + last.to_bytes(32, "little")
        fitting = fits(edwards.encoded(key), ENTRY_LABEL, b"head", Frame(body, signature))
        assert fitting is (added == edwards.ZERO)


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33), *[y.to_bytes(32, "little") for y in sorted(SMALL_ORDER_Y)]])
def test_keys_that_are_not_admitted_sign_nothing(key: bytes) -> None:
    assert not fits(key, ENTRY_LABEL, b"", Frame(b"\x90", bytes(64)))


def test_a_key_that_anyone_can_sign_for_would_have_fitted() -> None:
    neutral = (1).to_bytes(32, "little")
    Ed25519PublicKey.from_public_bytes(neutral).verify(neutral + bytes(32), b"anything")
    assert not fits(neutral, ENTRY_LABEL, b"", Frame(b"\x90", neutral + bytes(32)))


@given(st.binary(max_size=32), st.binary(min_size=1), st.binary(min_size=64, max_size=64))
def test_the_head_hashes_the_head_before_and_the_frame_without_its_length(
    head: bytes, body: bytes, signature: bytes
) -> None:
    frame = Frame(body, signature)
    assert next_head(head, frame) == sha256(b"p2pcards head 1" + head + bytes(frame)[2:]).digest()
