"""STUN (RFC 8489): the question which address and port of ours a server sees, and its answer. No I/O."""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from p2pcards.links.pcp import IP

LONGEST = 1280
"""Bytes of an answer; longer ones may come in pieces (section 6.1)."""
TRANSACTION_SIZE = 12

COOKIE = bytes.fromhex("2112a442")
BINDING, SUCCESS = 0x0001, 0x0101
HEAD = struct.Struct("!HH4s12s")  # type, length of the rest, cookie, transaction
ATTRIBUTE = struct.Struct("!HH")  # type, length without padding

XOR_MAPPED_ADDRESS = 0x0020
UNDERSTOOD = frozenset([0x0001, 0x0008, 0x001C, XOR_MAPPED_ADDRESS])
"""The others mean nothing here: an address that routers rewrite, and two proofs for those who share a password."""
OPTIONAL = 0x8000
"""From there on are attributes that need not be understood."""
SIZES = {1: 4, 2: 16}
"""Bytes of an address of each family."""


@dataclass(frozen=True, slots=True)
class ReflexiveAddress:
    """Ours, as a server saw it."""

    address: IP
    port: int


def binding_request(transaction: bytes) -> bytes:
    """A STUN request. transaction: TRANSACTION_SIZE random bytes that identify the answer."""
    return HEAD.pack(BINDING, 0, COOKIE, transaction)


def read_answer(datagram: bytes, transaction: bytes) -> ReflexiveAddress | None:
    """The address in a successful answer to this transaction, None for anything else. Redirections are ignored."""
    if not HEAD.size <= len(datagram) <= LONGEST:
        return None
    kind, length, cookie, its_transaction = HEAD.unpack_from(datagram)
    if (kind, length, cookie, its_transaction) != (SUCCESS, len(datagram) - HEAD.size, COOKIE, transaction):
        return None
    mapped: bytes | None = None
    for attribute, value in _attributes(datagram[HEAD.size :]):
        if value is None or (attribute < OPTIONAL and attribute not in UNDERSTOOD):
            return None
        if attribute == XOR_MAPPED_ADDRESS and mapped is None:  # the first one counts (section 14)
            mapped = value
    return None if mapped is None else _read_mapped(mapped, transaction)


def _attributes(rest: bytes) -> Iterator[tuple[int, bytes | None]]:
    """(type, value) of each attribute; the value is None for a truncated one."""
    while rest:
        if len(rest) < ATTRIBUTE.size:
            yield 0, None
            return
        attribute, length = ATTRIBUTE.unpack_from(rest)
        end = ATTRIBUTE.size + length
        padded = end + -length % 4
        yield attribute, rest[ATTRIBUTE.size : end] if padded <= len(rest) else None
        rest = rest[padded:]


def _read_mapped(value: bytes, transaction: bytes) -> ReflexiveAddress | None:
    """The address in an XOR-MAPPED-ADDRESS attribute, None if it is malformed."""
    if len(value) < 4 or SIZES.get(value[1]) != len(value) - 4:
        return None
    port = int.from_bytes(_xor(value[2:4], COOKIE), "big")
    address = ipaddress.ip_address(_xor(value[4:], COOKIE + transaction))
    return ReflexiveAddress(address, port) if port else None


def _xor(value: bytes, mask: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(value, mask, strict=False))
