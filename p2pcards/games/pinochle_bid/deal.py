"""A hand of bid pinochle for two in whole numbers, with cards dealt or selected from the stock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, lowest_place, mixed_key
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.pinochle_melds import NINES, PAIR_RANKS, MeldValues, copies_held
from p2pcards.games.deals.pinochle_tricks import ACE, KING, QUEEN, SUITS, TEN, Habits, PinochleTricks
from p2pcards.games.deals.position import AS_IS, OVER, SearchPosition
from p2pcards.games.deals.raising import markable_steps

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 2
ENDING: Final[int] = 20  # cards held, at the most
EACH: Final[int] = 12
STOCK: Final[int] = 4
SELECTING, BIDDING, NAMING, PLAYING = range(4)

# The moves: to select ACCEPT or REJECT; while they bid, from 0 on powers of two, so many points more than the lowest
# bid, and then BID; to name trump a suit, or CONCEDE; to play a face.
ACCEPT: Final[int] = 0
REJECT: Final[int] = 1
CONCEDE: Final[int] = 4
BID: Final[int] = 30
PASS: Final[int] = 31

ACES: Final[i64] = 0x01010101 << ACE
TENS: Final[i64] = 0x01010101 << TEN
COUNTING: Final[i64] = 0xE0E0E0E0
QUEEN_OF_SPADES: Final[i64] = 1 << 24 + QUEEN
JACK_OF_DIAMONDS: Final[i64] = 1 << 11


class PinochleBidRules:
    """opening, highest: bids; values: what each face counts.

    For rules of thumb: weights: the points that a hand makes in tricks when it has named trump, in hundredths: always,
    for each trump, the ace and the ten of trumps, other aces and tens; margin: what is kept in hand of this."""

    def __init__(
        self,
        opening: i64,
        highest: i64,
        values: list[i64],
        melds: MeldValues,
        weights: list[i64],
        margin: i64,
        habits: Habits,
    ) -> None:
        self.opening: i64 = opening
        self.highest: i64 = highest
        self.values = values
        self.melds = melds
        self.weights = weights
        self.margin: i64 = margin
        self.habits = habits


class PinochleBid(SearchPosition):
    """stage: SELECTING, BIDDING, NAMING or PLAYING. stock: the cards that may be selected, as they lie; drawn: how many
    of these are gone; held: how many cards the two hold while they select. bid: the last, 0 for none; owner: whose it
    is when the bidding is over, else -1; marked: how much more than the lowest bid is being bid. melds: by seat what
    was shown."""

    def __init__(self, rules: PinochleBidRules) -> None:
        super().__init__()
        self.rules = rules
        self.tricks = PinochleTricks(SEATS, 0, False, 0, rules.values)
        self.stage: i64 = BIDDING
        self.stock: list[i64] = []
        self.drawn: i64 = 0
        self.held: i64 = 0
        self.bid: i64 = 0
        self.owner: i64 = -1
        self.marked: i64 = 0
        self.melds: list[i64] = [0, 0]

    def copy(self) -> PinochleBid:
        new = PinochleBid(self.rules)
        new.copy_turn_and_race(self)
        new.tricks = self.tricks.copy()
        new.stage = self.stage
        new.stock = self.stock[:]
        new.drawn = self.drawn
        new.held = self.held
        new.bid = self.bid
        new.owner = self.owner
        new.marked = self.marked
        new.melds = self.melds[:]
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a place: a seat; 4 for the stock while cards are selected, the card that is offered first; 5
        for any out of play."""
        if place < SEATS:
            self.tricks.add_face(place, card)
        elif place == STOCK:
            self.stock.append(card)

    def set_stage(
        self,
        *,
        turn: i64 = AS_IS,
        stage: i64 = AS_IS,
        held: i64 = AS_IS,
        owner: i64 = AS_IS,
        bid: i64 = AS_IS,
        melds: list[i64] | None = None,
    ) -> None:
        """Set where the hand stands in its middle; what is left out stays as it is."""
        if turn != AS_IS:
            self.turn = turn
        if stage != AS_IS:
            self.stage = stage
        if held != AS_IS:
            self.held = held
        if owner != AS_IS:
            self.owner = owner
        if bid != AS_IS:
            self.bid = bid
        if melds is not None:
            self.melds = melds

    def legal_moves(self) -> i64:
        if self.stage == PLAYING:
            return self.tricks.playable_faces()
        if self.stage == SELECTING:
            return BIT[ACCEPT] | BIT[REJECT]
        if self.stage == NAMING:
            return self.nameable_suits() or BIT[CONCEDE]
        most: i64 = self.rules.highest - self.next_bid()
        found: i64 = 0 if self.marked else BIT[PASS]
        return found if most < 0 else found | BIT[BID] | markable_steps(self.marked, most)

    def next_bid(self) -> i64:
        """The lowest bid there can be now."""
        return self.bid + 1 if self.bid >= self.rules.opening else self.rules.opening

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

    def make_move(self, move: i64) -> None:
        if self.stage == PLAYING:
            tricks = self.tricks
            done = tricks.play_face(move)
            self.turn = tricks.turn
            if done and not tricks.faces_held(self.turn):
                self.turn = OVER
        elif self.stage == SELECTING:
            self._accept_or_reject(move)
        elif self.stage == NAMING:
            self._name_trump(move)
        elif move < BID:
            self.marked += BIT[move]
        else:
            self._bid_or_pass(move)

    def _accept_or_reject(self, move: i64) -> None:
        self.tricks.add_face(self.turn, self.stock[self.drawn + move])
        self.drawn += 2
        self.held += 1
        self.turn = 1 - self.turn
        if self.held == SEATS * EACH:
            self.stage = BIDDING

    def _bid_or_pass(self, move: i64) -> None:
        if move == PASS:
            self.owner = 1 - self.turn
            self.bid = self.bid or self.rules.opening
            self.stage = NAMING
        else:
            self.bid = self.next_bid() + self.marked
            self.marked = 0
        self.turn = 1 - self.turn

    def _name_trump(self, suit: i64) -> None:
        if suit == CONCEDE:
            self.turn = OVER
            return
        self.stage = PLAYING
        self.tricks.name_trump(SUITS[suit])
        self.melds[0] = self.rules.melds.meld_points(self.tricks.hands, 0, suit)
        self.melds[1] = self.rules.melds.meld_points(self.tricks.hands, 1, suit)
        self.tricks.begin_trick(self.turn)

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
            can: i64 = self.tricks.playable_faces()
            if not can & (can - 1):
                return lowest_place(can)
            return self.tricks.best_taking_card(can, -1, 1, self.rules.habits)
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

    def best_trump(self, suits: i64) -> i64:
        """The one of some suits with which the seat to act should make most."""
        best: i64 = -1
        most: i64 = -1
        while suits:
            suit: i64 = lowest_place(suits)
            suits &= suits - 1
            points: i64 = self.expected_points(suit)
            if points > most:
                most = points
                best = suit
        return best

    def expected_points(self, suit: i64) -> i64:
        """What the seat to act should make with this trump, in hundredths: melds, and cards taken in tricks."""
        seat: i64 = self.turn
        hands: list[i64] = self.tricks.hands
        weights = self.rules.weights
        trump: i64 = SUITS[suit]
        points: i64 = weights[0] + 100 * self.rules.melds.meld_points(hands, seat, suit)
        points += weights[1] * copies_held(hands, seat, trump)
        points += weights[2] * copies_held(hands, seat, trump & ACES) + weights[3] * copies_held(
            hands, seat, trump & TENS
        )
        return (
            points
            + weights[4] * copies_held(hands, seat, ACES & ~trump)
            + weights[5] * copies_held(hands, seat, TENS & ~trump)
        )
