"""The rules of thumb of the novice at pinochle, each in the smallest position that shows it. It sits at seat 0."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from p2pcards.cards.card import Suit, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.game import Stage
from p2pcards.games.pinochle.novice import choose, expected_points
from p2pcards.games.pinochle.rules import GAME, PRESETS, Action, Options, State, legal
from p2pcards.games.playing import Pass, Play
from p2pcards.players.choose import choose_at_random

REAL, DOUBLE = PRESETS["real-deal"], PRESETS["double-pack"]
STRONG = "AH TH KH QH JH AC AD TD KS QS 9S JC"  # hearts: flush 150, a marriage 20
WEAK = "9C JC 9D QD TD 9H QH 9S JS QS KC JC"


def up(words: str) -> tuple[Slot, ...]:
    return tuple([Slot(card, PUBLIC) for card in parse_cards(words)])


def view(hand: str, options: Options = REAL) -> State:
    """What seat 0 sees who holds this hand and is to bid first."""
    mine = make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)])
    return State(
        options,
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=3,
        hands=(mine, *[Bag(seat, (HIDDEN,) * len(mine)) for seat in (1, 2, 3)]),
    )


def bidding(hand: str, seat: int, bid: int, options: Options = REAL) -> State:
    """This seat has made the last bid."""
    bids = tuple([bid if each == seat else None for each in range(4)])
    return replace(view(hand, options), bids=bids, bidder=seat)


def chosen(state: State) -> Action:
    """What it does, whatever its luck."""
    choices = [choose(state, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8
    return choices[0]


def played(hand: str, trick: str = "", taken: str = "", options: Options = REAL) -> str:
    """Hearts are trump; the trick was led by the seat after which it is next."""
    state = replace(
        bidding(hand, 0, 150, options),
        passed=(False, True, True, True),
        trump=Suit.HEARTS,
        leader=-len(parse_cards(trick)) % 4,
        trick=up(trick),
        taken=(up(taken), (), (), ()),
    )
    choice = chosen(state)
    assert isinstance(choice, Play)
    return str(choice.card)


# --- the bid ----------------------------------------------------------------------------------------------------------


def test_it_bids_the_least_with_a_strong_hand_and_passes_with_a_weak_one() -> None:
    assert chosen(view(STRONG)) == Bid(150)
    assert chosen(bidding(STRONG, 1, 200)) == Bid(210)
    assert chosen(view(WEAK)) == Pass()


def test_it_stops_where_its_melds_and_tricks_would_not_do() -> None:
    limit = expected_points(parse_cards(STRONG), Suit.HEARTS, "partnership")
    assert 300 < limit < 400
    assert chosen(bidding(STRONG, 1, 300)) == Bid(310)
    assert chosen(bidding(STRONG, 1, 400)) == Pass()


def test_it_bids_over_its_partner_only_with_much_more() -> None:
    assert chosen(bidding(STRONG, 1, 320)) == Bid(330)
    assert chosen(bidding(STRONG, 2, 320)) == Pass()
    assert chosen(bidding(STRONG, 2, 200)) == Bid(210)


def test_it_passes_when_nobody_can_bid_more() -> None:
    rich = "AH TH KH QH JH AH TH KH QH JH AC AD"
    assert chosen(bidding(rich, 1, 990)) == Bid(1000)
    assert chosen(bidding(rich, 1, 1000)) == Pass()


def test_it_names_the_suit_that_is_worth_most() -> None:
    state = replace(bidding(STRONG, 0, 150), passed=(False, True, True, True))
    assert chosen(state) == Name(Suit.HEARTS)
    other = replace(bidding("AS TS KS QS JS 9S AH AC TC 9D JD QD", 0, 150), passed=(False, True, True, True))
    assert chosen(other) == Name(Suit.SPADES)


@pytest.mark.parametrize(("options", "least"), [(REAL, 90), (DOUBLE, 150)])
def test_expected_points_grow_with_the_hand(options: Options, least: int) -> None:
    hands = ("JC JC QD QD JH QH QS", "JC JC TD QD JH QH QS", "JC AC TD QD JH QH QS", "JC AC TD QD AH QH QS")
    worths = [expected_points(parse_cards(hand), Suit.HEARTS, options.game) for hand in hands]
    assert worths == sorted(set(worths)) and worths[0] > least


# --- the play ---------------------------------------------------------------------------------------------------------


def test_it_leads_a_card_that_nobody_beats() -> None:
    assert played("AC 9D JS") == "AC"


def test_it_does_not_count_cards() -> None:
    assert played("TC JS", taken="AC AC 9S 9S") == "JS"
    assert played("QC AC TC", "JC", taken="AC KC KC JC TC QC 9C 9C") == "AC"  # though it may well be trumped


def test_without_one_it_leads_what_counts_least() -> None:
    assert played("TC KC 9D") == "9D"


def test_it_gives_its_partner_what_counts_and_its_opponents_nothing() -> None:
    assert played("KC 9C JC", "JC AC 9C") == "KC"
    assert played("KC 9C JC", "JC TC AC") == "9C"


def test_last_to_play_it_takes_with_what_counts_but_keeps_its_ace() -> None:
    assert played("TC AC", "JC QC KC") == "TC"


def test_before_others_it_takes_with_what_holds() -> None:
    assert played("TC AC", "KC") == "AC"
    assert played("QC QC KC KC TC TC AC AC", "JC") == "QC"  # so few clubs are left that it may be trumped


def test_every_card_is_one_that_it_may_play() -> None:
    assert played("9H JH AS", "KC TH") in ("9H", "JH")
    assert played("9H", "KC TH") == "9H"


def test_the_count_in_use_decides_what_counts() -> None:
    assert played("QC JC", "9C AC KC") == "QC"
    simplified = replace(REAL, count="simplified")
    assert played("QC JC", "9C AC KC", options=simplified) == "JC"


def test_equal_cards_are_one_choice() -> None:
    assert played("KC KC 9C", "JC AC 9C") == "KC"


def test_a_carefree_bidder_passes_or_bids_the_least_evenly() -> None:
    rng, state = Random(4), bidding(STRONG, 1, 200)
    counts = Counter(choose_at_random(GAME, legal(state, 0), rng) for _ in range(400))
    assert set(counts) == {Pass(), Bid(210)} and all(160 < count < 240 for count in counts.values())
