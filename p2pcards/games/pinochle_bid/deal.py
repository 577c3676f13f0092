"""A hand of bid pinochle for two in whole numbers, with cards dealt or selected from the stock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, mixed_key
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.pinochle_bidding import (
    BID,
    BIDDING,
    NAMING,
    PASS,
    PLAYING,
    SELECTING,
    BiddingPosition,
    BiddingRules,
)
from p2pcards.games.deals.pinochle_melds import NINES, PAIR_RANKS
from p2pcards.games.deals.pinochle_tricks import KING, QUEEN, SUITS, PinochleTricks
from p2pcards.games.deals.position import OVER

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 2
ENDING: Final[int] = 20  # cards held, at the most
EACH: Final[int] = 12
STOCK: Final[int] = 4

# The moves that the other game does not have: to select ACCEPT or REJECT, and instead of a trump CONCEDE.
ACCEPT: Final[int] = 0
REJECT: Final[int] = 1
CONCEDE: Final[int] = 4

COUNTING: Final[i64] = 0xE0E0E0E0
QUEEN_OF_SPADES: Final[i64] = 1 << 24 + QUEEN
JACK_OF_DIAMONDS: Final[i64] = 1 << 11


class PinochleBid(BiddingPosition):
    """stock: the cards that may be selected, as they lie; drawn: how many of these are gone; held: how many cards the
    two hold while they select. owner: whose the bid is when the bidding is over, else -1. Weights and margin are in
    hundredths of a point."""

    def __init__(self, rules: BiddingRules) -> None:
        super().__init__(rules, PinochleTricks(SEATS, 0, False, 0, rules.values))
        self.stock: list[i64] = []
        self.drawn: i64 = 0
        self.held: i64 = 0
        self.owner: i64 = -1

    def copy(self) -> PinochleBid:
        new = PinochleBid(self.rules)
        new.copy_bidding(self)
        new.stock = self.stock[:]
        new.drawn = self.drawn
        new.held = self.held
        new.owner = self.owner
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a place: a seat; 4 for the stock while cards are selected, the card that is offered first; 5
        for any out of play."""
        if place < SEATS:
            self.tricks.add_face(place, card)
        elif place == STOCK:
            self.stock.append(card)

    def set_auction(self, held: i64, owner: i64) -> None:
        """Set how many cards the two hold, and whose the bid is."""
        self.held = held
        self.owner = owner

    def legal_moves(self) -> i64:
        if self.stage == PLAYING:
            return self.tricks.playable_faces()
        if self.stage == SELECTING:
            return BIT[ACCEPT] | BIT[REJECT]
        if self.stage == NAMING:
            return self.nameable_suits() or BIT[CONCEDE]
        return self.bidding_moves()

    def nameable_suits(self) -> i64:
        """The suits in which the seat to act has king and queen, or a nine."""
        hand: i64 = self.tricks.faces_held(self.turn)
        found: i64 = 0
        suit: i64 = 0
        while suit < 4:
            if hand & NINES & SUITS[suit] or not PAIR_RANKS & SUITS[suit] & ~hand:
                found |= BIT[suit]
            suit += 1
        return found

    def make_call(self, move: i64) -> None:
        if self.stage == SELECTING:
            self._accept_or_reject(move)
        elif self.stage == NAMING and move == CONCEDE:
            self.turn = OVER
        else:
            super().make_call(move)

    def _accept_or_reject(self, move: i64) -> None:
        self.tricks.add_face(self.turn, self.stock[self.drawn + move])
        self.drawn += 2
        self.held += 1
        self.turn = 1 - self.turn
        if self.held == SEATS * EACH:
            self.stage = BIDDING

    def after_bid(self) -> None:
        self.turn = 1 - self.turn

    def after_pass(self) -> None:
        self.turn = 1 - self.turn
        self.owner = self.turn
        self.bid = self.bid or self.rules.lowest
        self.stage = NAMING

    def sides_in_ending(self) -> i64:
        return SEATS if self.stage == PLAYING and self.tricks.cards_held() <= ENDING else 0

    def transposition_key(self) -> i64:
        """Key of a place between tricks; includes the points, which decide whether the bid is made and whether melds
        count."""
        points, won = self.tricks.points, self.tricks.won
        mark: i64 = self.tricks.transposition_key()
        if not mark:
            return 0
        tricks: i64 = (1 if won[0] else 0) + (2 if won[1] else 0)
        return mixed_key(mark, points[0] + 1024 * points[1] + 1048576 * tricks)

    def mishap_bits(self, seat: i64) -> i64:
        return 1 if seat == self.owner and self.seat_points(seat) < 0 else 0

    def fill_sight(self, sight: Sight) -> bool:
        """Fill a sight; aim: who bid, and whether they have what they bid."""
        if self.stage != PLAYING:
            return False
        tricks = self.tricks
        has: i64 = self.melds[self.owner] + tricks.points[self.owner]
        aim: i64 = (4 if self.turn == self.owner else 0) + (2 if has >= self.bid else 0)
        aim += 1 if tricks.won[self.turn] else 0
        tricks.fill_sight(sight, -1, aim, min(tricks.pot, 5) if tricks.laid else 0)
        return True

    def final_worth(self, seat: i64) -> i64:
        """The points of the seat, less those of the other."""
        return self.seat_points(seat) - self.seat_points(1 - seat)

    def final_scores(self) -> list[i64]:
        return [self.seat_points(0), self.seat_points(1)]

    def seat_points(self, seat: i64) -> i64:
        """Score of the hand for a seat."""
        if self.stage != PLAYING:
            return -self.bid if seat == self.owner else 0
        won = self.tricks.won[seat] > 0
        points: i64 = self.melds[seat] + self.tricks.points[seat] if won else 0
        if seat == self.owner and (points < self.bid or not won):
            return -self.bid
        return points

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        if self.stage == PLAYING:
            return self.card_by_rule_of_thumb(-1)
        if self.stage == SELECTING:
            return ACCEPT if self._is_wanted(self.stock[self.drawn]) else REJECT
        if self.stage == NAMING:
            suits: i64 = self.nameable_suits()
            return self.best_trump(suits) if suits else CONCEDE
        if self.marked:
            return BID
        if self.next_bid() > self.rules.highest:
            return PASS
        suits = self.nameable_suits()
        limit: i64 = self.expected_points(self.best_trump(suits)) if suits else 0
        return BID if 100 * self.next_bid() <= limit - self.rules.margin else PASS

    def _is_wanted(self, face: i64) -> bool:
        """Return whether a card counts, or makes a marriage or a pinochle with one that is held."""
        bit: i64 = BIT[face]
        hand: i64 = self.tricks.faces_held(self.turn)
        if bit & COUNTING:
            return True
        if face & 7 == QUEEN and hand & BIT[face + KING - QUEEN]:
            return True
        if bit & QUEEN_OF_SPADES:
            return bool(hand & JACK_OF_DIAMONDS)
        return bool(bit & JACK_OF_DIAMONDS and hand & QUEEN_OF_SPADES)

    def expected_points(self, suit: i64) -> i64:
        return self.expected_in_tricks(suit) + 100 * self.rules.melds.meld_points(self.tricks.hands, self.turn, suit)
