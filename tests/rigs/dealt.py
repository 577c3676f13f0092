"""Positions in the middle of a hand, reached by the rules from hands of which only some cards are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from p2pcards.cards.card import Card, parse_cards
from p2pcards.cards.eyes import Slot, eye_of_seat, eyes_of_viewer, make_bag, redact
from p2pcards.games.game import Action, AnyGame, IllegalAction, Seat, Stage

TRIES = 20_000


def shuffled(game: AnyGame, options: Any, rng: Random) -> tuple[Card, ...]:
    """The pack of a game with these options."""
    pack = list(game.pack(options))
    rng.shuffle(pack)
    return tuple(pack)


def reached(
    game: AnyGame,
    state: Any,
    each: int,
    told: Mapping[Seat, str],
    done: Sequence[str],
    parse: Callable[[str], Action],
    seat: Seat = 0,
) -> Any:
    """What a seat sees after these actions. state: at the first decision of a hand, without cards. each: how many cards
    are dealt to a seat. told: some cards of the seats; the others are dealt by chance, so that all was legal."""
    for number in range(TRIES):
        truth = _dealt(game, state, each, told, Random(number))
        try:
            for word in done:
                actor, action = truth.to_act[0], parse(word)
                game.verify(truth, actor, action)
                truth = game.play(truth, game.decide(truth, actor, action))
                while truth.stage is Stage.SHOW:
                    truth = game.play(truth, game.show(truth))
        except IllegalAction:
            continue
        assert truth.to_act == (seat,), f"it is the turn of {truth.to_act}"
        return redact(truth, eyes_of_viewer(seat))
    raise AssertionError("no deal was found in which all of this is legal")


def _dealt(game: AnyGame, state: Any, each: int, told: Mapping[Seat, str], rng: Random) -> Any:
    hands = [list(parse_cards(told.get(seat, ""))) for seat in range(len(state.hands))]
    left = Counter(game.pack(state.options))
    left.subtract([card for hand in hands for card in hand])
    assert min(left.values()) >= 0, "a card is told more often than it is in the pack"
    rest: list[Card] = list(left.elements())
    rng.shuffle(rest)
    for hand in hands:
        hand += [rest.pop() for _ in range(each - len(hand))]
    bags = [make_bag(seat, [Slot(card, eye_of_seat(seat)) for card in hand]) for seat, hand in enumerate(hands)]
    undealt = {"stock": tuple([Slot(card) for card in rest])} if rest else {}
    return replace(state, hands=tuple(bags), **undealt)
