"""Chains, secrets, seeds and commitments, against values computed here by hand."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.ledger import fair
from p2pcards.ledger.fair import (
    CHAIN,
    chain_value,
    commitment,
    computer_seed,
    derived_salt,
    fits_chain,
    hand_secret,
)
from p2pcards.wire.records import VERSION

SEED = bytes(range(24))
HEAD = bytes(range(32))


def test_a_chain_hashes_from_its_seed_down_to_its_end() -> None:
    value = SEED
    for number in range(CHAIN, -1, -1):
        if number in (0, 1, 2, CHAIN // 2, CHAIN - 1, CHAIN):
            assert chain_value(SEED, number) == value
        value = sha256(b"p2pcards chain 1" + value).digest()[:24]


def test_another_seed_gives_another_chain() -> None:
    assert chain_value(SEED, 0) != chain_value(bytes(24), 0)


@given(st.integers(0, 40), st.integers(0, 40))
def test_a_value_fits_exactly_where_it_stands_above_the_known_one(known: int, number: int) -> None:
    assert fits_chain(chain_value(SEED, number), number, (known, chain_value(SEED, known))) == (number > known)


@given(st.integers(1, 40), st.integers(0, 40), st.binary(min_size=24, max_size=24))
def test_a_value_fits_at_no_other_number_and_no_other_value_fits(number: int, claimed: int, other: bytes) -> None:
    end = (0, chain_value(SEED, 0))
    assert fits_chain(chain_value(SEED, number), claimed, end) == (number == claimed)
    assert not fits_chain(other, number, end)


def test_more_steps_than_a_chain_has_are_not_tried() -> None:
    end = (0, chain_value(SEED, 0))
    assert fits_chain(SEED, CHAIN, end)
    assert not fits_chain(SEED, CHAIN + 1, end)
    assert not fits_chain(SEED, 2**32 - 1, end)


def test_the_secret_is_the_hash_of_all_values_the_listeners_in_order_of_their_sides() -> None:
    mine, first, third = b"c" * 24, b"1" * 24, b"3" * 24
    values = HEAD + b"\0\0\1\0" + mine + b"\1" + first + b"\3" + third
    for version, label in ((1, b"p2pcards pack 1"), (2, b"p2pcards pack 1"), (3, b"p2pcards pack 2")):
        expected = sha256(label + values).digest()
        assert hand_secret(version, HEAD, 256, mine, {1: first, 3: third}) == expected
        assert hand_secret(version, HEAD, 256, mine, {3: third, 1: first}) == expected


def test_every_part_of_a_secret_counts() -> None:
    secrets = {
        hand_secret(VERSION, HEAD, 1, SEED, {1: SEED}),
        hand_secret(VERSION, HEAD, 1, SEED, {}),
        hand_secret(VERSION, HEAD, 1, SEED, {2: SEED}),
        hand_secret(VERSION, HEAD, 2, SEED, {1: SEED}),
        hand_secret(VERSION, bytes(32), 1, SEED, {1: SEED}),
        hand_secret(VERSION, HEAD, 1, bytes(24), {1: SEED}),
        hand_secret(VERSION, HEAD, 1, SEED, {1: bytes(24)}),
    }
    assert len(secrets) == 7


def test_the_seed_of_a_computer_player_is_a_hash_of_value_seat_and_count() -> None:
    digest = sha256(b"p2pcards computer 1" + SEED + b"\3" + b"\0\0\2\1").digest()
    assert computer_seed(SEED, 3, 513) == int.from_bytes(digest, "big")


def test_the_derived_salt_is_a_hash_of_value_seat_and_base() -> None:
    assert derived_salt(SEED, 2, 7) == sha256(b"p2pcards salt 1" + SEED + b"\2" + b"\0\0\0\7").digest()[:10]


def test_a_commitment_is_a_hash_of_salt_and_action_in_msgpack() -> None:
    # [0, bin(3)] in msgpack: array of two, 0, bin8 of three bytes
    expected = sha256(b"p2pcards commit 1" + b"s" * 10 + b"\x92\x00\xc4\x03\x02\x1e\x3c").digest()[:20]
    assert commitment(b"s" * 10, 0, (b"\x02\x1e\x3c",)) == expected
    assert commitment(b"t" * 10, 0, (b"\x02\x1e\x3c",)) != expected
    assert commitment(b"s" * 10, 1, (b"\x02\x1e\x3c",)) != expected


@pytest.mark.parametrize("strides", [4, pytest.param(fair.CHAIN // fair.STRIDE, marks=pytest.mark.slow)])
def test_hundreds_of_games_at_once_go_on_from_hand_to_hand_without_growing_their_chains_again(
    strides: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """strides: how long a chain is."""
    monkeypatch.setattr(fair, "CHAIN", strides * fair.STRIDE)
    seeds = [Random(f"{strides} {number}").randbytes(24) for number in range(300)]
    for seed in seeds:
        chain_value(seed, 0)
    steps, step = 0, fair._hash_step

    def counted(value: bytes) -> bytes:
        nonlocal steps
        steps += 1
        return step(value)

    monkeypatch.setattr(fair, "_hash_step", counted)
    for seed in seeds:
        chain_value(seed, 1)
    assert steps <= len(seeds) * fair.STRIDE
    steps = 0
    for seed in seeds:
        chain_value(seed, 1)
    assert steps == 0
