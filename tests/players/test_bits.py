"""Cards as bits, and chance."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.deals.bits import BIT, Chance, bit_count, highest_place, lowest_place, random_place

masks = st.integers(1, 2**63 - 1)


def test_a_bit_for_each_place() -> None:
    assert [int(mask).bit_length() - 1 for mask in map(BIT.__getitem__, range(63))] == list(range(63))


@given(masks)
def test_bits_are_counted_and_found(mask: int) -> None:
    assert bit_count(mask) == mask.bit_count()
    assert 1 << lowest_place(mask) == mask & -mask
    assert highest_place(mask) == mask.bit_length() - 1


def test_no_bit_is_counted_in_nothing() -> None:
    assert bit_count(0) == 0


@given(masks, masks)
def test_one_of_the_bits_is_drawn(mask: int, seed: int) -> None:
    assert mask >> random_place(mask, Chance(seed)) & 1


def test_each_bit_is_drawn_as_often() -> None:
    chance = Chance(11)
    counts = Counter(random_place(0b1011_0110_0001, chance) for _ in range(6000))
    assert set(counts) == {0, 5, 6, 8, 9, 11}
    assert all(880 < times < 1120 for times in counts.values())


def test_the_same_seed_gives_the_same_numbers_everywhere() -> None:
    """They are part of every decision that is verified."""
    chance = Chance(2026)
    assert [chance.number_below(1000) for _ in range(8)] == [485, 65, 520, 275, 907, 69, 688, 332]
