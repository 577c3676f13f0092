"""Rule sheet 3: every rule, decision and worked example of auction pitch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from p2pcards.cards.card import BACK, Card, Suit, parse_cards
from p2pcards.cards.eyes import PUBLIC, eyes_of_viewer, redact
from p2pcards.games.auction_pitch.rules import (
    GAME,
    PACK,
    PRESETS,
    Options,
    State,
    game_points,
    game_winner,
    points_made,
    score_items,
)
from p2pcards.games.bidding import Bid
from p2pcards.games.game import Stage, Trump
from p2pcards.games.options import OptionError, set_options
from p2pcards.games.playing import Pass, Play
from rigs.tables import act, hands_played, refusal, said_aloud, stacked
from rigs.tricked import pitch

REAL = PRESETS["real-deal"]
DEAL = ("AH 7H KC 2C 3D 9S", "TH 3H 4C 5D 6D KS", "JH AS 4S QC 8D 9D", "7C 8C QD JD 5S 6S")
HEARTS = Suit.HEARTS
ALL_FOUR = (("high", 0), ("low", 0), ("jack", 0), ("game", 0))


def card(word: str) -> Card:
    return parse_cards(word)[0]


def dealt(options: Options = REAL, dealer: int = 3, scores: Sequence[int] = ()) -> State:
    start: State = replace(GAME.start(options, dealer), scores=tuple(scores) or (0,) * 4)
    state: State = GAME.play(start, GAME.deal(start, stacked(PACK, dealer, DEAL), ()))
    return state


def bid(*points: int, options: Options = REAL, scores: Sequence[int] = ()) -> State:
    """After these bids of seats 0 to 3, 0 being a pass; seat 3 has dealt."""
    return act(GAME, dealt(options, scores=scores), *[Bid(each) if each else Pass() for each in points])


def played(state: State, words: str) -> State:
    return act(GAME, state, *[Play(each) for each in parse_cards(words)])


def playing(to_act: str, trick: str) -> State:
    """Seat 3, or the one after the trick, holds these cards; hearts are trump."""
    seat = len(parse_cards(trick))
    held = ["", "", "", ""]
    held[seat] = to_act
    fields = pitch(REAL, held, (2, 0, 0, 0), pitcher=0, trump=HEARTS, low=0, trick=trick)
    return State(REAL, stage=Stage.PLAY, to_act=(seat,), hand=1, dealer=3, **fields)


def legal(state: State) -> str:
    return " ".join(str(action.card) for action in GAME.legal(state, state.to_act[0]) if isinstance(action, Play))


def points(*taken: str, low: int = 0, options: Options = REAL) -> dict[str, int]:
    """Who makes what with these cards in the tricks of the seats, hearts being trump."""
    return dict(points_made(options, HEARTS, [parse_cards(words) for words in taken], low))


def gains(made: Sequence[tuple[str, int]], bid: int, pitcher: int = 0) -> tuple[int, ...]:
    return tuple([sum(count for _, count in items) for items in score_items(made, pitcher, bid)])


# --- the worked examples ----------------------------------------------------------------------------------------------


def test_example_1_high_low_and_jack() -> None:
    made = points("AH JH 3H QC KC", "TH 7H", "", "")
    assert made == {"high": 0, "low": 0, "jack": 0}  # game is level at ten
    assert gains(tuple(made.items()), 3) == (3, 0, 0, 0)


def test_example_2_a_tie_for_game_is_nobody_s() -> None:
    assert game_points(parse_cards("AH TH JH KC")) == game_points(parse_cards("TS AD KD JS")) == 18
    assert "game" not in points("AH TH JH KC", "TD QD", "TS AD KD JS", "")
    assert points("AH TH JH KC", "TD QD", "TS AD KD", "")["game"] == 0


def test_example_3_a_pitcher_who_is_set_loses_their_bid() -> None:
    made = (("high", 0), ("low", 0), ("jack", 1), ("game", 3))
    assert gains(made, 3) == (-3, 1, 0, 1)
    assert gains(made, 2) == (2, 1, 0, 1)
    assert score_items(made, 0, 3) == ((("set back", -3),), (("jack", 1),), (), (("game", 1),))


def test_example_4_smudge() -> None:
    assert game_winner(REAL, (2, 0, 0, 0), ALL_FOUR, 0, 4) == 0
    assert game_winner(REAL, (0, 6, 6, 6), ALL_FOUR, 0, 4) == 0  # zero is not in the hole
    assert game_winner(REAL, (-1, 0, 0, 0), ALL_FOUR, 0, 4) is None
    assert gains(ALL_FOUR, 4) == (4, 0, 0, 0)
    assert game_winner(REAL, (2, 0, 0, 0), ALL_FOUR, 0, 3) is None  # only who has bid it
    assert game_winner(replace(REAL, smudge=False), (2, 0, 0, 0), ALL_FOUR, 0, 4) is None


def test_example_5_the_pitcher_counts_first() -> None:
    made = (("high", 0), ("low", 1), ("jack", 1), ("game", 0))
    assert game_winner(REAL, (5, 6, 0, 0), made, 0, 2) == 0


def test_example_6_low_is_counted_before_jack() -> None:
    made = (("high", 3), ("low", 2), ("jack", 1))
    assert game_winner(REAL, (5, 6, 6, 0), made, 0, 2) == 2
    assert game_winner(REAL, (5, 6, 6, 6), made, 0, 2) == 3
    assert game_winner(REAL, (5, 6, 0, 0), made, 0, 2) == 1
    assert game_winner(REAL, (6, 5, 5, 0), (("high", 0), ("low", 1)), 0, 2) is None  # set: it does not count


def test_example_7_low_point() -> None:
    taken = ("AH", "4H", "", "")
    assert points(*taken, low=3)["low"] == 1
    assert points(*taken, low=3, options=replace(REAL, low_point="dealt"))["low"] == 3


# --- the deal and the bidding -----------------------------------------------------------------------------------------


def test_six_cards_each_of_52_and_28_stay_out() -> None:
    state = dealt()
    assert len(GAME.pack(REAL)) == 52 and card("5C") in GAME.pack(REAL)  # D-AP-1
    assert [len(held) for held in state.hands] == [6] * 4
    assert [slot.card for slot in redact(state, eyes_of_viewer(0)).stock] == [BACK] * 28
    assert state.to_act == (0,)


def test_each_speaks_once_eldest_first_and_bids_more_or_passes() -> None:
    state = dealt()
    for seat, low in ((0, 2), (1, 3), (2, 3)):
        assert state.to_act == (seat,)
        assert GAME.legal(state, seat) == (Pass(), *[Bid(each) for each in range(low, 5)])
        state = act(GAME, state, Bid(2) if seat == 0 else Pass())
    assert refusal(GAME, state, 3, Bid(1)) == "bid 2 to 4 points"
    assert refusal(GAME, state, 3, Bid(5)) == "bid 2 to 4 points"
    state = act(GAME, state, Pass())
    assert (state.pitcher, state.to_act, state.leader) == (0, (0,), 0)


def test_the_dealer_may_match_the_best_bid() -> None:
    state = bid(2, 3, 0)
    assert GAME.legal(state, 3) == (Pass(), Bid(3), Bid(4))
    assert act(GAME, state, Bid(3)).pitcher == 3
    assert act(GAME, state, Pass()).pitcher == 1
    state = bid(2, 3, 0, options=replace(REAL, dealer_can_match=False))
    assert GAME.legal(state, 3) == (Pass(), Bid(4))
    assert refusal(GAME, state, 3, Bid(3)) == "bid 4 to 4 points"


@pytest.mark.parametrize("points_bid", [(4,), (0, 4), (3, 0, 4)])
def test_d_ap_2_a_bid_of_four_ends_the_auction(points_bid: tuple[int, ...]) -> None:
    state = bid(*points_bid)
    pitcher = len(points_bid) - 1
    assert (state.pitcher, state.to_act) == (pitcher, (pitcher,))
    assert refusal(GAME, state, pitcher, Bid(4)) == "the bidding is over"
    assert refusal(GAME, state, pitcher, Pass()) == "the bidding is over"


def test_the_lowest_bid_is_one_without_maker_min_two() -> None:
    options = replace(REAL, maker_min_two=False)
    assert GAME.legal(dealt(options), 0) == (Pass(), Bid(1), Bid(2), Bid(3), Bid(4))
    assert GAME.legal(bid(1, 0, 0, options=options), 3) == (Pass(), Bid(1), Bid(2), Bid(3), Bid(4))


def test_d_ap_5_all_may_pass_and_nothing_is_scored() -> None:
    state = bid(0, 0, 0, 0, scores=(1, -2, 3, 4))
    assert (state.stage, state.dealer, state.scores, state.winners) == (Stage.DEAL, 0, (1, -2, 3, 4), ())
    assert state.sheet and state.sheet.hand == (0, 0, 0, 0)


def test_a_stuck_dealer_must_bid() -> None:
    options = replace(REAL, stick_dealer=True)
    state = bid(0, 0, 0, options=options)
    assert GAME.legal(state, 3) == (Bid(2), Bid(3), Bid(4))
    assert refusal(GAME, state, 3, Pass()) == "everyone else passed, so you must bid"
    assert act(GAME, state, Bid(2)).pitcher == 3
    assert Pass() in GAME.legal(bid(0, 2, 0, options=options), 3)


def test_the_table_shows_who_has_bid_and_who_has_passed() -> None:
    assert GAME.layout(bid()).seats == ("", "", "", "")
    assert GAME.layout(bid(0, 2)).seats == ("passed", "bid 2", "", "")


def test_bids_are_told_as_bids_and_who_wins_the_auction() -> None:
    assert (
        GAME.says(dealt(), 0, Bid(2)) == GAME.says(dealt(), 0, Pass()) == GAME.says(dealt(), 0, Play(card("AH"))) == ""
    )
    assert GAME.says(dealt(), 0, Bid(4)) == "bid 4, a smudge"
    assert GAME.says(bid(0, 3, 0), 3, Bid(3)) == "match the bid of 3"
    assert said_aloud(GAME, bid(0, 2), Pass()) == []
    assert said_aloud(GAME, bid(0, 2, 0), Pass()) == ["{1} win the bid at 2"]
    assert said_aloud(GAME, bid(0, 2), Bid(4)) == ["{2} win the bid at 4"]
    assert said_aloud(GAME, bid(0, 0, 0), Pass()) == ["everyone passed"]
    assert GAME.layout(bid(0, 2, 0, 0)).notes == ("{1's} lead sets trump (bid 2)",)


@pytest.mark.parametrize("words", ["TH", "4C"])  # clubs are the first of the suits
def test_the_pitcher_s_first_card_makes_trump_aloud(words: str) -> None:
    state = bid(0, 2, 0, 0)
    trump = card(words).suit.name.lower()
    assert said_aloud(GAME, state, Play(card(words))) == [f"{trump} are trump"]
    state = played(state, words)
    follow = next(action for action in GAME.legal(state, 2))
    assert said_aloud(GAME, state, follow) == []


def test_the_end_of_a_hand_says_who_made_high_low_jack_and_game_and_whether_the_bid_was_made() -> None:
    order = [
        "AH",
        "TH",
        "JH",
        "7H",
        "KH",
        "2C",
        "3C",
        "4C",
        "QH",
        "5C",
        "6C",
        "7C",
        "9H",
        "2D",
        "3D",
        "4D",
        "8H",
        "5D",
        "6D",
        "7D",
        "6H",
        "2S",
        "3S",
        "4S",
    ]
    wanted = [" ".join(order[seat::4]) for seat in range(4)]
    start = GAME.start(REAL, 3)
    state = GAME.play(start, GAME.deal(start, stacked(PACK, 3, wanted), ()))
    state = played(act(GAME, state, Bid(3), *[Pass()] * 3), " ".join(order[:-1]))
    assert said_aloud(GAME, state, Play(card("4S"))) == [
        "high: {0}; low: {0}; jack: {0}; game: {0}",
        "game count: {0} 20, {1} 0, {2} 0, {3} 0",
        "{0} make 4 on a bid of 3",
    ]
    piles = ("KH QC 2S 4S 5S 7S 8S 9S", "KD QD 3S 6S", "", "")
    fields = pitch(
        REAL, ("", "", "", "2D"), (3, 0, 0, 0), pitcher=0, trump=HEARTS, low=0, trick="9H 3C 4C", piles=piles
    )
    last = replace(playing("2D", "9H 3C 4C"), **fields)
    assert said_aloud(GAME, last, Play(card("2D"))) == [
        "high: {0}; low: {0}; jack: not in play; game: nobody (a tie)",
        "game count: {0} 5, {1} 5, {2} 0, {3} 0",
        "{0} are set back: 2 on a bid of 3",
    ]


def test_nobody_plays_before_the_bidding_is_over_or_out_of_turn() -> None:
    state = before = dealt()
    assert refusal(GAME, state, 0, Play(card("AH"))) == "wait until everyone has bid"
    assert refusal(GAME, state, 1, Pass()) == "it's not your turn"
    assert state == before


# --- the play ---------------------------------------------------------------------------------------------------------


def test_the_suit_of_the_pitcher_s_first_card_is_trump() -> None:
    state = bid(0, 2, 0, 0)
    assert state.trump is None and len(GAME.legal(state, 1)) == 6
    state = played(state, "TH")
    assert (state.trump, state.low) == (HEARTS, 1)
    assert (GAME.layout(state).trump, GAME.layout(state).notes) == (Trump(HEARTS, 1, "2"), ())
    assert GAME.layout(state).seats == ("",) * 4
    assert refusal(GAME, state, 2, Play(card("AS"))) == "you must follow hearts"
    assert refusal(GAME, state, 2, Play(card("9H"))) == "you don't have 9H"


def test_where_a_trump_is_led_it_must_be_followed() -> None:
    assert legal(playing("2H JH AC 9S", "AH")) == "2H JH"
    assert legal(playing("AC 9S", "AH")) == "AC 9S"


def test_where_another_suit_is_led_a_trump_may_be_played_too() -> None:
    assert legal(playing("2H JH AC 9S", "KC")) == "AC 2H JH"
    assert refusal(GAME, playing("2H AC 9S", "KC"), 1, Play(card("9S"))) == "you must follow clubs or play a trump"
    assert legal(playing("2H JH 9S 3D", "KC")) == "3D 2H JH 9S"


def test_a_trump_takes_the_trick_though_its_player_could_follow() -> None:
    state = played(bid(2, 0, 0, 0), "AH 3H JH 7C")
    assert (state.leader, state.low) == (0, 1)
    state = played(state, "KC TH QC 8C")
    assert (state.leader, state.to_act) == (1, (1,))


def test_six_tricks_make_a_hand() -> None:
    state = played(bid(0, 0, 0, 3), "QD 3D 5D 9D JD 2C 6D 8D 7C KC 4C QC")
    assert state.stage == Stage.PLAY
    state = played(state, "7H TH JH 5S 4S 6S 9S KS 3H AS 8C AH")
    assert state.sheet and state.sheet.items == ((("game", 1),), (), (), (("high", 1), ("low", 1), ("jack", 1)))
    assert (state.stage, state.dealer, state.scores) == (Stage.DEAL, 0, (1, 0, 0, 3))


def test_no_hand_is_shown_at_the_end() -> None:
    with pytest.raises(ValueError, match="no cards are shown"):
        GAME.show(dealt())


# --- the points of a hand ---------------------------------------------------------------------------------------------


def test_one_trump_can_score_several_points() -> None:
    assert points("JH", "2C", "TS", "3D") == {"high": 0, "low": 0, "jack": 0, "game": 2}


def test_jack_is_not_scored_when_it_is_not_in_play() -> None:
    assert "jack" not in points("AH 2H", "JC", "JS", "JD")


def test_game_counts_tens_and_court_cards_of_all_suits() -> None:
    assert [game_points(parse_cards(words)) for words in ("TC TD", "AS", "KH", "QD", "JC", "9C 2S", "")] == [
        20,
        4,
        3,
        2,
        1,
        0,
        0,
    ]
    assert "game" not in points("9H", "", "", "")  # nobody has anything


def test_d_ap_4_a_smudge_without_the_jack_in_play_fails() -> None:
    made = (("high", 0), ("low", 0), ("game", 0))
    assert gains(made, 4) == (-4, 0, 0, 0)
    assert game_winner(REAL, (6, 0, 0, 0), made, 0, 4) is None


def test_low_dealt_goes_to_who_played_the_lowest_trump() -> None:
    options = replace(REAL, low_point="dealt")
    state = played(bid(2, 0, 0, 0, options=options), "AH 3H JH 7C")
    assert state.low == 1
    state = played(bid(0, 0, 2, 0, options=options), "JH QD 7H 3H")
    assert (state.low, state.leader) == (1, 2)


# --- the end ----------------------------------------------------------------------------------------------------------


def hand_won(scores: Sequence[int], points_bid: int) -> State:
    """Seat 0 pitches hearts, takes every trick and makes all four."""
    order = "AH TH JH 7H KH 2C 3C 4C QH 5C 6C 7C 9H 2D 3D 4D 8H 5D 6D 7D 6H 2S 3S 4S"
    start: State = replace(GAME.start(REAL, 3), scores=tuple(scores))
    wanted = [" ".join(order.split()[seat::4]) for seat in range(4)]
    state = GAME.play(start, GAME.deal(start, stacked(PACK, 3, wanted), ()))
    state = act(GAME, state, Bid(points_bid), *[Pass()] * (3 if points_bid < 4 else 0))
    return played(state, order)


def test_a_smudge_that_is_made_ends_the_game() -> None:
    state = hand_won((2, 6, 0, 0), 4)
    assert (state.stage, state.scores, state.winners, state.to_act) == (Stage.OVER, (6, 6, 0, 0), (0,), ())
    state = hand_won((-1, 6, 0, 0), 4)
    assert (state.stage, state.scores, state.winners) == (Stage.DEAL, (3, 6, 0, 0), ())


def test_all_points_made_are_scored_above_the_bid() -> None:
    state = hand_won((2, 0, 0, 0), 2)
    assert (state.stage, state.scores) == (Stage.DEAL, (6, 0, 0, 0))
    assert GAME.layout(state).notes[-1] == "game count: {0} 20, {1} 0, {2} 0, {3} 0"
    state = hand_won((3, 0, 0, 0), 2)
    assert (state.stage, state.scores, state.winners) == (Stage.OVER, (7, 0, 0, 0), (0,))


def test_the_winning_score_is_one_of_six() -> None:
    assert set_options(REAL, {"winning_score": "15"}).winning_score == "15"
    with pytest.raises(OptionError, match="5, 7, 9, 11, 13, 15"):
        set_options(REAL, {"winning_score": "8"})


def test_a_watcher_sees_the_bids_and_what_is_played_and_no_more() -> None:
    state = redact(played(bid(2, 0, 0, 0), "AH 3H"), PUBLIC)
    assert state.bids == (2, 0, 0, 0)
    assert [slot.card for slot in state.trick] == list(parse_cards("AH 3H"))
    assert all(not held.cards for held in state.hands)


def test_the_deal_goes_round_and_a_rematch_begins_at_the_left() -> None:
    begun = hands_played(GAME, REAL, 1, 20)
    for before, after in pairwise(begun):
        if after.hand > 1:
            assert before.dealer is not None and after.dealer == (before.dealer + 1) % 4
    first = begun[0].first_dealer
    assert first is not None and GAME.next_first_dealer(begun[0]) == (first + 1) % 4
