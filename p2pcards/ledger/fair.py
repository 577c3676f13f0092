"""The fair deal: chains of values, the secret of a hand, and what is drawn from them; protocol/fair-deal.md."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256

from p2pcards.wire.entries import COMMITMENT, SALT, VALUE
from p2pcards.wire.header import Header
from p2pcards.wire.packing import pack

CHAIN = 16384
"""Steps from the seed of a chain to its end, and so the most hands in a game."""
STRIDE = 128
"""Steps between two values that are kept of a chain: all of them would take a megabyte."""
KEPT = 512
"""Chains of which some values are kept, and values of the hands that are on: as many tables may play at once."""


def _step(value: bytes) -> bytes:
    return sha256(b"p2pcards chain 1" + value).digest()[:VALUE]


@lru_cache(maxsize=KEPT)
def _milestones(seed: bytes) -> tuple[bytes, ...]:
    """Every STRIDE-th value, from the end on."""
    values, value = [seed], seed
    for left in reversed(range(CHAIN)):
        value = _step(value)
        if left % STRIDE == 0:
            values.append(value)
    return tuple(reversed(values))


@lru_cache(maxsize=KEPT)
def chain_value(seed: bytes, number: int) -> bytes:
    """Value 0 (the end) to CHAIN (the seed itself) of the chain that grows from a seed of 24 random bytes."""
    value = _milestones(seed)[-(-number // STRIDE)]
    for _ in range(-number % STRIDE):
        value = _step(value)
    return value


def fits(value: bytes, number: int, known: tuple[int, bytes]) -> bool:
    """Whether this is value `number` of the chain of which (number, value) is known."""
    steps = number - known[0]
    if not 0 < steps <= CHAIN:
        return False
    for _ in range(steps):
        value = _step(value)
    return value == known[1]


def hand_secret(first_head: bytes, hand: int, coordinator: bytes, listeners: Mapping[int, bytes]) -> bytes:
    """What the pack of a hand is made from: the values of all sides, listeners by side."""
    parts = [bytes((side,)) + listeners[side] for side in sorted(listeners)]
    start = b"p2pcards pack 1" + first_head + hand.to_bytes(4, "big") + coordinator
    return sha256(start + b"".join(parts)).digest()


def numbered_secret(header: Header, hand: int) -> bytes:
    """What the pack of a hand of a numbered deal is made from."""
    return sha256(b"p2pcards deal 1" + pack([header.game, header.options, header.deal, hand])).digest()


def secret_of(
    header: Header, first_head: bytes, hand: int, coordinator: bytes, listeners: Mapping[int, bytes]
) -> bytes:
    """What the pack of a hand is made from in this game; as `hand_secret` where its deal has no number."""
    if header.deal is not None:
        return numbered_secret(header, hand)
    return hand_secret(first_head, hand, coordinator, listeners)


def chance_of(header: Header, hand: int, coordinator: bytes) -> bytes:
    """The value that computer players take their chance from: the coordinator's for this hand, or in a numbered deal
    one that everybody has who types the number."""
    return coordinator if header.deal is None else numbered_secret(header, hand)[:VALUE]


def computer_seed(value: bytes, seat: int, count: int) -> int:
    """The number that a computer player's `Random` is made from, when `count` records stand in the log. value: that of
    `chance_of`."""
    digest = sha256(b"p2pcards computer 1" + value + bytes((seat,)) + count.to_bytes(4, "big")).digest()
    return int.from_bytes(digest, "big")


def derived_salt(value: bytes, seat: int, base: int) -> bytes:
    """The salt of a private action that the coordinator signs."""
    return sha256(b"p2pcards salt 1" + value + bytes((seat,)) + base.to_bytes(4, "big")).digest()[:SALT]


def commitment(salt: bytes, action: int, fields: tuple[object, ...]) -> bytes:
    """action and fields as `encode_action` gives them."""
    return sha256(b"p2pcards commit 1" + salt + pack([action, *fields])).digest()[:COMMITMENT]
