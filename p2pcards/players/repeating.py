"""Decisions of a log that computer players made, made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from p2pcards.games.game import Action, AnyGame
from p2pcards.ledger.verify import Decision
from p2pcards.players.choose import choose
from p2pcards.players.levels import can_play_here


def is_own_player(game: AnyGame, made: Decision) -> bool:
    """Return whether this program has the player that made a decision."""
    return can_play_here(game.key, made.level, made.edition)


def repeat_decisions(game: AnyGame, decisions: Sequence[Decision]) -> Mapping[int, Action]:
    """The actions that the players of these decisions choose again, by number, computed in this process."""
    return {
        made.record: choose(game, made.view, made.seat, made.level, Random(made.seed))
        for made in decisions
        if is_own_player(game, made)
    }
