"""Rule sheet 14: every rule, decision and worked result of gin rummy; its arithmetic is in test_deadwood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from p2pcards.cards.card import BACK, Card, parse_cards
from p2pcards.cards.eyes import PUBLIC, TRUTH, Slot, eyes_of_viewer, redact, slots_of
from p2pcards.games.dealing import Dealt
from p2pcards.games.drawing import Discard, Draw, Drawn, Take
from p2pcards.games.game import IllegalAction, Stage
from p2pcards.games.gin_rummy.rules import GAME, PACK, PRESETS, Gin, Knock, Knocked, Options, Phase, State
from p2pcards.games.gin_rummy.score import Column, enter_win, hand_items
from p2pcards.games.options import OptionError, set_options
from p2pcards.games.outcome import Outcome, add_faces, add_outcome, private_faces, public_outcome
from p2pcards.games.playing import Pass
from p2pcards.games.showing import Shown, show_all_hands
from p2pcards.games.spelling import read_action, spell_action
from rigs.tables import act, defaults, face_down, face_up, hands, refusal, stacked

TELECARDS, STANDARD = PRESETS["telecards"], PRESETS["standard"]
JUNK = "2C 4C 6D TD QH 5S 7S 9S KD AC"  # 64
READY = "4H 5H 6H 8C 8H 8S JC JD JH AS"  # deadwood 1, and nothing of the junk goes with it
GIN = "4H 5H 6H 8C 8H 8S JC JD JH JS"


def card(word: str) -> Card:
    return parse_cards(word)[0]


def playing(
    *held: str,
    top: str = "2H",
    stock: str = "AH AD KC QC QS 3D",
    options: Options = TELECARDS,
    phase: Phase = Phase.DRAW,
    to_act: int = 0,
    **changes: Any,
) -> State:
    """A hand in progress, dealt by seat 1: these hands, these discards (the top one last), this stock."""
    start: Any = GAME.start(options, 1)
    state: State = replace(
        start,
        stage=Stage.PLAY,
        to_act=(to_act,),
        hand=1,
        hands=hands(*held),
        stock=face_down(stock),
        discards=face_up(top),
        phase=phase,
        **{"limit": options.knock_limit, **changes},
    )
    return state


def drawn(*held: str, **changes: Any) -> State:
    """A hand in which the seat to act has drawn."""
    return playing(*held, phase=Phase.DISCARD, **changes)


def dealt(options: Options = TELECARDS, upcard: str = "9C", dealer: int = 1) -> State:
    start = GAME.start(options, dealer)
    state: State = GAME.play(start, GAME.deal(start, stacked(PACK, dealer, (READY, JUNK), upcard), ()))
    return state


def score(state: State) -> tuple[int, ...]:
    assert state.sheet
    assert state.sheet.hand == tuple(sum(points for _, points in items) for items in state.sheet.items)
    return state.sheet.hand


# --- the deal and the first option ------------------------------------------------------------------------------------


def test_the_deal() -> None:
    state = dealt()
    assert [len(held) for held in state.hands] == [10, 10]
    assert state.hands[0].cards == tuple(sorted(parse_cards(READY)))
    assert (state.to_act, [slot.card for slot in state.discards], len(state.stock)) == ((0,), [card("9C")], 31)
    watcher = redact(state, PUBLIC)
    assert [slot.card for slot in slots_of(watcher) if slot.card] == [card("9C")]


def test_the_upcard_is_offered_to_the_other_and_then_to_the_dealer() -> None:
    state = dealt()
    assert GAME.legal(state, 0) == (Take(), Pass())
    assert refusal(GAME, state, 0, Draw()) == "take the upcard, or pass"
    state = act(GAME, state, Pass())
    assert (state.to_act, GAME.legal(state, 1)) == ((1,), (Take(), Pass()))
    state = act(GAME, state, Take())
    assert (state.to_act, state.discards) == ((1,), ())
    state = act(GAME, state, Discard(card("QH")))
    assert (state.to_act, GAME.legal(state, 0)) == ((0,), (Draw(), Take()))


def test_refused_by_both_the_other_draws_from_the_stock() -> None:
    state = act(GAME, dealt(), Pass(), Pass())
    assert (state.to_act, GAME.legal(state, 0)) == ((0,), (Draw(),))
    assert refusal(GAME, state, 0, Take()) == "both of you passed: draw from the stock"
    state = act(GAME, state, Draw())
    assert (state.phase, len(state.hands[0]), len(state.discards)) == (Phase.DISCARD, 11, 1)


def test_a_deal_that_turns_up_another_card_is_refused() -> None:
    view = redact(GAME.start(TELECARDS, 0), PUBLIC)
    for turned in ({}, {19: "2C"}, {21: "2C"}, {20: "2C", 21: "3C"}):
        slots = [Slot(card(turned[place]), PUBLIC) if place in turned else Slot(BACK) for place in range(52)]
        with pytest.raises(ValueError, match="should be turned up"):
            GAME.play(view, Dealt(tuple(slots)))


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_draw_and_discard() -> None:
    state = playing(READY, JUNK)
    assert GAME.legal(state, 0) == (Draw(), Take())
    assert refusal(GAME, state, 0, Discard(card("AS"))) == "first draw from the stock, or take the top discard"
    assert refusal(GAME, state, 0, Pass()) == "first draw from the stock, or take the top discard"
    assert refusal(GAME, state, 1, Draw()) == "it's not your turn"
    state = act(GAME, state, Draw())
    assert refusal(GAME, state, 0, Draw()) == "you have drawn: discard, or knock"
    assert refusal(GAME, state, 0, Discard(card("KH"))) == "you don't have KH"
    state = act(GAME, state, Discard(card("AH")))
    assert (state.to_act, state.phase, state.turns) == ((1,), Phase.DRAW, 1)
    assert state.discards == face_up("2H AH")


def test_a_card_drawn_is_seen_by_the_drawer_alone() -> None:
    state = playing(READY, JUNK)
    event = GAME.decide(state, 0, Draw())
    assert isinstance(event, Drawn) and event.card.card == card("AH")
    watcher = GAME.decide(redact(state, PUBLIC), 0, Draw())
    assert not public_outcome(event, watcher)
    assert private_faces(event, watcher, eyes_of_viewer(0)) == (card("AH"),)
    assert private_faces(event, GAME.decide(redact(state, eyes_of_viewer(1)), 0, Draw()), eyes_of_viewer(1)) == ()
    after = GAME.play(state, event)
    assert not redact(after, eyes_of_viewer(1)).hands[0].cards


def test_d_gi_1_a_card_taken_is_not_discarded_in_that_turn() -> None:
    state = act(GAME, playing(READY, JUNK), Take())
    assert Discard(card("2H")) not in GAME.legal(state, 0)
    reason = "you can't discard the card you just took from the discard pile"
    for action in (Discard(card("2H")), Knock(card("2H")), Gin(card("2H"))):
        assert refusal(GAME, state, 0, action) == reason
        with pytest.raises(IllegalAction, match=reason):
            GAME.verify(redact(state, eyes_of_viewer(1)), 0, action)
    assert redact(state, eyes_of_viewer(1)).hands[0].cards == (card("2H"),)  # all know that seat 0 has it
    state = act(GAME, state, Discard(card("AS")), Draw(), Discard(card("AH")), Draw())
    assert refusal(GAME, state, 0, Discard(card("2H"))) == ""


# --- knocking ---------------------------------------------------------------------------------------------------------


def test_a_knock_leaves_no_more_than_the_limit() -> None:
    state = drawn("4H 5H 6H 8C 8H 8S JC JD JH 9D 9C", JUNK)
    assert [action for action in GAME.legal(state, 0) if isinstance(action, Knock)] == [
        Knock(card("9C")),
        Knock(card("9D")),
    ]
    assert refusal(GAME, state, 0, Knock(card("JC"))) == "discarding JC leaves 38 deadwood, but the limit is 10"
    low = replace(state, limit=8)
    assert refusal(GAME, low, 0, Knock(card("9C"))) == "discarding 9C leaves 9 deadwood, but the limit is 8"
    assert GAME.layout(low).notes == ("knock with 8 or less",)


def test_knock_limit_0_allows_gin_only() -> None:
    state = drawn(READY + " KS", JUNK, options=replace(TELECARDS, knock_limit=0))
    assert refusal(GAME, state, 0, Knock(card("KS"))) == "discarding KS leaves 1 deadwood, but only gin will do"
    assert GAME.layout(state).notes == ("gin only",)


def test_a_hand_without_deadwood_says_gin() -> None:
    state = drawn(GIN + " KS", JUNK)
    assert refusal(GAME, state, 0, Knock(card("KS"))) == "that's gin: type gin KS"
    assert refusal(GAME, state, 0, Gin(card("JS"))) == "discarding JS leaves 10 deadwood, so that's not gin"
    assert refusal(GAME, state, 0, Gin(card("KS"))) == ""


def test_the_hands_are_shown_after_a_knock_and_the_knock_itself_shows_nothing() -> None:
    state = drawn(READY + " KS", JUNK)
    event = GAME.decide(state, 0, Knock(card("KS")))
    assert not public_outcome(event, GAME.decide(redact(state, PUBLIC), 0, Knock(card("KS"))))
    state = GAME.play(state, event)
    assert state.stage == Stage.SHOW and not redact(state, PUBLIC).hands[0].cards
    shown = show_all_hands(state)
    watcher = redact(state, PUBLIC)
    outcome = public_outcome(shown, show_all_hands(watcher))
    assert [face for _, face in outcome.cards] == [*sorted(parse_cards(READY)), *sorted(parse_cards(JUNK))]
    after = GAME.play(state, shown)
    assert GAME.play(watcher, add_faces(add_outcome(show_all_hands(watcher), outcome, 2), (), PUBLIC)) == redact(
        after, PUBLIC
    )
    assert redact(after, PUBLIC).hands == after.hands and after.sheet is not None


def test_what_was_laid_down_is_on_the_table() -> None:
    state = act(GAME, drawn("7H 8H 9H KC KD KS 3C 4C 5C 9S QC", "TH JH KH 2C 2D 2S 6C QD 8S AD"), Knock(card("QC")))
    piles = [
        (pile.seat, pile.name, " ".join(str(slot.card) for slot in pile.slots)) for pile in GAME.layout(state).piles
    ]
    assert piles[2:] == [
        (0, "meld", "3C 4C 5C"),
        (0, "meld", "KC KD KS"),
        (0, "meld", "7H 8H 9H"),
        (0, "deadwood", "9S"),
        (1, "meld", "2C 2D 2S"),
        (1, "laid off", "6C TH JH KH"),
        (1, "deadwood", "QD AD 8S"),
    ]
    assert all(pile.spread for pile in GAME.layout(state).piles[2:])


SQUARE = "3C 3D 3H 4C 4D 4H 5C 5D 5H KS"


def test_d_gi_3_a_knocker_may_choose_another_arrangement() -> None:
    state = drawn(SQUARE.replace("KS", "2S") + " QS", "6C 7C TD TS 9H 9S KC KD KH 2D")
    runs = (parse_cards("3C 4C 5C"), parse_cards("3D 4D 5D"), parse_cards("3H 4H 5H"))
    assert refusal(GAME, state, 0, Knock(card("QS"), runs)) == ""
    assert GAME.legal(state, 0)[-2:] == (Knock(card("QS")), Knock(card("QS"), runs))
    usual, chosen = act(GAME, state, Knock(card("QS"))), act(GAME, state, Knock(card("QS"), runs))
    assert (score(usual), score(chosen)) == ((51, 0), (36, 0))  # nothing goes on the sets


def test_d_gi_3_melds_that_are_none_or_the_usual_ones_are_refused() -> None:
    state = drawn(SQUARE.replace("KS", "2S") + " QS", JUNK)
    runs = (parse_cards("3C 4C 5C"), parse_cards("3D 4D 5D"), parse_cards("3H 4H 5H"))
    sets = (parse_cards("3C 3D 3H"), parse_cards("4C 4D 4H"), parse_cards("5C 5D 5H"))
    assert (
        refusal(GAME, state, 0, Knock(card("QS"), sets)) == "you would lay down those melds anyway, so leave them out"
    )
    less = "those melds leave more than 2 deadwood, or their cards are out of order"
    for wrong in (runs[:2], runs[::-1], (*runs[:2], runs[2][::-1]), (*runs, runs[0]), ()):
        assert refusal(GAME, state, 0, Knock(card("QS"), wrong)) == less
    assert refusal(GAME, state, 0, Knock(card("QS"), (parse_cards("9C TC JC"),))) == "you don't have 9C"


def test_melds_are_spelled_as_words_with_dashes() -> None:
    state = drawn(SQUARE.replace("KS", "2S") + " QS", JUNK)
    runs = Knock(card("QS"), (parse_cards("3C 4C 5C"), parse_cards("3D 4D 5D"), parse_cards("3H 4H 5H")))
    assert spell_action(runs) == "knock QS 3C-4C-5C 3D-4D-5D 3H-4H-5H"
    for words in ("knock qs 3c-4c-5c 3d-4d-5d 3h-4h-5h", "5h-4h-3h knock 3d-4d-5d 3C-5C-4C q♠"):
        assert read_action(GAME, state, 0, words.split()) == runs
    assert read_action(GAME, state, 0, ["knock", "qs", "3d-4d-5d"]) == runs  # one is enough to tell it
    assert read_action(GAME, state, 0, ["knock", "QS"]) == Knock(card("QS"))
    with pytest.raises(IllegalAction, match="those melds leave more"):
        read_action(GAME, state, 0, ["knock", "qs", "3c-4c-5c", "4d-5d-4h"])


@pytest.mark.parametrize(
    "event",
    [
        Knocked(0, False, face_up("JC"), ()),  # deadwood above the limit
        Knocked(0, True, face_up("KS"), ()),  # no gin
        Knocked(0, False, face_up("KS"), (parse_cards("4H 5H 6H"),)),  # not the best
    ],
)
def test_a_hand_shown_that_could_not_knock_is_refused(event: Knocked) -> None:
    state = GAME.play(drawn(READY + " KS", JUNK), event)
    with pytest.raises(ValueError, match="could not knock"):
        GAME.play(state, show_all_hands(state))


def test_a_hand_shown_with_other_cards_is_refused() -> None:
    state = act(GAME, playing(READY, JUNK, stock="KS AH AD KC"), Take())
    state = GAME.play(state, GAME.decide(state, 0, Knock(card("AS"))))
    view = redact(state, eyes_of_viewer(1))  # who knows of the deuce
    without = tuple(sorted(parse_cards(READY)))
    with pytest.raises(ValueError, match="shows a hand that it does not hold"):
        GAME.play(view, Shown((tuple(Slot(each, PUBLIC) for each in without), tuple(show_all_hands(state).hands[1]))))


# --- the score of a hand ----------------------------------------------------------------------------------------------


def items(knocker: str, other: str, options: Options = TELECARDS, doubled: bool = False) -> tuple[bool, dict[str, int]]:
    wins, found = hand_items(options, parse_cards(knocker), (), parse_cards(other), doubled)
    return wins, dict(found)


def test_worked_result_1_lay_offs() -> None:
    hand, other = "7H 8H 9H KC KD KS 3C 4C 5C 9S", "TH JH KH 2C 2D 2S 6C QD 8S AD"
    assert items(hand, other) == (True, {"deadwood 19 to 9": 10})
    state = act(GAME, drawn(hand + " QC", other), Knock(card("QC")))
    assert score(state) == (10, 0)


def test_d_gi_2_layoff_can_be_turned_off() -> None:
    hand, other = "7H 8H 9H KC KD KS 3C 4C 5C 9S", "TH JH KH 2C 2D 2S 6C QD 8S AD"
    assert items(hand, other, replace(TELECARDS, layoff=False)) == (True, {"deadwood 55 to 9": 46})


RESULT_2 = "5S QS KS 7S 8S AC AD AH 3H 9D"


def test_worked_result_2_lay_offs_gin_and_big_gin() -> None:
    assert items("5C 5D 5H 2C 2D 2H 9S TS JS 4D", RESULT_2) == (True, {"deadwood 12 to 4": 8})
    gin = "5C 5D 5H 2C 2D 2H 9C TC JC QC"
    assert items(gin, RESULT_2) == (True, {"deadwood 52 to 0": 52, "gin": 25})
    assert items(gin + " KC", RESULT_2) == (True, {"deadwood 52 to 0": 52, "big gin": 31})


@pytest.mark.parametrize(
    ("hand", "other", "result"),
    [
        ("4H 5H 6H 8C 8H 8S JC JD JH 6D", "2C 3C 4C 2S 3S 4S QH QD QC 6S", (False, {"undercut": 25})),
        (
            "4H 5H 6H 8C 8H 8S JC JD JH 9D",
            "2C 3C 4C 2S 3S 4S QS QD QC 4D",
            (False, {"undercut": 25, "deadwood 9 to 4": 5}),
        ),
        ("4H 5H 6H 8C 8H 8S JC JD JH JS", "2C 3C 4C 2S 3S 4S QH QD QC QS", (True, {"gin": 25})),
    ],
    ids=["level", "lower", "never against gin"],
)
def test_worked_result_3_undercut(hand: str, other: str, result: tuple[bool, dict[str, int]]) -> None:
    assert items(hand, other) == result


def test_the_undercutter_scores_and_deals() -> None:
    hand, other = "4H 5H 6H 8C 8H 8S JC JD JH 9D", "2C 3C 4C 2S 3S 4S QS QD QC 4D"
    state = act(GAME, drawn(hand + " KD", other), Knock(card("KD")))
    assert (score(state), state.dealer, state.winners) == ((0, 30), 1, ())


def oklahoma(upcard: str, **changes: bool) -> State:
    return dealt(replace(TELECARDS, oklahoma=True, **changes), upcard)


def test_oklahoma_the_upcard_is_the_limit() -> None:
    assert [oklahoma(upcard).limit for upcard in ("7H", "QD", "9C", "AH")] == [7, 10, 9, 1]
    assert oklahoma("AH", oklahoma_ace_gin=True).limit == 0
    assert oklahoma("7H", oklahoma_ace_gin=True).limit == 7
    spade = oklahoma("KS", oklahoma_spades_double=True)
    assert spade.doubled and not oklahoma("KS").doubled and not oklahoma("KH", oklahoma_spades_double=True).doubled
    assert GAME.layout(spade).notes[:2] == ("knock with 10 or less", "this hand counts double")


@pytest.mark.parametrize("key", ["oklahoma_ace_gin", "oklahoma_spades_double"])
def test_the_rules_of_oklahoma_need_oklahoma(key: str) -> None:
    with pytest.raises(OptionError, match=f"^{key} needs oklahoma: set oklahoma to true first.$"):
        set_options(TELECARDS, {key: "true"})
    assert getattr(set_options(TELECARDS, {key: "true", "oklahoma": "true"}), key)


def test_worked_result_4_oklahoma_doubled() -> None:
    options = replace(TELECARDS, oklahoma=True, oklahoma_spades_double=True)
    state = drawn(
        "4H 5H 6H 8C 8H 8S JC JD JH 4D 5C", "2C 3C 4C 9S 9D 9C AD AS 2D TD", options=options, limit=4, doubled=True
    )
    assert refusal(GAME, state, 0, Knock(card("4D"))) == "discarding 4D leaves 5 deadwood, but the limit is 4"
    assert score(act(GAME, state, Knock(card("5C")))) == (20, 0)


def test_big_gin_only_where_it_is_allowed() -> None:
    hand = GIN + " 7H"
    state = drawn(hand, JUNK, options=STANDARD)
    assert GAME.legal(state, 0)[-1] == Gin()
    assert score(act(GAME, state, Gin())) == (64 + 31, 0)
    plain = drawn(hand, JUNK)
    assert refusal(GAME, plain, 0, Gin()) == "big gin is off at this table, so name a card to discard"
    assert Gin(card("7H")) in GAME.legal(plain, 0)
    assert refusal(GAME, drawn(GIN + " KS", JUNK, options=STANDARD), 0, Gin()) == (
        "you have 10 deadwood, so that's not gin"
    )


# --- hands without score ----------------------------------------------------------------------------------------------


def test_the_hand_is_drawn_when_two_cards_are_left() -> None:
    state = act(GAME, playing(READY, JUNK, stock="KS AH AD"), Draw())
    assert len(state.stock) == 2
    after = act(GAME, state, Discard(card("KS")))  # D-GI-5: nobody takes it
    assert (after.stage, after.to_act, after.scores, after.dealer) == (Stage.DEAL, (), (0, 0), 1)
    assert after.sheet and after.sheet.items == ((), ())
    assert not redact(after, PUBLIC).hands[0].cards
    assert score(act(GAME, state, Knock(card("KS")))) == (63, 0)  # a knock still counts


def test_d_gen_10_a_hand_of_200_turns_ends_without_score() -> None:
    state = playing(READY, JUNK, stock="KS AH AD KC QC", turns=198)
    state = act(GAME, state, Draw(), Discard(card("KS")))
    assert state.stage == Stage.PLAY
    state = act(GAME, state, Draw(), Discard(card("AH")))
    assert (state.stage, state.dealer, state.scores) == (Stage.DEAL, 1, (0, 0))


# --- games ------------------------------------------------------------------------------------------------------------


def entered(options: Options, wins: Sequence[tuple[int, int]]) -> tuple[tuple[Column, ...], list[int]]:
    """The score sheet and the totals after these wins: seat, points."""
    columns: tuple[Column, ...] = (Column(),) * (3 if options.hollywood else 1)
    totals = [0, 0]
    for seat, points in wins:
        columns, scored = enter_win(options, columns, seat, (("deadwood", points),))
        for side in (0, 1):
            totals[side] += sum(value for _, value in scored[side])
    return columns, totals


def test_d_gi_6_worked_result_5_bonuses() -> None:
    wins = [(0, 30), (1, 30), (0, 30), (1, 30), (0, 30), (1, 18), (0, 22)]
    assert entered(STANDARD, wins)[1] == [292, 138]
    assert entered(STANDARD, [(0, 40), (0, 40), (0, 37)])[1] == [494, 0]
    assert entered(TELECARDS, wins)[1] == [112, 78]
    plain = replace(STANDARD, shutout_double=False)
    assert entered(plain, [(0, 40), (0, 40), (0, 37)])[1] == [117 + 100 + 60, 0]


def test_d_gi_6_the_bonuses_are_on_the_last_sheet() -> None:
    state = drawn(READY + " KS", JUNK, options=STANDARD, columns=(Column((49, 0), (2, 0)),), scores=(49, 0))
    state = act(GAME, state, Knock(card("KS")))
    assert state.sheet and state.sheet.items[0] == (
        ("deadwood 64 to 1", 63), ("boxes", 60), ("game bonus", 100), ("shutout", 212),
    )  # fmt: skip
    assert (state.stage, state.winners, state.scores) == (Stage.OVER, (0,), (49 + 435, 0))


def test_telecards_is_a_plain_race_to_100() -> None:
    state = drawn(READY + " KS", JUNK, columns=(Column((37, 99), (1, 3)),), scores=(37, 99))
    over = act(GAME, state, Knock(card("KS")))
    assert (over.stage, over.scores, over.winners) == (Stage.OVER, (100, 99), (0,))
    short = act(GAME, replace(state, columns=(Column((36, 99), (1, 3)),), scores=(36, 99)), Knock(card("KS")))
    assert (short.stage, short.winners, short.dealer) == (Stage.DEAL, (), 0)  # the winner deals


def test_the_first_at_the_target_wins_whatever_boxes_give() -> None:
    columns = (Column((40, 90), (1, 15)),)
    state = drawn(READY + " KS", JUNK, options=STANDARD, columns=columns, scores=(40, 90))
    over = act(GAME, state, Knock(card("KS")))
    assert (over.scores, over.winners) == ((103 + 100 + 40, 90 + 300), (0,))


HOLLYWOOD = [(0, 30), (0, 18), (1, 27), (0, 55), (1, 40), (0, 33), (1, 12), (0, 20)]


def test_d_gi_7_worked_result_6_hollywood() -> None:
    columns, totals = entered(PRESETS["hollywood"], HOLLYWOOD)
    assert [column.points for column in columns] == [(103, 27), (106, 40), (108, 12)]
    assert [column.boxes for column in columns] == [(3, 1)] * 3
    assert totals == [263 + 266 + 268, 47 + 60 + 32] and totals[0] - totals[1] == 658


def test_d_gi_7_a_win_is_entered_in_one_more_game_each_time() -> None:
    hollywood = PRESETS["hollywood"]
    for number, points in enumerate(
        [((30, 0), (0, 0), (0, 0)), ((48, 0), (18, 0), (0, 0)), ((48, 27), (18, 0), (0, 0))]
    ):
        assert tuple(column.points for column in entered(hollywood, HOLLYWOOD[: number + 1])[0]) == points


def test_d_gi_7_the_sum_decides_and_equal_sums_draw() -> None:
    hollywood = replace(PRESETS["hollywood"], game_bonus=0, box_bonus=0, shutout_double=False)
    closed = Column((100, 20), (1, 1))
    state = drawn(READY + " KS", JUNK, options=hollywood, columns=(closed, closed, Column((40, 80), (1, 1))))
    over = act(GAME, replace(state, scores=(240, 120)), Knock(card("KS")))
    assert (over.stage, over.winners) == (Stage.OVER, (0,))
    assert over.sheet and over.sheet.items[0] == (("game 3: deadwood 64 to 1", 63),)
    assert act(GAME, replace(state, scores=(100, 163)), Knock(card("KS"))).winners == (0, 1)
    assert act(GAME, replace(state, scores=(100, 170)), Knock(card("KS"))).winners == (1,)
    still = replace(state, columns=(closed, Column(), Column()), scores=(100, 20))
    assert act(GAME, still, Knock(card("KS"))).stage == Stage.DEAL
    assert GAME.layout(still).seats == ("games 100, 0, 0", "games 20, 0, 0")


def test_d_gen_1_the_first_dealer_and_a_rematch() -> None:
    start = GAME.start(TELECARDS, None)
    state = GAME.play(start, GAME.deal(start, PACK, (PACK[5], *PACK[:5], *PACK[6:])))
    assert state.dealer == 1
    assert GAME.next_first_dealer(replace(state, dealer=1)) == 1  # the winner of the last hand (D-GI-5)


def test_defaults_and_presets() -> None:
    assert defaults(Options) == {
        "winning_score": 100,
        "gin_bonus": 25,
        "undercut_bonus": 25,
        "knock_limit": 10,
        "layoff": True,
        "oklahoma": False,
        "oklahoma_ace_gin": False,
        "oklahoma_spades_double": False,
        "big_gin": False,
        "big_gin_bonus": 31,
        "hollywood": False,
        "game_bonus": 0,
        "box_bonus": 0,
        "shutout_double": False,
    }
    standard = Options(big_gin=True, game_bonus=100, box_bonus=20, shutout_double=True)
    assert dict(PRESETS) == {
        "usual": Options(game_bonus=100, box_bonus=25, shutout_double=True),
        "telecards": Options(),
        "standard": standard,
        "oklahoma": replace(standard, oklahoma=True),
        "hollywood": replace(standard, hollywood=True),
    }
    assert list(PRESETS)[:2] == ["usual", "telecards"]


# --- what is told -----------------------------------------------------------------------------------------------------


def told(state: State, *actions: Any) -> list[tuple[int | None, str]]:
    """What is said aloud as the last of these actions, of the seat to act, is taken, and the hands are shown."""
    state = act(GAME, state, *actions[:-1])
    after = GAME.play(state, event := GAME.decide(state, state.to_act[0], actions[-1]))
    remarks = GAME.remarks(state, event, after)
    if after.stage == Stage.SHOW:
        shown = show_all_hands(after)
        remarks += GAME.remarks(after, shown, GAME.play(after, shown))
    return [(remark.seat, remark.words) for remark in remarks]


def test_each_action_is_said() -> None:
    offered = dealt()
    assert GAME.says(offered, 0, Pass()) == "pass on the upcard"
    assert GAME.says(offered, 0, Take()) == "take 9C as the upcard"
    state = playing(READY, JUNK)
    assert GAME.says(state, 0, Take()) == "take 2H from the discard pile"
    assert GAME.says(state, 0, Draw()) == "draw from the stock"
    assert GAME.says(state, 0, Discard(card("AS"))) == ""
    assert GAME.says(state, 0, Knock(card("KS"))) == "knock, discarding KS"
    assert [GAME.says(state, 0, gin) for gin in (Gin(card("KS")), Gin())] == ["go gin, discarding KS", "go big gin"]


def test_the_upcard_is_told_and_whether_it_is_offered() -> None:
    def told_of(options: Options, upcard: str) -> str:
        start = GAME.start(options, 1)
        event = GAME.deal(start, stacked(PACK, 1, (READY, JUNK), upcard), ())
        (remark,) = GAME.remarks(start, event, GAME.play(start, event))
        return remark.words

    double = replace(TELECARDS, oklahoma=True, oklahoma_spades_double=True)
    assert told_of(TELECARDS, "9C") == "the upcard is 9C"
    assert told_of(double, "9C") == "the upcard is 9C: knock with 9 or less"
    assert told_of(double, "7S") == "the upcard is 7S: knock with 7 or less, and this hand counts double"
    assert "the upcard is offered" in GAME.layout(dealt()).notes
    assert "both passed on the upcard" in GAME.layout(act(GAME, dealt(), Pass(), Pass())).notes


def test_a_hand_is_told_as_it_is_best_arranged() -> None:
    state = playing(READY, JUNK)
    assert GAME.own(state, 0) == ("melds 8C 8H 8S, JC JD JH, 4H 5H 6H", "deadwood 1: AS")
    assert GAME.own(state, 1) == ("deadwood 64, no melds",)
    assert GAME.own(playing(GIN, JUNK), 0)[-1] == "no deadwood"
    low = playing("AC 2C 3C 9D 9H 9S KC KD KS 4H", JUNK)
    assert GAME.own(low, 0)[0] == "melds AC 2C 3C, KC KD KS, 9D 9H 9S"


def test_after_a_draw_a_player_sees_what_knocking_or_gin_would_give() -> None:
    melds = "melds 8C 8H 8S, JC JD JH, 4H 5H 6H"
    knocks = drawn("4H 5H 6H 8C 8H 8S JC JD JH 9D 9C", JUNK)
    assert GAME.own(knocks, 0) == (melds, "deadwood 9 if you discard 9C or 9D, enough to knock")
    assert GAME.own(replace(knocks, limit=8), 0)[-1] == "deadwood 9 if you discard 9C or 9D"
    assert GAME.own(replace(knocks, taken=card("9C")), 0)[-1].startswith("deadwood 9 if you discard 9D, ")
    assert GAME.own(drawn(GIN + " KS", JUNK), 0)[-1] == "gin if you discard KS"
    assert GAME.own(drawn(GIN + " 7H", JUNK, options=STANDARD), 0)[-1] == "big gin"
    assert GAME.own(act(GAME, knocks, Knock(card("9C"))), 0) == ()  # all lies on the table


def test_a_knock_is_laid_down_aloud_with_what_is_laid_off() -> None:
    state = drawn("7H 8H 9H KC KD KS 3C 4C 5C 9S QC", "TH JH KH 2C 2D 2S 6C QD 8S AD")
    assert told(state, Knock(card("QC"))) == [
        (0, "lay down 3C 4C 5C, KC KD KS, 7H 8H 9H, with 9 deadwood: 9S"),
        (1, "lay down 2C 2D 2S"),
        (1, "lay off 6C next to 5C, TH next to 9H, JH next to TH, KH with KC KD KS"),
        (1, "are left with 19 deadwood: QD AD 8S"),
    ]
    off = replace(state, options=replace(TELECARDS, layoff=False))
    assert told(off, Knock(card("QC")))[1] == (1, "lay down 2C 2D 2S, with 55 deadwood: 6C QD AD TH JH KH 8S")


def test_gin_and_an_undercut_are_told() -> None:
    assert told(drawn(GIN + " KS", JUNK), Gin(card("KS"))) == [
        (0, "lay down 8C 8H 8S, JC JD JH JS, 4H 5H 6H, with no deadwood"),
        (1, "have no melds, with 64 deadwood: 2C 4C AC 6D TD KD QH 5S 7S 9S"),
    ]
    hand, other = "4H 5H 6H 8C 8H 8S JC JD JH 9D", "2C 3C 4C 2S 3S 4S QS QD QC 4D"
    assert told(drawn(hand + " KD", other), Knock(card("KD")))[-1] == (1, "undercut {0}")


def test_the_last_turn_and_a_hand_that_nobody_wins_are_told() -> None:
    last = act(GAME, playing(READY, JUNK, stock="KS AH AD"), Draw())
    assert GAME.layout(last).notes[-1] == "last turn: without a knock the hand is a draw"
    assert told(last, Discard(card("KS"))) == [(None, "two cards are left in the stock: the hand is a draw")]
    long = drawn(READY + " KS", JUNK, turns=199)
    assert told(long, Discard(card("KS"))) == [(None, "200 turns have been played: the hand is a draw")]


def test_the_bonuses_of_a_game_that_is_won_are_told() -> None:
    state = drawn(READY + " KS", JUNK, options=STANDARD, columns=(Column((49, 0), (2, 0)),), scores=(49, 0))
    assert GAME.layout(state).seats == ("2 boxes", "")
    assert told(state, Knock(card("KS")))[-1] == (0, "add 100 for the game, 60 for boxes, 212 for the shutout")
    lost = replace(state, columns=(Column((49, 20), (2, 1)),))
    assert told(lost, Knock(card("KS")))[-2:] == [
        (0, "add 100 for the game, 60 for boxes"),
        (1, "add 20 for boxes"),
    ]
    assert not any(words.startswith("add") for _, words in told(drawn(READY + " KS", JUNK), Knock(card("KS"))))


def test_in_hollywood_each_game_that_is_won_is_told() -> None:
    columns = (Column((60, 20), (2, 1)), Column((40, 0), (1, 0)), Column((0, 0), (0, 0)))
    state = drawn(READY + " KS", JUNK, options=PRESETS["hollywood"], columns=columns)
    assert told(state, Knock(card("KS")))[2:] == [
        (0, "win game 1, 123 to 20"),
        (0, "add 100 for the game, 60 for boxes in game 1"),
        (1, "add 20 for boxes in game 1"),
        (0, "win game 2, 103 to 0"),
        (0, "add 100 for the game, 40 for boxes, 203 for the shutout in game 2"),
    ]


# --- events that cannot be --------------------------------------------------------------------------------------------


def test_events_that_cannot_be_are_refused() -> None:
    state = playing(READY, JUNK, stock="")
    with pytest.raises(ValueError, match="the stock is empty"):
        GAME.play(state, Drawn(0, Slot(BACK)))
    slipped = add_outcome(GAME.decide(redact(state, PUBLIC), 0, Pass()), Outcome(), 2)
    assert slipped == GAME.decide(state, 0, Pass())
    assert state.eyes == TRUTH
