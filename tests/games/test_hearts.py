"""Rule sheet 4: every rule, decision and worked example of hearts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from p2pcards.cards.card import BACK, Card, Suit, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, redact
from p2pcards.games.deals.tricks import Tricks
from p2pcards.games.game import Stage
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.hearts.rules import GAME, PACK, PRESETS, Exchanged, Options, State, rules_of
from p2pcards.games.passing import Pass
from p2pcards.games.playing import Play, Played
from rigs.tables import act, defaults, face_up, hand, hands_played, refusal, said_aloud, said_at_deal, stacked
from rigs.tricked import kept

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
DEAL = (
    "2C 3C 4C 5C 2D 3D 4D 2S 3S 4S 2H 3H 4H",
    "6C 7C 8C 5D 6D 7D 5S 6S 7S 5H 6H 7H 8H",
    "9C TC JC 8D 9D TD 8S 9S TS JS 9H TH JH",
    "QC KC AC JD QD KD AD QS KS AS QH KH AH",
)


def card(word: str) -> Card:
    return parse_cards(word)[0]


def playing(options: Options, to_act: str, trick: str = "", taken: str = "", broken: bool = False) -> State:
    """The last seat after those of the trick holds these cards and is to act; nobody else's are known."""
    seat = len(parse_cards(trick))
    held = ["", "", "", ""]
    held[seat] = to_act
    return State(
        options,
        stage=Stage.PLAY,
        to_act=(seat,),
        hand=1,
        dealer=3,
        **in_hearts(options, held, 0, trick, (taken,), broken),
    )


def in_hearts(
    options: Options,
    held: Sequence[str],
    leader: int = 0,
    trick: str = "",
    piles: Sequence[str] = (),
    broken: bool = False,
) -> dict[str, Any]:
    deal = Hearts(rules_of(options, 1), 3, Tricks(4))
    deal.broken = broken
    return kept(deal, held, leader, trick, piles)


def legal(state: State) -> str:
    return " ".join(str(action.card) for action in GAME.legal(state, state.to_act[0]) if isinstance(action, Play))


def dealt(options: Options, wanted: Sequence[str] = DEAL, dealer: int = 3, before: int = 0) -> State:
    start: State = replace(GAME.start(options, dealer), hand=before)
    state: State = GAME.play(start, GAME.deal(start, stacked(PACK, dealer, wanted), ()))
    return state


def finished(options: Options, *taken: str, scores: tuple[int, ...] = (0, 0, 0, 0)) -> State:
    """The state after the last trick of a hand in which the seats had taken these cards; it adds clubs for seat 0."""
    state = State(
        options,
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=3,
        scores=scores,
        **in_hearts(options, ("9C", "3C", "4C", "5C"), piles=taken),
    )
    return act(GAME, state, *[Play(each) for each in parse_cards("9C 3C 4C 5C")])


def scored(options: Options, *taken: str) -> tuple[int, ...]:
    sheet = finished(options, *taken).sheet
    assert sheet and sheet.hand == tuple([sum(points for _, points in items) for items in sheet.items])
    return sheet.hand


REAL, DELUXE = PRESETS["real-deal"], PRESETS["hearts-deluxe"]
MOON = (f"{HEARTS} QS", "AD", "KD", "JD")


# --- the worked examples --------------------------------------------------------------------------------------------


def test_example_1_card_points() -> None:
    assert scored(REAL, "2H 3H 4H 5H 6H", "QS 7H 8H 9H", "TH JH QH KH AH", "AD") == (5, 16, 5, 0)


def test_example_2_moon() -> None:
    assert scored(REAL, *MOON) == (-26, 0, 0, 0)
    assert scored(replace(REAL, moon="add"), *MOON) == (0, 26, 26, 26)


def test_example_3_exact_resets() -> None:
    taken = ("", "2H 3H 4H 5H 6H", "QS 7H 8H 9H", "TH JH QH KH AH")
    options = replace(REAL, exact_resets=True)
    reset = finished(options, *taken, scores=(0, 95, 60, 70))
    assert (reset.scores, reset.stage) == ((0, 0, 76, 75), Stage.DEAL)
    over = finished(options, *taken, scores=(0, 96, 60, 70))
    assert (over.scores, over.stage) == ((0, 101, 76, 75), Stage.OVER)
    assert finished(REAL, *taken, scores=(0, 95, 60, 70)).stage == Stage.OVER


def test_example_4_moon_with_the_jack() -> None:
    taken = (f"{HEARTS} QS JD", "AD", "KD", "QD")
    assert scored(DELUXE, *taken) == (-36, 0, 0, 0)
    assert scored(replace(DELUXE, no_trick_bonus=True), *taken) == (-36, -5, -5, -5)


def test_example_5_the_jack_and_four_hearts() -> None:
    taken = ("", "JD 2H 3H 4H 5H", "QS 6H 7H 8H 9H TH JH QH KH AH", "AD")
    assert scored(DELUXE, *taken) == (0, -6, 22, 0)
    assert scored(replace(DELUXE, no_trick_bonus=True), *taken) == (-5, -6, 22, -5)


def test_example_6_end_of_the_game() -> None:
    taken = ("", "2H 3H 4H 5H 6H", "QS 7H 8H 9H", "TH JH QH KH AH")
    for options, total, stage in ((DELUXE, 100, Stage.DEAL), (DELUXE, 101, Stage.OVER), (REAL, 100, Stage.OVER)):
        state = finished(options, *taken, scores=(0, total - 5, 0, 0))
        assert (state.scores[1], state.stage) == (total, stage)
    assert finished(REAL, *taken, scores=(0, 94, 0, 0)).stage == Stage.DEAL


def test_example_7_first_trick() -> None:
    assert legal(playing(REAL, "AH QS 3H JD", "2C")) == "JD"
    assert legal(playing(REAL, "AH QS 3H", "2C")) == "3H AH QS"


def test_example_8_a_shared_win() -> None:
    state = finished(REAL, "", "", "2H 3H", "", scores=(40, 40, 100, 78))
    assert (state.scores, state.winners) == ((40, 40, 102, 78), (0, 1))


# --- the pass -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passing", "ways"),
    [
        ("left", [1, 1, 1, 1, 1]),
        ("left_right_across", [1, 3, 2, 1, 3]),
        ("left_right_across_none", [1, 3, 2, 0, 1]),
        ("none", [0, 0, 0, 0, 0]),
    ],
)
def test_passing_goes_where_the_option_says(passing: str, ways: list[int]) -> None:
    given = [parse_cards(words)[:3] for words in DEAL]
    for before, way in enumerate(ways):
        state = dealt(replace(REAL, passing=passing), before=before)
        assert bool(state.passed) == bool(way)
        if way:
            state = act(GAME, state, *[Pass(tuple(sorted(three))) for three in given])
            for seat in range(4):
                assert set(given[seat]) <= set(state.hands[(seat + way) % 4].cards)
                assert not set(given[seat]) & set(state.hands[seat].cards)
                assert len(state.hands[seat]) == 13
        assert state.to_act and not state.passed


def test_d_he_1_the_cycle_restarts_with_each_game() -> None:
    options = replace(REAL, passing="left_right_across_none", end_score=25)
    begun = hands_played(GAME, options, 1, 12)
    ways = {1: "{1}, on your left", 2: "{3}, on your right", 3: "{2}, across the table"}
    assert sum(state.hand == 1 for state in begun) > 1
    for state in begun:
        number = (state.hand - 1) % 4 + 1
        assert GAME.own(state, 0) == ((f"passing to {ways[number]}",) if number in ways else ())


def test_received_cards_are_seen_only_after_all_have_passed() -> None:
    state = dealt(REAL)
    passes = [Pass(tuple(sorted(parse_cards(words)[:3]))) for words in DEAL]
    for seat in (0, 1, 2):
        state = GAME.play(state, GAME.decide(state, seat, passes[seat]))
        receiver = redact(state, eyes_of_viewer((seat + 1) % 4))
        assert [slot.card for slot in receiver.passed[seat].slots] == [BACK] * 3
        assert redact(state, eyes_of_viewer(seat)).passed[seat].cards == passes[seat].cards
        assert GAME.legal(state, seat) == ()
    state = GAME.play(state, GAME.decide(state, 3, passes[3]))
    assert (state.stage, state.to_act) == (Stage.SHOW, ())
    state = GAME.play(state, GAME.show(state))
    assert set(passes[0].cards) <= set(redact(state, eyes_of_viewer(1)).hands[1].cards)
    assert set(passes[0].cards) <= set(
        redact(state, eyes_of_viewer(0)).hands[1].cards
    )  # the giver knows where they are
    assert redact(state, eyes_of_viewer(2)).hands[1].cards == (card("2C"),)  # only what the leader has shown


def test_a_pass_is_three_cards_held_in_ascending_order() -> None:
    state = dealt(REAL)
    assert len(GAME.legal(state, 0)) == 286
    for words, reason in (
        ("2C 3C", "pass three cards"),
        ("2C 3C 4C 5C", "pass three cards"),
        ("2C 2C 3C", "pass three different cards"),
        ("3C 2C 4C", "name the cards in ascending order"),
        ("2C 3C 6C", "you don't have 6C"),
        ("2C 3C 4C", ""),
    ):
        assert refusal(GAME, state, 0, Pass(parse_cards(words))) == reason
    assert refusal(GAME, state, 0, Play(card("2C"))) == "pass three cards first"
    assert (
        refusal(GAME, dealt(replace(REAL, passing="none")), 0, Pass(parse_cards("2C 3C 4C")))
        == "you can't pass cards now"
    )


# --- the opening lead -----------------------------------------------------------------------------------------------


def test_the_holder_of_the_two_of_clubs_leads_after_the_pass() -> None:
    state = act(GAME, dealt(REAL), *[Pass(tuple(sorted(parse_cards(words)[:3]))) for words in DEAL])
    assert (state.leader, state.to_act) == (1, (1,))  # 2C went left from seat 0


def test_d_gen_9_the_leader_has_shown_the_two_of_clubs() -> None:
    state = dealt(replace(REAL, passing="none"))
    assert redact(state, PUBLIC).hands[0].cards == (card("2C"),)
    eldest = dealt(replace(REAL, passing="none", opening_lead="eldest"))
    assert redact(eldest, PUBLIC).hands[0].cards == ()


def test_d_he_2_two_must_be_led() -> None:
    state = dealt(replace(REAL, passing="none"))
    assert legal(state) == "2C"
    assert refusal(GAME, state, 0, Play(card("3C"))) == "you must lead the two of clubs"
    any_club = dealt(replace(REAL, passing="none", two_must_be_led=False))
    assert legal(any_club) == "2C 3C 4C 5C"
    assert refusal(GAME, any_club, 0, Play(card("2D"))) == "you must lead a club to the first trick"


def test_d_he_2_eldest_leads_any_card_not_barred() -> None:
    options = replace(REAL, passing="none", opening_lead="eldest")
    state = dealt(options, dealer=2)
    assert state.to_act == (3,)
    assert legal(state) == "QC KC AC JD QD KD AD KS AS"
    assert (
        refusal(GAME, state, 3, Play(card("QS"))) == "you can't play hearts or the queen of spades on the first trick"
    )
    assert legal(dealt(replace(options, points_on_first_trick=True), dealer=2)) == "QC KC AC JD QD KD AD QS KS AS"
    free = replace(options, points_on_first_trick=True, break_hearts=False)
    assert legal(dealt(free, dealer=2)) == "QC KC AC JD QD KD AD QH KH AH QS KS AS"


# --- what may be played ---------------------------------------------------------------------------------------------


def test_suit_must_be_followed() -> None:
    state = playing(REAL, "3D KD 2H QS", "5D", taken="2C 3C 4C 5C")
    assert legal(state) == "3D KD"
    assert refusal(GAME, state, 1, Play(card("2H"))) == "you must follow diamonds"
    assert legal(playing(REAL, "3C 2H QS", "5D", taken="2C 3C 4C 6C")) == "3C 2H QS"


def test_d_he_3_points_on_the_first_trick() -> None:
    state = playing(REAL, "AH QS 3D", "2C")
    assert (
        refusal(GAME, state, 1, Play(card("AH"))) == "you can't play hearts or the queen of spades on the first trick"
    )
    assert legal(playing(replace(REAL, points_on_first_trick=True), "AH QS 3D", "2C")) == "3D AH QS"


def test_d_he_4_nothing_but_barred_cards_and_the_jack_is_never_barred() -> None:
    assert legal(playing(DELUXE, "AH QS JD", "2C")) == "JD"
    assert legal(playing(DELUXE, "AH QS", "2C")) == "AH QS"
    assert legal(playing(REAL, "3S QS", "5S")) == "3S"  # a spade led by eldest: it follows, but not with the queen
    assert legal(playing(REAL, "QS 3H", "5S")) == "QS"


def test_hearts_may_not_be_led_before_they_are_broken() -> None:
    state = playing(REAL, "3D 4H QS", taken="2C 3C 4C 5C")
    assert legal(state) == "3D QS"
    assert refusal(GAME, state, 0, Play(card("4H"))) == "hearts aren't broken yet"
    assert legal(playing(REAL, "3D 4H QS", taken="2C 3C 4C 5C", broken=True)) == "3D 4H QS"
    assert legal(playing(replace(REAL, break_hearts=False), "3D 4H QS", taken="2C 3C 4C 5C")) == "3D 4H QS"
    assert legal(playing(REAL, "3H 4H", taken="2C 3C 4C 5C")) == "3H 4H"


def test_d_he_5_what_breaks_hearts() -> None:
    def broken(options: Options, played: str, trick: str) -> bool:
        return act(GAME, playing(options, played, trick, taken="2C 3C 4C 6C"), Play(card(played))).broken

    assert broken(REAL, "4H", "5D") and broken(DELUXE, "4H", "5D")
    assert not broken(REAL, "4D", "5D") and not broken(DELUXE, "4D", "5D")
    assert not broken(REAL, "QS", "5D") and broken(DELUXE, "QS", "5D")
    assert not broken(REAL, "4H", "") and broken(DELUXE, "4H", "")  # led by one who has nothing else
    assert not broken(REAL, "4H", "5H") and broken(DELUXE, "4H", "5H")


def test_d_he_5_the_queen_may_not_be_led_where_it_counts_as_a_heart() -> None:
    assert legal(playing(REAL, "3D 4H QS", taken="2C 3C 4C 5C")) == "3D QS"
    assert legal(playing(DELUXE, "3D 4H QS", taken="2C 3C 4C 5C")) == "3D"
    assert legal(playing(DELUXE, "4H QS", taken="2C 3C 4C 5C")) == "4H QS"
    assert legal(playing(replace(DELUXE, break_hearts=False), "3D 4H QS", taken="2C 3C 4C 5C")) == "3D 4H QS"


def test_the_highest_card_of_the_suit_led_takes_the_trick_and_leads() -> None:
    fields = in_hearts(REAL, ("AS 3C", "5D 4C", "KD 5C", "JD 6C"), 1, piles=("", "2C", "", ""))
    state = State(REAL, stage=Stage.PLAY, to_act=(1,), hand=1, dealer=3, **fields)
    state = act(GAME, state, *[Play(each) for each in parse_cards("5D KD JD AS")])
    assert (state.leader, state.to_act, state.trick) == (2, (2,), ())
    assert [slot.card for slot in state.taken[2]] == list(parse_cards("5D KD JD AS"))
    assert state.last_trick == tuple(zip((1, 2, 3, 0), parse_cards("5D KD JD AS"), strict=True))


def test_refusals_name_the_reason() -> None:
    state = playing(REAL, "3D KD", "5D")
    assert refusal(GAME, state, 2, Play(card("3D"))) == "it's not your turn"
    assert refusal(GAME, state, 1, Play(card("4D"))) == "you don't have 4D"
    assert refusal(GAME, state, 1, Play(BACK)) == "you don't have --"
    assert refusal(GAME, redact(state, eyes_of_viewer(0)), 1, Play(BACK)) == "you don't have --"


# --- scores ---------------------------------------------------------------------------------------------------------


def test_queen_points() -> None:
    taken = ("2H", "QS 3H", "4H", "")
    assert scored(REAL, *taken) == (1, 14, 1, 0)
    assert scored(replace(REAL, queen_points=False), *taken) == (1, 1, 1, 0)


def test_jack_of_diamonds() -> None:
    assert scored(REAL, "2H", "JD 3H", "4H", "QS") == (1, 1, 1, 13)
    assert scored(replace(REAL, jack_of_diamonds=True), "2H", "JD 3H", "4H", "QS") == (1, -9, 1, 13)


def test_d_he_6_the_jack_is_scored_on_its_own_and_the_moon_needs_the_queen() -> None:
    with_jack = replace(REAL, jack_of_diamonds=True)
    assert scored(with_jack, *MOON) == (-26, 0, 0, -10)
    assert scored(replace(with_jack, moon="add"), *MOON) == (0, 26, 26, 16)
    plain = replace(REAL, queen_points=False)
    assert scored(plain, *MOON) == (-26, 0, 0, 0)
    assert scored(plain, HEARTS, "QS", "", "") == (13, 0, 0, 0)


def test_d_he_7_the_bonus_for_no_points() -> None:
    bonus = replace(REAL, no_trick_bonus=True)
    assert scored(bonus, "2H", "JD", "QS", "") == (1, -5, 13, -5)
    assert scored(replace(bonus, queen_points=False), "2H", "JD", "QS", "") == (1, -5, 0, -5)
    assert scored(replace(bonus, jack_of_diamonds=True), "2H", "JD", "QS", "") == (1, -15, 13, -5)
    assert scored(bonus, *MOON) == (-26, -5, -5, -5)
    assert scored(REAL, "2H", "JD", "QS", "") == (1, 0, 13, 0)


def test_d_he_8_quit_when_points_played() -> None:
    def last_point(options: Options, taken: str) -> State:
        state = playing(options, "3D", "5C KC 2H", taken=taken, broken=True)
        held = ("2D 4D", "6D 7D", "8D 9D", "3C JD")
        state = replace(state, **in_hearts(options, held, trick="5C KC 2H", piles=(taken,), broken=True))
        return act(GAME, state, Play(card("3C")))

    fallen = "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS"
    quitting = replace(REAL, quit_when_points_played=True)
    ended = last_point(quitting, fallen)
    assert ended.stage == Stage.DEAL and ended.sheet and ended.sheet.hand == (25, 1, 0, 0)
    assert last_point(REAL, fallen).stage == Stage.PLAY
    with_jack = replace(quitting, jack_of_diamonds=True)
    assert last_point(with_jack, fallen).stage == Stage.PLAY  # the jack is still in a hand
    assert last_point(with_jack, fallen + " JD").stage == Stage.DEAL
    assert last_point(quitting, fallen.removesuffix(" QS")).stage == Stage.PLAY
    assert last_point(replace(quitting, queen_points=False), fallen.removesuffix(" QS")).stage == Stage.PLAY


# --- games ----------------------------------------------------------------------------------------------------------


def test_the_deal_passes_left_and_a_rematch_begins_left_of_the_first_dealer() -> None:
    state = finished(REAL, "2H", "", "", "")
    assert (state.dealer, state.stage) == (0, Stage.DEAL)
    assert GAME.next_first_dealer(replace(state, first_dealer=3)) == 0


def test_d_gen_1_the_first_card_of_the_draw_pack_names_the_dealer() -> None:
    state = GAME.start(REAL, None)
    draw = (PACK[6], *PACK[:6], *PACK[7:])
    state = GAME.play(state, GAME.deal(state, PACK, draw))
    assert (state.dealer, state.first_dealer, state.hand) == (2, 2, 0)


def test_d_gen_2_one_card_at_a_time_from_eldest() -> None:
    state = GAME.start(REAL, 1)
    state = GAME.play(state, GAME.deal(state, PACK, ()))
    assert state.hands[2].cards == PACK[0::4] and state.hands[1].cards == PACK[3::4]
    assert state.to_act == (0, 1, 2, 3)


def test_d_he_9_defaults() -> None:
    assert defaults(Options)["end_score"] == 100
    assert PRESETS["real-deal"] == Options()
    assert (REAL.break_hearts, REAL.points_on_first_trick, REAL.exact_resets) == (True, False, False)
    assert (DELUXE.end_when, DELUXE.two_must_be_led, DELUXE.jack_of_diamonds, DELUXE.end_score) == (
        "exceed",
        False,
        True,
        100,
    )


def test_the_layout_tells_the_trick_the_piles_and_what_is_in_force() -> None:
    state = playing(REAL, "3D", "5C KC", taken="2H 6C 7C 8C", broken=True)
    layout = GAME.layout(state)
    assert layout.trick == ((0, Slot(card("5C"), PUBLIC)), (1, Slot(card("KC"), PUBLIC)))
    assert [(pile.seat, pile.slots) for pile in layout.piles] == [(0, face_up("2H 6C 7C 8C"))]
    assert (layout.notes, layout.seats) == (("hearts broken",), ("took 1 point", "", "", ""))
    assert (GAME.layout(dealt(REAL)).notes, GAME.layout(dealt(REAL)).seats) == ((), ("",) * 4)
    assert GAME.layout(GAME.start(REAL, None)).notes == ()


def test_points_so_far_count_what_the_options_say() -> None:
    def seats(options: Options) -> tuple[str, ...]:
        fields = in_hearts(options, ("3D", "", "", ""), piles=("2H 3H QS", "JD 5H", "AD KC", ""))
        return GAME.layout(replace(playing(options, "3D"), **fields)).seats

    assert seats(REAL) == ("took 15 points", "took 1 point", "", "")
    assert seats(DELUXE)[1] == "took -9 points"
    assert seats(replace(REAL, queen_points=False))[0] == "took 2 points"


def test_to_whom_cards_are_passed_is_told_to_everybody_and_to_each_who_is_to_choose() -> None:
    def said(options: Options, before: int) -> list[str]:
        return said_at_deal(GAME, replace(GAME.start(options, 3), hand=before), stacked(PACK, 3, DEAL))

    cycle = replace(REAL, passing="left_right_across_none")
    for before, way in enumerate(("to the left", "to the right", "across")):
        assert said(cycle, before) == [f"passing {way}"]
    lead = "{0} have the 2C"
    assert said(cycle, 3) == ["no passing this hand", lead]
    assert said(replace(cycle, opening_lead="eldest"), 3) == ["no passing this hand"]
    state = dealt(REAL)
    three = Pass(parse_cards("2C 3C 4C"))
    assert GAME.says(state, 0, three) == "pass 2C 3C 4C to {1}"
    assert GAME.says(redact(state, PUBLIC), 3, Pass((BACK,) * 3)) == "pass three cards to {0}"
    assert GAME.says(state, 0, Play(card("2C"))) == ""
    state = act(GAME, state, three)
    assert GAME.own(state, 0) == () and GAME.own(state, 1) == ("passing to {2}, on your left",)
    assert said_aloud(GAME, state, Pass(parse_cards("6C 7C 8C"))) == []
    for words in ("6C 7C 8C", "9C TC JC", "QC KC AC"):
        state = GAME.play(state, GAME.decide(state, state.to_act[0], Pass(parse_cards(words))))
    assert said_aloud(GAME, state) == ["{1} have the 2C"]


def test_hearts_broken_and_who_gets_the_queen_are_said_aloud() -> None:
    def said(options: Options, played: str, broken: bool = False) -> list[str]:
        state = playing(options, "3H", "5C KC 2C")
        state = replace(
            state, **in_hearts(options, ("9D", "9D", "9D", "3H QS 9D"), trick="5C KC 2C", piles=("4C",), broken=broken)
        )
        return said_aloud(GAME, state, Play(card(played)))

    assert said(REAL, "3H") == ["hearts are broken"]
    assert said(REAL, "QS") == ["{1} take the QS"]
    assert said(REAL, "3H", broken=True) == []
    assert said(DELUXE, "QS") == ["hearts are broken", "{1} take the QS"]


def test_the_end_of_a_hand_tells_of_the_moon_an_early_end_and_totals_that_become_0() -> None:
    def said(options: Options, taken: Sequence[str], *held: str) -> list[str]:
        fields = in_hearts(options, held, trick="9C 3C 4C", piles=taken, broken=True)
        state = replace(playing(options, "", "9C 3C 4C", broken=True), scores=(0, 95, 60, 70), **fields)
        return said_aloud(GAME, state, Play(card("5C")))

    last, taken = ("", "", "", "5C"), ("", "2H 3H 4H 5H 6H", "QS 7H 8H 9H", "TH JH QH KH AH")
    assert said(REAL, MOON, *last) == ["{0} shoot the moon"]
    assert said(REAL, taken, *last) == []
    assert said(replace(REAL, exact_resets=True), taken, *last) == ["{1's} total of 100 drops to 0"]
    early = said(replace(REAL, quit_when_points_played=True), taken, "9D", "TD", "JD", "5C 8D")
    assert early == ["all the points have been played, so the hand ends"]


def test_an_event_that_cannot_be_is_refused() -> None:
    state = playing(REAL, "3D KD", "5D")
    own = redact(state, eyes_of_viewer(1))
    with pytest.raises(ValueError):
        GAME.play(own, Played(1, Slot(card("4D"), PUBLIC)))
    passing = replace(dealt(REAL), stage=Stage.SHOW)
    with pytest.raises(ValueError, match="nobody leads"):
        GAME.play(passing, Exchanged(((),) * 4, None))


def test_the_whole_pack_is_dealt() -> None:
    state = dealt(REAL)
    assert sorted(chain.from_iterable(held.cards for held in state.hands)) == list(PACK)
    assert state.hands[0] == hand(0, DEAL[0])
    assert {each.suit for each in PACK} == set(Suit)
