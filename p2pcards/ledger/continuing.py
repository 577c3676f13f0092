"""How a game continues in another log: what it keeps from hand to hand travels in the header of that log
(protocol/company.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, is_dataclass
from typing import Any

from p2pcards.games.changing import changed
from p2pcards.games.game import AnyGame, Stage
from p2pcards.wire.packing import Cause, Refused

SEAT_FIELDS = ("dealer", "first_dealer")
"""Kept fields that hold a seat."""
MOST_HANDS = 65535


def kept_values(game: AnyGame, state: Any) -> tuple[Any, ...]:
    """What the game keeps of this state between two hands, in the order of `Game.kept`."""
    return tuple([_plain(getattr(state, name)) for name in game.kept])


def state_with_kept(game: AnyGame, options: Any, values: Sequence[Any]) -> Any:
    """The state between two hands of a game that has kept these values. Raises Refused for values that no such state
    has."""
    state = game.start(options, 0)
    if len(values) != len(game.kept):
        raise Refused(Cause.RULES, f"{game.name} keeps {len(game.kept)} values, not {len(values)}.")
    kept = {name: _like(getattr(state, name), value) for name, value in zip(game.kept, values, strict=True)}
    seats = [kept[name] for name in SEAT_FIELDS if name in kept]
    if not 1 <= kept["hand"] <= MOST_HANDS or any(not 0 <= seat < game.seats(options) for seat in seats):
        raise Refused(Cause.RULES, "The continued game has no such hand or dealer.")
    return changed(state, stage=Stage.DEAL, **kept)


def _plain(value: Any) -> Any:
    """A kept value as it travels: dataclasses as arrays."""
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(astuple(value))
    return tuple([_plain(part) for part in value]) if isinstance(value, tuple) else value


def _like(model: Any, value: Any) -> Any:
    """A kept value as the state has it, of the form that it has before the first deal. Raises Refused."""
    if is_dataclass(model) and not isinstance(model, type):
        parts = _like(tuple([getattr(model, name) for name in model.__dataclass_fields__]), value)
        return type(model)(*parts)
    if isinstance(model, tuple):
        if not isinstance(value, tuple) or len(value) != len(model):
            raise Refused(Cause.RULES, "A continued game of this kind keeps other values.")
        return tuple([_like(part, inner) for part, inner in zip(model, value, strict=True)])
    if type(value) is not int:
        raise Refused(Cause.RULES, "A continued game of this kind keeps other values.")
    return value
