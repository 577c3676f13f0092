"""A deal of oh hell in whole numbers, with every option that a deal depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, highest_place, lowest_place
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.likely import STRANGE
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.taking import NONE, Bidden, Taking
from p2pcards.games.deals.tricks import NOBODY, SUITS, WIDTH
from p2pcards.games.deals.value import Value

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
ENDING: Final[int] = 12  # cards held, at the most
STOCK: Final[int] = 4
PLACES: Final[int] = 6


class OhHellRules(Value):
    """The options of a hand. each: how many cards a seat is dealt. none_made: what a bid of none scores that is made;
    any other scores 10 and for_each, and 1 for each trick bid where tricks_count. hook: the last to bid may not
    make the bids as many as the tricks."""

    def __init__(self, each: i64, none_made: i64, for_each: i64, tricks_count: bool, hook: bool) -> None:
        self.each: i64 = each
        self.none_made: i64 = none_made
        self.for_each: i64 = for_each
        self.tricks_count = tricks_count
        self.hook = hook

    def constructor_arguments(self) -> tuple[Any, ...]:
        return self.each, self.none_made, self.for_each, self.tricks_count, self.hook


class OhHell(Bidden):
    """eldest: who bids and leads first. stock: what was not dealt, as far as it is known; the turn-up is in it."""

    def __init__(self, rules: OhHellRules, eldest: i64, tricks: Taking) -> None:
        super().__init__(tricks, PLACES)
        self.rules = rules
        self.eldest: i64 = eldest
        self.stock: i64 = 0
        self.turn = eldest

    def constructor_arguments(self) -> tuple[Any, ...]:
        return self.rules, self.eldest, self.tricks

    def copy(self) -> OhHell:
        new = OhHell(self.rules, self.eldest, self.tricks.copy())
        new.copy_bids_and_knowledge(self)
        new.stock = self.stock
        return new

    def cards_aside(self) -> list[i64]:
        return [self.stock]

    def set_cards_aside(self, masks: list[i64]) -> None:
        self.stock = masks[0]

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, or to the stock, from which nothing is drawn."""
        if place < SEATS:
            self.tricks.hands[place] = self.tricks.hands[place] | BIT[card]

    def legal_moves(self) -> i64:
        """A mask of the legal moves: bids as numbers, then cards."""
        if self.bidden < SEATS:
            can: i64 = BIT[self.rules.each + 1] - 1
            barred: i64 = self.barred_bid()
            return can & ~BIT[barred] if barred >= 0 else can
        return self.tricks.playable_cards()

    def barred_bid(self) -> i64:
        """The bid that the hook bars to the seat to act; NONE where it bars nothing."""
        if not self.rules.hook or self.bidden != SEATS - 1:
            return NONE
        left: i64 = self.rules.each
        seat: i64 = 0
        while seat < SEATS:
            if seat != self.turn:
                left -= self.bids[seat]
            seat += 1
        return left if left >= 0 else NONE

    def make_move(self, move: i64) -> None:
        tricks = self.tricks
        if self.bidden < SEATS:
            self.bids[self.turn] = move
            self.bidden += 1
            self.turn = (self.turn + 1) & 3
            if self.bidden == SEATS:
                tricks.turn = self.eldest
            return
        done = tricks.play_card(move)
        self.turn = tricks.turn
        if done and not tricks.hands[tricks.turn] and not self.hidden[tricks.turn]:
            self.turn = OVER

    def fill_sight(self, sight: Sight) -> bool:
        """aim: how many more tricks the seat wants, and whether all together want more or fewer than there are."""
        if self.bidden < SEATS:
            return False
        tricks = self.tricks
        sight.see_trick(tricks, tricks.distinct_cards(tricks.playable_cards()), tricks.unseen_cards(), NOBODY)
        sight.see_voids(tricks.voids_after())
        every: i64 = self.bids[0] + self.bids[1] + self.bids[2] + self.bids[3]
        more: i64 = min(max(self.bids[self.turn] - tricks.won[self.turn], -1), 2)
        sight.set_aim(3 * (more + 1) + (0 if every < self.rules.each else 1 if every == self.rules.each else 2))
        return True

    def equivalent_move(self, move: i64) -> i64:
        if self.bidden < SEATS:
            return move
        return self.tricks.equivalent_card(move)

    def sides_in_ending(self) -> i64:
        return SEATS if self.bidden == SEATS and self.tricks.cards_held() <= ENDING else 0

    def transposition_key(self) -> i64:
        return self.tricks.transposition_key()

    def mishap_bits(self, seat: i64) -> i64:
        over: i64 = self.tricks.won[seat] - self.bids[seat]
        return 1 if over > 0 else 2 if over < 0 else 0

    def final_worth(self, seat: i64) -> i64:
        """Three times its points less those of the others."""
        total: i64 = 0
        other: i64 = 0
        while other < SEATS:
            total += self._points_of_seat(other)
            other += 1
        return 4 * self._points_of_seat(seat) - total

    def final_scores(self) -> list[i64]:
        return [self._points_of_seat(0), self._points_of_seat(1), self._points_of_seat(2), self._points_of_seat(3)]

    def _points_of_seat(self, seat: i64) -> i64:
        bid: i64 = self.bids[seat]
        if self.tricks.won[seat] != bid:
            return 0
        if not bid:
            return self.rules.none_made
        return 10 + self.rules.for_each + (bid if self.rules.tricks_count else 0)

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        if self.bidden < SEATS:
            return self.rule_of_thumb_bid()
        can: i64 = self.legal_moves()
        if not can & (can - 1):
            return lowest_place(can)
        seat: i64 = self.turn
        if self.tricks.won[seat] < self.bids[seat]:
            return self.tricks.best_taking_card(can, NOBODY)
        return self.tricks.best_losing_card(can)

    def rule_of_thumb_bid(self) -> i64:
        expected: i64 = self.expected_tricks(self.tricks.hands[self.turn])
        bid: i64 = min(max((expected + 500) // 1000, 0), self.rules.each)
        if bid != self.barred_bid():
            return bid
        above = bid < self.rules.each and (expected > 1000 * bid or not bid)
        return bid + 1 if above else bid - 1

    def expected_tricks(self, hand: i64) -> i64:
        """How many tricks a full hand should take, in thousandths. The fewer cards are dealt, the fewer of the higher
        ones are in play."""
        each: i64 = self.rules.each
        absent: i64 = 1000 - 3000 * each // (52 - each)
        tricks: i64 = 120 * (each - 4)
        suit: i64 = 0
        while suit < 4:
            mine: i64 = hand & SUITS[suit]
            length: i64 = bit_count(mine)
            place: i64 = 0
            while mine:
                card: i64 = highest_place(mine)
                mine &= ~BIT[card]
                higher: i64 = 14 - (card - suit * WIDTH) - place
                wins: i64 = power_of_thousandths(absent, higher)
                if length - place - 1 >= higher:
                    wins = max(wins, power_of_thousandths(600, higher))
                if SUITS[suit] == self.tricks.trump:
                    tricks += max(wins, 750 if place > 2 else 0)
                else:
                    tricks += wins * self._chance_top_card_wins(place, length) // 1000
                place += 1
            suit += 1
        return tricks

    def bid_mismatch(self) -> i64:
        """How far the hands of the other seats are from their bids, as rules of thumb bid."""
        found: i64 = 0
        seat: i64 = 0
        while seat < SEATS:
            bid: i64 = self.bids[seat]
            if bid >= 0 and seat != self.turn:
                off: i64 = self.expected_tricks(self.tricks.hands[seat] | self.tricks.laid_by[seat]) - 1000 * bid
                found += max(0, (off if bid == 0 or off > 0 else -off) - 500)
            seat += 1
        return STRANGE * found // 1000

    def _chance_top_card_wins(self, place: i64, length: i64) -> i64:
        """Chance, in thousandths, that a card nobody beats in its suit takes a trick: it is led or asked for, and
        nobody trumps it."""
        asked: i64 = 1000 - 600 // self.rules.each
        if not self.tricks.trump:
            return asked
        return asked * max(100, 900 - 200 * place - 50 * max(0, length - 3)) // 1000


def power_of_thousandths(part: i64, times: i64) -> i64:
    """A part in thousandths to a power, in thousandths."""
    found: i64 = 1000
    while times > 0:
        found = found * part // 1000
        times -= 1
    return found
