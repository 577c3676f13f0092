"""What a game tells of itself beside its rules: a table in the file told.py of its folder, loaded when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from p2pcards.games.game import Action, AnyGame, Seat

Found = list[tuple[str, str]]
"""What was found in a hand: a few words each, and what follows them."""


@dataclass(frozen=True, slots=True)
class Told:
    """about: where the game comes from, a paragraph. words: a sentence for each word with which its players act.

    aim(view, seat, action): what an action is for that is not the play of a card to a trick, words that begin with "to"
    or "as"; "" where nothing is certain. analysis(game, view, seat): what is in a hand, where more is looked at than
    tricks. Both look at nothing but what the seat sees.
    """

    about: str
    words: Mapping[str, str]
    aim: Callable[[Any, Seat, Action], str] = lambda _view, _seat, _action: ""
    analysis: Callable[[AnyGame, Any, Seat], Found] | None = None


def told_of(key: str) -> Told:
    told: Told = import_module(f"p2pcards.games.{key}.told").TOLD
    return told
