"""Rule sheet 7: every rule, decision and worked example of whist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest

from p2pcards.cards.card import BACK, Card, Suit, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, redact
from p2pcards.games.dealing import Dealt
from p2pcards.games.deals.taking import Taking
from p2pcards.games.deals.tricks import SUITS
from p2pcards.games.game import Remark, Stage, Trump
from p2pcards.games.playing import Play, Played
from p2pcards.games.whist.deal import Whist
from p2pcards.games.whist.rules import GAME, PACK, PRESETS, Options, State, game_value, score_items
from rigs.tables import act, defaults, face_up, refusal, stacked
from rigs.tricked import kept

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


def dealt(dealer: int = 3) -> State:
    start: State = GAME.start(REAL, dealer)
    state: State = GAME.play(start, GAME.deal(start, stacked(PACK, dealer, DEAL), ()))
    return state


def playing(to_act: str, trick: str = "", taken: str = "", trump: Suit = Suit.SPADES) -> State:
    """The last seat after those of the trick holds these cards and is to act; nobody else's are known."""
    seat = len(parse_cards(trick))
    held = ["", "", "", ""]
    held[seat] = to_act
    return State(
        REAL,
        stage=Stage.PLAY,
        to_act=(seat,),
        hand=1,
        dealer=3,
        **kept(Whist(True, 0, Taking(SUITS[trump])), held, 0, trick, (taken,)),
    )


def legal(state: State) -> str:
    return " ".join(str(action.card) for action in GAME.legal(state, state.to_act[0]))


def finished(options: Options, tricks: Sequence[int], scores: tuple[int, ...] = (0, 0, 0, 0)) -> State:
    """The state after the last trick of a hand in which the seats took so many; seat 0 takes the last one."""
    deal = Whist(options.team_play, 0, Taking(SUITS[Suit.HEARTS]))
    fields = kept(deal, ("AS", "2C", "3C", "4C"))
    deal.tricks.won = [count - (seat == 0) for seat, count in enumerate(tricks)]
    state = State(options, stage=Stage.PLAY, to_act=(0,), hand=1, dealer=3, scores=scores, **fields)
    return act(GAME, state, *[Play(each) for each in parse_cards("AS 2C 3C 4C")])


# --- the worked examples --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tricks", "points"), [((5, 1, 4, 3), 3), ((13, 0, 0, 0), 7), ((4, 3, 3, 3), 1)])
def test_examples_1_to_3_odd_tricks(tricks: tuple[int, ...], points: int) -> None:
    state = finished(REAL, tricks)
    assert state.scores == (points, 0, points, 0)
    assert state.sheet and state.sheet.items == ((("odd tricks", points),), (), (("odd tricks", points),), ())


def test_example_4_the_value_of_the_game() -> None:
    state = finished(REAL, (4, 3, 3, 3), scores=(6, 4, 6, 4))
    assert (state.scores, state.winners, state.stage) == ((7, 4, 7, 4), (0, 2), Stage.OVER)
    assert GAME.layout(state).notes == ("game value 3", "{0} and {2} have 7 tricks", "{1} and {3} have 6 tricks")
    assert GAME.remarks(dealt(), Played(0, Slot(card("2C"), PUBLIC)), state) == (Remark(None, "the game is worth 3"),)
    state = finished(REAL, (5, 2, 4, 2), scores=(6, 2, 6, 2))
    assert (state.scores, state.winners) == ((9, 2, 9, 2), (0, 2))
    assert GAME.layout(state).notes[0] == "game value 5"


def test_example_5_d_wh_1_alone_every_trick_over_three_counts() -> None:
    assert finished(ALONE, (6, 4, 2, 1)).scores == (3, 1, 0, 0)
    assert score_items(ALONE, (3, 3, 3, 4)) == ((), (), (), (("odd tricks", 1),))


def test_the_turn_up_is_told() -> None:
    start: State = GAME.start(REAL, 3)
    event = GAME.deal(start, PACK, ())
    state = GAME.play(start, event)
    assert GAME.remarks(start, event, state) == (Remark(3, f"turn up {PACK[-1]}: spades are trump"),)


# --- scores ---------------------------------------------------------------------------------------------------------


def test_d_wh_2_alone_the_value_is_taken_against_the_second_best() -> None:
    assert game_value(ALONE, (7, 2, 5, 0)) == 2
    assert game_value(ALONE, (1, 8, 0, 0)) == 6
    assert game_value(REAL, (7, 2, 7, 2)) == 5


def test_the_first_side_at_the_winning_score_wins_after_the_hand() -> None:
    assert finished(REAL, (3, 4, 3, 3), scores=(6, 5, 6, 5)).scores == (6, 6, 6, 6)
    assert finished(REAL, (3, 4, 3, 3), scores=(6, 6, 6, 6)).winners == (1, 3)
    below = finished(REAL, (4, 3, 3, 3), scores=(5, 6, 5, 6))
    assert (below.stage, below.winners) == (Stage.DEAL, ())


def test_d_gen_5_alone_two_level_at_the_top_play_another_hand() -> None:
    state = finished(ALONE, (5, 5, 2, 1), scores=(5, 5, 0, 0))
    assert (state.scores, state.stage, state.winners) == ((7, 7, 0, 0), Stage.DEAL, ())
    assert finished(ALONE, (5, 6, 1, 1), scores=(5, 5, 0, 0)).winners == (1,)


# --- the deal -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dealer", "turned"), [(3, "AH"), (0, "4H"), (2, "JH")])
def test_the_dealers_last_card_is_turned_up_and_goes_into_its_hand(dealer: int, turned: str) -> None:
    state = dealt(dealer)
    assert (state.trump, len(state.hands[dealer])) == (Suit.HEARTS, 13)
    watched = redact(state, PUBLIC)
    assert watched.hands[dealer].cards == (card(turned),)
    assert [held.cards for held in watched.hands if held.owner != dealer] == [(), (), ()]
    assert watched.trump == Suit.HEARTS
    assert GAME.layout(watched).trump == Trump(Suit.HEARTS, card=card(turned))
    assert state.to_act == ((dealer + 1) % 4,)


def test_a_deal_without_a_turn_up_is_refused() -> None:
    state = GAME.start(REAL, 3)
    with pytest.raises(ValueError, match="no card is turned up"):
        GAME.play(state, GAME.deal(state, (BACK,) * 52, (BACK,) * 52))
    assert isinstance(GAME.deal(state, (BACK,) * 52, (BACK,) * 52), Dealt)


def test_the_whole_pack_is_dealt() -> None:
    assert sorted(chain.from_iterable(held.cards for held in dealt().hands)) == list(PACK)


# --- the play -------------------------------------------------------------------------------------------------------


def test_eldest_leads_anything() -> None:
    assert len(GAME.legal(dealt(), 0)) == 13
    assert legal(playing("3D 4S")) == "3D 4S"


def test_suit_must_be_followed() -> None:
    state = playing("3D KD 2S", "5D")
    assert legal(state) == "3D KD"
    assert refusal(GAME, state, 1, Play(card("2S"))) == "you must follow diamonds"
    assert legal(playing("3C KH 2S", "5D")) == "3C KH 2S"


@pytest.mark.parametrize(("words", "taker"), [("5D KD AH JD", 1), ("5D KD 2S AD", 2), ("5D KD 2S 3S", 3)])
def test_the_highest_trump_or_else_the_highest_of_the_suit_led_takes_the_trick(words: str, taker: int) -> None:
    deal = Whist(True, 0, Taking(SUITS[Suit.SPADES]))
    start = replace(playing(""), to_act=(0,), **kept(deal, [f"{word} 2C" for word in words.split()]))
    state = act(GAME, start, *[Play(each) for each in parse_cards(words)])
    assert (state.leader, state.to_act) == (taker, (taker,))
    assert [slot.card for slot in state.taken[taker]] == list(parse_cards(words))
    assert GAME.layout(state).taker == taker


def test_refusals_name_the_reason() -> None:
    state = playing("3D KD", "5D")
    assert refusal(GAME, state, 2, Play(card("3D"))) == "it's not your turn"
    assert refusal(GAME, state, 1, Play(card("4D"))) == "you don't have 4D"
    assert refusal(GAME, state, 1, Play(BACK)) == "you don't have --"


# --- games ----------------------------------------------------------------------------------------------------------


def test_the_deal_passes_left_and_a_rematch_begins_left_of_the_first_dealer() -> None:
    state = finished(REAL, (4, 3, 3, 3))
    assert (state.dealer, state.stage, state.to_act) == (0, Stage.DEAL, ())
    assert GAME.next_first_dealer(replace(state, first_dealer=3)) == 0


def test_a_new_hand_forgets_the_last_one() -> None:
    state = finished(REAL, (4, 3, 3, 3))
    state = GAME.play(state, GAME.deal(state, PACK, ()))
    assert (state.trump, state.sheet, state.last_trick, state.taken) == (Suit.SPADES, None, (), ((),) * 4)
    assert (state.to_act, state.hand) == ((1,), 2)


def test_d_gen_1_the_first_card_of_the_draw_pack_names_the_dealer() -> None:
    state = GAME.start(REAL, None)
    state = GAME.play(state, GAME.deal(state, PACK, (PACK[6], *PACK[:6], *PACK[7:])))
    assert (state.dealer, state.first_dealer, state.hand) == (2, 2, 0)


def test_defaults() -> None:
    assert defaults(Options) == {"winning_score": 7, "team_play": True}
    assert Options() == REAL


def test_nothing_is_shown_at_the_end_of_a_hand() -> None:
    with pytest.raises(ValueError, match="no cards are shown"):
        GAME.show(finished(REAL, (4, 3, 3, 3)))


def test_the_layout_tells_trump_and_tricks() -> None:
    layout = GAME.layout(playing("3D", "5C KC", taken="2H 3H 4H 5H"))
    assert layout.trump and layout.trump.suit == Suit.SPADES
    assert (layout.notes, layout.seats) == (("{0} and {2} have 1 trick",), ("1 trick", "", "", ""))
    assert layout.trick == ((0, Slot(card("5C"), PUBLIC)), (1, Slot(card("KC"), PUBLIC)))
    assert [(pile.seat, pile.slots) for pile in layout.piles] == [(0, face_up("2H 3H 4H 5H"))]
    assert GAME.layout(GAME.start(REAL, None)).notes == ()


def test_an_event_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError):
        GAME.play(redact(playing("3D KD", "5D"), eyes_of_viewer(1)), Played(1, Slot(card("4D"), PUBLIC)))
