"""What a game tells of itself beside its rules: a table in the file told.py of its folder, loaded when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.options import Value

A = TypeVar("A")

Found = list[tuple[str, str]]
"""What was found in a hand: a few words each, and what follows them."""


class Budget(NamedTuple):
    """What a level may use for a decision: hands played to their end, or positions of an ending."""

    playouts: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Playing:
    """How computers play a game, as far as its rules of thumb and its deal do not say it.

    by_lot(legal) -> the actions among which a carefree player draws, lest they ruin themselves at once. longer: how
    many times as long a hand takes to play as one of hearts; so many fewer are played. budgets: of the levels that have
    others than in most games. editions: of the levels that have changed since their first.
    """

    by_lot: Callable[[Sequence[Any]], Sequence[Any]] = lambda legal: legal
    longer: int = 1
    budgets: Mapping[str, Budget] = field(default_factory=dict)
    editions: Mapping[str, int] = field(default_factory=dict)


def lowest(bid: type) -> Callable[[Sequence[A]], Sequence[A]]:
    """For `Playing.by_lot`: passes or makes the lowest bid. bid: the class of bids."""

    def narrowed(legal: Sequence[A]) -> Sequence[A]:
        others = [action for action in legal if not isinstance(action, bid)]
        return others + [action for action in legal if isinstance(action, bid)][:1]

    return narrowed


@dataclass(frozen=True, slots=True)
class Told:
    """about: where the game comes from, a paragraph. words: a sentence for each word with which its players act. short:
    the options with which a game is soon over.

    aim(view, seat, action): what an action is for that is not the play of a card to a trick, words that begin with "to"
    or "as"; "" where nothing is certain. analysis(game, view, seat): what is in a hand, where more is looked at than
    tricks. Both look at nothing but what the seat sees. figures: what players like to know of their own play. strategy:
    the page of the guide about how it is played well, "" for none. apart: presets that count as games of their own, and
    how they differ.
    """

    about: str
    words: Mapping[str, str]
    short: Mapping[str, Value]
    aim: Callable[[Any, Seat, Action], str] = lambda _view, _seat, _action: ""
    analysis: Callable[[AnyGame, Any, Seat], Found] | None = None
    figures: tuple[Figure, ...] = ()
    strategy: str = ""
    apart: Mapping[str, str] = field(default_factory=dict)
    playing: Playing = Playing()


@cache
def told_of(key: str) -> Told:
    told: Told = import_module(f"p2pcards.games.{key}.told").TOLD
    return told
