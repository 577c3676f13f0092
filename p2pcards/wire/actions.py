"""Actions of any game to and from the numbers and fields that travel; the action classes say what is in them."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, NoReturn, Union, get_args, get_origin, get_type_hints

from p2pcards.cards.card import Card, Suit, is_card
from p2pcards.games.game import Action, AnyGame
from p2pcards.wire.packing import cards_from
from p2pcards.wire.refused import Cause, Refused


def encode_action(game: AnyGame, action: Action) -> tuple[int, tuple[Any, ...]]:
    """The number of the action's class, and its fields as they travel."""
    kind = type(action)
    return game.actions.index(kind), tuple([_encode(getattr(action, name)) for name in _names(kind)])


def decode_action(game: AnyGame, number: int, values: tuple[Any, ...]) -> Action:
    """The action. Raises Refused unless number and fields have exactly the shape that the game declares."""
    if number >= len(game.actions):
        raise Refused(Cause.SHAPE, f"{game.name} has no action {number}.")
    kind: type = game.actions[number]
    decoders = _decoders(kind)
    if len(values) != len(decoders):
        raise Refused(Cause.SHAPE, f"The action {kind.__name__} has {len(decoders)} fields, not {len(values)}.")
    return kind(*[decode(value) for decode, value in zip(decoders, values, strict=True)])


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _decoders(kind: type) -> tuple[Callable[[Any], Any], ...]:
    """What turns each field of an action class from what travels into what it stands for; Refused for anything else."""
    hints = get_type_hints(kind)
    return tuple(_decoder(hints[field.name]) for field in fields(kind))


def _encode(value: Any) -> Any:
    if isinstance(value, tuple):
        if all(isinstance(part, Card) for part in value):
            return bytes(value)
        return tuple([_encode(part) for part in value])
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _decoder(hint: Any) -> Callable[[Any], Any]:
    if get_origin(hint) in (Union, types.UnionType):
        inner = _decoder(next(part for part in get_args(hint) if part is not type(None)))
        return lambda value: None if value is None else inner(value)
    if get_origin(hint) is tuple:
        return _tuple_decoder(get_args(hint)[0])
    return _SCALARS[hint]


def _tuple_decoder(inner: Any) -> Callable[[Any], Any]:
    if inner is Card:
        return lambda value: cards_from(value) if type(value) is bytes else _wrong()
    each = _decoder(inner)
    return lambda value: tuple([each(part) for part in value]) if type(value) is tuple else _wrong()


def _wrong() -> NoReturn:
    raise Refused(Cause.SHAPE, "A field of an action has the wrong shape.")


_SCALARS: dict[Any, Callable[[Any], Any]] = {
    bool: lambda value: value if type(value) is bool else _wrong(),
    int: lambda value: value if type(value) is int else _wrong(),
    Card: lambda value: Card(value) if type(value) is int and 0 < value < 256 and is_card(value) else _wrong(),
    Suit: lambda value: Suit(value) if type(value) is int and 0 <= value <= 3 else _wrong(),
}
