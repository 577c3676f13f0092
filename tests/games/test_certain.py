"""What a look at a hand of tricks calls certain: held against worlds that the player cannot tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.certain import Aim, Hand
from p2pcards.games.claims import trick_hand_of
from p2pcards.games.game import AnyGame, Seat, Stage
from p2pcards.games.registry import GAMES
from p2pcards.games.seen.tricks import tricks_so_far, void_suits
from p2pcards.games.spelling import is_card_word, spell_action
from p2pcards.views.standpoint import ends_trick
from rigs.endings import TRICK_GAMES, positions
from rigs.worlds import determinize

WORLDS = 2
TRIED = 20
"""Worlds that are drawn, to find so many that agree with what was played."""


def aims_of(left: int, friend: Seat) -> Iterator[Aim]:
    """friend: any other seat will do."""
    for number in range(left + 1):
        yield Aim(number, number)
        yield Aim(number, left)
        yield Aim(number, left, friend)


def agreeing(game: AnyGame, view: Any, rng: Random) -> Iterator[Any]:
    """Worlds in which nobody holds a suit that they did not follow."""
    ranking = game.ranking(view)
    assert ranking is not None
    missing: tuple[frozenset[Any], ...] = (frozenset(),) * len(view.hands)
    if ranking.follows:
        missing = void_suits(
            tricks_so_far(view, ranking.trump, ranking.out, ranking.counted), len(view.hands), ranking.out
        )
    for _ in range(TRIED):
        world = determinize(view, game.pack(view.options), rng)
        if not any(ranking.counted(card).suit in missing[hand.owner] for hand in world.hands for card in hand.cards):
            yield world


def play(game: AnyGame, state: Any, card: Card, aim: Aim, seat: Seat) -> tuple[Any, Aim]:
    """The state after a card of whose turn it is, and what is left then of the aim of the seat."""
    mover = state.to_act[0]
    action = next(action for action in game.legal(state, mover) if action.card == card)
    new = game.play(state, game.decide(state, mover, action))
    layout = game.layout(new)
    if ends_trick(game.layout(state), layout) and layout.taker in (seat, aim.friend):
        aim = aim._replace(least=aim.least - 1, most=aim.most - (layout.taker == seat or aim.friend is not None))
    return new, aim


def open_cards(game: AnyGame, state: Any, mover: Seat) -> list[Card]:
    return [action.card for action in game.legal(state, mover)]


def looked(game: AnyGame, state: Any, seat: Seat) -> Hand:
    view = redact(state, eyes_of_viewer(seat))
    return Hand(game, view, seat, trick_hand_of(game, view, seat))


class Ended(Exception):
    """The hand is over, or is not played on with plain cards."""


def checked(game: AnyGame, state: Any, hand: int) -> Any:
    if state.stage is not Stage.PLAY or state.hand != hand or not game.ranking(state):
        raise Ended
    if not all(is_card_word(spell_action(action)) for action in game.legal(state, state.to_act[0])):
        raise Ended
    return state


def keeps(game: AnyGame, state: Any, seat: Seat, aim: Aim, hand: int) -> bool:
    """Whether a seat reaches its aim that plays any card which is sure of it, whatever the others play."""
    try:
        mover = checked(game, state, hand).to_act[0]
    except Ended:
        return aim.least <= 0 <= aim.most
    cards = open_cards(game, state, mover)
    if mover == seat:
        look = looked(game, state, seat)
        cards = [card for card in cards if look.is_aim_sure(card, aim)][:1]
        assert cards, "what was certain is certain no more"
    return all(keeps(game, *play_of(game, state, card, aim, seat), hand) for card in cards)


def can(game: AnyGame, state: Any, seat: Seat, aim: Aim, hand: int, *, against: bool) -> bool:
    """Whether a seat that sees all cards can reach its aim, against all others or with them."""
    try:
        mover = checked(game, state, hand).to_act[0]
    except Ended:
        return aim.least <= 0 <= aim.most
    serves = all if against and mover != seat else any
    return serves(
        can(game, *play_of(game, state, card, aim, seat), hand, against=against)
        for card in open_cards(game, state, mover)
    )


def play_of(game: AnyGame, state: Any, card: Card, aim: Aim, seat: Seat) -> tuple[Any, Seat, Aim]:
    new, left = play(game, state, card, aim, seat)
    return new, seat, left


@pytest.mark.no_cover  # several times as slow under measurement
@pytest.mark.parametrize(("most", "number"), [(2, 3), pytest.param(3, 30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", TRICK_GAMES)
def test_what_is_certain_holds_in_every_world(key: str, most: int, number: int) -> None:
    """A card that is sure reaches its aim, one that fails does not, and one that is dominated never does better."""
    game, rng, found = GAMES[key], Random(key), Counter[str]()
    for preset in game.presets.values():
        for state in islice(few_cards(game, preset, most), number):
            seat = state.to_act[0]
            view, hand = redact(state, eyes_of_viewer(seat)), state.hand
            cards, look = open_cards(game, state, seat), looked(game, state, seat)
            for world in islice(agreeing(game, view, rng), WORLDS):
                for aim in aims_of(len(view.hands[seat]), (seat + 1) % len(view.hands)):
                    kept = look.undominated_cards([card for card in cards if not look.fails_aim(card, aim)], aim)
                    for card in cards:
                        after = play_of(game, world, card, aim, seat)
                        told = (view, world, card, aim)
                        if look.is_aim_sure(card, aim):
                            found["sure"] += 1
                            assert keeps(game, *after, hand), told
                        elif look.fails_aim(card, aim):
                            found["fails"] += 1
                            assert not can(game, *after, hand, against=False), told
                        elif card not in kept and can(game, *after, hand, against=True):
                            found["dominated"] += 1
                            better = [play_of(game, world, other, aim, seat) for other in kept]
                            assert any(can(game, *one, hand, against=True) for one in better), told
    assert found["sure"] and found["fails"], found


def few_cards(game: AnyGame, options: Any, most: int) -> Iterator[Any]:
    """Positions with two cards in hand or more, of which the seat may play more than one."""
    for seed in range(1000):
        for number, state in enumerate(positions(game, options, seed, most)):
            seat = state.to_act[0]
            legal = game.legal(state, seat)
            if len(legal) > 1 and not number % 3 and all(is_card_word(spell_action(action)) for action in legal):
                yield state
