"""Slots, bags and redaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import BACK, Card, parse_cards
from p2pcards.cards.eyes import (
    DEALER,
    HIDDEN,
    PUBLIC,
    TRUTH,
    Bag,
    Slot,
    could_hold,
    eye_of_seat,
    eyes_of_viewer,
    make_bag,
    put_into_bag,
    redact,
    replace_slots,
    slots_of,
    take_out_of_bag,
    turned_face_up,
)
from p2pcards.cards.pack import pack_of

VIEWERS = (TRUTH, *[eyes_of_viewer(seat) for seat in range(4)], PUBLIC)
EYES = st.sampled_from(
    [PUBLIC | eye_of_seat(1), PUBLIC, *[eye_of_seat(seat) for seat in range(4)], eye_of_seat(0) | eye_of_seat(2), 0]
)


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
    return make_bag(draw(st.integers(0, 3)), [Slot(card, draw(EYES)) for card in held])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    order = draw(st.permutations(pack_of()))
    slots = [Slot(card, draw(EYES)) for card in order[:16]]
    trick = tuple(enumerate(slots[12:14]))
    return Table(TRUTH, (make_bag(0, slots[:4]), make_bag(1, slots[4:8])), tuple(slots[8:12]), trick)


def one(word: str) -> Card:
    return parse_cards(word)[0]


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
    slot = Slot(one("QS"), eye_of_seat(1))
    table = Loosely(TRUTH, FaceDown("stock", slot), slot, slot, (slot,), ((1, slot), (2, None)))
    seen = redact(table, eyes_of_viewer(0))
    assert slots_of(table) == [slot] * 5 and slots_of(seen) == [HIDDEN] * 5
    assert redact(table, eyes_of_viewer(1)).pile == table.pile
    assert replace_slots(table, [HIDDEN] * 5) == replace(seen, eyes=TRUTH)


@given(tables())
def test_slots_are_exchanged_in_the_order_in_which_they_are_found(table: Table) -> None:
    assert replace_slots(table, slots_of(table)) == table
    emptied = replace_slots(table, [HIDDEN] * len(slots_of(table)))
    assert set(slots_of(emptied)) == {HIDDEN}
    assert replace_slots(emptied, slots_of(table)) == table


@given(bags(), st.data())
def test_an_eye_that_sees_all_knows_what_left_and_what_entered(held: Bag, data: st.DataObject) -> None:
    gone = data.draw(st.lists(st.sampled_from(held.slots), unique=True) if held.slots else st.just([]))
    rest = take_out_of_bag(held, gone)
    assert sorted(rest.cards) == sorted(set(held.cards) - {slot.card for slot in gone})
    assert sorted(put_into_bag(rest, gone).cards) == list(held.cards)


@given(bags(), st.sampled_from(VIEWERS), EYES, st.data())
def test_what_leaves_and_enters_leaves_and_enters_a_view(
    held: Bag, eyes: int, seen_by: int, data: st.DataObject
) -> None:
    """Law 1 for the two things that happen to a bag; a card that leaves has been seen by its owner at least."""
    if held.slots:
        card = data.draw(st.sampled_from(held.slots)).card
        gone = [Slot(card, seen_by)]
        assert redact(take_out_of_bag(held, gone), eyes) == take_out_of_bag(
            redact(held, eyes), [redact(slot, eyes) for slot in gone]
        )
    new = [Slot(one("2C"), seen_by)]
    assert redact(put_into_bag(held, new), eyes) == put_into_bag(
        redact(held, eyes), [redact(slot, eyes) for slot in new]
    )


def test_a_card_that_leaves_unseen_takes_the_knowledge_with_it() -> None:
    known = make_bag(0, [Slot(one("QS"), PUBLIC), HIDDEN])
    assert take_out_of_bag(known, [HIDDEN]) == make_bag(0, [HIDDEN])
    assert take_out_of_bag(known, [Slot(one("QS"), PUBLIC)]) == make_bag(0, [HIDDEN])
    assert take_out_of_bag(known, [Slot(one("2C"), PUBLIC)]) == make_bag(0, [Slot(one("QS"), PUBLIC)])
    truth = make_bag(0, [Slot(one("QS"), PUBLIC), Slot(one("2C"), eye_of_seat(0))])
    assert take_out_of_bag(truth, [Slot(one("2C"), eye_of_seat(0))]) == make_bag(0, [Slot(one("QS"), eye_of_seat(0))])


def test_a_card_that_a_bag_is_known_not_to_hold_cannot_leave_it() -> None:
    with pytest.raises(ValueError):
        take_out_of_bag(make_bag(0, [Slot(one("QS"), PUBLIC)]), [Slot(one("2C"), PUBLIC)])


def test_what_could_be_held() -> None:
    assert could_hold(make_bag(0, [Slot(one("QS"), PUBLIC)]), one("QS"))
    assert not could_hold(make_bag(0, [Slot(one("QS"), PUBLIC)]), one("2C"))
    assert could_hold(make_bag(0, [Slot(one("QS"), PUBLIC), HIDDEN]), one("2C"))
    assert not could_hold(Bag(0), one("2C"))


def test_a_card_turned_up_forgets_who_had_seen_it() -> None:
    assert turned_face_up(Slot(one("QS"), eye_of_seat(1) | eye_of_seat(2))) == Slot(one("QS"), PUBLIC)


def test_eyes() -> None:
    assert len({DEALER, PUBLIC, *[eye_of_seat(seat) for seat in range(4)]}) == 6
    assert eyes_of_viewer(None) == PUBLIC and eyes_of_viewer(2) == PUBLIC | eye_of_seat(2)
    assert len(make_bag(1, [HIDDEN, HIDDEN])) == 2 and make_bag(1, [HIDDEN]).cards == ()
