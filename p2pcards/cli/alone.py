"""Computer players among themselves: games and deals that are counted, and decisions of a log that are made again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from statistics import mean
from typing import Any, NamedTuple

from p2pcards.cards.eyes import redact, viewer
from p2pcards.cards.pack import shuffle
from p2pcards.cli.command import Progress
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.search import Trial, try_out
from p2pcards.games.game import Action, AnyGame, Sheet, Stage
from p2pcards.games.registry import GAMES
from p2pcards.games.seen.reading import Reading
from p2pcards.ledger.solo import Chooser, Result, play_game
from p2pcards.ledger.verify import Decision, Repeat
from p2pcards.players.choose import choose, choose_by_key, rate
from p2pcards.players.levels import searches
from p2pcards.players.repeating import is_ours, repeat_here
from p2pcards.players.search import READERS
from p2pcards.session.own_seat import hint_seed

# --- what computer players play alone to be counted -------------------------------------------------------------------


Clock = Callable[[], float]

# --- whole games ------------------------------------------------------------------------------------------------------


class Games(NamedTuple):
    """Some of the games of a seed."""

    game: str  # its key
    options: Any
    levels: tuple[str, ...]  # by player
    seed: int
    rotate: bool  # players move one seat to the left from each game to the next
    max_hands: int
    numbers: range  # of the games to play


class Played(NamedTuple):
    finished: bool
    scores: tuple[int, ...]  # by player, not by seat
    won: tuple[bool, ...]  # by player, not by seat
    decisions: int  # number of them
    seconds: float  # for all decisions


def play_games(asked: Games, clock: Clock) -> list[Played]:
    return [_play_one(asked, number, clock) for number in asked.numbers]


def _play_one(asked: Games, number: int, clock: Clock) -> Played:
    game, seats = GAMES[asked.game], len(asked.levels)
    seat_of = [(player + (number if asked.rotate else 0)) % seats for player in range(seats)]
    spent: list[float] = []

    def chooser(seat: int) -> Callable[[Any, int], Action]:
        level, rng = asked.levels[seat_of.index(seat)], Random(f"{asked.seed}/{number}/{seat}")

        def timed(view: Any, seat: int) -> Action:
            start = clock()
            action = choose(game, view, seat, level, rng)
            spent.append(clock() - start)
            return action

        return timed

    result: Result = play_game(
        game, asked.options, [chooser(seat) for seat in range(seats)], f"{asked.seed}/{number}", asked.max_hands
    )
    scores = tuple([result.scores[seat] for seat in seat_of])
    won = tuple([seat in result.winners for seat in seat_of])
    return Played(result.finished, scores, won, result.decisions, sum(spent))


# --- deals that are played twice --------------------------------------------------------------------------------------

Choose = Callable[[AnyGame, Any, int, str, Random], Action]
"""(game, view, seat, level, chances) -> an action."""


class MirroredDeal(NamedTuple):
    """A deal that one level plays against another."""

    game: str
    preset: str
    changes: Mapping[str, Any]  # options that differ from the preset
    level: str
    against: str  # the other level
    deal: int  # its number


class Lead(NamedTuple):
    """How a level did in a mirrored deal."""

    points: float  # more per hand than the other level made; in whole games, its share of the two games minus one half
    times: tuple[float, ...]  # CPU seconds of each of its decisions with more than one choice
    seconds: float  # CPU seconds for everything


def lead_in_deal(asked: MirroredDeal, by_level: Choose = choose) -> Lead:
    """by_level: as in `play_deal`."""
    began = time.process_time()
    points, times = play_deal(asked, by_level)
    return Lead(points, tuple(times), time.process_time() - began)


def lead_by_hints(asked: MirroredDeal) -> Lead:
    """The same where the seats of the level follow every hint."""
    return lead_in_deal(asked, choose_as_hinted)


def choose_as_hinted(game: AnyGame, view: Any, seat: int, level: str, _rng: Random) -> Action:
    """What a hint advises, of which this level gives them."""
    return rate(game, view, seat, level, Random(hint_seed(game, view, seat)))[0].action


def lead_in_games(asked: MirroredDeal) -> Lead:
    """The same in whole games: one, and one with the same cards in which the players have exchanged their seats. A
    game that nobody wins is half a game for each."""
    began = time.process_time()
    game = GAMES[asked.game]
    options = replace(game.presets[asked.preset], **asked.changes)
    seats = game.seats(options)
    times: list[float] = []
    won = 0.0
    for exchanged in (0, 1):
        ours = _seats_of_the_level(game, options, exchanged)
        chance = Random(f"{asked.game} {asked.preset} game {asked.deal}")
        choosers = [_chooser(game, asked, seat in ours, chance, times) for seat in range(seats)]
        result = play_game(game, options, choosers, f"{asked.preset} {asked.deal}")
        won += len(ours.intersection(result.winners)) / len(result.winners) if result.finished else 0.5
    return Lead(won / 2 - 0.5, tuple(times), time.process_time() - began)


WORLDS = 300
"""In which two choices are compared."""


def lead_in_positions(asked: MirroredDeal) -> Lead:
    """By how many points a hand the choices of the level are better than those of the other, as rules of thumb judge:
    in each position of a hand among novices both choose, and both choices are followed in the same worlds. A seat's
    share of that; times has the level's, as in a deal."""
    began = time.process_time()
    game = GAMES[asked.game]
    options = replace(game.presets[asked.preset], **asked.changes)
    seats = game.seats(options)
    times: list[float] = []
    better: list[float] = []

    def choose_both(view: Any, seat: int) -> Action:
        seed = chance.getrandbits(63)
        one = _timed_choice(game, view, seat, asked.level, seed, times)
        other = _timed_choice(game, view, seat, asked.against, seed, [])
        if one != other:
            better.append(_better(READERS[game.key](view, seat), seat, one, other, Chance(chance.getrandbits(62) + 1)))
        return choose(game, view, seat, "novice", chance)

    chance = Random(f"{asked.game} {asked.preset} positions {asked.deal}")
    play_game(game, options, [choose_both] * seats, f"{asked.preset} positions {asked.deal}", max_hands=1)
    return Lead(sum(better) / seats, tuple(times), time.process_time() - began)


def _better(reading: Reading, seat: int, one: Action, other: Action, chance: Chance) -> float:
    """By how many points one action does better than another, on average over worlds in which all go on by rules of
    thumb."""
    trials = [Trial(list(reading.moves(action))) for action in (one, other)]
    for _ in range(WORLDS):
        world = reading.position.copy()
        reading.worlds.fill(world, chance)
        try_out(world, seat, trials, chance)
    return (trials[0].points - trials[1].points) / WORLDS


def _chooser(game: AnyGame, asked: MirroredDeal, ours: bool, chance: Random, times: list[float]) -> Chooser:
    def choose_here(view: Any, seat: int) -> Action:
        level, spent = (asked.level, times) if ours else (asked.against, [])
        return _timed_choice(game, view, seat, level, chance.getrandbits(63), spent)

    return choose_here


def play_deal(asked: MirroredDeal, by_level: Choose = choose) -> tuple[float, list[float]]:
    """How many points more the level made, and the seconds of the processor that each of its decisions took in which
    it had a choice. by_level: how its seats choose."""
    game = GAMES[asked.game]
    options = replace(game.presets[asked.preset], **asked.changes)
    seats = game.seats(options)
    spent: list[float] = []
    leads = []
    for exchanged in (0, 1):
        ours = _seats_of_the_level(game, options, exchanged)
        sheet = _play_hand(game, options, asked, ours, spent, by_level)
        mine = mean([sheet.hand[seat] for seat in range(seats) if seat in ours])
        theirs = mean([sheet.hand[seat] for seat in range(seats) if seat not in ours])
        leads.append((theirs - mine) if game.low_wins else (mine - theirs))
    return mean(leads), spent


def _seats_of_the_level(game: AnyGame, options: Any, exchanged: int) -> set[int]:
    """Every other seat, or side, from this one on."""
    sides = game.sides(options) or tuple([(seat,) for seat in range(game.seats(options))])
    return {seat for number, side in enumerate(sides) for seat in side if number % 2 == exchanged}


def _play_hand(
    game: AnyGame, options: Any, asked: MirroredDeal, ours: set[int], spent: list[float], by_level: Choose
) -> Sheet:
    """One hand; ours: the seats of the level."""
    chance = Random(f"{asked.game} {asked.preset} {asked.deal}")
    state = game.start(options, chance.randrange(game.seats(options)))
    pack = game.pack(options)
    while state.sheet is None:
        if state.stage is Stage.DEAL:
            secret = chance.randbytes(32)
            state = game.play(state, game.deal(state, shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw")))
        elif state.stage is Stage.SHOW:
            state = game.play(state, game.show(state))
        else:
            seat = state.to_act[0]
            view, seed = redact(state, viewer(seat)), chance.getrandbits(63)
            if seat in ours:
                action = _timed_choice(game, view, seat, asked.level, seed, spent, by_level)
            else:
                action = _timed_choice(game, view, seat, asked.against, seed, [])
            state = game.play(state, game.decide(state, seat, action))
    sheet: Sheet = state.sheet
    return sheet


def _timed_choice(
    game: AnyGame, view: Any, seat: int, level: str, seed: int, times: list[float], by: Choose = choose
) -> Action:
    """times: where the seconds of a decision with more than one legal action are noted."""
    began = time.process_time()
    action = by(game, view, seat, level, Random(seed))
    taken = time.process_time() - began
    if len(game.legal(view, seat)) > 1:
        times.append(taken)
    return action


# --- what computer players decided, decided again ---------------------------------------------------------------------


WAYS = ("all", "sample", "none")
ONE_IN = 10
"""Of the decisions that were searched for, a sample has one in so many; of the others all, which takes no time."""


def repeating(way: str, progress: Progress | None) -> Repeat | None:
    """way: one of `WAYS`. What is searched for is repeated in processes of its own."""
    if way == "none":
        return None

    def repeat(game: AnyGame, decisions: Sequence[Decision]) -> Mapping[int, Action]:
        searched = [made for made in decisions if is_ours(game, made) and searches(game.key, made.level)]
        quick = [made for made in decisions if not searches(game.key, made.level)]
        some = searched if way == "all" else searched[::ONE_IN]
        return {**repeat_here(game, quick), **_repeat_elsewhere(game, some, progress)}

    return repeat


def _repeat_elsewhere(game: AnyGame, decisions: Sequence[Decision], progress: Progress | None) -> dict[int, Action]:
    from p2pcards.cli.spreading import with_crew
    from p2pcards.daemon.crew import Crew, spread

    repeated: dict[int, Action] = {}

    def finished(number: int, action: Action) -> None:
        repeated[decisions[number].record] = action
        if progress:
            progress(len(repeated), len(decisions))

    async def repeat(crew: Crew) -> None:
        questions = [(game.key, made.view, made.seat, made.level, made.seed) for made in decisions]
        await spread(crew, choose_by_key, questions, finished)

    if decisions:
        with_crew(repeat, os.cpu_count() or 1)
    return repeated
