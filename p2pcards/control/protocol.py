"""Bytes to messages and back, without I/O: `u32 length | msgpack map`, the map holding a message's fields by name and
its kind under "is"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

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
        self._decode = _codec(kinds).read
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
        return _codec(kind).read(values)
    except ValueError as error:
        raise BadMessage(str(error)) from None


def to_plain(kind: Any, value: Any) -> Any:
    """A record as maps, arrays and plain values. kind: as in `from_plain`."""
    return _codec(kind).written(value)


def _name(kind: type) -> str:
    """The name by which a message class travels."""
    return NAMES.get(kind, kind.__name__)


# --- each type to plain values and back -------------------------------------------------------------------------------


class Codec(NamedTuple):
    """How values of one annotated type travel."""

    read: Convert  # from plain values; raises ValueError
    write: Convert | None  # to plain values; None where a value is plain already

    def written(self, value: Any) -> Any:
        """The value as it travels."""
        return value if self.write is None else self.write(value)


@cache
def _codec(hint: Any) -> Codec:
    """The codec of this annotated type."""
    if is_dataclass(hint):
        return _record_codec(hint)
    if get_origin(hint) in (Union, UnionType):
        return _union_codec(get_args(hint))
    if get_origin(hint) is tuple:
        return _tuple_codec(get_args(hint))
    return _scalar_codec((hint,))


def _scalar_codec(wanted: tuple[type, ...]) -> Codec:
    """The codec of plain values of one of these types."""
    # bool is a subclass of int, and a float that is whole may have been written as an int.
    types = (*wanted, int) if float in wanted else wanted
    names = " or ".join([kind.__name__ for kind in wanted])

    def read(value: Any) -> Any:
        """Return the value if its type fits. Raises ValueError."""
        if type(value) not in types:
            raise ValueError(f"expected {names}, got {type(value).__name__}")
        return value

    return Codec(read, None)


def _union_codec(members: tuple[Any, ...]) -> Codec:
    """The codec of a union: optional, of records, or of scalars."""
    kinds = tuple([member for member in members if member is not NoneType])
    if len(kinds) == 1:
        inner = _codec(kinds[0])
    elif all(is_dataclass(kind) for kind in kinds):
        inner = _any_record_codec(kinds)
    else:
        inner = _scalar_codec(kinds)
    if len(kinds) == len(members):
        return inner
    return Codec(_or_none(inner.read), inner.write and _or_none(inner.write))


def _or_none(convert: Convert) -> Convert:
    """The same conversion, which leaves None as it is."""
    return lambda value: None if value is None else convert(value)


def _any_record_codec(kinds: tuple[Any, ...]) -> Codec:
    """The codec of a record of any of these classes, told apart by its KIND."""
    codecs = {_name(kind): _codec(kind) for kind in kinds}

    def read(value: Any) -> Any:
        """Build the record that KIND names. Raises ValueError."""
        kind = value.get(KIND) if type(value) is dict else None
        if type(kind) is not str or kind not in codecs:
            raise ValueError("unknown kind of message")
        return codecs[kind].read({key: part for key, part in value.items() if key != KIND})

    def write(value: Any) -> Any:
        """The fields of the record, after its KIND."""
        kind = _name(type(value))
        return {KIND: kind} | codecs[kind].written(value)

    return Codec(read, write)


def _tuple_codec(parts: tuple[Any, ...]) -> Codec:
    """The codec of a tuple, of fixed length or `tuple[X, ...]`."""
    if len(parts) == 2 and parts[1] is Ellipsis:
        each = _codec(parts[0])
        to_list = list if each.write is None else partial(_write_each, each.write)
        return Codec(lambda value: tuple([each.read(part) for part in _list(value)]), to_list)
    codecs = [_codec(part) for part in parts]

    def read(value: Any) -> Any:
        """Build a tuple of fixed length. Raises ValueError."""
        if len(_list(value)) != len(codecs):
            raise ValueError(f"expected {len(codecs)} values, got {len(value)}")
        return tuple([codec.read(part) for codec, part in zip(codecs, value, strict=True)])

    def write(value: Any) -> Any:
        """The elements of the tuple as a list."""
        return [codec.written(part) for codec, part in zip(codecs, value, strict=True)]

    return Codec(read, write if any(codec.write for codec in codecs) else list)


def _write_each(write: Convert, values: Any) -> list[Any]:
    """The elements of a tuple, each written."""
    return list(map(write, values))


def _record_codec(kind: Any) -> Codec:
    """The codec of one class of records; missing and extra fields are refused."""

    def read(value: Any) -> Any:
        """Build the record, with no field missing or extra. Raises ValueError."""
        codecs = _field_codecs(kind)
        if type(value) is not dict or value.keys() != codecs.keys():
            raise ValueError(f"{kind.__name__} has missing or extra fields")
        try:
            return kind(**{name: codec.read(value[name]) for name, codec in codecs.items()})
        except ValueError as error:
            raise ValueError(f"in {kind.__name__}: {error}") from None

    def write(value: Any) -> Any:
        """The fields of the record by name."""
        record = {}
        for name, codec in _field_codecs(kind).items():
            part = getattr(value, name)
            record[name] = part if codec.write is None else codec.write(part)
        return record

    return Codec(read, write)


@cache
def _field_codecs(kind: Any) -> dict[str, Codec]:
    """The codecs of a class's fields by name, made when the first record comes: a command sends one message and gets
    two."""
    hints = get_type_hints(kind)
    return {field.name: _codec(hints[field.name]) for field in fields(kind)}


def _list(value: Any) -> list[Any]:
    """Return the value if it is a list. Raises ValueError."""
    if type(value) is not list:
        raise ValueError(f"expected a list, got {type(value).__name__}")
    return value
