"""Canonical msgpack arrays, the checks that give their elements exact types, and actions of any game to and from
them. One error for anything from a peer or a log that is not as it must be."""

from __future__ import annotations

import types
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import fields
from enum import IntEnum, IntFlag, StrEnum
from functools import cache
from typing import Any, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

import msgpack

from p2pcards.cards.card import Card, Suit, is_card_byte
from p2pcards.games.game import Action, AnyGame

# --- the one error for anything from a peer or a log that is not as it must be ----------------------------------------


class Cause(StrEnum):
    """The fault, in the order in which a receiver checks."""

    LENGTH = "length"
    ENCODING = "encoding"
    SHAPE = "shape"
    BASE = "base"
    SEAT = "seat"
    SIGNATURE = "signature"
    RULES = "rules"
    FAIRNESS = "fairness"
    FACES = "faces"
    HISTORY = "history"


class Refused(Exception):
    """Something received or read that is refused: `cause` says at which check, the text is a sentence."""

    def __init__(self, cause: Cause, sentence: str) -> None:
        super().__init__(sentence)
        self.cause = cause


# --- canonical msgpack arrays, and the checks that give their elements exact types ------------------------------------


T = TypeVar("T")
N = TypeVar("N", bound=IntEnum)
F = TypeVar("F", bound=IntFlag)
Check = Callable[[Any], T]


def elements(thing: Any) -> list[Any]:
    """The fields of a dataclass in their order, as elements of an array: a field called `fields`, those of an action,
    is as many elements as it has. Raises TypeError for anything else."""
    kind: type = type(thing)
    values: list[Any] = []
    for name in _field_names(kind):
        value = getattr(thing, name)
        values += value if name == "fields" else [value]
    return values


_PACKER = msgpack.Packer(use_bin_type=True, default=elements)


def pack(values: Sequence[Any]) -> bytes:
    """The values as one msgpack array in its shortest encoding. A dataclass among them is an array of its elements."""
    packed: bytes = _PACKER.pack(values)
    return packed


def unpack(body: bytes) -> list[Any]:
    """The array in these bytes. Raises Refused for anything but one array in its shortest encoding."""
    try:
        values = msgpack.unpackb(body, raw=False, strict_map_key=True)
        if type(values) is not list:
            raise Refused(Cause.SHAPE, "This is not an array.")
        if pack(values) != body:
            raise Refused(Cause.ENCODING, "This is not written in its one canonical form.")
    except Refused:
        raise
    except Exception as error:  # whatever hostile bytes make of the decoder
        raise Refused(Cause.ENCODING, "This is not msgpack.") from error
    return values


def match(values: Sequence[Any], *checks: Check[Any]) -> list[Any]:
    """Check each value by the check at its place, and return the results; `raw_fields`, as the last check, takes all
    values that are left. Raises Refused for another number of values or a value that fails."""
    if checks and checks[-1] is raw_fields:
        last = len(checks) - 1
        return [*match(values[:last], *checks[:-1]), raw_fields(values[last:])]
    if len(values) != len(checks):
        raise Refused(Cause.SHAPE, f"There are {len(values)} elements where {len(checks)} belong.")
    return [check(value) for value, check in zip(values, checks, strict=True)]


Kind = tuple[Callable[..., T], tuple[Check[Any], ...]]
"""What makes a message, entry or note of one kind, and the checks of its elements after the kind, in order."""


def find_kind(kinds: Mapping[int, Kind[T]], values: Sequence[Any], sentence: str) -> Kind[T]:
    """The kind that the first value names. Raises Refused with this sentence if there is none."""
    kind = values[0] if values else None
    if type(kind) is not int or kind not in kinds:
        raise Refused(Cause.SHAPE, sentence)
    return kinds[kind]


def _shape_refusal(what: str) -> Refused:
    """The Refused for a value of the wrong shape. what: what it should be, such as "a number from 0 to 3"."""
    return Refused(Cause.SHAPE, f"An element should be {what}.")


def uint(high: int = 2**32 - 1, low: int = 0) -> Check[int]:
    """A check for an integer from `low` to `high`."""

    def check(value: Any) -> int:
        """Return the value if it is an integer in the range. Raises Refused."""
        if type(value) is not int or not low <= value <= high:
            raise _shape_refusal(f"a number from {low} to {high}")
        return value

    return check


def member(kind: type[N]) -> Check[N]:
    """A check that turns a number into a member of this enum."""
    numbers = {int(number): number for number in kind}
    what = f"a number from {min(numbers)} to {max(numbers)}"

    def check(value: Any) -> N:
        """The member with this number. Raises Refused."""
        if type(value) is not int or value not in numbers:
            raise _shape_refusal(what)
        return numbers[value]

    return check


def flags(kind: type[F]) -> Check[F]:
    """A check that turns a sum of bits into flags of this class."""
    most = sum(kind)

    def check(value: Any) -> F:
        """The flags in this number. Raises Refused."""
        if type(value) is not int or not 0 <= value <= most:
            raise _shape_refusal(f"a number from 0 to {most}")
        return kind(value)

    return check


def _bytes_of(sizes: Container[int], what: str) -> Check[bytes]:
    """A check for bytes of one of these sizes. what: as for `_shape_refusal`."""

    def check(value: Any) -> bytes:
        """Return the value if it is bytes of such a size. Raises Refused."""
        if type(value) is not bytes or len(value) not in sizes:
            raise _shape_refusal(what)
        return value

    return check


def blob(size: int) -> Check[bytes]:
    """A check for exactly `size` bytes."""
    return _bytes_of((size,), f"{size} bytes")


def blob_up_to(size: int) -> Check[bytes]:
    """A check for at most `size` bytes."""
    return _bytes_of(range(size + 1), f"at most {size} bytes")


def blob_or_none(size: int) -> Check[bytes]:
    """A check for `size` bytes or b""."""
    return _bytes_of((0, size), f"{size} bytes, or none")


def text(size: int) -> Check[str]:
    """A check for a str of at most `size` characters."""

    def check(value: Any) -> str:
        """Return the value if it is a str within the limit. Raises Refused."""
        if type(value) is not str or len(value) > size:
            raise _shape_refusal(f"a text of at most {size} characters")
        return value

    return check


def boolean(value: Any) -> bool:
    """Check that a value is a bool. Raises Refused."""
    if type(value) is not bool:
        raise _shape_refusal("true or false")
    return value


def maybe(inner: Check[T]) -> Check[T | None]:
    """A check that also lets None through."""
    return lambda value: None if value is None else inner(value)


def array(inner: Check[T], most: int) -> Check[tuple[T, ...]]:
    """A check for an array of at most `most` elements, each passing the inner check."""

    def check(value: Any) -> tuple[T, ...]:
        """The elements of an array, each checked. Raises Refused."""
        if type(value) is not list or len(value) > most:
            raise _shape_refusal(f"an array of at most {most}")
        return tuple([inner(element) for element in value])

    return check


def row(build: Callable[..., T], *checks: Check[Any]) -> Check[T]:
    """A check for an array of fixed length, one check for each element, from which `build` makes the result."""

    def check(value: Any) -> T:
        """The object built from an array of checked elements. Raises Refused."""
        if type(value) is not list:
            raise _shape_refusal("an array")
        return build(*match(value, *checks))

    return check


def rule_value(value: Any) -> bool | int | str:
    """Check the form of a rule option's value; the game decides what it may be. Raises Refused."""
    if type(value) is bool or (type(value) is int and abs(value) < 2**31) or (type(value) is str and len(value) <= 40):
        return value
    raise _shape_refusal("the value of an option")


MOST_KEPT = 2**20
"""The magnitude of the largest number that a game keeps from hand to hand: no score comes near."""


def raw_field(value: Any, depth: int = 3) -> Any:
    """Check the form of an action's field, with arrays nested at most `depth` deep; the game decides what it may be.
    Raises Refused."""
    if value is None or type(value) in (int, bool, bytes):
        return value
    if type(value) is list and depth:
        return tuple([raw_field(element, depth - 1) for element in value])
    raise _shape_refusal("a field of an action")


def raw_fields(values: Sequence[Any]) -> tuple[Any, ...]:
    """Check the form of the fields of an action. Raises Refused."""
    return tuple([raw_field(value) for value in values])


def kept_value(value: Any, depth: int = 3) -> Any:
    """Check the form of a value that a game keeps from hand to hand; the game decides what it may be. Raises
    Refused."""
    if type(value) is int and abs(value) <= MOST_KEPT:
        return value
    if type(value) is list and depth and len(value) <= 16:
        return tuple([kept_value(element, depth - 1) for element in value])
    raise _shape_refusal("a value that a game keeps")


def cards_from(data: bytes) -> tuple[Card, ...]:
    """The cards in these bytes, one each. Raises Refused for a byte that is no card, or the face-down one."""
    if not all(is_card_byte(byte) for byte in data):
        raise Refused(Cause.SHAPE, "A byte is not a card.")
    return tuple([Card(byte) for byte in data])


# --- actions of any game to and from the numbers and fields that travel -----------------------------------------------


MOST = 2**16 - 1
"""The largest number in an action."""


def encode_action(game: AnyGame, action: Action) -> tuple[int, tuple[Any, ...]]:
    """(class number, fields) of an action as they travel."""
    kind: type = type(action)
    return game.actions.index(kind), tuple([_encode_field(getattr(action, name)) for name in _field_names(kind)])


def decode_action(game: AnyGame, number: int, values: tuple[Any, ...]) -> Action:
    """The action. Raises Refused unless number and fields have exactly the shape that the game declares."""
    if number >= len(game.actions):
        raise Refused(Cause.SHAPE, f"{game.name} has no action {number}.")
    kind: type = game.actions[number]
    decoders = _field_decoders(kind)
    if len(values) != len(decoders):
        raise Refused(Cause.SHAPE, f"The action {kind.__name__} has {len(decoders)} fields, not {len(values)}.")
    return kind(*[decode(value) for decode, value in zip(decoders, values, strict=True)])


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """The names of the fields of a dataclass, in order."""
    return tuple(field.name for field in fields(kind))


@cache
def _field_decoders(kind: type) -> tuple[Callable[[Any], Any], ...]:
    """The functions that decode each field of an action class from its form on the wire. They raise Refused."""
    hints = get_type_hints(kind)
    return tuple(_field_decoder(hints[field.name]) for field in fields(kind))


def _encode_field(value: Any) -> Any:
    """The form on the wire of a field of an action: cards as bytes, enums as numbers."""
    if isinstance(value, tuple):
        if all(isinstance(part, Card) for part in value):
            return bytes(value)
        return tuple([_encode_field(part) for part in value])
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _field_decoder(hint: Any) -> Callable[[Any], Any]:
    """The function that decodes a field of this annotated type from its form on the wire."""
    if get_origin(hint) in (Union, types.UnionType):
        inner = _field_decoder(next(part for part in get_args(hint) if part is not type(None)))
        return maybe(inner)
    if get_origin(hint) is tuple:
        return _tuple_decoder(get_args(hint)[0])
    return _SCALARS[hint]


def _tuple_decoder(inner: Any) -> Callable[[Any], Any]:
    """The function that decodes a tuple field; cards travel as bytes."""
    if inner is Card:
        return lambda value: cards_from(value) if type(value) is bytes else _refuse_field()
    each = _field_decoder(inner)
    return lambda value: tuple([each(part) for part in value]) if type(value) is tuple else _refuse_field()


def _refuse_field() -> NoReturn:
    """Raise Refused for a field of an action that has the wrong shape."""
    raise Refused(Cause.SHAPE, "A field of an action has the wrong shape.")


_SCALARS: dict[Any, Callable[[Any], Any]] = {
    bool: lambda value: value if type(value) is bool else _refuse_field(),
    int: lambda value: value if type(value) is int and 0 <= value <= MOST else _refuse_field(),
    Card: lambda value: (
        Card(value) if type(value) is int and 0 < value < 256 and is_card_byte(value) else _refuse_field()
    ),
    Suit: lambda value: Suit(value) if type(value) is int and 0 <= value <= 3 else _refuse_field(),
}
