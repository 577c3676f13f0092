"""Tricks in whole numbers: who holds, leads, follows and takes. The byte of a card, suit << 4 | rank, is its bit in the
masks; a game whose trumps rank otherwise says as which card each of them counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from p2pcards.games.deals.bits import ALL, BIT, COMPILED, PLACES, Four, bit_count, four_masks, mixed_key
from p2pcards.games.deals.value import Value

if TYPE_CHECKING:
    from mypy_extensions import i64

WIDTH: Final[int] = 16
TWO: Final[int] = 2  # the lowest rank
SUIT: Final[i64] = 0x7FFC  # the cards of the lowest suit
EVERY_SUIT: Final[i64] = 1 | 1 << WIDTH | 1 << 2 * WIDTH | 1 << 3 * WIDTH
PACK: Final[i64] = ALL & SUIT * EVERY_SUIT
NOBODY: Final[i64] = -1


class Suits:
    """Of each suit all its places."""

    def __getitem__(self, suit: i64) -> i64:
        """Mask of all the places of a suit."""
        return (suit - suit + 0x7FFF) << WIDTH * suit  # as in `Bits`


class SuitOf:
    """Of each card all places of its suit."""

    def __getitem__(self, card: i64) -> i64:
        """Mask of all the places of the suit of a card."""
        return (card - card + 0x7FFF) << (card & 0x30)


SUITS: Final[Suits] = Suits() if COMPILED else cast("Suits", [0x7FFF << WIDTH * suit for suit in range(4)])
SUIT_OF: Final[SuitOf] = SuitOf() if COMPILED else cast("SuitOf", [SUITS[card // WIDTH] for card in range(PLACES)])


class Tricks(Value):
    """The tricks of a hand. hands: the cards that each seat holds, as far as they are known; taken: those of the tricks
    that it has taken; won: how many. trump: the cards of the suit, 0 for none. out: who sits the hand out.

    Of the trick on the table: laid: how many cards; trick: which; led: all cards of the suit led; best: the card that
    takes it as it lies; taker: who laid it."""

    def __init__(self, seats: i64, trump: i64 = 0, out: i64 = NOBODY, like: Tricks | None = None) -> None:
        """like: a table that lies so; else nobody holds anything yet."""
        self.seats: i64 = seats
        self.trump: i64 = trump
        self.out: i64 = out
        if like is None:
            self.hands: Four = four_masks([0, 0, 0, 0])
            self.taken: Four = four_masks([0, 0, 0, 0])
            self.won: list[i64] = [0] * seats
            self.turn: i64 = 0
            self.laid: i64 = 0
            self.trick: i64 = 0
            self.led: i64 = 0
            self.best: i64 = 0
            self.taker: i64 = 0
            self.gone: i64 = 0
        else:
            self.hands = like.hands.copy()
            self.taken = like.taken.copy()
            self.won = like.won[:]
            self.turn = like.turn
            self.laid = like.laid
            self.trick = like.trick
            self.led = like.led
            self.best = like.best
            self.taker = like.taker
            self.gone = like.gone

    def copy(self) -> Tricks:
        return Tricks(self.seats, self.trump, self.out, self)

    def constructor_arguments(self) -> tuple[Any, ...]:
        return self.seats, self.trump, self.out

    def set_hands(self, hands: list[i64]) -> None:
        """Set the hands of the seats, as masks."""
        self.hands = four_masks(hands)

    def add_hands_of(self, other: Tricks) -> None:
        """Add to every seat's hand the cards that it holds at another table."""
        seat: i64 = 0
        while seat < self.seats:
            self.hands[seat] = self.hands[seat] | other.hands[seat]
            seat += 1

    def begin_trick(self, leader: i64) -> None:
        """Clear the trick; this seat leads the next one."""
        self.turn = leader

    def reset_tricks(self, leader: i64) -> None:
        """Forget all hands and tricks; this seat leads the first trick."""
        self.hands = four_masks([0, 0, 0, 0])
        self.taken = four_masks([0, 0, 0, 0])
        self.won = [0] * self.seats
        self.turn = leader
        self.laid = 0
        self.trick = 0
        self.gone = 0

    def forget_played(self, but: i64) -> None:
        """Forget what the tricks of before tell of the hands; but: the cards gone that are remembered."""
        self.gone &= but

    def set_trump(self, trump: i64, out: i64 = NOBODY) -> None:
        """Set the trump suit; out: who sits the hand out."""
        self.trump = trump
        self.out = out

    def playable_cards(self) -> i64:
        """The cards of the seat to act that follow suit; all of them if none does or it leads."""
        hand: i64 = self.hands[self.turn]
        if not self.laid:
            return hand
        can: i64 = hand & self.led
        return can or hand

    def takes_trick(self, card: i64) -> bool:
        """Return whether this card would take the trick, to which a card was led, as it is now."""
        bit: i64 = BIT[card]
        if bit & self.trump:
            return card > self.best or not BIT[self.best] & self.trump
        return bool(bit & self.led) and card > self.best and not BIT[self.best] & self.trump

    def cards_taking_trick(self, among: i64) -> i64:
        """Those of some cards that would take the trick, to which a card was led, as it is now."""
        over: i64 = ~(BIT[self.best] | BIT[self.best] - 1)
        if BIT[self.best] & self.trump:
            return among & self.trump & over
        return among & (self.trump | self.led & over)

    def cards_held(self) -> i64:
        """How many cards all seats hold together."""
        cards: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            if seat != self.out:
                cards += bit_count(self.hands[seat])
            seat += 1
        return cards

    def is_last_to_play(self) -> bool:
        """Return whether the seat to act plays the last card of the trick."""
        return self.laid == self.seats - 1 - (self.out >= 0)

    def play_card(self, card: i64) -> bool:
        """Play a card of the seat to act; True if it completes the trick, whose winner then has the turn."""
        seat: i64 = self.turn
        bit: i64 = BIT[card]
        self.hands[seat] = self.hands[seat] & ~bit
        if not self.laid:
            self.led = SUIT_OF[card]
            self.trick = bit
            self.best = card
            self.taker = seat
        else:
            if self.takes_trick(card):
                self.best = card
                self.taker = seat
            self.trick |= bit
        ends: bool = self.is_last_to_play()
        self.laid += 1
        if not ends:
            self.turn = self.next_player(seat)
            return False
        taker: i64 = self.taker
        self.taken[taker] = self.taken[taker] | self.trick
        self.won[taker] = self.won[taker] + 1
        self.gone |= self.trick
        self.trick = 0
        self.laid = 0
        self.turn = taker
        return True

    def transposition_key(self, counting: i64 = 0) -> i64:
        """Between two tricks a hash of who leads, who holds what, how many tricks each has won, and who took which of
        the counting cards; otherwise 0."""
        if self.laid:
            return 0
        mark: i64 = mixed_key(0, self.turn + 1)  # or it could undo what the first hand does
        seat: i64 = 0
        while seat < self.seats:
            mark = mixed_key(mixed_key(mark, self.hands[seat]), self.won[seat])
            if counting:
                mark = mixed_key(mark, self.taken[seat] & counting)
            seat += 1
        return mark

    def next_player(self, seat: i64) -> i64:
        """The seat to the left, of those who play this hand."""
        seat += 1
        if seat == self.seats:
            seat = 0
        return self.next_player(seat) if seat == self.out else seat
