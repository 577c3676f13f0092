"""Rule sheet 1: every rule, decision and worked example of crazy eights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2pcards.cards.card import BACK, Card, Suit, parse_cards
from p2pcards.cards.eyes import PUBLIC, TRUTH, Slot, eyes_of_viewer, redact, slots_of
from p2pcards.games.crazy_eights.rules import GAME, PACK, PRESETS, Options, Play, Played, State
from p2pcards.games.dealing import Dealt
from p2pcards.games.drawing import Draw, Drawn
from p2pcards.games.game import Stage
from p2pcards.games.outcome import Outcome, add_faces, add_outcome, public_outcome
from p2pcards.games.playing import Pass
from p2pcards.games.showing import Shown
from p2pcards.games.spelling import read_action
from rigs.tables import act, defaults, face_down, face_up, hands, refusal, stacked

REAL, TELECARDS = PRESETS["real-deal"], PRESETS["telecards"]
ALL = replace(REAL, two_draws_two=True, jack_skips=True, king_reverses=True)
FOUR = ("2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D", "2H 3H 4H 5H 6H", "2S 3S 4S 5S 6S")


def card(word: str) -> Card:
    return parse_cards(word)[0]


def playing(
    held: Sequence[str],
    top: str = "9D",
    options: Options = REAL,
    stock: str = "",
    to_act: int = 0,
    scores: Sequence[int] = (),
) -> State:
    """A hand in progress: these hands, this card on the discard pile, its suit in force, this stock."""
    options = replace(options, players=len(held))
    return State(
        options,
        tuple(scores) or (0,) * len(held),
        hands(*held),
        stage=Stage.PLAY,
        to_act=(to_act,),
        hand=1,
        dealer=len(held) - 1,
        stock=face_down(stock),
        discards=face_up(top),
        suit=card(top).suit,
    )


def legal(state: State) -> str:
    """The legal actions of the seat to act; an eight once, however many suits it may name."""
    words = []
    for action in GAME.legal(state, state.to_act[0]):
        words.append(str(action.card) if isinstance(action, Play) else type(action).__name__.lower())
    return " ".join(dict.fromkeys(words))


def play(word: str, suit: Suit | None = None) -> Play:
    return Play(card(word), suit)


def dealt(options: Options, wanted: Sequence[str], then: str = "9H", dealer: int = 0) -> State:
    start: State = GAME.start(options, dealer)
    state: State = GAME.play(start, GAME.deal(start, stacked(PACK, dealer, wanted, then), ()))
    return state


def went_out(options: Options, *left: str) -> tuple[int, ...]:
    """What a hand changes that seat 0 ends by playing a diamond while the others hold these cards."""
    state = act(GAME, playing(("3D", *left), options=options), play("3D"))
    assert state.sheet and state.sheet.hand == tuple(sum(points for _, points in items) for items in state.sheet.items)
    return state.sheet.hand


def blocked(options: Options, *left: str, scores: Sequence[int] = ()) -> State:
    """The state after everybody has passed with these cards over an empty stock."""
    return act(GAME, playing(left, top="9D", options=options, scores=scores), *[Pass()] * len(left))


# --- the worked examples --------------------------------------------------------------------------------------------


def test_example_1_going_out() -> None:
    assert went_out(REAL, "8C KD", "AS 2H 9C", "JD QD") == (92, 0, 0, 0)


def test_example_2_action_cards_count_25() -> None:
    assert went_out(ALL, "2C 2D", "KS JH", "8D AH") == (151, 0, 0, 0)


def test_example_3_block_with_one_winner() -> None:
    state = blocked(REAL, "7C", "KC 7S 2S", "KH KS TC", "QH QS TH")
    assert state.sheet and state.sheet.hand == (58, 0, 0, 0)
    assert GAME.layout(state).seats == ("7 in 1 card", "19 in 3 cards", "30 in 3 cards", "30 in 3 cards")


def test_example_4_block_with_two_winners() -> None:
    state = blocked(REAL, "5C 4C", "6H 3H", "KC TC", "KS TS JS AS")
    assert state.sheet and state.sheet.hand == (16, 16, 0, 0)


def test_example_5_a_king_counts_10_between_two() -> None:
    assert went_out(replace(TELECARDS, two_draws_two=True, king_reverses=True), "KC 2S") == (35, 0)


def test_example_6_after_an_eight_only_the_suit_named() -> None:
    state = replace(playing(("9H QS 8D 3C", "KC")), discards=face_up("8S"), suit=Suit.HEARTS)
    assert legal(state) == "8D 9H"
    plays = [action for action in GAME.legal(state, 0) if isinstance(action, Play)]
    suits = [action.suit for action in plays if action.card == card("8D")]
    assert suits == [Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES]
    assert refusal(GAME, state, 0, play("QS")) == "play a heart or an eight"


# --- the deal -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "each"), [(2, 7), (3, 5), (4, 5)])
def test_the_deal(players: int, each: int) -> None:
    state = GAME.start(Options(players=players), 1)
    state = GAME.play(state, GAME.deal(state, PACK, ()))
    assert [len(held) for held in state.hands] == [each] * players
    assert state.hands[2 % players].cards == PACK[: players * each : players]
    assert len(state.stock) == 52 - players * each - 1 and len(state.discards) == 1
    assert state.to_act == (2 % players,)  # eldest; of two players the one who has not dealt


def test_d_c8_1_eights_are_passed_over_and_lie_face_up_at_the_bottom_of_the_stock() -> None:
    state = dealt(REAL, FOUR, then="8C 8H TS")
    assert [slot.card for slot in state.discards] == [card("TS")]
    assert state.stock[-2:] == face_up("8C 8H")
    watcher = redact(state, PUBLIC)
    assert [slot.card for slot in watcher.stock] == [BACK] * (len(state.stock) - 2) + list(parse_cards("8C 8H"))
    assert not any(slot.card for held in watcher.hands for slot in held.slots)


def test_d_c8_1_the_outcome_of_a_deal_is_what_is_turned_up() -> None:
    start = GAME.start(REAL, 0)
    event = GAME.deal(start, stacked(PACK, 0, FOUR, "8C TS"), ())
    backs = (BACK,) * 52
    outcome = public_outcome(event, GAME.deal(redact(start, PUBLIC), backs, backs))
    assert outcome == Outcome(((20, card("8C")), (21, card("TS"))))
    mine = add_faces(add_outcome(GAME.deal(redact(start, PUBLIC), backs, backs), outcome, 4), (), PUBLIC)
    assert GAME.play(redact(start, PUBLIC), mine) == redact(GAME.play(start, event), PUBLIC)


@pytest.mark.parametrize(
    "turned",
    [
        {20: "8C"},  # an eight, and no starter after it
        {20: "9C", 21: "TC"},  # two starters
        {20: "9C", 30: "TC"},  # a card out of the stock
        {3: "2C", 20: "9C"},  # a card out of a hand
        {21: "9C"},
        {},
    ],
)
def test_a_starter_turned_up_wrongly_is_refused(turned: dict[int, str]) -> None:
    slots = [Slot(card(turned[place]), PUBLIC) if place in turned else Slot(BACK) for place in range(52)]
    with pytest.raises(ValueError, match="starter"):
        GAME.play(redact(GAME.start(REAL, 0), PUBLIC), Dealt(tuple(slots)))


@pytest.mark.parametrize("starter", ["2C", "JC", "KC"])
def test_d_c8_2_a_starter_has_no_effect(starter: str) -> None:
    held = [words.replace("2C", "7C") for words in FOUR]
    state = dealt(ALL, held, then=starter)
    assert (state.to_act, state.owed, state.step) == ((1,), 0, 1)


# --- a turn ---------------------------------------------------------------------------------------------------------


def test_a_card_matches_the_suit_or_the_denomination_or_is_an_eight() -> None:
    state = playing(("9S 3D 4C 8H", "KC"), top="9D", stock="2C")
    assert legal(state) == "3D 8H 9S draw"
    assert refusal(GAME, state, 0, play("4C")) == "play a diamond, a 9 or an eight"
    assert refusal(GAME, state, 0, play("5C")) == "you don't have 5C"
    assert refusal(GAME, state, 1, play("KC")) == "it's not your turn"


def test_an_eight_names_a_suit_its_own_included_unless_it_is_the_last_card() -> None:
    state = playing(("8H 9D", "KC 3C"))
    assert refusal(GAME, state, 0, play("8H")) == "name a suit with the eight"
    assert refusal(GAME, state, 0, play("9D", Suit.CLUBS)) == "only an eight names a suit"
    assert refusal(GAME, state, 0, play("8H", Suit.HEARTS)) == ""
    after = act(GAME, state, play("8H", Suit.CLUBS))
    assert (after.suit, after.to_act, GAME.layout(after).notes[0]) == (Suit.CLUBS, (1,), "clubs named")
    last = playing(("8H", "KC"))
    assert refusal(GAME, last, 0, play("8H", Suit.CLUBS)) == "you don't name a suit with your last card"
    assert GAME.legal(last, 0) == (play("8H"),)
    assert act(GAME, last, play("8H")).scores == (10, 0)


def test_a_draw_is_seen_by_the_drawer_alone_and_the_turn_goes_on() -> None:
    state = playing(("9D", "KC"), stock="2C 3C")
    event = GAME.decide(state, 0, Draw())
    assert isinstance(event, Drawn)
    after = GAME.play(state, event)
    assert after.to_act == (0,) and after.hands[0].cards == parse_cards("2C 9D")
    assert redact(event, eyes_of_viewer(0)).card.card == card("2C")
    for eyes in (eyes_of_viewer(1), PUBLIC):
        assert redact(event, eyes).card == Slot(BACK)
        assert not any(slot.card for slot in slots_of(redact(after, eyes).hands[0]))


def test_an_eight_drawn_from_the_bottom_is_known_to_all() -> None:
    state = replace(playing(("9D", "KC")), stock=face_up("8C"))
    after = act(GAME, state, Draw())
    assert redact(after, eyes_of_viewer(1)).hands[0].cards == parse_cards("8C")
    watched = redact(replace(after, discards=face_up("KS"), suit=Suit.SPADES), PUBLIC)
    assert refusal_on_view(watched, Pass()) == "you can play a card, so you can't pass"


def refusal_on_view(view: State, action: Pass) -> str:
    with pytest.raises(ValueError) as caught:
        GAME.verify(view, view.to_act[0], action)
    return str(caught.value)


def test_drawing_goes_on_until_a_card_can_be_played_or_the_stock_is_empty() -> None:
    state = playing(("4C", "KC"), stock="5C 6C")
    assert legal(state) == "draw"
    assert refusal(GAME, state, 0, Pass()) == "draw before you pass"
    state = act(GAME, state, Draw(), Draw())
    assert legal(state) == "pass"
    assert refusal(GAME, state, 0, Draw()) == "the stock is empty"
    assert act(GAME, state, Pass()).to_act == (1,)


def test_d_c8_3_a_player_who_can_play_may_draw_but_not_pass() -> None:
    state = playing(("3D", "KC"), stock="5C")
    assert legal(state) == "3D draw"
    state = act(GAME, state, Draw())
    assert legal(state) == "3D"
    assert refusal(GAME, state, 0, Pass()) == "you can play a card, so you can't pass"


def test_d_c8_4_draw_one_only() -> None:
    one = replace(REAL, draw_one_only=True)
    state = act(GAME, playing(("4C 3D", "KC"), options=one, stock="5D 6C"), Draw())
    assert legal(state) == "3D 5D"  # any card of the hand, not only the one drawn
    assert refusal(GAME, state, 0, Draw()) == "you can draw only one card a turn"
    state = act(GAME, playing(("4C", "KC"), options=one, stock="5C 6C"), Draw())
    assert legal(state) == "pass"
    state = act(GAME, state, Pass())
    assert (state.to_act, legal(state)) == ((1,), "draw")
    assert legal(act(GAME, playing(("4C", "KC"), stock="5C 6C"), Draw())) == "draw"


def test_d_c8_5_the_discard_pile_is_never_drawn_from() -> None:
    state = act(GAME, playing(("3D 4S", "KC 3S"), stock="5C"), play("3D"), play("3S"))
    assert len(state.discards) == 3 and len(state.stock) == 1
    state = act(GAME, replace(playing(("4C", "KC")), discards=face_up("2D 3D 9D")), Pass(), Pass())
    assert state.sheet and not state.stock and len(state.discards) == 3


# --- action cards ---------------------------------------------------------------------------------------------------


TWOS = replace(REAL, two_draws_two=True)


def test_two_draws_two() -> None:
    state = act(GAME, playing(("2D 3C", "4D 5C", "6C"), options=TWOS, stock="6D 7D 9C"), play("2D"))
    assert (state.to_act, state.owed, legal(state)) == ((1,), 2, "draw")
    assert GAME.layout(state).notes == ("2 to draw for the two",)
    assert refusal(GAME, state, 1, play("4D")) == ("first draw two cards for the two, or what's left of the stock")
    state = act(GAME, state, Draw(), Draw())
    assert (state.to_act, state.owed, legal(state)) == ((1,), 0, "4D 6D 7D draw")  # no lost turn
    assert act(GAME, playing(("2D 3C", "4D 5C"), stock="6D 7D"), play("2D")).owed == 0


def test_d_c8_6_a_short_stock_gives_what_is_left() -> None:
    state = act(GAME, playing(("2D 3C", "4D 5C"), options=TWOS, stock="6D"), play("2D"))
    assert state.owed == 1
    assert legal(act(GAME, state, Draw())) == "4D 6D"
    empty = act(GAME, playing(("2D 3C", "4D 5C"), options=TWOS), play("2D"))
    assert (empty.owed, legal(empty)) == (0, "4D")


def test_d_c8_6_twos_do_not_stack() -> None:
    state = playing(("2D 3C", "2S 5C", "6C"), options=TWOS, stock="6D 7D 9C TC")
    state = act(GAME, state, play("2D"), Draw(), Draw(), play("2S"))
    assert (state.to_act, state.owed) == ((2,), 2)


def test_d_c8_6_the_two_cards_do_not_count_against_draw_one_only() -> None:
    options = replace(TWOS, draw_one_only=True)
    state = act(GAME, playing(("2D 3C", "4C 5C"), options=options, stock="6C 7C 9C TC"), play("2D"), Draw(), Draw())
    assert legal(state) == "draw"
    assert legal(act(GAME, state, Draw())) == "pass"


@pytest.mark.parametrize(("players", "then"), [(2, 0), (3, 2), (4, 2)])
def test_jack_skips(players: int, then: int) -> None:
    held = ("JD 3C", "4C 5C", "6C 7C", "9C TC")[:players]
    assert act(GAME, playing(held, options=replace(REAL, jack_skips=True)), play("JD")).to_act == (then,)
    assert act(GAME, playing(held), play("JD")).to_act == (1,)


@pytest.mark.parametrize(("players", "then"), [(2, 1), (3, 2), (4, 3)])
def test_king_reverses(players: int, then: int) -> None:
    held = ("KD 3C", "KC 5C", "KH 7C", "KS TC")[:players]
    state = act(GAME, playing(held, options=replace(REAL, king_reverses=True)), play("KD"))
    assert state.to_act == (then,)
    if players > 2:
        assert GAME.layout(state).notes == ("play goes to the right", "the stock is empty")
        back = act(GAME, state, play(str(state.hands[then].cards[-1])))
        assert (back.to_act, back.step) == ((0,), 1)
    assert act(GAME, playing(held), play("KD")).to_act == (1,)


def test_a_jack_skips_the_way_the_play_goes() -> None:
    state = replace(playing(("JD 3C", "4C 5C", "6C 7C", "9C TC"), options=ALL), step=-1)
    assert act(GAME, state, play("JD")).to_act == (2,)
    three = replace(playing(("JD 3C", "4C 5C", "6C 7C"), options=ALL), step=-1)
    assert act(GAME, three, play("JD")).to_act == (1,)


@pytest.mark.parametrize("last", ["2D", "JD", "KD"])
def test_d_c8_7_the_last_card_has_no_further_effect(last: str) -> None:
    state = playing((last, "4C", "5C"), options=ALL, stock="6C 7C")
    played = GAME.play(state, GAME.decide(state, 0, play(last)))
    assert (played.stage, played.to_act, played.owed, played.step) == (Stage.SHOW, (), 0, 1)
    assert act(GAME, state, play(last)).scores == (9, 0, 0)


# --- the end of a hand ----------------------------------------------------------------------------------------------


def test_the_hands_are_shown_when_a_hand_has_ended() -> None:
    state = playing(("3D", "4C KC", "8S"), stock="6C 7C")
    state = GAME.play(state, GAME.decide(state, 0, play("3D")))
    for eyes in (eyes_of_viewer(0), PUBLIC):
        assert not redact(state, eyes).hands[1].cards
    event = GAME.show(state)
    outcome = public_outcome(event, GAME.show(redact(state, PUBLIC)))
    assert [shown for _, shown in outcome.cards] == list(parse_cards("4C KC 8S"))
    after = GAME.play(state, event)
    assert redact(after, PUBLIC).hands[1].cards == parse_cards("4C KC")
    assert redact(after, PUBLIC).stock == (Slot(BACK), Slot(BACK))  # nobody need see these
    assert after.scores == (64, 0, 0)


def test_a_played_card_carries_no_outcome() -> None:
    state = playing(("3D", "4C"))
    event = GAME.decide(state, 0, play("3D"))
    assert not public_outcome(event, GAME.decide(redact(state, PUBLIC), 0, play("3D")))


def test_a_hand_known_in_part_is_shown_in_the_order_of_the_truth() -> None:
    held = replace(playing(("3D", "4C")), stock=face_up("8C"), to_act=(1,))
    state = act(GAME, held, Draw(), play("8C", Suit.DIAMONDS))
    state = replace(act(GAME, replace(held, stock=face_up("8C") + face_down("KC")), Draw(), Draw()), to_act=(0,))
    state = GAME.play(state, GAME.decide(state, 0, play("3D")))
    watcher = redact(state, PUBLIC)
    outcome = public_outcome(GAME.show(state), GAME.show(watcher))
    mine = add_outcome(GAME.show(watcher), outcome, 2)
    assert mine == redact(GAME.show(state), PUBLIC)
    assert GAME.play(watcher, mine).hands[1].cards == parse_cards("4C 8C KC")


@pytest.mark.parametrize(
    "shown", [("", "4C KC"), ("", "8C"), ("", "8C KC 4C"), ("3D", "8C KC")], ids=["of others", "few", "many", "gone"]
)
def test_a_hand_shown_that_cannot_be_is_refused(shown: tuple[str, str]) -> None:
    state = replace(playing(("", "KC"), stock=""), stage=Stage.SHOW, to_act=())
    state = replace(state, hands=(state.hands[0], replace(state.hands[1], slots=(face_up("8C")[0], Slot(BACK)))))
    with pytest.raises(ValueError, match="shows a hand that it does not hold"):
        GAME.play(state, Shown(tuple(face_up(words) for words in shown)))


def test_a_block_is_a_full_round_of_passes_over_an_empty_stock() -> None:
    state = playing(("4C", "5C", "6C"), stock="TC")
    state = act(GAME, state, Draw(), Pass(), Pass())
    assert (state.stage, state.passes, state.to_act) == (Stage.PLAY, 2, (2,))
    assert act(GAME, state, Pass()).sheet is not None
    assert act(GAME, replace(state, hands=hands("4C", "5C", "6D 7C")), play("6D")).passes == 0


def test_passes_over_a_stock_do_not_block() -> None:
    state = playing(("4C", "5C"), options=replace(REAL, draw_one_only=True), stock="6C 7C TC")
    state = act(GAME, state, Draw(), Pass(), Draw(), Pass())
    assert (state.stage, state.passes) == (Stage.PLAY, 0)


def test_counts() -> None:
    for words, plain, special in (("8C", 50, 50), ("KC", 10, 25), ("JC", 10, 25), ("2C", 2, 25), ("QC", 10, 10)):
        assert went_out(REAL, words, "", "")[0] == plain
        assert went_out(ALL, words, "", "")[0] == special
    assert went_out(REAL, "TC", "AC", "7C") == (18, 0, 0, 0)


def test_d_c8_8_a_king_counts_25_only_among_three_or_more() -> None:
    kings = replace(REAL, king_reverses=True)
    assert went_out(kings, "KC") == (10, 0)
    assert went_out(kings, "KC", "") == (25, 0, 0)


def test_d_c8_9_only_winners_score_and_the_remainder_is_dropped() -> None:
    assert blocked(REAL, "4C", "4H", "7S 2S").scores == (2, 2, 0)  # 5 between two
    assert blocked(REAL, "4C", "4H").scores == (0, 0)
    assert blocked(REAL, "5C", "4H", scores=(30, 40)).scores == (30, 41)


# --- games ----------------------------------------------------------------------------------------------------------


def test_the_first_score_at_the_target_wins_and_the_highest() -> None:
    ten = replace(REAL, winning_score=10)
    over = act(GAME, playing(("3D", "KC", ""), options=ten), play("3D"))
    assert (over.stage, over.winners, over.scores) == (Stage.OVER, (0,), (10, 0, 0))
    more = act(GAME, playing(("3D", "9C", ""), options=ten), play("3D"))
    assert (more.stage, more.winners, more.dealer) == (Stage.DEAL, (), 0)
    above = act(GAME, playing(("3D", "KC", ""), options=ten, scores=(0, 99, 0)), play("3D"))
    assert (above.stage, above.winners) == (Stage.OVER, (1,))


def test_d_gen_5_level_at_the_top_another_hand_is_played() -> None:
    state = act(GAME, playing(("3D", "KC"), options=replace(REAL, winning_score=10), scores=(0, 10)), play("3D"))
    assert (state.scores, state.stage, state.winners) == ((10, 10), Stage.DEAL, ())


def test_d_c8_10_defaults_and_presets() -> None:
    assert defaults(Options) == {
        "winning_score": 100,
        "two_draws_two": False,
        "jack_skips": False,
        "king_reverses": False,
        "draw_one_only": False,
        "players": 4,
    }
    assert dict(PRESETS) == {"usual": Options(), "real-deal": Options(), "telecards": Options(players=2)}
    assert [GAME.seats(options) for options in PRESETS.values()] == [4, 4, 2]


def test_d_gen_1_the_first_dealer_and_a_rematch() -> None:
    state = GAME.start(Options(players=3), None)
    state = GAME.play(state, GAME.deal(state, PACK, (PACK[4], *PACK[:4], *PACK[5:])))
    assert (state.dealer, state.first_dealer) == (1, 1)
    assert GAME.next_first_dealer(replace(state, first_dealer=2)) == 0


# --- what is told ---------------------------------------------------------------------------------------------------


def told(state: State, *actions: Play | Draw | Pass) -> list[tuple[int | None, str]]:
    """What is said aloud as the last of these actions, of the seat to act, is taken, and the hands are shown."""
    state = act(GAME, state, *actions[:-1])
    after = GAME.play(state, event := GAME.decide(state, state.to_act[0], actions[-1]))
    remarks = GAME.remarks(state, event, after)
    if after.stage == Stage.SHOW:
        shown = GAME.show(after)
        remarks += GAME.remarks(after, shown, GAME.play(after, shown))
    return [(remark.seat, remark.words) for remark in remarks]


def test_each_action_is_said() -> None:
    state = playing(("8H 9D", "KC 3C"), stock="2C 8C")
    assert GAME.says(state, 0, play("9D")) == "play 9D"
    assert GAME.says(state, 0, play("8H", Suit.CLUBS)) == "play 8H, naming clubs"
    assert (GAME.says(state, 0, Draw()), GAME.says(state, 0, Pass())) == ("draw from the stock", "pass")
    assert GAME.says(replace(state, owed=2), 0, Draw()) == "draw from the stock for the two"
    assert GAME.says(replace(state, stock=face_up("8C")), 0, Draw()) == "draw 8C from the stock"  # passed over, face up


def test_a_suit_is_named_as_it_is_told() -> None:
    state = playing(("8H 9D", "KC 3C"), stock="2C 8C")
    assert read_action(GAME, state, 0, ["8H,", "naming", "clubs"]) == play("8H", Suit.CLUBS)


def test_the_starter_is_told_and_the_eights_before_it() -> None:
    def told_of(then: str) -> str:
        start: State = GAME.start(REAL, 0)
        event = GAME.deal(start, stacked(PACK, 0, FOUR, then), ())
        (remark,) = GAME.remarks(start, event, GAME.play(start, event))
        return remark.words

    assert told_of("9H") == "the starter is 9H"
    assert told_of("8C TS") == "the starter is TS; 8C went under the stock"
    assert told_of("8C 8H TS") == "the starter is TS; 8C 8H went under the stock"


def test_everybody_sees_how_many_cards_the_others_hold_and_hears_of_the_last_one() -> None:
    state = playing(("3D 4D KC", "4C 5C"), stock="2C")
    assert GAME.layout(state).counted
    assert told(state, play("3D")) == []
    assert told(replace(state, hands=hands("3D KC", "4C 5C")), play("3D")) == [(0, "have one card left")]
    start, over = GAME.layout(GAME.start(REAL, 0)), GAME.layout(blocked(REAL, "7C", "KC", "KH", "QH"))
    assert not (start.counted or start.seats or over.counted), "the end tells what they count"


def test_what_a_card_does_is_told_of_whom_it_hits() -> None:
    held = ("2D JD KD 3C", "4C 5C", "6C 7C", "9C TC")
    state = playing(held, options=ALL, stock="6D 7D 9S")
    assert told(state, play("2D")) == [(1, "have to draw two cards")]
    assert told(replace(state, stock=face_down("6D")), play("2D")) == [(1, "have to draw the last card")]
    assert told(replace(state, stock=()), play("2D")) == []
    assert told(state, play("JD")) == [(1, "are skipped")]
    assert told(state, play("KD")) == [(None, "play now goes to the right")]
    back = replace(state, step=-1)
    assert told(back, play("KD")) == [(None, "play now goes to the left")]
    assert told(back, play("JD")) == [(3, "are skipped")]
    assert told(playing(held, stock="6D 7D"), play("JD")) == []


def test_the_end_of_the_stock_and_of_a_hand_is_told() -> None:
    state = playing(("3D", "4C KC", "8S"), stock="6C")
    assert told(state, Draw()) == [(None, "the stock is empty now")]
    assert GAME.layout(act(GAME, state, Draw())).notes == ("the stock is empty",)
    assert told(state, play("3D")) == [(0, "go out"), (1, "have 4C KC left, worth 14"), (2, "have 8S left, worth 50")]
    blocks = playing(("4C", "5C"))
    assert told(blocks, Pass(), Pass()) == [
        (None, "nobody can play or draw, so the hand is blocked"),
        (0, "have 4C left, worth 4"),
        (1, "have 5C left, worth 5"),
    ]


def test_a_player_sees_what_their_hand_is_worth_to_another() -> None:
    state = playing(("8D KC", "4C"))
    assert GAME.own(state, 0) == ("60 points in hand",)
    assert GAME.own(act(GAME, playing(("3D", "KC")), play("3D")), 1) == ()


# --- events that cannot be ------------------------------------------------------------------------------------------


def test_a_suit_slipped_into_an_event_is_refused() -> None:
    state = playing(("3D 8C", "4C", "5C"))
    view = redact(state, PUBLIC)
    slipped = add_outcome(GAME.decide(view, 0, play("3D")), Outcome(values=((2, 1),)), 3)
    with pytest.raises(ValueError, match="only an eight names a suit"):
        GAME.play(view, slipped)
    with pytest.raises(ValueError, match="only an eight names a suit"):
        GAME.play(view, Played(0, face_up("8C")[0], None))


def test_a_card_that_is_not_there_is_refused() -> None:
    state = replace(playing(("3D", "4C")), stock=face_up("8C"))
    with pytest.raises(ValueError, match="the top card of the stock is 8C"):
        GAME.play(state, Drawn(0, Slot(card("8H"), PUBLIC)))
    with pytest.raises(ValueError):
        GAME.play(replace(state, stock=()), Drawn(0, Slot(BACK)))
    with pytest.raises(ValueError):
        GAME.play(redact(state, eyes_of_viewer(0)), Played(0, face_up("4D")[0], None))


def test_every_card_is_always_somewhere() -> None:
    state = dealt(TELECARDS, ("2C 3C 4C 5C 6C 7C 9C", "2D 3D 4D 5D 6D 7D 9D"), then="8H 8S TS")
    assert state.eyes == TRUTH
    assert sorted(slot.card for slot in slots_of(state)) == list(PACK)
