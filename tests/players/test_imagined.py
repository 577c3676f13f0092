"""Imagined worlds: each that agrees with what is known is as likely as any other, and none that does not is drawn."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.tricks import Tricks
from p2pcards.games.deals.worlds import NoWorld, Room, Worlds, big_number_below, shuffle_cards
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.hearts.rules import Options, rules_of

Rooms = list[tuple[int, int]]  # size and a mask of the cards that are not there
World = tuple[frozenset[int], ...]


def worlds_of(cards: int, rooms: Rooms) -> Worlds:
    return Worlds(list(range(cards)), [Room(place, size, barred) for place, (size, barred) in enumerate(rooms)])


def drawn(worlds: Worlds, places: int, chance: Chance) -> World:
    """What lies in each of at most four places, put into the hands of a game."""
    position = Hearts(rules_of(Options(), 1), 0, Tricks(4))
    worlds.fill_world(position, chance)
    return tuple([frozenset(places_of(hand)) for hand in list(position.tricks.hands)[:places]])


def places_of(mask: int) -> list[int]:
    return [place for place in range(63) if mask >> place & 1]


def enumerated(cards: frozenset[int], rooms: Rooms) -> list[World]:
    """Every way to place the cards."""
    if not rooms:
        return [()]
    (size, barred), *others = rooms
    allowed = sorted(card for card in cards if not barred >> card & 1)
    return [
        (frozenset(first), *rest)
        for first in combinations(allowed, size)
        for rest in enumerated(cards - frozenset(first), others)
    ]


def mask(*cards: int) -> int:
    return sum(1 << card for card in cards)


SMALL: list[Rooms] = [
    [(3, 0), (3, 0), (3, 0)],
    [(3, mask(0, 1, 2)), (3, mask(3, 4, 5)), (3, mask(6, 7, 8))],
    [(4, mask(0, 1, 2, 3)), (3, mask(2, 3, 4)), (2, 0)],
    [(2, mask(0)), (2, mask(0, 1)), (2, mask(0, 1, 2, 3)), (3, mask(8))],
    [(1, mask(0, 1, 2, 3, 4, 5, 6)), (4, mask(7)), (4, mask(0, 8))],
    [(5, mask(0, 1)), (4, mask(5, 6, 7, 8))],
]


@pytest.mark.parametrize("rooms", SMALL)
def test_every_world_is_as_likely_as_the_others(rooms: Rooms) -> None:
    """Against full enumeration: chi-square, at most 4.5 standard deviations over its mean."""
    ways, worlds, chance = enumerated(frozenset(range(9)), rooms), worlds_of(9, rooms), Chance(7)
    assert worlds.number == len(ways)
    draws = 40 * len(ways)
    counts = Counter(drawn(worlds, len(rooms), chance) for _ in range(draws))
    assert set(counts) <= set(ways)
    expected = draws / len(ways)
    chi = sum((counts[way] - expected) ** 2 / expected for way in ways)
    freedom = max(1, len(ways) - 1)
    assert len(ways) == 1 or abs(chi - freedom) < 4.5 * sqrt(2 * freedom)


def test_every_order_is_as_likely_as_the_others() -> None:
    chance, orders = Chance(3), Counter[tuple[int, ...]]()
    for _ in range(12_000):
        cards = [0, 1, 2, 3]
        shuffle_cards(cards, chance)
        orders[tuple(cards)] += 1
    assert len(orders) == 24
    assert all(abs(times - 500) < 4.5 * sqrt(500) for times in orders.values())


def test_the_number_of_whole_deals_is_right() -> None:
    assert worlds_of(39, [(13, 0)] * 3).number == comb(39, 13) * comb(26, 13)


@given(st.data())
def test_a_world_agrees_with_all_that_is_known_or_there_is_none(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    cards = sum(sizes)
    masks = [data.draw(st.integers(0, (1 << cards) - 1)) for _ in sizes]
    rooms = list(zip(sizes, masks, strict=True))
    possible = len(enumerated(frozenset(range(cards)), rooms)) if cards <= 9 else None
    try:
        worlds = worlds_of(cards, rooms)
    except NoWorld:
        assert not possible
        return
    assert possible in (None, worlds.number)
    held = drawn(worlds, len(rooms), Chance(data.draw(st.integers(1, 2**62))))
    assert frozenset().union(*held) == frozenset(range(cards))
    for (size, barred), room in zip(rooms, held, strict=True):
        assert len(room) == size and not any(barred >> card & 1 for card in room)


def test_more_cards_than_there_is_room_for_are_refused() -> None:
    with pytest.raises(NoWorld, match="3 cards are unseen, and the rooms do not hold as many"):
        worlds_of(3, [(2, 0)])


@pytest.mark.parametrize("number", [1, 3, 1000, 10**17, 10**30])
def test_large_numbers_are_drawn_evenly(number: int) -> None:
    chance = Chance(5)
    found = [big_number_below(number, chance) for _ in range(3000)]
    assert all(0 <= one < number for one in found)
    thirds = Counter(3 * one // number for one in found)
    assert number == 1 or all(850 < times < 1150 for times in thirds.values())
