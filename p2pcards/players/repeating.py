"""Decisions of a log that computer players made, made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from p2pcards.games.game import Action, AnyGame
from p2pcards.ledger.verify import Decision
from p2pcards.players.choose import choose
from p2pcards.players.levels import is_here


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
