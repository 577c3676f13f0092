"""Rules of thumb for games of plain tricks: taking them cheaply, leaving them to a partner, keeping clear of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from p2pcards.games.deals.bits import BIT, Four, bit_count, four_masks, highest_place, lowest_place
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
        self.void: Four = four_masks([0, 0, 0, 0]) if like is None else like.void.copy()
        self.laid_by: Four = four_masks([0, 0, 0, 0]) if like is None else like.laid_by.copy()

    def copy(self) -> Taking:
        return Taking(self.trump, self.absent, self)

    def constructor_arguments(self) -> tuple[Any, ...]:
        return self.trump, self.absent

    def reset_tricks(self, leader: i64) -> None:
        super().reset_tricks(leader)
        self.void = four_masks([0, 0, 0, 0])
        self.laid_by = four_masks([0, 0, 0, 0])

    def forget_played(self, but: i64) -> None:
        super().forget_played(but)
        self.void = four_masks([0, 0, 0, 0])

    def play_card(self, card: i64) -> bool:
        if self.laid and not BIT[card] & self.led:
            self.void[self.turn] = self.void[self.turn] | self.led
        self.laid_by[self.turn] = self.laid_by[self.turn] | BIT[card]
        return super().play_card(card)

    def unseen_cards(self) -> i64:
        """Cards that others may hold, as the seat to act sees it."""
        return PACK & ~(self.gone | self.trick | self.absent | self.hands[self.turn])

    def distinct_cards(self, can: i64) -> i64:
        """Of the playable cards the lowest of each group of equals, between which no other seat can have a card and
        none is on the table."""
        found: i64 = 0
        others: i64 = self.unseen_cards() | self.trick
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
        """The suits that each of the next three players has shown not to hold."""
        void, seat = self.void, self.turn
        return [void[(seat + 1) & 3], void[(seat + 2) & 3], void[(seat + 3) & 3]]

    def equivalent_card(self, card: i64) -> i64:
        """The card of `distinct_cards` that stands for this one."""
        others: i64 = self.unseen_cards() | self.trick
        below: i64 = SUIT_OF[card] & (BIT[card] - 1)
        apart: i64 = others & below
        own: i64 = self.hands[self.turn] & below
        if apart:
            own &= places_above(apart)
        return lowest_place(own) if own else card

    # --- taking -------------------------------------------------------------------------------------------------------

    def best_taking_card(self, can: i64, friend: i64) -> i64:
        """The card to play, by rules of thumb, for a seat that wants every trick. can: the playable cards; friend: its
        partner, or NOBODY."""
        unseen: i64 = self.unseen_cards()
        if not self.laid:
            return self._lead_to_win(can, unseen, friend)
        win: i64 = self.cards_taking_trick(can)
        last = self.is_last_to_play()
        ours = self.taker == friend
        if not win or (ours and (last or self._is_likely_to_hold(self.best, unseen, friend))):
            return self.cheapest_card(can)
        plain: i64 = win & ~self.trump
        if last or not win & self.led:
            return lowest_place(plain or win)
        sure: i64 = win & places_above(unseen & self.led)
        if sure and self._is_likely_to_hold(highest_place(sure), unseen, friend):
            return lowest_place(sure)
        if self.laid == 2:
            return lowest_equal_card(win, unseen)
        return self.cheapest_card(can)

    def cheapest_card(self, can: i64) -> i64:
        """The card that it costs least to part with: a low one, no trump, of a suit that is soon void."""
        best: i64 = -1
        least: i64 = -LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                card: i64 = lowest_place(cards)
                price: i64 = 4 * (card - suit * WIDTH) + bit_count(cards)
                if cards & self.trump:
                    price += 72
                if price < least:
                    least = price
                    best = card
            suit += 1
        return best

    def _is_likely_to_hold(self, card: i64, unseen: i64, friend: i64) -> bool:
        """Return whether no opponent who plays later is likely to beat this card, one of the suit led or a trump."""
        suit: i64 = SUIT_OF[card]
        if places_above(unseen & suit) & BIT[card] == 0:
            return False
        trumps: i64 = unseen & self.trump
        if not trumps or suit == self.trump:
            return True
        few = bit_count(unseen & suit) < 2
        seat: i64 = self.turn
        left: i64 = 3 - self.laid
        while left > 0:
            seat = (seat + 1) & 3
            left -= 1
            if seat != friend and self.trump & ~self.void[seat] and (few or self.void[seat] & suit):
                return False
        return True

    def _lead_to_win(self, can: i64, unseen: i64, friend: i64) -> i64:
        """The card to lead for a seat that wants tricks: first those that nobody beats, while the others can follow;
        then what the partner may trump, a singleton, or low from a long suit."""
        best: i64 = -1
        most: i64 = LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                sure: i64 = cards & places_above(unseen & SUITS[suit])
                card: i64 = highest_place(sure) if sure else lowest_place(cards)
                worth: i64 = self._worth_of_lead(card, bool(sure), can, unseen, friend)
                if worth > most:
                    most = worth
                    best = card
            suit += 1
        return best

    def _worth_of_lead(self, card: i64, sure: bool, can: i64, unseen: i64, friend: i64) -> i64:
        """Worth of leading this card for a seat that wants tricks. sure: nobody beats it."""
        suit: i64 = SUIT_OF[card]
        trumps: i64 = unseen & self.trump
        length: i64 = bit_count(can & suit)
        rank: i64 = (card & 15) - TWO
        if suit == self.trump:
            if sure:
                return 45 + length if trumps else 10
            return length - rank - (12 if trumps else 2)
        if sure:
            stands = not trumps or (bit_count(unseen & suit) >= 5 and self._is_likely_to_hold(card, unseen, friend))
            return 60 - length if stands else 25
        worth: i64 = (14 if length == 1 and can & self.trump else 2 * length) - rank - 2
        if trumps and friend >= 0 and self.void[friend] & suit and self.trump & ~self.void[friend]:
            worth += 40
        return worth

    # --- keeping clear ------------------------------------------------------------------------------------------------

    def best_losing_card(self, can: i64) -> i64:
        """The card to play, by rules of thumb, for a seat that wants no trick."""
        if not self.laid:
            return self._lead_to_lose(can)
        win: i64 = self.cards_taking_trick(can)
        lose: i64 = can & ~win
        if lose:
            return self._best_card_to_shed(lose)
        if self.is_last_to_play():
            return highest_place(win & ~self.trump or win)
        return lowest_place(win & ~self.trump or win)

    def _best_card_to_shed(self, lose: i64) -> i64:
        """The most dangerous of some cards that do not take the trick: a trump, or a high one."""
        if lose & self.trump:
            return highest_place(lose & self.trump)
        best: i64 = -1
        most: i64 = LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = lose & SUITS[suit]
            if cards:
                card: i64 = highest_place(cards)
                worth: i64 = card - suit * WIDTH
                if worth > most:
                    most = worth
                    best = card
            suit += 1
        return best

    def _lead_to_lose(self, can: i64) -> i64:
        """The card to lead for a seat that wants no trick."""
        unseen: i64 = self.unseen_cards()
        best: i64 = -1
        most: i64 = LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                card: i64 = lowest_place(cards)
                rest: i64 = unseen & SUITS[suit]
                below: i64 = bit_count(rest & (BIT[card] - 1))
                worth: i64 = -(card - suit * WIDTH) - 2 * below
                if cards & self.trump:
                    worth -= 10
                if below == bit_count(rest):
                    worth -= 40
                if worth > most:
                    most = worth
                    best = card
            suit += 1
        return best

    # --- for a partner who wants no trick -----------------------------------------------------------------------------

    def best_covering_card(self, can: i64) -> i64:
        """The card for a seat whose partner must take no trick: high before the partner plays, and above the partner's
        card after."""
        if not self.laid:
            return self._high_lead(can)
        friend: i64 = self.turn ^ 2
        if self.laid >= 2 and self.taker != friend:
            return self.best_taking_card(can, NOBODY)
        win: i64 = self.cards_taking_trick(can)
        if not win:
            return self.cheapest_card(can)
        if self.is_last_to_play() or not win & self.led:
            return lowest_place(win & ~self.trump or win)
        return lowest_equal_card(win, self.unseen_cards())

    def _high_lead(self, can: i64) -> i64:
        """The card to lead for a seat whose partner must take no trick."""
        best: i64 = -1
        most: i64 = LEAST
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                worth: i64 = highest_place(cards) - suit * WIDTH
                if self.void[self.turn ^ 2] & SUITS[suit]:
                    worth += 10
                if worth > most:
                    most = worth
                    best = highest_place(cards)
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

    def current_tricks(self) -> Tricks:
        return self.tricks

    def bid_mismatch(self) -> i64:
        """How far the hands of the seats not to act are from their bids, as rules of thumb bid; 0 where they agree. In
        units of `Worlds.doubts_about`."""
        raise NotImplementedError

    def copy_bids_and_knowledge(self, other: Bidden) -> None:
        """Take over from another hand the bids, and who has seen what."""
        self.copy_turn_and_knowledge(other)
        self.bids = other.bids[:]
        self.bidden = other.bidden


class BiddenWorlds(Worlds):
    """Worlds that are the likelier the better they agree with the bids."""

    def __init__(self, cards: list[i64], rooms: list[Room]) -> None:
        super().__init__(cards, rooms, True)

    def doubts_about(self, world: SearchPosition) -> i64:
        assert isinstance(world, Bidden)
        return world.bid_mismatch()


def places_above(rest: i64) -> i64:
    """The places above all of some cards of a suit; all places for no cards."""
    if not rest:
        return -1
    top: i64 = BIT[highest_place(rest)]
    return ~(top | top - 1)


def lowest_equal_card(cards: i64, unseen: i64) -> i64:
    """Of some cards of a suit the lowest that is worth as much as the highest: no unseen card lies between."""
    below: i64 = unseen & (BIT[highest_place(cards)] - 1)
    suit: i64 = SUIT_OF[highest_place(cards)]
    return lowest_place(cards & places_above(below & suit))
