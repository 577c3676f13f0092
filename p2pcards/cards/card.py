"""A card, and the face-down card."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import cache

RANKS = "23456789TJQKA"
SUIT_LETTERS = "CDHS"


class Suit(IntEnum):
    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


SUITS = tuple(Suit)


class Card(int):
    """A card as one byte: ``copy << 6 | suit << 4 | rank``.

    rank is 2..14 (jack 11, queen 12, king 13, ace 14), suit a `Suit`. Equal cards of a pack are equal: copy is 0, but
    where several lie open and the table can tell them apart, such as two queens in different melds, a game may number
    them 1..3, written QS' and QS''. Byte 0 is `BACK`, a face-down card: an ordinary value that remembers nothing.
    Cards compare as their bytes, which is the canonical order wherever one is needed.
    """

    __slots__ = ()

    @classmethod
    def of(cls, rank: int, suit: int, copy: int = 0) -> Card:
        """Make the card of this rank (2..14), suit (0..3) and copy (0..3). Raises ValueError outside these ranges."""
        card = cls(copy << 6 | suit << 4 | rank)
        if not (2 <= rank <= 14 and 0 <= suit <= 3 and 0 <= copy <= 3):
            raise ValueError(f"there is no card of rank {rank}, suit {suit}, copy {copy}")
        return card

    @property
    def rank(self) -> int:
        return self & 15

    @property
    def suit(self) -> Suit:
        return SUITS[self >> 4 & 3]

    @property
    def copy(self) -> int:
        return self >> 6

    @property
    def face(self) -> Card:
        """The card as printed, without its copy number."""
        return Card(self & 63)

    def __str__(self) -> str:
        return _cached_spelling(self)

    __repr__ = __str__


@cache
def _cached_spelling(card: Card) -> str:
    """The short spelling of a card, such as ``QS``; cached, as every view spells hundreds."""
    return RANKS[card.rank - 2] + SUIT_LETTERS[card.suit] + "'" * card.copy if card else "--"


BACK = Card(0)
BYTES = tuple([Card(byte) for byte in range(64)])
"""The card of each byte, where a byte that is none is not asked for."""


def mask_of_cards(cards: Iterable[int]) -> int:
    """A bit mask of cards, no card twice: the byte of each card is its bit."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of_mask(mask: int) -> list[Card]:
    """The cards of a mask made by `mask_of_cards`, ascending."""
    found = []
    while mask:
        found.append(BYTES[(mask & -mask).bit_length() - 1])
        mask &= mask - 1
    return found


def is_card_byte(byte: int) -> bool:
    """Return whether a byte (0..255) encodes a card; the face-down card does not count."""
    return 2 <= (byte & 15) <= 14


def parse_card(word: str) -> Card:
    """Read a card as a person types it: ``QS``, ``10h``, ``tH`` or ``QS'``. Raises ValueError for anything else."""
    text = word.strip().upper().replace("10", "T", 1)
    name = text.rstrip("'")
    copy = len(text) - len(name)
    if len(name) != 2 or name[0] not in RANKS or name[1] not in SUIT_LETTERS or copy > 3:
        raise ValueError(f"{word!r} is not a card; cards are written like QS, 10h or 2c")
    return Card.of(RANKS.index(name[0]) + 2, SUIT_LETTERS.index(name[1]), copy)


def parse_cards(words: str) -> tuple[Card, ...]:
    """Read a line of cards such as ``"QS 10h 2c"``, in its order."""
    return tuple(parse_card(word) for word in words.split())


def spell_cards(cards: Iterable[Card]) -> str:
    """The line that names these cards, such as ``QS TH 2C``."""
    return " ".join(map(str, cards))
