"""What computer players decided, decided again: all of it or a part, on all cores."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from random import Random

from p2pcards.cli.output import Progress
from p2pcards.games.game import Action, AnyGame
from p2pcards.ledger.verify import Decision, Repeat
from p2pcards.players.choose import choose, choose_by_key, searches
from p2pcards.players.levels import is_here

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
