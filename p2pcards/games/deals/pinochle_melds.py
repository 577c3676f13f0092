"""The melds of pinochle in whole numbers, of faces as in `pinochle_tricks`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, bit_count
from p2pcards.games.deals.pinochle_tricks import ACE, COPIES, JACK, KING, QUEEN, RANKS, SUITS

if TYPE_CHECKING:
    from mypy_extensions import i64

FLUSH_RANKS: Final[i64] = 0xF8F8F8F8
PAIR_RANKS: Final[i64] = 0x30303030
NINES: Final[i64] = 0x04040404
SETS: Final[list[i64]] = [0x01010101 << rank for rank in (JACK, QUEEN, KING, ACE)]
PINOCHLE: Final[i64] = 1 << 3 * RANKS + QUEEN | 1 << RANKS + JACK
RED_PINOCHLE: Final[i64] = 1 << 2 * RANKS + QUEEN | 1 << RANKS + JACK


def times_held(hands: list[i64], seat: i64, cards: i64) -> i64:
    """How often a seat holds all of these cards."""
    at: i64 = COPIES * seat
    number: i64 = 0
    while number < COPIES and not cards & ~hands[at + number]:
        number += 1
    return number


def copies_held(hands: list[i64], seat: i64, cards: i64) -> i64:
    """How many of these cards, copies included, a seat holds."""
    at: i64 = COPIES * seat
    found: i64 = bit_count(hands[at] & cards) + bit_count(hands[at + 1] & cards)
    return found + bit_count(hands[at + 2] & cards) + bit_count(hands[at + 3] & cards)


class MeldValues:
    """What the melds count that are shown all at once. flush, pinochle: by how many there are, from none on; sets: the
    same for jacks, queens, kings and aces, five numbers each; royal, marriage, nine: each."""

    def __init__(
        self, flush: list[i64], sets: list[i64], pinochle: list[i64], royal: i64, marriage: i64, nine: i64
    ) -> None:
        self.flush = flush
        self.sets = sets
        self.pinochle = pinochle
        self.royal: i64 = royal
        self.marriage: i64 = marriage
        self.nine: i64 = nine

    def meld_points(self, hands: list[i64], seat: i64, suit: i64) -> i64:
        """Points of all melds in a seat's hand with this suit as trump."""
        trump: i64 = SUITS[suit]
        flushes: i64 = times_held(hands, seat, FLUSH_RANKS & trump)
        found: i64 = self.flush[flushes] + self.pinochle[times_held(hands, seat, PINOCHLE)]
        found += self.nine * copies_held(hands, seat, NINES & trump)
        number: i64 = 0
        while number < 4:
            pairs: i64 = times_held(hands, seat, PAIR_RANKS & SUITS[number])
            found += self.royal * (pairs - flushes) if number == suit else self.marriage * pairs
            found += self.sets[5 * number + times_held(hands, seat, SETS[number])]
            number += 1
        return found


# --- melds laid one by one, as in the game for two with a stock -------------------------------------------------------

DIX, PAIR, MARRIAGE, SET, FLUSH, ROUNDHOUSE = range(6)
KINDS: Final[int] = 6
CLOSES: Final[list[i64]] = [0b000001, 0b000010, 0b100100, 0b101000, 0b110100, 0b101100]
"""By the kind that a card is melded in, a bit for each kind that it may not be melded in afterwards (D-2P-2)."""
PATTERNS: Final[int] = 12
KIND_OF: Final[list[i64]] = [DIX, PAIR, *[MARRIAGE] * 4, *[SET] * 4, FLUSH, ROUNDHOUSE]
THE_DIX: Final[int] = 0
THE_PINOCHLE: Final[int] = 1
MARRIAGES: Final[int] = 2
THE_SETS: Final[int] = 6
THE_FLUSH: Final[int] = 10
THE_ROUNDHOUSE: Final[int] = 11


class Patterns:
    """The melds under one trump by number: dix, pinochle, marriages by suit, jacks, queens, kings, aces, flush,
    roundhouse. cards, points: of each; order: the numbers, the one that counts most first."""

    def __init__(self, suit: i64, lowest: i64, red: bool, roundhouse: i64) -> None:
        """lowest: the rank of the dix; red: the queen of the pinochle is that of hearts; roundhouse: what it counts, 0
        where there is none."""
        trump: i64 = SUITS[suit]
        self.cards: list[i64] = [BIT[suit * RANKS + lowest], RED_PINOCHLE if red else PINOCHLE]
        self.points: list[i64] = [10, 20]
        number: i64 = 0
        while number < 4:
            self.cards.append(PAIR_RANKS & SUITS[number])
            self.points.append(40 if number == suit else 20)
            number += 1
        self.cards += [SETS[0], SETS[1], SETS[2], SETS[3], FLUSH_RANKS & trump, PAIR_RANKS]
        self.points += [40, 60, 80, 100, 150, roundhouse]
        self.order: list[i64] = [11, 10, 9, 8, 7, 6, 2 + suit]
        number = 1
        while number < 6:
            if number != 2 + suit:
                self.order.append(number)
            number += 1
        self.order.append(0)
        if not roundhouse:
            del self.order[0]
