"""Rule sheet 15: every rule, decision and worked example of rummy 500."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from p2pcards.cards.card import BACK, Card, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, redact, slots_of
from p2pcards.games.dealing import Dealt
from p2pcards.games.drawing import Discard, Draw, Drawn, Meld, Melded
from p2pcards.games.game import IllegalAction, Stage
from p2pcards.games.outcome import private_faces, public_outcome
from p2pcards.games.rummy_500.rules import (
    GAME,
    PACK,
    PRESETS,
    Laid,
    Lay,
    Options,
    Phase,
    State,
    Take,
    Taken,
    score_items,
)
from p2pcards.games.spelling import read_action, spell_action
from p2pcards.games.spreads import Spread, lay_down_meld
from rigs.tables import act, defaults, face_down, face_up, hands, refusal, stacked

MEGGIESOFT = PRESETS["meggiesoft"]
STRICT = replace(MEGGIESOFT, free_top_discard=False)
OUT = replace(MEGGIESOFT, discard_to_go_out=True)


def card(word: str) -> Card:
    return parse_cards(word)[0]


def meld(words: str) -> Meld:
    return Meld(tuple(sorted(parse_cards(words))))


def spread(seat: int, words: str, aces: str = "both") -> Spread:
    return lay_down_meld(seat, parse_cards(words), aces)


def playing(
    *held: str,
    pile: str = "3C",
    stock: str = "2D 3D 4D",
    table: Sequence[Spread] = (),
    phase: Phase = Phase.MELD,
    options: Options = MEGGIESOFT,
    **changes: Any,
) -> State:
    """A hand in progress in which seat 0 is to act: these hands, this discard pile and stock, these melds."""
    start: Any = GAME.start(replace(options, players=len(held)), len(held) - 1)
    state: State = replace(
        start,
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        hands=hands(*held),
        stock=face_down(stock),
        discards=face_up(pile),
        spreads=tuple(table),
        phase=phase,
        **changes,
    )
    return state


def drawing(*held: str, **changes: Any) -> State:
    return playing(*held, phase=Phase.DRAW, **changes)


def legal(state: State) -> str:
    """The legal actions of the seat to act, as they are typed."""
    return ", ".join([spell_action(action) for action in GAME.legal(state, state.to_act[0])])


def table(state: State) -> list[str]:
    return [" ".join(str(slot.card) for slot in each.slots) for each in state.spreads]


# --- the deal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "each"), [(2, 13), (3, 7), (4, 7)])
def test_the_deal(players: int, each: int) -> None:
    state = GAME.start(replace(MEGGIESOFT, players=players), 0)
    state = GAME.play(state, GAME.deal(state, PACK, ()))
    assert [len(held) for held in state.hands] == [each] * players
    assert [slot.card for slot in state.discards] == [PACK[players * each]]
    assert len(state.stock) == 52 - players * each - 1
    assert state.to_act == (1,)  # eldest
    assert [slot.card for slot in slots_of(redact(state, PUBLIC)) if slot.card] == [PACK[players * each]]


def test_a_deal_that_turns_up_another_card_is_refused() -> None:
    view = redact(GAME.start(MEGGIESOFT, 0), PUBLIC)
    for turned in ({}, {25: "2C"}, {26: "2C", 27: "3C"}):
        slots = [Slot(card(turned[place]), PUBLIC) if place in turned else Slot(BACK) for place in range(52)]
        with pytest.raises(ValueError, match="should be turned up"):
            GAME.play(view, Dealt(tuple(slots)))


# --- drawing ----------------------------------------------------------------------------------------------------------


def test_a_card_drawn_is_seen_by_the_drawer_alone() -> None:
    state = drawing("9C 5S", "KC")
    event = GAME.decide(state, 0, Draw())
    watcher = GAME.decide(redact(state, PUBLIC), 0, Draw())
    assert not public_outcome(event, watcher)
    assert private_faces(event, watcher, eyes_of_viewer(0)) == (card("2D"),)
    after = GAME.play(state, event)
    assert (after.phase, after.to_act, len(after.stock)) == (Phase.MELD, (0,), 2)
    assert not redact(after, eyes_of_viewer(1)).hands[0].cards


def test_first_draw_then_meld_and_discard() -> None:
    state = drawing("9C 9S 9D 5S", "KC")
    assert legal(state) == "draw, take 3C"
    for action in (meld("9C 9S 9D"), Discard(card("5S")), Lay(card("5S"), card("2S"))):
        assert refusal(GAME, state, 0, action) == "first draw, or take from the discard pile"
    assert refusal(GAME, state, 1, Draw()) == "it's not your turn"
    state = act(GAME, state, Draw())
    for again in (Draw(), Take(card("3C"))):
        assert refusal(GAME, state, 0, again) == "you have drawn: meld, lay off or discard"
    assert refusal(GAME, state, 0, Discard(card("KC"))) == "you don't have KC"
    state = act(GAME, state, meld("9C 9S 9D"), Discard(card("5S")))
    assert (state.to_act, state.phase, state.turns) == ((1,), Phase.DRAW, 1)
    assert state.discards == face_up("3C 5S")


def test_example_5_taking_from_the_pile_takes_all_above_and_melds_at_once() -> None:
    state = drawing("9C 9S 4D", "KC", pile="3C 9D KH")
    assert legal(state) == "draw, take 9D, take KH"
    state = act(GAME, state, Take(card("9D")))
    assert [slot.card for slot in state.discards] == [card("3C")]
    assert state.hands[0].cards == parse_cards("9C 4D 9D KH 9S")
    assert redact(state, eyes_of_viewer(1)).hands[0].cards == parse_cards("9D KH")  # all know that it has them
    assert legal(state) == "meld 9C 9D 9S"
    assert GAME.layout(state).notes == ("9D must be melded or laid off now",)
    assert refusal(GAME, state, 0, Discard(card("4D"))) == "9D must be melded or laid off now"
    state = act(GAME, state, meld("9C 9D 9S"))
    assert (state.owed, legal(state)) == (None, "discard 4D, discard KH")


def test_a_card_of_the_pile_that_cannot_be_used_is_not_taken() -> None:
    state = drawing("9C 5S 4D", "KC", pile="3C 9D KH")
    assert legal(state) == "draw, take KH"
    assert (
        refusal(GAME, state, 0, Take(card("9D")))
        == "you can't take 9D, since you can't meld it or lay it off right away"
    )
    assert refusal(GAME, state, 0, Take(card("5S"))) == "5S isn't in the discard pile"
    GAME.verify(redact(state, eyes_of_viewer(1)), 0, Take(card("9D")))  # who cannot know better


def test_a_card_of_the_pile_may_be_laid_off_or_melded_with_those_above_it() -> None:
    state = drawing("KC 5S", "2C", pile="3C 9D TH", table=[spread(1, "6D 7D 8D")])
    assert "take 9D" in legal(state)
    state = act(GAME, state, Take(card("9D")))
    assert legal(state) == "lay 9D 6D"
    assert refusal(GAME, state, 0, Lay(card("5S"), card("6D"))) == "9D must be melded or laid off now"
    assert "take 3C" in legal(drawing("KC 5S", "2C", pile="3C 4C 5C"))


def test_d_r5_2_free_top_discard() -> None:
    held = ("9C 5S 4D", "KC")
    assert legal(drawing(*held, pile="3C 9D KH")) == "draw, take KH"
    assert legal(drawing(*held, pile="3C 9D KH", options=STRICT)) == "draw"
    free = act(GAME, drawing(*held, pile="3C 9D KH"), Take(card("KH")))
    assert (free.owed, len(GAME.legal(free, 0))) == (None, 4)
    bound = act(GAME, drawing("KC KS 4D", "2C", pile="3C KH", options=STRICT), Take(card("KH")))
    assert (bound.owed, legal(bound)) == (card("KH"), "meld KC KH KS")


# --- melds ------------------------------------------------------------------------------------------------------------


def test_melds_are_sets_and_runs() -> None:
    state = playing("9C 9D 9H 9S TS JS QS 2C 2D", "KC")
    assert [spell_action(action) for action in GAME.legal(state, 0) if isinstance(action, Meld)] == [
        "meld 9C 9D 9H", "meld 9C 9D 9S", "meld 9C 9H 9S", "meld 9D 9H 9S", "meld 9C 9D 9H 9S",
        "meld 9S TS JS", "meld 9S TS JS QS", "meld TS JS QS",
    ]  # fmt: skip
    rule = "a meld is three or four of a rank, or a run of three or more with the ace low or high"
    for wrong in (meld("2C 2D"), meld("9S TS QS"), meld("2C 9C TS"), Meld(()), Meld(parse_cards("9C 9C 9D"))):
        assert refusal(GAME, state, 0, wrong) == rule
    assert refusal(GAME, state, 0, Meld(parse_cards("9D 9C 9H"))) == "name the cards of a meld in ascending order"
    assert refusal(GAME, state, 0, meld("KC KD KS")) == "you don't have KC"
    after = act(GAME, state, meld("9C 9D 9H"), meld("TS JS QS"))
    assert table(after) == ["9C 9D 9H", "TS JS QS"] and after.to_act == (0,)


@pytest.mark.parametrize(
    ("aces", "runs"),
    [("low", {"2H 3H AH"}), ("high", {"QH KH AH"}), ("both", {"2H 3H AH", "QH KH AH"})],
)
def test_aces(aces: str, runs: set[str]) -> None:
    state = playing("AH 2H 3H QH KH 5C", "KC", options=replace(MEGGIESOFT, aces=aces))
    found = {" ".join(map(str, action.cards)) for action in GAME.legal(state, 0) if isinstance(action, Meld)}
    assert found == runs  # never round the corner
    for words in {"2H 3H AH", "QH KH AH"} - runs:
        assert "with the ace" in refusal(GAME, state, 0, Meld(parse_cards(words)))


def test_a_run_lies_in_its_order_with_a_low_ace_first() -> None:
    state = act(GAME, playing("AH 2H 3H QS KS AS 5C", "KC"), meld("AH 2H 3H"), meld("QS KS AS"))
    assert table(state) == ["AH 2H 3H", "QS KS AS"]
    piles = [(pile.seat, pile.name, pile.spread) for pile in GAME.layout(state).piles]
    assert piles == [(None, "stock", False), (None, "discard pile", True), (0, "meld", True), (0, "meld", True)]


def test_laying_off_on_any_meld() -> None:
    laid = [spread(1, "8D 9D TD"), spread(0, "4C 4D 4H")]
    state = playing("7D JD 4S 2C", "KC", table=laid)
    assert legal(state).startswith("lay 7D 8D, lay JD 8D, lay 4S 4C, discard")
    state = act(GAME, state, Lay(card("7D"), card("8D")), Lay(card("JD"), card("7D")), Lay(card("4S"), card("4C")))
    assert table(state) == ["7D 8D 9D TD JD", "4C 4D 4H 4S"]
    assert [each.seats for each in state.spreads] == [(0, 1, 1, 1, 0), (0, 0, 0, 0)]
    assert [each.maker for each in state.spreads] == [1, 0]


def test_laying_off_wrongly_is_refused() -> None:
    state = playing("7D JD 6D 2C AD", "KC", table=[spread(1, "8D 9D TD")])
    assert refusal(GAME, state, 0, Lay(card("6D"), card("8D"))) == "6D doesn't fit the meld with 8D"
    assert refusal(GAME, state, 0, Lay(card("2C"), card("8D"))) == "2C doesn't fit the meld with 8D"
    assert refusal(GAME, state, 0, Lay(card("7D"), card("9D"))) == "name the meld by its first card: lay 7D 8D"
    assert refusal(GAME, state, 0, Lay(card("7D"), card("2C"))) == "2C isn't in any meld on the table"
    assert refusal(GAME, state, 0, Lay(card("7C"), card("8D"))) == "you don't have 7C"


@pytest.mark.parametrize(
    ("aces", "run", "goes"),
    [
        ("both", "2S 3S 4S", "AS 2S 3S 4S"),
        ("low", "2S 3S 4S", "AS 2S 3S 4S"),
        ("high", "2S 3S 4S", None),
        ("both", "JS QS KS", "JS QS KS AS"),
        ("high", "JS QS KS", "JS QS KS AS"),
        ("low", "JS QS KS", None),
    ],
)
def test_an_ace_is_laid_off_where_it_may_stand(aces: str, run: str, goes: str | None) -> None:
    options = replace(MEGGIESOFT, aces=aces)
    state = playing("AS 5C", "KC", table=[spread(1, run, aces)], options=options)
    action = Lay(card("AS"), parse_cards(run)[0])
    assert (refusal(GAME, state, 0, action) == "") == (goes is not None)
    if goes:
        assert table(act(GAME, state, action)) == [goes]


def test_nothing_goes_round_the_corner() -> None:
    state = playing("KS 2H 5C", "KC", table=[spread(1, "AS 2S 3S"), spread(1, "QH KH AH")])
    assert not any(isinstance(action, Lay) for action in GAME.legal(state, 0))


def test_laying_off_is_typed_in_many_ways() -> None:
    state = playing("7D JD 2C 4S", "KC", table=[spread(1, "8D 9D TD"), spread(1, "4C 4D 4H"), spread(1, "5S 6S 7S")])
    for words in ("lay 7d 8d", "lay 7d", "lay off 7D on 8D", "8d 7d lay"):
        assert read_action(GAME, state, 0, words.split()) == Lay(card("7D"), card("8D"))
    with pytest.raises(IllegalAction, match="say which one: lay 4S 4C or lay 4S 5S"):
        read_action(GAME, state, 0, ["lay", "4s"])


# --- going out --------------------------------------------------------------------------------------------------------


def test_a_player_may_meld_everything() -> None:
    state = playing("9C 9D 9S", "KC AD")
    state = GAME.play(state, GAME.decide(state, 0, meld("9C 9D 9S")))
    assert (state.stage, state.to_act, len(state.hands[0])) == (Stage.SHOW, (), 0)
    state = GAME.play(state, GAME.show(state))
    assert state.scores == (27, -25) and state.dealer == 0


def test_discard_to_go_out() -> None:
    state = playing("9C 9D 9S", "KC", options=OUT)
    assert refusal(GAME, state, 0, meld("9C 9D 9S")) == "your last card must be a discard"
    assert legal(state) == "discard 9C, discard 9D, discard 9S"
    lay = playing("9C", "KC", table=[spread(1, "9D 9H 9S")], options=OUT)
    assert refusal(GAME, lay, 0, Lay(card("9C"), card("9D"))) == "your last card must be a discard"
    out = act(GAME, lay, Discard(card("9C")))
    assert out.sheet and out.sheet.hand == (0, 17)
    take = drawing("9C 9S", "KC", pile="3C 9D", options=replace(OUT, free_top_discard=False))
    assert refusal(GAME, take, 0, Take(card("9D"))) == (
        "you can't take 9D, since you can't meld it or lay it off right away, with a card left to discard"
    )
    assert "take 9D" in legal(replace(take, hands=hands("9C 9S 2C", "KC")))
    assert "take 9D" in legal(replace(take, options=replace(take.options, discard_to_go_out=False)))


def test_the_hands_are_shown_at_the_end() -> None:
    state = playing("9C", "KC 2D")
    state = GAME.play(state, GAME.decide(state, 0, Discard(card("9C"))))
    watcher = redact(state, PUBLIC)
    assert state.stage == Stage.SHOW and not watcher.hands[1].cards
    outcome = public_outcome(GAME.show(state), GAME.show(watcher))
    assert [face for _, face in outcome.cards] == list(parse_cards("KC 2D"))
    assert redact(GAME.play(state, GAME.show(state)), PUBLIC).hands[1].cards == parse_cards("KC 2D")


def test_d_r5_3_the_hand_ends_with_the_turn_of_the_last_stock_card() -> None:
    state = act(GAME, drawing("9C 5S", "KC", stock="2D"), Draw())
    assert (state.stage, len(state.stock)) == (Stage.PLAY, 0)
    state = act(GAME, state, Discard(card("9C")))
    assert state.sheet and state.sheet.hand == (-7, -10)


def test_d_gen_10_a_hand_of_200_turns_ends_without_score() -> None:
    state = drawing("9C 5S", "KC 4C", turns=198)
    state = act(GAME, state, Take(card("3C")), Discard(card("9C")))
    assert state.stage == Stage.PLAY
    state = act(GAME, state, Take(card("9C")), Discard(card("KC")))
    assert (state.stage, state.dealer, state.scores) == (Stage.DEAL, 1, (0, 0))
    assert state.sheet and state.sheet.items == ((), ())


# --- the score --------------------------------------------------------------------------------------------------------


def scored(spreads: Sequence[Spread], held: str, options: Options = MEGGIESOFT) -> dict[str, int]:
    """What seat 0 scores, item by item."""
    return dict(score_items(options, spreads, [parse_cards(held), ()])[0])


def test_example_1_melds_less_the_hand() -> None:
    found = scored([spread(0, "KC KD KS"), spread(0, "AH 2H 3H")], "QD 4C")
    assert found == {"melds": 36, "left in hand": -14} and sum(found.values()) == 22


def test_example_2_an_ace_counts_15_when_high_and_in_hand() -> None:
    assert scored([spread(0, "QS KS AS")], "AD 8C") == {"melds": 35, "left in hand": -23}


def test_example_3_what_is_laid_off_counts_for_who_lays_it_off() -> None:
    state = playing("JD", "KC", table=[spread(0, "AC AD AH"), spread(1, "8D 9D TD")])
    state = act(GAME, state, Lay(card("JD"), card("8D")))
    assert state.sheet and state.sheet.items == (
        (("melds", 45), ("laid off", 10)),
        (("melds", 27), ("left in hand", -10)),
    )
    assert state.scores == (55, 17)


def test_example_4_a_hand_without_a_meld() -> None:
    assert scored([], "AH KC 5D 5S") == {"left in hand": -35}


def test_an_ace_that_is_only_low_counts_1_everywhere() -> None:
    low = replace(MEGGIESOFT, aces="low")
    assert scored([spread(0, "AC AD AH", "low"), spread(0, "AS 2S 3S", "low")], "", low) == {"melds": 9}
    assert scored([], "AC", low) == {"left in hand": -1}
    high = replace(MEGGIESOFT, aces="high")
    assert scored([spread(0, "AC AD AH", "high")], "AS", high) == {"melds": 45, "left in hand": -15}


def test_a_low_ace_laid_off_counts_1_and_stays_low() -> None:
    state = playing("AS KC", "2C", table=[spread(1, "2S 3S 4S")])
    state = act(GAME, state, Lay(card("AS"), card("2S")), Discard(card("KC")))
    assert state.sheet and state.sheet.items[0] == (("laid off", 1),)
    long = spread(0, "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS")
    after = act(GAME, playing("KS 4C", "KC", table=[long]), Lay(card("KS"), card("AS")))
    assert table(after)[0].startswith("AS 2S") and table(after)[0].endswith("QS KS")


def test_all_thirteen_of_a_suit_are_laid_down_with_the_ace_high() -> None:
    whole = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    state = playing(whole + " 4C", "KC")
    assert [action for action in GAME.legal(state, 0) if isinstance(action, Meld)].count(Meld(parse_cards(whole))) == 1
    assert table(act(GAME, state, Meld(parse_cards(whole)))) == [whole]


# --- games ------------------------------------------------------------------------------------------------------------


def over(scores: tuple[int, ...], target: int = 500) -> State:
    """The state after seat 0 has gone out for 9 points, seat 1 scoring 12."""
    options = replace(MEGGIESOFT, winning_score=target)
    state = playing("9C", "9D", table=[spread(1, "6C 7C 8C")], options=options, scores=scores)
    return act(GAME, state, Lay(card("9C"), card("6C")))


def test_the_first_at_the_target_wins_and_of_several_the_larger_total() -> None:
    assert (over((491, 100)).winners, over((491, 100)).stage) == ((0,), Stage.OVER)
    assert (over((490, 100)).winners, over((490, 100)).stage) == ((), Stage.DEAL)
    assert over((495, 600)).winners == (1,)


def test_d_gen_5_level_at_the_top_another_hand_is_played() -> None:
    level = over((491, 488))
    assert (level.scores, level.winners, level.stage) == ((500, 500), (), Stage.DEAL)


def test_d_r5_4_defaults_and_preset() -> None:
    assert defaults(Options) == {
        "winning_score": 500,
        "aces": "both",
        "discard_to_go_out": False,
        "free_top_discard": True,
        "players": 2,
    }
    assert dict(PRESETS) == {"usual": Options(), "meggiesoft": Options()}


def test_d_gen_1_the_first_dealer_and_a_rematch() -> None:
    start = GAME.start(Options(players=3), None)
    state = GAME.play(start, GAME.deal(start, PACK, (PACK[5], *PACK[:5], *PACK[6:])))
    assert (state.dealer, state.first_dealer) == (2, 2)
    assert GAME.next_first_dealer(state) == 0


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
    state = drawing("9C 9S 4D", "KC", pile="3C 9D KH")
    assert GAME.says(state, 0, Draw()) == "draw from the stock"
    assert GAME.says(state, 0, Take(card("KH"))) == "take KH from the discard pile"
    assert GAME.says(state, 0, Take(card("9D"))) == "take 9D KH from the discard pile, and must meld or lay off 9D"
    strict = replace(state, options=replace(STRICT, players=2))
    assert GAME.says(strict, 0, Take(card("KH"))) == "take KH from the discard pile, and must meld or lay off KH"
    assert GAME.says(state, 0, Discard(card("4D"))) == ""


def test_a_meld_and_a_card_laid_off_are_said_with_their_points() -> None:
    laid = [spread(1, "2S 3S 4S"), spread(0, "4C 4D 4H")]
    state = playing("5S AS AH 2H 3H QD KD AD", "4S 8C", table=laid)
    assert GAME.says(state, 0, meld("AH 2H 3H")) == "meld AH 2H 3H for 6"
    assert GAME.says(state, 0, meld("QD KD AD")) == "meld QD KD AD for 35"
    assert GAME.says(state, 0, Lay(card("5S"), card("2S"))) == "lay off 5S next to 4S for 5"
    assert GAME.says(state, 0, Lay(card("AS"), card("2S"))) == "lay off AS next to 2S for 1"
    assert GAME.says(state, 1, Lay(card("4S"), card("4C"))) == "lay off 4S with 4C 4D 4H for 4"


def test_what_everybody_has_laid_down_so_far_is_on_the_table() -> None:
    state = playing("7D JD 2C", "KC", table=[spread(1, "8D 9D TD")])
    assert GAME.layout(state).seats == ("", "27 points on the table")
    after = act(GAME, state, Lay(card("JD"), card("8D")))
    assert GAME.layout(after).seats == ("10 points on the table", "27 points on the table")
    start = GAME.layout(GAME.start(MEGGIESOFT, 0))
    assert start.seats == () and not start.counted and GAME.layout(after).counted


def test_a_player_sees_what_their_hand_counts_and_what_can_be_laid_down() -> None:
    state = playing("9C 9D 9S TS JS QS AH", "KC AD 2D 3D", table=[spread(1, "8D TD 9D")])
    assert GAME.own(state, 0) == (
        "72 points in hand against you",
        "melds 9C 9D 9S, 9S TS JS QS",
    )
    assert GAME.own(state, 1)[1] == "melds AD 2D 3D"
    jack = playing("JD AC", "KC", table=[spread(1, "8D 9D TD")])
    assert GAME.own(jack, 0) == ("25 points in hand against you", "can be laid off: JD")
    assert GAME.own(act(GAME, playing("9C", "KC"), Discard(card("9C"))), 1) == ()


def test_the_first_discard_and_the_last_card_of_the_stock_are_told() -> None:
    start = GAME.start(MEGGIESOFT, 0)
    event = GAME.deal(start, stacked(PACK, 0, ("2C 3C 4C", "2D 3D 4D")), ())
    after = GAME.play(start, event)
    assert [remark.words for remark in GAME.remarks(start, event, after)] == [
        f"the first discard is {after.discards[0].card}"
    ]
    assert told(drawing("9C 5S", "KC", stock="2D"), Draw()) == [
        (None, "the stock is empty now: the hand ends with this turn")
    ]


def test_going_out_is_told_and_what_the_others_lose() -> None:
    out = (0, "go out")
    assert told(playing("9C 9D 9S", "KC AD"), meld("9C 9D 9S")) == [out, (1, "lose 25 for KC AD left in hand")]
    assert told(playing("9C", "KC", table=[spread(1, "9D 9H 9S")]), Lay(card("9C"), card("9D")))[0] == out
    assert told(playing("9C", "KC"), Discard(card("9C")))[0] == out
    assert told(playing("9C 5S", "KC", stock=""), Discard(card("9C"))) == [
        (0, "lose 5 for 5S left in hand"),
        (1, "lose 10 for KC left in hand"),
    ]
    assert told(playing("9C 5S", "KC", turns=199), Discard(card("9C"))) == [
        (None, "200 turns have been played: nobody scores")
    ]


# --- events that cannot be --------------------------------------------------------------------------------------------


def test_events_that_cannot_be_are_refused() -> None:
    state = drawing("9C 9S", "KC", pile="3C 9D", stock="", table=[spread(1, "2H 3H 4H")])
    with pytest.raises(ValueError, match="the stock is empty"):
        GAME.play(state, Drawn(0, Slot(BACK)))
    with pytest.raises(ValueError):
        GAME.play(state, Taken(0, face_up("4C")[0]))
    with pytest.raises(ValueError):
        GAME.play(redact(state, eyes_of_viewer(0)), Melded(0, face_up("8C 8D 8S")))
    with pytest.raises(ValueError, match="9C doesn't go on that meld"):
        GAME.play(state, Laid(0, face_up("9C")[0], card("2H")))


def test_every_card_is_always_somewhere() -> None:
    start = GAME.start(MEGGIESOFT, 0)
    state = GAME.play(start, GAME.deal(start, stacked(PACK, 0, ("2C 3C 4C", "2D 3D 4D")), ()))
    assert sorted(slot.card for slot in slots_of(state)) == list(PACK)
