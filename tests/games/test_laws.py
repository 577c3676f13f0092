"""The laws of hidden cards over every registered game, preset and option; and that they catch who breaks them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Card, Suit
from p2pcards.cards.eyes import DEALER, turned_face_up
from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.game import Action, AnyGame, Event, IllegalAction, Layout, Pile, Seat, Stage
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.options import declared_options
from p2pcards.games.pinochle2 import rules as pinochle2
from p2pcards.games.playing import Play
from p2pcards.games.registry import GAMES
from p2pcards.games.showing import Shown
from rigs.laws import Run, law_run, option_sets, put_laws, values_of

pytestmark = pytest.mark.no_cover  # five times as slow under measurement; the tests of each game cover it

PRESETS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]
MOVES = [120, pytest.param(10_000, marks=pytest.mark.slow)]


def few_moves(key: str, preset: str) -> int:
    """Of a preset in the plain run: the others of a game differ from its first in some options, which are all met."""
    return 120 if preset == next(iter(GAMES[key].presets)) else 60


FEWER_MOVES = [40, pytest.param(10_000, marks=pytest.mark.slow)]
"""For the many sets of options."""


@cache
def sets_of(key: str, meeting: int) -> list[Any]:
    return option_sets(GAMES[key].options, Random(5), meeting)


def run_of(key: str, options: Any, moves: int) -> Run:
    """Where a law is broken, it is said under which options."""
    try:
        run = law_run(key, options, moves)
    except AssertionError as broken:
        broken.add_note(f"{options}")
        raise
    assert run.checks["moves"] == moves, options
    return run


@pytest.mark.parametrize(
    ("key", "preset", "moves"),
    [
        pytest.param(*one, moves, marks=[pytest.mark.slow] if moves == 10_000 else [])
        for one in PRESETS
        for moves in (few_moves(*one), 10_000)
    ],
)
def test_laws_hold_for_every_preset(key: str, preset: str, moves: int) -> None:
    checks = run_of(key, GAMES[key].presets[preset], moves).checks
    for law in ("law 0", "law 1", "law 2", "law 3", "law 4", "law 5, legal", "law 5, not legal", "law 6"):
        assert checks[law] >= moves, f"{law} was put {checks[law]} times only"


@pytest.mark.parametrize("moves", FEWER_MOVES)
@pytest.mark.parametrize("key", GAMES)
def test_laws_hold_for_every_option(key: str, moves: int) -> None:
    for options in sets_of(key, 1):
        run_of(key, options, moves)


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_laws_hold_for_every_pair_of_options(key: str) -> None:
    for options in sets_of(key, 2):
        run_of(key, options, 1_000)


def nobody_picks(game: AnyGame) -> AnyGame:
    return replace(game, start=lambda options, first_dealer: game.unpicked(game.start(options, first_dealer)))


def is_picked(game: AnyGame, options: Any) -> bool:
    state = game.start(options, None)
    return bool(game.unpicked(state) != state)


@pytest.mark.parametrize("moves", FEWER_MOVES)
@pytest.mark.parametrize(
    ("game", "options"),
    [(cribbage.GAME, cribbage.PRESETS["telecards"]), (pinochle2.GAME, pinochle2.Options(deal_cut=True))],
)
def test_laws_hold_where_nobody_picks(game: AnyGame, options: Any, moves: int) -> None:
    assert put_laws(nobody_picks(game), options, moves).checks["moves"] == moves


@pytest.mark.parametrize("key", GAMES)
def test_the_laws_reach_everything_a_game_has(key: str) -> None:
    game, sets = GAMES[key], sets_of(key, 1)
    presets = list(game.presets.values())
    runs = [law_run(key, game.presets[preset], few_moves(key, preset)) for preset in game.presets] + [
        law_run(key, options, 40) for options in sets
    ]
    runs += [put_laws(nobody_picks(game), options, 20) for options in sets if is_picked(game, options)]
    runs += [put_laws(game, presets[0], 40, at_end=True)]
    for kind in unreached(game, runs) & set(game.actions):  # rarely legal: taken whenever it is
        runs += [put_laws(game, options, 40, favourite=kind) for options in (*sets, *presets)]
    assert not unreached(game, runs)
    for option in declared_options(game.options):
        reached = {getattr(options, option.key) for options in sets}
        assert reached == set(values_of(option)), option.key


def unreached(game: AnyGame, runs: list[Run]) -> set[Any]:
    """The stages, actions and events of a game to which no run has come, and the actions that none has refused."""
    actions, events = set(game.actions), set(game.events)
    lacking: set[Any] = (
        {Stage.DEAL, Stage.PLAY, Stage.OVER} | {("refused", kind) for kind in actions} | actions | events
    )
    for run in runs:
        assert run.actions | run.refused <= actions and run.events <= events
        lacking -= run.stages | run.actions | run.events | {("refused", kind) for kind in run.refused}
    return lacking


def eights_first(state: crazy_eights.State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> Event:
    """The deal of a pack in which the stock begins with eights: they lie face up in it, and in hands that draw them."""
    eights = [card for card in pack if card.rank == 8]
    others = [card for card in pack if card.rank != 8]
    return crazy_eights.deal(state, (*others[:14], *eights, *others[14:]), draw)


@pytest.mark.parametrize("moves", MOVES)
def test_laws_hold_where_eights_lie_face_up_in_the_stock(moves: int) -> None:
    game = replace(crazy_eights.GAME, deal=eights_first)
    assert put_laws(game, game.presets["telecards"], moves).checks["moves"] == moves


# --- the laws can fail ----------------------------------------------------------------------------------------------


def broken(game: AnyGame, preset: str, law: str, chance: int = 1, **functions: Any) -> None:
    """Put the laws to a game with some functions exchanged, which must break this law. chance: with which it does so
    soon."""
    with pytest.raises(AssertionError, match=law):
        put_laws(replace(game, **functions), game.presets[preset], 5_000, chance=chance)


def test_law_0_catches_what_nobody_is_told() -> None:
    def decide(state: crazy_eights.State, seat: Seat, action: Action) -> Event:
        event = crazy_eights.decide(state, seat, action)
        if isinstance(event, crazy_eights.Played) and event.suit is not None and state.eyes & DEALER:
            return replace(event, suit=Suit.CLUBS)
        return event

    broken(crazy_eights.GAME, "real-deal", "law 0", decide=decide)


def test_law_0_catches_a_hand_shown_in_an_order_that_a_view_does_not_know() -> None:
    def show(state: crazy_eights.State) -> Event:
        return Shown(tuple([tuple([turned_face_up(slot) for slot in held.slots]) for held in state.hands]))

    broken(crazy_eights.GAME, "telecards", "law 0", chance=3, deal=eights_first, show=show)


def test_law_1_catches_a_state_that_depends_on_hidden_cards() -> None:
    def play(state: crazy_eights.State, event: Any) -> crazy_eights.State:
        after = crazy_eights.play(state, event)
        return replace(after, owed=1) if after.stock and after.stock[0].card.rank == 8 else after

    broken(crazy_eights.GAME, "real-deal", "law 1", play=play)


def test_law_2_catches_a_rule_that_peeks() -> None:
    def legal(state: crazy_eights.State, seat: Seat) -> tuple[Action, ...]:
        actions = crazy_eights.legal(state, seat)
        peeks = bool(actions) and bool(state.stock) and state.stock[0].card.rank == 8
        return actions[:1] if peeks else actions

    broken(crazy_eights.GAME, "real-deal", "law 2", legal=legal)


def test_law_3_catches_a_card_that_is_in_two_places() -> None:
    def play(state: euchre.State, event: Any) -> euchre.State:
        after = euchre.play(state, event)
        return replace(after, stock=(*after.hands[0].slots[:1], *after.stock)) if after.hand else after

    broken(euchre.GAME, "real-deal", "law 3", play=play)


def test_law_4_catches_an_event_that_tells_who_holds_a_card() -> None:
    def deal(state: hearts.State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> Event:
        event = hearts.deal(state, pack, draw)
        if isinstance(event, hearts.Dealt) and state.eyes & DEALER:
            return replace(event, leader=pack.index(hearts.QUEEN) % 4)
        return event

    broken(hearts.GAME, "real-deal", "law 4", deal=deal)


def test_law_5_catches_a_rule_that_is_not_verified() -> None:
    def verify(state: hearts.State, seat: Seat, action: Action) -> None:
        if not isinstance(action, Play):
            hearts.verify(state, seat, action)

    broken(hearts.GAME, "real-deal", "law 5", verify=verify)


def test_law_5_catches_a_view_that_refuses_what_could_be() -> None:
    def verify(state: hearts.State, seat: Seat, action: Action) -> None:
        hearts.verify(state, seat, action)
        if isinstance(action, Play) and not state.eyes & DEALER and action.card not in state.hands[seat].cards:
            raise IllegalAction("nobody saw that you hold it")

    broken(hearts.GAME, "real-deal", "law 5|nobody saw", verify=verify)


def test_law_6_catches_a_fact_about_hidden_cards() -> None:
    def layout(state: hearts.State) -> Layout:
        queens = [seat for seat, held in enumerate(state.hands) if hearts.QUEEN in held.cards]
        return Layout(notes=tuple([f"seat {seat} has the queen" for seat in queens]))

    broken(hearts.GAME, "real-deal", "law 6 for", layout=layout)


def test_law_6_catches_words_that_tell_of_cards_which_the_speaker_does_not_see() -> None:
    def says(state: hearts.State, seat: Seat, _action: Action) -> str:
        return f"play, and the next holds {state.hands[(seat + 1) % 4].cards[:1]}"

    broken(hearts.GAME, "real-deal", "law 6", says=says)


def test_law_6_catches_a_pile_of_nobody_and_a_card_that_lies_twice() -> None:
    def elsewhere(state: hearts.State) -> Layout:
        return Layout(piles=(Pile("taken", (), seat=4),))

    def twice(state: crazy_eights.State) -> Layout:
        return Layout(piles=(Pile("stock", state.stock), Pile("the same", state.stock)))

    broken(hearts.GAME, "real-deal", "law 6, a seat", layout=elsewhere)
    broken(crazy_eights.GAME, "real-deal", "law 6, a card", layout=twice)
