"""The rules of thumb of the novice at auction pitch, each in the smallest position that shows it. It is at seat 0."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Suit, mask_of_cards, parse_cards
from p2pcards.cards.eyes import eyes_of_viewer
from p2pcards.games.auction_pitch.deal import AuctionPitch
from p2pcards.games.auction_pitch.novice import choose
from p2pcards.games.auction_pitch.rules import Action, Options, State, rules_of
from p2pcards.games.bidding import Bid
from p2pcards.games.deals.tricks import Tricks
from p2pcards.games.game import Stage
from p2pcards.games.playing import Pass, Play
from rigs.tricked import pitch

REAL = Options()
DEALT = Options(low_point="dealt")
WEAK = "7C 8D 9S 6H 8C 5D"


def view(
    hand: str, bids: Sequence[int | None] = (None,) * 4, dealer: int = 3, options: Options = REAL, **more: Any
) -> State:
    """What seat 0 sees who holds this hand and is to speak after these bids. more: as `pitch` takes it."""
    number = len(parse_cards(hand))
    fields = pitch(options, (hand, "", "", ""), bids, dealer, hidden=(0, number, number, number, 28), **more)
    fields["deal"].set_turn(0)
    return State(options, eyes=eyes_of_viewer(0), stage=Stage.PLAY, to_act=(0,), hand=1, dealer=dealer, **fields)


def chosen(state: State) -> Action:
    """What it does, whatever its luck."""
    choices = [choose(state, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8
    return choices[0]


def played(hand: str, trick: str = "", trump: Suit | None = Suit.HEARTS, options: Options = REAL) -> str:
    bids = (2, 0, 0, 0) if not trick else (0, 2, 0, 0)
    leader = -len(parse_cards(trick)) % 4
    state = view(hand, bids, options=options, pitcher=bids.index(2), trump=trump, trick=trick, leader=leader)
    choice = chosen(state)
    assert isinstance(choice, Play)
    return str(choice.card)


def expected_points(options: Options, hand: str) -> int:
    """What a hand should make that chooses hearts, in hundredths of a point."""
    cards = mask_of_cards(parse_cards(hand))
    return AuctionPitch(rules_of(options), 0, Tricks(4))._expected_points(cards, Suit.HEARTS)


# --- the bid ----------------------------------------------------------------------------------------------------------


def test_it_makes_the_lowest_bid_that_its_hand_is_good_for() -> None:
    strong = "AH KH JH 2H 9S 5C"
    assert chosen(view(strong)) == Bid(2)
    assert chosen(view(strong, (None, 2, 0, 0), dealer=0)) == Bid(2)
    assert chosen(view(strong, (None, 0, 0, 2), dealer=2)) == Bid(3)


def test_it_passes_with_a_weak_hand_unless_it_must_bid() -> None:
    assert chosen(view(WEAK)) == Pass()
    stuck = Options(stick_dealer=True)
    assert chosen(view(WEAK, (None, 0, 0, 0), dealer=0, options=stuck)) == Bid(2)


def test_it_bids_four_with_all_four_in_hand() -> None:
    assert chosen(view("AH KH QH JH 2H TS")) == Bid(4)
    assert chosen(view("AH KH JH 9H 8S 5C", (None, 0, 0, 3), dealer=2)) == Pass()


@pytest.mark.parametrize(
    ("less", "more"), [("7H", "KH"), ("KH", "AH"), ("AH", "AH KH"), ("AH", "AH 2H"), ("AH", "AH JH")]
)
def test_expected_points_grow_with_the_trumps(less: str, more: str) -> None:
    worths = [expected_points(REAL, f"{hand} 9S 8C 7D") for hand in (less, more)]
    assert 0 < worths[0] < worths[1] <= 400


def test_a_low_card_is_surer_where_low_is_for_who_was_dealt_it() -> None:
    assert expected_points(DEALT, "2H 9S") > expected_points(REAL, "2H 9S")


# --- the play ---------------------------------------------------------------------------------------------------------


def test_it_pitches_the_suit_that_it_has_counted() -> None:
    assert played("AH KH 3H AS 8C 7D", trump=None) in ("AH", "KH", "3H")


def test_it_brings_the_jack_home_when_it_plays_last() -> None:
    assert played("JH 9H 8S", "AC TC KC") == "JH"
    assert played("JH 9H 8S", "2C 3C QH") == "8S"


def test_it_takes_a_ten_and_gives_none_away() -> None:
    assert played("AC 2C 8S", "TC 9C 3C") == "AC"
    assert played("TC 2C 8S", "AC 9C 3C") == "2C"
    assert played("TC 3C", "9C 4C 5C") == "TC"


def test_it_takes_low_where_it_is_for_the_taker_only() -> None:
    assert played("9H 6S", "2H 3C 4C") == "9H"
    assert played("9H 6S 5C", "5S 2H 4S") == "9H"
    assert played("9H 6S 5C", "7S 2H 4S", options=DEALT) == "6S"
