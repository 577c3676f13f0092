"""Rules of thumb for games of plain tricks: taking them cheaply, leaving them to a partner, keeping clear of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from p2pcards.games.deals.bits import BIT, Four, count, four, highest, lowest
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.tricks import NOBODY, PACK, SUIT_OF, SUITS, TWO, WIDTH, Tricks
from p2pcards.games.deals.worlds import Room, Worlds

if TYPE_CHECKING:
    from mypy_extensions import i64

LEAST: Final[i64] = -(1 << 40)
NONE: Final[i64] = -1


class Taking(Tricks):
    """Four seats and 52 cards. void: by seat the cards that it has shown not to hold; laid_by: those that it has laid;
    absent: cards that all know to be in no hand.

    A friend is the seat whose tricks are as good as one's own, NOBODY for none."""

    def __init__(self, trump: i64 = 0, absent: i64 = 0, like: Taking | None = None) -> None:
        super().__init__(4, trump, NOBODY, like)
        self.absent: i64 = absent
        self.void: Four = four([0, 0, 0, 0]) if like is None else like.void.copy()
        self.laid_by: Four = four([0, 0, 0, 0]) if like is None else like.laid_by.copy()

    def copy(self) -> Taking:
        return Taking(self.trump, self.absent, self)

    def made_with(self) -> tuple[Any, ...]:
        return self.trump, self.absent

    def clear(self, leader: i64) -> None:
        super().clear(leader)
        self.void = four([0, 0, 0, 0])
        self.laid_by = four([0, 0, 0, 0])

    def lay(self, card: i64) -> bool:
        if self.laid and not BIT[card] & self.led:
            self.void[self.turn] = self.void[self.turn] | self.led
        self.laid_by[self.turn] = self.laid_by[self.turn] | BIT[card]
        return super().lay(card)

    def unseen(self) -> i64:
        """What others may hold, for whose turn it is."""
        return PACK & ~(self.gone | self.trick | self.absent | self.hands[self.turn])

    def distinct(self, can: i64) -> i64:
        """Of the cards that may be played those that differ: of several between which no other seat can have a card,
        and none is on the table, the lowest."""
        found: i64 = 0
        others: i64 = self.unseen() | self.trick
        suit: i64 = 0
        while suit < 4:
            left: i64 = (can | others) & SUITS[suit]
            apart = True
            while left:
                bit: i64 = left & -left
                left &= left - 1
                if bit & others:
                    apart = True
                elif apart:
                    found |= bit
                    apart = False
            suit += 1
        return found

    def voids_after(self) -> list[i64]:
        """The suits that the three next players have shown not to hold."""
        void, seat = self.void, self.turn
        return [void[(seat + 1) & 3], void[(seat + 2) & 3], void[(seat + 3) & 3]]

    def alike(self, card: i64) -> i64:
        """The card of `distinct` that stands for a card of whose turn it is."""
        others: i64 = self.unseen() | self.trick
        below: i64 = SUIT_OF[card] & (BIT[card] - 1)
        apart: i64 = others & below
        own: i64 = self.hands[self.turn] & below
        if apart:
            own &= over(apart)
        return lowest(own) if own else card

    # --- taking -------------------------------------------------------------------------------------------------------

    def taking_card(self, can: i64, friend: i64) -> i64:
        """The card, of those that may be played, for a seat that wants every trick."""
        unseen: i64 = self.unseen()
        if not self.laid:
            return self._lead_to_take(can, unseen, friend)
        win: i64 = self.winning(can)
        last = self.is_last()
        ours = self.taker == friend
        if not win or (ours and (last or self._stands(self.best, unseen, friend))):
            return self.cheapest(can)
        plain: i64 = win & ~self.trump
        if last or not win & self.led:
            return lowest(plain or win)
        sure: i64 = win & over(unseen & self.led)
        if sure and self._stands(highest(sure), unseen, friend):
            return lowest(sure)
        if self.laid == 2:
            return bottom(win, unseen)
        return self.cheapest(can)

    def cheapest(self, can: i64) -> i64:
        """The card that it costs least to part with: a low one, no trump, of a suit that is soon a void."""
        best: i64 = -1
        least: i64 = -LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                card: i64 = lowest(cards)
                price: i64 = 4 * (card - suit * WIDTH) + count(cards)
                if cards & self.trump:
                    price += 72
                if price < least:
                    least = price
                    best = card
            suit += 1
        return best

    def _stands(self, card: i64, unseen: i64, friend: i64) -> bool:
        """Whether nobody who lays a card later is likely to beat one of the suit led, or a trump."""
        suit: i64 = SUIT_OF[card]
        if over(unseen & suit) & BIT[card] == 0:
            return False
        trumps: i64 = unseen & self.trump
        if not trumps or suit == self.trump:
            return True
        few = count(unseen & suit) < 2
        seat: i64 = self.turn
        left: i64 = 3 - self.laid
        while left > 0:
            seat = (seat + 1) & 3
            left -= 1
            if seat != friend and self.trump & ~self.void[seat] and (few or self.void[seat] & suit):
                return False
        return True

    def _lead_to_take(self, can: i64, unseen: i64, friend: i64) -> i64:
        """Cards that nobody beats come first, as long as the others can follow; then what the friend may trump, a
        singleton to trump oneself, or low from a long suit."""
        best: i64 = -1
        most: i64 = LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                sure: i64 = cards & over(unseen & SUITS[suit])
                card: i64 = highest(sure) if sure else lowest(cards)
                worth: i64 = self._worth_of_lead(card, bool(sure), can, unseen, friend)
                if worth > most:
                    most = worth
                    best = card
            suit += 1
        return best

    def _worth_of_lead(self, card: i64, sure: bool, can: i64, unseen: i64, friend: i64) -> i64:
        suit: i64 = SUIT_OF[card]
        trumps: i64 = unseen & self.trump
        length: i64 = count(can & suit)
        rank: i64 = (card & 15) - TWO
        if suit == self.trump:
            if sure:
                return 45 + length if trumps else 10
            return length - rank - (12 if trumps else 2)
        if sure:
            stands = not trumps or (count(unseen & suit) >= 5 and self._stands(card, unseen, friend))
            return 60 - length if stands else 25
        worth: i64 = (14 if length == 1 and can & self.trump else 2 * length) - rank - 2
        if trumps and friend >= 0 and self.void[friend] & suit and self.trump & ~self.void[friend]:
            worth += 40
        return worth

    # --- keeping clear ------------------------------------------------------------------------------------------------

    def avoid(self, can: i64) -> i64:
        """The card, of those that may be played, for a seat that wants no trick."""
        if not self.laid:
            return self._lead_to_lose(can)
        win: i64 = self.winning(can)
        lose: i64 = can & ~win
        if lose:
            return self._riddance(lose)
        if self.is_last():
            return highest(win & ~self.trump or win)
        return lowest(win & ~self.trump or win)

    def _riddance(self, lose: i64) -> i64:
        """The most dangerous of some cards that do not take the trick: a trump, or a high one."""
        if lose & self.trump:
            return highest(lose & self.trump)
        best: i64 = -1
        most: i64 = LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = lose & SUITS[suit]
            if cards:
                card: i64 = highest(cards)
                worth: i64 = card - suit * WIDTH
                if worth > most:
                    most = worth
                    best = card
            suit += 1
        return best

    def _lead_to_lose(self, can: i64) -> i64:
        unseen: i64 = self.unseen()
        best: i64 = -1
        most: i64 = LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                card: i64 = lowest(cards)
                rest: i64 = unseen & SUITS[suit]
                below: i64 = count(rest & (BIT[card] - 1))
                worth: i64 = -(card - suit * WIDTH) - 2 * below
                if cards & self.trump:
                    worth -= 10
                if below == count(rest):
                    worth -= 40
                if worth > most:
                    most = worth
                    best = card
            suit += 1
        return best

    # --- for a partner who wants no trick -----------------------------------------------------------------------------

    def cover(self, can: i64) -> i64:
        """The card for a seat whose partner is to take no trick: high before the partner plays, and over what they
        played."""
        if not self.laid:
            return self._high_lead(can)
        friend: i64 = self.turn ^ 2
        if self.laid >= 2 and self.taker != friend:
            return self.taking_card(can, NOBODY)
        win: i64 = self.winning(can)
        if not win:
            return self.cheapest(can)
        if self.is_last() or not win & self.led:
            return lowest(win & ~self.trump or win)
        return bottom(win, self.unseen())

    def _high_lead(self, can: i64) -> i64:
        best: i64 = -1
        most: i64 = LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                worth: i64 = highest(cards) - suit * WIDTH
                if self.void[self.turn ^ 2] & SUITS[suit]:
                    worth += 10
                if worth > most:
                    most = worth
                    best = highest(cards)
            suit += 1
        return best


class Bidden(KeptDeal):
    """A hand in which every seat bids how many tricks it will take. bids: NONE where there is none yet."""

    def __init__(self, tricks: Taking, places: i64) -> None:
        super().__init__(places)
        self.tricks = tricks
        self.bids: list[i64] = [NONE, NONE, NONE, NONE]
        self.bidden: i64 = 0

    def copy(self) -> Bidden:
        raise NotImplementedError

    def table(self) -> Tricks:
        return self.tricks

    def strangeness(self) -> i64:
        """How far the hands of the others than whose turn it is are from what they have bid, as rules of thumb bid; 0
        for hands that agree with it. In parts as `Worlds.doubts` has them."""
        raise NotImplementedError

    def become(self, other: Bidden) -> None:
        """The bids are as there, and so is who has seen what."""
        self.stand_as(other)
        self.bids = other.bids[:]
        self.bidden = other.bidden


class BiddenWorlds(Worlds):
    """Worlds that are the likelier the better they agree with the bids."""

    def __init__(self, cards: list[i64], rooms: list[Room]) -> None:
        super().__init__(cards, rooms, True)

    def doubts(self, world: SearchPosition) -> i64:
        assert isinstance(world, Bidden)
        return world.strangeness()


def over(rest: i64) -> i64:
    """The places above all of some cards of a suit; all places for none."""
    if not rest:
        return -1
    top: i64 = BIT[highest(rest)]
    return ~(top | top - 1)


def bottom(cards: i64, unseen: i64) -> i64:
    """Of some cards of a suit the lowest that is worth as much as the highest: no unseen one lies between."""
    below: i64 = unseen & (BIT[highest(cards)] - 1)
    suit: i64 = SUIT_OF[highest(cards)]
    return lowest(cards & over(below & suit))
