"""Bytes to messages and back, without I/O: `u32 length | msgpack map`, the map holding a message's fields by name and
its kind under "is"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgpack

from p2pcards.control.messages import Answer, Message, News, Request

LIMIT = 1 << 20
"""Bytes of one message, without its length."""

DEPTH = 16
"""Tuples inside each other in a plain value."""

Check = Callable[[Any], Any]
T = TypeVar("T")


class BadMessage(Exception):
    """What came is no message of the control socket; the argument says what is wrong with it."""


def encode(message: Message) -> bytes:
    """Raises ValueError when the message is over LIMIT."""
    # Words from a command line may hold bytes that are no text.
    body: bytes = msgpack.packb({"is": type(message).__name__} | to_plain(message), unicode_errors="replace")
    if len(body) > LIMIT:
        raise ValueError(f"a message of {len(body)} bytes is over the limit of {LIMIT}")
    return len(body).to_bytes(4, "big") + body


class Reader:
    """Takes bytes as they come and gives the whole messages in them. kinds: a union of message classes."""

    def __init__(self, kinds: Any) -> None:
        self._kinds = {kind.__name__: kind for kind in get_args(kinds)}
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Any]:
        """Raises BadMessage; after that nothing more can be read."""
        self._buffer += data
        while len(self._buffer) >= 4:
            size = int.from_bytes(self._buffer[:4], "big")
            if size > LIMIT:
                raise BadMessage(f"a length of {size} bytes is over the limit of {LIMIT}")
            if len(self._buffer) < 4 + size:
                return
            body = bytes(self._buffer[4 : 4 + size])
            del self._buffer[: 4 + size]
            yield self._decode(body)

    def _decode(self, body: bytes) -> Any:
        try:
            values = msgpack.unpackb(body)
        except (ValueError, msgpack.UnpackException) as error:
            raise BadMessage(f"not msgpack: {error}") from None
        kind = values.pop("is", None) if type(values) is dict else None
        if type(kind) is not str or kind not in self._kinds:
            raise BadMessage("no message of a known kind")
        return from_plain(self._kinds[kind], values)


def request_reader() -> Reader:
    """For the daemon's side."""
    return Reader(Request)


def answer_reader() -> Reader:
    """For the front end's side."""
    return Reader(Answer | News)


def from_plain(kind: type[T], values: Any) -> T:
    """The record behind plain values, such as those of `to_plain`. Raises BadMessage."""
    hint: Any = kind
    try:
        record: T = _check_of(hint)(values)
    except ValueError as error:
        raise BadMessage(f"in a {kind.__name__} message {error}") from None
    return record


def to_plain(value: Any) -> Any:
    """A record as maps, arrays and plain values."""
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [to_plain(part) for part in value]
    if isinstance(value, dict):
        return {key: to_plain(part) for key, part in value.items()}
    return value


@cache
def _check_of(hint: Any) -> Check:
    """What turns an unpacked value into one of the type that an annotation names, or raises ValueError."""
    if is_dataclass(hint):
        return _record_check(hint)
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _union_check(get_args(hint))
    if origin is tuple:
        return _tuple_check(get_args(hint))
    if origin in (dict, Mapping):
        return _dict_check(_check_of(get_args(hint)[1]))
    return _scalar_check(hint)


def _scalar_check(wanted: type) -> Check:
    # bool is a subclass of int, and a float that is whole may have been written as an int.
    types = (float, int) if wanted is float else (wanted,)

    def check(value: Any) -> Any:
        if type(value) not in types:
            raise ValueError(f"{type(value).__name__} stands where {wanted.__name__} belongs")
        return value

    return check


def _union_check(members: tuple[Any, ...]) -> Check:
    others = [member for member in members if member is not NoneType]
    if len(others) > 1:  # the one such union in these messages is `tableview.Value`
        return _value
    inner = _check_of(others[0])
    return lambda value: None if value is None else inner(value)


def _tuple_check(parts: tuple[Any, ...]) -> Check:
    if len(parts) == 2 and parts[1] is Ellipsis:
        each = _check_of(parts[0])
        return lambda value: tuple([each(part) for part in _list(value)])
    checks = [_check_of(part) for part in parts]

    def check(value: Any) -> Any:
        if len(_list(value)) != len(checks):
            raise ValueError(f"{len(value)} values stand where {len(checks)} belong")
        return tuple([inner(part) for inner, part in zip(checks, value, strict=True)])

    return check


def _dict_check(inner: Check) -> Check:
    text = _scalar_check(str)

    def check(value: Any) -> Any:
        if type(value) is not dict:
            raise ValueError(f"{type(value).__name__} stands where a map belongs")
        return {text(key): inner(part) for key, part in value.items()}

    return check


def _record_check(kind: Any) -> Check:
    hints = get_type_hints(kind)
    checks = {field.name: _check_of(hints[field.name]) for field in fields(kind)}

    def check(value: Any) -> Any:
        if type(value) is not dict or value.keys() != checks.keys():
            raise ValueError(f"{kind.__name__} does not have just its fields")
        return kind(**{name: inner(value[name]) for name, inner in checks.items()})

    return check


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise ValueError(f"{type(value).__name__} stands where a list belongs")
    return value


def _value(value: Any, depth: int = 0) -> Any:
    """A plain value, as `tableview.Value` says."""
    if type(value) is list and depth < DEPTH:
        return tuple([_value(part, depth + 1) for part in value])
    if value is None or type(value) in (str, int, bool, float):
        return value
    raise ValueError(f"{type(value).__name__} stands where a plain value belongs")
