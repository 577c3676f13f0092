"""Hostile bytes: valid ones damaged, and valid values written otherwise than in their one canonical form."""

from __future__ import annotations

from typing import Any

import msgpack
from hypothesis import strategies as st


def damaged(data: bytes) -> st.SearchStrategy[bytes]:
    """The bytes with something flipped, cut out, put in or repeated."""
    place = st.integers(0, len(data))
    flips = st.builds(
        lambda i, mask: data[:i] + bytes([byte ^ mask for byte in data[i : i + 1]]) + data[i + 1 :],
        place,
        st.integers(1, 255),
    )
    cuts = st.builds(lambda i, j: data[: min(i, j)] + data[max(i, j) :], place, place)
    puts = st.builds(lambda i, new: data[:i] + new + data[i:], place, st.binary(min_size=1, max_size=6))
    twice = st.builds(lambda i, j: data[: max(i, j)] + data[min(i, j) :], place, place)
    return st.one_of(flips, cuts, puts, twice)


def written_otherwise(value: Any) -> list[bytes]:
    """The value in msgpack, in every other way that its head can be written."""
    match value:
        case bool() | None:
            return []
        case int():
            wide = [bytes((0xCC + i,)) + value.to_bytes(1 << i, "big") for i in range(4) if 0 <= value < 1 << (8 << i)]
            signed = [
                bytes((0xD0 + i,)) + value.to_bytes(1 << i, "big", signed=True)
                for i in range(4)
                if -(1 << (8 << i) - 1) <= value < 1 << (8 << i) - 1
            ]
            return [way for way in wide + signed if way != msgpack.packb(value)]
        case str():
            data = value.encode()
            ways = [b"\xd9" + bytes((len(data),)) + data] if len(data) < 256 else []
            ways += [b"\xda" + len(data).to_bytes(2, "big") + data, b"\xdb" + len(data).to_bytes(4, "big") + data]
            return [way for way in ways if way != msgpack.packb(value)]
        case bytes():
            ways = [b"\xc5" + len(value).to_bytes(2, "big") + value, b"\xc6" + len(value).to_bytes(4, "big") + value]
            return [way for way in ways if way != msgpack.packb(value)]
        case list() | tuple():
            inner = b"".join([msgpack.packb(part) for part in value])
            ways = [b"\xdc" + len(value).to_bytes(2, "big"), b"\xdd" + len(value).to_bytes(4, "big")]
            return [head + inner for head in ways if head + inner != msgpack.packb(value)]
        case _:
            raise TypeError(value)


def respelled(values: list[Any]) -> list[bytes]:
    """An array in which one element at some depth, or the array itself, is written otherwise; each way once."""
    ways = written_otherwise(values)
    head = msgpack.packb(values)[: len(msgpack.packb(values)) - sum(len(msgpack.packb(part)) for part in values)]
    for place, part in enumerate(values):
        before = b"".join([msgpack.packb(other) for other in values[:place]])
        after = b"".join([msgpack.packb(other) for other in values[place + 1 :]])
        inner = respelled(list(part)) if isinstance(part, list | tuple) else written_otherwise(part)
        ways += [head + before + way + after for way in inner]
    return ways


def with_element(values: list[Any], element: Any) -> list[list[Any]]:
    """The array with each of its elements in turn exchanged for this one, at every depth."""
    ways = []
    for place, part in enumerate(values):
        ways.append([*values[:place], element, *values[place + 1 :]])
        if isinstance(part, list | tuple):
            ways += [[*values[:place], way, *values[place + 1 :]] for way in with_element(list(part), element)]
    return ways


BOMBS = [
    b"\x91" * 400 + b"\xc0",
    b"\x91" * 507 + b"\xc0",
    b"\x91" * 4000,
    b"\x91" * 4000 + b"\xc0",
    b"\x81\x01" * 1500 + b"\xc0",
    b"\xdd\xff\xff\xff\xff",
    b"\xdc\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x01",
    b"\xc1",
    b"\x92\x00",
    b"\x80",
    b"\x81\x01\x02",
    b"\x82\x01\x02\x01\x03",
    b"\xd4\x01\x00",
    b"\xd6\xff\x00\x00\x00\x00",
    b"\xc7\x00\x05",
    b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"\x91\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"\x91\xa2\xff\xfe",
    b"\x91\xa3\xed\xa0\x80",
    b"\x90",
    b"\xc0",
    b"\x00",
    b"",
]

# In place of any element these are refused wherever a number, a text, bytes or an array belongs.
MISFITS: list[Any] = [1.0, -1, 2**40, -(2**63), {"a": 1}, {}, msgpack.ExtType(5, b"x"), float("inf"), [[[[[[]]]]]]]
