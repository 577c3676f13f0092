"""Cards as bits of a whole number, and chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_extensions import i64

PLACES: Final[int] = 63
ALL: Final[i64] = sum([1 << place for place in range(PLACES)])
"""Every place. A sum, since a literal above 2**62 is an object each time that compiled code meets it."""


class Bits:
    """Of each place its bit."""

    def __getitem__(self, place: i64) -> i64:
        """The bit at a place: 1 << place."""
        return (place - place + 1) << place  # from a literal it would be a shift of 32 bits


COMPILED: Final[bool] = hasattr(Bits, "__mypyc_attrs__")
BIT: Final[Bits] = Bits() if COMPILED else cast("Bits", [1 << place for place in range(PLACES)])
"""Compiled, a bit is sooner made than found, as elements of lists are objects; as it is written, a list is faster."""


class Four:
    """A mask for each of four seats, as a list has them; compiled, it holds the numbers themselves."""

    def __init__(self, first: i64, second: i64, third: i64, fourth: i64) -> None:
        self._first: i64 = first
        self._second: i64 = second
        self._third: i64 = third
        self._fourth: i64 = fourth

    def __getitem__(self, seat: i64) -> i64:
        near: i64 = self._second if seat & 1 else self._first
        far: i64 = self._fourth if seat & 1 else self._third
        return far if seat & 2 else near

    def __setitem__(self, seat: i64, mask: i64) -> None:
        if seat < 2:
            if seat:
                self._second = mask
            else:
                self._first = mask
        elif seat == 2:
            self._third = mask
        else:
            self._fourth = mask

    def __iter__(self) -> Iterator[i64]:
        return iter([self._first, self._second, self._third, self._fourth])

    def copy(self) -> Four:
        return Four(self._first, self._second, self._third, self._fourth)


def four_masks(masks: list[i64]) -> Four:
    """A `Four` of a list with a mask for each of four seats."""
    if COMPILED:
        return Four(masks[0], masks[1], masks[2], masks[3])
    return cast("Four", masks)


class Chance:
    """Pseudo-random numbers: the xorshift of Marsaglia (2003) with the shifts 13, 7 and 17, in 63 bits."""

    def __init__(self, seed: i64) -> None:
        """seed: 1 to 2**63 - 1."""
        self._state: i64 = seed

    def number_below(self, number: i64) -> i64:
        """Draw a number from 0 to number - 1; number: at most 2**32, so that all are equally likely to 1 in 2**23."""
        state: i64 = self._state
        state ^= (state & 0x3FFFFFFFFFFFF) << 13
        state ^= state >> 7
        state ^= (state & 0x3FFFFFFFFFFF) << 17
        self._state = state
        return (state >> 8) % number


def bit_count(mask: i64) -> i64:
    """How many bits of a mask are set (Hacker's Delight, 5-1)."""
    mask -= (mask >> 1) & 0x1555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    mask += mask >> 8
    mask += mask >> 16
    mask += mask >> 32
    return mask & 0x7F


def lowest_place(mask: i64) -> i64:
    """The place of the lowest bit of a mask that is not 0."""
    return bit_count((mask & -mask) - 1)


def highest_place(mask: i64) -> i64:
    """The place of the highest bit of a mask that is not 0."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    return bit_count(mask) - 1


def mixed_key(mark: i64, number: i64) -> i64:
    """Mix a number into a hash key: by a multiplication with a constant of L'Ecuyer (1999), so that of a million keys
    two are equal once in ten million times."""
    mark = (mark ^ number) * 0x27BB2EE687B0B0FD & ALL
    return mark ^ (mark >> 31)


# As written, Python's own ways to look at bits are several times as fast; compiled code calls those above.
if not COMPILED:
    globals().update(
        count=int.bit_count,
        lowest=lambda mask: (mask & -mask).bit_length() - 1,
        highest=lambda mask: mask.bit_length() - 1,
    )


def random_place(mask: i64, chance: Chance) -> i64:
    """The place of one bit, drawn at random, of a mask that is not 0."""
    left: i64 = chance.number_below(bit_count(mask))
    while left > 0:
        mask &= mask - 1
        left -= 1
    return lowest_place(mask)
