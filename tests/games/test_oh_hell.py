"""Rule sheet 8: every rule, decision and worked example of oh hell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from p2pcards.cards.card import BACK, Card, Suit, mask_of_cards, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, redact
from p2pcards.games.deals.taking import Taking
from p2pcards.games.game import Stage, Trump
from p2pcards.games.oh_hell.deal import OhHell
from p2pcards.games.oh_hell.novice import choose
from p2pcards.games.oh_hell.rules import (
    GAME,
    PACK,
    PRESETS,
    Options,
    State,
    bid_items,
    cards_each,
    number_of_deals,
    rules_of,
    trump_of,
)
from p2pcards.games.playing import Play, Played
from p2pcards.games.tricks import Bid
from rigs.tables import act, defaults, face_up, refusal, said_aloud, said_at_deal, stacked
from rigs.tricked import have_bid

REAL = PRESETS["real-deal"]
REVERSED = Options(start_cards=13, end_cards=1)
TWO = ("2C 3C", "4C KD", "5C AH", "6C 2S")


def card(word: str) -> Card:
    return parse_cards(word)[0]


def dealt(options: Options, wanted: Sequence[str], then: str = "", before: int = 0, dealer: int = 3) -> State:
    """After the deal of these hands; before: how many deals the game has had."""
    start: State = replace(GAME.start(options, dealer), hand=before)
    state: State = GAME.play(start, GAME.deal(start, stacked(PACK, dealer, wanted, then), ()))
    return state


def points(options: Options, each: int, bid: int, tricks: int) -> int:
    return sum(score for _, score in bid_items(options, each, bid, tricks))


def hand_of_two(options: Options = REAL) -> State:
    """Two cards each, hearts are trump."""
    return dealt(options, TWO, "9H", before=1)


def finished(hand: int, bids: Sequence[int], tricks: Sequence[int], scores: tuple[int, ...] = (0,) * 4) -> State:
    """The state after the last trick of this hand of a game of three to one cards; seat 0 takes the last one."""
    options = Options(start_cards=3, end_cards=1)
    deal = OhHell(rules_of(options, cards_each(options, hand)), 0, Taking(0, mask_of_cards(parse_cards("2H"))))
    deal.set_cards(
        [mask_of_cards(parse_cards(words)) for words in ("AS", "2C", "3C", "4C", "2H", "")], [0] * 6, [0] * 5
    )
    have_bid(deal, bids)
    deal.tricks.won = [count - (seat == 0) for seat, count in enumerate(tricks)]
    state = State(options, stage=Stage.PLAY, to_act=(0,), hand=hand, dealer=3, deal=deal, leads=(0,), scores=scores)
    return act(GAME, state, *[Play(each) for each in parse_cards("AS 2C 3C 4C")])


# --- the worked examples --------------------------------------------------------------------------------------------


def test_example_1_a_bid_must_be_made_exactly() -> None:
    assert points(REAL, 5, 2, 2) == 15
    assert points(replace(REAL, made_bid="bid"), 5, 2, 2) == 12
    assert points(REAL, 5, 2, 3) == points(REAL, 5, 2, 1) == points(REAL, 5, 0, 1) == 0


def test_example_2_thirteen_cards() -> None:
    assert points(REAL, 13, 0, 0) == 10
    assert points(replace(REAL, zero_bid="five_plus_cards"), 13, 0, 0) == 18
    assert points(REAL, 13, 4, 4) == 23
    assert points(replace(REAL, made_bid="bid"), 13, 4, 4) == 14


def test_example_3_one_card() -> None:
    assert points(REAL, 1, 0, 0) == 10
    assert points(replace(REAL, zero_bid="five_plus_cards"), 1, 0, 0) == 6
    assert points(REAL, 1, 1, 1) == 11


@pytest.mark.parametrize(
    ("start", "end", "sizes", "without_trump"),
    [
        (7, 13, [7, 8, 9, 10, 11, 12, 13], [7]),
        (13, 1, list(range(13, 0, -1)), [1, 13]),
        (6, 6, [6], [1]),
        (1, 13, list(range(1, 14)), [13]),
        (4, 2, [4, 3, 2], [3]),
    ],
)
def test_example_4_d_oh_1_deals_and_no_trump(start: int, end: int, sizes: list[int], without_trump: list[int]) -> None:
    options = Options(start_cards=start, end_cards=end)
    assert number_of_deals(options) == len(sizes)
    assert [cards_each(options, hand) for hand in range(1, len(sizes) + 1)] == sizes
    for hand in range(1, len(sizes) + 1):
        state = replace(GAME.start(options, 3), hand=hand - 1)
        state = GAME.play(state, GAME.deal(state, PACK, ()))
        assert [len(held) for held in state.hands] == [sizes[hand - 1]] * 4
        assert len(state.stock) == 52 - 4 * sizes[hand - 1]
        assert (trump_of(state) is None) == (hand in without_trump)
        assert bool(redact(state, PUBLIC).stock[:1] and redact(state, PUBLIC).stock[0].card) != (hand in without_trump)


# --- the deal and the bidding ---------------------------------------------------------------------------------------


def test_with_the_hook_the_dealer_may_not_make_the_bids_come_out_even() -> None:
    state = hand_of_two(PRESETS["usual"])
    assert state.to_act == (0,)
    state = act(GAME, state, Bid(1), Bid(0), Bid(0))
    assert GAME.legal(state, 3) == (Bid(0), Bid(2))
    assert refusal(GAME, state, 3, Bid(1)) == "the bids can't add up to 2, so you can't bid 1"
    assert refusal(GAME, hand_of_two(), 0, Bid(1)) == ""


def test_with_the_hook_any_bid_will_do_when_the_others_have_bid_too_much() -> None:
    state = act(GAME, hand_of_two(PRESETS["usual"]), Bid(2), Bid(1), Bid(0))
    assert GAME.legal(state, 3) == (Bid(0), Bid(1), Bid(2))


@pytest.mark.parametrize(("others", "bids"), [((1, 0, 0), (0, 2)), ((2, 0, 0), (1, 2)), ((0, 0, 0), (0, 1))])
def test_computer_players_keep_to_the_hook(others: tuple[int, int, int], bids: tuple[int, ...]) -> None:
    state = act(GAME, hand_of_two(PRESETS["usual"]), *map(Bid, others))
    assert choose(redact(state, eyes_of_viewer(3)), 3, Random(1)) in [Bid(bid) for bid in bids]
    assert state.deal.rule_of_thumb_bid() in bids


def test_the_next_card_is_turned_up_for_trump() -> None:
    state = hand_of_two()
    assert trump_of(state) == Suit.HEARTS
    watched = redact(state, PUBLIC)
    assert [slot.card for slot in watched.stock] == [card("9H"), *[BACK] * 43]
    assert [pile.name for pile in GAME.layout(watched).piles] == ["upcard", "stock"]
    layout = GAME.layout(watched)
    assert (layout.trump, layout.notes, layout.seats) == (Trump(Suit.HEARTS), (), ("",) * 4)
    pack = stacked(PACK, 3, TWO, "9H")
    assert said_at_deal(GAME, replace(GAME.start(REAL, 3), hand=1), pack) == ["{3} turn up 9H: hearts are trump"]


def test_a_deal_without_a_turn_up_is_refused() -> None:
    state = GAME.start(REAL, 3)
    with pytest.raises(ValueError, match="no card is turned up"):
        GAME.play(state, GAME.deal(state, (BACK,) * 52, (BACK,) * 52))


def test_d_oh_2_everyone_bids_once_from_eldest_and_the_total_is_free() -> None:
    state = hand_of_two()
    for seat in range(4):
        assert state.to_act == (seat,)
        assert GAME.legal(state, seat) == (Bid(0), Bid(1), Bid(2))
        state = act(GAME, state, Bid(1 if seat < 2 else 0))  # two in all, as many as there are tricks
    assert (state.bids, state.to_act) == ((1, 1, 0, 0), (0,))
    assert refusal(GAME, state, 0, Bid(1)) == "the bidding is over"


def test_a_bid_is_from_none_to_all() -> None:
    state = hand_of_two()
    assert refusal(GAME, state, 0, Bid(3)) == refusal(GAME, state, 0, Bid(-1)) == "bid 0 to 2 tricks"
    assert refusal(GAME, state, 1, Bid(1)) == "it's not your turn"
    assert refusal(GAME, state, 0, Play(card("2C"))) == "wait until everyone has bid"


# --- the play -------------------------------------------------------------------------------------------------------


def test_eldest_leads_suit_is_followed_and_the_highest_trump_takes_the_trick() -> None:
    state = act(GAME, hand_of_two(), *[Bid(1)] * 4, Play(card("3C")))
    assert refusal(GAME, state, 1, Play(card("KD"))) == "you must follow clubs"
    assert refusal(GAME, state, 1, Play(card("KC"))) == "you don't have KC"
    state = act(GAME, state, *[Play(each) for each in parse_cards("4C 5C 6C")])
    assert (state.leader, state.to_act) == (3, (3,))
    state = act(GAME, state, *[Play(each) for each in parse_cards("2S 2C KD AH")])
    assert [len(slots) // 4 for slots in state.taken] == [0, 0, 1, 1]
    assert state.scores == (0, 0, 12, 12)


def test_without_trump_the_suit_led_takes_the_trick() -> None:
    state = dealt(Options(start_cards=2, end_cards=2), TWO)
    assert GAME.layout(state).trump == Trump(None)
    assert said_at_deal(GAME, GAME.start(state.options, 3), PACK) == ["no trump this deal"]
    assert [pile.name for pile in GAME.layout(state).piles] == ["stock"]
    state = act(GAME, state, *[Bid(1)] * 4, *[Play(each) for each in parse_cards("3C 4C 5C 6C 2S 2C KD AH")])
    assert [len(slots) // 4 for slots in state.taken] == [0, 0, 0, 2]


# --- scores and games -----------------------------------------------------------------------------------------------


def test_the_sheet_has_an_item_for_each_part() -> None:
    state = finished(1, (2, 0, 1, 1), (2, 0, 0, 1))
    assert state.sheet and state.sheet.items == (
        (("bid made", 10), ("cards", 3)), (("no trick", 10),), (), (("bid made", 10), ("cards", 3)),
    )  # fmt: skip
    assert bid_items(replace(REAL, made_bid="bid"), 5, 2, 2) == (("bid made", 10), ("tricks", 2))
    assert state.scores == (13, 10, 0, 13) and state.stage == Stage.DEAL


def test_after_the_last_deal_the_highest_total_wins() -> None:
    over = finished(3, (1, 0, 0, 1), (1, 0, 0, 0), scores=(5, 20, 3, 40))
    assert (over.scores, over.stage, over.winners) == ((16, 30, 13, 40), Stage.OVER, (3,))
    assert finished(2, (1, 0, 0, 1), (1, 0, 0, 1), scores=(0, 0, 0, 999)).stage == Stage.DEAL


def test_d_gen_6_a_tie_is_a_shared_win() -> None:
    assert finished(3, (1, 0, 1, 1), (1, 0, 0, 0), scores=(5, 6, 0, 16)).winners == (0, 1, 3)


def test_d_oh_3_a_missed_bid_costs_nothing() -> None:
    assert finished(3, (0, 1, 1, 1), (1, 0, 0, 0)).scores == (0, 0, 0, 0)


def test_the_deal_passes_left_and_a_rematch_begins_left_of_the_first_dealer() -> None:
    state = finished(1, (2, 0, 1, 1), (2, 0, 0, 1))
    assert (state.dealer, state.to_act) == (0, ())
    assert GAME.next_first_dealer(replace(state, first_dealer=3)) == 0
    state = GAME.play(state, GAME.deal(state, PACK, ()))
    assert (state.hand, state.to_act, state.bids, state.sheet) == (2, (1,), (None,) * 4, None)
    assert (state.taken, state.last_trick) == (((),) * 4, ())


def test_d_gen_1_the_first_card_of_the_draw_pack_names_the_dealer() -> None:
    state = GAME.start(REVERSED, None)
    state = GAME.play(state, GAME.deal(state, PACK, (PACK[6], *PACK[:6], *PACK[7:])))
    assert (state.dealer, state.first_dealer, state.hand) == (2, 2, 0)


def test_defaults() -> None:
    assert defaults(Options) == {
        "start_cards": 1,
        "end_cards": 13,
        "zero_bid": "ten",
        "made_bid": "cards",
        "hook": False,
    }
    assert Options() == REAL


def test_the_layout_tells_bids_and_tricks() -> None:
    state = act(GAME, hand_of_two(), *[Bid(1)] * 4, *[Play(each) for each in parse_cards("3C 4C 5C 6C")])
    layout = GAME.layout(state)
    assert layout.notes == ("the bids add up to 4 for 2 tricks",)
    assert layout.seats == ("bid 1, took 0", "bid 1, took 0", "bid 1, took 0", "bid 1, took 1")
    assert (layout.taker, layout.trick) == (3, ())
    assert [(pile.name, pile.seat) for pile in layout.piles] == [("cards taken", 3), ("upcard", None), ("stock", None)]
    assert layout.piles[0].slots == face_up("3C 4C 5C 6C")
    assert GAME.layout(GAME.start(REAL, None)).notes == ()


def test_an_event_that_cannot_be_is_refused() -> None:
    state = act(GAME, hand_of_two(), *[Bid(1)] * 4)
    with pytest.raises(ValueError):
        GAME.play(redact(state, eyes_of_viewer(0)), Played(0, Slot(card("AS"), PUBLIC)))


def test_nothing_is_shown_at_the_end_of_a_hand() -> None:
    with pytest.raises(ValueError, match="no cards are shown"):
        GAME.show(hand_of_two())


def test_what_the_bids_add_up_to_is_told_beside_the_tricks() -> None:
    state = act(GAME, hand_of_two(), Bid(1), Bid(0), Bid(2))
    assert GAME.layout(state).notes == ("the bids so far add up to 3 for 2 tricks",)
    assert said_aloud(GAME, act(GAME, hand_of_two(), Bid(1)), Bid(0)) == []
    assert said_aloud(GAME, state, Bid(0)) == ["the bids add up to 3 for 2 tricks"]


def test_the_end_of_a_deal_says_what_everybody_bid_and_took() -> None:
    state = act(GAME, hand_of_two(), *[Bid(1)] * 4, *[Play(each) for each in parse_cards("3C 4C 5C 6C 2S 2C KD")])
    told = "{0} bid 1, took 0, bust; {1} bid 1, took 0, bust; {2} bid 1, took 1; {3} bid 1, took 1"
    assert said_aloud(GAME, state, Play(card("AH"))) == [told]
