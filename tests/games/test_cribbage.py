"""Rule sheet 5: every rule and decision of cribbage; what hands are worth is in test_cribbage_score."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import BACK, Card, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, redact
from p2pcards.games.cribbage.rules import (
    GAME,
    PACK,
    PRESETS,
    Action,
    Count,
    Counted,
    Discard,
    Discarded,
    Event,
    Go,
    Gone,
    LowDrawn,
    Options,
    Phase,
    Shown,
    State,
    Turned,
)
from p2pcards.games.cutting import Cut, Fanned, TurnedAt
from p2pcards.games.game import Seat, Stage
from p2pcards.games.outcome import Outcome, add_outcome, private_faces, public_outcome
from p2pcards.games.playing import Play, Played
from p2pcards.games.spelling import read_action, shorten_for_prompt, spell_action
from rigs.tables import act, defaults, face_down, face_up, hands, refusal

REAL, TELECARDS = PRESETS["real-deal"], PRESETS["telecards"]
MANUAL = Options(counting="manual")


def card(word: str) -> Card:
    return parse_cards(word)[0]


def plays(words: str) -> list[Play]:
    return [Play(each) for each in parse_cards(words)]


def dealt(options: Options = REAL, dealer: int = 1) -> State:
    start = GAME.start(options, dealer)
    state: State = GAME.play(start, GAME.deal(start, PACK, ()))
    return state


def playing(
    *held: str,
    scores: tuple[int, int] = (0, 0),
    options: Options = REAL,
    starter: str = "2H",
    crib: tuple[str, str] = ("9C TD", "QS KS"),
    to_act: int = 0,
    dealer: int = 1,
    **changes: Any,
) -> State:
    """The play is on: these hands, nothing played yet; what each seat has laid away."""
    return State(
        options,
        stage=Stage.PLAY,
        to_act=(to_act,),
        hand=1,
        dealer=dealer,
        scores=scores,
        hands=hands(*held),
        laid=hands(*crib),
        starter=face_up(starter),
        stock=face_down("3H 3D"),
        phase=Phase.PLAY,
        **changes,
    )


def spoken(state: State, event: Event) -> list[tuple[Seat | None, str]]:
    """What is said aloud when this happens."""
    return [(remark.seat, remark.words) for remark in GAME.remarks(state, event, GAME.play(state, event))]


def told(state: State, *actions: Action) -> list[tuple[Seat | None, str]]:
    """What is said aloud when the last of these is done."""
    for action in actions[:-1]:
        state = act(GAME, state, action)
    return spoken(state, GAME.decide(state, state.to_act[0], actions[-1])) if actions else []


def pegged(state: State) -> dict[str, int]:
    return dict(state.items[0] + state.items[1])


# --- who deals --------------------------------------------------------------------------------------------------------


def beginning_with(words: str) -> tuple[Card, ...]:
    """A pack that begins with these cards."""
    first = parse_cards(words)
    return (*first, *[other for other in PACK if other not in first])


def low_drawn(words: str) -> tuple[LowDrawn, State]:
    """What happens when the draw pack begins with these cards, and nobody picks."""
    start = GAME.unpicked(GAME.start(TELECARDS, None))
    draw = beginning_with(words)
    event = GAME.deal(start, PACK, draw)
    assert isinstance(event, LowDrawn)
    watched = GAME.deal(redact(start, PUBLIC), (BACK,) * 52, (BACK,) * 52)
    outcome = public_outcome(event, watched)
    assert add_outcome(watched, outcome, 2) == redact(event, PUBLIC)
    state: State = GAME.play(start, event)
    assert GAME.play(redact(start, PUBLIC), redact(event, PUBLIC)) == redact(state, PUBLIC)
    return event, state


@pytest.mark.parametrize(
    ("words", "dealer"), [("4C KD", 0), ("KD 4C", 1), ("2C AD", 1), ("4C 4D 9S 3S", 1), ("4C 4D KC KS 2S 3S", 0)]
)
def test_d_cr_1_the_lowest_card_drawn_deals_first_and_equal_ranks_draw_again(words: str, dealer: int) -> None:
    event, state = low_drawn(words)
    assert state.dealer == dealer and state.low == parse_cards(words)[-2:]
    assert [slot.card for slot in event.draw if slot.eyes & PUBLIC] == list(parse_cards(words))
    assert spoken(GAME.unpicked(GAME.start(TELECARDS, None)), event) == [
        (0, f"draw {words[-5:-3]}"),
        (1, f"draw {words[-2:]}"),
    ]


def test_d_cr_1_a_draw_that_cannot_be_is_refused() -> None:
    start = redact(GAME.start(TELECARDS, None), PUBLIC)
    for turned in ({}, {0: "4C"}, {0: "4C", 2: "5C"}, {0: "4C", 1: "4D"}, {0: "4C", 1: "5C", 2: "6C", 3: "7C"}):
        slots = [Slot(card(turned[place]), PUBLIC) if place in turned else Slot(BACK) for place in range(52)]
        with pytest.raises(ValueError, match=r"should be drawn|more cards|argument 2"):
            GAME.play(start, LowDrawn(tuple(slots)))


def fanned(words: str) -> State:
    """The draw pack is fanned, and begins with these cards."""
    start = GAME.start(TELECARDS, None)
    state: State = GAME.play(start, GAME.deal(start, PACK, beginning_with(words)))
    return state


def test_the_pack_is_fanned_face_down_for_the_first_deal_and_both_cut_it() -> None:
    state = fanned("4C KD 9S")
    assert (state.stage, state.to_act, state.hand, state.dealer) == (Stage.PLAY, (0,), 0, None)
    assert GAME.legal(state, 0) == (Cut(None), *[Cut(place) for place in range(1, 53)])
    assert redact(state, PUBLIC).fan == (Slot(BACK),) * 52
    assert refusal(GAME, state, 0, Cut(53)) == "pick a place from 1 to 52"
    assert refusal(GAME, state, 0, Go()) == "cut for the first deal: type cut, or cut and a number"
    after = act(GAME, state, Cut(2))
    assert (after.to_act, after.drawn, len(after.fan)) == ((1,), face_up("KD"), 51)
    assert GAME.legal(after, 1)[-1] == Cut(51)  # the card of the other lies there no more


@pytest.mark.parametrize(("mine", "theirs", "dealer"), [(1, 1, 0), (2, 1, 1), (1, 2, 0), (2, 2, 1), (3, None, 1)])
def test_the_places_that_are_picked_decide_who_deals(mine: int, theirs: int | None, dealer: int) -> None:
    state = act(GAME, fanned("4C KD 9S"), Cut(mine), Cut(theirs))
    assert (state.stage, state.dealer, state.fan, state.drawn) == (Stage.DEAL, dealer, (), ())
    dealt_now = GAME.play(state, GAME.deal(state, PACK, ()))
    assert (dealt_now.hand, dealt_now.phase, dealt_now.to_act) == (1, Phase.DISCARD, (0, 1))


def test_a_player_who_does_not_pick_takes_the_next_card_which_is_never_the_others() -> None:
    state = act(GAME, fanned("4C KD 9S"), Cut(None), Cut(None))
    assert (state.dealer, state.low) == (0, parse_cards("4C KD"))


def test_level_cards_are_laid_aside_and_both_cut_again() -> None:
    state = fanned("4C 4D 9S 3S")
    assert told(state, Cut(None), Cut(None)) == [(1, "turn up 4D"), (None, "the cards tie, so cut again")]
    level = act(GAME, state, Cut(1), Cut(1))
    assert (level.stage, level.to_act, level.dealer, len(level.fan)) == (Stage.PLAY, (0,), None, 50)
    piles = {(pile.name, pile.seat): pile.slots for pile in GAME.layout(level).piles}
    assert (piles["cut", 0], piles["cut", 1], len(piles["fan", None])) == (face_up("4C"), face_up("4D"), 50)
    assert told(level, Cut(1), Cut(1)) == [(1, "turn up 3S")]
    assert act(GAME, level, Cut(1), Cut(1)).dealer == 1


def test_a_fan_in_which_every_pair_is_level_is_seat_0s() -> None:
    state = fanned(" ".join(str(each) for each in sorted(PACK, key=lambda each: each.rank)))
    for _ in range(51):
        state = act(GAME, state, Cut(None))
    assert state.dealer is None and act(GAME, state, Cut(None)).dealer == 0


def test_a_card_that_was_not_cut_is_refused() -> None:
    view = redact(fanned("4C KD 9S"), PUBLIC)
    for place, word in ((0, "4C"), (53, "4C"), (1, "--")):
        with pytest.raises(ValueError, match="no card to cut"):
            GAME.play(view, TurnedAt(0, place, Slot(BACK if word == "--" else card(word), PUBLIC)))
    with pytest.raises(ValueError, match="KD isn't the card at place 1"):
        GAME.play(fanned("4C KD 9S"), TurnedAt(0, 1, Slot(card("KD"), PUBLIC)))


def test_where_nobody_picks_there_is_no_fan() -> None:
    start = GAME.unpicked(GAME.start(TELECARDS, None))
    assert isinstance(GAME.deal(start, PACK, PACK), LowDrawn)
    assert isinstance(GAME.deal(GAME.start(TELECARDS, None), PACK, PACK), Fanned)
    assert not GAME.picks(start, Cut(3)) and not GAME.picks(GAME.start(TELECARDS, None), Cut(None))
    assert GAME.picks(GAME.start(TELECARDS, None), Cut(3))


def test_random_the_first_card_of_the_draw_pack_names_the_dealer() -> None:
    start = GAME.start(REAL, None)
    state = GAME.play(start, GAME.deal(start, PACK, (PACK[3], *PACK[:3], *PACK[4:])))
    assert state.dealer == 1


def test_d_cr_1_later_deals_alternate_and_the_loser_deals_a_rematch() -> None:
    over = GAME.play(state := act(GAME, last_two(), *plays("JS 8S")), GAME.deal(state, PACK, ()))
    assert (state.dealer, over.to_act, over.hand) == (0, (0, 1), 2)
    assert [GAME.next_first_dealer(replace(over, winners=(seat,))) for seat in (0, 1)] == [1, 0]


# --- deal, crib, starter ----------------------------------------------------------------------------------------------


def test_six_cards_each_the_other_player_first() -> None:
    state = dealt()
    assert state.hands[0].cards == PACK[0:12:2] and state.hands[1].cards == PACK[1:12:2]
    assert (state.to_act, len(state.stock)) == ((0, 1), 40)


def test_both_lay_two_cards_away_unseen() -> None:
    state = dealt()
    two = state.hands[1].cards[:2]
    assert len(GAME.legal(state, 1)) == 15 and Discard(two) in GAME.legal(state, 1)
    assert refusal(GAME, state, 1, Discard(two[:1])) == "throw two cards to the crib"
    assert refusal(GAME, state, 1, Discard(two[::-1])) == "name the cards in ascending order"
    assert refusal(GAME, state, 1, Discard(two[:1] * 2)) == "throw two different cards to the crib"
    assert refusal(GAME, state, 1, Discard(parse_cards("2C AS"))).startswith("you don't have")
    assert refusal(GAME, state, 1, Play(two[0])) == "put two cards in the crib first: type discard and the cards"
    after = GAME.play(state, GAME.decide(state, 1, Discard(two)))
    assert after.to_act == (0,) and after.laid[1].cards == two
    assert refusal(GAME, after, 1, Discard(after.hands[1].cards[:2])) == "it's not your turn"
    seen = redact(after, eyes_of_viewer(0))
    assert not seen.laid[1].cards and len(seen.laid[1]) == 2 and len(seen.hands[1]) == 4
    hidden = GAME.private[Discard](state)
    assert hidden == Discard((BACK,) * 2)
    assert GAME.decide(redact(state, eyes_of_viewer(0)), 1, hidden) == Discarded(
        1, (Slot(BACK, eyes_of_viewer(1) & ~PUBLIC),) * 2
    )


def laid_away(options: Options, starter: str) -> State:
    """Both have laid away; this card lies on top."""
    state = dealt(options)
    for seat in (1, 0):
        state = GAME.play(state, GAME.decide(state, seat, Discard(state.hands[seat].cards[:2])))
    return replace(state, stock=face_down(f"{starter} 9D"))


def test_the_program_turns_up_the_starter() -> None:
    state = laid_away(REAL, "9S")
    assert (state.stage, state.to_act) == (Stage.SHOW, ())
    assert GAME.show(state) == Turned(Slot(card("9S"), PUBLIC))
    state = GAME.play(state, GAME.show(state))
    assert (state.to_act, state.phase, state.starter, state.scores) == ((0,), Phase.PLAY, face_up("9S"), (0, 0))


def test_his_heels() -> None:
    state = laid_away(REAL, "JS")
    after = GAME.play(state, GAME.show(state))
    assert (after.scores, pegged(after)) == ((0, 2), {"his heels": 2})
    won = GAME.play(replace(state, scores=(7, 120)), GAME.show(state))
    assert (won.stage, won.winners, won.scores) == (Stage.OVER, (1,), (7, 121))


def test_the_other_player_cuts_for_the_starter_and_the_place_decides() -> None:
    state = replace(laid_away(TELECARDS, "9S"), stock=face_down("9S JD 9H"))
    assert (state.to_act, GAME.legal(state, 0)) == ((0,), (Cut(None), Cut(1), Cut(2), Cut(3)))
    for place in (0, 4, -1):
        assert refusal(GAME, state, 0, Cut(place)) == "pick a place from 1 to 3"
    assert refusal(GAME, state, 0, Count(3)) == "cut for the starter: type cut, or cut and a number"
    found = {cut.place: act(GAME, state, cut) for cut in GAME.legal(state, 0) if isinstance(cut, Cut)}
    starters = {place: str(after.starter[0].card) for place, after in found.items()}
    assert starters == {None: "9S", 1: "9S", 2: "JD", 3: "9H"}
    assert (found[2].stock, found[2].scores, found[2].phase) == (face_down("9S 9H"), (0, 2), Phase.PLAY)


def test_where_nobody_picks_every_place_gives_the_next_card() -> None:
    state = replace(laid_away(TELECARDS, "9S"), stock=face_down("9S 9D 9H"), picked=False)
    assert refusal(GAME, state, 0, Cut(None)) == "pick a place in the fan: type cut and a number"
    assert (state.to_act, GAME.legal(state, 0)) == ((0,), (Cut(1), Cut(2), Cut(3)))
    for place in (0, 4, -1):
        assert refusal(GAME, state, 0, Cut(place)) == "pick a place from 1 to 3"
    assert {GAME.decide(state, 0, Cut(place)) for place in (1, 2, 3)} == {Turned(Slot(card("9S"), PUBLIC))}
    after = act(GAME, state, Cut(3))
    assert (after.to_act, after.starter, len(after.stock)) == ((0,), face_up("9S"), 2)


def test_a_starter_that_cannot_be_is_refused() -> None:
    state = laid_away(REAL, "9S")
    for wrong in (card("9D"), BACK):
        with pytest.raises(ValueError, match="the starter is the next card"):
            GAME.play(state, Turned(Slot(wrong, PUBLIC)))


# --- the play ---------------------------------------------------------------------------------------------------------


def series(mine: str, theirs: str) -> dict[str, Any]:
    """Cards of seats 0 and 1 that were played before the count began again."""
    played = [(seat, slot) for seat, words in enumerate((mine, theirs)) for slot in face_up(words)]
    return {"played": tuple(played), "series": len(played)}


def test_the_play_alternates_and_the_count_does_not_pass_31() -> None:
    state = act(GAME, playing("KC KD 5H 2S", "JC TD 3H AC"), *plays("KC JC KD"))
    assert (state.to_act, "the count is 30" in GAME.layout(state).notes) == ((1,), True)
    assert GAME.legal(state, 1) == (Play(card("AC")),)
    assert refusal(GAME, state, 1, Play(card("3H"))) == "the count is 30, so 3H would go past 31"
    assert refusal(GAME, state, 1, Play(card("9H"))) == "you don't have 9H"
    assert refusal(GAME, state, 1, Go()) == "you can play a card, so you can't say go"
    assert refusal(GAME, state, 1, Count(2)) == "play a card, or say go if you can't"
    assert refusal(GAME, state, 0, Play(card("2S"))) == "it's not your turn"


def test_exactly_31_pegs_two_and_the_count_begins_again() -> None:
    state = act(GAME, playing("KC KD 5H 2S", "JC TD 3H AC"), *plays("KC JC KD AC"))
    assert (state.scores, pegged(state)) == ((0, 2), {"play: thirty-one": 2})
    assert (state.to_act, state.series) == ((0,), 4)
    assert GAME.layout(state).trick == () and "the count is 0" in GAME.layout(state).notes


def test_d_cr_2_after_go_the_other_plays_on_and_pegs_one() -> None:
    state = act(GAME, playing("KC 3D 2H 9S", "JC TD 9H KS"), *plays("KC JC"), Play(card("9S")))
    assert GAME.legal(state, 1) == (Go(),)
    state = act(GAME, state, Go())
    assert (state.to_act, state.gone, state.scores) == ((0,), 1, (0, 0))
    assert GAME.legal(state, 0) == (Play(card("2H")),)
    state = act(GAME, state, Play(card("2H")))  # 31: no point for go beside the two
    assert (state.scores, pegged(state), state.to_act) == ((2, 0), {"play: thirty-one": 2}, (1,))


def test_d_cr_2_when_neither_can_go_on_the_last_card_pegs_one() -> None:
    state = act(GAME, playing("KC 3D 8H 9S", "JC TD 9H KS"), *plays("KC JC 8H"), Go())
    assert state.to_act == (0,)
    state = act(GAME, state, Play(card("3D")))
    assert (state.scores, state.to_act) == ((2, 0), (1,))
    other = act(GAME, playing("KC 6D 8H 9S", "JC TD 9H KS"), *plays("KC JC 8H"), Go(), Go())
    assert (other.scores, pegged(other), other.to_act, other.gone) == ((1, 0), {"play: go": 1}, (1,), None)


def test_d_cr_2_a_seat_without_a_card_says_go_by_itself() -> None:
    state = playing("9C", "KD 5S", **series("JC 3S 4D", "9S 3C"))
    state = act(GAME, state, Play(card("9C")), Play(card("KD")))
    assert state.to_act == (1,)  # seat 0 has no card left
    over = act(GAME, state, Play(card("5S")))  # 24, the last of all
    assert ("play: last card", 1) in over.items[1] and "play: go" not in dict(over.items[1])
    stuck = act(GAME, playing("9C", "KD 7S QC", to_act=1, **series("JC 3S 4D", "9S")), *plays("QC 9C KD"))
    assert GAME.legal(stuck, 1) == (Go(),)
    after = act(GAME, stuck, Go())
    assert (after.scores, after.to_act) == ((0, 1), (1,))  # who should lead has no card


def test_d_cr_2_a_last_card_after_a_go_ends_the_series_at_once() -> None:
    state = playing("9C 9D", "KD", to_act=1, **series("JC 3S", "9S 3C 4H"))
    state = act(GAME, state, *plays("KD 9C"))
    assert state.to_act == (0,)
    state = playing("QC 9D", "KD 5D", **series("JC 3S", "9S 3C"))
    state = act(GAME, state, *plays("QC KD"))
    state = act(GAME, replace(state, hands=hands("9D", "8H")), Play(card("9D")))
    assert GAME.legal(state, 1) == (Go(),)
    state = act(GAME, state, Go())
    assert (state.scores, state.to_act, pegged(state)) == ((1, 0), (1,), {"play: go": 1})


def test_the_last_card_of_all_pegs_one_or_two_for_31() -> None:
    before = series("JC 3S KH", "9S 3C KS")
    one = act(GAME, playing("9C", "KD", **before), *plays("9C KD"))
    assert dict(one.items[1])["play: last card"] == 1
    exact = act(GAME, playing("KC TS", "QD AS", **series("JC 3S", "9S 3C")), *plays("KC QD TS AS"))
    assert dict(exact.items[1])["play: thirty-one"] == 2 and "play: last card" not in dict(exact.items[1])


def test_all_that_applies_is_added() -> None:
    state = act(GAME, playing("4C 5C 9H 9S", "6D 2D 3D 8S"), *plays("4C 6D 5C"))
    assert (state.scores, pegged(state)) == ((5, 0), {"play: fifteen": 2, "play: run of 3": 3})
    assert told(playing("4C 5C 9H 9S", "6D 2D 3D 8S"), *plays("4C 6D 5C")) == [
        (0, "peg 5 for fifteen and a run of 3, 5 in all")
    ]
    assert told(state, Play(card("2D"))) == []


def test_pegging_out_ends_the_game_at_once() -> None:
    state = act(GAME, playing("4C 5C 9H 9S", "6D 2D 3D 8S", scores=(118, 120)), *plays("4C 6D 5C"))
    assert (state.stage, state.winners, state.scores, state.to_act) == (Stage.OVER, (0,), (121, 120), ())
    assert state.sheet and state.sheet.items[0] == (("play: fifteen", 2), ("play: run of 3", 1))
    assert state.sheet.totals == (121, 120) and state.sheet.hand == (3, 0)
    before = act(GAME, playing("4C 5C 9H 9S", "6D 2D 3D 8S", scores=(118, 20)), *plays("4C 6D"))
    assert told(before, Play(card("5C")))[-1] == (0, "win with a double skunk")


def test_events_that_cannot_be_are_refused() -> None:
    state = playing("KC KD 5H 2S", "JC TD 3H AC")
    with pytest.raises(IndexError):
        GAME.play(replace(state, gone=1), Gone(0))
    low = act(GAME, state, *plays("KC JC KD"))
    with pytest.raises(ValueError, match="not a play"):
        GAME.play(low, Played(1, Slot(card("TD"), PUBLIC)))
    event = GAME.decide(redact(state, PUBLIC), 0, Play(card("KC")))
    assert add_outcome(event, Outcome(), 2) == event


# --- the show ---------------------------------------------------------------------------------------------------------

# with the starter 5S: seat 0 has 29, seat 1 7, and the crib 8
SHOW: dict[str, Any] = {"starter": "5S", "crib": ("KC QD", "QH 2S")}


def last_two(**changes: Any) -> State:
    return playing("JS", "8S", **{**SHOW, **series("5C 5D 5H", "2C 4D 6H"), **changes})


def test_the_hands_are_counted_the_dealers_last_and_then_their_crib() -> None:
    state = last_two()
    played = GAME.play(state, GAME.decide(state, 0, Play(card("JS"))))
    played = GAME.play(played, GAME.decide(played, 1, Play(card("8S"))))
    assert (played.stage, played.scores) == (Stage.SHOW, (29, 1 + 7))
    assert not redact(played, PUBLIC).crib and len(played.laid[0]) == 2
    over = GAME.play(played, GAME.show(played))
    assert (over.stage, over.scores, over.dealer) == (Stage.DEAL, (29, 1 + 7 + 8), 0)
    assert over.sheet and over.sheet.hand == (29, 16)
    assert over.sheet.items[0][0] == ("hand 15: 5C JS", 2) and over.sheet.items[0][-1] == ("hand nobs: JS", 1)
    assert over.sheet.items[1][:2] == (("play: last card", 1), ("hand 15: 2C 5S 8S", 2))
    assert over.sheet.items[1][-2:] == (("crib 15: 5S KC", 2), ("crib pair: QD QH", 2))
    assert max(len(name) for items in over.sheet.items for name, _ in items) <= 25  # as wide as the score table


def test_the_crib_is_turned_up_for_everybody() -> None:
    state = act(GAME, last_two(), Play(card("JS")))
    state = GAME.play(state, GAME.decide(state, 1, Play(card("8S"))))
    shown = GAME.show(state)
    assert isinstance(shown, Shown)
    watcher = redact(state, PUBLIC)
    outcome = public_outcome(shown, GAME.show(watcher))
    assert add_outcome(GAME.show(watcher), outcome, 2) == shown
    assert private_faces(shown, shown, eyes_of_viewer(0)) == ()
    with pytest.raises(ValueError, match="does not hold"):
        GAME.play(redact(state, eyes_of_viewer(1)), Shown((shown.crib[0], face_up("QH 3S"))))


def test_who_is_out_first_in_the_order_of_the_show_wins() -> None:
    over = act(GAME, last_two(scores=(92, 120)), Play(card("JS")))
    won = GAME.play(over, GAME.decide(over, 1, Play(card("8S"))))
    assert (won.winners, won.scores) == ((1,), (92, 121))  # by the last card
    over = act(GAME, last_two(scores=(92, 110)), *plays("JS 8S"))
    assert (over.winners, over.scores, over.stage) == ((0,), (121, 111), Stage.OVER)
    assert over.laid[1].cards and not over.crib  # the crib is not turned up any more


def test_d_cr_5_the_lurch_is_on_the_table_and_counts_nothing() -> None:
    over = act(GAME, last_two(scores=(92, 61)), *plays("JS 8S"))
    assert "skunk" in GAME.layout(over).notes and over.winners == (0,)
    over = act(GAME, last_two(scores=(92, 10)), *plays("JS 8S"))
    assert "double skunk" in GAME.layout(over).notes
    short = act(GAME, last_two(scores=(32, 29), options=Options(winning_score="61")), *plays("JS 8S"))
    assert short.scores == (61, 30) and "skunk" in GAME.layout(short).notes


def test_d_cr_5_the_lurch_is_told_with_the_win() -> None:
    for loser, words in ((100, "win"), (61, "win with a skunk"), (10, "win with a double skunk")):
        state = act(GAME, last_two(scores=(92, loser)), Play(card("JS")))
        assert told(state, Play(card("8S")))[-1] == (0, words)


def test_what_lies_on_the_table() -> None:
    state = act(GAME, playing("KC KD 5H 2S", "JC TD 3H AC"), *plays("KC JC KD AC 5H"))
    layout = GAME.layout(redact(state, eyes_of_viewer(0)))
    assert [(seat, str(slot.card)) for seat, slot in layout.trick] == [(0, "5H")]
    piles = [(pile.name, pile.seat, " ".join(str(slot.card) for slot in pile.slots)) for pile in layout.piles]
    assert piles[:4] == [
        ("starter", None, "2H"),
        ("played", 0, "KC KD"),
        ("played", 1, "JC AC"),
        ("crib", 1, "9C TD -- --"),
    ]
    assert "{1's} crib" in layout.notes
    stuck = act(GAME, playing("KC 6D 8H 9S", "JC TD 9H KS"), *plays("KC JC 8H"), Go())
    assert "{1} said go" in GAME.layout(stuck).notes
    over = act(GAME, last_two(), *plays("JS 8S"))
    assert (over.stage, over.dealer) == (Stage.DEAL, 0)
    assert [pile.seat for pile in GAME.layout(over).piles if pile.name == "crib"] == [1]
    assert "{1's} crib" in GAME.layout(over).notes
    assert GAME.layout(GAME.start(REAL, None)).notes == ()


# --- muggins ----------------------------------------------------------------------------------------------------------


def counting(said: int, true: int, scores: tuple[int, int] = (0, 0)) -> State:
    """After seat 0 has said what its hand counts: one that counts 14 or 8."""
    return act(GAME, to_count(true, scores), Count(said))


def to_count(true: int, scores: tuple[int, int] = (0, 0)) -> State:
    hand, starter = {14: ("AD 4C 5H 5S", "6D"), 8: ("KC QD QH JS", "2C")}[true]
    first, *rest = hand.split()
    before = series(" ".join(rest), "2S 4D 6H")
    state = playing(first, "9S", starter=starter, options=MANUAL, **before)
    state = act(GAME, state, *plays(f"{first} 9S"))
    assert (state.phase, state.to_act, state.stage) == (Phase.HANDS, (0,), Stage.PLAY)
    return replace(state, scores=scores, items=((), ()))


@pytest.mark.parametrize(
    ("true", "said", "scores"),
    [(14, 12, (12, 2)), (8, 10, (8, 2)), (14, 14, (14, 0)), (14, 0, (0, 14)), (8, 29, (8, 21))],
)
def test_d_cr_4_muggins(true: int, said: int, scores: tuple[int, int]) -> None:
    state = counting(said, true)
    assert (state.scores, state.to_act) == (scores, (1,))


def test_d_cr_4_muggins_is_itemised() -> None:
    assert counting(12, 14).items == ((("hand as counted", 12),), (("muggins: hand", 2),))
    high = counting(10, 8)
    assert high.items[0][0] == ("hand pair: QD QH", 2) and high.items[1] == (("muggins: hand", 2),)


def test_every_peg_is_said_aloud_with_its_reason() -> None:
    heels = laid_away(REAL, "JS")
    event = GAME.show(heels)
    assert spoken(heels, event) == [(None, "the starter is JS"), (1, "peg 2 for his heels, 2 in all")]
    assert told(to_count(14), Count(12)) == [
        (0, "count 12 in hand: as counted 12; 12 in all"),
        (1, "take 2 for muggins, 2 in all"),
    ]


def test_hands_and_crib_are_counted_aloud_item_by_item() -> None:
    hands_ = told(last_two(), *plays("JS 8S"))
    assert hands_[0] == (1, "peg 1 for the last card, 1 in all")
    assert hands_[1][0] == 0 and hands_[1][1].startswith("count 29 in hand: fifteen two (5C JS), ")
    assert hands_[2] == (
        1,
        "count 7 in hand: fifteen two (2C 5S 8S), fifteen four (4D 5S 6H), a run of three is seven (4D 5S 6H); "
        "8 in all",
    )
    played = last_two()
    for action in plays("JS 8S"):
        played = GAME.play(played, GAME.decide(played, played.to_act[0], action))
    crib = spoken(played, GAME.show(played))
    assert crib[0][1].startswith("turn up the crib: ") and crib[1][1].startswith(
        "count 8 in the crib: fifteen two (5S QD), "
    )
    worthless = playing("KS", "8S", starter="3H", crib=("2C QD", "4S 6C"), **series("JD 9D 7C", "AH 3S 5D"))
    worthless = GAME.play(worthless, GAME.decide(worthless, 0, Play(card("KS"))))
    assert (0, "count nothing in hand") in told(worthless, Play(card("8S")))


def test_what_is_tallied_is_what_the_sheet_says() -> None:
    """Through games with both ways of counting, up to the last hole."""
    for options in (REAL, replace(REAL, counting="manual"), replace(REAL, winning_score="61")):
        for state in hands_at_random(options, 30):
            assert state.sheet
            for tally in GAME.layout(state).tallies:
                named = dict(state.sheet.items[tally.seat])
                assert {item.name for item in tally.items} <= set(named)
                said = GAME.measures[tally.what](state, tally.seat)
                whole = sum([item.points for item in tally.items])
                assert said == whole or (state.winners and said is not None and said < whole)
                assert all(len(set(item.cards)) == len(item.cards) for item in tally.items)


def hands_at_random(options: Options, number: int) -> list[State]:
    """States in which hands have just been scored, of games that are played at random."""
    rng, found, state = Random(1), list[State](), GAME.start(options, 0)
    while len(found) < number:
        if state.winners:
            state = GAME.start(options, 0)
        before = state
        if state.stage == Stage.PLAY:
            state = GAME.play(
                state, GAME.decide(state, state.to_act[0], rng.choice(GAME.legal(state, state.to_act[0])))
            )
        elif state.stage == Stage.SHOW:
            state = GAME.play(state, GAME.show(state))
        else:
            pack = tuple(rng.sample(PACK, len(PACK)))
            state = GAME.play(state, GAME.deal(state, pack, pack))
        if state.sheet and not before.sheet:
            found.append(state)
    return found


def test_what_is_said_with_an_action() -> None:
    state = playing("KC KD 5H 2S", "JC TD 3H AC")
    assert GAME.says(state, 0, Play(card("KC"))) == "play KC, 10"
    assert GAME.says(act(GAME, state, *plays("KC")), 1, Play(card("JC"))) == "play JC, 20"
    assert GAME.says(state, 0, Go()) == "say go"
    begin = dealt(dealer=1)
    assert GAME.says(begin, 0, Discard(tuple(parse_cards("2C 3C")))) == "put 2C 3C in {1's} crib"
    assert GAME.says(begin, 1, Discard((BACK, BACK))) == "put two cards in the crib"
    assert GAME.says(laid_away(TELECARDS, "9S"), 0, Cut(4)) == "cut at 4 for the starter"
    assert GAME.says(laid_away(TELECARDS, "9S"), 0, Cut(None)) == "cut for the starter"
    assert GAME.says(replace(laid_away(TELECARDS, "9S"), picked=False), 0, Cut(4)) == "cut for the starter"
    assert GAME.says(fanned("4C"), 0, Cut(4)) == "cut at 4 for the first deal"
    assert GAME.says(to_count(14), 0, Count(14)) == "count 14"


def test_the_rear_pegs_stand_where_the_front_pegs_were() -> None:
    state = act(GAME, playing("4C 5C 9H 9S", "6D 2D 3D 8S", scores=(10, 20)), *plays("4C 6D 5C"))
    assert (state.scores, GAME.layout(state).rear) == ((15, 20), (10, 0))


def test_muggins_the_hands_are_counted_in_order_and_the_crib_after_it_is_turned_up() -> None:
    state = counting(14, 14)
    assert GAME.legal(state, 1) == tuple(Count(points) for points in range(30))
    for points in (-1, 30):
        assert refusal(GAME, state, 1, Count(points)) == "a hand is worth 0 to 29"
    assert refusal(GAME, state, 1, Go()) == "count your hand: type count and a number"
    state = GAME.play(state, GAME.decide(state, 1, Count(5)))
    assert (state.stage, state.crib) == (Stage.SHOW, ())
    state = GAME.play(state, GAME.show(state))
    assert (state.stage, state.phase, state.to_act, len(state.crib)) == (Stage.PLAY, Phase.CRIB, (1,), 4)
    assert refusal(GAME, state, 1, Play(card("9S"))) == "count your crib: type count and a number"
    over = act(GAME, state, Count(0))
    assert (over.stage, over.dealer) == (Stage.DEAL, 0)
    assert over.sheet and over.sheet.totals == over.scores


def test_muggins_the_first_in_the_last_hole_has_won() -> None:
    assert counting(12, 14, scores=(109, 120)).winners == (0,)
    other = counting(12, 14, scores=(100, 120))
    assert (other.winners, other.scores) == ((1,), (112, 121))
    assert GAME.decide(other, 0, Count(3)) == Counted(0, 3)


# --- words and options ------------------------------------------------------------------------------------------------


def test_actions_are_spelled_and_read() -> None:
    state = laid_away(TELECARDS, "9S")
    assert (
        spell_action(Cut(17)) == "cut 17"
        and spell_action(Cut(None)) == "cut"
        and spell_action(Go()) == "go"
        and spell_action(Count(12)) == "count 12"
    )
    assert spell_action(Discard(parse_cards("5C JS"))) == "discard 5C JS" and spell_action(Play(card("5C"))) == "5C"
    assert read_action(GAME, state, 0, ["cut", "2"]) == Cut(2)
    assert read_action(GAME, state, 0, ["cut"]) == Cut(None)
    manual = counting(14, 14)
    assert read_action(GAME, manual, 1, ["count", "7"]) == Count(7) == read_action(GAME, manual, 1, ["7"])
    assert shorten_for_prompt([spell_action(action) for action in GAME.legal(manual, 1)]) == ["count 0 to 29"]


def test_defaults_and_presets() -> None:
    assert defaults(Options) == {
        "winning_score": "121",
        "board": "standard",
        "counting": "auto",
        "first_dealer": "random",
    }
    telecards = Options(first_dealer="low_draw")
    assert dict(PRESETS) == {"usual": Options(), "real-deal": Options(), "telecards": telecards}


def test_the_board_never_changes_scores() -> None:
    plain = act(GAME, last_two(), *plays("JS 8S"))
    for board in ("racetrack", "s_shape"):
        other = act(GAME, last_two(options=Options(board=board)), *plays("JS 8S"))
        assert other.sheet == plain.sheet
