"""Packs, and the one shuffle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from p2pcards.cards.card import SUITS, Card


def pack_of(ranks: Sequence[int] = range(2, 15), copies: int = 1) -> tuple[Card, ...]:
    """An unshuffled pack: each suit of these ranks, with so many copies of each card, in ascending order."""
    return tuple(sorted([Card.of(rank, suit) for suit in SUITS for rank in ranks] * copies))


def shuffle(pack: Sequence[Card], secret: bytes, label: str) -> tuple[Card, ...]:
    """The order that a secret and a label ("pack" or "draw") give a pack; protocol/fair-deal.md describes it.

    Fisher-Yates from the last place down. Each place is drawn from two bytes of a stream of SHA-256 blocks, and bytes
    that would favour a place are thrown away, so that every order is equally likely.
    """
    order = list(pack)
    numbers = _random_bytes(secret, label)
    for last in range(len(order) - 1, 0, -1):
        fair = 65536 - 65536 % (last + 1)
        number = next(numbers)
        while number >= fair:
            number = next(numbers)
        place = number % (last + 1)
        order[last], order[place] = order[place], order[last]
    return tuple(order)


def _random_bytes(secret: bytes, label: str) -> Iterator[int]:
    """An endless stream of SHA-256 blocks of the secret, the label and a counter, byte by byte."""
    block = 0
    while True:
        digest = sha256(b"p2pcards shuffle " + label.encode() + b"\0" + secret + block.to_bytes(4, "big")).digest()
        for i in range(0, 32, 2):
            yield digest[i] << 8 | digest[i + 1]
        block += 1
