"""The rules of thumb of the novice at bid pinochle, each in the smallest position that shows it. It sits at seat 0."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from p2pcards.cards.card import Suit, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.game import Stage
from p2pcards.games.pinochle_bid.novice import choose, expected_points
from p2pcards.games.pinochle_bid.rules import GAME, Accept, Action, Concede, Options, Reject, State, legal
from p2pcards.games.playing import Pass, Play
from p2pcards.players.choose import choose_at_random

BID = Options()
STRONG = "AH TH KH QH JH AC AD TD KS QS 9S JC"  # hearts: run 15, a marriage 2


def up(words: str) -> tuple[Slot, ...]:
    return tuple([Slot(card, PUBLIC) for card in parse_cards(words)])


def view(hand: str, **changes: object) -> State:
    """What seat 0 sees who holds this hand and is to bid first."""
    mine = make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)])
    state = State(
        BID,
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=1,
        hands=(mine, Bag(1, (HIDDEN,) * len(mine))),
    )
    return replace(state, **changes)  # type: ignore[arg-type]


def chosen(state: State) -> Action:
    """What it does, whatever its luck."""
    choices = [choose(state, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8
    return choices[0]


def played(hand: str, trick: str = "", taken: str = "") -> str:
    """Hearts are trump."""
    filler = "9S " * (
        24
        - 2 * len(parse_cards(hand))
        - len(parse_cards(trick))
        - len(parse_cards(taken))
        + len(parse_cards(trick)) % 2
    )
    state = view(hand, bid=12, owner=0, trump=Suit.HEARTS, trick=up(trick), leader=len(parse_cards(trick)))
    choice = chosen(replace(state, taken=(up(filler + taken), ())))
    assert isinstance(choice, Play)
    return str(choice.card)


# --- the selection ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "offered", "action"),
    [
        ("", "AC", Accept()), ("", "TC", Accept()), ("", "KC", Accept()),
        ("", "QC", Reject()), ("KC", "QC", Accept()), ("KD", "QC", Reject()),
        ("", "JD", Reject()), ("QS", "JD", Accept()), ("QH", "JD", Reject()), ("JD", "QS", Accept()),
        ("9C", "9C", Reject()), ("JC", "JH", Reject()),
    ],
)  # fmt: skip
def test_it_accepts_what_counts_or_makes_a_meld(hand: str, offered: str, action: Action) -> None:
    stock = (Slot(parse_cards(offered)[0], eye_of_seat(0)), *[HIDDEN] * 21)
    assert chosen(view(hand, options=replace(BID, deal="selection"), stock=stock)) == action


# --- the bid ----------------------------------------------------------------------------------------------------------


def test_it_bids_the_least_with_a_strong_hand_and_passes_with_a_weak_one() -> None:
    assert chosen(view(STRONG)) == Bid(12)
    assert chosen(view(STRONG, bid=15)) == Bid(16)
    assert chosen(view(STRONG, bid=25)) == Pass()
    assert chosen(view("9C JC 9D QD TD 9H QH 9S JS QS KC JC")) == Pass()


def test_it_does_not_bid_without_a_suit_to_name() -> None:
    hand = "AC AC AD AD AH AH AS AS TC TD TH TS"
    assert chosen(view(hand)) == Pass()
    assert chosen(view(hand, bid=12, owner=0)) == Concede()


def test_it_passes_when_nobody_can_bid_more() -> None:
    assert chosen(view("AH TH KH QH JH AH TH KH QH JH AC AC", bid=140)) == Bid(141)
    assert chosen(view("AH TH KH QH JH AH TH KH QH JH AC AC", bid=250)) == Pass()


def test_it_names_the_suit_that_is_worth_most() -> None:
    assert chosen(view(STRONG, bid=12, owner=0)) == Name(Suit.HEARTS)
    assert chosen(view("9C AD TD AH AS TS KS JS 9H JH TH TC", bid=12, owner=0)) in (Name(Suit.CLUBS), Name(Suit.HEARTS))


@pytest.mark.parametrize("deal", ["automatic", "selection"])
def test_expected_points_grow_with_the_hand(deal: str) -> None:
    hands = ("JC JC QD QD JH QH QS", "JC JC TD QD JH QH QS", "JC AC TD QD JH QH QS", "JC AC TD QD AH QH QS")
    worths = [expected_points(parse_cards(hand), Suit.HEARTS, deal) for hand in hands]
    assert worths == sorted(set(worths)) and worths[0] >= 2


# --- the play ---------------------------------------------------------------------------------------------------------


def test_it_takes_what_counts_with_what_does_it() -> None:
    assert played("QC AC 9D", "KC") == "AC"
    assert played("9H AS 9D", "KC") == "9H"


def test_it_does_not_trump_what_counts_nothing() -> None:
    assert played("9H JS 9D", "9C") in ("JS", "9D")


def test_it_throws_what_does_not_count_on_what_it_cannot_take() -> None:
    assert played("KC 9C", "AC") == "9C"
    assert played("TS 9D", "AC") == "9D"


def test_it_leads_what_nobody_beats() -> None:
    assert played("AC 9D JS") == "AC"


def test_a_carefree_bidder_passes_or_bids_the_least_evenly() -> None:
    rng, state = Random(4), view(STRONG, bid=15)
    counts = Counter(choose_at_random(GAME, legal(state, 0), rng) for _ in range(400))
    assert set(counts) == {Pass(), Bid(16)} and all(160 < count < 240 for count in counts.values())
