"""The kernels that games of tricks, of partners and of passed cards call."""

from __future__ import annotations

import pytest

from p2pcards.cards.card import Card, Suit, parse_cards
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, eye_of_seat
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.partners import ALONE, TWO_SIDES, partner_of, race_winners, sides_of_four, spread_to_seats
from p2pcards.games.passing import passed_to_left
from p2pcards.games.pinochle.rules import PRESETS, State
from p2pcards.games.tricks import (
    cards_by_player,
    lay_card,
    play_card,
    playable,
    trick_counts,
    trick_layout,
    winning_index,
)
from rigs.tables import face_up, hand, hands
from rigs.tricked import euchre_at


def card(word: str) -> Card:
    return parse_cards(word)[0]


def up(word: str) -> Slot:
    return Slot(card(word), PUBLIC)


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [
        ("5D KD AH JD", None, 1),
        ("5D KD 2S AD", Suit.SPADES, 2),
        ("5D KD 2S AD", None, 3),
        ("5D", Suit.SPADES, 0),
        ("2S 3H 4H AH", Suit.SPADES, 0),
    ],
)
def test_the_winner_of_a_trick(trick: str, trump: Suit | None, place: int) -> None:
    assert winning_index(parse_cards(trick), trump) == place


def test_of_two_equal_cards_the_first_wins() -> None:
    king = card("KH")
    assert winning_index((king, king)) == 0
    assert winning_index((card("AD"), king, king), Suit.HEARTS) == 1


def test_what_is_playable() -> None:
    held = parse_cards("3D KD 2S")
    assert playable(held, ()) == (list(held), "")
    assert playable(held, face_up("5D")) == (list(parse_cards("3D KD")), "you must follow diamonds")
    assert playable(held, face_up("5H AD"))[0] == list(held)


def test_a_full_trick_goes_to_its_taker() -> None:
    state = State(PRESETS["usual"], to_act=(2,), leader=2, hands=hands("AC 2D", "3C 3D", "4C 4D", "5C 5D"))
    for seat, word, after in ((2, "4C", 3), (3, "5C", 0), (0, "AC", 1)):
        state = play_card(state, seat, up(word))
        assert state.to_act == (after,)
    assert cards_by_player(state) == ((2, up("4C")), (3, up("5C")), (0, up("AC")))
    state = play_card(state, 1, up("3C"))
    assert (state.leader, state.to_act, state.trick) == (0, (0,), ())
    assert state.last_trick == tuple(zip((2, 3, 0, 1), parse_cards("4C 5C AC 3C"), strict=True))
    assert state.taken == (face_up("4C 5C AC 3C"), (), (), ())
    assert trick_counts(state.taken) == (1, 0, 0, 0)
    assert [len(held) for held in state.hands] == [1, 1, 1, 1]
    layout = trick_layout(state, ["so far"])
    assert (layout.taker, layout.notes, layout.piles[0].name) == (0, ("so far",), "cards taken")


def test_who_sits_out_is_passed_over() -> None:
    hands_left = ("AC 2D", "3C", "4C", "5C")
    state = euchre_at(euchre.Options(), hands_left, leader=2, trump=Suit.HEARTS, maker=2, out=0)
    state = lay_card(lay_card(state, 2, up("4C")), 3, up("5C"))
    assert state.to_act == (1,)
    assert cards_by_player(state, state.out) == ((2, up("4C")), (3, up("5C")))
    state = lay_card(state, 1, up("3C"))
    assert (state.leader, state.to_act, state.trick) == (3, (3,), ())
    assert state.last_trick == tuple(zip((2, 3, 1), parse_cards("4C 5C 3C"), strict=True))
    assert state.taken == ((), (), (), face_up("4C 5C 3C"))
    assert state.plays() == list(state.last_trick)


def test_the_bowers_are_trumps_and_are_told_as_what_they_are() -> None:
    state = euchre_at(euchre.Options(), ("JH AH", "7D JD", "8D", "9H"), trump=Suit.HEARTS, maker=0)
    state = lay_card(lay_card(state, 0, up("AH")), 1, up("JD"))
    assert state.deal.tricks.taker == 1 and state.trick == face_up("AH JD")
    assert state.hands[:2] == hands("JH", "7D")
    for card_of_pack in euchre.PACKS["32"]:
        assert state.deal.cards_in(1 << state.deal.number_of(card_of_pack)) == 1 << card_of_pack


def test_the_winner_may_be_judged_otherwise() -> None:
    state = State(PRESETS["usual"], leader=0, hands=hands("AC", "3C", "4C", "5C"))
    for seat, word in enumerate(("AC", "3C", "4C", "5C")):
        state = play_card(state, seat, up(word), lambda trick: trick.index(min(trick)))
    assert state.leader == 1


def test_before_any_trick_nobody_has_taken_one() -> None:
    layout = trick_layout(State(PRESETS["usual"]), [])
    assert (layout.taker, layout.trick, layout.piles) == (None, (), ())


# --- cards passed -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [1, 2, 3])
def test_what_is_passed_is_seen_by_giver_and_receiver(way: int) -> None:
    laid = (hand(0, "2C 3C"), Bag(1), hand(2, "4C 5C"), Bag(3))
    taken = passed_to_left(laid, way)
    assert taken[way % 4] == tuple([Slot(each, eye_of_seat(0) | eye_of_seat(way % 4)) for each in parse_cards("2C 3C")])
    assert taken[(2 + way) % 4] == tuple(
        [Slot(each, eye_of_seat(2) | eye_of_seat((2 + way) % 4)) for each in parse_cards("4C 5C")]
    )
    assert sum(map(len, taken)) == 4


# --- sides and scores -----------------------------------------------------------------------------------------------


def test_sides_and_partners() -> None:
    assert (sides_of_four(True), sides_of_four(False)) == (TWO_SIDES, ALONE)
    assert [partner_of(seat) for seat in range(4)] == [2, 3, 0, 1]
    assert spread_to_seats(TWO_SIDES, ["a", "b"]) == ("a", "b", "a", "b")
    assert spread_to_seats(ALONE, [1, 2, 3, 4]) == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("totals", "winners"),
    [
        ((499, 0, 499, 0), ()),
        ((500, 0, 500, 0), (0, 2)),
        ((500, 501, 500, 501), (1, 3)),
        ((501, 501, 501, 501), ()),
        ((-1, -2, -1, -2), ()),
    ],
)
def test_a_race_is_won_by_the_one_side_with_the_best_total(totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert race_winners(TWO_SIDES, totals, 500) == winners


def test_alone_the_best_two_level_win_nothing() -> None:
    assert race_winners(ALONE, (7, 3, 8, 8), 7) == ()
    assert race_winners(ALONE, (7, 3, 9, 8), 7) == (2,)
