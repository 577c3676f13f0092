"""A hand of pinochle with bidding in whole numbers: bids, trump named, melds shown all at once, and tricks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, lowest_place
from p2pcards.games.deals.pinochle_melds import MeldValues, copies_held
from p2pcards.games.deals.pinochle_tricks import ACE, ACES, SUITS, TENS, Habits, PinochleTricks
from p2pcards.games.deals.position import AS_IS, OVER, SearchPosition
from p2pcards.games.deals.raising import markable_steps

if TYPE_CHECKING:
    from mypy_extensions import i64

BIDDING, NAMING, PLAYING, SELECTING = range(4)

# The moves: while they bid, from 0 on powers of two, so many steps more than the lowest bid, and then BID; to name
# trump a suit; to play a face.
BID: Final[int] = 30
PASS: Final[int] = 31


class BiddingRules:
    """The numbers of a form of the game. lowest, highest, step: of the bids; last_trick: its points; values: of each
    face.

    For rules of thumb, all in points or all in the same part of one:
    weights: of what a side makes in tricks if this hand names trump: a constant, then for each trump, ace of trump, ten
        of trump, other ace, other ten, and anything the game adds
    margin: subtracted from that before a bid
    spare: margin on top of it for a bid over the partner's"""

    def __init__(
        self,
        lowest: i64,
        highest: i64,
        step: i64,
        last_trick: i64,
        values: list[i64],
        melds: MeldValues,
        weights: list[i64],
        margin: i64,
        spare: i64,
        habits: Habits,
    ) -> None:
        self.lowest: i64 = lowest
        self.highest: i64 = highest
        self.step: i64 = step
        self.last_trick: i64 = last_trick
        self.values = values
        self.melds = melds
        self.weights = weights
        self.margin: i64 = margin
        self.spare: i64 = spare
        self.habits = habits
        self.top: i64 = values[ACE]


class BiddingPosition(SearchPosition):
    """stage: BIDDING, NAMING, PLAYING, or SELECTING before these. bid: the highest, 0 for none; marked: how many steps
    above the lowest bid is being bid. melds: by seat what was shown."""

    def __init__(self, rules: BiddingRules, tricks: PinochleTricks) -> None:
        super().__init__()
        self.rules = rules
        self.tricks = tricks
        self.stage: i64 = BIDDING
        self.bid: i64 = 0
        self.marked: i64 = 0
        self.melds: list[i64] = [0] * tricks.seats

    def copy_bidding(self, other: BiddingPosition) -> None:
        """Copy the fields of this class from another hand."""
        self.copy_turn_and_race(other)
        self.tricks = other.tricks.copy()
        self.stage = other.stage
        self.bid = other.bid
        self.marked = other.marked
        self.melds = other.melds[:]

    def add_hands_of(self, world: SearchPosition) -> None:
        assert isinstance(world, BiddingPosition)
        self.tricks.add_hands_of(world.tricks)

    def set_stage(
        self, *, turn: i64 = AS_IS, stage: i64 = AS_IS, bid: i64 = AS_IS, melds: list[i64] | None = None
    ) -> None:
        """Set the fields of a hand in progress; those left out stay."""
        if turn != AS_IS:
            self.turn = turn
        if stage != AS_IS:
            self.stage = stage
        if bid != AS_IS:
            self.bid = bid
        if melds is not None:
            self.melds = melds

    def next_bid(self) -> i64:
        """The lowest bid open now."""
        return self.bid + self.rules.step if self.bid else self.rules.lowest

    def bidding_moves(self) -> i64:
        """The moves of a seat that bids."""
        most: i64 = (self.rules.highest - self.next_bid()) // self.rules.step
        found: i64 = 0 if self.marked else BIT[PASS]
        return found if most < 0 else found | BIT[BID] | markable_steps(self.marked, most)

    def make_move(self, move: i64) -> None:
        if self.stage == PLAYING:
            tricks = self.tricks
            done = tricks.play_face(move)
            self.turn = tricks.turn
            if done and not tricks.faces_held(self.turn):
                tricks.points[self.turn] = tricks.points[self.turn] + self.rules.last_trick
                self.turn = OVER
        else:
            self.make_call(move)

    def make_call(self, move: i64) -> None:
        """Make a move before the play."""
        if self.stage == NAMING:
            self.name_trump(move)
        elif move < BID:
            self.marked += BIT[move]
        elif move == BID:
            self.bid = self.next_bid() + self.rules.step * self.marked
            self.marked = 0
            self.after_bid()
        else:
            self.after_pass()

    def after_bid(self) -> None:
        """Move on after the bid of the seat to act."""
        raise NotImplementedError

    def after_pass(self) -> None:
        """Move on after the pass of the seat to act."""
        raise NotImplementedError

    def name_trump(self, suit: i64) -> None:
        """Show the melds under this trump; the seat to act leads."""
        self.stage = PLAYING
        self.tricks.name_trump(SUITS[suit])
        seat: i64 = 0
        while seat < self.tricks.seats:
            self.melds[seat] = self.rules.melds.meld_points(self.tricks.hands, seat, suit)
            seat += 1
        self.tricks.begin_trick(self.turn)

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def card_by_rule_of_thumb(self, partner: i64) -> i64:
        """The face to play. partner: of the seat to act, -1 for none."""
        can: i64 = self.tricks.playable_faces()
        if not can & (can - 1):
            return lowest_place(can)
        return self.tricks.best_taking_card(can, partner, self.rules.top, self.rules.habits)

    def best_trump(self, suits: i64) -> i64:
        """The suit among these with the most expected points for the seat to act."""
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
        """The expected points in melds and tricks if the seat to act names this trump."""
        raise NotImplementedError

    def expected_in_tricks(self, suit: i64) -> i64:
        """The part of `expected_points` that comes from tricks, estimated from trumps, aces and tens."""
        seat: i64 = self.turn
        hands: list[i64] = self.tricks.hands
        weights = self.rules.weights
        trump: i64 = SUITS[suit]
        points: i64 = weights[0] + weights[1] * copies_held(hands, seat, trump)
        points += weights[2] * copies_held(hands, seat, trump & ACES)
        points += weights[3] * copies_held(hands, seat, trump & TENS)
        points += weights[4] * copies_held(hands, seat, ACES & ~trump)
        return points + weights[5] * copies_held(hands, seat, TENS & ~trump)
