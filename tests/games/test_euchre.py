"""Rule sheet 6: every rule, decision and worked example of euchre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from p2pcards.cards.card import BACK, Card, Suit, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, redact
from p2pcards.games.drawing import Discard
from p2pcards.games.euchre.novice import choose
from p2pcards.games.euchre.rules import (
    GAME,
    PACKS,
    PRESETS,
    Accept,
    Action,
    Decline,
    Name,
    Options,
    State,
    at_the_bridge,
    counted,
    score_items,
    winning_place,
)
from p2pcards.games.game import IllegalAction, Stage, Trump
from p2pcards.games.playing import Pass, Play
from p2pcards.games.spelling import read_action
from rigs.tables import act, hands_played, refusal, said_aloud, said_at_deal, stacked
from rigs.tricked import euchre_at

TEAM = PRESETS["real-deal"]
SINGLE = replace(TEAM, team_play=False)
DEAL = ("9H JC KC AS 7D", "AH KH TD 8D 9C", "JH JD QH TS 8S", "AC QC TC KD KS")
TURN_UP = "TH"
HEARTS, CLUBS, SPADES = Suit.HEARTS, Suit.CLUBS, Suit.SPADES


def card(word: str) -> Card:
    return parse_cards(word)[0]


def dealt(options: Options = TEAM, dealer: int = 3, wanted: Sequence[str] = DEAL, scores: Sequence[int] = ()) -> State:
    start: State = replace(GAME.start(options, dealer), scores=tuple(scores) or (0,) * 4)
    state: State = GAME.play(start, GAME.deal(start, stacked(PACKS[options.deck_size], dealer, wanted, TURN_UP), ()))
    return state


def called(*calls: Action, options: Options = TEAM, dealer: int = 3) -> State:
    """The state after these calls, and after the dealer has left the turn-up."""
    state = act(GAME, dealt(options, dealer), *calls)
    return act(GAME, state, Decline()) if state.exchanging else state


def playing(to_act: str, trick: str = "", trump: Suit = HEARTS) -> State:
    """The seat after those of the trick holds these cards and is to act."""
    held = ["", "", "", ""]
    held[len(parse_cards(trick))] = to_act
    return euchre_at(TEAM, held, trump=trump, maker=0, trick=trick)


def legal(state: State) -> str:
    cards_of = [action.card for action in GAME.legal(state, state.to_act[0]) if isinstance(action, Discard | Play)]
    return " ".join(map(str, cards_of))


def last_trick(
    tricks: Sequence[int], alone: bool = False, options: Options = TEAM, scores: Sequence[int] = ()
) -> State:
    """The state before the last card of a hand in which seat 0 made trump; seat 0 takes the last trick, and it is among
    the tricks, which are by seat."""
    out = 2 if alone else None
    state = euchre_at(options, ("JH", "9C", "TC", "QC"), trump=HEARTS, maker=0, out=out)
    state.deal.tricks.won = [won - (not seat) for seat, won in enumerate(tricks)]
    state = replace(state, scores=tuple(scores) or (0,) * 4)
    return act(GAME, state, *[Play(card(word)) for word in (["JH", "9C"] if alone else ["JH", "9C", "TC"])])


def finished(tricks: Sequence[int], alone: bool = False, options: Options = TEAM, scores: Sequence[int] = ()) -> State:
    """The state after it."""
    return act(GAME, last_trick(tricks, alone, options, scores), Play(card("QC")))


def scored(tricks: Sequence[int], alone: bool = False, options: Options = TEAM) -> tuple[int, ...]:
    sheet = finished(tricks, alone, options).sheet
    assert sheet and sheet.hand == tuple([sum(points for _, points in items) for items in sheet.items])
    return sheet.hand


# --- the worked examples ----------------------------------------------------------------------------------------------


def test_example_1_the_maker_s_side() -> None:
    assert scored((2, 1, 1, 1)) == (1, 0, 1, 0)
    assert scored((3, 0, 2, 0)) == (2, 0, 2, 0)
    assert scored((1, 2, 1, 1)) == (0, 2, 0, 2)


def test_example_2_alone() -> None:
    assert scored((5, 0, 0, 0), alone=True) == (4, 0, 4, 0)
    assert scored((4, 1, 0, 0), alone=True) == (1, 0, 1, 0)
    assert scored((2, 2, 0, 1), alone=True) == (0, 2, 0, 2)


def test_example_3_the_order_of_trumps_and_the_left_bower() -> None:
    trumps = "JH JD AH KH QH TH 9H 8H 7H"
    ranked = [counted(each, HEARTS) for each in parse_cards(trumps)]
    assert all(a > b for a, b in pairwise(ranked)) and {each.suit for each in ranked} == {HEARTS}
    for higher, lower in pairwise(parse_cards(trumps)):
        assert winning_place((lower, higher), HEARTS) == 1 and winning_place((higher, lower), HEARTS) == 0
    left = [each for each in PACKS["32"] if counted(each, HEARTS).suit == Suit.DIAMONDS]
    assert sorted(left, reverse=True) == list(parse_cards("AD KD QD TD 9D 8D 7D"))
    assert legal(playing("JD AC KC", "9D")) == "KC AC JD"
    assert legal(playing("JD AC KC", "9H")) == "JD"


def test_example_4_single_play() -> None:
    assert scored((2, 1, 1, 1), options=SINGLE) == (0, 2, 2, 2)


def test_example_5_alone_the_partner_sits_out() -> None:
    state = act(GAME, dealt(), Pass(), Pass(), Accept(True), Decline())
    assert (state.out, state.to_act, state.leader) == (0, (1,), 1)


def test_example_6_at_the_bridge() -> None:
    assert at_the_bridge(TEAM, (4, 2, 4, 2)) == (0, 2)
    assert at_the_bridge(TEAM, (1, 4, 1, 4)) == (1, 3)
    assert at_the_bridge(TEAM, (4, 3, 4, 3)) == ()
    assert at_the_bridge(TEAM, (3, 2, 3, 2)) == ()
    assert at_the_bridge(replace(TEAM, winning_score=7), (4, 2, 4, 2)) == ()
    assert at_the_bridge(SINGLE, (4, 2, 1, 2)) == ()
    assert GAME.layout(dealt(scores=(4, 2, 4, 2))).seats == ("at the bridge", "", "at the bridge", "")
    assert GAME.layout(dealt(scores=(4, 3, 4, 3))).seats == ("",) * 4


# --- the pack and the deal --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "lowest"), [("32", 7), ("28", 8), ("24", 9)])
def test_the_pack_goes_down_to_the_lowest_rank_and_has_its_jacks(size: str, lowest: int) -> None:  # D-EU-1
    pack = GAME.pack(replace(TEAM, deck_size=size))
    assert len(pack) == int(size) == len(set(pack))
    assert {each.rank for each in pack} == set(range(lowest, 15))


def test_five_cards_each_and_the_next_is_turned_up_for_all() -> None:
    state = dealt()
    assert [len(held) for held in state.hands] == [5] * 4
    watched = redact(state, PUBLIC)
    assert watched.turn_up == (Slot(card(TURN_UP), PUBLIC),)
    assert [slot.card for slot in watched.stock] == [BACK] * 11
    assert state.to_act == (0,)


def test_a_deal_without_a_turn_up_cannot_be() -> None:
    view = redact(GAME.start(TEAM, 3), PUBLIC)
    with pytest.raises(ValueError, match="no card is turned up"):
        GAME.play(view, GAME.deal(view, (BACK,) * 32, ()))


def test_no_hand_is_shown_at_the_end() -> None:
    with pytest.raises(ValueError, match="no cards are shown"):
        GAME.show(dealt())


# --- making trump -----------------------------------------------------------------------------------------------------


def test_round_1_eldest_to_dealer_accept_or_pass() -> None:
    state = dealt()
    for seat in range(4):
        assert state.to_act == (seat,)
        assert GAME.legal(state, seat) == (Pass(), Accept(False), Accept(True))
        state = act(GAME, state, Pass())
    assert (state.to_act, state.trump) == ((0,), None)


@pytest.mark.parametrize("passes", range(4))
def test_accepted_by_anyone_the_turn_up_s_suit_is_trump_and_the_dealer_may_exchange(passes: int) -> None:
    state = act(GAME, dealt(), *[Pass()] * passes, Accept(False))
    assert (state.trump, state.maker, state.out, state.to_act) == (HEARTS, passes, None, (3,))
    assert GAME.legal(state, 3) == (*[Discard(each) for each in sorted(parse_cards(DEAL[3]))], Decline())


def test_round_2_names_any_suit_but_the_one_turned_down() -> None:
    state = act(GAME, dealt(), *[Pass()] * 4)
    suits = (CLUBS, Suit.DIAMONDS, SPADES)
    assert GAME.legal(state, 0) == (Pass(), *[Name(suit, alone) for suit in suits for alone in (False, True)])
    assert refusal(GAME, state, 0, Name(HEARTS, False)) == "hearts were turned down: name another suit"
    assert refusal(GAME, state, 0, Accept(False)) == "that card was turned down: name another suit, or pass"
    assert [pile.name for pile in GAME.layout(state).piles] == ["turned down", "stock"]
    state = act(GAME, state, Pass(), Name(SPADES, False))
    assert (state.trump, state.maker, state.exchanging, state.to_act) == (SPADES, 1, False, (0,))


def test_all_pass_twice_nothing_is_scored_and_the_next_dealer_deals() -> None:
    state = act(GAME, dealt(scores=(1, 2, 1, 2)), *[Pass()] * 8)
    assert (state.stage, state.dealer, state.scores, state.to_act) == (Stage.DEAL, 0, (1, 2, 1, 2), ())
    assert state.sheet and state.sheet.hand == (0, 0, 0, 0)


def test_calls_out_of_place_are_refused_with_the_rule() -> None:
    state = dealt()
    before = state
    for action, reason in (
        (Name(SPADES, False), "a heart is turned up: order it up, or pass"),
        (Play(card("9H")), "nobody has made trump yet"),
        (Discard(card("9H")), "you have nothing to discard or decline now"),
        (Decline(), "you have nothing to discard or decline now"),
    ):
        assert refusal(GAME, state, 0, action) == reason
    assert refusal(GAME, state, 1, Pass()) == "it's not your turn"
    for made in (called(Accept(False)), act(GAME, dealt(), Accept(False))):
        for call in (Pass(), Accept(False), Name(SPADES, False)):
            assert refusal(GAME, made, made.to_act[0], call) == "trump has already been made"
    assert state == before


def test_alone_the_partner_keeps_its_cards_to_itself_and_is_skipped() -> None:
    state = called(Accept(True))
    assert (state.maker, state.out, state.leader) == (0, 2, 0)
    state = act(GAME, state, Play(card("9H")), Play(card("KH")))
    assert state.to_act == (3,)
    state = act(GAME, state, Play(card("QC")))
    assert (state.leader, state.to_act, state.deal.tricks.won) == (1, (1,), [0, 1, 0, 0])
    assert [seat for seat, _ in state.last_trick] == [0, 1, 3]
    assert len(state.hands[2]) == 5 and not redact(state, PUBLIC).hands[2].cards
    assert GAME.layout(state).seats == ("", "1 trick", "sitting out", "")
    assert GAME.layout(state).notes == ("{0's} lone hand",)


def test_alone_may_be_named_in_round_2() -> None:
    state = act(GAME, dealt(), *[Pass()] * 5, Name(SPADES, True))
    assert (state.maker, state.out, state.to_act) == (1, 3, (0,))


def test_d_eu_3_defenders_cannot_play_alone() -> None:
    state = act(GAME, dealt(), Accept(False))
    assert all(isinstance(action, Discard | Decline) for action in GAME.legal(state, 3))


# --- what a player hears and sees -------------------------------------------------------------------------------------


def test_the_turn_up_is_told_with_whose_deal_it_is_and_what_the_player_to_speak_may_do() -> None:
    pack = stacked(PACKS["32"], 3, DEAL, TURN_UP)
    assert said_at_deal(GAME, GAME.start(TEAM, 3), pack) == ["{3} turn up TH"]
    state = dealt()
    assert GAME.layout(state).notes == ("{3's} deal", "{0} can order up hearts")
    assert GAME.layout(act(GAME, state, Pass())).notes[1] == "{1} can order up hearts"
    assert GAME.layout(act(GAME, state, *[Pass()] * 3)).notes[1] == "{3} can pick up hearts"
    assert GAME.layout(act(GAME, state, *[Pass()] * 4)).notes == ("{3's} deal", "{0} can name another suit")
    assert said_aloud(GAME, act(GAME, state, *[Pass()] * 2), Pass()) == []
    assert said_aloud(GAME, act(GAME, state, *[Pass()] * 3), Pass()) == ["{3} turn TH down"]
    assert said_aloud(GAME, act(GAME, state, *[Pass()] * 7), Pass()) == ["everyone passed twice"]


def test_each_seat_has_its_phrase_for_making_trump() -> None:
    state = dealt()
    phrases = [GAME.says(state, seat, Accept(False)) for seat in range(4)]
    assert phrases == [
        "order up hearts",
        "order up hearts",
        "order up hearts",
        "pick up hearts",
    ]
    assert GAME.says(state, 1, Accept(True)) == "order up hearts, going alone"
    assert [GAME.says(dealt(SINGLE), seat, Accept(False)) for seat in (1, 3)] == [
        "order up hearts",
        "pick up hearts",
    ]
    assert GAME.says(state, 0, Name(CLUBS, False)) == "make it clubs"
    assert GAME.says(state, 0, Name(SPADES, True)) == "make it spades, going alone"
    assert GAME.says(state, 0, Pass()) == GAME.says(state, 0, Play(card("9H"))) == ""


def test_the_phrases_for_making_trump_are_understood() -> None:
    state = dealt()
    for speaking in (state, *[act(GAME, state, *[Pass()] * passes) for passes in range(1, 5)]):
        seat = speaking.to_act[0]
        for action in GAME.legal(speaking, seat):
            words = GAME.says(speaking, seat, action) or "pass"
            assert read_action(GAME, speaking, seat, words.split()) == action
    for typed in ("order it up", "order hearts", "Order up hearts", "accept"):
        assert read_action(GAME, state, 0, typed.split()) == Accept(False)
    assert read_action(GAME, state, 0, ["order", "up", "hearts", "going", "alone"]) == Accept(True)
    assert read_action(GAME, state, 0, ["go", "alone"]) == read_action(GAME, state, 0, ["alone"]) == Accept(True)
    with pytest.raises(IllegalAction, match="a heart is turned up: order it up, or pass"):
        read_action(GAME, state, 0, ["make", "it", "spades"])


def test_trump_is_told_with_its_maker_and_who_sits_out() -> None:
    state = dealt()
    assert GAME.layout(state).trump is None
    assert said_aloud(GAME, state, Accept(False)) == ["hearts are trump"]
    assert said_aloud(GAME, state, Accept(True)) == ["hearts are trump", "{2} sit out this hand"]
    passed = act(GAME, state, *[Pass()] * 5)
    assert said_aloud(GAME, passed, Name(CLUBS, True)) == ["{3} sit out this hand"]
    made = act(GAME, passed, Name(CLUBS, False))
    assert (GAME.layout(made).trump, GAME.layout(made).notes) == (Trump(CLUBS, 1), ())


def test_the_exchange_is_told_without_the_card_that_is_laid_away() -> None:
    state = act(GAME, dealt(), Accept(False))
    assert GAME.layout(state).notes == ("{3} can swap a card for the upcard",)
    assert GAME.says(state, 3, Discard(card("KS"))) == "pick up TH and discard KS"
    assert GAME.says(redact(state, PUBLIC), 3, Discard(BACK)) == "pick up TH and discard a card"
    assert GAME.says(state, 3, Decline()) == "leave TH on the table"
    assert said_aloud(GAME, state, Discard(card("KS"))) == []


def test_one_s_own_trumps_are_marked_in_their_order_with_the_bowers() -> None:
    assert GAME.own(dealt(), 2) == ()
    state = called(Accept(False))
    assert GAME.own(state, 2) == ("trumps: JH (right bower), JD (left bower), QH",)
    assert GAME.own(state, 1) == ("trumps: AH, KH",)
    assert GAME.own(state, 3) == GAME.own(finished((3, 1, 0, 1)), 0) == ()


@pytest.mark.parametrize(
    ("tricks", "words"),
    [
        ((3, 1, 0, 1), "{0} and {2} took 3 tricks and made it"),
        ((3, 0, 2, 0), "{0} and {2} took 5 tricks: a march"),
        ((1, 2, 0, 2), "{0} and {2} took 1 trick: euchred"),
    ],
)
def test_the_end_of_a_hand_says_what_became_of_the_makers(tricks: tuple[int, ...], words: str) -> None:
    assert said_aloud(GAME, last_trick(tricks), Play(card("QC"))) == [words]


# --- the exchange (D-EU-2) --------------------------------------------------------------------------------------------


def test_d_eu_2_the_dealer_takes_the_turn_up_and_lays_another_card_away_face_down() -> None:
    state = act(GAME, dealt(), Accept(False), Discard(card("KS")))
    assert set(state.hands[3].cards) == set(parse_cards("AC QC TC KD TH"))
    assert redact(state, eyes_of_viewer(3)).laid.cards == parse_cards("KS")
    watched = redact(state, PUBLIC)
    assert [slot.card for slot in watched.laid.slots] == [BACK]
    assert watched.hands[3].cards == parse_cards("TH")
    assert (state.turn_up, state.to_act, state.exchanging) == ((), (0,), False)


def test_d_eu_2_or_they_decline_and_it_stays_face_up_out_of_play() -> None:
    state = act(GAME, dealt(), Accept(False), Decline())
    assert set(state.hands[3].cards) == set(parse_cards(DEAL[3]))
    assert redact(state, PUBLIC).turn_up == (Slot(card("TH"), PUBLIC),)
    assert [pile.name for pile in GAME.layout(state).piles] == ["upcard", "stock"]


def test_d_eu_2_also_when_they_will_sit_out() -> None:
    state = act(GAME, dealt(), Pass(), Accept(True))
    assert (state.out, state.to_act) == (3, (3,))
    state = act(GAME, state, Discard(card("KS")))
    assert card("TH") in state.hands[3].cards and state.to_act == (0,)


def test_a_discard_is_one_of_the_dealer_s_own_five() -> None:
    state = act(GAME, dealt(), Accept(False))
    assert (
        refusal(GAME, state, 3, Discard(card("TH")))
        == "you can't discard the card you pick up: to leave it, type decline"
    )
    assert refusal(GAME, state, 3, Discard(card("9H"))) == "you don't have 9H"
    assert refusal(GAME, state, 3, Discard(BACK)) == "you don't have --"
    assert refusal(GAME, state, 3, Play(card("AC"))) == "first discard a card to pick up the upcard, or decline it"
    GAME.verify(redact(state, PUBLIC), 3, Discard(BACK))


# --- the play ---------------------------------------------------------------------------------------------------------


def test_eldest_leads_anything_and_others_follow_if_they_can() -> None:
    state = called(Accept(False))
    assert legal(state) == "JC KC 7D 9H AS"
    state = act(GAME, state, Play(card("AS")))
    assert legal(state) == "9C 8D TD KH AH"
    state = act(GAME, state, Play(card("9C")))
    assert legal(state) == "8S TS"
    assert refusal(GAME, state, 2, Play(card("JH"))) == "you must follow spades"
    assert refusal(GAME, state, 2, Play(card("7C"))) == "you don't have 7C"


def test_the_left_bower_follows_trumps_and_not_its_own_suit() -> None:
    assert legal(playing("JD 7D AC", "9D")) == "7D"
    assert refusal(GAME, playing("JD 7D", "9D"), 1, Play(card("JD"))) == "you must follow diamonds"
    assert refusal(GAME, playing("JD 7D", "9H"), 1, Play(card("7D"))) == "you must follow hearts"
    assert legal(playing("7D 7H", "JD")) == "7H"  # led, it asks for trumps


def test_the_highest_trump_takes_the_trick_or_the_highest_of_the_suit_led() -> None:
    for trick, taker in (("9D AD JD 7H", 2), ("9D AD KS AC", 1), ("JD JH AH 7H", 1), ("9D AD 7H AC", 2)):
        assert winning_place(parse_cards(trick), HEARTS) == taker
    assert winning_place(parse_cards("JC AS JS"), SPADES) == 2
    assert winning_place(parse_cards("JC AS KS"), SPADES) == 0


def test_counted_tells_all_cards_of_the_pack_apart() -> None:
    for trump in (None, *Suit):
        assert len({counted(each, trump) for each in PACKS["32"]}) == 32
    assert counted(BACK, HEARTS) == BACK and counted(card("JD"), None) == card("JD")


# --- scoring and the end ----------------------------------------------------------------------------------------------


def test_d_eu_4_a_euchred_lone_player_also_gives_two() -> None:
    assert score_items(TEAM, 0, True, (2, 3, 0, 0)) == ((), (("euchre", 2),), (), (("euchre", 2),))


def test_d_eu_5_in_single_play_nobody_plays_alone_and_each_scores_alone() -> None:
    state = dealt(SINGLE)
    assert GAME.legal(state, 0) == (Pass(), Accept(False))
    assert refusal(GAME, state, 0, Accept(True)) == "you have no partner, so you can't go alone"
    state = act(GAME, state, *[Pass()] * 4)
    assert refusal(GAME, state, 0, Name(SPADES, True)) == "you have no partner, so you can't go alone"
    assert scored((3, 1, 1, 0), options=SINGLE) == (1, 0, 0, 0)
    assert scored((5, 0, 0, 0), options=SINGLE) == (2, 0, 0, 0)


def test_items_name_what_counts() -> None:
    for tricks, alone, name in (((3, 2, 0, 0), False, "made"), ((5, 0, 0, 0), False, "march")):
        assert score_items(TEAM, 0, alone, tricks)[0][0][0] == name
    assert score_items(TEAM, 1, True, (0, 5, 0, 0))[3] == (("march alone", 4),)


def test_the_first_side_at_the_winning_score_wins() -> None:
    state = finished((3, 1, 0, 1), scores=(4, 4, 4, 4))
    assert (state.stage, state.scores, state.winners) == (Stage.OVER, (5, 4, 5, 4), (0, 2))
    state = finished((1, 2, 1, 1), scores=(4, 3, 4, 3))
    assert (state.stage, state.scores, state.winners) == (Stage.OVER, (4, 5, 4, 5), (1, 3))
    assert finished((3, 1, 0, 1), scores=(3, 4, 3, 4)).stage == Stage.DEAL


def test_in_single_play_the_highest_wins_and_level_ones_play_on() -> None:
    state = finished((1, 2, 1, 1), options=SINGLE, scores=(4, 3, 4, 2))
    assert (state.scores, state.winners) == ((4, 5, 6, 4), (2,))
    state = finished((1, 2, 1, 1), options=SINGLE, scores=(4, 3, 3, 2))
    assert (state.scores, state.stage, state.winners) == ((4, 5, 5, 4), Stage.DEAL, ())


def test_a_whole_hand_is_played_and_scored() -> None:
    state = act(GAME, dealt(), Pass(), Accept(False), Discard(card("KS")))
    for each in parse_cards("AS 9C 8S QC 7D 8D QH KD JH TH 9H AH JD TC KC KH TS AC JC TD"):
        state = act(GAME, state, Play(each))
    assert (state.stage, state.dealer, state.scores) == (Stage.DEAL, 0, (2, 0, 2, 0))
    assert state.deal.tricks.won == [1, 0, 4, 0]


def test_the_deal_goes_round_and_a_rematch_begins_at_the_left() -> None:
    begun = hands_played(GAME, TEAM, 1, 20)
    for before, after in pairwise(begun):
        if after.hand > 1:
            assert before.dealer is not None and after.dealer == (before.dealer + 1) % 4
    first = begun[0].first_dealer
    assert first is not None and GAME.next_first_dealer(begun[0]) == (first + 1) % 4


# --- as it is played today --------------------------------------------------------------------------------------------

STUCK = replace(TEAM, stick_the_dealer=True)
TAKEN_UP = replace(TEAM, dealer_takes_up=True)


def test_a_dealer_who_is_stuck_must_name_a_suit() -> None:
    state = called(*[Pass()] * 7, options=STUCK)
    assert state.to_act == (3,)
    assert refusal(GAME, state, 3, Pass()) == "everyone else passed twice, so you must name a suit"
    assert GAME.layout(state).notes[-1] == "{3} must name another suit"
    assert all(isinstance(action, Name) for action in GAME.legal(state, 3))
    assert isinstance(choose(redact(state, eyes_of_viewer(3)), 3, Random(1)), Name)
    assert refusal(GAME, called(*[Pass()] * 3, options=STUCK), 3, Pass()) == ""
    assert refusal(GAME, called(*[Pass()] * 7), 3, Pass()) == ""


def test_a_dealer_who_takes_up_may_not_leave_the_turn_up() -> None:
    state = act(GAME, dealt(TAKEN_UP), Accept(False))
    assert GAME.layout(state).notes == ("{3} must swap a card for the upcard",)
    assert refusal(GAME, state, 3, Decline()) == "you have to pick up the upcard, so discard another card"
    assert refusal(GAME, state, 3, Discard(card(TURN_UP))) == "you can't discard the card you pick up"
    assert isinstance(choose(redact(state, eyes_of_viewer(3)), 3, Random(1)), Discard)
    state = act(GAME, state, Discard(card("TC")))
    assert card(TURN_UP) in state.hands[3].cards and state.to_act == (0,)


def test_a_dealer_takes_up_though_they_sit_out() -> None:
    state = act(GAME, dealt(TAKEN_UP), Pass(), Accept(True))
    assert (state.out, state.to_act) == (3, (3,))
    assert isinstance(choose(redact(state, eyes_of_viewer(3)), 3, Random(1)), Discard)
