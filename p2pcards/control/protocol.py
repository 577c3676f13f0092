"""Bytes to messages and back, without I/O: `u32 length | msgpack map`, the map holding a message's fields by name and
its kind under "is"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgpack

from p2pcards.control.messages import Answer, Greet, Message, News, NotDone, Request

LIMIT = 1 << 20
"""Bytes of one message, without its length."""

KIND = "is"
"""The key of a record's class where several classes may stand."""

NAMES: dict[type, str] = {Greet: "Hello", NotDone: "Refused"}
"""What a class is called there, if not by its own name. `Greet`, `Stop` and the answers to them never change, so that
a daemon of any version can be told to end."""

Convert = Callable[[Any], Any]
T = TypeVar("T")


class BadMessage(Exception):
    """What came is not a message of the control socket; the argument says what is wrong with it."""


def encode(message: Message) -> bytes:
    """The bytes of a message, length first. Raises ValueError for one over LIMIT."""
    # Words from a command line may hold bytes that are not text.
    body: bytes = msgpack.packb(to_plain(Message, message), unicode_errors="replace")
    if len(body) > LIMIT:
        raise ValueError(f"a message of {len(body)} bytes is over the limit of {LIMIT}")
    return len(body).to_bytes(4, "big") + body


class Reader:
    """Takes bytes as they come and gives the whole messages in them. kinds: a union of message classes."""

    def __init__(self, kinds: Any) -> None:
        self._decode = _from_plain(kinds)
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Any]:
        """Take bytes and give the whole messages in them. Raises BadMessage, after which nothing more can be read."""
        self._buffer += data
        while len(self._buffer) >= 4:
            size = int.from_bytes(self._buffer[:4], "big")
            if size > LIMIT:
                raise BadMessage(f"a length of {size} bytes is over the limit of {LIMIT}")
            if len(self._buffer) < 4 + size:
                return
            body = bytes(self._buffer[4 : 4 + size])
            del self._buffer[: 4 + size]
            yield self._message(body)

    def _message(self, body: bytes) -> Any:
        """Decode the body of one message. Raises BadMessage."""
        try:
            values = msgpack.unpackb(body)
        except (ValueError, msgpack.UnpackException) as error:
            raise BadMessage(f"not msgpack: {error}") from None
        try:
            return self._decode(values)
        except ValueError as error:
            raise BadMessage(str(error)) from None


def request_reader() -> Reader:
    """A reader of requests, for the daemon."""
    return Reader(Request)


def answer_reader() -> Reader:
    """A reader of answers and news, for a front end."""
    return Reader(Answer | News)


def from_plain(kind: Any, values: Any) -> Any:
    """Build a record from plain values such as those of `to_plain`. kind: its class, or a union of classes. Raises
    BadMessage."""
    try:
        return _from_plain(kind)(values)
    except ValueError as error:
        raise BadMessage(str(error)) from None


def to_plain(kind: Any, value: Any) -> Any:
    """A record as maps, arrays and plain values. kind: as in `from_plain`."""
    return _converted(_to_plain(kind), value)


def _name(kind: type) -> str:
    """The name by which a message class travels."""
    return NAMES.get(kind, kind.__name__)


# --- from plain values ------------------------------------------------------------------------------------------------


@cache
def _from_plain(hint: Any) -> Convert:
    """A function that converts an unpacked value into this annotated type, or raises ValueError."""
    if is_dataclass(hint):
        return _record_from_plain(hint)
    if get_origin(hint) in (Union, UnionType):
        return _union_from_plain(get_args(hint))
    if get_origin(hint) is tuple:
        return _tuple_from_plain(get_args(hint))
    return _scalar_from_plain((hint,))


def _scalar_from_plain(wanted: tuple[type, ...]) -> Convert:
    """A converter for plain values of one of these types."""
    # bool is a subclass of int, and a float that is whole may have been written as an int.
    types = (*wanted, int) if float in wanted else wanted
    names = " or ".join([kind.__name__ for kind in wanted])

    def convert(value: Any) -> Any:
        """Return the value if its type fits. Raises ValueError."""
        if type(value) not in types:
            raise ValueError(f"expected {names}, got {type(value).__name__}")
        return value

    return convert


def _union_from_plain(members: tuple[Any, ...]) -> Convert:
    """A converter for a union: optional, of records, or of scalars."""
    kinds = tuple([member for member in members if member is not NoneType])
    if len(kinds) == 1:
        inner = _from_plain(kinds[0])
    elif all(is_dataclass(kind) for kind in kinds):
        inner = _any_record_from_plain({_name(kind): _from_plain(kind) for kind in kinds})
    else:
        inner = _scalar_from_plain(kinds)
    return inner if len(kinds) == len(members) else lambda value: None if value is None else inner(value)


def _any_record_from_plain(kinds: dict[str, Convert]) -> Convert:
    """A converter for a record of any of these classes, told apart by its KIND. kinds: converters by name."""

    def convert(value: Any) -> Any:
        """Build the record that KIND names. Raises ValueError."""
        kind = value.get(KIND) if type(value) is dict else None
        if type(kind) is not str or kind not in kinds:
            raise ValueError("unknown kind of message")
        return kinds[kind]({key: part for key, part in value.items() if key != KIND})

    return convert


def _tuple_from_plain(parts: tuple[Any, ...]) -> Convert:
    """A converter for a tuple, of fixed length or `tuple[X, ...]`."""
    if len(parts) == 2 and parts[1] is Ellipsis:
        each = _from_plain(parts[0])
        return lambda value: tuple([each(part) for part in _list(value)])
    inners = [_from_plain(part) for part in parts]

    def convert(value: Any) -> Any:
        """Build a tuple of fixed length. Raises ValueError."""
        if len(_list(value)) != len(inners):
            raise ValueError(f"expected {len(inners)} values, got {len(value)}")
        return tuple([inner(part) for inner, part in zip(inners, value, strict=True)])

    return convert


def _record_from_plain(kind: Any) -> Convert:
    """A converter for one class of records; missing and extra fields are refused."""

    def convert(value: Any) -> Any:
        """Build the record, with no field missing or extra. Raises ValueError."""
        inners = _fields_from_plain(kind)
        if type(value) is not dict or value.keys() != inners.keys():
            raise ValueError(f"{kind.__name__} has missing or extra fields")
        try:
            return kind(**{name: inner(value[name]) for name, inner in inners.items()})
        except ValueError as error:
            raise ValueError(f"in {kind.__name__}: {error}") from None

    return convert


@cache
def _fields_from_plain(kind: Any) -> dict[str, Convert]:
    """The converters of a class's fields by name, made when the first record comes: a command sends one message and
    gets two."""
    hints = get_type_hints(kind)
    return {field.name: _from_plain(hints[field.name]) for field in fields(kind)}


def _list(value: Any) -> list[Any]:
    """Return the value if it is a list. Raises ValueError."""
    if type(value) is not list:
        raise ValueError(f"expected a list, got {type(value).__name__}")
    return value


# --- to plain values --------------------------------------------------------------------------------------------------


def _converted(inner: Convert | None, value: Any) -> Any:
    return value if inner is None else inner(value)


@cache
def _to_plain(hint: Any) -> Convert | None:
    """A function that converts a value of this annotated type into plain values; None where it is plain already."""
    if is_dataclass(hint):
        return _record_to_plain(hint)
    if get_origin(hint) in (Union, UnionType):
        return _union_to_plain(get_args(hint))
    if get_origin(hint) is tuple:
        return _tuple_to_plain(get_args(hint))
    return None


def _union_to_plain(members: tuple[Any, ...]) -> Convert | None:
    """A function that converts a value of a union into plain values; records carry their KIND."""
    kinds = [member for member in members if member is not NoneType]
    if len(kinds) == 1:
        inner = _to_plain(kinds[0])
        return None if inner is None else lambda value: None if value is None else inner(value)
    if not all(is_dataclass(kind) for kind in kinds):
        return None
    inners = {kind: _record_to_plain(kind) for kind in kinds}
    return lambda value: None if value is None else {KIND: _name(type(value))} | inners[type(value)](value)


def _tuple_to_plain(parts: tuple[Any, ...]) -> Convert:
    """A function that converts a tuple into a list."""
    if len(parts) == 2 and parts[1] is Ellipsis:
        each = _to_plain(parts[0])
        return list if each is None else lambda value: list(map(each, value))
    inners = [_to_plain(part) for part in parts]
    if not any(inners):
        return list
    return lambda value: [_converted(inner, part) for inner, part in zip(inners, value, strict=True)]


def _record_to_plain(kind: Any) -> Convert:
    """A function that converts a record into a dict."""

    def convert(value: Any) -> Any:
        record = {}
        for name, inner in _fields_to_plain(kind):
            part = getattr(value, name)
            record[name] = part if inner is None else inner(part)
        return record

    return convert


@cache
def _fields_to_plain(kind: Any) -> list[tuple[str, Convert | None]]:
    """(name, converter) for each field of a class."""
    hints = get_type_hints(kind)
    return [(field.name, _to_plain(hints[field.name])) for field in fields(kind)]
