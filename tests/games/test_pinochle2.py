"""Rule sheet 12: every rule, decision and worked example of two-handed pinochle with stock and melds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import BACK, Card, Suit, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Slot, eye_of_seat, eyes_of_viewer, redact, slots_of
from p2pcards.games.cutting import Cut, Fanned, TurnedAt
from p2pcards.games.dealing import Dealt
from p2pcards.games.drawing import Draw, Drawn, Knock, Meld, Melded
from p2pcards.games.game import Action, IllegalAction, Sheet, Stage, Trump
from p2pcards.games.options import OptionError, declared_options, set_options
from p2pcards.games.pinochle2.melds import Kind, Laid, cards_after_meld
from p2pcards.games.pinochle2.rules import (
    GAME,
    PRESETS,
    DealCut,
    Event,
    Options,
    Phase,
    State,
    raised_goal,
    trick_points,
)
from p2pcards.games.pinochle_cards import winning_place
from p2pcards.games.playing import Play, Played
from p2pcards.games.spelling import read_action, spell_action
from rigs.tables import act, defaults, face_down, face_up, hands, refusal

USUAL = PRESETS["meggiesoft"]
PACK = GAME.pack(USUAL)


def card(word: str) -> Card:
    return parse_cards(word)[0]


def meld(words: str) -> Meld:
    return Meld(tuple(sorted(parse_cards(words))))


def laid(*melds: tuple[Kind, str]) -> tuple[Laid, ...]:
    table: tuple[Laid, ...] = ()
    for kind, words in melds:
        table = cards_after_meld(table, kind, parse_cards(words))
    return table


def playing(
    mine: str, other: str = "9C TC", turn_up: str = "9H", options: Options = USUAL, stock: str = "JC AC", **changes: Any
) -> State:
    """The first part of a round: seat 0 has won a trick and may meld; this stock, the turn-up under it."""
    state = State(options, options.goal, stage=Stage.PLAY, to_act=(0,), hand=1, dealer=1, first_dealer=1)
    return replace(
        state,
        hands=hands(mine, other),
        stock=face_down(stock) + face_up(turn_up),
        trump=card(turn_up).suit,
        phase=changes.pop("phase", Phase.MELD),
        **changes,
    )


def second(mine: str, other: str, leader: int = 0, options: Options = USUAL, **changes: Any) -> State:
    """The second part of a round, hearts trump."""
    state = playing(mine, other, options=options, phase=Phase.SECOND, to_act=(leader,), leader=leader, **changes)
    return replace(state, stock=())


def melding(state: State, *melds: str) -> State:
    """The state after these melds, each but a dix after another trick won."""
    for words in melds:
        state = replace(act(GAME, state, meld(words)), melded=False)
    return state


def gets(state: State, words: str) -> State:
    """The state in which seat 0 holds these cards besides its open ones."""
    return replace(state, hands=hands(words, "9C TC"))


def told(state: State, event: Event) -> list[tuple[int | None, str]]:
    return [(remark.seat, remark.words) for remark in GAME.remarks(state, event, GAME.play(state, event))]


def melded_points(state: State, seat: int = 0) -> list[int]:
    return [points for _, points in state.items[seat]]


def plays(state: State, seat: int) -> str:
    return " ".join([str(action.card) for action in GAME.legal(state, seat) if isinstance(action, Play)])


def pack_with(*places: tuple[int, str], options: Options = USUAL) -> tuple[Card, ...]:
    """A pack in which certain cards lie at these places and after."""
    wanted = {place + i: each for place, words in places for i, each in enumerate(parse_cards(words))}
    rest = iter((Counter(GAME.pack(options)) - Counter(wanted.values())).elements())
    return tuple([wanted[place] if place in wanted else next(rest) for place in range(len(GAME.pack(options)))])


def begun(options: Options = USUAL, pack: tuple[Card, ...] | None = None, dealer: int | None = None) -> State:
    state = GAME.start(options, dealer)
    after: State = GAME.play(state, GAME.deal(state, pack or GAME.pack(options), ()))
    return after


# --- the deal, and who leads ------------------------------------------------------------------------------------------


def test_the_deal() -> None:
    pack = pack_with((0, "AC TC KC"), (3, "AD TD KD"), (6, "9S 9S QC"), (24, "QH JS"))
    state = begun(pack=pack)
    assert (state.dealer, state.to_act, state.hand, state.trump) == (1, (0,), 1, Suit.HEARTS)
    assert [len(held) for held in state.hands] == [12, 12]
    assert set(parse_cards("AC TC KC 9S QC")) <= set(state.hands[0].cards)
    assert set(parse_cards("AD TD KD")) <= set(state.hands[1].cards)
    assert state.stock[-1] == Slot(card("QH"), PUBLIC) and state.stock[0] == Slot(card("JS"))
    assert len(state.stock) == 24
    assert Counter(slot.card for slot in slots_of(state)) == Counter(PACK)
    everyone = redact(state, PUBLIC)
    assert [slot.card for slot in slots_of(everyone) if slot.card] == [card("QH")]


def test_the_pack() -> None:
    assert len(PACK) == 48 and set(Counter(PACK).values()) == {2}
    assert {each.rank for each in PACK} == {9, 10, 11, 12, 13, 14}


def test_deck_64() -> None:
    options = Options(deck_64=True)
    pack = GAME.pack(options)
    assert len(pack) == 64 and set(Counter(pack).values()) == {2} and {each.rank for each in pack} >= {7, 8}
    state = begun(options)
    assert len(state.stock) == 40
    state = playing("7H 9H", turn_up="KH", options=options)
    assert refusal(GAME, state, 0, meld("9H")).startswith("that's not a meld")
    after = act(GAME, state, meld("7H"))
    assert after.scores == (10, 0) and after.stock[-1].card == card("7H") and card("KH") in after.hands[0].cards
    assert (
        winning_place(parse_cards("7C 8C"), Suit.HEARTS) == 1 and winning_place(parse_cards("9C 8C"), Suit.HEARTS) == 0
    )


def test_d_2p_1_seat_0_leads_first_and_then_they_alternate() -> None:
    state = begun()
    assert (state.dealer, state.to_act) == (1, (0,))
    state = replace(second("AC", "9C"), dealer=1, first_dealer=1)
    state = act(GAME, state, Play(card("AC")), Play(card("9C")))
    assert (state.stage, state.dealer) == (Stage.DEAL, 0)
    state = GAME.play(state, GAME.deal(state, PACK, ()))
    assert (state.hand, state.to_act) == (2, (1,))


def test_the_leader_of_the_first_round_alternates_from_game_to_game() -> None:
    state = begun()
    assert GAME.next_first_dealer(state) == 0
    state = begun(dealer=0)
    assert state.to_act == (1,) and GAME.next_first_dealer(replace(state, dealer=1)) == 1


CUT = Options(deal_cut=True)


def cut(words: str) -> tuple[DealCut, State]:
    """The cut of a draw pack that begins with these cards, where nobody picks."""
    state = GAME.unpicked(GAME.start(CUT, 0))
    event = GAME.deal(state, PACK, pack_with((0, words)))
    assert isinstance(event, DealCut)
    return event, GAME.play(state, event)


@pytest.mark.parametrize(
    ("words", "dealer"), [("AC KC", 0), ("9S KC", 1), ("TC KD", 0), ("KD TC", 1), ("JC QC", 1), ("TS AS", 1)]
)
def test_deal_cut_the_higher_card_deals(words: str, dealer: int) -> None:
    event, state = cut(words)
    assert (state.stage, state.dealer, state.first_dealer, state.hand) == (Stage.DEAL, dealer, dealer, 0)
    assert state.cut == parse_cards(words) and [slot.eyes for slot in event.draw[:3]] == [PUBLIC, PUBLIC, 0]
    state = GAME.play(state, GAME.deal(state, PACK, ()))
    assert state.to_act == (1 - dealer,)
    note = "cut for the first deal: {{0}} {} and {{1}} {}".format(*words.split())
    assert note in GAME.layout(state).notes
    assert note not in GAME.layout(replace(state, hand=2)).notes
    assert note not in GAME.layout(replace(state, last_trick=((0, card("AC")), (1, card("9C"))))).notes


def test_deal_cut_equal_ranks_cut_again() -> None:
    event, state = cut("AC AD KS KS 9C JC")
    assert (state.dealer, state.cut) == (1, parse_cards("9C JC"))
    assert [slot.eyes for slot in event.draw].count(PUBLIC) == 6
    assert told(GAME.unpicked(GAME.start(CUT, 0)), event) == [
        (0, "cut AC"), (1, "cut AD"), (0, "cut KS"), (1, "cut KS"), (0, "cut 9C"), (1, "cut JC")
    ]  # fmt: skip


def to_be_cut(words: str, options: Options = CUT) -> State:
    """The draw pack, which begins with these cards, is to be cut for the deal."""
    start = GAME.start(options, 0)
    event = GAME.deal(start, GAME.pack(options), pack_with((0, words), options=options))
    assert isinstance(event, Fanned)
    state: State = GAME.play(start, event)
    return state


@pytest.mark.parametrize(("options", "places"), [(CUT, 47), (Options(deal_cut=True, deck_64=True), 63)])
def test_deal_cut_one_lifts_a_packet_off_and_the_other_cuts_the_rest(options: Options, places: int) -> None:
    state = to_be_cut("AC KC 9S TD", options)
    assert GAME.legal(state, 0) == (Cut(None), *[Cut(place) for place in range(1, places + 1)])
    assert refusal(GAME, state, 0, Cut(places + 1)) == f"pick a place from 1 to {places}"
    assert refusal(GAME, state, 0, Draw()) == "cut for the first deal: type cut, or cut and a number"
    assert redact(state, PUBLIC).fan == (HIDDEN,) * (places + 1)
    lifted = act(GAME, state, Cut(2))
    assert (lifted.to_act, lifted.drawn) == ((1,), face_up("KC"))
    assert GAME.legal(lifted, 1) == (Cut(None), *[Cut(place) for place in range(1, places)])
    assert act(GAME, lifted, Cut(1)).cut == parse_cards("KC 9S") and act(GAME, lifted, Cut(2)).cut == parse_cards(
        "KC TD"
    )
    last = act(GAME, state, Cut(places))
    assert GAME.legal(last, 1) == (Cut(None), Cut(1))
    assert (
        GAME.layout(lifted).notes == ()
        and GAME.layout(lifted).seats == ()
        and GAME.indicator(lifted, 1) == ("undealt",)
    )
    assert GAME.layout(state).turn == 0, "no trick is on while the pack is cut"
    assert [(pile.name, pile.seat, len(pile.slots)) for pile in GAME.layout(lifted).piles] == [
        ("fan", None, places), ("cut", 0, 1)
    ]  # fmt: skip


@pytest.mark.parametrize(("mine", "theirs", "dealer"), [(1, 1, 0), (2, 1, 0), (3, 1, 1), (3, 2, 1), (None, None, 0)])
def test_deal_cut_the_places_that_are_picked_decide(mine: int | None, theirs: int | None, dealer: int) -> None:
    state = act(GAME, to_be_cut("AC KC 9S TD AH"), Cut(mine), Cut(theirs))
    assert (state.stage, state.dealer, state.first_dealer, state.hand) == (Stage.DEAL, dealer, dealer, 0)
    assert (state.fan, state.drawn, state.lifted) == ((), (), 0)
    assert GAME.play(state, GAME.deal(state, PACK, ())).to_act == (1 - dealer,)


def test_deal_cut_level_cards_are_laid_aside_and_the_others_cut_again() -> None:
    level = act(GAME, to_be_cut("9C AC AD KS TS"), Cut(2), Cut(1))
    assert (level.to_act, level.drawn, len(level.fan), level.dealer) == ((0,), face_up("AC AD"), 46, None)
    assert GAME.legal(level, 0)[-1] == Cut(45)
    state = act(GAME, level, Cut(1), Cut(1))
    assert (state.cut, state.dealer) == (parse_cards("9C KS"), 1)
    first = GAME.decide(level, 0, Cut(3))
    lifted = (0, "cut 3 of 46 cards, leaving 43 for {1}")
    assert first == TurnedAt(0, 3, face_up("TS")[0]) and told(level, first) == [(0, "turn up TS"), lifted]
    again = to_be_cut("AC AD")
    assert told(act(GAME, again, Cut(None)), GAME.decide(act(GAME, again, Cut(None)), 1, Cut(None))) == [
        (1, "turn up AD"), (None, "the cards tie, so cut again")
    ]  # fmt: skip


def test_deal_cut_every_game_is_cut_for() -> None:
    assert GAME.start(CUT, 0).dealer is None and GAME.start(CUT, None).dealer is None
    assert GAME.start(USUAL, 0).dealer == 0


def test_a_cut_that_cannot_be_is_refused() -> None:
    start = redact(GAME.start(CUT, None), PUBLIC)
    for turned in ("", "AC", "AC AD", "AC KC 9D TD", "AC --", "-- AC KC"):
        slots = [Slot(BACK if word == "--" else card(word), PUBLIC) for word in turned.split()]
        with pytest.raises(ValueError, match="should be drawn"):
            GAME.play(start, DealCut((*slots, *[HIDDEN] * (48 - len(slots)))))


def test_a_deal_that_turns_up_another_card_is_refused() -> None:
    view = redact(GAME.start(USUAL, 1), PUBLIC)
    for turned in ({}, {23: "QC"}, {24: "QC", 25: "KC"}, {24: "--"}):
        slots = [
            Slot(BACK if turned.get(place) == "--" else card(turned[place]), PUBLIC) if place in turned else HIDDEN
            for place in range(48)
        ]
        with pytest.raises(ValueError, match="should be turned up"):
            GAME.play(view, Dealt(tuple(slots)))


def test_worked_example_8_the_bonus_for_a_dix_that_is_dealt() -> None:
    pack = pack_with((24, "9H"))
    assert begun(pack=pack).scores == (0, 0)
    bonus = Options(bonus_dix_dealt=True)
    state = begun(bonus, pack)
    assert state.scores == (0, 10) and state.items == ((), (("dix turned up", 10),))
    assert begun(bonus, pack_with((24, "KH"))).scores == (0, 0)
    by_round = begun(Options(bonus_dix_dealt=True, score_by_round=True), pack)
    assert by_round.scores == (0, 0) and by_round.items[1] == (("dix turned up", 10),)
    sevens = Options(bonus_dix_dealt=True, deck_64=True)
    assert begun(sevens, pack_with((24, "9H"), options=sevens)).scores == (0, 0)
    assert begun(sevens, pack_with((24, "7H"), options=sevens)).scores == (0, 10)


# --- the first part ---------------------------------------------------------------------------------------------------


def trick(led: str, answer: str) -> int:
    """Who wins a trick of the first part that seat 0 has led, hearts trump."""
    state = playing(f"{led} 9S", f"{answer} JS", phase=Phase.FIRST)
    state = act(GAME, state, Play(card(led)), Play(card(answer)))
    assert state.phase == Phase.MELD and state.to_act == (state.leader,)
    assert state.scores == (0, 0), "tricks of the first part score nothing"
    return state.leader


@pytest.mark.parametrize(
    ("led", "answer", "taker"),
    [("KC", "TC", 1), ("TC", "AC", 1), ("TC", "KC", 0), ("KC", "KC", 0), ("KC", "AS", 0), ("AC", "9H", 1),
     ("9H", "AC", 0), ("JH", "QH", 1), ("9C", "9D", 0)],
)  # fmt: skip
def test_who_wins_a_trick(led: str, answer: str, taker: int) -> None:
    assert trick(led, answer) == taker


def test_any_card_may_be_played_in_the_first_part() -> None:
    state = playing("KC 9S", "AC AC 9H JS", phase=Phase.FIRST, laid=((), laid((Kind.MARRIAGE, "KS QS"))))
    state = act(GAME, state, Play(card("KC")))
    assert plays(state, 1) == "AC 9H JS QS' KS'"
    assert refusal(GAME, state, 1, Play(card("KS"))) == "you don't have KS"
    assert refusal(GAME, state, 1, Play(card("JS'"))) == "JS' isn't one of your melded cards"


def test_the_winner_melds_then_both_draw_and_the_winner_leads() -> None:
    state = playing("KC QC", "9C JS", stock="JC AC 9D", phase=Phase.MELD, leader=0)
    assert refusal(GAME, state, 0, Play(card("KC"))) == "you won the trick: meld, or draw"
    assert GAME.legal(state, 1) == () and refusal(GAME, state, 1, Draw()) == "it's not your turn"
    state = act(GAME, state, meld("KC QC"))
    assert (state.to_act, state.scores) == ((0,), (20, 0))
    state = act(GAME, state, Draw())
    assert (state.phase, state.to_act, GAME.legal(state, 1)) == (Phase.DRAW, (1,), (Draw(),))
    assert refusal(GAME, state, 1, Play(card("9C"))) == "draw from the stock"
    state = act(GAME, state, Draw())
    assert (state.phase, state.to_act) == (Phase.FIRST, (0,))
    assert state.hands[0].slots == (Slot(card("JC"), eye_of_seat(0)),) and card("AC") in state.hands[1].cards
    first = "play a card first; the winner of the trick may meld, then draws"
    assert refusal(GAME, state, 0, Draw()) == refusal(GAME, state, 0, meld("9C")) == first
    assert plays(state, 0) == "JC QC' KC'"


def test_a_card_drawn_is_seen_by_who_draws_it() -> None:
    state = playing("KC QC", "9C JS", stock="JC AC 9D")
    for seat in (0, 1):
        event = GAME.decide(state, seat, Draw())
        assert event == Drawn(seat, Slot(state.stock[0].card, eye_of_seat(seat)))
        assert redact(event, eyes_of_viewer(1 - seat)) == Drawn(seat, HIDDEN)
        state = GAME.play(state, event)


def test_melded_cards_stay_playable_and_go_to_the_trick_as_any() -> None:
    state = melding(playing("KH QH AC", "9C", stock="JC AC 9D"), "KH QH")
    state = replace(state, phase=Phase.FIRST)
    state = act(GAME, state, Play(card("KH'")))
    assert state.trick == (Slot(card("KH"), PUBLIC),)
    assert [str(each.slot.card) for each in state.laid[0]] == ["QH'"]
    assert state.hands[0].cards == parse_cards("AC")
    state = act(GAME, state, Play(card("9C")))
    assert state.taken[0] == face_up("KH 9C") and state.last_trick == ((0, card("KH")), (1, card("9C")))


def test_the_last_card_of_the_stock_is_shown_and_the_turn_up_goes_to_the_loser() -> None:
    table = (laid((Kind.MARRIAGE, "KC QC")), laid((Kind.PINOCHLE, "JD QS")))
    state = playing("AC 9S", "9D TD", stock="JC", turn_up="KH", laid=table, taken=(face_up("AH 9C"), ()))
    event = GAME.decide(state, 0, Draw())
    assert event == Drawn(0, Slot(card("JC"), PUBLIC))
    state = act(GAME, state, Draw())
    assert state.stock == face_up("KH") and state.phase == Phase.DRAW
    with pytest.raises(ValueError, match="is shown by the player who draws it"):
        GAME.play(redact(playing("AC", stock="JC"), PUBLIC), Drawn(0, HIDDEN))
    state = act(GAME, state, Draw())
    assert (state.phase, state.to_act, state.stock, state.laid) == (Phase.SECOND, (0,), (), ((), ()))
    watched = redact(state, PUBLIC)
    assert watched.hands[0].cards == parse_cards("JC QC KC") and len(watched.hands[0]) == 5
    assert watched.hands[1].cards == parse_cards("JD KH QS") and len(watched.hands[1]) == 5
    assert (state.past, state.taken) == (face_up("AH 9C"), ((), ()))


def test_a_known_card_leaves_a_hand_before_its_equal_that_is_not() -> None:
    """A turn-up in the hand, and its equal that only it has seen."""
    state = act(GAME, playing("KH KH 9H", turn_up="QH"), meld("9H"))
    both = replace(state, phase=Phase.FIRST, hands=hands("KH QH", "9C"))
    known = replace(both, hands=(replace(both.hands[0], slots=tuple(sorted((*both.hands[0].slots, *face_up("KH"))))),
                                 both.hands[1]))  # fmt: skip
    event = GAME.decide(known, 0, Play(card("KH")))
    for eyes in (eyes_of_viewer(0), eyes_of_viewer(1), PUBLIC):
        assert GAME.play(redact(known, eyes), event) == redact(GAME.play(known, event), eyes)
    assert GAME.play(known, event).hands[0].slots == hands("KH QH")[0].slots


# --- melds ------------------------------------------------------------------------------------------------------------


def test_worked_example_1() -> None:
    state = melding(playing("KH QH AH TH JH"), "KH QH", "AH TH KH' QH' JH")
    assert melded_points(state) == [40, 150] and state.scores == (190, 0)
    state = melding(playing("KH QH AH TH JH"), "AH TH KH QH JH")
    assert refusal(GAME, state, 0, meld("KH' QH'")) == ("QH' has been in a flush, so it can't be in a marriage now")


def test_worked_example_2() -> None:
    state = melding(playing("KH QH AH TH JH"), "AH TH KH QH JH")
    assert refusal(GAME, gets(state, "KH"), 0, meld("KH QH'")).startswith("QH' has been in a flush")
    assert melding(gets(state, "KH QH"), "KH QH").scores == (190, 0)


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_worked_example_3(order: tuple[int, ...]) -> None:
    melds = [("JD", 20), ("QC QD QH", 60), ("KS", 20)]
    state = playing("JD QC QD QH KS QS")
    for n, place in enumerate(order):
        others, points = melds[place]
        before = state.scores[0]
        state = melding(state, f"{others} QS" + "'" * bool(n))
        assert state.scores[0] == before + points
    assert state.scores == (100, 0)


COURT = "KC KD KH KS QC QD QH QS"


def test_worked_example_4() -> None:
    state = playing(COURT)
    state = melding(state, "KH QH", "KC QC", "KD QD", "QC' QD' QH' QS", "KC' KD' KH' KS")
    assert melded_points(state) == [40, 20, 20, 60, 80] and state.scores == (220, 0)
    assert refusal(GAME, state, 0, meld("KS' QS'")) == "a meld needs a new card from your hand"
    assert refusal(GAME, playing(COURT), 0, meld(COURT)).startswith("that's not a meld")
    house = Options(roundhouse=True)
    assert melding(playing(COURT, options=house), COURT).scores == (220, 0)
    assert melding(playing(COURT, options=Options(roundhouse=True, bonus_roundhouse=True)), COURT).scores == (240, 0)


def test_the_cards_of_a_roundhouse_are_in_no_other_marriage_or_set() -> None:
    house = Options(roundhouse=True)
    state = gets(melding(playing(COURT, options=house), COURT), "KH KC KD KS")
    assert refusal(GAME, state, 0, meld("KH QH'")).startswith("QH' has been in a roundhouse")
    assert refusal(GAME, state, 0, meld("KC' KD KH KS")).startswith("KC' has been in a roundhouse")
    state = gets(melding(playing(COURT, options=house), "KC QC"), COURT)
    assert refusal(GAME, state, 0, meld("KC' KD KH KS QC QD QH QS")).startswith("KC' has been in a marriage")
    assert refusal(GAME, state, 0, meld(COURT)) == ""


def test_worked_example_5() -> None:
    state = melding(playing("AC AD AH AS"), "AC AD AH AS")
    state = gets(state, "AC AD AH AS")
    assert refusal(GAME, state, 0, meld("AC AD AH AS'")).startswith("AS' has been in four of a rank")
    state = melding(state, "AC AD AH AS")
    assert melded_points(state) == [100, 100]


ALL = "9H 9H AC AD AH AS"


def test_worked_example_6() -> None:
    state = playing(ALL)
    for words in ("AC AD AH AS", "9H", "9H"):
        state = act(GAME, state, meld(words))
    assert state.scores == (120, 0) and GAME.legal(state, 0) == (Draw(),)
    state = act(GAME, playing(ALL), meld("9H"), meld("AC AD AH AS"), meld("9H"))
    assert state.scores == (120, 0)


def test_one_meld_for_each_trick() -> None:
    state = act(GAME, playing("KC QC KD QD 9H"), meld("KC QC"))
    assert refusal(GAME, state, 0, meld("KD QD")) == "you get only one meld for each trick you win, plus any dixes"
    assert GAME.legal(state, 0) == (meld("9H"), Draw())
    state = act(GAME, state, meld("9H"), Draw(), Draw())
    assert not act(GAME, replace(state, hands=hands("KD QD AC", "9C")), Play(card("AC")), Play(card("9C"))).melded


def test_worked_example_6_dix_alone() -> None:
    alone = Options(dix_alone=True)
    state = act(GAME, playing(ALL, options=alone), meld("9H"))
    assert state.scores == (10, 0)
    assert refusal(GAME, state, 0, meld("9H")) == "you get only one meld for each trick you win"
    assert refusal(GAME, state, 0, meld("AC AD AH AS")) == "you get only one meld for each trick you win"
    state = act(GAME, playing(ALL, options=alone), meld("AC AD AH AS"))
    assert refusal(GAME, state, 0, meld("9H")) == "you get only one meld for each trick you win"
    assert melding(playing(ALL, options=alone), "AC AD AH AS", "9H", "9H").scores == (120, 0)


def test_worked_example_7() -> None:
    state = act(GAME, playing("9H 9H QH", turn_up="KH"), meld("9H"))
    assert state.scores == (10, 0) and state.stock[-1] == Slot(card("9H"), PUBLIC) and state.laid == ((), ())
    assert Slot(card("KH"), PUBLIC) in state.hands[0].slots and state.trump == Suit.HEARTS
    assert refusal(GAME, state, 0, meld("KH QH")) == "", "the turn-up may be melded at once"
    state = act(GAME, state, meld("9H"))
    assert state.scores == (20, 0) and [str(each.slot.card) for each in state.laid[0]] == ["9H'"]
    state = act(GAME, playing("9H QH", turn_up="9H"), meld("9H"))
    assert state.scores == (10, 0) and state.stock[-1].card == card("9H")
    assert [str(each.slot.card) for each in state.laid[0]] == ["9H'"] and state.hands[0].cards == parse_cards("QH")


def test_d_2p_2_each_nine_is_a_dix_once() -> None:
    state = act(GAME, playing("9H QH"), meld("9H"))
    assert refusal(GAME, state, 0, meld("9H'")).startswith("9H' has been in a dix")
    assert refusal(GAME, state, 0, meld("9H")) == "you don't have 9H"


def test_d_2p_2_a_second_pinochle_is_20_again() -> None:
    state = melding(playing("JD JD QS QS"), "JD QS")
    assert refusal(GAME, state, 0, meld("JD QS'")).startswith("QS' has been in a pinochle")
    assert melding(state, "JD QS").scores == (40, 0)


def test_red_pinochle() -> None:
    red = Options(red_pinochle=True)
    why = refusal(GAME, playing("JD QS QH"), 0, meld("JD QH"))
    assert why.startswith("that's not a meld; you can meld a marriage,")
    assert melding(playing("JD QS QH", options=red), "JD QH").scores == (20, 0)
    assert "queen of hearts" in refusal(GAME, playing("JD QS QH", options=red), 0, meld("JD QS"))


def test_melds_that_are_refused_leave_everything_as_it_was() -> None:
    state = playing("KC QC KD QD", laid=(laid((Kind.SET, "AC AD AH AS")), laid((Kind.MARRIAGE, "KS QS"))))
    for action, why in (
        (meld("KS QS'"), "QS' isn't one of your melded cards"),
        (meld("KH QH"), "you don't have QH"),
        (Meld(parse_cards("KC QC")), "name the cards of a meld in ascending order"),
        (Meld(()), "that's not a meld"),
        (meld("KC KC"), "that's not a meld"),
        (meld("KC QC KD QD"), "that's not a meld"),
        (meld("AC' AD' AH' AS'"), "AC' has been in four of a rank"),
        (Knock(), "you have 0 points, but need 1000 to knock"),
    ):
        before = hash(state)
        assert refusal(GAME, state, 0, action).startswith(why)
        assert hash(state) == before
    assert refusal(GAME, state, 1, meld("KC QC")) == "it's not your turn"


def test_events_that_cannot_be_are_refused() -> None:
    state = playing("KC QC", "9C")
    for event in (
        Melded(0, face_up("KC QD")),
        Melded(0, face_up("KC QC'")),
        Melded(0, face_up("KH QH")),
        Played(0, Slot(card("KC'"), PUBLIC)),
        Played(0, Slot(card("AC"), PUBLIC)),
        Drawn(0, Slot(card("9D"), eye_of_seat(0))),
    ):
        with pytest.raises((ValueError, LookupError)):
            GAME.play(state, event)
    with pytest.raises(ValueError, match="is not a meld now"):
        GAME.play(second("KC QC", "9C AC"), Melded(0, face_up("KC QC")))


# --- the second part --------------------------------------------------------------------------------------------------


def taken_points(words: str, **options: bool) -> int:
    return trick_points(Options(**options), parse_cards(words))


@pytest.mark.parametrize(
    ("words", "original", "simplified"), [("AH TH", 21, 20), ("KC JC", 6, 5), ("QS 9S", 3, 5), ("9C 9D", 0, 0)]
)
def test_worked_example_9(words: str, original: int, simplified: int) -> None:
    assert taken_points(words) == original
    assert taken_points(words, simplified_scoring=True) == simplified


def answers(led: str, hand: str, **options: bool) -> str:
    state = second(f"{led} 9S", hand, options=Options(**options))
    state = act(GAME, state, Play(card(led)))
    return plays(state, 1)


def test_worked_example_10() -> None:
    assert answers("KH", "TH JH AS") == "TH"
    assert answers("KC", "AC JC") == "JC AC"
    assert answers("KC", "AC JC", must_overplay=True) == "AC"
    assert answers("KC", "9H AS") == "9H"


@pytest.mark.parametrize(
    ("led", "hand", "may"),
    [("AH", "TH JH AS", "TH JH"), ("KH", "KH JH 9C", "JH KH"), ("KC", "9D AS", "9D AS"), ("KH", "9D AS", "9D AS")],
)
def test_following_in_the_second_part(led: str, hand: str, may: str) -> None:
    assert answers(led, hand) == answers(led, hand, must_overplay=True) == may


def test_d_2p_3_only_trumps_must_be_beaten() -> None:
    assert answers("TC", "9C AC 9H") == "9C AC" and answers("TC", "9C AC 9H", must_overplay=True) == "AC"


def test_the_reason_of_a_refusal_in_the_second_part() -> None:
    state = act(GAME, second("KC 9S", "9H AS"), Play(card("KC")))
    assert refusal(GAME, state, 1, Play(card("AS"))) == "you must trump"
    state = act(GAME, second("KH 9S", "9H AH"), Play(card("KH")))
    assert refusal(GAME, state, 1, Play(card("9H"))) == "you must follow hearts, and beat KH if you can"
    gone = "the stock is gone: play a card to the trick"
    assert refusal(GAME, state, 1, Draw()) == refusal(GAME, state, 1, meld("9H")) == gone
    assert refusal(GAME, state, 1, Knock()) == "the stock is gone, so you can't knock"


def end_of_round(scores: tuple[int, ...] = (0, 0), goal: int = 1000, **options: Any) -> State:
    """Seat 0 takes the last trick, AC and 9C; it had the ten of hearts, the other a king."""
    state = second("AC", "9C", scores=scores, taken=(face_up("TH 9H"), face_up("KD 9D")), options=Options(**options))
    state = replace(state, goal=goal, items=((("flush", 150),), (("dix", 10),)))
    return act(GAME, state, Play(card("AC")), Play(card("9C")))


def test_the_score_of_a_round() -> None:
    state = end_of_round((150, 10))
    assert state.sheet == Sheet(
        ((("flush", 150), ("cards taken", 21)), (("dix", 10), ("cards taken", 4))), (171, 14), (171, 14)
    )
    assert (state.scores, state.stage, state.to_act) == ((171, 14), Stage.DEAL, ())
    assert end_of_round((150, 10), simplified_scoring=True).scores == (170, 15)


def test_bonus_last_trick() -> None:
    state = end_of_round((150, 10), bonus_last_trick=True)
    assert state.scores == (181, 14) and state.sheet and state.sheet.items[0][-1] == ("last trick", 10)


def test_score_by_round_adds_everything_at_the_end() -> None:
    by_round = Options(score_by_round=True)
    state = act(GAME, playing("KH QH", options=by_round, scores=(990, 0)), meld("KH QH"))
    assert state.scores == (990, 0) and state.items[0] == (("royal marriage", 40),)
    assert refusal(GAME, state, 0, Knock()) == "you can't knock when melds are scored at the end of the round"
    state = end_of_round((0, 0), score_by_round=True)
    assert state.scores == (171, 14) and state.sheet and state.sheet.hand == (171, 14)


# --- the end of the game ----------------------------------------------------------------------------------------------


def test_worked_example_11() -> None:
    state = playing("AC AD AH AS", scores=(940, 700))
    assert refusal(GAME, state, 0, Knock()) == "you have 940 points, but need 1000 to knock"
    state = act(GAME, state, meld("AC AD AH AS"))
    assert state.scores == (1040, 700) and GAME.legal(state, 0) == (Draw(), Knock())
    assert GAME.layout(state).seats == ("can knock, 100 this round: hundred aces 100", "")
    state = act(GAME, state, Knock())
    assert (state.stage, state.winners, state.to_act) == (Stage.OVER, (0,), ())
    assert state.sheet == Sheet(((("hundred aces", 100),), ()), (100, 0), (1040, 700))
    by_round = playing("AC AD AH AS", scores=(1040, 700), options=Options(score_by_round=True))
    assert Knock() not in GAME.legal(by_round, 0)


def test_d_2p_4_knock_in_any_later_turn_of_the_first_part() -> None:
    state = playing("AC AS", "9C JC", scores=(1040, 1020), stock="9D 9S 9D")
    for to_act in (0, 1, 0, 1):
        assert state.to_act == (to_act,) and Knock() in GAME.legal(state, to_act)
        over = act(GAME, state, Knock())
        assert (over.stage, over.winners) == (Stage.OVER, (to_act,))
        state = act(GAME, state, next(action for action in GAME.legal(state, to_act) if action != Knock()))
    assert Knock() not in GAME.legal(replace(state, scores=(999, 999)), state.to_act[0])


def test_not_knocking_carries_on_and_the_end_of_the_round_decides() -> None:
    state = end_of_round((1000, 10))
    assert (state.stage, state.winners, state.scores) == (Stage.OVER, (0,), (1021, 14))
    assert end_of_round((10, 999)).winners == (1,)


def test_auto_knock() -> None:
    auto = Options(auto_knock=True)
    state = playing("AC AD AH AS 9H", scores=(940, 700), options=auto)
    assert Draw() in GAME.legal(state, 0)
    state = act(GAME, state, meld("AC AD AH AS"))
    assert GAME.legal(state, 0) == (Knock(),)
    for action in (Draw(), meld("9H")):
        assert refusal(GAME, state, 0, action) == "you have reached the goal, so you must knock"
    state = playing("AC", "9C", scores=(1000, 0), options=auto, phase=Phase.FIRST)
    assert GAME.legal(state, 0) == (Knock(),)
    assert plays(second("AC", "9C", scores=(1000, 0), options=auto), 0) == "AC"


@pytest.mark.parametrize(
    ("goal", "totals", "after"),
    [(1000, (1040, 1010), 1250), (1250, (1300, 1260), 1500), (1500, (1490, 1510), 1500), (1000, (1260, 1015), 1250),
     (1000, (999, 1000), 1000), (1000, (10, 20), 1000), (100, (700, 720), 850)],
)  # fmt: skip
def test_worked_example_12_and_d_2p_5_the_goal(goal: int, totals: tuple[int, ...], after: int) -> None:
    assert raised_goal(goal, totals) == after


def test_worked_example_12() -> None:
    state = end_of_round((1040 - 21, 1010 - 4))
    assert (state.stage, state.goal, state.scores) == (Stage.DEAL, 1250, (1040, 1010))
    state = GAME.play(state, GAME.deal(state, PACK, ()))
    assert "the goal is now 1250" in GAME.layout(state).notes
    state = end_of_round((1300 - 21, 1260 - 4), goal=1250)
    assert (state.stage, state.goal) == (Stage.DEAL, 1500)
    state = end_of_round((1490 - 21, 1510 - 4), goal=1500)
    assert (state.stage, state.winners) == (Stage.OVER, (1,))
    state = end_of_round((1260 - 21, 1015 - 4))
    assert (state.stage, state.goal, state.winners) == (Stage.OVER, 1250, (0,))


def test_the_raised_goal_is_that_of_a_knock_too() -> None:
    state = playing("AC", goal=1250, scores=(1240, 0))
    assert refusal(GAME, replace(state, goal=1250), 0, Knock()) == "you have 1240 points, but need 1250 to knock"


# --- options ----------------------------------------------------------------------------------------------------------


def test_the_options_are_those_of_the_sheet() -> None:
    assert defaults(Options) == {
        "goal": 1000,
        **dict.fromkeys(
            ("score_by_round", "simplified_scoring", "must_overplay", "dix_alone", "roundhouse", "deck_64",
             "red_pinochle", "bonus_dix_dealt", "bonus_roundhouse", "bonus_last_trick", "deal_cut", "auto_knock"),
            False,
        ),
    }  # fmt: skip
    goal = declared_options(Options)[0]
    assert (goal.low, goal.high) == (100, 100_000)
    assert dict(PRESETS) == {
        "usual": Options(bonus_dix_dealt=True, bonus_last_trick=True),
        "meggiesoft": Options(),
    }


def test_options_that_contradict_each_other_are_refused() -> None:
    for changes, why in (
        ({"bonus_roundhouse": "true"}, "bonus_roundhouse needs roundhouse: set roundhouse to true first."),
        ({"auto_knock": "on", "score_by_round": "on"}, "auto_knock doesn't work with score_by_round"),
        ({"goal": "99"}, "goal must be a number from 100 to 100000, not 99"),
    ):
        with pytest.raises(OptionError, match=why):
            set_options(USUAL, changes)
    assert set_options(USUAL, {"bonus_roundhouse": "true", "roundhouse": "true"}).bonus_roundhouse


def test_d_2p_6_the_goal() -> None:
    state = playing("KC QC", options=Options(goal=100), scores=(80, 0))
    state = act(GAME, state, meld("KC QC"), Knock())
    assert state.winners == (0,)


# --- what a player sees and types -------------------------------------------------------------------------------------


def test_the_table() -> None:
    state = melding(playing("KH QH AC", "9C TC", turn_up="9H", stock="JC AC 9D", leader=0), "KH QH")
    layout = GAME.layout(redact(state, PUBLIC))
    piles = {(pile.name, pile.seat): pile for pile in layout.piles}
    assert [str(slot.card) for slot in piles["melded", 0].slots] == ["QH'", "KH'"]
    assert piles["melded", 0].spread and ("melded", 1) not in piles
    assert piles["upcard", None].slots == face_up("9H") and piles["stock", None].slots == (HIDDEN,) * 3
    assert (layout.trump, layout.notes) == (Trump(Suit.HEARTS), ("any card may be played",))
    assert layout.seats == ("40 this round: royal marriage 40", "")
    layout = GAME.layout(second("AC", "9C", past=face_up("KH QH")))
    assert [pile.name for pile in layout.piles] == ["out of play"]
    assert (layout.trump, layout.notes) == (Trump(Suit.HEARTS), ("follow suit or trump",))
    assert GAME.layout(GAME.start(USUAL, None)).notes == ()


def typed(state: State, words: str) -> Action:
    return read_action(GAME, state, 0, words.split())


def test_an_open_card_is_typed_with_its_mark_or_without_where_that_is_clear() -> None:
    state = melding(playing("KH QH KS KD KC QS", stock="JC AC 9D"), "KH QH")
    four = meld("KC KD KH' KS")
    assert spell_action(four) == "meld KC KD KS KH'"
    assert typed(state, "meld kc kd kh' ks") == typed(state, "meld kc kd kh ks") == four
    with pytest.raises(IllegalAction, match="QH' has been in a marriage"):
        typed(gets(state, "KH"), "meld kh qh'")
    state = replace(state, phase=Phase.FIRST)
    assert typed(state, "kh") == typed(state, "king of hearts") == typed(state, "play KH'") == Play(card("KH'"))
    assert typed(gets(state, "KH KS"), "kh") == Play(card("KH"))
    assert typed(gets(state, "KH KS"), "kh'") == Play(card("KH'"))


def test_every_card_stays_where_it_can_be_found_through_a_whole_game() -> None:
    rng = Random(3)
    state = GAME.start(Options(goal=300, roundhouse=True), None)
    while state.stage != Stage.OVER:
        if state.stage == Stage.DEAL:
            event = GAME.deal(state, tuple(rng.sample(PACK, 48)), ())
        else:
            seat = state.to_act[0]
            event = GAME.decide(state, seat, rng.choice(GAME.legal(state, seat)))
        state = GAME.play(state, event)
        assert Counter(slot.card.face for slot in slots_of(state)) == Counter(PACK)
        assert sum(map(len, state.hands)) + sum(map(len, state.laid)) <= 24
    assert state.sheet and state.sheet.totals == state.scores


# --- what is said at the table ----------------------------------------------------------------------------------------


def test_the_turn_up_is_named_with_what_it_makes_trump() -> None:
    for options, more in ((USUAL, ""), (Options(bonus_dix_dealt=True), ", and score 10 for the dix")):
        start = GAME.start(options, None)
        event = GAME.deal(start, pack_with((24, "9H")), ())
        assert told(start, event) == [(1, f"turn up 9H: hearts are trump{more}")]


def test_a_meld_is_said_with_its_name_and_points() -> None:
    state = melding(playing("KH QH JC JD JH JS 9H", turn_up="AH"), "KH QH")
    assert GAME.says(state, 0, meld("JC JD JH JS")) == "meld JC JD JH JS: forty jacks, 40 points"
    assert GAME.says(state, 0, meld("9H")) == "exchange the dix, 9H, for AH: 10 points"
    assert GAME.says(playing("9H", turn_up="9H"), 0, meld("9H")) == "meld 9H: dix, 10 points"
    flush = gets(state, "AH TH JH")
    assert GAME.says(flush, 0, meld("JH QH' KH' TH AH")) == "meld TH JH AH QH' KH': flush, 150 points"
    assert GAME.says(state, 0, Draw()) == GAME.says(state, 0, Play(card("KH'"))) == ""
    assert GAME.says(replace(state, scores=(1040, 0)), 0, Knock()) == "knock with 1040 points"


def test_the_last_card_face_down_is_shown_to_both_and_the_second_part_is_announced() -> None:
    state = playing("AC 9S", "9D TD", stock="JC", turn_up="KH")
    assert told(state, Drawn(0, Slot(card("JC"), PUBLIC))) == [(0, "show JC, the last face-down card")]
    state = act(GAME, state, Draw())
    assert GAME.says(state, 1, Draw()) == "take the upcard, KH"
    gone = "the stock is gone, so pick up your melds. Now follow suit, beat a trump led"
    assert told(state, Drawn(1, Slot(card("KH"), PUBLIC))) == [
        (None, f"{gone} if you can, and trump if you can't follow")
    ]
    overplay = replace(state, options=Options(must_overplay=True))
    assert "beat the card led if you can" in told(overplay, Drawn(1, Slot(card("KH"), PUBLIC)))[0][1]
    assert told(playing("AC", stock="JC AC 9D"), Drawn(0, Slot(card("JC"), eye_of_seat(0)))) == []


def test_who_reaches_the_goal_while_there_is_a_stock_can_knock_and_it_is_said() -> None:
    for options, word in ((USUAL, "can"), (Options(auto_knock=True), "must")):
        state = playing("AC AD AH AS KH QH", scores=(940, 700), options=options)
        event = Melded(0, face_up("AC AD AH AS"))
        assert told(state, event) == [(0, f"reach 1000 and {word} knock")]
        assert told(state, Melded(0, face_up("QH KH"))) == []
        assert told(replace(state, scores=(1040, 700)), Melded(0, face_up("QH KH"))) == []
    by_round = playing("AC AD AH AS", scores=(940, 700), options=Options(score_by_round=True))
    assert told(by_round, Melded(0, face_up("AC AD AH AS"))) == []


def test_a_goal_that_is_put_up_is_announced() -> None:
    state = second("AC", "9C", scores=(1040, 1010))
    state = act(GAME, state, Play(card("AC")))
    assert told(state, Played(1, Slot(card("9C"), PUBLIC))) == [
        (None, "both reached 1000, so the goal is now 1250")
    ]  # fmt: skip


def test_what_each_has_made_in_this_round_is_a_fact_of_the_seat() -> None:
    items = ((("flush", 150), ("dix", 10)), ())
    state = second("AC", "9C", items=items, taken=(face_up("TH 9H"), face_up("KD 9D")))
    assert GAME.layout(state).seats == (
        "170 this round: flush 150, dix 10, cards taken 10", "4 this round: cards taken 4"
    )  # fmt: skip
    assert GAME.layout(replace(state, stage=Stage.DEAL)).seats == ()


def test_the_meld_indicator_has_four_states() -> None:
    assert GAME.indicator(GAME.start(USUAL, None), 0) == ("undealt",)
    assert GAME.indicator(playing("AC 9D JS"), 0) == ("no meld",)
    state = playing("KH QH JD QS 9H")
    melds = ("royal marriage (QH KH) 40", "pinochle (JD QS) 20", "dix (9H) 10")
    assert GAME.indicator(state, 0) == ("meld 40 now", *melds)
    assert GAME.indicator(replace(state, phase=Phase.FIRST), 0) == ("meld 40", *melds)
    assert GAME.indicator(second("KH QH", "9C"), 0) == ("play-off",)
    assert GAME.indicator(end_of_round((1000, 10)), 0) == ()


def test_the_meld_indicator_names_what_may_still_be_laid_after_a_meld() -> None:
    state = act(GAME, playing("KH QH JD QS 9H"), meld("QH KH"))
    assert GAME.indicator(state, 0) == ("meld 10 now", "dix (9H) 10")
    state = act(GAME, state, meld("9H"))
    assert GAME.indicator(state, 0) == ("meld 20", "pinochle (JD QS) 20")
    assert GAME.indicator(gets(melding(replace(state, melded=False), "JD QS"), "KS"), 0) == (
        "meld 20 now",
        "marriage in spades (KS QS') 20",
    )


def test_what_has_been_made_in_a_round_is_told_while_it_is_on() -> None:
    state = melding(playing("KD QD AS 9C", "TC TD"), "KD QD")
    lies = GAME.layout(state)
    assert lies.made == ((("marriage in diamonds", 20),), ()) and lies.due == ((), ())
    assert (lies.goal, GAME.layout(replace(state, goal=1250)).goal) == (1000, 1250)
    by_round = GAME.layout(replace(state, options=replace(USUAL, score_by_round=True)))
    assert by_round.made == ((), ()) and by_round.due == lies.made
    last = act(GAME, second("AC KD", "TC JD", past=face_up("KH QH")), Play(card("AC")), Play(card("TC")))
    lies = GAME.layout(last)
    assert lies.due == ((("cards taken", 21),), ()) and lies.turn == 3
    over = act(GAME, last, Play(card("KD")), Play(card("JD")))
    lies = GAME.layout(over)
    assert (lies.made, lies.due, lies.turn, lies.goal) == ((), (), 0, 1000)
    assert over.sheet and over.sheet.items[0] == (("cards taken", 27),)
