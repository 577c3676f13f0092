"""Rule sheet 9: every rule, decision and worked example of thirty-one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2pcards.cards.card import BACK, Card, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, redact, slots_of
from p2pcards.games.dealing import Dealt
from p2pcards.games.drawing import Discard, Draw, Drawn, Knock, Take
from p2pcards.games.game import IllegalAction, Stage
from p2pcards.games.showing import Shown
from p2pcards.games.spelling import read_action, spell_action
from p2pcards.games.thirty_one.rules import (
    GAME,
    PACK,
    PRESETS,
    TURNS,
    Blitz,
    Blitzed,
    Options,
    Stand,
    State,
    counting_ranks,
    hand_value,
    is_blitz,
    show,
)
from rigs.tables import act, defaults, face_down, face_up, hands, refusal, stacked

REAL = PRESETS["real-deal"]
ANY = Options(blitz="any_31")
PLAIN = ("2C 3C 4D", "5C 6C 7D", "8C 9C TD", "2H 3H 4S")  # worth 5, 11, 17, 5


def card(word: str) -> Card:
    return parse_cards(word)[0]


def playing(
    *held: str,
    top: str = "QD",
    stock: str = "KC 9S 8S",
    scores: tuple[int, ...] = (3, 3, 3, 3),
    to_act: int = 0,
    options: Options = REAL,
    **changes: Any,
) -> State:
    """A hand in progress, dealt by seat 3: these hands, these discards (the top one last), this stock."""
    return State(
        options,
        scores,
        stage=Stage.PLAY,
        to_act=(to_act,),
        hand=1,
        dealer=3,
        hands=hands(*held),
        stock=face_down(stock),
        discards=face_up(top),
        **changes,
    )


def shown(*held: str, scores: tuple[int, ...] = (3, 3, 3, 3), knocker: int = 0, **changes: Any) -> State:
    """After the showdown of these hands; "" for who is out."""
    state = replace(playing(*held, scores=scores, knocker=knocker, **changes), stage=Stage.SHOW, to_act=())
    after: State = GAME.play(state, GAME.show(state))
    assert after.sheet and after.sheet.totals == after.scores
    assert after.sheet.hand == tuple(sum(points for _, points in items) for items in after.sheet.items)
    return after


# --- what a hand is worth ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "value"),
    [
        ("AH KH TH", 31),
        ("AH KH QH", 31),
        ("KH 8H 5H", 23),
        ("QS 9D 8D", 17),
        ("AC 6S 4S", 11),
        ("JC 7H 4S", 10),
        ("7C 7D 7H", 7),
        ("AS TS 9D", 21),
        ("", 0),
    ],
)
def test_worked_example_1_values(hand: str, value: int) -> None:
    assert hand_value(parse_cards(hand)) == value


def test_worked_example_1_blitz() -> None:
    assert is_blitz(REAL, parse_cards("AH KH TH")) and is_blitz(ANY, parse_cards("AH KH TH"))
    assert not is_blitz(REAL, parse_cards("AH KH QH")) and is_blitz(ANY, parse_cards("AH KH QH"))
    assert not is_blitz(ANY, parse_cards("AH KH TS")) and not is_blitz(ANY, parse_cards("AH KH TH QH"))


def test_the_best_of_several_suits_of_one_value_counts() -> None:
    assert counting_ranks(parse_cards("9H 7S 2S")) == (9,)
    assert counting_ranks(parse_cards("TH QS 2D")) == (12,)


# --- the deal ---------------------------------------------------------------------------------------------------------


def dealt(scores: tuple[int, ...] = (3, 3, 3, 3), dealer: int = 3) -> State:
    state = replace(GAME.start(REAL, dealer), scores=scores)
    after: State = GAME.play(state, GAME.deal(state, PACK, ()))
    return after


def test_the_deal() -> None:
    state = dealt()
    assert [len(held) for held in state.hands] == [3, 3, 3, 3]
    assert state.hands[0].cards == (PACK[0], PACK[4], PACK[8])
    assert (state.to_act, [slot.card for slot in state.discards], len(state.stock)) == ((0,), [PACK[12]], 39)
    assert [slot.card for slot in slots_of(redact(state, PUBLIC)) if slot.card] == [PACK[12]]
    assert redact(state, eyes_of_viewer(2)).hands[2] == state.hands[2]


def test_who_is_out_gets_no_cards_and_no_turn() -> None:
    state = dealt(scores=(-1, 2, -1, 0), dealer=1)
    assert [len(held) for held in state.hands] == [0, 3, 0, 3]
    assert (state.to_act, len(state.stock)) == ((3,), 45)
    state = act(GAME, state, Draw())
    state = act(GAME, state, GAME.legal(state, 3)[0])
    assert state.to_act == (1,)


def test_a_deal_that_turns_up_another_card_is_refused() -> None:
    view = redact(GAME.start(REAL, 0), PUBLIC)
    for turned in ({}, {11: "2C"}, {12: "2C", 13: "3C"}, {12: "--"}):
        slots = [
            Slot(card(turned[place]) if turned[place] != "--" else BACK, PUBLIC) if place in turned else Slot(BACK)
            for place in range(52)
        ]
        with pytest.raises(ValueError, match="should be turned up"):
            GAME.play(view, Dealt(tuple(slots)))


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_a_turn_is_a_draw_and_a_discard_or_a_knock() -> None:
    state = playing(*PLAIN)
    assert GAME.legal(state, 0) == (Draw(), Take(), Knock())
    assert refusal(GAME, state, 0, Stand()) == "you can stand only after a knock: draw, take or knock"
    assert refusal(GAME, state, 0, Discard(card("2C"))) == "first draw from the stock or take the top discard, or knock"
    assert refusal(GAME, state, 1, Draw()) == "it's not your turn"
    state = act(GAME, state, Draw())
    for action in (Draw(), Take(), Knock(), Stand()):
        assert refusal(GAME, state, 0, action) == "you have one card too many: discard one"
    assert refusal(GAME, state, 0, Discard(card("AS"))) == "you don't have AS"
    state = act(GAME, state, Discard(card("2C")))
    assert (state.to_act, state.turns, state.discards) == ((1,), 1, face_up("QD 2C"))


def test_a_card_drawn_is_seen_by_the_drawer_alone_and_one_taken_by_all() -> None:
    drawn = act(GAME, playing(*PLAIN), Draw())
    assert card("KC") in drawn.hands[0].cards and not redact(drawn, eyes_of_viewer(1)).hands[0].cards
    taken = act(GAME, playing(*PLAIN), Take())
    assert redact(taken, PUBLIC).hands[0].cards == (card("QD"),) and taken.discards == ()


def test_d_31_1_a_card_taken_is_not_discarded_in_that_turn_but_a_stock_card_is() -> None:
    taken = act(GAME, playing(*PLAIN), Take())
    reason = "you can't discard the card you just took from the discard pile"
    assert refusal(GAME, taken, 0, Discard(card("QD"))) == reason
    assert refusal(GAME, taken, 0, Blitz(card("QD"))) == reason
    with pytest.raises(IllegalAction, match=reason):
        GAME.verify(redact(taken, eyes_of_viewer(1)), 0, Discard(card("QD")))
    drawn = act(GAME, playing(*PLAIN), Draw())
    assert refusal(GAME, drawn, 0, Discard(card("KC"))) == ""


def test_d_31_2_a_knock_in_the_first_turn() -> None:
    assert Knock() in GAME.legal(dealt(), 0)


def test_after_a_knock_everybody_else_has_one_turn() -> None:
    state = act(GAME, playing(*PLAIN, to_act=1), Knock())
    assert (state.to_act, GAME.legal(state, 2)) == ((2,), (Draw(), Take(), Stand()))
    assert refusal(GAME, state, 2, Knock()) == "someone already knocked: draw, take or stand"
    assert refusal(GAME, state, 2, Discard(card("8C"))) == "first draw from the stock or take the top discard, or stand"
    assert (GAME.layout(state).notes, GAME.layout(state).seats) == (("the last turn",), ("", "knocked", "", ""))
    state = act(GAME, state, Stand(), Draw(), Discard(card("2H")), Take())
    assert state.to_act == (0,)
    over = act(GAME, state, Discard(card("3C")))
    assert (over.stage, over.scores) == (Stage.DEAL, (2, 3, 3, 3))


# --- blitz ------------------------------------------------------------------------------------------------------------


def test_d_31_3_a_blitz_must_be_shown() -> None:
    state = playing("AH KH TH", *PLAIN[1:])
    assert GAME.legal(state, 0) == (Blitz(),)
    for action in (Draw(), Take(), Knock()):
        assert refusal(GAME, state, 0, action) == "you must show your blitz: type blitz"
    late = playing("2C 3C 4D", "AH KH TH", *PLAIN[2:], to_act=1, knocker=0)
    assert GAME.legal(late, 1) == (Blitz(),)  # also in the last turn
    assert act(GAME, late, Blitz()).scores == (2, 3, 2, 2)  # overriding the knock


def test_a_blitz_after_a_draw_discards_the_fourth_card() -> None:
    state = act(GAME, playing("AH KH 4D", *PLAIN[1:], stock="TH 9S"), Draw())
    assert GAME.legal(state, 0) == (Blitz(card("4D")),)
    assert refusal(GAME, state, 0, Blitz()) == "name the card you discard with the blitz"
    assert refusal(GAME, state, 0, Blitz(card("AH"))) == "that's not a blitz: you need ace, king and ten of one suit"
    assert refusal(GAME, state, 0, Discard(card("4D"))) == "you must show your blitz: type blitz"
    over = act(GAME, state, Blitz(card("4D")))
    assert (over.scores, over.discards) == ((3, 2, 2, 2), face_up("QD 4D"))


def test_a_blitz_of_any_31_leaves_a_choice_of_discards() -> None:
    state = act(GAME, playing("JH KH 4D", *PLAIN[1:], top="AH", options=ANY), Take())
    assert GAME.legal(state, 0) == (Blitz(card("4D")),)
    four = playing("AH KH QH TH", *PLAIN[1:], options=ANY, drawn=True)
    assert GAME.legal(four, 0) == (Blitz(card("TH")), Blitz(card("QH")), Blitz(card("KH")))
    plain = playing("AH KH QH", *PLAIN[1:])
    assert refusal(GAME, plain, 0, Blitz()) == "that's not a blitz: you need ace, king and ten of one suit"
    assert refusal(GAME, playing(*PLAIN, options=ANY), 0, Blitz()) == "that's not a blitz: you need a hand worth 31"
    assert refusal(GAME, plain, 0, Blitz(card("AH"))).startswith("first draw")


def test_only_the_hand_of_the_blitz_is_shown() -> None:
    over = act(GAME, playing("AH KH TH", *PLAIN[1:]), Blitz())
    watcher = redact(over, PUBLIC)
    assert watcher.hands[0].cards == tuple(sorted(parse_cards("AH KH TH")))
    assert not any(held.cards for held in watcher.hands[1:])
    assert [pile.seat for pile in GAME.layout(over).piles if pile.name == "hand"] == [0]


def test_worked_example_3_a_blitz_costs_each_other_a_point() -> None:
    over = act(GAME, playing("AH KH TH", *PLAIN[1:], scores=(0, 3, 0, 1)), Blitz())
    assert over.scores == (0, 2, -1, 0)  # who was on their honor is out
    assert over.sheet and over.sheet.items[2] == (("another player's blitz", -1),)


def test_a_blitz_that_is_none_is_refused_when_it_is_shown() -> None:
    state = GAME.play(playing(*PLAIN), Blitzed(0, ()))
    with pytest.raises(ValueError, match="is not a blitz"):
        GAME.play(state, GAME.show(state))


# --- showdown ---------------------------------------------------------------------------------------------------------


def test_worked_example_2_all_tied_for_lowest_lose() -> None:
    hands_shown = ("KH 8H 7H", "QS 9D 8D", "JC 7C 2S", "AS TS 9S")  # 25, 17, 17, 30
    for knocker in (0, 1):  # D-31-4: the knocker is treated like anybody else
        over = shown(*hands_shown, knocker=knocker)
        assert over.scores == (3, 2, 2, 3)
    assert GAME.layout(over).seats == (
        "worth 25 in hearts",
        "knocked, worth 17 in diamonds",
        "worth 17 in clubs",
        "worth 30 in spades",
    )
    assert all(len(held.cards) == 3 for held in redact(over, PUBLIC).hands)


@pytest.mark.parametrize("scores", [(0, -1, -1, 1), (0, -1, -1, 0), (2, -1, -1, 0)])
def test_worked_example_4_counting_cards_decide_on_their_honor(scores: tuple[int, ...]) -> None:
    over = shown("KH QH 4C", "", "", "KS JS 2D", scores=scores)
    assert over.scores == (*scores[:3], scores[3] - 1)
    assert over.winners == ((0,) if scores[3] == 0 else ())


def test_worked_example_4_completely_equal_hands_draw() -> None:
    over = shown("KH QH 4C", "", "", "KS QS 2D", scores=(0, -1, -1, 1))
    assert (over.stage, over.winners, over.scores) == (Stage.OVER, (0, 3), (0, -1, -1, 1))


def test_worked_example_5_d_31_5_neither_on_their_honor_both_lose() -> None:
    over = shown("KH QH 2H", "", "", "KS TS 2S", scores=(1, -1, -1, 1))
    assert (over.stage, over.scores) == (Stage.DEAL, (0, -1, -1, 0))


def test_worked_example_6_out_at_the_fourth_loss() -> None:
    scores: tuple[int, ...] = (3, 3, 3, 3)
    seen = []
    for _ in range(4):
        over = shown("2C 3D 4H", "KH QH 2C", "KS QS 3C", "KD QD 4C", scores=scores)
        scores = over.scores
        seen.append(scores[0])
    assert seen == [2, 1, 0, -1] and over.winners == ()


def test_the_last_one_in_wins() -> None:
    over = shown("2C 3D 4H", "KH QH 2C", "", "", scores=(0, 2, -1, -1))
    assert (over.stage, over.winners, over.to_act) == (Stage.OVER, (1,), ())


def test_d_31_6_where_all_would_be_out_all_win() -> None:
    over = shown("KH 2C 3D", "QS 4C 5D", "", "TC 4D 5H", scores=(0, 0, -1, 0))
    assert (over.winners, over.scores) == ((0, 1, 3), (-1, -1, -1, -1))


def test_the_deal_passes_to_the_next_player_still_in() -> None:
    over = shown("2C 3D 4H", "KH QH 2C", "KS QS 3C", "KD QD 4C", scores=(0, 3, 3, 3))
    assert (over.dealer, over.scores[0]) == (1, -1)


def test_a_hand_that_is_shown_with_other_cards_is_refused() -> None:
    state = replace(act(GAME, playing(*PLAIN), Take(), Discard(card("2C"))), stage=Stage.SHOW, to_act=())
    view, hands_shown = redact(state, eyes_of_viewer(1)), show(state).hands
    other = tuple([Slot(each, PUBLIC) for each in parse_cards("2D 3D 5D")])
    for wrong in (hands_shown[:3], (other, *hands_shown[1:]), (hands_shown[0][:2], *hands_shown[1:])):
        with pytest.raises(ValueError, match=r"does not hold|shorter"):
            GAME.play(view, Shown(wrong))


# --- the stock runs out, and hands that last too long -----------------------------------------------------------------


def test_d_31_7_the_discards_are_turned_over_unshuffled() -> None:
    state = playing(*PLAIN, stock="", top="QD AS 9H JS")
    event = GAME.decide(redact(state, PUBLIC), 0, Draw())
    assert event == Drawn(0, Slot(card("QD"), PUBLIC))  # the oldest, which everybody knows
    state = act(GAME, state, Draw())
    assert (state.stock, state.discards) == (face_up("AS 9H"), face_up("JS"))
    assert redact(state, PUBLIC).hands[0].cards == (card("QD"),)
    assert refusal(GAME, state, 0, Discard(card("QD"))) == ""  # it comes from the stock
    state = act(GAME, state, Discard(card("QD")), Draw())
    assert redact(state, PUBLIC).hands[1].cards == (card("AS"),)


def test_a_draw_of_another_card_than_lies_there_is_refused() -> None:
    state = playing(*PLAIN, stock="", top="QD AS")
    with pytest.raises(ValueError, match="the top card of the stock is QD"):
        GAME.play(state, Drawn(0, Slot(card("AS"), PUBLIC)))
    with pytest.raises(ValueError, match="not enough values"):
        GAME.play(playing(*PLAIN, stock="", top="QD"), Drawn(0, Slot(BACK)))


def test_d_gen_10_a_hand_of_200_turns_ends_without_score() -> None:
    state = playing(*PLAIN, turns=TURNS - 2)
    state = act(GAME, state, Draw(), Discard(card("KC")))
    assert state.stage == Stage.PLAY
    state = act(GAME, state, Draw(), Discard(card("9S")))
    assert (state.stage, state.dealer, state.scores, state.to_act) == (Stage.DEAL, 3, (3, 3, 3, 3), ())
    assert state.sheet and state.sheet.items == ((), (), (), ())


# --- what is told -----------------------------------------------------------------------------------------------------


def told(state: State, *actions: Any) -> list[tuple[int | None, str]]:
    """What is said aloud as the last of these actions, of the seat to act, is taken, and the hands are shown."""
    state = act(GAME, state, *actions[:-1])
    after = GAME.play(state, event := GAME.decide(state, state.to_act[0], actions[-1]))
    remarks = GAME.remarks(state, event, after)
    if after.stage == Stage.SHOW:
        shown = GAME.show(after)
        remarks += GAME.remarks(after, shown, GAME.play(after, shown))
    return [(remark.seat, remark.words) for remark in remarks]


def test_each_action_is_said() -> None:
    state = playing(*PLAIN)
    assert GAME.says(state, 0, Take()) == "take QD from the discard pile"
    assert GAME.says(state, 0, Draw()) == "draw from the stock"
    assert GAME.says(replace(state, stock=()), 0, Draw()) == "draw QD from the stock"  # which everybody has seen
    assert [GAME.says(state, 0, said) for said in (Discard(card("2C")), Knock(), Stand())] == ["", "knock", "stand"]
    blitzes = [Blitz(), Blitz(card("4D"))]
    assert [GAME.says(state, 0, blitz) for blitz in blitzes] == ["show a blitz", "show a blitz, discarding 4D"]


def test_the_first_discard_and_a_stock_turned_over_are_told() -> None:
    start = GAME.start(REAL, 1)
    event = GAME.deal(start, stacked(PACK, 1, PLAIN, "QD"), ())
    assert [remark.words for remark in GAME.remarks(start, event, GAME.play(start, event))] == [
        "the first discard is QD"
    ]
    assert told(playing(*PLAIN, stock="", top="QD AS JS"), Draw()) == [
        (None, "the discards are turned over as the new stock")
    ]


def test_a_player_sees_what_their_hand_is_worth() -> None:
    state = playing("9D 8D QS", "JC 7H JS", *PLAIN[2:], top="KD")
    assert GAME.own(state, 0) == ("worth 17 in diamonds",)
    assert GAME.own(state, 1) == ("worth 10 in clubs or spades",)
    assert GAME.own(act(GAME, state, Take()), 0) == ("worth 27 in diamonds if you discard QS",)
    low = act(GAME, replace(state, stock=face_down("2H 9S")), Draw())
    assert GAME.own(low, 0) == ("worth 17 in diamonds if you discard 2H or QS",)
    taken = act(GAME, playing("9D 8D QS", *PLAIN[1:], top="2H"), Take())
    assert GAME.own(taken, 0) == ("worth 17 in diamonds if you discard QS",)
    assert GAME.own(shown(*PLAIN), 0) == ()


def test_a_knock_and_the_showdown_are_told() -> None:
    state = playing("KH 8H 7H", "QS 9D 8D", "JC 7C 2S", "AS TS 9S", scores=(3, 1, 0, 3))
    assert told(state, Knock()) == [(None, "everyone else has one last turn")]
    assert told(state, Knock(), Stand(), Stand(), Stand()) == [
        (0, "show 7H 8H KH, worth 25 in hearts"),
        (1, "show 8D 9D QS, worth 17 in diamonds"),
        (2, "show 7C JC 2S, worth 17 in clubs"),
        (3, "show 9S TS AS, worth 30 in spades"),
        (1, "lose the last life with the lowest hand: on honor now"),
        (2, "are out with the lowest hand"),
    ]
    assert told(replace(state, scores=(3, 3, 3, 3)), Knock(), Stand(), Stand(), Stand())[4:] == [
        (1, "lose a life with the lowest hand, 2 left"),
        (2, "lose a life with the lowest hand, 2 left"),
    ]


def test_a_blitz_is_told_with_its_losers() -> None:
    assert told(playing("AH KH TH", *PLAIN[1:], scores=(3, 3, 0, -1)), Blitz()) == [
        (0, "show TH KH AH, worth 31 in hearts"),
        (1, "lose a life to the blitz, 2 left"),
        (2, "are out to the blitz"),
    ]


def test_the_last_two_who_tie_are_told_what_decides() -> None:
    def last_two(second: str, scores: tuple[int, ...]) -> list[tuple[int | None, str]]:
        state = playing("KH QH 4C", "", "", second, scores=scores)
        return told(state, Knock(), Stand())[2:]

    assert last_two("KS JS 2D", (1, -1, -1, 0)) == [(3, "are out with the lower cards")]
    assert last_two("KS QS 2D", (0, -1, -1, 1)) == [(None, "their best suits match card for card: both win")]
    three = playing("KH 2C 3D", "QS 4C 5D", "", "TC 4D 5H", scores=(0, 0, -1, 0))
    assert told(three, Knock(), Stand(), Stand())[-1] == (None, "nobody would be left: all win")


def test_a_hand_that_lasts_too_long_is_told() -> None:
    long = act(GAME, playing(*PLAIN, turns=TURNS - 1), Draw())
    assert told(long, Discard(card("KC"))) == [(None, "200 turns have been played: nobody loses")]


# --- games, words -----------------------------------------------------------------------------------------------------


def test_d_gen_1_the_first_dealer_and_a_rematch() -> None:
    start = GAME.start(REAL, None)
    state = GAME.play(start, GAME.deal(start, PACK, (PACK[6], *PACK[:6], *PACK[7:])))
    assert (state.dealer, GAME.next_first_dealer(state)) == (2, 3)


def test_on_their_honor_is_on_the_table() -> None:
    assert GAME.layout(playing(*PLAIN, scores=(3, 0, 1, -1))).seats == ("", "on honor", "", "out")
    assert GAME.layout(playing(*PLAIN)).seats == ("",) * 4


def test_actions_are_spelled_and_read() -> None:
    state = act(GAME, playing("AH KH 4D", *PLAIN[1:], stock="TH 9S"), Draw())
    assert [spell_action(action) for action in GAME.legal(state, 0)] == ["blitz 4D"]
    assert read_action(GAME, state, 0, ["blitz", "4d"]) == Blitz(card("4D"))
    assert [spell_action(action) for action in GAME.legal(playing(*PLAIN), 0)] == ["draw", "take", "knock"]


def test_d_31_8_defaults_and_presets() -> None:
    assert defaults(Options) == {"starting_points": 3, "blitz": "ace_king_ten"}
    assert dict(PRESETS) == {"usual": Options(blitz="any_31"), "real-deal": Options()}
    assert GAME.start(Options(starting_points=7), 0).scores == (7, 7, 7, 7)


def test_a_stacked_deal_goes_round_from_the_left_of_the_dealer() -> None:
    start = GAME.start(REAL, 1)
    state = GAME.play(start, GAME.deal(start, stacked(PACK, 1, PLAIN, "QD"), ()))
    assert [held.cards for held in state.hands] == [tuple(sorted(parse_cards(words))) for words in PLAIN]
    assert state.to_act == (2,)
