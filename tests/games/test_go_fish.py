"""The rules of go fish, one by one."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from p2pcards.cards.card import RANKS, Card, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, TRUTH, Slot, eye_of_seat, eyes_of_viewer, redact
from p2pcards.games.game import Stage
from p2pcards.games.outcome import NO_OUTCOME, Outcome, private_faces, public_outcome
from rigs.go_fish import (
    BOOKS,
    GAME,
    PACK,
    PRESETS,
    Ask,
    Asked,
    Draw,
    Drawn,
    Lay,
    Options,
    Shown,
    State,
)
from rigs.laws import event_of, random_move
from rigs.tables import act, face_down, face_up, hands, refusal

STANDARD = PRESETS["standard"]


def ask(player: int, rank: str) -> Ask:
    return Ask(player, book(rank))


def book(rank: str) -> tuple[Card, ...]:
    return BOOKS[RANKS.index(rank)]


def playing(*held: str, stock: str = "", options: Options = STANDARD, **changes: object) -> State:
    """Seat 0 is to act; the hands by seat."""
    options = replace(options, players=len(held))
    state = GAME.start(options, len(held) - 1)
    begun = replace(state, stage=Stage.PLAY, to_act=(0,), hand=1, hands=hands(*held), stock=face_down(stock))
    return replace(begun, **changes)  # type: ignore[arg-type]


def held(state: State, seat: int) -> str:
    return " ".join(map(str, sorted(state.hands[seat].cards, key=lambda card: (card.rank, card.suit))))


# --- the deal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "each"), [(2, 7), (3, 7), (4, 5)])
def test_seven_cards_each_for_two_or_three_players_and_five_for_four(players: int, each: int) -> None:
    start = GAME.start(Options(players=players), 1)
    state = GAME.play(start, GAME.deal(start, PACK, ()))
    assert [len(hand) for hand in state.hands] == [each] * players
    assert len(state.stock) == 52 - players * each
    assert state.to_act == (2 % players,)


# --- asking -----------------------------------------------------------------------------------------------------------


def test_an_ask_is_for_a_rank_of_which_you_hold_a_card() -> None:
    state = playing("QS QH 7D", "2C", "3C", stock="9C")
    assert GAME.legal(state, 0) == (ask(2, "7"), ask(2, "Q"), ask(3, "7"), ask(3, "Q"))
    assert refusal(GAME, state, 0, ask(2, "2")) == "ask for a rank of which you hold a card"
    assert refusal(GAME, state, 0, Ask(2, parse_cards("QC QD QH"))).startswith("a book is the four cards of a rank")
    assert refusal(GAME, state, 1, ask(1, "2")) == "it is not your turn"


@pytest.mark.parametrize("player", [0, 1, 3, 4])
def test_an_ask_goes_to_another_player_who_has_a_card(player: int) -> None:
    state = playing("QS", "2C", "", stock="9C")
    assert refusal(GAME, state, 0, ask(player, "Q")) == "ask another player, who has a card"


def test_they_hand_over_every_card_of_the_rank_and_you_go_on() -> None:
    state = act(GAME, playing("QS 7D", "QC QD 8H", "QH", stock="9C"), ask(2, "Q"))
    assert (held(state, 0), held(state, 1), held(state, 2)) == ("7D QC QD QS", "8H", "QH")
    assert (state.to_act, state.rank) == ((0,), None)


def test_what_is_handed_over_is_seen_by_all_and_nothing_else_is() -> None:
    state = playing("QS 7D", "QC QD 8H", stock="9C")
    event = GAME.decide(state, 0, ask(2, "Q"))
    assert event == Asked(0, 1, 12, (*face_up("QC QD"), HIDDEN))
    as_watched = GAME.decide(redact(state, PUBLIC), 0, ask(2, "Q"))
    assert as_watched == Asked(0, 1, 12, (HIDDEN,) * 3)
    assert public_outcome(event, as_watched) == Outcome(tuple(enumerate(parse_cards("QC QD"))))
    watched = redact(GAME.play(state, event), PUBLIC)
    assert [held(watched, seat) for seat in (0, 1)] == ["QC QD", ""]


def test_an_ask_in_vain_tells_no_more_than_that() -> None:
    state = playing("QS 7D", "2C 8H", stock="9C")
    event, as_watched = [GAME.decide(redact(state, eyes), 0, ask(2, "Q")) for eyes in (TRUTH, PUBLIC)]
    assert event == as_watched
    assert public_outcome(event, as_watched) == NO_OUTCOME


def test_a_seat_is_known_to_hold_what_it_asked_for_until_it_goes() -> None:
    state = act(GAME, playing("QS 7D", "QC 8H", "QH", stock="9C 2C"), ask(2, "Q"), ask(2, "7"), Draw())
    assert (state.known, state.to_act) == (((0, 7), (0, 12)), (1,))
    assert GAME.layout(state).seats == ("has 7 Q", "", "")
    state = act(GAME, replace(state, to_act=(2,)), ask(1, "Q"))
    assert state.known == ((0, 7), (2, 12))


# --- going fishing ----------------------------------------------------------------------------------------------------


def fishing(stock: str, options: Options = STANDARD) -> State:
    return act(GAME, playing("QS 7D", "2C 8H", stock=stock, options=options), ask(2, "Q"))


def test_who_asked_in_vain_draws_and_does_nothing_else() -> None:
    state = fishing("9C")
    assert GAME.legal(state, 0) == (Draw(),)
    assert GAME.layout(state).notes == ("fishing for Q",)
    assert refusal(GAME, state, 0, ask(2, "7")) == "draw a card first"


def test_nobody_draws_who_has_somebody_to_ask() -> None:
    assert refusal(GAME, playing("QS", "2C", stock="9C"), 0, Draw()).startswith("you draw when you asked in vain")


def test_a_card_drawn_is_seen_by_its_drawer_alone() -> None:
    state = fishing("9C")
    event = GAME.decide(state, 0, Draw())
    assert event == Drawn(0, Slot(parse_cards("9C")[0], eye_of_seat(0)))
    for eyes, faces in ((eyes_of_viewer(0), parse_cards("9C")), (eyes_of_viewer(1), ()), (PUBLIC, ())):
        assert private_faces(event, GAME.decide(redact(state, eyes), 0, Draw()), eyes) == faces
    after = act(GAME, state, Draw())
    assert [held(redact(after, eyes_of_viewer(seat)), 0) for seat in (0, 1)] == ["7D 9C QS", ""]


def test_a_card_of_the_rank_asked_for_is_shown_and_the_turn_goes_on() -> None:
    drawn = GAME.play(fishing("QC 9C"), Drawn(0, Slot(parse_cards("QC")[0], eye_of_seat(0))))
    assert drawn.stage == Stage.SHOW
    assert [GAME.show(redact(drawn, eyes_of_viewer(seat))) for seat in (0, 1)] == [Shown(*face_up("QC")), Shown(HIDDEN)]
    state = GAME.play(drawn, GAME.show(drawn))
    assert (held(redact(state, PUBLIC), 0), state.to_act) == ("QC", (0,))


def test_another_card_is_not_shown_and_the_turn_passes_to_the_left() -> None:
    drawn = GAME.play(fishing("9C"), Drawn(0, Slot(parse_cards("9C")[0], eye_of_seat(0))))
    assert GAME.show(drawn) == Shown(HIDDEN)
    assert act(GAME, fishing("9C"), Draw()).to_act == (1,)


def test_without_catch_again_the_turn_passes_after_a_catch_too() -> None:
    state = act(GAME, fishing("QC", replace(STANDARD, catch_again=False)), Draw())
    assert (held(redact(state, PUBLIC), 0), state.to_act) == ("QC", (1,))


def test_an_ask_in_vain_passes_the_turn_where_the_stock_is_empty() -> None:
    state = fishing("")
    assert (state.to_act, state.rank) == ((1,), None)


# --- books ------------------------------------------------------------------------------------------------------------


def test_a_book_is_laid_down_before_anything_else() -> None:
    state = playing("QC QD QH QS 7D", "2C", stock="9C")
    assert GAME.legal(state, 0) == (Lay(book("Q")),)
    for action in (ask(2, "7"), Draw()):
        assert refusal(GAME, state, 0, action) == "you hold a book: lay it down first"
    assert refusal(GAME, state, 0, Lay(book("7"))) == "you don't have 7C"
    assert refusal(GAME, state, 0, Lay(parse_cards("QC QD QH 7D"))).startswith("a book is the four cards of a rank")


def test_a_book_lies_face_up_and_the_turn_goes_on() -> None:
    state = act(GAME, playing("QC QD QH QS 7D", "2C", stock="9C", known=((0, 12),)), Lay(book("Q")))
    assert redact(state, PUBLIC).books == (face_up("QC QD QH QS"), ())
    assert (held(state, 0), state.to_act, state.known) == ("7D", (0,), ())
    assert [(pile.name, pile.seat) for pile in GAME.layout(state).piles] == [("stock", None), ("books", 0)]


# --- empty hands ------------------------------------------------------------------------------------------------------


def test_an_empty_hand_draws_a_card_and_goes_on() -> None:
    state = playing("", "2C 8H", stock="9C TC")
    assert GAME.legal(state, 0) == (Draw(),)
    after = act(GAME, state, Draw())
    assert (held(after, 0), held(redact(after, PUBLIC), 0), after.to_act) == ("9C", "", (0,))


def test_where_nobody_else_has_a_card_you_draw_one_and_the_turn_passes() -> None:
    state = playing("7D", "", stock="9C TC")
    assert GAME.legal(state, 0) == (Draw(),)
    after = act(GAME, state, Draw())
    assert (held(after, 0), after.to_act) == ("7D 9C", (1,))


def test_an_empty_hand_is_passed_over_where_the_stock_is_empty() -> None:
    assert act(GAME, playing("QS 7D", "", "2C", "3C"), ask(3, "Q")).to_act == (2,)


# --- the score --------------------------------------------------------------------------------------------------------


def last_book(options: Options, scores: tuple[int, ...] = (0, 0)) -> State:
    laid = (face_up("2C 2D 2H 2S"), face_up("3C 3D 3H 3S 4C 4D 4H 4S"))
    return act(GAME, playing("QC QD QH QS", "", options=options, books=laid, scores=scores), Lay(book("Q")))


def test_the_hand_is_over_when_nobody_has_a_card_and_each_book_counts_one() -> None:
    state = last_book(STANDARD)
    assert (state.stage, state.scores, state.dealer) == (Stage.DEAL, (2, 2), 0)
    assert state.sheet and state.sheet.items == ((("books", 2),), (("books", 2),))


def test_the_highest_score_at_or_above_the_winning_score_wins() -> None:
    assert last_book(replace(STANDARD, winning_score=10), (8, 7)).winners == (0,)
    assert last_book(replace(STANDARD, winning_score=10), (8, 8)).winners == ()
    assert last_book(replace(STANDARD, winning_score=11), (8, 7)).winners == ()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_thirteen_books_are_laid_down_in_a_hand(players: int) -> None:
    rng, state = Random(players), GAME.start(Options(players=players), 0)
    while state.hand < 1 or state.stage in (Stage.PLAY, Stage.SHOW):
        state = GAME.play(state, event_of(GAME, state, random_move(GAME, state, rng)))
    assert sum(state.scores) == 13
    assert sorted(slot.card for slots in state.books for slot in slots) == list(PACK)


# --- what cannot be ---------------------------------------------------------------------------------------------------


def test_a_card_of_another_rank_is_not_handed_over_and_none_is_kept() -> None:
    state = redact(playing("QS 7D", "QC 8H", stock="9C"), eyes_of_viewer(1))
    for given in ((*face_up("8H"), HIDDEN), (HIDDEN, HIDDEN)):
        with pytest.raises(ValueError, match=r"reveals something|keeps a card"):
            GAME.play(state, Asked(0, 1, 12, given))


def test_a_card_is_not_shown_that_was_not_drawn() -> None:
    drawn = redact(GAME.play(fishing("9C"), Drawn(0, Slot(parse_cards("9C")[0], eye_of_seat(0)))), eyes_of_viewer(0))
    with pytest.raises(ValueError):
        GAME.play(drawn, Shown(*face_up("QC")))
    watched = redact(drawn, PUBLIC)
    with pytest.raises(ValueError, match="must stay hidden"):
        GAME.play(watched, Shown(*face_up("8C")))
