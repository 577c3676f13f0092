"""Worlds of cribbage: the other player was dealt six cards, has laid two of them away as rules of thumb would, and has
played the others about as they would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.cribbage.deal import LAID, STOCK, Cribbage, worth_kept
from p2pcards.games.deals.bits import BIT, Chance, lowest_place
from p2pcards.games.deals.likely import ODDS, ONE
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.worlds import Room, Worlds

if TYPE_CHECKING:
    from mypy_extensions import i64

DRAWINGS: Final[i64] = 16  # of six cards, at the most, for each world
KEEPS: Final[i64] = 8  # hundredths of a point that are lost by what was laid away, for a doubt of `ODDS`
PLAYS: Final[i64] = 4  # and by what was played
FAR: Final[i64] = 1 << 30


class KeptWorlds(Worlds):
    def __init__(self, cards: list[i64], rooms: list[Room], start: Cribbage, played: list[i64], other: i64) -> None:
        """start: the hand before the first of these plays and goes, without what is not known; other: whose cards
        are unseen."""
        super().__init__(cards, rooms)
        self._cards: list[i64] = cards
        self._start = start
        self._played = played
        self._other: i64 = other
        self._shown: i64 = start.hands[other]
        self._own = start.dealer == other
        self._size: i64 = 0
        self._bars: i64 = 0
        for room in rooms:
            if room.place == other:
                self._size = room.size
                self._bars = room.barred
        self._away: i64 = 0
        self._loss: i64 = 0

    def fill_world(self, position: SearchPosition, chance: Chance) -> None:
        """The first world that chance lets pass by how likely it is; of those that it does not the likeliest."""
        hand: i64 = 0
        away: i64 = 0
        least: i64 = FAR
        tries: i64 = DRAWINGS
        while tries > 0 and least > 0:
            tries -= 1
            some: i64 = self._draw_unknown(chance)
            if not self._lay_away(some):
                continue
            doubts: i64 = self._loss // KEEPS + self._doubts_about_plays(some & ~self._away) // PLAYS
            passes = doubts < len(ODDS) and chance.number_below(ONE) < ODDS[doubts]
            if passes or doubts < least:
                least = doubts
                hand = some & ~self._away
                away = self._away
            if passes:
                break
        if not away:
            super().fill_world(position, chance)
            return
        place_cards(position, self._other, hand)
        place_cards(position, LAID + self._other, away)
        if self._start.starter < 0:
            self._stack_stock(position, hand | away, chance)

    def _stack_stock(self, position: SearchPosition, held: i64, chance: Chance) -> None:
        """The stock: all other cards, in an order drawn by chance."""
        cards = self._cards
        place: i64 = 0
        while place < len(cards):
            drawn: i64 = place + chance.number_below(len(cards) - place)
            card: i64 = cards[drawn]
            cards[drawn] = cards[place]
            cards[place] = card
            if not held & BIT[card]:
                position.place_card(STOCK, card)
            place += 1

    def _draw_unknown(self, chance: Chance) -> i64:
        """Draw those of the other's six cards that are not known, as a mask."""
        cards = self._cards
        place: i64 = 0
        found: i64 = 0
        while place < self._size + 2:
            drawn: i64 = place + chance.number_below(len(cards) - place)
            card: i64 = cards[drawn]
            cards[drawn] = cards[place]
            cards[place] = card
            found |= BIT[card]
            place += 1
        return found

    def _lay_away(self, some: i64) -> bool:
        """Lay away two of the unknown cards as rules of thumb would; False if that cannot be without keeping a barred
        card."""
        six: i64 = self._shown | some
        most: i64 = -FAR
        mine: i64 = -FAR
        left: i64 = six
        while left:
            first: i64 = left & -left
            left ^= first
            rest: i64 = left
            while rest:
                second: i64 = rest & -rest
                rest ^= second
                two: i64 = first | second
                worth: i64 = worth_kept(six & ~two, two, self._own)
                if worth > most:
                    most = worth
                if worth > mine and not two & self._shown and not some & ~two & self._bars:
                    mine = worth
                    self._away = two
        self._loss = most - mine
        return mine > -FAR

    def _doubts_about_plays(self, held: i64) -> i64:
        """What the other has lost by the cards that it played, if it held these."""
        if not self._played:
            return 0
        other: i64 = self._other
        before = self._start.copy()
        before.hands[other] = before.hands[other] | held
        before.laid[other] = self._away
        loss: i64 = 0
        for move in self._played:
            if before.turn == other:
                loss += before.playing_loss(move)
            before.make_move(move)
        return loss


def place_cards(position: SearchPosition, place: i64, cards: i64) -> None:
    """Put every card of a mask in a place."""
    while cards:
        position.place_card(place, lowest_place(cards))
        cards &= cards - 1
