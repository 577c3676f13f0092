"""What is shown of a game where files are made: hands to which chance does not come, what to choose so that something
happens. A game of which all is shown by itself has no file here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from p2pcards.games.options import Value

Until = Callable[[Any, Any], bool]
"""Whether something has come about between two states."""
Barred = Callable[[Any, Any], Sequence[Any]]
"""What somebody may not do in a state in which they take this action."""


Chosen = Callable[[Any, int], Any]
"""What a seat does in a state, None where a novice or chance decides."""


def nothing(_state: Any, _action: Any) -> Sequence[Any]:
    return ()


def as_it_comes(_state: Any, _seat: int) -> Any:
    return None


@dataclass(frozen=True)
class Together:
    """Values of several options that change one another. what: in words; told: the options that, turned back to their
    defaults, must be told from these values; until: what must come about in it; held: by which name a hand is stacked;
    strict: a player is refused a card that they may not play; barred: and, when they act, these."""

    what: str
    values: Mapping[str, Any]
    told: Sequence[str] = ()
    until: Until = lambda _before, _state: True
    held: str = ""
    strict: bool = False
    barred: Barred = nothing


@dataclass(frozen=True)
class Shown:
    """Of the cases of the options: beside, by option, others without which its values make no difference, or only after
    a long game. held: by option or name a hand of the player at the dealer's left to which chance hardly ever comes;
    drawn: a card with its place in the pack, the upcard, or the first of the stock; packet: how many cards are dealt at
    a time. chosen: by option what is done that a novice and chance hardly ever do. together: cases of values that
    change one another; more() -> others, made by hand. alone: options on which nothing depends but what the screen
    shows.

    secrets: by preset that of a playthrough in which something happens; by_novices: who play it, where by chance nobody
    knocks or bids low. seed: of a transcript.
    """

    beside: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    drawn: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    packet: int = 1
    chosen: Mapping[str, Chosen] = field(default_factory=dict)
    together: Sequence[Together] = ()
    more: Callable[[], Iterator[dict[str, Any]]] = lambda: iter(())
    alone: Sequence[str] = ()
    secrets: Mapping[str, str] = field(default_factory=dict)
    by_novices: bool = False
    seed: int = 1


def shown_of(key: str) -> Shown:
    found: Shown = import_module(f"rigs.shown.{key}").SHOWN if find_spec(f"rigs.shown.{key}") else Shown()
    return found
