"""Hands played by the rules and in whole numbers at once, which must agree at every move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from p2pcards.cards.eyes import redact, viewer
from p2pcards.games.cutting import Cut
from p2pcards.games.deals.position import OVER, Position
from p2pcards.games.deals.race import SURE, TILT
from p2pcards.games.game import AnyGame, Sheet, Stage
from p2pcards.players.choose import NOVICES
from p2pcards.players.search import READERS

AGAIN = 0.15
"""How often a hand is read anew in the middle."""
SKILL = 0.9
"""How often a novice chooses, in every other hand: there are ends of hands to which chance alone does not come."""


Standing = Callable[[Random], Mapping[str, Any]]


def follow_hands(game: AnyGame, options: Any, rng: Random, decisions: int, standing: Standing = lambda _rng: {}) -> int:
    """Play games of random legal actions, and some of a novice, until so many were taken; how many hands were followed
    to their end.

    At each of them the position that has followed the hand since it was read must have the same turn, the same moves
    as the rules have actions, and at the end the same worth for each seat; and where it is played to win the game, the
    same winners. So must one that is read anew. standing: the fields of a state in which a game begins in the middle.
    """

    def begun() -> Any:
        return replace(game.start(options, None), **standing(rng))

    state, position, ended = begun(), None, 0
    for _ in range(decisions):
        while state.stage is not Stage.PLAY or is_cut_for(game, state):
            if state.stage is Stage.PLAY:
                action = rng.choice(game.legal(state, state.to_act[0]))
                state = game.play(state, game.decide(state, state.to_act[0], action))
            elif state.stage is Stage.OVER:
                state = begun()
            elif state.stage is Stage.DEAL:
                position = None  # what was cut before the first deal is no part of the hand
                state = game.play(state, game.deal(state, shuffled(game, options, rng), shuffled(game, options, rng)))
            else:
                state = game.play(state, game.show(state))
        seat = position.turn if position else rng.choice(state.to_act)
        assert seat in state.to_act, f"seat {seat} has the turn, but the rules ask {state.to_act}"
        reading = READERS[game.key](state, seat)
        legal = game.legal(state, seat)
        ways = [tuple(reading.moves(action)) for action in legal]
        assert moves_of(reading.position) in wanted(ways, ()), "read anew"
        position = reading.position if position is None or rng.random() < AGAIN else position
        assert position.turn == seat
        by_novice = state.hand % 2 == 0 and rng.random() < SKILL
        action = NOVICES[game.key](redact(state, viewer(seat)), seat, rng) if by_novice else rng.choice(legal)
        made: tuple[int, ...] = ()
        for move in reading.moves(action):
            assert moves_of(position) in wanted(ways, made), f"followed, {action} after {made}"
            position.do(move)
            made += (move,)
        state = game.play(state, game.decide(state, seat, action))
        while state.stage is Stage.SHOW:
            state = game.play(state, game.show(state))
        if state.sheet is not None:
            assert position.turn == OVER
            assert worths(position, game.seats(options)) == scored(game, options, state.sheet)
            check_race(position, state.winners, game.seats(options))
            position, ended = None, ended + 1
    return ended


def is_cut_for(game: AnyGame, state: Any) -> bool:
    """Whether the deal is cut for, which is no part of a hand."""
    return not any(map(len, state.hands)) and isinstance(game.legal(state, state.to_act[0])[0], Cut)


def shuffled(game: AnyGame, options: Any, rng: Random) -> tuple[Any, ...]:
    pack = list(game.pack(options))
    rng.shuffle(pack)
    return tuple(pack)


def moves_of(position: Position) -> set[int]:
    mask = position.moves()
    return {move for move in range(63) if mask >> move & 1}


def wanted(ways: Sequence[tuple[int, ...]], made: tuple[int, ...]) -> tuple[set[int], set[int]]:
    """The moves that are to be possible after some of those of an action were made: where the moves of an action have
    an order, and where they have none. ways: the moves of every legal action."""
    ordered = {way[len(made)] for way in ways if way[: len(made)] == made and len(way) > len(made)}
    in_any_order = {move for way in ways if {*made} <= {*way} for move in way} - {*made}
    return ordered, in_any_order


def worths(position: Position, seats: int) -> list[int]:
    return [position.worth(seat) for seat in range(seats)]


def check_race(position: Position, winners: Sequence[int], seats: int) -> None:
    """A hand with which the game is won is as good as that for who has won it; with any other the game goes on."""
    race = position.race
    if race is None:
        return
    if not winners:
        assert race.left(race.totals(position.tally())) > 0
        return
    sides = len({seat % len(position.tally()) for seat in winners})
    for seat in range(seats):
        chance = SURE // sides if seat in winners else 0
        assert position.merit(seat) == chance + position.worth(seat) * race.tilt // TILT


def scored(game: AnyGame, options: Any, sheet: Sheet) -> list[int]:
    """What `Position.worth` is to give, from the sheet of the hand."""
    seats = range(game.seats(options))
    sides = game.sides(options) or tuple([(seat,) for seat in seats])
    points = [sheet.hand[side[0]] for side in sides]
    sign = -1 if game.low_wins else 1
    mine = {seat: points[number] for number, side in enumerate(sides) for seat in side}
    return [sign * (len(sides) * mine[seat] - sum(points)) for seat in seats]
