"""Rule sheet 13: every rule, decision and worked result of bid pinochle; what melds are worth is in
test_pinochle_melds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2pcards.cards.card import BACK, Card, Suit, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Slot, eye_of_seat, eyes_of_viewer, redact
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.dealing import Dealt
from p2pcards.games.game import Items, Layout, Stage, Trump
from p2pcards.games.pinochle_bid.rules import (
    COUNT,
    GAME,
    PACK,
    PRESETS,
    Accept,
    Accepted,
    Action,
    Concede,
    Event,
    Options,
    Reject,
    Rejected,
    State,
    nameable_suits,
    score_items,
)
from p2pcards.games.pinochle_cards import points_of_values
from p2pcards.games.playing import Pass, Passed, Play, Played
from p2pcards.games.showing import Shown
from rigs.tables import act, face_up, hand, hands, hands_played, refusal, stacked

BID = PRESETS["bid"]
SELECTION = replace(BID, deal="selection")
CLUBS, HEARTS = Suit.CLUBS, Suit.HEARTS
# Seat 0 has K-Q of hearts and nines of clubs and hearts, seat 1 nothing that it could name.
HANDS = ("9C TC QC 9D TD QD 9H JH QH KH TH AH", "JC JC AC AC JD JD AD KD TS TS AS KS")
COUNTING = "AC"  # one point


def card(word: str) -> Card:
    return parse_cards(word)[0]


def dealt(
    options: Options = BID, dealer: int = 1, wanted: Sequence[str] = HANDS, scores: tuple[int, ...] = (0, 0)
) -> State:
    start: State = replace(GAME.start(options, dealer), scores=scores)
    order = stacked((), dealer, wanted)
    rest = list((Counter(PACK) - Counter(order)).elements())
    state: State = GAME.play(start, GAME.deal(start, (*order, *rest), ()))
    return state


def shown(bid: int = 12) -> State:
    """Seat 0 has the bid and has named hearts; the melds are shown."""
    return act(GAME, dealt(), Bid(bid), Pass(), Name(HEARTS))


def naming(held: str) -> State:
    """Seat 0 owns the bid and is to name trump."""
    return State(
        BID, stage=Stage.PLAY, to_act=(0,), hand=1, dealer=1, hands=hands(held, HANDS[1]), bid=12, owner=0
    )  # fmt: skip


def finished(
    bid: int, melds: tuple[int, int], taken: tuple[int, int], scores: tuple[int, int] = (0, 0), tricks: int = 11
) -> State:
    """The state after the last trick, as in `ending`."""
    return act(GAME, ending(bid, melds, taken, scores, tricks), Play(card("9H")))


def ending(
    bid: int, melds: tuple[int, int], taken: tuple[int, int], scores: tuple[int, int] = (0, 0), tricks: int = 11
) -> State:
    """The state before the last card of the last trick, which seat 0 takes without a counting card. Seat 0 has the
    bid; melds and counting cards of both; tricks: how many of the eleven others seat 0 has taken."""
    cards_of = [
        [COUNTING] * count + ["9S"] * (2 * number - count)
        for count, number in zip(taken, (tricks, 11 - tricks), strict=True)
    ]
    state = State(
        BID,
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=1,
        scores=scores,
        hands=hands("JH", "9H"),
        bid=bid,
        owner=0,
        trump=HEARTS,
        melds=tuple([((("aces", points),) if points else ()) for points in melds]),
        taken=tuple([face_up(" ".join(words)) for words in cards_of]),
    )
    return act(GAME, state, Play(card("JH")))


def told(state: State, event: Event) -> list[tuple[int | None, str]]:
    return [(remark.seat, remark.words) for remark in GAME.remarks(state, event, GAME.play(state, event))]


def legal(held: str, trick: str = "") -> str:
    seat = len(parse_cards(trick))
    state = replace(
        shown(), to_act=(seat,), hands=tuple([hand(each, held) for each in range(2)]), trick=face_up(trick)
    )  # fmt: skip
    state = replace(state, taken=(face_up("9S " * (24 - 2 * len(parse_cards(held)) - seat)), ()))
    return " ".join(str(action.card) for action in GAME.legal(state, seat) if isinstance(action, Play))


# --- the worked results -----------------------------------------------------------------------------------------------


def test_result_1_the_bid_is_made() -> None:
    state = finished(15, (8, 4), (9, 3), tricks=9)
    assert state.scores == (17, 7)
    assert state.sheet and state.sheet.items == ((("aces", 8), ("cards", 9)), (("aces", 4), ("cards", 3)))


def test_result_2_the_bid_is_lost_and_who_has_no_trick_scores_nothing() -> None:
    state = finished(15, (5, 6), (9, 0))
    assert state.scores == (-15, 0)
    assert state.sheet and state.sheet.items == ((("set: 14 of 15", -15),), (("no trick", 0),))


def test_result_3_the_starter_passes_at_once() -> None:
    state = act(GAME, dealt(dealer=0), Pass())
    assert (state.owner, state.bid, state.to_act) == (0, 12, (0,))
    assert score_items(0, 12, [(("aces", 5),), ()], [parse_cards("AC AC AC AD AD AD"), ()])[0] == (
        ("set: 11 of 12", -12),
    )


def test_result_4_the_limit_must_be_exceeded() -> None:
    over = finished(10, (10, 0), (0, 7), (90, 90), tricks=5)
    assert (over.scores, over.stage, over.winners) == ((100, 97), Stage.DEAL, ())
    both = finished(10, (10, 0), (1, 4), (90, 100), tricks=5)
    assert (both.scores, both.stage, both.winners) == ((101, 104), Stage.OVER, (1,))
    level = finished(10, (10, 0), (1, 1), (90, 100), tricks=5)
    assert (level.scores, level.stage, level.winners) == ((101, 101), Stage.DEAL, ())
    one = finished(10, (10, 0), (1, 1), (90, 50), tricks=5)
    assert (one.stage, one.winners, one.to_act) == (Stage.OVER, (0,), ())


# --- the pack and the deal --------------------------------------------------------------------------------------------


def test_the_automatic_deal_gives_24_cards_alternately_and_leaves_24() -> None:
    state = dealt()
    assert [" ".join(map(str, held.cards)) for held in state.hands] == [
        " ".join(map(str, sorted(parse_cards(words)))) for words in HANDS
    ]
    watched = redact(state, PUBLIC)
    assert watched.stock == (HIDDEN,) * 24 and not state.selecting and state.to_act == (0,)
    assert [pile.name for pile in GAME.layout(watched).piles] == ["not dealt"]
    assert redact(state, eyes_of_viewer(0)).hands[1].cards == ()


def test_d_gen_1_both_may_be_drawn_as_first_dealer() -> None:
    start = GAME.start(BID, None)
    drawn = Counter([GAME.play(start, GAME.deal(start, (), (first,))).dealer for first in PACK])
    assert drawn == {0: 24, 1: 24}
    assert GAME.next_first_dealer(GAME.start(BID, 0)) == 1


def test_d_bp_1_each_looks_at_the_first_of_two_cards_in_turn() -> None:
    state = dealt(SELECTION)
    assert state.selecting and state.to_act == (0,) and [len(held) for held in state.hands] == [0, 0]
    first, second, third, fourth, *_ = [slot.card for slot in state.stock]
    for eyes, seen in ((eyes_of_viewer(0), first), (eyes_of_viewer(1), BACK), (PUBLIC, BACK)):
        assert redact(state, eyes).stock[0].card == seen
    assert GAME.legal(state, 0) == (Accept(), Reject())
    after = act(GAME, state, Accept())
    assert after.hands[0].slots == (Slot(first, eye_of_seat(0)),) and after.laid == (Slot(second),)
    assert after.to_act == (1,) and after.stock[0] == Slot(third, eye_of_seat(1)) and len(after.stock) == 46
    after = act(GAME, after, Reject())
    assert after.hands[1].slots == (Slot(fourth, eye_of_seat(1)),) and after.laid == (
        Slot(second),
        Slot(third, eye_of_seat(1)),
    )
    assert redact(after, eyes_of_viewer(0)).laid == (HIDDEN, HIDDEN) and redact(after, PUBLIC).hands[1].cards == ()


def test_what_is_seen_in_the_selection_travels_to_its_seat_only() -> None:
    state = dealt(SELECTION)
    other = redact(state, PUBLIC)
    second, third = state.stock[1].card, state.stock[2].card
    assert GAME.decide(state, 0, Accept()) == Accepted(0, (Slot(third, eye_of_seat(1)),))
    assert GAME.decide(state, 0, Reject()) == Rejected(0, Slot(second, eye_of_seat(0)), (Slot(third, eye_of_seat(1)),))
    assert GAME.decide(other, 0, Reject()) == Rejected(0, Slot(BACK, eye_of_seat(0)), (Slot(BACK, eye_of_seat(1)),))


def test_after_twelve_turns_each_the_starter_bids() -> None:
    state = dealt(SELECTION)
    for turn in range(24):
        assert state.to_act == (turn % 2,)
        assert [pile.name for pile in GAME.layout(state).piles][:2] == ["card offered", "stock"]
        state = act(GAME, state, Accept() if turn % 3 else Reject())
    assert not state.selecting and [len(held) for held in state.hands] == [12, 12]
    assert (len(state.laid), state.stock, state.to_act) == (24, (), (0,))
    assert [pile.name for pile in GAME.layout(state).piles] == ["discards"]
    assert GAME.legal(state, 0)[:2] == (Pass(), Bid(12))
    assert refusal(GAME, state, 0, Accept()) == "all the cards have been dealt"


# --- the bidding ------------------------------------------------------------------------------------------------------


def test_d_bp_2_who_did_not_deal_begins_and_raises_are_by_one_or_more() -> None:
    state = dealt(dealer=0)
    assert state.to_act == (1,)
    assert GAME.legal(state, 1) == (Pass(), *[Bid(points) for points in range(12, 251)])
    state = act(GAME, state, Bid(12))
    assert GAME.legal(state, 0)[:2] == (Pass(), Bid(13))
    assert GAME.layout(state).seats == ("", "bid 12")
    for points in (12, 0, -1, 251):
        assert refusal(GAME, state, 0, Bid(points)) == "bid 13 to 250"
    state = act(GAME, state, Bid(20), Bid(21), Pass())
    assert (state.owner, state.bid, state.to_act) == (1, 21, (1,))
    assert refusal(GAME, state, 1, Bid(22)) == refusal(GAME, state, 1, Pass()) == "the bidding is over"


def test_d_bp_2_a_bid_that_is_dropped_is_owned_at_the_opening_bid() -> None:
    state = act(GAME, dealt(replace(BID, opening_bid=30)), Pass())
    assert (state.owner, state.bid, state.to_act) == (1, 30, (1,))
    assert GAME.legal(state, 1) == tuple([Name(suit) for suit in nameable_suits(parse_cards(HANDS[1]))]) or (Concede(),)


def test_d_gen_10_nobody_bids_more_than_250() -> None:
    state = act(GAME, dealt(), Bid(250))
    assert GAME.legal(state, 1) == (Pass(),)
    assert refusal(GAME, state, 1, Bid(251)) == "nobody can bid more than 250, so pass"


# --- trump ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "suits"),
    [
        ("KC QC AD", "C"), ("9D AD", "D"), ("KH QS", ""), ("KC KC AD TD", ""), ("9C KD QD 9H KS QS", "CDHS"), ("", ""),
    ],
)  # fmt: skip
def test_a_suit_is_named_with_king_and_queen_or_a_nine(held: str, suits: str) -> None:
    assert "".join(suit.name[0] for suit in nameable_suits(parse_cards(held))) == suits


def test_example_8_a_suit_without_them_is_refused() -> None:
    state = naming("9C TC JC AD TD KH QS JS AS 9H TH JH")
    assert GAME.legal(state, 0) == (Name(CLUBS), Name(HEARTS))
    rule = "to name trump, you need its king and queen, or its nine"
    assert refusal(GAME, state, 0, Name(Suit.SPADES)) == rule
    assert refusal(GAME, state, 0, Concede()) == "you can't concede, since you can name clubs as trump"
    GAME.verify(redact(state, PUBLIC), 0, Name(Suit.SPADES))
    GAME.verify(redact(state, eyes_of_viewer(1)), 0, Concede())


def test_d_bp_3_without_a_suit_to_name_they_lose_their_bid_and_no_card_is_played() -> None:
    state = naming("AC TC KC AD TD KD AH TH KH AS TS KS")
    assert GAME.legal(state, 0) == (Concede(),)
    assert GAME.layout(state).notes == ("{0} won the bid at 12",)
    assert GAME.says(state, 0, Concede()) == "concede the bid of 12: no suit to name"
    assert GAME.own(state, 0) == ("no suit you can name as trump",)
    assert refusal(GAME, state, 0, Name(CLUBS))
    state = act(GAME, state, Concede())
    assert (state.stage, state.scores, state.dealer, state.to_act) == (Stage.DEAL, (-12, 0), 0, ())
    assert state.sheet and state.sheet.items == ((("no suit to name", -12),), ())


def test_who_could_not_name_their_trump_is_found_out_by_their_melds() -> None:
    state = replace(naming("AC TC KC AD TD KD AH TH KH AS TS KS"), eyes=PUBLIC)
    view = redact(state, PUBLIC)
    view = GAME.play(view, GAME.decide(view, 0, Name(CLUBS)))
    hidden = (HIDDEN,) * 12
    with pytest.raises(ValueError, match="could not name clubs"):
        GAME.play(view, Shown((hidden, hidden)))
    with pytest.raises(ValueError, match="could not name clubs"):
        GAME.play(view, Shown(((*face_up("AC AD AH AS"), *hidden[4:]), hidden)))
    assert GAME.play(view, Shown(((*face_up("9C"), *hidden[1:]), hidden))).melds == ((("deece", 1),), ())


# --- melds and play ---------------------------------------------------------------------------------------------------


def test_both_show_their_melds_and_take_them_back() -> None:
    state = shown()
    assert state.melds == ((("run", 15), ("deece", 1)), ())
    assert " ".join(str(slot.card) for slot in state.hands[0].slots if slot.eyes == PUBLIC) == "9H TH JH QH KH AH"
    assert [len(held) for held in state.hands] == [12, 12]
    assert (state.to_act, state.leader) == ((0,), 0)
    layout = GAME.layout(redact(state, PUBLIC))
    assert layout.trump == Trump(HEARTS, maker=0, bid="12") and layout.notes == ()
    assert layout.seats == ("melds 16", "")
    state = act(GAME, state, Play(card("AH")), Play(card("TS")))
    assert GAME.layout(state).seats == ("melds 16, cards 2, 1 trick", "")
    assert [(pile.name, pile.seat) for pile in layout.piles] == [("not dealt", None), ("melds in hand", 0)]


@pytest.mark.parametrize(
    ("held", "trick", "allowed"),
    [
        ("9C AC 9H AS", "", "9C AC 9H AS"),
        ("9C AC 9H AS", "TC", "9C AC"),
        ("9C AC 9H AS", "TD", "9C AC 9H AS"),
        ("9C AC 9H AH", "TH", "9H AH"),
    ],
)
def test_follow_suit_and_no_other_duty(held: str, trick: str, allowed: str) -> None:
    assert legal(held, trick) == allowed


def test_a_card_of_another_suit_is_refused_with_the_rule() -> None:
    state = act(GAME, shown(), Play(card("AH")))
    state = replace(state, hands=(state.hands[0], hand(1, "KH AC " + "9S " * 10)))
    assert refusal(GAME, state, 1, Play(card("AC"))) == "you must follow hearts"
    assert not refusal(GAME, state, 1, Play(card("KH")))


def test_d_bp_5_of_equal_cards_the_leader_s_takes_the_trick() -> None:
    state = replace(shown(), hands=hands("AC JD", "AC KS"), taken=(face_up("9S " * 20), ()))
    state = act(GAME, state, Play(card("AC")), Play(card("AC")))
    assert state.leader == 0 and len(state.taken[0]) == 22
    state = replace(shown(), hands=hands("AC JD", "9H KS"), taken=(face_up("9S " * 20), ()))
    assert act(GAME, state, Play(card("AC")), Play(card("9H"))).leader == 1


def test_d_bp_6_there_are_24_points_in_the_pack_and_none_for_the_last_trick() -> None:
    assert points_of_values(PACK, COUNT) == 24
    assert points_of_values(parse_cards("AC TC KC QC JC 9C"), COUNT) == 3
    state = finished(1, (2, 0), (0, 0), tricks=5)
    assert state.scores == (2, 0)


def test_an_owner_without_a_trick_loses_the_bid_whatever_they_have_shown() -> None:
    melds: list[Items] = [(("double aces", 100),), (("jacks", 4),)]
    assert score_items(0, 12, melds, [(), PACK[:24]]) == (
        (("set: 0 of 12", -12),),
        (("jacks", 4), ("cards", points_of_values(PACK[:24], COUNT))),
    )


def test_calls_out_of_place_are_refused_with_the_rule() -> None:
    state, selecting = dealt(), dealt(SELECTION)
    owned = act(GAME, state, Bid(12), Pass())
    said: list[tuple[State, int, Action, str]] = [
        (state, 1, Pass(), "it's not your turn"),
        (state, 0, Reject(), "all the cards have been dealt"),
        (selecting, 0, Bid(12), "accept the card you see, or reject it"),
        (selecting, 0, Play(card("AC")), "accept the card you see, or reject it"),
        (state, 0, Name(HEARTS), "you can't name trump until one of you has passed"),
        (state, 0, Concede(), "you can't name trump until one of you has passed"),
        (owned, 0, Play(card("AH")), "trump hasn't been named yet"),
        (shown(), 0, Name(HEARTS), "trump has already been named"),
        (shown(), 0, Concede(), "trump has already been named"),
        (shown(), 0, Play(card("AC")), "you don't have AC"),
        (shown(), 0, Play(card("2C")), "there's no 2C in this pack"),
        (shown(), 0, Play(card("AH'")), "there's no AH' in this pack"),
    ]
    for before, seat, action, reason in said:
        unchanged = hash(before)
        assert refusal(GAME, before, seat, action) == reason
        assert hash(before) == unchanged


# --- the options ------------------------------------------------------------------------------------------------------


def test_presets() -> None:
    assert list(PRESETS) == ["usual", "bid"]
    assert Options("automatic", 12, 100) == BID
    assert isinstance(GAME.deal(GAME.start(BID, 0), PACK, ()), Dealt)
    begun = hands_played(GAME, SELECTION, 1, 3)
    assert all(state.dealer is not None and state.to_act == (1 - state.dealer,) for state in begun)
    assert GAME.layout(GAME.start(BID, None)) == Layout()


# --- what is said at the table ----------------------------------------------------------------------------------------


def test_who_wins_the_bid_is_said_also_when_it_is_dropped_on_them() -> None:
    state = act(GAME, dealt(), Bid(20), Bid(21))
    assert told(state, Passed(0)) == [(1, "win the bid at 21")]
    assert told(dealt(), Passed(0)) == [(1, "win the bid at 12")]
    assert GAME.layout(act(GAME, state, Pass())).notes == ("{1} won the bid at 21",)


def test_the_card_that_goes_is_named_to_the_player_who_rejects_it_and_never_the_one_that_is_kept() -> None:
    state = dealt(SELECTION)
    first = state.stock[0].card
    mine, theirs = redact(state, eyes_of_viewer(0)), redact(state, eyes_of_viewer(1))
    assert GAME.says(mine, 0, Reject()) == f"reject {first} for the next one"
    assert GAME.says(mine, 0, Accept()) == f"accept {first}"
    assert GAME.says(theirs, 0, Reject()) == "reject the first card for the next one"
    assert GAME.says(theirs, 0, Accept()) == "accept the first card"
    assert GAME.own(act(GAME, state, Reject()), 0) == (f"rejected: {first}",)


def test_the_end_of_the_selection_is_said() -> None:
    state = act(GAME, dealt(SELECTION), *[Accept()] * 23)
    assert told(state, Accepted(1, ())) == [(None, "both hands are full: the bidding begins")]
    assert told(dealt(SELECTION), Accepted(0, (Slot(dealt(SELECTION).stock[2].card, eye_of_seat(1)),))) == []


def test_melds_are_named_with_their_points_the_bidder_s_first() -> None:
    state = act(GAME, dealt(dealer=0, wanted=HANDS[::-1]), Bid(12), Pass())
    assert GAME.says(state, 1, Name(HEARTS)) == "name hearts as trump"
    named = GAME.play(state, GAME.decide(state, 1, Name(HEARTS)))
    assert told(named, GAME.show(named)) == [
        (1, "show 16 in melds: run (AH TH KH QH JH) 15, deece (9H) 1"), (0, "show no melds")
    ]  # fmt: skip


def test_whether_the_bid_was_made_is_said_at_the_end() -> None:
    last = Played(1, Slot(card("9H"), PUBLIC))
    assert told(ending(15, (8, 4), (9, 3), tricks=9), last) == [(0, "make the bid of 15 with 17")]
    assert told(ending(18, (8, 4), (9, 3), tricks=9), last) == [(0, "go set: 17 of 18")]


def test_a_player_sees_what_their_melds_are_worth_under_each_trump_that_may_be_named() -> None:
    assert GAME.own(dealt(), 0) == ("melds by trump: hearts 16, clubs 3, diamonds 3",)
    assert GAME.own(shown(), 0) == ()


def test_what_both_will_score_is_told_while_the_hand_is_on() -> None:
    state = act(GAME, shown(), Play(card("AH")), Play(card("TS")))
    lies = GAME.layout(state)
    assert lies.due == ((("run", 15), ("deece", 1), ("cards", 2)), ())
    assert (lies.turn, lies.goal) == (2, state.options.game_limit + 1)
    assert GAME.layout(replace(state, trump=None)).due == ()
