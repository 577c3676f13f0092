"""A hand of thirty-one in whole numbers, with every option that a hand depends on. A card is `13 * suit + rank`, rank 0
for a two up to 12 for an ace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, lowest_place
from p2pcards.games.deals.position import AS_IS, OVER, SearchPosition
from p2pcards.games.deals.worlds import Room, Worlds

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
STOCK: Final[int] = 4
TURNS: Final[i64] = 200
NOBODY: Final[i64] = -1
NO_CARD: Final[i64] = -1

DRAW: Final[i64] = 52
TAKE: Final[i64] = 53
KNOCK: Final[i64] = 54
STAND: Final[i64] = 55
BLITZ: Final[i64] = 56

SUIT: Final[i64] = 0x1FFF
OF_SUIT: Final[list[i64]] = [0x1FFF << 13 * suit for suit in range(4)]
BEST: Final[i64] = 31
ACE_KING_TEN: Final[i64] = 0x1900
VALUES: Final[list[i64]] = [min(rank + 2, 10) if rank < 12 else 11 for rank in range(13)]


def suit_sums() -> list[i64]:
    """Table by the mask of the cards of one suit: what they are worth together."""
    found: list[i64] = [0]
    for rank in range(13):
        found += [one + VALUES[rank] for one in found]
    return found


SUM: Final[list[i64]] = suit_sums()

# What is worth a knock, by the turns that everybody has had; tried out against others over 30000 deals
READY: Final[list[i64]] = [19, 21, 22, 23, 24, 24, 25]


class ThirtyOne(SearchPosition):
    """any_31: every hand worth 31 is a blitz. scores: the points left, 0 on honor, below 0 for a seat that is out.

    hands: the cards that each seat holds, as far as they are known; shown: those of them that everybody knows. stock:
    in the order drawn, of which `at` cards are gone; open: everybody knows them; discards: the top card last. first:
    who had the first turn; turns: how many are over. drawn: whose turn it is has a card too many; taken: the discard
    that they took. lost: what each seat loses. odds: by seat, and by the seats that lose a point, a bit for each, the
    chance of the seat to win the game, of `race.SURE`; none where points count for themselves."""

    def __init__(self, any_31: bool, scores: list[i64], first: i64) -> None:
        super().__init__()
        self.first: i64 = first
        self.any_31 = any_31
        self.scores = scores
        self.hands: list[i64] = [0, 0, 0, 0]
        self.shown: list[i64] = [0, 0, 0, 0]
        self.stock: list[i64] = []
        self.at: i64 = 0
        self.open = False
        self.discards: list[i64] = []
        self.drawn = False
        self.taken: i64 = NO_CARD
        self.turns: i64 = 0
        self.knocker: i64 = NOBODY
        self.lost: list[i64] = [0, 0, 0, 0]
        self.odds: list[i64] = []

    def copy(self) -> ThirtyOne:
        new = ThirtyOne(self.any_31, self.scores, self.first)
        new.turn = self.turn
        new.hands = self.hands[:]
        new.shown = self.shown[:]
        new.stock = self.stock[:]
        new.at = self.at
        new.open = self.open
        new.discards = self.discards[:]
        new.drawn = self.drawn
        new.taken = self.taken
        new.turns = self.turns
        new.knocker = self.knocker
        new.lost = self.lost[:]
        new.odds = self.odds
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, or to the stock."""
        if place < SEATS:
            self.hands[place] = self.hands[place] | BIT[card]
        else:
            self.stock.append(card)

    def set_stage(
        self,
        *,
        discards: list[i64] | None = None,
        knocker: i64 = AS_IS,
        turns: i64 = AS_IS,
        taken: i64 = AS_IS,
        drawn: bool | None = None,
        turn: i64 = AS_IS,
        first: i64 = AS_IS,
        opened: bool | None = None,
        odds: list[i64] | None = None,
    ) -> None:
        """Set the fields of a hand in progress; those left out stay."""
        if discards is not None:
            self.discards = discards
        if knocker != AS_IS:
            self.knocker = knocker
        if turns != AS_IS:
            self.turns = turns
        if taken != AS_IS:
            self.taken = taken
        if drawn is not None:
            self.drawn = drawn
        if turn != AS_IS:
            self.turn = turn
        if first != AS_IS:
            self.first = first
        if opened is not None:
            self.open = opened
        if odds is not None:
            self.odds = odds

    def legal_moves(self) -> i64:
        """A mask of the legal moves: a card that is discarded, with a blitz where that is one; else what a turn begins
        with."""
        hand: i64 = self.hands[self.turn]
        if not self.drawn:
            if self.is_blitz(hand):
                return BIT[BLITZ]
            return BIT[DRAW] | BIT[TAKE] | (BIT[KNOCK] if self.knocker < 0 else BIT[STAND])
        free: i64 = hand
        if self.taken >= 0:
            free &= ~BIT[self.taken]
        blitzes: i64 = 0
        left: i64 = free
        while left:
            bit: i64 = left & -left
            left ^= bit
            if self.is_blitz(hand ^ bit):
                blitzes |= bit
        return blitzes or free

    def is_blitz(self, hand: i64) -> bool:
        """Return whether three cards are a blitz."""
        first: i64 = lowest_place(hand) // 13
        if hand & ~OF_SUIT[first]:
            return False
        ranks: i64 = hand >> 13 * first
        return ranks == ACE_KING_TEN or (self.any_31 and SUM[ranks] == BEST)

    def make_move(self, move: i64) -> None:
        seat: i64 = self.turn
        if move < DRAW:
            self._make_discard(move)
        elif move == DRAW:
            self._draw_card()
        elif move == TAKE:
            self.taken = self.discards.pop()
            self.hands[seat] = self.hands[seat] | BIT[self.taken]
            self.shown[seat] = self.shown[seat] | BIT[self.taken]
            self.drawn = True
        elif move == BLITZ:
            self._all_lose_except(seat)
        else:
            if move == KNOCK:
                self.knocker = seat
            self._next_turn()

    def _draw_card(self) -> None:
        seat: i64 = self.turn
        if self.at == len(self.stock):
            top: i64 = self.discards.pop()
            self.stock = self.discards
            self.at = 0
            self.open = True
            self.discards = [top]
        bit: i64 = BIT[self.stock[self.at]]
        self.at += 1
        self.hands[seat] = self.hands[seat] | bit
        if self.open:
            self.shown[seat] = self.shown[seat] | bit
        self.drawn = True
        self.taken = NO_CARD

    def _make_discard(self, card: i64) -> None:
        seat: i64 = self.turn
        self.hands[seat] = self.hands[seat] & ~BIT[card]
        self.shown[seat] = self.shown[seat] & ~BIT[card]
        self.discards.append(card)
        self.drawn = False
        self.taken = NO_CARD
        if self.is_blitz(self.hands[seat]):
            self._all_lose_except(seat)
        else:
            self._next_turn()

    def _next_turn(self) -> None:
        self.turns += 1
        after: i64 = self.next_player(self.turn)
        if after == self.knocker:
            self._score_showdown()
        elif self.turns == TURNS:
            self.turn = OVER
        else:
            self.turn = after

    def next_player(self, seat: i64) -> i64:
        """The seat to the left, of those who are still in."""
        while True:
            seat = (seat + 1) & 3
            if self.scores[seat] >= 0:
                return seat

    def players_left(self) -> i64:
        """How many are still in."""
        number: i64 = 0
        seat: i64 = 0
        while seat < SEATS:
            if self.scores[seat] >= 0:
                number += 1
            seat += 1
        return number

    def _all_lose_except(self, winner: i64) -> None:
        """Let every seat still in lose a point, but not the winner; the hand is over."""
        seat: i64 = 0
        while seat < SEATS:
            if seat != winner and self.scores[seat] >= 0:
                self.lost[seat] = 1
            seat += 1
        self.turn = OVER

    def _score_showdown(self) -> None:
        """The lowest loses, and all who tie; of the last two, one on their honor, by the counting cards."""
        number: i64 = self.players_left()
        honor = False
        seat: i64 = 0
        lowest_hand: i64 = BEST + 1
        while seat < SEATS:
            if self.scores[seat] >= 0:
                honor = honor or not self.scores[seat]
                lowest_hand = min(lowest_hand, hand_value(self.hands[seat]))
            seat += 1
        self.turn = OVER
        seat = 0
        while seat < SEATS:
            if self.scores[seat] >= 0 and hand_value(self.hands[seat]) == lowest_hand:
                other: i64 = self.next_player(seat)
                if number == 2 and honor and hand_value(self.hands[other]) == lowest_hand:
                    self.lost[seat] = 1 if counting_cards(self.hands[seat]) < counting_cards(self.hands[other]) else 0
                else:
                    self.lost[seat] = 1
            seat += 1

    def mishap_bits(self, seat: i64) -> i64:
        return 1 if self.lost[seat] else 0

    def final_worth(self, seat: i64) -> i64:
        """What all lose, less four times what the seat does."""
        return self.lost[0] + self.lost[1] + self.lost[2] + self.lost[3] - 4 * self.lost[seat]

    def final_merit(self, seat: i64) -> i64:
        if not len(self.odds):
            return self.final_worth(seat)
        lost = self.lost
        losers: i64 = lost[0] + 2 * lost[1] + 4 * lost[2] + 8 * lost[3]
        return self.odds[16 * seat + losers]

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        can: i64 = self.legal_moves()
        if not can & (can - 1):
            return lowest_place(can)
        if self.drawn:
            return self._best_discard(can)
        hand: i64 = self.hands[self.turn]
        have: i64 = hand_value(hand)
        gain: i64 = value_after_taking(hand, self.discards[len(self.discards) - 1]) - have
        if self.knocker < 0 and have >= knock_threshold(self.turns // self.players_left()) and gain < 5:
            return KNOCK
        much: i64 = 4 if have < 20 else 3 if have < 25 else 2
        return TAKE if gain >= much else DRAW

    def _best_discard(self, can: i64) -> i64:
        """The card without which the hand is worth most; then one that counts little, of a suit that the others were
        not seen to take."""
        seat: i64 = self.turn
        hand: i64 = self.hands[seat]
        wanted: i64 = self.shown[0] | self.shown[1] | self.shown[2] | self.shown[3]
        wanted &= ~self.shown[seat]
        best: i64 = NO_CARD
        most: i64 = -1000000
        left: i64 = can
        while left:
            card: i64 = lowest_place(left)
            left &= left - 1
            worth: i64 = (
                1000 * hand_value(hand ^ BIT[card]) - VALUES[card % 13] - bit_count(wanted & OF_SUIT[card // 13])
            )
            if worth > most:
                most = worth
                best = card
        return best


class TurnedWorlds(Worlds):
    """Worlds in which the others have made something of their turns: each has drawn a card in each of them, kept what
    was good, and has knocked by rules of thumb or not."""

    def __init__(self, cards: list[i64], rooms: list[Room]) -> None:
        super().__init__(cards, rooms)
        self._unseen: i64 = 0
        for card in cards:
            self._unseen |= BIT[card]

    def fill_world(self, position: SearchPosition, chance: Chance) -> None:
        """Draw a world in which the other hands have been improved by their turns."""
        super().fill_world(position, chance)
        assert isinstance(position, ThirtyOne)
        if position.open or position.at == len(position.stock):
            return
        number: i64 = position.players_left()
        seat: i64 = position.first
        place: i64 = 0
        while place < number:
            if seat != position.turn:
                self._improve_hand(position, seat, (position.turns - place + number - 1) // number, chance)
            seat = position.next_player(seat)
            place += 1

    def _improve_hand(self, position: ThirtyOne, seat: i64, turns: i64, chance: Chance) -> None:
        """Let a seat draw and exchange a card for each of its turns."""
        knocked = seat == position.knocker
        draws: i64 = turns - 1 if knocked else turns
        turn: i64 = 0
        while turn < draws:
            turn += 1
            self._draw_for(position, seat, 99 if turn == turns else knock_threshold(turn), chance)
        tries: i64 = 30 if knocked else 0
        while tries > 0 and hand_value(position.hands[seat]) < knock_threshold(draws):
            tries -= 1
            self._draw_for(position, seat, 99, chance)

    def _draw_for(self, position: ThirtyOne, seat: i64, most: i64, chance: Chance) -> None:
        """A card of the stock is exchanged for one of the hand that is not known to be there, if the hand is better
        then, but not worth so much."""
        hand: i64 = position.hands[seat]
        at: i64 = position.at + chance.number_below(len(position.stock) - position.at)
        card: i64 = position.stock[at]
        have: i64 = hand_value(hand)
        best: i64 = NO_CARD
        left: i64 = hand & self._unseen
        while left:
            bit: i64 = left & -left
            left ^= bit
            worth: i64 = hand_value(hand ^ bit | BIT[card])
            if have < worth < most:
                have = worth
                best = lowest_place(bit)
        if best >= 0:
            position.hands[seat] = hand & ~BIT[best] | BIT[card]
            position.stock[at] = best


def knock_threshold(turns: i64) -> i64:
    """What a hand must be worth for a knock after so many turns of everybody."""
    return READY[turns if turns < len(READY) else len(READY) - 1]


def hand_value(hand: i64) -> i64:
    """The best sum of a hand in one suit."""
    best: i64 = SUM[hand & SUIT]
    best = max(best, SUM[hand >> 13 & SUIT])
    best = max(best, SUM[hand >> 26 & SUIT])
    return max(best, SUM[hand >> 39 & SUIT])


def value_after_taking(hand: i64, card: i64) -> i64:
    """What three cards are worth once this one has taken the place of the one that helps least."""
    best: i64 = 0
    left: i64 = hand
    while left:
        best = max(best, hand_value(hand & ~(left & -left) | BIT[card]))
        left &= left - 1
    return best


def counting_cards(hand: i64) -> i64:
    """The cards that make up the value of a hand, the higher the better; of several suits the best."""
    have: i64 = hand_value(hand)
    best: i64 = 0
    suit: i64 = 0
    while suit < 4:
        ranks: i64 = hand >> 13 * suit & SUIT
        if SUM[ranks] == have:
            best = max(best, ranks)
        suit += 1
    return best
