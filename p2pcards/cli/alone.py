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
from p2pcards.games.game import Action, AnyGame, Sheet, Stage
from p2pcards.games.registry import GAMES
from p2pcards.ledger.solo import Result, play_game
from p2pcards.ledger.verify import Decision, Repeat
from p2pcards.players.choose import choose, choose_by_key, searches
from p2pcards.players.levels import is_here

# --- what computer players play alone to be counted -------------------------------------------------------------------


Clock = Callable[[], float]

# --- whole games ------------------------------------------------------------------------------------------------------


class Games(NamedTuple):
    """Some of the games of a seed. game: its key. levels: of the players. rotate: the player at seat s of a game sits
    at seat s + 1 in the next. numbers: which games."""

    game: str
    options: Any
    levels: tuple[str, ...]
    seed: int
    rotate: bool
    max_hands: int
    numbers: range


class Played(NamedTuple):
    """scores, won: by player, not by seat. seconds: that all decisions took."""

    finished: bool
    scores: tuple[int, ...]
    won: tuple[bool, ...]
    decisions: int
    seconds: float


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


class MirroredDeal(NamedTuple):
    """A level against another. changes: of the options of the preset; deal: its number."""

    game: str
    preset: str
    changes: Mapping[str, Any]
    level: str
    against: str
    deal: int


def play_deal(asked: MirroredDeal) -> tuple[float, list[float]]:
    """How many points more the level made, and the seconds of the processor that each of its decisions took."""
    game = GAMES[asked.game]
    options = replace(game.presets[asked.preset], **asked.changes)
    seats = game.seats(options)
    sides = game.sides(options) or tuple([(seat,) for seat in range(seats)])
    spent: list[float] = []
    leads = []
    for exchanged in (0, 1):
        ours = {seat for number, side in enumerate(sides) for seat in side if number % 2 == exchanged}
        sheet = _play_hand(game, options, asked, ours, spent)
        mine = mean([sheet.hand[seat] for seat in range(seats) if seat in ours])
        theirs = mean([sheet.hand[seat] for seat in range(seats) if seat not in ours])
        leads.append((theirs - mine) if game.low_wins else (mine - theirs))
    return mean(leads), spent


def _play_hand(game: AnyGame, options: Any, asked: MirroredDeal, ours: set[int], spent: list[float]) -> Sheet:
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
            began = time.process_time()
            level = asked.level if seat in ours else asked.against
            action = choose(game, redact(state, viewer(seat)), seat, level, Random(chance.getrandbits(63)))
            if seat in ours:
                spent.append(time.process_time() - began)
            state = game.play(state, game.decide(state, seat, action))
    sheet: Sheet = state.sheet
    return sheet


# --- what computer players decided, decided again ---------------------------------------------------------------------


WAYS = ("all", "sample", "none")
ONE_IN = 10
"""Of the decisions that were searched for, a sample has one in so many; of the others all, which takes no time."""


def is_ours(game: AnyGame, made: Decision) -> bool:
    """Whether this program has the player that made it."""
    return is_here(game.key, made.level, made.edition)


def repeat_here(game: AnyGame, decisions: Sequence[Decision]) -> Mapping[int, Action]:
    """All of them, one after the other."""
    return {
        made.record: choose(game, made.view, made.seat, made.level, Random(made.seed))
        for made in decisions
        if is_ours(game, made)
    }


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
