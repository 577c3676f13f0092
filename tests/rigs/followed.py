"""Hands played by the rules and in whole numbers at once, which must agree at every move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.cribbage.score import show_points
from p2pcards.games.cutting import Cut
from p2pcards.games.deals.position import OVER, SearchPosition
from p2pcards.games.deals.race import SURE
from p2pcards.games.game import AnyGame, Seat, Sheet, Stage
from p2pcards.games.spades.rules import is_nil
from p2pcards.games.telling import load_told
from p2pcards.players.choose import NOVICES
from p2pcards.players.search import READERS
from rigs.dealt import shuffled

AGAIN = 0.15
"""How often a hand is read anew in the middle."""
SKILL = 0.9
"""How often a novice chooses, in every other hand: there are ends of hands to which chance alone does not come."""


Standing = Callable[[Random], Mapping[str, Any]]


def follow_hands(game: AnyGame, options: Any, rng: Random, decisions: int, standing: Standing = lambda _rng: {}) -> int:
    """Play games of random legal actions, and some of a novice, until so many were taken; how many hands were followed
    to their end.

    At each of them the position that has followed the hand since it was read must have the same turn, the same moves
    as the rules have actions, and at the end the same worth for each seat, and the same mishaps; and where it is played
    to win the game, the same winners. So must one that is read anew. standing: the fields of a state in which a game
    begins in the middle.
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
        action = NOVICES[game.key](redact(state, eyes_of_viewer(seat)), seat, rng) if by_novice else rng.choice(legal)
        made: tuple[int, ...] = ()
        for move in reading.moves(action):
            assert moves_of(position) in wanted(ways, made), f"followed, {action} after {made}"
            position.make_move(move)
            made += (move,)
        state = game.play(state, game.decide(state, seat, action))
        while state.stage is Stage.SHOW:
            state = game.play(state, game.show(state))
        if state.sheet is not None:
            assert position.turn == OVER
            assert worths(position, game.seats(options)) == scored(game, options, state.sheet)
            check_race(position, state.winners, game.seats(options))
            for one in range(game.seats(options)):
                assert position.mishap_bits(one) == went_wrong(game, state, one), (
                    f"seat {one}: {load_told(game.key).mishaps}"
                )
            position, ended = None, ended + 1
    return ended


def is_cut_for(game: AnyGame, state: Any) -> bool:
    """Whether the deal is cut for, which is no part of a hand."""
    return not any(map(len, state.hands)) and isinstance(game.legal(state, state.to_act[0])[0], Cut)


def moves_of(position: SearchPosition) -> set[int]:
    mask = position.legal_moves()
    return {move for move in range(63) if mask >> move & 1}


def wanted(ways: Sequence[tuple[int, ...]], made: tuple[int, ...]) -> tuple[set[int], set[int]]:
    """The moves that are to be possible after some of those of an action were made: where the moves of an action have
    an order, and where they have none. ways: the moves of every legal action."""
    ordered = {way[len(made)] for way in ways if way[: len(made)] == made and len(way) > len(made)}
    in_any_order = {move for way in ways if {*made} <= {*way} for move in way} - {*made}
    return ordered, in_any_order


def worths(position: SearchPosition, seats: int) -> list[int]:
    return [position.final_worth(seat) for seat in range(seats)]


def check_race(position: SearchPosition, winners: Sequence[int], seats: int) -> None:
    """A hand with which the game is won is as good as that for who has won it; with any other the game goes on."""
    race = position.race
    if race is None:
        return
    if not winners:
        assert race.points_left(race.totals_after(position.final_scores())) > 0
        return
    sides = len({seat % len(position.final_scores()) for seat in winners})
    for seat in range(seats):
        chance = SURE // sides if seat in winners else 0
        assert position.final_merit(seat) == chance


def scored(game: AnyGame, options: Any, sheet: Sheet) -> list[int]:
    """What `SearchPosition.worth` is to give, from the sheet of the hand."""
    seats = range(game.seats(options))
    sides = game.sides(options) or tuple([(seat,) for seat in seats])
    points = [sheet.hand[side[0]] for side in sides]
    sign = -1 if game.low_wins else 1
    mine = {seat: points[number] for number, side in enumerate(sides) for seat in side}
    return [sign * (len(sides) * mine[seat] - sum(points)) for seat in seats]


# --- what has gone wrong in a hand, by the rules alone ----------------------------------------------------------------


def went_wrong(game: AnyGame, state: Any, seat: Seat) -> int:
    """What `SearchPosition.mishaps` is to give, when the hand was just scored."""
    found = MISHAPS[game.key](game, state, seat) if game.key in MISHAPS else ()
    assert len(found) == len(load_told(game.key).mishaps)
    return sum(1 << place for place, wrong in enumerate(found) if wrong)


def measured(game: AnyGame, state: Any, seat: Seat, figure: str) -> int:
    """Of the figures that the rules count; 0 where there is nothing to count."""
    return game.measures[figure](state, seat) or 0


def side_of(game: AnyGame, state: Any, seat: Seat) -> tuple[Seat, ...]:
    return next((side for side in game.sides(state.options) if seat in side), (seat,))


def others(state: Any, seat: Seat) -> list[Seat]:
    return [other for other in range(len(state.hands)) if other != seat]


def in_hearts(game: AnyGame, state: Any, seat: Seat) -> Sequence[bool]:
    moons = [other for other in range(4) if measured(game, state, other, "moon")]
    queen = bool(measured(game, state, seat, "queen")) and state.options.queen_points > 0
    return queen and not moons, bool(moons) and seat not in moons


def in_spades(game: AnyGame, state: Any, seat: Seat) -> Sequence[bool]:
    side, won = side_of(game, state, seat), state.deal.tricks.won
    broken = {one for one in side if is_nil(state.options, state.deal.bids[one]) and won[one]}
    failed = game.measures["contract"](state, seat) is False
    items = [what for what, _ in state.sheet.items[side[0]]]
    return seat in broken, bool(broken - {seat}), failed, "ten bags" in items


def in_oh_hell(_game: AnyGame, state: Any, seat: Seat) -> Sequence[bool]:
    bid, won = state.deal.bids[seat], state.deal.tricks.won[seat]
    return won > bid, won < bid


def in_euchre(game: AnyGame, state: Any, seat: Seat) -> Sequence[bool]:
    side = side_of(game, state, seat)
    foes = [other for other in range(4) if other not in side]
    makes = state.maker in side
    euchred = makes and any(measured(game, state, other, "euchre") for other in foes)
    return euchred, not makes and any(measured(game, state, other, "march") for other in foes)


def in_crazy_eights(_game: AnyGame, state: Any, seat: Seat) -> Sequence[bool]:
    left = state.hands[seat].cards
    return any(card.rank == 8 for card in left), any(not state.hands[other].cards for other in others(state, seat))


def in_gin_rummy(_game: AnyGame, state: Any, seat: Seat) -> Sequence[bool]:
    """The winner deals next."""
    won, knocker = state.dealer == seat, state.knocker
    return knocker == seat and not won, knocker == 1 - seat and not won


def in_cribbage(_game: AnyGame, state: Any, seat: Seat) -> Sequence[bool]:
    """Not where the game was won before. The deal has passed on where it was not."""
    if not state.crib:
        return False, False
    worth = show_points([slot.card for slot in state.crib], state.starter[0].card, crib=True)
    deals = (state.dealer == seat) == (state.stage is Stage.OVER)
    return worth >= 8 and not deals, worth <= 2 and deals


def in_pinochle2(_game: AnyGame, state: Any, seat: Seat) -> Sequence[bool]:
    return (state.leader != seat and not state.hands[0].cards,)


MISHAPS: Mapping[str, Callable[[AnyGame, Any, Seat], Sequence[bool]]] = {
    "hearts": in_hearts,
    "spades": in_spades,
    "oh_hell": in_oh_hell,
    "euchre": in_euchre,
    "whist": lambda game, state, seat: (len(side_of(game, state, seat)) == 2 and state.sheet.hand[seat] == 0,),
    "auction_pitch": lambda game, state, seat: (bool(measured(game, state, seat, "set")),),
    "pinochle": lambda game, state, seat: (bool(measured(game, state, seat, "set")),),
    "pinochle_bid": lambda game, state, seat: (bool(measured(game, state, seat, "set")),),
    "pinochle2": in_pinochle2,
    "crazy_eights": in_crazy_eights,
    "rummy_500": lambda _game, state, seat: (any(not state.hands[other].cards for other in others(state, seat)),),
    "thirty_one": lambda game, state, seat: (bool(measured(game, state, seat, "lost")),),
    "gin_rummy": in_gin_rummy,
    "cribbage": in_cribbage,
}
