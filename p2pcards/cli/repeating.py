"""What computer players decided, decided again: all of it or a part, on all cores."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from random import Random

from p2pcards.games.game import Action, AnyGame
from p2pcards.ledger.transcript import Decision, Repeat
from p2pcards.players.choose import choose, searches
from p2pcards.players.levels import edition_of

WAYS = ("all", "sample", "none")
ONE_IN = 10
"""Of the decisions that were searched for, a sample has one in so many; of the others all, which takes no time."""

Progress = Callable[[int, int], None]
"""Is told how many are done, of how many."""


def is_ours(game: AnyGame, made: Decision) -> bool:
    """Whether this program has the player that made it."""
    return made.edition == edition_of(game.key, made.level)


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
    if not decisions:
        return {}
    import trio

    from p2pcards.daemon.thinking import decide_all
    from p2pcards.session.effects import Think

    thinks = [Think(made.seat, game, made.view, made.level, made.seed) for made in decisions]
    actions = trio.run(decide_all, thinks, progress)
    return {made.record: action for made, action in zip(decisions, actions, strict=True)}


def show_repeated(done: int, wanted: int) -> None:
    """One line on a terminal that counts up and is gone at the end."""
    bar = "#" * (20 * done // wanted)
    text = "" if done == wanted else f"[{bar:<20}] {done} of {wanted} decisions repeated"
    print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
