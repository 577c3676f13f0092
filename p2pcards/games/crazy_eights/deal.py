"""A hand of crazy eights in whole numbers, with every option that a hand depends on. A card is `13 * suit + rank`, rank
0 for a two up to 12 for an ace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, lowest_place
from p2pcards.games.deals.position import AS_IS, OVER, SearchPosition

if TYPE_CHECKING:
    from mypy_extensions import i64

STOCK: Final[int] = 4
NO_CARD: Final[i64] = -1
DRAW: Final[i64] = 52
PASS: Final[i64] = 53

TWO: Final[i64] = 0
EIGHT: Final[i64] = 6
JACK: Final[i64] = 9
KING: Final[i64] = 11
NO_RANK: Final[i64] = 13
OF_SUIT: Final[list[i64]] = [0x1FFF << 13 * suit for suit in range(4)]
OF_RANK: Final[list[i64]] = [0x8004002001 << rank for rank in range(13)] + [0]
EIGHTS: Final[i64] = 0x8004002001 << 6
LAST_EIGHT: Final[i64] = 6
"""The move of an eight that is the last card of a hand, and names no suit."""
PIPS: Final[list[i64]] = [min(rank + 2, 10) if rank < 12 else 1 for rank in range(13)]

# Rules of thumb, in points of count
FEW: Final[i64] = 2  # a hand this small may be gone soon
MATE: Final[i64] = 3  # what another card is worth that follows on this one
HIT: Final[i64] = 40  # what an action card is worth against a small hand
WAIT: Final[i64] = -10  # and otherwise
KEEP: Final[i64] = -100  # what it is worth to play an eight before the hand is about to end
# Where two play a hand is about to end when the other has one card left. Where more play, those who keep their eights
# do better: by 0.16 points a hand of four players, over 20000 deals.


class EightsRules:
    """The options of a hand, as in `games.crazy_eights.Options`. counts: by rank what a card counts that is left."""

    def __init__(self, players: i64, two_draws_two: bool, jack_skips: bool, king_turns: bool, one_only: bool) -> None:
        self.players: i64 = players
        self.two_draws_two = two_draws_two
        self.jack_skips = jack_skips
        self.king_turns = king_turns and players > 2
        self.one_only = one_only
        self.counts: list[i64] = PIPS[:]
        self.counts[EIGHT] = 50
        if two_draws_two:
            self.counts[TWO] = 25
        if jack_skips:
            self.counts[JACK] = 25
        if self.king_turns:
            self.counts[KING] = 25

    def points_left_in(self, hand: i64) -> i64:
        """What the cards left in a hand count."""
        total: i64 = 0
        while hand:
            total += self.counts[lowest_place(hand) % 13]
            hand &= hand - 1
        return total


class CrazyEights(SearchPosition):
    """hands: the cards that each seat holds, as far as they are known. stock: in the order drawn, of which `at` cards
    are gone; NO_CARD where one is not known. suit, rank: what may follow, NO_RANK after an eight. step: 1 where play
    goes to the left, -1 to the right. owed, drawn, passes: as in `games.crazy_eights.State`. points: what each seat
    scores.

    Eights are all alike but for the suit that is named, so a move that is one says which suit, not which eight."""

    def __init__(self, rules: EightsRules) -> None:
        super().__init__()
        self.rules = rules
        self.hands: list[i64] = [0, 0, 0, 0]
        self.stock: list[i64] = []
        self.at: i64 = 0
        self.hole: i64 = 0
        self.suit: i64 = 0
        self.rank: i64 = NO_RANK
        self.step: i64 = 1
        self.owed: i64 = 0
        self.drawn: i64 = 0
        self.passes: i64 = 0
        self.points: list[i64] = [0, 0, 0, 0]

    def copy(self) -> CrazyEights:
        new = CrazyEights(self.rules)
        new.copy_turn_and_race(self)
        new.hands = self.hands[:]
        new.stock = self.stock[:]
        new.at = self.at
        new.hole = self.hole
        new.suit = self.suit
        new.rank = self.rank
        new.step = self.step
        new.owed = self.owed
        new.drawn = self.drawn
        new.passes = self.passes
        new.points = self.points[:]
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, or to the stock as its next unknown card."""
        if place < STOCK:
            self.hands[place] = self.hands[place] | BIT[card]
            return
        while self.stock[self.hole] >= 0:
            self.hole += 1
        self.stock[self.hole] = card

    def set_stage(
        self,
        *,
        stock: list[i64] | None = None,
        passes: i64 = AS_IS,
        drawn: i64 = AS_IS,
        owed: i64 = AS_IS,
        step: i64 = AS_IS,
        rank: i64 = AS_IS,
        suit: i64 = AS_IS,
        turn: i64 = AS_IS,
    ) -> None:
        """Set the fields of a hand in progress; those left out stay."""
        if stock is not None:
            self.stock = stock
        if passes != AS_IS:
            self.passes = passes
        if drawn != AS_IS:
            self.drawn = drawn
        if owed != AS_IS:
            self.owed = owed
        if step != AS_IS:
            self.step = step
        if rank != AS_IS:
            self.rank = rank
        if suit != AS_IS:
            self.suit = suit
        if turn != AS_IS:
            self.turn = turn

    def legal_moves(self) -> i64:
        """A mask of the legal moves: a card; an eight of the suit that is named; DRAW or PASS."""
        if self.owed:
            return BIT[DRAW]
        hand: i64 = self.hands[self.turn]
        plays: i64 = hand & (OF_SUIT[self.suit] | OF_RANK[self.rank]) & ~EIGHTS
        if hand & EIGHTS:
            plays |= EIGHTS if hand & (hand - 1) else BIT[LAST_EIGHT]
        if self.at < len(self.stock) and not (self.rules.one_only and self.drawn):
            return plays | BIT[DRAW]
        return plays or BIT[PASS]

    def make_move(self, move: i64) -> None:
        if move < DRAW:
            self._play_card(move)
        elif move == PASS:
            self.passes = 0 if self.at < len(self.stock) else self.passes + 1
            if self.passes == self.rules.players:
                self._score_hand()
            else:
                self._next_turn(1)
        else:
            card: i64 = self.stock[self.at]
            self.at += 1
            self.hands[self.turn] = self.hands[self.turn] | BIT[card]
            self.passes = 0
            if self.owed:
                self.owed -= 1
            else:
                self.drawn += 1

    def _play_card(self, card: i64) -> None:
        rules = self.rules
        seat: i64 = self.turn
        hand: i64 = self.hands[seat]
        rank: i64 = card % 13
        self.suit = card // 13
        self.passes = 0
        if rank == EIGHT:
            card = lowest_place(hand & EIGHTS)
            self.rank = NO_RANK
        else:
            self.rank = rank
        hand &= ~BIT[card]
        self.hands[seat] = hand
        if not hand:
            self._score_hand()
            return
        if rank == KING and rules.king_turns:
            self.step = -self.step
        self._next_turn(2 if rank == JACK and rules.jack_skips else 1)
        if rank == TWO and rules.two_draws_two:
            self.owed = min(2, len(self.stock) - self.at)

    def _next_turn(self, steps: i64) -> None:
        self.turn = self.seat_after(steps)
        self.drawn = 0
        self.owed = 0

    def seat_after(self, steps: i64) -> i64:
        """The seat so many places on in the direction of play."""
        players: i64 = self.rules.players
        return (self.turn + steps * self.step + 2 * players) % players

    def _score_hand(self) -> None:
        """The seat that is out scores what the others hold; in a block the lowest what the others hold above it."""
        players: i64 = self.rules.players
        total: i64 = 0
        low: i64 = 100000
        winners: i64 = 0
        seat: i64 = 0
        while seat < players:
            held: i64 = self.rules.points_left_in(self.hands[seat])
            self.points[seat] = held
            total += held
            if held < low:
                low = held
                winners = 0
            if held == low:
                winners += 1
            seat += 1
        share: i64 = (total - low * players) // winners
        seat = 0
        while seat < players:
            self.points[seat] = share if self.points[seat] == low else 0
            seat += 1
        self.turn = OVER

    def mishap_bits(self, seat: i64) -> i64:
        hand: i64 = self.hands[seat]
        if not hand:
            return 0
        found: i64 = 1 if hand & EIGHTS else 0
        other: i64 = 0
        while other < self.rules.players:
            if not self.hands[other]:
                found |= 2
            other += 1
        return found

    def final_worth(self, seat: i64) -> i64:
        """The points of the seat, times the number of players, less what all score."""
        return self.rules.players * self.points[seat] - sum_of_points(self.points)

    def final_scores(self) -> list[i64]:
        return self.points[: self.rules.players]

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        """The move by rules of thumb: never a card from the stock while one can be played."""
        can: i64 = self.legal_moves()
        if can & (BIT[DRAW] - 1):
            can &= BIT[DRAW] - 1
        if not can & (can - 1):
            return lowest_place(can)
        hand: i64 = self.hands[self.turn]
        fewest: i64 = self.fewest_cards()
        best: i64 = NO_CARD
        most: i64 = -100000
        left: i64 = can
        while left:
            card: i64 = lowest_place(left)
            left &= left - 1
            worth: i64 = self._worth_of_card(card, hand, fewest)
            if worth > most:
                most = worth
                best = card
        return best

    def fewest_cards(self) -> i64:
        """How many cards the smallest hand of the others has."""
        fewest: i64 = 52
        seat: i64 = 0
        while seat < self.rules.players:
            if seat != self.turn:
                fewest = min(fewest, bit_count(self.hands[seat]))
            seat += 1
        return fewest

    def _worth_of_card(self, card: i64, hand: i64, fewest: i64) -> i64:
        """Worth of playing a card, in hundredths of a point. fewest: cards in the smallest other hand."""
        rules = self.rules
        rank: i64 = card % 13
        suit: i64 = card // 13
        if rank == EIGHT:
            duel = rules.players == 2 and fewest == 1
            ending = duel or len(self.stock) - self.at < rules.players
            same: i64 = hand & OF_SUIT[suit] & ~EIGHTS
            length: i64 = 100 * bit_count(same)
            while same:
                length += PIPS[lowest_place(same) % 13]
                same &= same - 1
            return (5000 if ending else 100 * KEEP) + length
        rest: i64 = hand & ~BIT[card]
        mates: i64 = bit_count(rest & (OF_SUIT[suit] | OF_RANK[rank]) & ~EIGHTS)
        worth: i64 = rules.counts[rank] * (2 if fewest <= FEW else 1) + MATE * mates + self._worth_of_effect(rank)
        return 100 * worth

    def _worth_of_effect(self, rank: i64) -> i64:
        """What an action card is worth now: much against a small hand, less than nothing for a large one."""
        rules = self.rules
        after: i64 = bit_count(self.hands[self.seat_after(1)])
        if rank == TWO and rules.two_draws_two:
            return HIT if after <= FEW else WAIT
        if rank == JACK and rules.jack_skips:
            return HIT if after <= FEW or rules.players == 2 else WAIT
        if rank == KING and rules.king_turns:
            before: i64 = bit_count(self.hands[self.seat_after(-1)])
            return HIT if after <= FEW < before else -HIT if before <= FEW < after else WAIT // 2
        return 0


def sum_of_points(points: list[i64]) -> i64:
    return points[0] + points[1] + points[2] + points[3]
