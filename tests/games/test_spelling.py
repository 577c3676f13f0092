"""Every legal action of every game is written and read back; what people type instead is understood or explained."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import BACK, Card, Suit, parse_card, parse_cards
from p2pcards.cards.eyes import Slot, eye_of_seat, eyes_of_viewer, make_bag, redact
from p2pcards.cards.pack import pack_of, shuffle
from p2pcards.games import tricks
from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.game import AnyGame, IllegalAction, Stage
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.passing import Pass
from p2pcards.games.registry import GAMES
from p2pcards.games.spades import rules as spades
from p2pcards.games.spelling import (
    cards_in_text,
    is_card_word,
    read_action,
    shorten_for_prompt,
    spell_action,
    third_person,
)

# Long random runs are several times as slow when measured, and the rooms are covered without them.
pytestmark = pytest.mark.no_cover


def positions(game: AnyGame, preset: str, seed: int, moves: int) -> Iterator[tuple[Any, int]]:
    """States of a random game in which a seat acts, with the seat."""
    rng = Random(seed)
    options = game.presets[preset]
    state = game.start(options, 0)
    pack = game.pack(options)
    while moves and state.stage != Stage.OVER:
        if state.stage == Stage.DEAL:
            event = game.deal(state, shuffle(pack, rng.randbytes(16), "pack"), shuffle(pack, rng.randbytes(16), "draw"))
        elif state.stage == Stage.SHOW:
            event = game.show(state)
        else:
            seat = rng.choice(state.to_act)
            yield state, seat
            moves -= 1
            event = game.decide(state, seat, rng.choice(game.legal(state, seat)))
        state = game.play(state, event)


@pytest.mark.parametrize("moves", [60, pytest.param(250, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("key", "preset"), [(key, preset) for key, game in GAMES.items() for preset in game.presets])
def test_every_legal_action_is_read_back_as_it_was_spelled(key: str, preset: str, moves: int) -> None:
    game = GAMES[key]
    rng = Random(1)
    seen = 0
    for state, seat in positions(game, preset, seed=2, moves=moves):
        view = redact(state, eyes_of_viewer(seat))
        legal = game.legal(view, seat)
        for action in rng.sample(legal, min(len(legal), 8)):
            words = spell_action(action).split()
            assert read_action(game, view, seat, words) == action
            rng.shuffle(words)
            assert read_action(game, view, seat, [rng.choice((word.lower(), word)) for word in words]) == action
            seen += 1
    assert seen > moves


def test_different_legal_actions_are_spelled_differently() -> None:
    for game in GAMES.values():
        for state, seat in positions(game, next(iter(game.presets)), seed=3, moves=60):
            legal = game.legal(state, seat)
            assert len({spell_action(action) for action in legal}) == len(legal)


def eights(hand: str = "8D 4C QS 9H", top: str = "KH", **changes: Any) -> Any:
    """A crazy eights state in which seat 0 is to play."""
    state = crazy_eights.GAME.start(crazy_eights.PRESETS["telecards"], 1)
    held = make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)])
    discards = (Slot(parse_card(top), 2),)
    stock = (Slot(parse_card("2C")), Slot(parse_card("3C")))
    suit = discards[0].card.suit
    state = replace(state, stage=Stage.PLAY, to_act=(0,), hand=1, hands=(held, state.hands[1]), discards=discards)
    return replace(state, stock=stock, suit=suit, **changes)


def read_eights(words: str, **changes: Any) -> Any:
    return read_action(crazy_eights.GAME, eights(**changes), 0, words.split())


@pytest.mark.parametrize("words", ["8d h", "8D H", "8d suit h", "8d hearts", "suit h", "play 8d h", "h 8d", "8♦ ♥",
                                   "eight of diamonds hearts", "8d, heart.", "8 of diamonds suit hearts"])  # fmt: skip
def test_an_eight_and_its_suit_are_understood(words: str) -> None:
    assert read_eights(words) == crazy_eights.Play(parse_card("8D"), Suit.HEARTS)


@pytest.mark.parametrize("words", ["8d", "play 8D", "8d suit"])
def test_an_eight_without_a_suit_says_what_to_add(words: str) -> None:
    with pytest.raises(IllegalAction, match=r"say which one: 8D c, 8D d, 8D h or 8D s$"):
        read_eights(words)


def test_a_suit_alone_with_two_eights_asks_which() -> None:
    with pytest.raises(IllegalAction, match="say which one: 8D h or 8S h"):
        read_eights("suit h", hand="8D 8S 4C")


@pytest.mark.parametrize("words", ["9h,", "9H;", "play 9h,", "9h ."])
def test_a_card_with_the_comma_of_the_prompt_is_understood(words: str) -> None:
    assert read_eights(words) == crazy_eights.Play(parse_card("9H"), None)


def test_the_last_eight_needs_no_suit() -> None:
    assert read_eights("8d", hand="8D") == crazy_eights.Play(parse_card("8D"), None)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("qs", "play a heart, a K or an eight"),
        ("9h c", "only an eight names a suit"),
        ("play ac", "you don't have AC"),
        ("pass", "you can play a card"),
        ("fold", "'fold' isn't a move here; you can type: 8D SUIT, 9H, draw"),
        ("9h 4c", "'9H 4C' isn't a move here; you can type"),
        ("", "isn't a move here; you can type"),
    ],
)
def test_what_does_not_go_is_explained(words: str, reason: str) -> None:
    with pytest.raises(IllegalAction) as refusal:
        read_eights(words)
    assert reason in str(refusal.value)


def passing() -> Any:
    state = hearts.GAME.start(hearts.PRESETS["real-deal"], 0)
    return hearts.play(state, hearts.deal(state, hearts.PACK, hearts.PACK))


def test_a_pass_may_be_typed_in_any_order_and_without_its_verb() -> None:
    state = passing()
    three = state.hands[2].cards[4:7]
    for verb in ("pass ", "", "PASS "):
        typed = verb + " ".join(str(card).lower() for card in reversed(three))
        assert read_action(hearts.GAME, state, 2, typed.split()) == Pass(three)


def test_an_incomplete_pass_shows_how_it_is_done() -> None:
    state = passing()
    card = state.hands[2].cards[0]
    for words in ("pass", f"pass {card}", str(card)):
        with pytest.raises(IllegalAction, match="say which one: pass "):
            read_action(hearts.GAME, state, 2, words.split())


def test_the_rule_speaks_where_an_action_is_well_formed_but_illegal() -> None:
    state = passing()
    foreign = state.hands[1].cards[0]
    two = " ".join(map(str, state.hands[2].cards[:2]))
    for words, reason in (
        (f"play {state.hands[2].cards[0]}", "pass three cards first"),
        (f"pass {two} {foreign}", f"you don't have {foreign}"),
        (f"pass {two} {two}", "pass three cards"),
    ):
        with pytest.raises(IllegalAction, match=reason):
            read_action(hearts.GAME, state, 2, words.split())
    moved = hearts.play(state, hearts.decide(state, 2, hearts.legal(state, 2)[0]))
    for words in ("qs", "pass qs ks as", "nonsense"):
        with pytest.raises(IllegalAction, match="it's not your turn"):
            read_action(hearts.GAME, moved, 2, words.split())


@given(
    st.lists(
        st.one_of(
            st.text(max_size=8), st.sampled_from(["8d", "4c", "qs", "9h", "draw", "pass", "play", "h", "suit", "3"])
        )
    )
)
def test_whatever_is_typed_gives_a_legal_action_or_a_sentence(words: list[str]) -> None:
    state = eights()
    try:
        action = read_action(crazy_eights.GAME, state, 0, words)
    except IllegalAction as refusal:
        assert str(refusal)
    else:
        assert action in crazy_eights.legal(state, 0)


# --- spellings that no game of today has ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bid:
    tricks: int
    nil: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    card: Card


@dataclass(frozen=True, slots=True)
class Carry:
    suit: Suit


def bidding(held: tuple[Card, ...], legal: tuple[Any, ...]) -> tuple[AnyGame, Any]:
    """A game of two actions over a hand, in which exactly these are legal."""

    def verify(state: Any, seat: int, action: Any) -> None:
        if action not in legal:
            raise IllegalAction("right now")

    state = replace(eights(), hands=(make_bag(0, [Slot(card, eye_of_seat(0)) for card in held]),))
    game: AnyGame = replace(crazy_eights.GAME, pack=lambda _options: pack_of(copies=3), numbers_copies=True)
    unsaid = lambda _state, _seat, _action: ""  # noqa: E731
    return replace(game, actions=(Bid, Play, Carry), legal=lambda state, seat: legal, verify=verify, says=unsaid), state


def test_numbers_flags_and_suits_have_spellings() -> None:
    assert spell_action(Bid(4)) == "bid 4"
    assert spell_action(Bid(0, nil=True)) == "bid 0 nil"
    assert spell_action(Carry(Suit.SPADES)) == "carry s"
    game, state = bidding((), (Bid(4), Bid(0, True), Carry(Suit.SPADES)))
    assert read_action(game, state, 0, ["4"]) == Bid(4)
    assert read_action(game, state, 0, ["nil", "bid"]) == Bid(0, True)
    assert read_action(game, state, 0, ["carry", "spades"]) == Carry(Suit.SPADES)
    with pytest.raises(IllegalAction, match="right now"):
        read_action(game, state, 0, ["bid", "5"])


def test_open_copies_have_a_spelling_of_their_own() -> None:
    queen, laid = parse_cards("QS QS'")
    game, state = bidding((queen, laid), (Play(queen), Play(laid)))
    assert [spell_action(action) for action in game.legal(state, 0)] == ["QS", "QS'"]
    assert read_action(game, state, 0, ["qs"]) == Play(queen)
    assert read_action(game, state, 0, ["qs'"]) == Play(laid)


@dataclass(frozen=True, slots=True)
class Meld:
    cards: tuple[Card, ...]


def test_a_card_without_a_mark_is_an_open_copy_where_nothing_else_is_legal() -> None:
    queen, one, other = parse_cards("QS QS' QS''")
    game, state = bidding((queen,), (Play(one), Play(parse_cards("KS")[0])))
    assert read_action(game, state, 0, ["qs"]) == read_action(game, state, 0, ["queen", "of", "spades"]) == Play(one)
    with pytest.raises(IllegalAction, match="right now"):
        read_action(game, state, 0, ["qs''"])
    with pytest.raises(IllegalAction, match="right now"):
        read_action(game, state, 0, ["ks'"])
    game, state = bidding((queen,), (Play(one), Play(other)))
    with pytest.raises(IllegalAction, match="say which one: QS' or QS''"):
        read_action(game, state, 0, ["qs"])


def test_marks_tell_melds_apart() -> None:
    new, mixed, four = Meld(parse_cards("QS KS")), Meld(parse_cards("QS KS'")), Meld(parse_cards("KC KD KH KS'"))
    game, state = bidding((), (new, mixed, four))
    game = replace(game, actions=(*game.actions, Meld))
    assert [read_action(game, state, 0, words.split()) for words in ("meld ks qs", "meld ks' qs", "kc kd kh ks")] == [
        new, mixed, four,
    ]  # fmt: skip
    game = replace(game, legal=lambda state, seat: (mixed, Meld(parse_cards("KS QS'"))))
    with pytest.raises(IllegalAction, match="say which one: meld QS KS' or meld KS QS'"):
        read_action(game, state, 0, ["meld", "ks", "qs"])
    long = Meld(parse_cards("KC KD KH KS QS"))
    game = replace(game, legal=lambda state, seat: (mixed, long))
    assert read_action(game, state, 0, ["meld", "ks", "qs"]) == mixed, "not the longer one that is named exactly"


def test_verbs_are_told_in_the_third_person() -> None:
    assert [third_person(verb) for verb in ("pass", "play", "draw", "go", "carry", "have", "are")] == [
        "passes", "plays", "draws", "goes", "carries", "has", "is",
    ]  # fmt: skip


def test_a_concealed_action_is_spelled_with_backs() -> None:
    assert spell_action(Pass((BACK,) * 3)) == "pass -- -- --"


def test_legal_actions_in_short() -> None:
    assert shorten_for_prompt([spell_action(action) for action in crazy_eights.legal(eights(), 0)]) == [
        "8D SUIT",
        "9H",
        "draw",
    ]
    state = passing()
    short = shorten_for_prompt([spell_action(action) for action in hearts.legal(state, 0)])
    assert len(short) == 1
    assert short[0].startswith("pass 3 cards, e.g. pass ")
    one = [f"discard {card}" for card in ("2C", "3C", "4C", "5C", "6C")]
    assert shorten_for_prompt(["draw", *one]) == ["draw", "discard a card, e.g. discard 6C"]
    assert shorten_for_prompt(one[:4]) == one[:4]
    melds = ["meld 2C 3C 4C", "meld 2C 3C 4C 5C", "meld 3C 4C 5C", "meld 9C 9D 9H", "meld 9C 9D 9S"]
    assert shorten_for_prompt(melds) == ["meld cards, e.g. meld 9C 9D 9S"]
    assert shorten_for_prompt([]) == []


def test_a_bid_is_typed_and_listed_as_a_number_and_nil_is_none() -> None:
    def bidding_with(low: int, nil: str) -> Any:
        options = spades.Options(min_bid=low, nil=nil)
        return spades.State(options, stage=Stage.PLAY, to_act=(0,), hand=1, dealer=3)

    def short(low: int, nil: str) -> list[str]:
        return shorten_for_prompt([spell_action(action) for action in spades.legal(bidding_with(low, nil), 0)])

    assert (short(0, "plain"), short(2, "none")) == (["bid 0 to 13"], ["bid 2 to 13"])
    assert short(2, "plain") == ["bid 0", "bid 2 to 13"]
    assert shorten_for_prompt([f"bid {10 * bid}" for bid in range(25, 101)]) == ["bid a number from 250 to 1000"]
    for words in ("nil", "bid nil", "0", "bid 0"):
        assert read_action(spades.GAME, bidding_with(2, "plain"), 0, words.split()) == tricks.Bid(0)
    with pytest.raises(IllegalAction, match="bid 2 to 13"):
        read_action(spades.GAME, bidding_with(2, "none"), 0, ["nil"])


def test_words_that_are_cards() -> None:
    assert [word for word in ["QS", "10h", "q♠", "--", "qx", "h", "10", "say"] if is_card_word(word)] == [
        "QS", "10h", "q♠", "--",
    ]  # fmt: skip


def test_the_cards_that_a_sentence_names() -> None:
    assert cards_in_text("lay off 7S' (after TD), 5H-6H: 2, and QC''; as you") == list(parse_cards("7S' TD 5H 6H QC''"))
    assert not cards_in_text("take TWO of 10, -- and QSK")


@pytest.mark.parametrize("key", GAMES)
def test_a_card_typed_with_a_mark_is_refused_or_lies_open(key: str) -> None:
    """The number of an open copy reaches no rule or kernel of a game that has none."""
    game = GAMES[key]
    for state, seat in positions(game, next(iter(game.presets)), seed=3, moves=12):
        view = redact(state, eyes_of_viewer(seat))
        for face in game.pack(state.options)[:: 1 + state.hand]:
            for mark in ("'", "'''"):
                with suppress(IllegalAction):
                    assert read_action(game, view, seat, [f"{face}{mark}"]) in game.legal(view, seat)
