"""Actions of any game to and from the numbers and fields that travel; the action classes say what is in them."""

from __future__ import annotations

import types
from dataclasses import fields
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from p2pcards.cards.card import Card, Suit, is_card
from p2pcards.games.game import Action, Game
from p2pcards.wire.refused import Cause, Refused


def encode_action(game: Game, action: Action) -> tuple[int, tuple[Any, ...]]:
    """The number of the action's class, and its fields as they travel."""
    values = tuple([_encode(getattr(action, field.name)) for field in fields(action)])
    return game.actions.index(type(action)), values


def decode_action(game: Game, number: int, values: tuple[Any, ...]) -> Action:
    """The action. Raises Refused unless number and fields have exactly the shape that the game declares."""
    if number >= len(game.actions):
        raise Refused(Cause.SHAPE, f"{game.name} has no action {number}.")
    kind = game.actions[number]
    hints = _hints(kind)
    if len(values) != len(hints):
        raise Refused(Cause.SHAPE, f"The action {kind.__name__} has {len(hints)} fields, not {len(values)}.")
    return kind(*[_decode(hint, value) for hint, value in zip(hints, values, strict=True)])


@cache
def _hints(kind: type) -> tuple[Any, ...]:
    hints = get_type_hints(kind)
    return tuple(hints[field.name] for field in fields(kind))


def _encode(value: Any) -> Any:
    if isinstance(value, tuple):
        if all(isinstance(part, Card) for part in value):
            return bytes(value)
        return tuple([_encode(part) for part in value])
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _decode(hint: Any, value: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        inner = next(part for part in get_args(hint) if part is not type(None))
        return None if value is None else _decode(inner, value)
    if get_origin(hint) is tuple:
        return _decode_tuple(get_args(hint)[0], value)
    if hint is bool and type(value) is bool:
        return value
    if type(value) is int:
        if hint is Card and 0 < value < 256 and is_card(value):
            return Card(value)
        if hint is Suit and 0 <= value <= 3:
            return Suit(value)
        if hint is int:
            return value
    raise Refused(Cause.SHAPE, "A field of an action has the wrong shape.")


def _decode_tuple(inner: Any, value: Any) -> tuple[Any, ...]:
    if inner is Card and type(value) is bytes and all(is_card(byte) for byte in value):
        return tuple([Card(byte) for byte in value])
    if inner is not Card and type(value) is tuple:
        return tuple([_decode(inner, part) for part in value])
    raise Refused(Cause.SHAPE, "A field of an action has the wrong shape.")


def cards_from(data: bytes) -> tuple[Card, ...]:
    """The cards of a bin; Refused for a byte that is none, the face-down card included."""
    if not all(is_card(byte) for byte in data):
        raise Refused(Cause.SHAPE, "A byte is no card.")
    return tuple([Card(byte) for byte in data])
