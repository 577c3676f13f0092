"""Worlds of gin rummy: of the hands that the other player might hold, those are likelier that somebody who plays by
rules of thumb would have kept. Hands drawn evenly have far more deadwood than any that was played for a few turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count
from p2pcards.games.deals.melds import EACH, SUIT, VALUES, WIDTH, loose_cards, points_of_cards
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.gin_rummy.deal import STOCK, GinRummy

if TYPE_CHECKING:
    from mypy_extensions import i64

FIRST: Final[i64] = 300  # exchanges that are tried before the first world
NEXT: Final[i64] = 40  # and before each other
ONE: Final[int] = 1 << 16
# Found by comparing the hands that are drawn with those that were held, how good they were and which cards were right.
# Every unit makes a hand nine tenths as likely:
RECENT: Final[i64] = 16  # a meld that one of the last discards would have made
OLD: Final[i64] = 8  # a meld that an earlier discard would have made
TAKEN: Final[i64] = 20  # a card taken from the discards that is in no meld
DEARER: Final[i64] = 3  # a point that a card which goes with nothing counts more than the last discard
EIGHTHS: Final[i64] = 8  # a point of deadwood, for each turn that is over, in eighths
MOST: Final[i64] = 20  # turns that are counted


def odds_table(number: int) -> list[i64]:
    """By number of units, what is left of ONE after so many of them."""
    found: list[i64] = [ONE]
    while len(found) < number:
        found.append(found[-1] * 9 // 10)
    return found


ODDS: Final[list[i64]] = odds_table(100)


class Plausible(Worlds):
    """A chain of worlds (Metropolis and others, 1953): a hidden card of the hand and one of the stock are exchanged, or
    not, by how likely both hands are."""

    def __init__(self, cards: list[i64], rooms: list[Room], position: GinRummy, seat: i64, recent: i64) -> None:
        """position: the hand as far as a seat knows it. recent: the last discards."""
        super().__init__(cards, rooms)
        self._cards: list[i64] = cards
        self._other: i64 = 1 - seat
        self._shown: i64 = position.hands[1 - seat]
        self._size: i64 = 0
        self._recent: i64 = recent
        self._old: i64 = position.discards & ~recent
        self._turns: i64 = 1 + min(position.turns, MOST)
        self._least: i64 = 10 if position.top < 0 else VALUES[BIT[position.top % WIDTH]]
        self._doubt: i64 = -1
        for room in rooms:
            if room.place == self._other:
                self._size = room.size

    def fill_world(self, position: SearchPosition, chance: Chance) -> None:
        """Draw the hidden cards of the hand and the stock, by a chain of exchanges."""
        cards = self._cards
        size: i64 = self._size
        number: i64 = len(cards)
        if size and size < number:
            self._walk_chain(NEXT if self._doubt >= 0 else FIRST, chance)
        place: i64 = 0
        while place < size:
            position.place_card(self._other, cards[place])
            place += 1
        while place < number:
            drawn: i64 = place + chance.number_below(number - place)
            card: i64 = cards[drawn]
            cards[drawn] = cards[place]
            cards[place] = card
            position.place_card(STOCK, card)
            place += 1

    def _walk_chain(self, steps: i64, chance: Chance) -> None:
        cards = self._cards
        size: i64 = self._size
        hand: i64 = self._shown
        place: i64 = 0
        while place < size:
            hand |= BIT[cards[place]]
            place += 1
        now: i64 = self._doubts_about_hand(hand)
        while steps > 0:
            steps -= 1
            mine: i64 = chance.number_below(size)
            drawn: i64 = size + chance.number_below(len(cards) - size)
            other: i64 = hand & ~BIT[cards[mine]] | BIT[cards[drawn]]
            then: i64 = self._doubts_about_hand(other)
            if then > now and (then - now >= len(ODDS) or chance.number_below(ONE) >= ODDS[then - now]):
                continue
            card: i64 = cards[mine]
            cards[mine] = cards[drawn]
            cards[drawn] = card
            hand = other
            now = then
        self._doubt = now

    def _doubts_about_hand(self, hand: i64) -> i64:
        """What speaks against a hand, in units."""
        rest: i64 = loose_cards(hand)
        above: i64 = hand << 1
        below: i64 = hand >> 1
        twice: i64 = cards_of_paired_ranks(hand)
        fits: i64 = above & below | above & above << 1 | below & below >> 1 | twice
        near: i64 = above | below | hand << 2 | hand >> 2 | twice
        doubts: i64 = RECENT * bit_count(fits & self._recent) + OLD * bit_count(fits & self._old)
        doubts += TAKEN * bit_count(rest & self._shown) + points_of_cards(rest) * self._turns // EIGHTHS
        alone: i64 = rest & ~near
        excess: i64 = points_of_cards(alone) - self._least * bit_count(alone)
        return doubts + (DEARER * excess if excess > 0 else 0)


def cards_of_paired_ranks(hand: i64) -> i64:
    """All cards of every rank of which the hand has two or more."""
    clubs: i64 = hand & SUIT
    diamonds: i64 = hand >> WIDTH & SUIT
    hearts: i64 = hand >> 2 * WIDTH & SUIT
    spades: i64 = hand >> 3 * WIDTH & SUIT
    return EACH * (clubs & diamonds | (clubs | diamonds) & (hearts | spades) | hearts & spades)
