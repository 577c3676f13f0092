"""A hand of pinochle for four in whole numbers, with the single or the double pack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, lowest_place, mixed_key
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.pinochle_melds import MeldValues, copies_held
from p2pcards.games.deals.pinochle_tricks import ACE, ALL, SUITS, TEN, Habits, PinochleTricks
from p2pcards.games.deals.position import AS_IS, OVER, SearchPosition
from p2pcards.games.deals.raising import markable_steps

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
ENDING: Final[int] = 12  # cards held, at the most
BIDDING, NAMING, PLAYING = range(3)
STEP: Final[int] = 10

# The moves: while they bid, from 0 on powers of two, so many steps more than the lowest bid, and then BID; to name
# trump a suit; to play a face.
BID: Final[int] = 30
PASS: Final[int] = 31


class PinochleRules:
    """What a form of the game counts. lowest, highest: the bids; last_trick: its points; values: of each face.

    For rules of thumb, all in points: weights: what a side makes in tricks when this hand names trump: always, for each
    trump, its aces, its tens, other aces, other tens, each card that another suit lacks of two; the last is what a
    partner's melds are worth. margin: what is kept in hand of this; spare: how much more over a partner's bid."""

    def __init__(
        self,
        lowest: i64,
        highest: i64,
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
        self.last_trick: i64 = last_trick
        self.values = values
        self.melds = melds
        self.weights = weights
        self.margin: i64 = margin
        self.spare: i64 = spare
        self.habits = habits
        self.top: i64 = values[ACE]


class Pinochle(SearchPosition):
    """stage: BIDDING, NAMING or PLAYING. bid: the highest, 0 for none; bidder: whose it is, -1 for nobody; passed: by
    seat; marked: how many steps above the lowest bid is being bid. melds: by seat what was shown."""

    def __init__(self, rules: PinochleRules) -> None:
        super().__init__()
        self.rules = rules
        self.tricks = PinochleTricks(SEATS, 0, True, ALL, rules.values)
        self.stage: i64 = BIDDING
        self.bid: i64 = 0
        self.bidder: i64 = -1
        self.passed: list[bool] = [False, False, False, False]
        self.marked: i64 = 0
        self.melds: list[i64] = [0, 0, 0, 0]

    def copy(self) -> Pinochle:
        new = Pinochle(self.rules)
        new.copy_turn_and_race(self)
        new.tricks = self.tricks.copy()
        new.stage = self.stage
        new.bid = self.bid
        new.bidder = self.bidder
        new.passed = self.passed[:]
        new.marked = self.marked
        new.melds = self.melds[:]
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand."""
        self.tricks.add_face(place, card)

    def set_stage(
        self,
        *,
        turn: i64 = AS_IS,
        stage: i64 = AS_IS,
        passed: list[bool] | None = None,
        bidder: i64 = AS_IS,
        bid: i64 = AS_IS,
        melds: list[i64] | None = None,
    ) -> None:
        """Set where the hand stands in its middle; what is left out stays as it is."""
        if turn != AS_IS:
            self.turn = turn
        if stage != AS_IS:
            self.stage = stage
        if passed is not None:
            self.passed = passed
        if bidder != AS_IS:
            self.bidder = bidder
        if bid != AS_IS:
            self.bid = bid
        if melds is not None:
            self.melds = melds

    def add_hands_of(self, world: SearchPosition) -> None:
        assert isinstance(world, Pinochle)
        self.tricks.add_hands_of(world.tricks)

    def legal_moves(self) -> i64:
        if self.stage == PLAYING:
            return self.tricks.playable_faces()
        if self.stage == NAMING:
            return 0b1111
        most: i64 = (self.rules.highest - self.next_bid()) // STEP
        found: i64 = 0 if self.marked else BIT[PASS]
        return found if most < 0 else found | BIT[BID] | markable_steps(self.marked, most)

    def next_bid(self) -> i64:
        """The lowest bid there can be now."""
        return self.bid + STEP if self.bid else self.rules.lowest

    def make_move(self, move: i64) -> None:
        if self.stage == PLAYING:
            tricks = self.tricks
            done = tricks.play_face(move)
            self.turn = tricks.turn
            if done and not tricks.faces_held(self.turn):
                tricks.points[self.turn] = tricks.points[self.turn] + self.rules.last_trick
                self.turn = OVER
        elif self.stage == NAMING:
            self._name_trump(move)
        elif move < BID:
            self.marked += BIT[move]
        else:
            self._bid_or_pass(move)

    def _name_trump(self, suit: i64) -> None:
        self.stage = PLAYING
        self.tricks.name_trump(SUITS[suit])
        seat: i64 = 0
        while seat < SEATS:
            self.melds[seat] = self.rules.melds.meld_points(self.tricks.hands, seat, suit)
            seat += 1
        self.tricks.begin_trick(self.turn)

    def _bid_or_pass(self, move: i64) -> None:
        """Make a bid or a pass; the bidder names trump when the three others have passed."""
        if move == PASS:
            self.passed[self.turn] = True
        else:
            self.bid = self.next_bid() + STEP * self.marked
            self.bidder = self.turn
            self.marked = 0
        left: i64 = 0
        seat: i64 = 0
        while seat < SEATS:
            left += 0 if self.passed[seat] else 1
            seat += 1
        if not left:
            self.turn = OVER
            return
        seat = (self.turn + 1) & 3
        while self.passed[seat]:
            seat = (seat + 1) & 3
        self.turn = seat
        if left == 1 and self.bidder >= 0:
            self.stage = NAMING

    def sides_in_ending(self) -> i64:
        return 2 if self.stage == PLAYING and self.tricks.cards_held() <= ENDING else 0

    def is_turn_of_side(self, seat: i64) -> bool:
        return not (self.turn ^ seat) & 1

    def transposition_key(self) -> i64:
        """Key of a place between tricks; includes the points, which decide whether the bid is made and whether melds
        count."""
        points = self.tricks.points
        mark: i64 = self.tricks.transposition_key()
        return mixed_key(mark, points[0] + points[2] + 1024 * (points[1] + points[3])) if mark else 0

    def mishap_bits(self, seat: i64) -> i64:
        return 1 if self.bidder >= 0 and self.bidder & 1 == seat & 1 and self.side_points(seat & 1) < 0 else 0

    def fill_sight(self, sight: Sight) -> bool:
        """Fill a sight; aim: which side bid, and whether it has what it bid."""
        if self.stage != PLAYING:
            return False
        tricks, side = self.tricks, self.bidder & 1
        has: i64 = self.melds[side] + self.melds[side + 2] + tricks.points[side] + tricks.points[side + 2]
        aim: i64 = (4 if self.turn & 1 == side else 0) + (2 if has >= self.bid else 0)
        aim += 1 if tricks.won[self.turn] + tricks.won[(self.turn + 2) & 3] else 0
        stake: i64 = min((3 * tricks.pot + self.rules.top - 1) // self.rules.top, 5) if tricks.laid else 0
        tricks.fill_sight(sight, (self.turn + 2) & 3, aim, stake)
        return True

    def final_worth(self, seat: i64) -> i64:
        """What the side of the seat scores, less what the other does."""
        return self.side_points(seat & 1) - self.side_points(1 - (seat & 1))

    def final_scores(self) -> list[i64]:
        return [self.side_points(0), self.side_points(1)]

    def final_merit(self, seat: i64) -> i64:
        """Merit of the hand; where both sides reach the goal the bidder's has won."""
        race = self.race
        if race is None:
            return self.final_worth(seat)
        scored = self.final_scores()
        side: i64 = self.bidder & 1
        return race.race_merit(scored, seat & 1, side if self.bidder >= 0 and race.reaches_goal(scored, side) else OVER)

    def side_points(self, side: i64) -> i64:
        """Score of the hand for a side: the seat of this number, 0 or 1, and its partner."""
        if self.bidder < 0:
            return 0
        tricks = self.tricks
        taken: i64 = tricks.points[side] + tricks.points[side + 2]
        points: i64 = taken
        if taken - (self.rules.last_trick if tricks.turn & 1 == side else 0):
            points += self.melds[side] + self.melds[side + 2]
        if self.bidder & 1 == side and points < self.bid:
            return -self.bid
        return points

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        if self.stage == PLAYING:
            can: i64 = self.tricks.playable_faces()
            if not can & (can - 1):
                return lowest_place(can)
            return self.tricks.best_taking_card(can, (self.turn + 2) & 3, self.rules.top, self.rules.habits)
        if self.stage == NAMING:
            return self.best_trump()
        if self.marked:
            return BID
        return BID if self.next_bid() <= self.rules.highest and self.bidding_room() >= 0 else PASS

    def bidding_room(self) -> i64:
        """By how much the lowest bid may grow before the seat to act should pass; below 0 if it should."""
        limit: i64 = self.expected_points(self.best_trump()) - self.rules.margin
        if self.bidder == (self.turn + 2) & 3:
            limit -= self.rules.spare
        return limit - self.next_bid()

    def best_trump(self) -> i64:
        """The suit with which the seat to act should make most."""
        best: i64 = 0
        most: i64 = -1
        suit: i64 = 0
        while suit < 4:
            points: i64 = self.expected_points(suit)
            if points > most:
                most = points
                best = suit
            suit += 1
        return best

    def expected_points(self, suit: i64) -> i64:
        """What a side should make when the seat to act names this trump: melds, and cards taken in tricks."""
        seat: i64 = self.turn
        hands: list[i64] = self.tricks.hands
        weights = self.rules.weights
        trump: i64 = SUITS[suit]
        points: i64 = weights[0] + weights[7] + self.rules.melds.meld_points(hands, seat, suit)
        points += weights[1] * copies_held(hands, seat, trump)
        points += weights[2] * copies_held(hands, seat, trump & ACES) + weights[3] * copies_held(
            hands, seat, trump & TENS
        )
        points += weights[4] * copies_held(hands, seat, ACES & ~trump) + weights[5] * copies_held(
            hands, seat, TENS & ~trump
        )
        other: i64 = 0
        while other < 4:
            if other != suit:
                length: i64 = copies_held(hands, seat, SUITS[other])
                points += weights[6] * (2 - length) if length < 2 else 0
            other += 1
        return points


ACES: Final[i64] = 0x01010101 << ACE
TENS: Final[i64] = 0x01010101 << TEN
