"""Slots, bags and redaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import BACK, Card, cards
from p2pcards.cards.eyes import (
    DEALER,
    HIDDEN,
    PUBLIC,
    TRUTH,
    Bag,
    Slot,
    bag,
    could_hold,
    enter,
    eye,
    face_up,
    leave,
    redact,
    refill,
    slots_of,
    viewer,
)
from p2pcards.cards.pack import pack_of

VIEWERS = (TRUTH, *[viewer(seat) for seat in range(4)], PUBLIC)
EYES = st.sampled_from([PUBLIC | eye(1), PUBLIC, *[eye(seat) for seat in range(4)], eye(0) | eye(2), 0])


@dataclass(frozen=True, slots=True)
class Table:
    eyes: int
    hands: tuple[Bag, ...]
    stock: tuple[Slot, ...]
    trick: tuple[tuple[int, Slot], ...]
    note: str = "kept"


@st.composite
def bags(draw: st.DrawFn) -> Bag:
    held = draw(st.lists(st.sampled_from(pack_of()), unique=True, max_size=8))
    return bag(draw(st.integers(0, 3)), [Slot(card, draw(EYES)) for card in held])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    order = draw(st.permutations(pack_of()))
    slots = [Slot(card, draw(EYES)) for card in order[:16]]
    trick = tuple(enumerate(slots[12:14]))
    return Table(TRUTH, (bag(0, slots[:4]), bag(1, slots[4:8])), tuple(slots[8:12]), trick)


def one(word: str) -> Card:
    return cards(word)[0]


@given(tables(), st.sampled_from(VIEWERS), st.sampled_from(VIEWERS))
def test_redaction(table: Table, eyes: int, other: int) -> None:
    view = redact(table, eyes)
    assert redact(view, eyes) == view
    assert view.eyes == eyes and view.note == "kept"
    assert len(slots_of(view)) == len(slots_of(table))
    for slot in slots_of(view):
        assert slot == HIDDEN or slot.eyes & eyes or eyes & DEALER
    known = {slot.card for slot in slots_of(table) if slot.eyes & eyes or eyes & DEALER}
    assert {slot.card for slot in slots_of(view)} - {BACK} == known
    for held in view.hands:
        assert list(held.slots) == sorted(held.slots)
    assert redact(redact(table, eyes), other).hands == redact(redact(table, other), eyes).hands
    assert redact(table, TRUTH) == table


@dataclass(frozen=True)
class Pile:
    name: str = ""


@dataclass(frozen=True)
class FaceDown(Pile):
    top: Slot = HIDDEN


@dataclass(frozen=True)
class Loosely:
    """A card wherever a game may have put it."""

    eyes: int
    pile: Pile
    maybe: Slot | None
    anything: Any
    whatever: object
    pairs: tuple[tuple[int, Slot | None], ...]


def test_a_card_is_hidden_however_its_place_is_declared() -> None:
    slot = Slot(one("QS"), eye(1))
    table = Loosely(TRUTH, FaceDown("stock", slot), slot, slot, (slot,), ((1, slot), (2, None)))
    seen = redact(table, viewer(0))
    assert slots_of(table) == [slot] * 5 and slots_of(seen) == [HIDDEN] * 5
    assert redact(table, viewer(1)).pile == table.pile
    assert refill(table, [HIDDEN] * 5) == replace(seen, eyes=TRUTH)


@given(tables())
def test_slots_are_exchanged_in_the_order_in_which_they_are_found(table: Table) -> None:
    assert refill(table, slots_of(table)) == table
    emptied = refill(table, [HIDDEN] * len(slots_of(table)))
    assert set(slots_of(emptied)) == {HIDDEN}
    assert refill(emptied, slots_of(table)) == table


@given(bags(), st.data())
def test_an_eye_that_sees_all_knows_what_left_and_what_entered(held: Bag, data: st.DataObject) -> None:
    gone = data.draw(st.lists(st.sampled_from(held.slots), unique=True) if held.slots else st.just([]))
    rest = leave(held, gone)
    assert sorted(rest.cards) == sorted(set(held.cards) - {slot.card for slot in gone})
    assert sorted(enter(rest, gone).cards) == list(held.cards)


@given(bags(), st.sampled_from(VIEWERS), EYES, st.data())
def test_what_leaves_and_enters_leaves_and_enters_a_view(
    held: Bag, eyes: int, seen_by: int, data: st.DataObject
) -> None:
    """Law 1 for the two things that happen to a bag; a card that leaves has been seen by its owner at least."""
    if held.slots:
        card = data.draw(st.sampled_from(held.slots)).card
        gone = [Slot(card, seen_by)]
        assert redact(leave(held, gone), eyes) == leave(redact(held, eyes), [redact(slot, eyes) for slot in gone])
    new = [Slot(one("2C"), seen_by)]
    assert redact(enter(held, new), eyes) == enter(redact(held, eyes), [redact(slot, eyes) for slot in new])


def test_a_card_that_leaves_unseen_takes_the_knowledge_with_it() -> None:
    known = bag(0, [Slot(one("QS"), PUBLIC), HIDDEN])
    assert leave(known, [HIDDEN]) == bag(0, [HIDDEN])
    assert leave(known, [Slot(one("QS"), PUBLIC)]) == bag(0, [HIDDEN])
    assert leave(known, [Slot(one("2C"), PUBLIC)]) == bag(0, [Slot(one("QS"), PUBLIC)])
    truth = bag(0, [Slot(one("QS"), PUBLIC), Slot(one("2C"), eye(0))])
    assert leave(truth, [Slot(one("2C"), eye(0))]) == bag(0, [Slot(one("QS"), eye(0))])


def test_a_card_that_a_bag_is_known_not_to_hold_cannot_leave_it() -> None:
    with pytest.raises(ValueError):
        leave(bag(0, [Slot(one("QS"), PUBLIC)]), [Slot(one("2C"), PUBLIC)])


def test_what_could_be_held() -> None:
    assert could_hold(bag(0, [Slot(one("QS"), PUBLIC)]), one("QS"))
    assert not could_hold(bag(0, [Slot(one("QS"), PUBLIC)]), one("2C"))
    assert could_hold(bag(0, [Slot(one("QS"), PUBLIC), HIDDEN]), one("2C"))
    assert not could_hold(Bag(0), one("2C"))


def test_a_card_turned_up_forgets_who_had_seen_it() -> None:
    assert face_up(Slot(one("QS"), eye(1) | eye(2))) == Slot(one("QS"), PUBLIC)


def test_eyes() -> None:
    assert len({DEALER, PUBLIC, *[eye(seat) for seat in range(4)]}) == 6
    assert viewer(None) == PUBLIC and viewer(2) == PUBLIC | eye(2)
    assert len(bag(1, [HIDDEN, HIDDEN])) == 2 and bag(1, [HIDDEN]).cards == ()
