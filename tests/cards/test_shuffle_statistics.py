"""Statistics of the shuffle over 60,000 packs: every card is in every place as often as in any other, every two cards
lie in every two places as often, every order of a small pack comes up as often. The secrets are fixed, so that each
figure is always the same one; that each test can fail is shown on shuffles that are known to be unfair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise, permutations
from math import sqrt
from random import Random

import pytest

from p2pcards.cards.card import Card
from p2pcards.cards.pack import pack_of, shuffle

# Millions of counts, which are slow to measure.
pytestmark = pytest.mark.no_cover

PACKS = 60_000
PACK = pack_of()
Order = tuple[Card, ...]
Shuffle = Callable[[Sequence[Card], bytes], Order]
LIMIT = 4.0
"""Standard deviations of a chi-square from its mean, either way: one in 16,000 sound shuffles is further off."""


def secret(number: int) -> bytes:
    return sha256(b"p2pcards statistics" + number.to_bytes(4, "big")).digest()


@lru_cache
def orders(label: str) -> list[Order]:
    return [shuffle(PACK, secret(number), label) for number in range(PACKS)]


def deviations(counts: Counter[object], cells: int, freedom: int) -> float:
    """By how many standard deviations the chi-square of equally likely cells is above what is to be expected."""
    expected = counts.total() / cells
    seen = sum((count - expected) ** 2 for count in counts.values()) + (cells - len(counts)) * expected**2
    return (seen / expected - freedom) / sqrt(2 * freedom)


def of_places(shuffled: Sequence[Order]) -> float:
    """Of cards in places; every row and every column adds up."""
    counts: Counter[object] = Counter()
    for place, column in enumerate(zip(*shuffled, strict=True)):
        counts.update({(place, card): count for card, count in Counter(column).items()})
    size = len(shuffled[0])
    return deviations(counts, size * size, (size - 1) ** 2)


def of_pairs(shuffled: Sequence[Order], one: int, other: int) -> float:
    """Of the two cards in two places."""
    columns = list(zip(*shuffled, strict=True))
    size = len(columns)
    counts: Counter[object] = Counter(zip(columns[one], columns[other], strict=True))
    return deviations(counts, size * (size - 1), size * (size - 1) - 1)


def of_orders(shuffled: Sequence[Order]) -> float:
    cells = len(list(permutations(shuffled[0])))
    return deviations(Counter(shuffled), cells, cells - 1)


@pytest.mark.parametrize("label", ["pack", "draw"])
def test_every_card_is_in_every_place_as_often(label: str) -> None:
    assert abs(of_places(orders(label))) < LIMIT


PAIRS = [(0, 1), (50, 51), (0, 51), (12, 13), (25, 26), (3, 40)]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_every_two_cards_are_in_two_places_as_often(one: int, other: int) -> None:
    assert abs(of_pairs(orders("pack"), one, other)) < LIMIT


def test_every_two_cards_lie_one_on_the_other_as_often() -> None:
    counts: Counter[object] = Counter()
    columns = list(zip(*orders("pack"), strict=True))
    for upper, lower in pairwise(columns):
        counts.update(zip(upper, lower, strict=True))
    assert abs(deviations(counts, 52 * 51, 52 * 51 - 1)) < LIMIT


def test_all_120_orders_of_five_cards_come_up_as_often() -> None:
    shuffled = [shuffle(PACK[:5], secret(number), "pack") for number in range(PACKS)]
    assert len(set(shuffled)) == 120
    assert abs(of_orders(shuffled)) < LIMIT


def test_the_two_packs_of_a_hand_have_nothing_to_do_with_each_other() -> None:
    """The card that lies first in the one, beside the card that lies first in the other."""
    first: Counter[object] = Counter(
        (pack[0], draw[0]) for pack, draw in zip(orders("pack"), orders("draw"), strict=True)
    )
    assert abs(deviations(first, 52 * 52, 52 * 52 - 1)) < LIMIT


# --- shuffles that are unfair -----------------------------------------------------------------------------------------


def with_any(pack: Sequence[Card], rng: Random) -> Order:
    """The well-known mistake: each place is exchanged with any other."""
    order = list(pack)
    for place in range(len(order)):
        other = rng.randrange(len(order))
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def with_another(pack: Sequence[Card], rng: Random) -> Order:
    """Each place is exchanged with a lower one, never with itself."""
    order = list(pack)
    for last in range(len(order) - 1, 0, -1):
        other = rng.randrange(last)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def cut(pack: Sequence[Card], rng: Random) -> Order:
    """Every card is in every place as often, but what lies beside it never changes."""
    place = rng.randrange(len(pack))
    return (*pack[place:], *pack[:place])


@pytest.mark.parametrize("unfair", [with_any, with_another])
def test_unfair_shuffles_are_found_by_the_places(unfair: Callable[[Sequence[Card], Random], Order]) -> None:
    rng = Random(1)
    assert of_places([unfair(PACK, rng) for _ in range(6_000)]) > 2 * LIMIT
    assert of_orders([unfair(PACK[:5], rng) for _ in range(6_000)]) > 2 * LIMIT


def test_a_cut_is_found_by_the_pairs_alone() -> None:
    rng = Random(1)
    shuffled = [cut(PACK, rng) for _ in range(6_000)]
    assert of_pairs(shuffled, 12, 13) > 2 * LIMIT


def test_a_byte_taken_modulo_the_places_is_found() -> None:
    """Which is why numbers that would favour a place are thrown away."""
    rng = Random(1)
    kept: Counter[object] = Counter(rng.randrange(256) % 52 for _ in range(PACKS))
    assert deviations(kept, 52, 51) > 2 * LIMIT
