"""What travels of an event: the outcome for everybody, the faces for one seat; and what a hostile one may not do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, redact, slots_of
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.outcome import Outcome, WrongFaces, add_faces, add_outcome, private_faces, public_outcome
from p2pcards.games.playing import Played

PACK = hearts.PACK
BACKS = (BACK,) * 52
START = hearts.GAME.start(replace(hearts.Options(), passing="none"), 3)


def test_the_outcome_of_a_deal_names_the_leader_and_the_faces_are_its_hand() -> None:
    event = hearts.deal(START, PACK, ())
    watched = hearts.deal(redact(START, PUBLIC), BACKS, ())
    outcome = public_outcome(event, watched)
    assert outcome == Outcome(values=((1, 0),)) and outcome and not Outcome()
    mine = add_outcome(hearts.deal(redact(START, eyes_of_viewer(2)), BACKS, ()), outcome, 4)
    faces = private_faces(event, mine, eyes_of_viewer(2))
    assert faces == PACK[2::4]
    assert add_faces(mine, faces, eyes_of_viewer(2)) == redact(event, eyes_of_viewer(2))


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(cards=((52, PACK[0]),)),
        Outcome(values=((2, 0),)),
        Outcome(values=((1, 4),)),
        Outcome(values=((1, -1),)),
        Outcome(values=((0, 1),)),
    ],
    ids=["no such slot", "no such field", "no such seat", "below the seats", "a field that is no seat"],
)
def test_an_outcome_that_does_not_fit_is_refused(outcome: Outcome) -> None:
    with pytest.raises(WrongFaces):
        add_outcome(hearts.deal(redact(START, PUBLIC), BACKS, ()), outcome, 4)


def test_an_outcome_that_contradicts_what_is_known_is_refused() -> None:
    event = Played(1, Slot(PACK[3], PUBLIC))
    assert add_outcome(event, Outcome(), 4) == event
    with pytest.raises(WrongFaces):
        add_outcome(event, Outcome(cards=((0, PACK[4]),)), 4)
    with pytest.raises(WrongFaces):
        add_outcome(event, Outcome(values=((0, 2),)), 4)


@pytest.mark.parametrize("number", [0, 12, 14])
def test_faces_of_a_wrong_number_are_refused(number: int) -> None:
    mine = hearts.deal(redact(START, eyes_of_viewer(2)), BACKS, ())
    with pytest.raises(WrongFaces, match=f"{number} faces came where 13 are due"):
        add_faces(mine, PACK[:number], eyes_of_viewer(2))


CARDS = st.sampled_from(PACK)


@given(
    st.lists(st.tuples(st.integers(-3, 60), CARDS), max_size=4),
    st.lists(st.tuples(st.integers(-3, 5), st.integers(-2, 9)), max_size=2),
    st.lists(CARDS, max_size=14),
)
def test_whatever_comes_with_a_deal_gives_an_event_or_wrong_faces(
    turned: list[tuple[int, Card]], values: list[tuple[int, int]], faces: list[Card]
) -> None:
    mine = hearts.deal(redact(START, eyes_of_viewer(1)), BACKS, ())
    try:
        event = add_faces(add_outcome(mine, Outcome(tuple(turned), tuple(values)), 4), tuple(faces), eyes_of_viewer(1))
    except WrongFaces:
        return
    assert isinstance(event, hearts.Dealt) and len(slots_of(event)) == 52
    assert all(place >= 0 for place, _ in (*turned, *values))
