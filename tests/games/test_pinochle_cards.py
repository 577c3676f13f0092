"""The cards of pinochle: their order, who takes a trick, what may be played, what cards are worth."""

from __future__ import annotations

from itertools import pairwise

import pytest

from p2pcards.cards.card import BACK, SUITS, Suit, parse_cards
from p2pcards.games.pinochle_cards import ORIGINAL, counted_card, playable, points_of_values, winning_place
from p2pcards.games.pinochle_melds import PARTNERSHIP_PACK
from rigs.tables import face_up

HEARTS = Suit.HEARTS


def plays(held: str, trick: str, *, to_trump: bool, to_win: tuple[Suit, ...]) -> tuple[str, str]:
    allowed, rule = playable(parse_cards(held), face_up(trick), HEARTS, to_trump=to_trump, to_win=to_win)
    return " ".join(map(str, allowed)), rule


@pytest.mark.parametrize("suit", "CDHS")
def test_the_ten_ranks_between_king_and_ace(suit: str) -> None:
    order = [counted_card(card) for card in parse_cards(" ".join(rank + suit for rank in "ATKQJ987"))]
    assert all(higher > lower for higher, lower in pairwise(order))
    assert {card.suit for card in order} == {SUITS["CDHS".index(suit)]}
    assert (order[0].rank, order[-1].rank) == (14, 7)


def test_the_number_of_an_open_copy_does_not_count() -> None:
    (plain, laid) = parse_cards("TH TH''")
    assert counted_card(plain) == counted_card(laid) and counted_card(laid).copy == 0
    assert counted_card(BACK) == BACK


@pytest.mark.parametrize(
    ("trick", "place"),
    [
        ("KC TC AC QC", 2), ("KC TC 9C QC", 1), ("TC TC KC 9C", 0), ("KC AC AC TC", 1), ("KC AC 9H AH", 3),
        ("KC 9H AC 9H", 1), ("JH QS AS TS", 0), ("9C AS", 0), ("9C JC", 1), ("TH AH'", 1),
    ],
)  # fmt: skip
def test_the_highest_trump_takes_or_the_highest_of_the_suit_led_the_first_of_equals(trick: str, place: int) -> None:
    assert winning_place(parse_cards(trick), HEARTS) == place


def test_without_trump_the_highest_of_the_suit_led_takes() -> None:
    assert winning_place(parse_cards("KC AH TC"), None) == 2


def test_every_card_may_be_led() -> None:
    assert plays("9H TC AC", "", to_trump=True, to_win=SUITS) == ("9H TC AC", "")


@pytest.mark.parametrize(
    ("held", "trick", "duty", "trump_duty", "free"),
    [  # one who must win each suit; one who must win trumps only; one who must follow only
        ("TC 9C AC 9H", "KC", "TC AC", "TC 9C AC", "TC 9C AC"),
        ("QC 9C 9H", "KC", "QC 9C", "QC 9C", "QC 9C"),
        ("KC 9C", "KC", "KC 9C", "KC 9C", "KC 9C"),
        ("AC 9C", "KC JH", "AC 9C", "AC 9C", "AC 9C"),
        ("9H AH AS", "KC", "9H AH", "9H AH", "9H AH AS"),
        ("9H AH AS", "KC JH", "AH", "9H AH", "9H AH AS"),
        ("9H JH AS", "KC JH", "9H JH", "9H JH", "9H JH AS"),
        ("AS 9D", "KC JH", "AS 9D", "AS 9D", "AS 9D"),
        ("TH JH AS", "KH", "TH", "TH", "TH JH"),
        ("AS 9D", "KH", "AS 9D", "AS 9D", "AS 9D"),
    ],
)
def test_the_duties(held: str, trick: str, duty: str, trump_duty: str, free: str) -> None:
    assert plays(held, trick, to_trump=True, to_win=SUITS)[0] == duty
    assert plays(held, trick, to_trump=True, to_win=(HEARTS,))[0] == trump_duty
    assert plays(held, trick, to_trump=False, to_win=())[0] == free


def test_the_rule_is_said_that_bars_the_others() -> None:
    assert plays("TC 9C 9H", "KC", to_trump=True, to_win=SUITS)[1] == "you must follow clubs, and beat KC if you can"
    assert plays("TC 9C 9H", "KC", to_trump=True, to_win=(HEARTS,))[1] == "you must follow clubs"
    assert plays("TC 9H", "KC 9H", to_trump=True, to_win=SUITS)[1] == "you must follow clubs"
    assert plays("9H AS", "KC", to_trump=True, to_win=SUITS)[1] == "you must trump"
    assert plays("QH 9H AS", "KC JH", to_trump=True, to_win=SUITS)[1] == "you must trump, and beat JH if you can"


def test_card_points_count_by_rank() -> None:
    assert points_of_values(PARTNERSHIP_PACK, ORIGINAL) == 240
    assert points_of_values(parse_cards("AH TH KH QH JH 9H"), ORIGINAL) == 30
    assert points_of_values(parse_cards("AH' QS"), {14: 1}) == 1
