"""A hand in the order that its player wants."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import parse_cards
from p2pcards.frontend.words import NotUnderstood, move_card, sort_hand
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import (
    ORDERS,
    Arrangement,
    Style,
    hand_groups,
    hand_words,
    reset_arrangement,
    update_arrangement,
    usual_arrangement,
)
from p2pcards.store.settings import SORTS
from p2pcards.views.tableview import TableView, TrumpView

PLAIN = Style(ascii=True)
VIEW = TableView("listener", "play", trump=TrumpView("hearts"))


def hand(words: str) -> tuple[int, ...]:
    return tuple(map(int, parse_cards(words)))


def shown(arrangement: Arrangement, words: str = "4D 3H AS 2D 4S", trump: str = "") -> str:
    return " ".join(hand_words(hand_groups(arrangement, hand(words), trump), PLAIN))


def test_by_suit_colours_alternate() -> None:
    assert shown(Arrangement("suit"), "2C KS 3H 9S") == "9S KS  3H  2C"
    assert shown(Arrangement("suit"), "4D 3H AS 2D") == "3H  AS  2D 4D"
    assert shown(Arrangement("suit"), "") == ""


def test_by_rank_and_with_trump_at_the_right() -> None:
    assert shown(Arrangement("rank")) == "2D  3H  4D 4S  AS"
    assert shown(Arrangement("trump"), trump="diamonds") == "3H  4S AS  2D 4D"
    assert shown(Arrangement("trump"), trump="") == shown(Arrangement("suit"))


def test_in_pinochle_tens_lie_above_the_kings() -> None:
    words = "AS TS KS 9S JH TH"
    assert shown(usual_arrangement("pinochle2"), words) == "9S  JH  KS  TH TS  AS".replace("T", "10")
    assert shown(usual_arrangement("pinochle"), words) == "9S KS 10S AS  JH 10H"
    assert shown(usual_arrangement("hearts"), words) == "9S 10S KS AS  10H JH"
    assert shown(usual_arrangement("pinochle2", "suit"), words) == shown(usual_arrangement("pinochle"), words)
    assert (
        shown(sort_hand(["off"], update_arrangement(usual_arrangement("pinochle2"), hand(words)), VIEW), words)
        == "9S JH KS 10H 10S AS"
    )


def test_a_hand_is_held_as_its_game_has_it_or_as_its_player_wants() -> None:
    assert [key for key in GAMES if usual_arrangement(key).order != "suit"] == ["cribbage", "pinochle2"]
    assert {usual_arrangement(key, "trump").order for key in (*GAMES, None)} == {"trump"}
    assert tuple(ORDERS) == SORTS


def test_unsorted_what_comes_lies_at_the_right() -> None:
    arrangement = update_arrangement(
        sort_hand(["off"], update_arrangement(Arrangement("rank"), hand("4D 2D AS")), VIEW), hand("4D AS 3H")
    )
    assert shown(arrangement, "AS 4D 3H") == "4D AS 3H"


def test_a_card_is_moved_from_where_it_is_shown() -> None:
    held = update_arrangement(Arrangement("suit"), hand("9S KS 3H 2C"))
    assert shown(move_card(["2C", "KS"], held, VIEW), "9S KS 3H 2C") == "9S 2C KS 3H"
    assert shown(move_card(["9S"], held, VIEW), "9S KS 3H 2C") == "KS 3H 2C 9S"
    assert shown(move_card(["k\u2660", "2c"], held, VIEW), "9S KS 3H 2C") == "9S 3H KS 2C"
    twice = move_card(["9S"], move_card(["2C", "KS"], held, VIEW), VIEW)
    assert shown(twice, "9S KS 3H 2C") == "2C KS 3H 9S"


def test_of_two_cards_that_are_alike_the_one_at_its_place_is_moved() -> None:
    words = "QD TS 9H TS QD"
    held = sort_hand(["off"], update_arrangement(Arrangement("off"), hand(words)), VIEW)
    first = shown(held, words).split()
    for place, before in ((4, 2), (0, 3), (4, 0), (3, None), (0, None)):
        typed = [str(place + 1), *([] if before is None else [str(before + 1)])]
        others = [*first[:place], *first[place + 1 :]]
        at = len(others) if before is None else before - (before > place)
        assert shown(move_card(typed, held, VIEW), words).split() == [*others[:at], first[place], *others[at:]], typed


def test_a_hand_that_was_moved_is_sorted_again_when_a_card_comes_unless_sorting_is_off() -> None:
    words = "9S KS 3H 2C"
    put = move_card(["9S"], update_arrangement(Arrangement("suit"), hand(words)), VIEW)
    played = update_arrangement(put, hand("9S KS 2C"))
    assert shown(played, "9S KS 2C") == "KS 2C 9S"
    assert shown(update_arrangement(played, hand("9S KS 2C AH")), "9S KS 2C AH") == "9S KS  AH  2C"
    off = move_card(["9S"], sort_hand(["off"], update_arrangement(Arrangement("suit"), hand(words)), VIEW), VIEW)
    assert shown(update_arrangement(off, hand(f"{words} AH")), f"{words} AH") == "KS 3H 2C 9S AH"
    assert shown(sort_hand(["suit"], put, VIEW), words) == "9S KS  3H  2C"


def test_in_two_handed_pinochle_the_suits_lie_from_clubs_to_hearts() -> None:
    words = "AH TS KS 9D JH TC"
    assert shown(usual_arrangement("pinochle2", "suit"), words) == "10C  9D  KS 10S  JH AH"
    assert shown(usual_arrangement("pinochle2", "trump"), words, "diamonds") == "10C  KS 10S  JH AH  9D"
    assert shown(usual_arrangement("pinochle2", "suit"), "AH JC KS") == "JC  KS  AH"


def test_nothing_moves_when_a_suit_runs_out() -> None:
    held = update_arrangement(Arrangement("suit"), hand("9S KS 3H 2C 4D"))
    assert shown(held, "9S KS 3H 2C 4D") == "9S KS  3H  2C  4D"
    held = update_arrangement(held, hand("9S KS 2C 4D"))
    assert shown(held, "9S KS 2C 4D") == "9S KS  2C  4D"
    assert shown(Arrangement("suit"), "9S KS 2C 4D") == "9S KS  4D  2C"
    assert shown(update_arrangement(reset_arrangement(held), hand("9S KS 2C 4D")), "9S KS 2C 4D") == "9S KS  4D  2C"


def test_a_suit_that_comes_lies_where_black_and_red_are_most_in_turn_and_moves_no_other() -> None:
    held = update_arrangement(Arrangement("suit"), hand("9S 3H 4D"))
    assert shown(held, "9S 3H 4D") == "3H  9S  4D"
    assert shown(update_arrangement(held, hand("9S 3H 4D 2C")), "9S 3H 4D 2C") == "2C  3H  9S  4D"
    assert (
        shown(update_arrangement(update_arrangement(held, hand("9S 4D")), hand("9S 4D 5H")), "9S 4D 5H") == "5H  9S  4D"
    )


@pytest.mark.parametrize("typed", [["zz"], ["AS"], ["9S", "AS"], ["9S", "9S"], ["0"], ["3"], ["1", "1"], ["1", "9S"]])
def test_cards_that_cannot_be_moved(typed: list[str]) -> None:
    with pytest.raises(NotUnderstood, match="two different cards in your hand"):
        move_card(typed, update_arrangement(Arrangement(), hand("9S KS")), VIEW)


def test_an_order_that_there_is_not() -> None:
    with pytest.raises(NotUnderstood, match=r"'colour'.* suit: .* rank: .* trump: .* off: "):
        sort_hand(["colour"], Arrangement(), VIEW)


HANDS = st.lists(st.sampled_from(hand("2C 3C AC 2D TD 3H QH KS AS") * 2), max_size=14)


@given(st.lists(HANDS, min_size=1, max_size=5), st.sampled_from(list(ORDERS)), st.sampled_from(["", "hearts"]))
def test_no_card_is_lost_or_shown_twice(hands: list[list[int]], order: str, trump: str) -> None:
    arrangement = Arrangement(order)
    for held in hands:
        arrangement = update_arrangement(arrangement, held)
        there = [int(card) for group in hand_groups(arrangement, held, trump) for card in group]
        assert Counter(there) == Counter(held) == Counter(arrangement.cards)
