"""A hand of gin rummy in whole numbers, with every option that a hand depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, lowest_place
from p2pcards.games.deals.melds import (
    PACK,
    RANK_OF,
    VALUES,
    WIDTH,
    best_arrangements,
    cards_in_runs,
    deadwood_after_laying_off,
    least_deadwood,
    loose_cards,
    points_of_cards,
)
from p2pcards.games.deals.position import AS_IS, OVER, SearchPosition

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 2
STOCK: Final[i64] = 4
UNDRAWN: Final[i64] = 2
TURNS: Final[i64] = 200
NONE: Final[i64] = -1

UPCARD: Final[i64] = 0
FORCED: Final[i64] = 1
DRAWING: Final[i64] = 2
DISCARDING: Final[i64] = 3
KNOCKING: Final[i64] = 4

TAKE: Final[i64] = 60
DRAW: Final[i64] = 61
PASS: Final[i64] = 62
BIG_GIN: Final[i64] = 62
KNOCKS: Final[list[i64]] = [13, 14, 28, 29, 43, 44, 58, 59, 60, 61]
"""The numbers that are no cards: a knock with the arrangement of this number, of those with the least deadwood. No hand
that may knock has as many."""

# Found by trying out, for a bonus of 25 for gin and for an undercut. In tenths of a point:
HOPE: Final[i64] = 2  # what an unseen card is worth that makes a meld of two, for each card in the stock
GIFT: Final[i64] = 2  # what it costs that a card makes a meld of two that are unseen, for each card that was drawn
KNOWN: Final[i64] = 10  # the same for a card that the other is known to hold
EARLY: Final[i64] = 23  # cards in the stock; while there are more, one knocks as soon as one may
WORTH_IT: Final[i64] = 30  # points that the bonuses come to together for which one then waits for gin


class Score:
    """What a hand that is won comes to, as in `games.gin_rummy.score`. points, boxes: of both seats in each game on the
    sheet, one after another, before the hand."""

    def __init__(
        self, winning: i64, game_bonus: i64, box_bonus: i64, shutout_double: bool, points: list[i64], boxes: list[i64]
    ) -> None:
        self.winning: i64 = winning
        self.game_bonus: i64 = game_bonus
        self.box_bonus: i64 = box_bonus
        self.shutout_double = shutout_double
        self.points: list[i64] = points
        self.boxes: list[i64] = boxes

    def lead_with_win(self, seat: i64, won: i64) -> i64:
        """By how much the winner of a hand scores more than the other, with the bonuses of games that end with it."""
        total: i64 = 0
        started = True
        place: i64 = 0
        while place < len(self.points):
            mine: i64 = self.points[place + seat]
            theirs: i64 = self.points[place + 1 - seat]
            boxes: i64 = self.boxes[place + seat]
            if mine < self.winning and theirs < self.winning and (started or boxes):
                started = started and boxes > 0
                total += won
                if mine + won >= self.winning:
                    total += self.box_bonus * (boxes + 1 - self.boxes[place + 1 - seat]) + self.game_bonus
                    if self.shutout_double and not theirs:
                        total += mine + won + self.game_bonus
            place += SEATS
        return total


class GinRules:
    """The options of a hand, as in `games.gin_rummy.Options`. limit: the most deadwood to knock with in this hand;
    factor: 2 where it counts double."""

    def __init__(
        self,
        limit: i64,
        factor: i64,
        layoff: bool,
        gin_bonus: i64,
        undercut_bonus: i64,
        big_gin: bool,
        big_gin_bonus: i64,
        score: Score,
    ) -> None:
        self.limit: i64 = limit
        self.factor: i64 = factor
        self.layoff = layoff
        self.gin_bonus: i64 = gin_bonus
        self.undercut_bonus: i64 = undercut_bonus
        self.big_gin = big_gin
        self.big_gin_bonus: i64 = big_gin_bonus
        self.score = score


class GinRummy(SearchPosition):
    """shown: what each seat is known to hold, as it took it from the discards; stock: in the order in which it is
    drawn; left: how many of it are still there; discards: all of them, with top the last; taken: the discard taken in
    this turn; knock: which arrangement is laid down, while the discard is chosen; turns: how many are over; lead: what
    the hand has brought seat 0 more than seat 1; knocker: who has ended it, NONE before."""

    def __init__(self, rules: GinRules, dealer: i64) -> None:
        super().__init__()
        self.rules = rules
        self.dealer: i64 = dealer
        self.hands: list[i64] = [0, 0]
        self.shown: list[i64] = [0, 0]
        self.stock: list[i64] = []
        self.left: i64 = 0
        self.discards: i64 = 0
        self.top: i64 = NONE
        self.stage: i64 = UPCARD
        self.taken: i64 = NONE
        self.knock: i64 = 0
        self.turns: i64 = 0
        self.lead: i64 = 0
        self.knocker: i64 = NONE

    def copy(self) -> GinRummy:
        new = GinRummy(self.rules, self.dealer)
        new.turn = self.turn
        new.hands = self.hands[:]
        new.shown = self.shown[:]
        new.stock = self.stock[:]
        new.left = self.left
        new.discards = self.discards
        new.top = self.top
        new.stage = self.stage
        new.taken = self.taken
        new.knock = self.knock
        new.turns = self.turns
        new.lead = self.lead
        new.knocker = self.knocker
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, or to the stock as the one drawn after those before."""
        if place == STOCK:
            self.stock.append(card)
        else:
            self.hands[place] = self.hands[place] | BIT[card]

    def set_stage(
        self,
        *,
        left: i64 = AS_IS,
        turn: i64 = AS_IS,
        turns: i64 = AS_IS,
        stage: i64 = AS_IS,
        taken: i64 = AS_IS,
        top: i64 = AS_IS,
        discards: i64 = AS_IS,
    ) -> None:
        """Set the fields of a hand in progress; those left out stay."""
        if left != AS_IS:
            self.left = left
        if turn != AS_IS:
            self.turn = turn
        if turns != AS_IS:
            self.turns = turns
        if stage != AS_IS:
            self.stage = stage
        if taken != AS_IS:
            self.taken = taken
        if top != AS_IS:
            self.top = top
        if discards != AS_IS:
            self.discards = discards

    def legal_moves(self) -> i64:
        if self.stage == UPCARD:
            return BIT[TAKE] | BIT[PASS]
        if self.stage == FORCED:
            return BIT[DRAW]
        if self.stage == DRAWING:
            return BIT[DRAW] | BIT[TAKE]
        hand: i64 = self.hands[self.turn]
        free: i64 = self._discardable(hand)
        least: i64 = least_deadwood(hand)
        found: i64 = 0
        if self.stage == DISCARDING:
            found = free
            if self.rules.big_gin and not least:
                found |= BIT[BIG_GIN]
        if least - 10 > self.rules.limit:
            return found
        while free:
            card: i64 = lowest_place(free)
            free &= free - 1
            ways: i64 = self._ways_to_lay_down(hand & ~BIT[card])
            if self.stage == KNOCKING:
                if self.knock < ways:
                    found |= BIT[card]
                continue
            while ways > 0:
                ways -= 1
                found |= BIT[KNOCKS[ways]]
        return found

    def _discardable(self, hand: i64) -> i64:
        """The cards of a hand that may be discarded."""
        return hand if self.taken < 0 else hand & ~BIT[self.taken]

    def _ways_to_lay_down(self, rest: i64) -> i64:
        """In how many ways a hand of ten cards may be laid down for a knock."""
        points: i64 = least_deadwood(rest)
        if points > self.rules.limit:
            return 0
        if not points:
            return 1
        ways: i64 = len(best_arrangements(rest))
        return min(ways, len(KNOCKS))

    def make_move(self, move: i64) -> None:
        seat: i64 = self.turn
        if self.stage >= DISCARDING:
            self._discard_or_knock(seat, move)
        elif move == TAKE:
            self.hands[seat] = self.hands[seat] | BIT[self.top]
            self.shown[seat] = self.shown[seat] | BIT[self.top]
            self.discards &= ~BIT[self.top]
            self.taken = self.top
            self.stage = DISCARDING
        elif move == DRAW:
            self.hands[seat] = self.hands[seat] | BIT[self.stock[len(self.stock) - self.left]]
            self.left -= 1
            self.stage = DISCARDING
        else:
            self.stage = FORCED if seat == self.dealer else UPCARD
            self.turn = 1 - seat

    def _discard_or_knock(self, seat: i64, move: i64) -> None:
        """Make a discard, a knock or the discard that goes with it."""
        hand: i64 = self.hands[seat]
        if self.stage == DISCARDING and not hand & BIT[move]:
            if move == BIG_GIN:
                self._score_knock(seat, 0, self.rules.big_gin_bonus)
                return
            self.knock = 0
            while KNOCKS[self.knock] != move:
                self.knock += 1
            self.stage = KNOCKING
            return
        hand &= ~BIT[move]
        self.hands[seat] = hand
        self.shown[seat] = self.shown[seat] & ~BIT[move]
        self.discards |= BIT[move]
        self.top = move
        self.taken = NONE
        if self.stage == KNOCKING:
            self._score_knock(seat, self.knock, self.rules.gin_bonus)
            return
        self.turns += 1
        self.stage = DRAWING
        self.turn = 1 - seat
        if self.left <= UNDRAWN or self.turns == TURNS:
            self.turn = OVER

    def _score_knock(self, knocker: i64, way: i64, bonus: i64) -> None:
        """Score a knock. way: the arrangement that is laid down; bonus: for no deadwood."""
        rules = self.rules
        hand: i64 = self.hands[knocker]
        other: i64 = self.hands[1 - knocker]
        points: i64 = least_deadwood(hand)
        won: i64 = 0
        if not points:
            won = least_deadwood(other) + bonus
        else:
            theirs: i64 = 0
            if rules.layoff:
                sets: i64 = best_arrangements(hand)[way]
                theirs = deadwood_after_laying_off(other, sets, cards_in_runs(hand & ~sets))
            else:
                theirs = least_deadwood(other)
            won = theirs - points
            if won <= 0:
                won -= rules.undercut_bonus
        won *= rules.factor
        if won > 0 or not points:
            won = rules.score.lead_with_win(knocker, won)
        else:
            won = -rules.score.lead_with_win(1 - knocker, -won)
        self.lead = won if knocker == 0 else -won
        self.knocker = knocker
        self.turn = OVER

    def mishap_bits(self, seat: i64) -> i64:
        if self.knocker == seat:
            return 1 if self.final_worth(seat) <= 0 else 0
        return 2 if self.knocker >= 0 and self.final_worth(seat) < 0 else 0

    def final_worth(self, seat: i64) -> i64:
        """What the seat scores more than the other."""
        return self.lead if seat == 0 else -self.lead

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        """The move by rules of thumb: a discard is taken for a meld or a knock; knock early in a hand, later only with
        gin."""
        seat: i64 = self.turn
        hand: i64 = self.hands[seat]
        if self.stage == DISCARDING:
            return self._best_discard(seat, hand)
        if self.stage == KNOCKING:
            return self._least_deadwood_discard(hand, self.legal_moves())
        if self.stage == FORCED:
            return DRAW
        if self._wants_discard(hand):
            return TAKE
        return PASS if self.stage == UPCARD else DRAW

    def _wants_discard(self, hand: i64) -> bool:
        """Return whether the top discard makes a meld, or leaves so little that one knocks."""
        bit: i64 = BIT[self.top]
        rest: i64 = loose_cards(hand | bit)
        points: i64 = points_of_cards(rest)
        if not rest & bit and points <= least_deadwood(hand):
            return True
        free: i64 = rest & ~bit
        return bool(free) and self._would_knock(points - highest_count(free))

    def _would_knock(self, points: i64) -> bool:
        """Return whether to knock with so much deadwood. Later in a hand the other has less of it, and gin is near."""
        rules = self.rules
        if points > rules.limit:
            return False
        return not points or self.left >= EARLY or rules.gin_bonus + rules.undercut_bonus < WORTH_IT

    def _best_discard(self, seat: i64, hand: i64) -> i64:
        """A knock, or the loose card to be rid of: by what it counts, less the hope of a meld with another, and less
        its use to the other player, both as the hand goes on."""
        rest: i64 = loose_cards(hand)
        free: i64 = self._discardable(rest)
        if not free:
            return self._best_without_loose(hand, rest)
        if self._would_knock(points_of_cards(rest) - highest_count(free)):
            return KNOCKS[0]
        theirs: i64 = self.shown[1 - seat]
        hidden: i64 = PACK & ~(hand | self.discards | theirs)
        best: i64 = NONE
        most: i64 = -(1 << 30)
        while free:
            card: i64 = lowest_place(free)
            free &= free - 1
            worth: i64 = 10 * VALUES[BIT[card % WIDTH]] - self._keeping_worth(card, rest, theirs, hidden)
            if worth > most:
                most = worth
                best = card
        return best

    def _keeping_worth(self, card: i64, rest: i64, theirs: i64, hidden: i64) -> i64:
        """What speaks against a discard, in tenths of a point, beside what it counts."""
        merit: i64 = HOPE * self.left * bit_count(completing_cards(card, rest) & hidden)
        return (
            merit
            + GIFT * (32 - self.left) * completed_pairs(card, theirs | hidden)
            + KNOWN * bit_count(near_cards(card) & theirs)
        )

    def discard_worth(self, card: i64) -> i64:
        """Worth of discarding any card, in tenths of a point, by the same rule of thumb."""
        hand: i64 = self.hands[self.turn]
        theirs: i64 = self.shown[1 - self.turn]
        hidden: i64 = PACK & ~(hand | self.discards | theirs)
        worth: i64 = 10 * (least_deadwood(hand) - least_deadwood(hand & ~BIT[card]))
        return worth - self._keeping_worth(card, loose_cards(hand), theirs, hidden)

    def discard_fits(self) -> bool:
        """Return whether the top discard makes a meld, or leaves so little that one may knock."""
        bit: i64 = BIT[self.top]
        hand: i64 = self.hands[self.turn]
        rest: i64 = loose_cards(hand | bit)
        points: i64 = points_of_cards(rest)
        if not rest & bit and points <= least_deadwood(hand):
            return True
        return bool(rest & ~bit) and points - highest_count(rest & ~bit) <= self.rules.limit

    def _best_without_loose(self, hand: i64, rest: i64) -> i64:
        """The move with no loose card that may go: big gin, or the discard that leaves the least."""
        rules = self.rules
        if rules.big_gin and not rest and rules.big_gin_bonus >= rules.gin_bonus:
            return BIG_GIN
        card: i64 = self._least_deadwood_discard(hand, self._discardable(hand))
        return KNOCKS[0] if self._would_knock(least_deadwood(hand & ~BIT[card])) else card

    def _least_deadwood_discard(self, hand: i64, free: i64) -> i64:
        """Of some discards the one that leaves the least deadwood."""
        best: i64 = NONE
        least: i64 = 1 << 30
        while free:
            card: i64 = lowest_place(free)
            free &= free - 1
            points: i64 = least_deadwood(hand & ~BIT[card])
            if points < least:
                least = points
                best = card
        return best


def highest_count(cards: i64) -> i64:
    """What the highest-counting of some cards counts."""
    places: i64 = (cards | cards >> WIDTH | cards >> 2 * WIDTH | cards >> 3 * WIDTH) & 0x1FFF
    most: i64 = 0
    while places:
        most = VALUES[places & -places]
        places &= places - 1
    return most


def near_cards(card: i64) -> i64:
    """The cards of its rank, and those at most two away in its suit."""
    bit: i64 = BIT[card]
    return (RANK_OF[card] | bit << 2 | bit << 1 | bit >> 1 | bit >> 2) & ~bit


def completing_cards(card: i64, hand: i64) -> i64:
    """The cards that make a meld of this one and another of the hand."""
    bit: i64 = BIT[card]
    found: i64 = 0
    rank: i64 = RANK_OF[card] & ~bit
    if hand & rank:
        found = rank
    if hand & bit << 1:
        found |= bit >> 1 | bit << 2
    if hand & bit >> 1:
        found |= bit << 1 | bit >> 2
    if hand & bit << 2:
        found |= bit << 1
    if hand & bit >> 2:
        found |= bit >> 1
    return found


def completed_pairs(card: i64, among: i64) -> i64:
    """With how many pairs among some cards this one would make a meld."""
    bit: i64 = BIT[card]
    equal: i64 = bit_count(among & RANK_OF[card] & ~bit)
    found: i64 = equal * (equal - 1) // 2
    above: i64 = among & bit << 1
    below: i64 = among & bit >> 1
    if above and below:
        found += 1
    if above and among & bit << 2:
        found += 1
    if below and among & bit >> 2:
        found += 1
    return found
