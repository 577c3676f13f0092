"""A hand of pinochle for four in whole numbers, with the single or the double pack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import Chance, mixed_key
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.pinochle_bidding import BID, NAMING, PASS, PLAYING, BiddingPosition, BiddingRules
from p2pcards.games.deals.pinochle_melds import copies_held
from p2pcards.games.deals.pinochle_tricks import ALL, SUITS, PinochleTricks
from p2pcards.games.deals.position import OVER

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
ENDING: Final[int] = 12  # cards held, at the most
ANY_SUIT: Final[i64] = 0b1111


class Pinochle(BiddingPosition):
    """bidder: whose the highest bid is, -1 for nobody; passed: by seat. The weights go on with what each card counts
    that another suit lacks of two, and then with what a partner's melds are worth."""

    def __init__(self, rules: BiddingRules) -> None:
        super().__init__(rules, PinochleTricks(SEATS, 0, True, ALL, rules.values))
        self.bidder: i64 = -1
        self.passed: list[bool] = [False, False, False, False]

    def copy(self) -> Pinochle:
        new = Pinochle(self.rules)
        new.copy_bidding(self)
        new.bidder = self.bidder
        new.passed = self.passed[:]
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand."""
        self.tricks.add_face(place, card)

    def set_auction(self, passed: list[bool], bidder: i64) -> None:
        """Set who has passed, and whose the highest bid is."""
        self.passed = passed
        self.bidder = bidder

    def legal_moves(self) -> i64:
        if self.stage == PLAYING:
            return self.tricks.playable_faces()
        return ANY_SUIT if self.stage == NAMING else self.bidding_moves()

    def after_bid(self) -> None:
        self.bidder = self.turn
        self._next_to_bid()

    def after_pass(self) -> None:
        self.passed[self.turn] = True
        self._next_to_bid()

    def _next_to_bid(self) -> None:
        """Pass the turn on; the bidder names trump when the three others have passed."""
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
            return self.card_by_rule_of_thumb((self.turn + 2) & 3)
        if self.stage == NAMING:
            return self.best_trump(ANY_SUIT)
        if self.marked:
            return BID
        return BID if self.next_bid() <= self.rules.highest and self.bidding_room() >= 0 else PASS

    def bidding_room(self) -> i64:
        """By how much the lowest bid may grow before the seat to act should pass; below 0 if it should."""
        limit: i64 = self.expected_points(self.best_trump(ANY_SUIT)) - self.rules.margin
        if self.bidder == (self.turn + 2) & 3:
            limit -= self.rules.spare
        return limit - self.next_bid()

    def expected_points(self, suit: i64) -> i64:
        seat: i64 = self.turn
        hands: list[i64] = self.tricks.hands
        weights = self.rules.weights
        points: i64 = self.expected_in_tricks(suit) + weights[7] + self.rules.melds.meld_points(hands, seat, suit)
        other: i64 = 0
        while other < 4:
            if other != suit:
                length: i64 = copies_held(hands, seat, SUITS[other])
                points += weights[6] * (2 - length) if length < 2 else 0
            other += 1
        return points
