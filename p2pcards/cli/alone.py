"""Computer players among themselves: games and deals that are counted, and decisions of a log that are made again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from statistics import mean
from typing import Any, NamedTuple

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.cards.pack import shuffle
from p2pcards.cli.spreading import run_with_crew
from p2pcards.cli.terminal import Progress
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.search import Trial, try_out
from p2pcards.games.game import Action, AnyGame, Sheet, Stage
from p2pcards.games.registry import GAMES
from p2pcards.games.seen.reading import Reading
from p2pcards.ledger.solo import Chooser, Result, play_game
from p2pcards.ledger.verify import Decision, Repeat
from p2pcards.players.choose import choose, choose_by_key, rate
from p2pcards.players.levels import searches
from p2pcards.players.repeating import is_own_player, repeat_decisions
from p2pcards.players.search import READERS
from p2pcards.session.own_seat import hint_seed

# --- what computer players play alone to be counted -------------------------------------------------------------------


Clock = Callable[[], float]

# --- whole games ------------------------------------------------------------------------------------------------------


class GameBatch(NamedTuple):
    """Some of the games played with one seed."""

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


def play_batch(asked: GameBatch, clock: Clock) -> list[Played]:
    """Play these games, and return one result for each."""
    return [_play_numbered_game(asked, number, clock) for number in asked.numbers]


def _play_numbered_game(asked: GameBatch, number: int, clock: Clock) -> Played:
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


def measure_deal_lead(asked: MirroredDeal, by_level: Choose = choose) -> Lead:
    """Measure by how much one level beats the other in a mirrored deal. by_level: as in `play_deal`."""
    began = time.process_time()
    points, times = play_deal(asked, by_level)
    return Lead(points, tuple(times), time.process_time() - began)


def measure_hint_lead(asked: MirroredDeal) -> Lead:
    """Like `measure_deal_lead`, with the level's seats following every hint."""
    return measure_deal_lead(asked, choose_as_hinted)


def choose_as_hinted(game: AnyGame, view: Any, seat: int, level: str, _rng: Random) -> Action:
    """The action that a hint of this level advises."""
    return rate(game, view, seat, level, Random(hint_seed(game, view, seat)))[0].action


def measure_game_lead(asked: MirroredDeal) -> Lead:
    """Measure the lead in two whole games with the same cards, in the second of which the players have traded seats. A
    game that nobody wins counts as half for each."""
    began = time.process_time()
    game = GAMES[asked.game]
    options = replace(game.presets[asked.preset], **asked.changes)
    seats = game.seats(options)
    times: list[float] = []
    won = 0.0
    for exchanged in (0, 1):
        ours = _seats_of_level(game, options, exchanged)
        chance = Random(f"{asked.game} {asked.preset} game {asked.deal}")
        choosers = [_choose_for_side(game, asked, seat in ours, chance, times) for seat in range(seats)]
        result = play_game(game, options, choosers, f"{asked.preset} {asked.deal}")
        won += len(ours.intersection(result.winners)) / len(result.winners) if result.finished else 0.5
    return Lead(won / 2 - 0.5, tuple(times), time.process_time() - began)


WORLDS = 300
"""In which two choices are compared."""


def measure_choice_lead(asked: MirroredDeal) -> Lead:
    """Measure by how many points a hand the level's choices beat the other's, as rules of thumb judge: in each position
    of a hand among novices both choose, and both choices are played on in the same imagined worlds. The lead is a
    seat's share of that; times holds the level's seconds, as in a deal."""
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
            better.append(
                _compare_actions(READERS[game.key](view, seat), seat, one, other, Chance(chance.getrandbits(62) + 1))
            )
        return choose(game, view, seat, "novice", chance)

    chance = Random(f"{asked.game} {asked.preset} positions {asked.deal}")
    play_game(game, options, [choose_both] * seats, f"{asked.preset} positions {asked.deal}", max_hands=1)
    return Lead(sum(better) / seats, tuple(times), time.process_time() - began)


def _compare_actions(reading: Reading, seat: int, one: Action, other: Action, chance: Chance) -> float:
    """By how many points one action beats the other, averaged over worlds that are played on by rules of thumb."""
    trials = [Trial(list(reading.moves(action))) for action in (one, other)]
    for _ in range(WORLDS):
        world = reading.position.copy()
        reading.worlds.fill_world(world, chance)
        try_out(world, seat, trials, chance)
    return (trials[0].points - trials[1].points) / WORLDS


def _choose_for_side(game: AnyGame, asked: MirroredDeal, ours: bool, chance: Random, times: list[float]) -> Chooser:
    def choose_here(view: Any, seat: int) -> Action:
        level, spent = (asked.level, times) if ours else (asked.against, [])
        return _timed_choice(game, view, seat, level, chance.getrandbits(63), spent)

    return choose_here


def play_deal(asked: MirroredDeal, by_level: Choose = choose) -> tuple[float, list[float]]:
    """(points, seconds): by how many points the level won, and the processor seconds of each of its decisions that had
    a choice. by_level: how its seats choose."""
    game = GAMES[asked.game]
    options = replace(game.presets[asked.preset], **asked.changes)
    seats = game.seats(options)
    spent: list[float] = []
    leads = []
    for exchanged in (0, 1):
        ours = _seats_of_level(game, options, exchanged)
        sheet = _score_one_hand(game, options, asked, ours, spent, by_level)
        mine = mean([sheet.hand[seat] for seat in range(seats) if seat in ours])
        theirs = mean([sheet.hand[seat] for seat in range(seats) if seat not in ours])
        leads.append((theirs - mine) if game.low_wins else (mine - theirs))
    return mean(leads), spent


def _seats_of_level(game: AnyGame, options: Any, exchanged: int) -> set[int]:
    """Every other seat, or every other side, counting from seat `exchanged`."""
    sides = game.sides(options) or tuple([(seat,) for seat in range(game.seats(options))])
    return {seat for number, side in enumerate(sides) for seat in side if number % 2 == exchanged}


def _score_one_hand(
    game: AnyGame, options: Any, asked: MirroredDeal, ours: set[int], spent: list[float], by_level: Choose
) -> Sheet:
    """Play one hand and return its sheet. ours: the seats of the level; spent: seconds of its decisions are appended
    here."""
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
            view, seed = redact(state, eyes_of_viewer(seat)), chance.getrandbits(63)
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
    """Choose an action, and append the seconds it took to `times` if there was more than one legal action."""
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


def make_repeater(way: str, progress: Progress) -> Repeat | None:
    """A function that repeats computer players' decisions, None for "none". way: one of `WAYS`. Decisions that are
    searched for are repeated in other processes."""
    if way == "none":
        return None

    def repeat(game: AnyGame, decisions: Sequence[Decision]) -> Mapping[int, Action]:
        searched = [made for made in decisions if is_own_player(game, made) and searches(game.key, made.level)]
        quick = [made for made in decisions if not searches(game.key, made.level)]
        some = searched if way == "all" else searched[::ONE_IN]
        return {**repeat_decisions(game, quick), **_repeat_in_processes(game, some, progress)}

    return repeat


def _repeat_in_processes(game: AnyGame, decisions: Sequence[Decision], progress: Progress) -> dict[int, Action]:
    from p2pcards.daemon.crew import Crew, spread

    repeated: dict[int, Action] = {}

    def finished(number: int, action: Action) -> None:
        repeated[decisions[number].record] = action
        progress(len(repeated), len(decisions))

    async def repeat(crew: Crew) -> None:
        questions = [(game.key, made.view, made.seat, made.level, made.seed) for made in decisions]
        await spread(crew, choose_by_key, questions, finished)

    if decisions:
        run_with_crew(repeat, os.cpu_count() or 1)
    return repeated
