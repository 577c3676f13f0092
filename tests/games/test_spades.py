"""Rule sheet 2: every rule, decision and worked example of spades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from p2pcards.cards.card import BACK, Card, Suit, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, redact
from p2pcards.games.deals.taking import Taking
from p2pcards.games.game import Stage, Trump
from p2pcards.games.partners import TWO_SIDES, race_winners
from p2pcards.games.passing import Pass
from p2pcards.games.playing import Play, Played
from p2pcards.games.spades.deal import SPADES, Spades
from p2pcards.games.spades.rules import GAME, PACK, PRESETS, Options, State, rules_of, score_items
from p2pcards.games.tricks import Bid
from rigs.tables import act, defaults, face_up, refusal, said_aloud, stacked
from rigs.tricked import have_bid, kept

REAL = PRESETS["real-deal"]
ALONE = Options(team_play=False)
DEAL = (
    "2C 3C 4C 5C 2D 3D 4D 2S 3S 4S 2H 3H 4H",
    "6C 7C 8C 5D 6D 7D 5S 6S 7S 5H 6H 7H 8H",
    "9C TC JC 8D 9D TD 8S 9S TS JS 9H TH JH",
    "QC KC AC JD QD KD AD QS KS AS QH KH AH",
)


def card(word: str) -> Card:
    return parse_cards(word)[0]


def dealt(options: Options = REAL, wanted: Sequence[str] = DEAL, dealer: int = 3) -> State:
    start: State = GAME.start(options, dealer)
    state: State = GAME.play(start, GAME.deal(start, stacked(PACK, dealer, wanted), ()))
    return state


def bid(options: Options, *tricks: int) -> State:
    """After these bids of seats 0 to 3; seat 3 has dealt."""
    return act(GAME, dealt(options), *[Bid(count) for count in tricks])


def playing(to_act: str, trick: str = "", taken: str = "", broken: bool = False, options: Options = REAL) -> State:
    """The last seat after those of the trick holds these cards and is to act; nobody else's are known."""
    seat = len(parse_cards(trick))
    held = ["", "", "", ""]
    held[seat] = to_act
    fields = in_spades(options, held, (3, 3, 3, 3), trick, (taken,), broken)
    return State(options, stage=Stage.PLAY, to_act=(seat,), hand=1, dealer=3, **fields)


def in_spades(
    options: Options,
    held: Sequence[str],
    bids: Sequence[int],
    trick: str = "",
    piles: Sequence[str] = (),
    broken: bool = False,
) -> dict[str, Any]:
    deal = Spades(rules_of(options), 0, Taking(SPADES))
    have_bid(deal, bids)
    deal.broken = broken
    return kept(deal, held, 0, trick, piles)


def legal(state: State) -> str:
    return " ".join(str(action.card) for action in GAME.legal(state, state.to_act[0]) if isinstance(action, Play))


def last_trick(
    options: Options, bids: Sequence[int], tricks: Sequence[int], scores: tuple[int, ...] = (0, 0, 0, 0)
) -> State:
    """The state before the last card of a hand with these bids and tricks by seat; seat 0 takes the last one."""
    fields = in_spades(options, ("AS", "2C", "3C", "4C"), bids, broken=True)
    fields["deal"].tricks.won = [count - (seat == 0) for seat, count in enumerate(tricks)]
    state = State(options, stage=Stage.PLAY, to_act=(0,), hand=1, dealer=3, scores=scores, **fields)
    return act(GAME, state, *[Play(each) for each in parse_cards("AS 2C 3C")])


def finished(
    options: Options, bids: Sequence[int], tricks: Sequence[int], scores: tuple[int, ...] = (0, 0, 0, 0)
) -> State:
    """The state after it."""
    return act(GAME, last_trick(options, bids, tricks, scores), Play(card("4C")))


def side(bids: tuple[int, int], tricks: tuple[int, int], options: Options = REAL) -> int:
    """What the side of seats 0 and 2 scores."""
    items = score_items(options, (bids[0], 1, bids[1], 1), (tricks[0], 0, tricks[1], 13 - sum(tricks)))
    assert items[0] == items[2]
    return sum(points for _, points in items[0])


# --- the worked examples --------------------------------------------------------------------------------------------


def test_example_1_a_contract_made_with_overtricks() -> None:
    assert side((4, 3), (5, 4)) == 72
    assert score_items(REAL, (4, 1, 3, 1), (5, 2, 4, 2))[0] == (("contract", 70), ("overtricks", 2))


def test_example_2_a_contract_set() -> None:
    assert side((5, 3), (3, 4)) == -80


def test_example_3_nil_made() -> None:
    assert side((0, 4), (0, 5)) == 141


def test_example_4_nil_failed_and_the_partner_set() -> None:
    assert side((0, 4), (1, 3)) == -140


def test_example_5_d_sp_5_tricks_of_a_failed_nil_count_for_nothing() -> None:
    assert side((0, 4), (2, 4)) == -60
    assert side((0, 4), (2, 3)) == -140  # nor do they help the contract


def test_example_6_d_sp_6_two_nils() -> None:
    assert side((0, 0), (0, 0)) == 200
    assert side((0, 0), (1, 0)) == side((0, 0), (0, 1)) == side((0, 0), (2, 1)) == 0


def test_two_nils_that_fail_cost_as_much_as_two_that_are_made_score() -> None:
    options = Options(double_nil_costs=True)
    assert side((0, 0), (0, 0), options) == 200
    assert side((0, 0), (1, 0), options) == side((0, 0), (0, 5), options) == 0
    assert side((0, 0), (2, 1), options) == -200
    assert side((0, 4), (2, 1), options) == side((0, 4), (2, 1))


def test_example_7_a_zero_that_is_an_ordinary_bid() -> None:
    none = replace(REAL, nil="none")
    assert side((0, 5), (2, 4), none) == 51
    assert side((0, 0), (1, 0), none) == 1
    alone = replace(none, team_play=False)
    assert [sum(p for _, p in items) for items in score_items(alone, (0, 4, 4, 4), (2, 4, 4, 3))] == [2, 40, 40, -40]


def test_every_tenth_bag_costs_100_where_bags_cost_anything() -> None:
    usual = PRESETS["usual"]
    state = replace(last_trick(usual, (3, 2, 2, 2), (4, 3, 3, 3)), bags=(8, 7, 8, 7))
    assert "{0} and {2} have 8 bags" in GAME.layout(state).notes
    state = act(GAME, state, Play(card("4C")))
    assert state.sheet
    assert state.sheet.items[0] == (("contract", 50), ("overtricks", 2), ("ten bags", -100)) == state.sheet.items[2]
    assert state.sheet.items[1] == (("contract", 40), ("overtricks", 2))
    assert (state.bags, state.scores) == ((0, 9, 0, 9), (-48, 42, -48, 42))
    again = GAME.play(state, GAME.deal(state, PACK, ()))
    assert again.bags == state.bags
    assert "{1} and {3} have 9 bags" in GAME.layout(again).notes


def test_bags_are_not_counted_where_they_cost_nothing() -> None:
    state = finished(REAL, (1, 1, 1, 1), (7, 2, 2, 2))
    assert state.bags == (0, 0, 0, 0)
    assert not any("bags" in note for note in GAME.layout(state).notes)


def test_example_8_the_larger_total_wins() -> None:
    assert race_winners(TWO_SIDES, (532, 531, 532, 531), 500) == (0, 2)
    state = finished(REAL, (5, 4, 0, 2), (7, 5, 0, 1), scores=(380, 470, 380, 470))
    assert state.scores == (532, 470 - 0 + 60, 532, 530) and state.winners == (0, 2)
    state = finished(REAL, (5, 4, 0, 1), (6, 6, 0, 1), scores=(379, 479, 379, 479))
    assert state.scores == (530, 531, 530, 531) and state.winners == (1, 3)
    assert state.stage == Stage.OVER


# --- scores ---------------------------------------------------------------------------------------------------------


def test_partners_hold_the_same_figures_and_both_win() -> None:
    state = finished(replace(REAL, winning_score=70), (4, 2, 3, 3), (5, 3, 4, 1))
    assert state.sheet and state.sheet.items[0] == state.sheet.items[2] == (("contract", 70), ("overtricks", 2))
    assert state.sheet.items[1] == state.sheet.items[3] == (("contract", -50),)
    assert state.sheet.hand == state.scores == (72, -50, 72, -50)
    assert state.winners == (0, 2)


def test_d_sp_7_no_bags_and_no_floor() -> None:
    state = finished(REAL, (1, 6, 1, 6), (9, 2, 1, 1), scores=(0, -2000, 0, -2000))
    assert state.scores == (28, -2120, 28, -2120)


def test_d_sp_8_alone_everyone_scores_alone() -> None:
    state = finished(ALONE, (3, 0, 0, 5), (4, 0, 2, 7))
    assert state.scores == (31, 100, -100, 52)
    both = finished(ALONE, (3, 0, 4, 0), (4, 0, 4, 5))
    assert both.scores == (31, 100, 40, -100)  # two Nils opposite each other are two Nils
    assert finished(replace(ALONE, winning_score=50), (3, 0, 0, 5), (4, 0, 2, 7)).winners == (1,)


def test_d_gen_5_level_at_the_top_another_hand_is_played() -> None:
    state = finished(REAL, (4, 3, 3, 3), (5, 4, 2, 2), scores=(440, 450, 440, 450))
    assert (state.scores, state.stage, state.winners) == ((510, 510, 510, 510), Stage.DEAL, ())
    below = finished(REAL, (4, 3, 3, 3), (5, 4, 2, 2), scores=(429, 0, 429, 0))
    assert (below.scores[0], below.stage) == (499, Stage.DEAL)
    at = finished(REAL, (4, 3, 3, 3), (5, 4, 2, 2), scores=(430, 0, 430, 0))
    assert (at.scores[0], at.stage, at.winners) == (500, Stage.OVER, (0, 2))


# --- the bidding ----------------------------------------------------------------------------------------------------


def test_everyone_bids_once_from_eldest_without_passing() -> None:
    state = dealt(dealer=1)
    for seat in (2, 3, 0, 1):
        assert state.to_act == (seat,) and None in state.bids
        state = act(GAME, state, Bid(3))
    assert (state.bids, state.to_act, state.leader) == ((3, 3, 3, 3), (2,), 2)
    assert refusal(GAME, state, 2, Bid(3)) == "the bidding is over"


@pytest.mark.parametrize(
    ("low", "nil", "lowest"),
    [(0, "none", [0, 1]), (1, "none", [1, 2]), (2, "none", [2, 3]), (0, "plain", [0, 1]), (1, "plain", [0, 1]),
     (2, "plain", [0, 2]), (2, "passing", [0, 2])],
)  # fmt: skip
def test_min_bid_leaves_nil_open(low: int, nil: str, lowest: list[int]) -> None:
    state = dealt(Options(min_bid=low, nil=nil))
    bids = [action.tricks for action in GAME.legal(state, 0) if isinstance(action, Bid)]
    assert (bids[:2], bids[-1]) == (lowest, 13)
    for tricks in (-1, 0, 1, 2, 13, 14):
        reason = refusal(GAME, state, 0, Bid(tricks))
        assert bool(reason) == (tricks not in bids)
        assert not reason or reason.startswith(f"bid {low} to 13")
        assert not reason or ("nil" in reason) == (nil != "none" and low > 0)


def test_d_sp_1_a_bid_of_0_is_nil_where_there_is_nil() -> None:
    assert GAME.layout(bid(replace(REAL, nil="plain"), 0, 3, 4, 2)).seats[0] == "bid nil, took 0"
    assert GAME.layout(bid(replace(REAL, nil="none"), 0, 3, 4, 2)).seats[0] == "bid 0, took 0"


def test_d_sp_2_the_bids_of_partners_have_no_cap() -> None:
    assert bid(REAL, 13, 13, 13, 13).bids == (13, 13, 13, 13)


# --- the exchange ---------------------------------------------------------------------------------------------------


def test_one_nil_of_a_side_makes_its_partners_exchange() -> None:
    state = bid(REAL, 0, 3, 4, 2)
    assert state.to_act == (0, 2) and len(GAME.legal(state, 0)) == 286
    assert GAME.legal(state, 1) == ()
    assert bid(REAL, 0, 3, 4, 0).to_act == (0, 1, 2, 3)
    assert bid(REAL, 1, 3, 4, 0).to_act == (1, 3)


@pytest.mark.parametrize(
    ("options", "bids"),
    [
        (REAL, (0, 3, 0, 3)),  # both Nil
        (REAL, (1, 2, 3, 4)),
        (replace(REAL, nil="plain"), (0, 3, 4, 2)),
        (replace(REAL, nil="none"), (0, 3, 4, 2)),
        (ALONE, (0, 3, 4, 2)),  # D-SP-8
    ],
)
def test_no_exchange(options: Options, bids: Sequence[int]) -> None:
    state = bid(options, *bids)
    assert (state.to_act, state.passed) == ((0,), ())
    assert refusal(GAME, state, 0, Pass(parse_cards("2C 3C 4C"))) == "you can't pass cards now"


def test_d_sp_3_both_choose_without_seeing_the_others_three() -> None:
    state = bid(REAL, 0, 3, 4, 2)
    state = GAME.play(state, GAME.decide(state, 0, Pass(parse_cards("2S 3S 4S"))))
    assert state.to_act == (2,)
    partner = redact(state, eyes_of_viewer(2))
    assert [slot.card for slot in partner.passed[0].slots] == [BACK] * 3
    assert len(partner.hands[2]) == 13  # it gives before it picks up
    assert refusal(GAME, partner, 2, Pass(parse_cards("2S 3S 4S"))) == "you don't have 2S"
    state = GAME.play(state, GAME.decide(state, 2, Pass(parse_cards("9C 8D 9D"))))
    assert (state.stage, state.to_act) == (Stage.SHOW, ())
    state = GAME.play(state, GAME.show(state))
    assert (state.stage, state.to_act, state.passed) == (Stage.PLAY, (0,), ())
    assert set(parse_cards("9C 8D 9D")) <= set(state.hands[0].cards) and len(state.hands[0]) == 13
    assert set(parse_cards("2S 3S 4S")) <= set(state.hands[2].cards)
    assert redact(state, eyes_of_viewer(0)).hands[2].cards == parse_cards("2S 3S 4S")  # the giver knows where they are
    assert redact(state, eyes_of_viewer(2)).hands[0].cards == parse_cards("9C 8D 9D")
    assert redact(state, eyes_of_viewer(1)).hands[0].cards == () == redact(state, PUBLIC).hands[2].cards
    assert state.hands[1] == dealt().hands[1]


def test_a_pass_is_three_cards_held_in_ascending_order() -> None:
    state = bid(REAL, 0, 3, 4, 2)
    for words, reason in (
        ("2C 3C", "pass three cards"),
        ("2C 2C 3C", "pass three different cards"),
        ("3C 2C 4C", "name the cards in ascending order"),
        ("2C 3C 6C", "you don't have 6C"),
        ("2C 3C 4C", ""),
    ):
        assert refusal(GAME, state, 0, Pass(parse_cards(words))) == reason
    assert refusal(GAME, state, 0, Play(card("2C"))) == "pass three cards first"
    assert refusal(GAME, state, 1, Pass(parse_cards("6C 7C 8C"))) == "it's not your turn"


# --- the play -------------------------------------------------------------------------------------------------------


def test_eldest_leads() -> None:
    state = act(GAME, dealt(dealer=2), *[Bid(3)] * 4)
    assert state.to_act == (3,)
    assert legal(state) == "QC KC AC JD QD KD AD QH KH AH"


def test_suit_must_be_followed() -> None:
    state = playing("3D KD 2S", "5D")
    assert legal(state) == "3D KD"
    assert refusal(GAME, state, 1, Play(card("2S"))) == "you must follow diamonds"
    assert legal(playing("3C KH 2S", "5D")) == "3C KH 2S"


def test_the_highest_spade_or_else_the_highest_of_the_suit_led_takes_the_trick() -> None:
    def taker(words: str) -> int:
        held = [f"{word} 2H" for word in words.split()]  # the hand is not over then
        state = replace(playing("", broken=True), **in_spades(REAL, held, (3, 3, 3, 3), broken=True))
        return act(GAME, state, *[Play(each) for each in parse_cards(words)]).leader

    assert taker("5D KD AH JD") == 1
    assert taker("5D KD 2S AD") == 2
    assert taker("5D KD 2S 3S") == 3


def test_spades_may_not_be_led_before_they_are_broken() -> None:
    state = playing("3D 4S", taken="2C 3C 4C 5C")
    assert legal(state) == "3D"
    assert refusal(GAME, state, 0, Play(card("4S"))) == "spades aren't broken yet"
    assert legal(playing("3D 4S", taken="2C 3C 4C 5C", broken=True)) == "3D 4S"
    assert legal(playing("3S 4S", taken="2C 3C 4C 5C")) == "3S 4S"
    assert legal(playing("3D 4S")) == "3D"


def test_spade_lead_first_trick() -> None:
    options = replace(REAL, spade_lead_first_trick=True)
    assert legal(playing("3D 4S", options=options)) == "3D 4S"
    assert not act(GAME, playing("3D 4S", options=options), Play(card("4S"))).broken
    assert legal(playing("3D 4S", taken="2S 3S 5S 6S", options=options)) == "3D"  # the second trick


def test_d_sp_4_what_breaks_spades() -> None:
    def breaks(played: str, trick: str) -> bool:
        return act(GAME, playing(played, trick, taken="2C 3C 4C 6C"), Play(card(played))).broken

    assert breaks("4S", "5D")
    assert not breaks("4S", "5S")
    assert not breaks("4S", "")  # led by one who has nothing else
    assert not breaks("4C", "5D")


def test_refusals_name_the_reason() -> None:
    state = playing("3D KD", "5D")
    assert refusal(GAME, state, 2, Play(card("3D"))) == "it's not your turn"
    assert refusal(GAME, state, 1, Play(card("4D"))) == "you don't have 4D"
    assert refusal(GAME, state, 1, Play(BACK)) == "you don't have --"
    assert refusal(GAME, dealt(), 0, Play(card("2C"))) == "wait until everyone has bid"
    assert refusal(GAME, dealt(), 0, Pass(parse_cards("2C 3C 4C"))) == "you can't pass cards now"
    assert refusal(GAME, dealt(), 1, Bid(3)) == "it's not your turn"


# --- games ----------------------------------------------------------------------------------------------------------


def test_the_deal_passes_left_and_a_rematch_begins_left_of_the_first_dealer() -> None:
    state = finished(REAL, (3, 3, 3, 3), (4, 3, 3, 3))
    assert (state.dealer, state.stage, state.to_act) == (0, Stage.DEAL, ())
    assert GAME.next_first_dealer(replace(state, first_dealer=3)) == 0


def test_d_gen_1_the_first_card_of_the_draw_pack_names_the_dealer() -> None:
    state = GAME.start(REAL, None)
    state = GAME.play(state, GAME.deal(state, PACK, (PACK[6], *PACK[:6], *PACK[7:])))
    assert (state.dealer, state.first_dealer, state.hand) == (2, 2, 0)


def test_a_new_hand_forgets_the_last_one() -> None:
    state = finished(REAL, (3, 3, 3, 3), (4, 3, 3, 3))
    assert state.sheet
    state = GAME.play(state, GAME.deal(state, PACK, ()))
    assert (state.bids, state.broken, state.sheet, state.last_trick) == ((None,) * 4, False, None, ())
    assert (state.taken, state.to_act, state.hand) == (((),) * 4, (1,), 2)


def test_d_sp_9_defaults() -> None:
    assert defaults(Options) == {
        "winning_score": 500, "team_play": True, "spade_lead_first_trick": False, "min_bid": 0, "nil": "passing",
        "bag_penalty": False, "double_nil_costs": False,
    }  # fmt: skip
    assert Options() == REAL


def test_the_layout_tells_the_bids_the_tricks_and_whether_spades_are_broken() -> None:
    bidding = GAME.layout(act(GAME, dealt(), Bid(4), Bid(0)))
    assert (bidding.notes, bidding.seats) == ((), ("bid 4", "bid nil", "", ""))
    layout = GAME.layout(playing("3D", "5C KC", taken="2H 3H 4H 5H", broken=True))
    assert layout.notes[0] == "spades broken"
    assert layout.seats == ("bid 3, took 1", "bid 3, took 0", "bid 3, took 0", "bid 3, took 0")
    assert layout.trump == bidding.trump == Trump(Suit.SPADES)
    assert layout.trick == ((0, Slot(card("5C"), PUBLIC)), (1, Slot(card("KC"), PUBLIC)))
    assert [(pile.seat, pile.slots) for pile in layout.piles] == [(0, face_up("2H 3H 4H 5H"))]
    assert GAME.layout(GAME.start(REAL, None)).seats == ()


def test_a_bid_of_nil_and_cards_for_the_partner_are_said_as_players_say_them() -> None:
    assert GAME.says(dealt(), 0, Bid(0)) == "bid nil"
    assert GAME.says(dealt(), 0, Bid(4)) == GAME.says(dealt(replace(REAL, nil="none")), 0, Bid(0)) == ""
    state = bid(REAL, 0, 3, 4, 2)
    assert GAME.says(state, 0, Pass(parse_cards("2C 3C 4C"))) == "pass 2C 3C 4C to {2}"
    assert GAME.says(redact(state, PUBLIC), 2, Pass((BACK,) * 3)) == "pass three cards to {0}"
    assert GAME.says(state, 0, Play(card("2C"))) == ""


def test_after_the_last_bid_the_contracts_are_told_and_who_exchanges_cards() -> None:
    bidding = act(GAME, dealt(), Bid(4), Bid(2), Bid(3))
    assert said_aloud(GAME, act(GAME, dealt(), Bid(4)), Bid(2)) == []
    assert said_aloud(GAME, bidding, Bid(5)) == ["{0} and {2} need 7 tricks", "{1} and {3} need 7 tricks"]
    with_nil = act(GAME, dealt(), Bid(4), Bid(2), Bid(0))
    words = ["{0} need 4 tricks", "{1} and {3} need 7 tricks", "{0} and {2} exchange three cards"]
    assert said_aloud(GAME, with_nil, Bid(5)) == words
    assert said_aloud(GAME, act(GAME, dealt(ALONE), Bid(4), Bid(2), Bid(0)), Bid(5)) == []
    notes = (
        "{0} took 0 for a bid of 4",
        "{2's} nil is alive",
        "{1} and {3} took 0 for a contract of 7",
        words[-1],
    )
    assert GAME.layout(act(GAME, with_nil, Bid(5))).notes == notes


def test_the_contract_of_a_side_is_told_with_what_it_took() -> None:
    state = playing("3D", "5C KC", taken="2H 3H 4H 5H")
    contracts = ("{0} and {2} took 1 for a contract of 6", "{1} and {3} took 0 for a contract of 6")
    assert GAME.layout(state).notes == ("spades not broken", *contracts)
    bidden = in_spades(REAL, ("", "", "3D", ""), (0, 0, 4, 0), "5C KC", ("2H 3H 4H 5H",))
    nil = GAME.layout(replace(state, **bidden))
    assert nil.notes[1:] == (
        "{2} took 0 for a bid of 4",
        "{0's} nil has failed",
        "{1's} nil is alive",
        "{3's} nil is alive",
    )
    assert GAME.layout(replace(state, options=ALONE)).notes == ("spades not broken",)


def test_spades_broken_and_a_nil_that_fails_are_said_aloud() -> None:
    fields = in_spades(REAL, ("9D", "9D", "9D", "3S 9D"), (3, 3, 3, 0), "5C KC 2C")
    state = replace(playing("3S", "5C KC 2C"), **fields)
    assert said_aloud(GAME, state, Play(card("3S"))) == ["spades are broken", "{3's} nil has failed"]
    after = replace(act(GAME, state, Play(card("3S"))), to_act=(3,))
    assert said_aloud(GAME, after, Play(card("9D"))) == []


def test_the_end_of_a_hand_says_who_made_their_contract_and_who_was_set() -> None:
    assert said_aloud(GAME, last_trick(REAL, (4, 3, 2, 4), (5, 2, 3, 3)), Play(card("4C"))) == [
        "{0} and {2} took 8 for a contract of 6: made with 2 bags",
        "{1} and {3} took 5 for a contract of 7: set by 2",
    ]
    assert said_aloud(GAME, last_trick(REAL, (4, 0, 0, 0), (4, 6, 0, 3)), Play(card("4C"))) == [
        "{0} took 4 for a bid of 4: made",
        "{2} made nil",
    ]
    single = said_aloud(GAME, last_trick(ALONE, (1, 0, 3, 5), (2, 0, 6, 5)), Play(card("4C")))
    assert single[:2] == ["{0} took 2 for a bid of 1: made with 1 bag", "{1} made nil"]


def test_an_event_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError):
        GAME.play(redact(playing("3D KD", "5D"), eyes_of_viewer(1)), Played(1, Slot(card("4D"), PUBLIC)))


def test_the_whole_pack_is_dealt() -> None:
    assert sorted(chain.from_iterable(held.cards for held in dealt().hands)) == list(PACK)
    assert {each.suit for each in PACK} == set(Suit)
