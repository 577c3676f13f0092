"""Worlds that could be behind a view."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import PUBLIC, TRUTH, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag, redact, slots_of
from p2pcards.cards.pack import pack_of
from rigs.worlds import determinize

PACK = pack_of()


@dataclass(frozen=True, slots=True)
class Table:
    eyes: int
    hands: tuple[Bag, ...]
    stock: tuple[Slot, ...]


def table(order: list[int], shown: int) -> Table:
    dealt = [PACK[i] for i in order]
    hands = tuple(
        [
            make_bag(seat, [Slot(card, eye_of_seat(seat)) for card in dealt[seat * 5 : seat * 5 + 5]])
            for seat in range(4)
        ]
    )
    stock = [Slot(card, PUBLIC if i < shown else 0) for i, card in enumerate(dealt[20:])]
    return Table(TRUTH, hands, tuple(stock))


@given(st.permutations(range(52)), st.integers(0, 32), st.sampled_from([None, 0, 1, 2, 3]), st.randoms())
def test_an_imagined_world_looks_like_the_view_and_holds_the_pack(
    order: list[int], shown: int, seat: int | None, rng: Random
) -> None:
    view = redact(table(order, shown), eyes_of_viewer(seat))
    world = determinize(view, PACK, rng)
    assert redact(world, eyes_of_viewer(seat)) == view
    assert sorted(slot.card for slot in slots_of(world)) == list(PACK)
    assert world.eyes == TRUTH
    for held in world.hands:
        assert held.owner == seat or all(slot.eyes == eye_of_seat(held.owner) for slot in held.slots)


def test_every_hidden_card_is_as_likely_in_every_place() -> None:
    view = redact(table(list(range(52)), 30), eyes_of_viewer(0))
    rng = Random(3)
    found = Counter(determinize(view, PACK, rng).stock[-1].card for _ in range(1_700))
    assert len(found) == 17 and all(60 < count < 140 for count in found.values())


def test_cards_and_places_must_add_up() -> None:
    view = redact(table(list(range(52)), 30), eyes_of_viewer(0))
    with pytest.raises(ValueError, match="18 cards are unseen but 17 slots hide one"):
        determinize(view, (*PACK, parse_cards("2C")[0] | 64), Random(1))  # type: ignore[arg-type]


@given(st.randoms())
def test_of_equal_cards_as_many_are_imagined_as_are_missing(rng: Random) -> None:
    queen, laid = parse_cards("QS QS'")
    king = parse_cards("KS")[0]
    held = make_bag(0, [Slot(queen, eye_of_seat(0)), Slot(king, eye_of_seat(0))])
    state = Table(TRUTH, (held, make_bag(1, [Slot(king, eye_of_seat(1))])), (Slot(laid, PUBLIC),))
    world = determinize(redact(state, eyes_of_viewer(0)), (queen, queen, king, king), rng)
    assert world == state
