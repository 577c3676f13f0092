"""Worlds of two-handed pinochle: while there is a stock, the other player throws what is of little use, keeps the rest,
and lays what they can. Hands drawn evenly have too many nines, too few aces and trumps, and far too much to meld."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance
from p2pcards.games.deals.pinochle_melds import KIND_OF, KINDS, PATTERNS
from p2pcards.games.deals.pinochle_tricks import RANKS
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.pinochle2.deal import Pinochle2

if TYPE_CHECKING:
    from mypy_extensions import i64

STOCK: Final[int] = 4  # a place
EVEN: Final[i64] = 64
PLAIN: Final[list[i64]] = [10, 14, 16, 64, 58, 66, 54, 110]
TRUMPS: Final[list[i64]] = [10, 14, 18, 96, 62, 70, 126, 112]
"""By rank, how likely a card is to be in the hand of who has thrown four cards or more; others in the stock `EVEN`."""
THROWN: Final[i64] = 4
DRAWINGS: Final[i64] = 6  # of a hand, at the most, for each world
SURE: Final[i64] = 256


class Kept(Worlds):
    """The cards of the other's hand are drawn one by one, by how likely each is to be kept. A hand that could meld may
    be drawn again, the likelier the more its melds count."""

    def __init__(self, cards: list[i64], rooms: list[Room], position: Pinochle2, thrown: i64, patience: i64) -> None:
        """position: the hand as far as whose turn it is knows it; thrown: how many cards the other has played;
        patience: of 256, how likely somebody is not to have melded yet for each 20 points that they could."""
        super().__init__(cards, rooms)
        self._cards = cards
        self._place: i64 = 1 - position.turn
        self._size: i64 = 0
        for room in rooms:
            if room.place != STOCK:
                self._size = room.size
        step: i64 = thrown if thrown < THROWN else THROWN
        self._odds: list[i64] = []
        self._total: i64 = 0
        for card in cards:
            odds: i64 = TRUMPS[card % RANKS] if card // RANKS == position.suit else PLAIN[card % RANKS]
            odds = (odds * step + EVEN * (THROWN - step)) // THROWN
            self._odds.append(odds)
            self._total += odds
        self._hand: i64 = position.tricks.faces_held(self._place)
        self._melds: list[i64] = position.patterns.cards
        self._points: list[i64] = position.patterns.points
        self._open: list[i64] = []
        kind: i64 = 0
        while kind < KINDS:
            self._open.append(
                position.eligible_copies(self._place, 0, kind) | position.eligible_copies(self._place, 1, kind)
            )
            kind += 1
        self._waits: list[i64] = [SURE]
        while len(self._waits) < 40:
            self._waits.append(self._waits[-1] * patience // 256)

    def fill_world(self, position: SearchPosition, chance: Chance) -> None:
        """Draw a world by how likely the other is to have kept each card."""
        left: i64 = DRAWINGS
        while True:
            cards = self._cards[:]
            self._draw_hand(cards, chance)
            left -= 1
            if not left or chance.number_below(SURE) < self._waits[self._points_ready(cards) // 20]:
                break
        place: i64 = 0
        for card in cards:
            position.place_card(self._place if place < self._size else STOCK, card)
            place += 1

    def _draw_hand(self, cards: list[i64], chance: Chance) -> None:
        """The hand comes first in the cards, and the stock after it."""
        odds = self._odds[:]
        total: i64 = self._total
        place: i64 = 0
        while place < self._size:
            point: i64 = chance.number_below(total)
            at: i64 = place
            while point >= odds[at]:
                point -= odds[at]
                at += 1
            card: i64 = cards[at]
            cards[at] = cards[place]
            cards[place] = card
            total -= odds[at]
            odds[at] = odds[place]
            place += 1
        while place < len(cards):
            other: i64 = place + chance.number_below(len(cards) - place)
            drawn: i64 = cards[other]
            cards[other] = cards[place]
            cards[place] = drawn
            place += 1

    def _points_ready(self, cards: list[i64]) -> i64:
        """What the melds count that the other could make, but for the dix."""
        hand: i64 = self._hand
        place: i64 = 0
        while place < self._size:
            hand |= BIT[cards[place]]
            place += 1
        found: i64 = 0
        pattern: i64 = 1
        while pattern < PATTERNS:
            meld: i64 = self._melds[pattern]
            if meld & hand and not meld & ~(hand | self._open[KIND_OF[pattern]]):
                found += self._points[pattern]
            pattern += 1
        return found
