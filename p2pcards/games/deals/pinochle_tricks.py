"""Tricks of pinochle in whole numbers. A card is a face, `suit * 8 + rank`, rank 0 to 7 for 7 8 9 J Q K T A; equal
cards are one face. Who holds what is four masks of faces each: those held at least once, twice, three, four times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, bit_count, lowest_place, mixed_key
from p2pcards.games.deals.learned import Sight

if TYPE_CHECKING:
    from mypy_extensions import i64

RANKS: Final[int] = 8
COPIES: Final[int] = 4
ALL: Final[i64] = 0xFFFFFFFF
SUITS: Final[list[i64]] = [0xFF << RANKS * suit for suit in range(4)]
SUIT_OF: Final[list[i64]] = [SUITS[face // RANKS] for face in range(4 * RANKS)]
OVER: Final[list[i64]] = [SUITS[face // RANKS] & ~((2 << face) - 1) for face in range(4 * RANKS)]
NINE, JACK, QUEEN, KING, TEN, ACE = range(2, RANKS)
COURT: Final[i64] = 0x38383838
TENS: Final[i64] = 0x40404040
ACES: Final[i64] = 0x80808080


class Habits:
    """Of the rules of thumb, where the best card counts 100. leading: what it is worth to lead the next trick; trump,
    high, high_trump, rank: what it costs to part with a trump, with a card or a trump that nobody beats, and for each
    rank. cashing, pulling: what it is worth to lead a card that nobody beats, and more for a trump while others have
    some; partner_void, next_void: what it is to lead a suit that the partner can trump, and one that the next player
    does not have; giving: in percent, what it costs that the card led counts, where it may be beaten.

    few: as long as so many cards of a suit are unseen, nobody trumps it. In percent, how likely a trick is ours: sure,
    unsure: it lies with us; lost, hoped: it does not. The first of each two where the best card cannot be beaten."""

    def __init__(self, numbers: list[i64]) -> None:
        """numbers: in the order of the attributes."""
        self.leading: i64 = numbers[0]
        self.trump: i64 = numbers[1]
        self.high: i64 = numbers[2]
        self.high_trump: i64 = numbers[3]
        self.rank: i64 = numbers[4]
        self.cashing: i64 = numbers[5]
        self.pulling: i64 = numbers[6]
        self.partner_void: i64 = numbers[7]
        self.next_void: i64 = numbers[8]
        self.few: i64 = numbers[9]
        self.sure: i64 = numbers[10]
        self.unsure: i64 = numbers[11]
        self.lost: i64 = numbers[12]
        self.hoped: i64 = numbers[13]
        self.giving: i64 = numbers[14]


class PinochleTricks:
    """hands: by place four masks; the places are the seats, and then the cards that lie open nowhere, no matter who
    holds them. values: what a face counts; points: what each seat has taken, won: how many tricks.

    trump: the cards of the suit. to_trump: who cannot follow must trump. to_win: the cards of the suits that, when
    led, must be beaten by all who can.

    void: by seat the cards of the suits that it has shown not to hold.

    Of the trick on the table: laid: how many cards; led: all cards of the suit led; best: the face that takes it as it
    lies; taker: who laid it; pot: what it counts. `led` and `best` stay when it is taken."""

    def __init__(self, seats: i64, trump: i64, to_trump: bool, to_win: i64, values: list[i64]) -> None:
        self.seats: i64 = seats
        self.trump: i64 = trump
        self.to_trump = to_trump
        self.to_win: i64 = to_win
        self.values = values
        self.hands: list[i64] = [0] * (COPIES * (seats + 1))
        self.points: list[i64] = [0] * seats
        self.won: list[i64] = [0] * seats
        self.void: list[i64] = [0] * seats
        self.turn: i64 = 0
        self.laid: i64 = 0
        self.led: i64 = 0
        self.best: i64 = 0
        self.taker: i64 = 0
        self.pot: i64 = 0

    def copy(self) -> PinochleTricks:
        new = PinochleTricks(self.seats, self.trump, self.to_trump, self.to_win, self.values)
        new.hands = self.hands[:]
        new.points = self.points[:]
        new.won = self.won[:]
        new.void = self.void[:]
        new.turn = self.turn
        new.laid = self.laid
        new.led = self.led
        new.best = self.best
        new.taker = self.taker
        new.pot = self.pot
        return new

    def add_hands_of(self, other: PinochleTricks) -> None:
        """Add to every seat's hand the cards that it holds at another table."""
        at: i64 = 0
        while at < COPIES * self.seats:
            left: i64 = other.hands[at]
            while left:
                self.add_face(at // COPIES, lowest_place(left))
                left &= left - 1
            at += 1

    def begin_trick(self, leader: i64) -> None:
        """Clear the trick; this seat leads the next one."""
        self.turn = leader

    def name_trump(self, trump: i64) -> None:
        self.trump = trump

    def add_face(self, place: i64, face: i64) -> None:
        """Put one card of this face in a place."""
        bit: i64 = BIT[face]
        at: i64 = COPIES * place
        while self.hands[at] & bit:
            at += 1
        self.hands[at] = self.hands[at] | bit

    def remove_face(self, place: i64, face: i64) -> None:
        """Take one card of this face from a place, if there is one."""
        bit: i64 = BIT[face]
        at: i64 = COPIES * place + COPIES - 1
        while at > COPIES * place and not self.hands[at] & bit:
            at -= 1
        self.hands[at] = self.hands[at] & ~bit

    def faces_held(self, seat: i64) -> i64:
        """Mask of the faces that a seat holds."""
        return self.hands[COPIES * seat]

    def cards_in_place(self, place: i64) -> i64:
        """How many cards lie in a place."""
        at: i64 = COPIES * place
        hands = self.hands
        return bit_count(hands[at]) + bit_count(hands[at + 1]) + bit_count(hands[at + 2]) + bit_count(hands[at + 3])

    def cards_held(self) -> i64:
        """How many cards the seats hold together."""
        cards: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            cards += self.cards_in_place(seat)
            seat += 1
        return cards

    def points_held(self) -> i64:
        """Points of all the cards that the seats hold together."""
        found: i64 = 0
        at: i64 = 0
        while at < COPIES * self.seats:
            left: i64 = self.hands[at]
            while left:
                found += self.values[lowest_place(left)]
                left &= left - 1
            at += 1
        return found

    def unseen_faces(self, seat: i64, least: i64) -> i64:
        """Faces of which at least `least` copies (1 to 4) are unseen by a seat."""
        mine: i64 = COPIES * seat
        there: i64 = COPIES * self.seats + least - 1
        end: i64 = COPIES * self.seats + COPIES
        found: i64 = 0
        while there < end:
            found |= self.hands[there] & ~self.hands[mine]
            mine += 1
            there += 1
        return found

    def faces_beating(self, face: i64) -> i64:
        """The faces that take a trick from this one, where it was led or is a trump."""
        return OVER[face] if BIT[face] & self.trump else OVER[face] | self.trump

    def takes_trick(self, face: i64) -> bool:
        """Return whether this face would take the trick, to which a card was led, as it is now."""
        return bool(BIT[face] & self.faces_beating(self.best))

    def playable_faces(self) -> i64:
        """The faces that the seat to act may play."""
        hand: i64 = self.hands[COPIES * self.turn]
        if not self.laid:
            return hand
        asked: i64 = hand & self.led
        if not asked and self.to_trump:
            asked = hand & self.trump
        if not asked:
            return hand
        if self.led & self.to_win and SUIT_OF[lowest_place(asked)] & BIT[self.best]:
            return asked & OVER[self.best] or asked
        return asked

    def play_face(self, face: i64) -> bool:
        """Play a card of the seat to act; True if it completes the trick, whose winner then has the turn."""
        seat: i64 = self.turn
        self.remove_face(seat, face)
        self.remove_face(self.seats, face)
        self.pot += self.values[face]
        if not self.laid:
            self.led = SUIT_OF[face]
            self.best = face
            self.taker = seat
        else:
            if not BIT[face] & self.led:
                self.void[seat] = self.void[seat] | self.led
                if self.to_trump and not BIT[face] & self.trump:
                    self.void[seat] = self.void[seat] | self.trump
            if self.takes_trick(face):
                self.best = face
                self.taker = seat
        self.laid += 1
        if self.laid < self.seats:
            seat += 1
            self.turn = 0 if seat == self.seats else seat
            return False
        taker: i64 = self.taker
        self.points[taker] = self.points[taker] + self.pot
        self.won[taker] = self.won[taker] + 1
        self.pot = 0
        self.laid = 0
        self.turn = taker
        return True

    def transposition_key(self) -> i64:
        """Between two tricks a hash of who leads and who holds what; otherwise 0."""
        if self.laid:
            return 0
        mark: i64 = mixed_key(0, self.turn + 1)  # or it could undo what the first hand does
        at: i64 = 0
        while at < COPIES * self.seats:
            mark = mixed_key(mark, self.hands[at])
            at += 1
        return mark

    def fill_sight(self, sight: Sight, friend: i64, aim: i64, stake: i64) -> None:
        """Fill a sight with what the seat to act sees; friend: the partner, -1 for nobody; aim, stake: as `Sight` has
        them."""
        seat: i64 = self.turn
        unseen: i64 = self.unseen_faces(seat, 1)
        can: i64 = self.playable_faces()
        winning: i64 = can & self.faces_beating(self.best) if self.laid else 0
        lies: i64 = 0
        if self.laid and self.taker == friend:
            lies = 1 if unseen & OVER[self.best] else 2
        led: i64 = self.led if self.laid else 0
        sight.see_pinochle_trick(self.faces_held(seat), can, unseen, self.trump, self.laid, led, winning, lies)
        shown: list[i64] = [0, 0, 0]
        place: i64 = 0
        while place + 1 < self.seats:
            seat = 0 if seat + 1 == self.seats else seat + 1
            shown[place] = self.void[seat]
            place += 1
        sight.see_voids(shown)
        sight.set_aim(aim, stake, COURT, TENS, ACES)

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def best_taking_card(self, can: i64, partner: i64, top: i64, habits: Habits) -> i64:
        """The card, by rules of thumb, of a player who wants counting cards. partner: whose tricks are as good, -1 for
        nobody; top: what the best card counts."""
        unseen: i64 = self.unseen_faces(self.turn, 1)
        best: i64 = -1
        most: i64 = -1000000
        while can:
            face: i64 = lowest_place(can)
            can &= can - 1
            worth: i64 = -habits.rank * (face & 7)
            if BIT[face] & self.trump:
                worth -= habits.trump
            if not unseen & OVER[face]:
                worth -= habits.high_trump if BIT[face] & self.trump else habits.high
            if self.laid:
                worth += self._follow_worth(face, unseen, partner, top, habits)
            else:
                worth += self._lead_worth(face, unseen, partner, top, habits)
            if worth > most:
                most = worth
                best = face
        return best

    def _lead_worth(self, face: i64, unseen: i64, partner: i64, top: i64, habits: Habits) -> i64:
        """Worth of leading a face: cards that nobody beats first, while they hold; otherwise what counts least."""
        bit: i64 = BIT[face]
        share: i64 = 100 * self.values[face] // top
        if not unseen & OVER[face] and not self._may_be_trumped(face, unseen, partner, habits):
            share += habits.cashing
            return share + habits.pulling if bit & self.trump and unseen & self.trump else share
        share = -share * habits.giving // 100
        if partner >= 0 and self.void[partner] & bit and not self.void[partner] & self.trump:
            share += habits.partner_void
        left: i64 = 0 if self.turn + 1 == self.seats else self.turn + 1
        return share + habits.next_void if self.void[left] & bit else share

    def _follow_worth(self, face: i64, unseen: i64, partner: i64, top: i64, habits: Habits) -> i64:
        """Worth of playing a face to the trick: its points, won or lost as is likely."""
        mine = self.takes_trick(face)
        friend = self.taker == partner
        ours: i64 = 0
        if self.laid == self.seats - 1:
            ours = 100 if mine or friend else 0
        else:
            best: i64 = face if mine else self.best
            safe = not unseen & OVER[best] and not self._may_be_trumped(best, unseen, partner, habits)
            if mine or friend:
                ours = habits.sure if safe else habits.unsure
            else:
                ours = habits.lost if safe else habits.hoped
        stake: i64 = 100 * (self.pot + self.values[face]) // top
        return ((2 * ours - 100) * stake + habits.leading * ours) // 100

    def _may_be_trumped(self, face: i64, unseen: i64, partner: i64, habits: Habits) -> bool:
        """Return whether an opponent who plays later is likely to trump this face: they have shown a void and may have
        trumps, or few cards of the suit are left and trumps are."""
        bit: i64 = BIT[face]
        if bit & self.trump or not unseen & self.trump:
            return False
        left: i64 = self.seats - 1 - self.laid
        seat: i64 = self.turn
        short = bit_count(unseen & SUIT_OF[face]) < habits.few
        while left > 0:
            seat = 0 if seat + 1 == self.seats else seat + 1
            left -= 1
            if seat != partner and not self.void[seat] & self.trump and (short or self.void[seat] & bit):
                return True
        return False
