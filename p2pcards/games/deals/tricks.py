"""Tricks in whole numbers: who holds, leads, follows and takes. The byte of a card, suit << 4 | rank, is its bit in the
masks; a game whose trumps rank otherwise says as which card each of them counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from p2pcards.games.deals.bits import ALL, BIT, COMPILED, PLACES, Four, count, four, mixed
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
        return (suit - suit + 0x7FFF) << WIDTH * suit  # as in `Bits`


class SuitOf:
    """Of each card all places of its suit."""

    def __getitem__(self, card: i64) -> i64:
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
            self.hands: Four = four([0, 0, 0, 0])
            self.taken: Four = four([0, 0, 0, 0])
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

    def made_with(self) -> tuple[Any, ...]:
        return self.seats, self.trump, self.out

    def hold(self, hands: list[i64]) -> None:
        """The seats hold these cards."""
        self.hands = four(hands)

    def add_hands(self, other: Tricks) -> None:
        """Every seat holds what it holds at the other table too."""
        seat: i64 = 0
        while seat < self.seats:
            self.hands[seat] = self.hands[seat] | other.hands[seat]
            seat += 1

    def begin_trick(self, leader: i64) -> None:
        """Who leads to the next trick."""
        self.turn = leader

    def clear(self, leader: i64) -> None:
        """No card has been played yet, and none is known; who leads to the first trick."""
        self.hands = four([0, 0, 0, 0])
        self.taken = four([0, 0, 0, 0])
        self.won = [0] * self.seats
        self.turn = leader
        self.laid = 0
        self.trick = 0
        self.gone = 0

    def name_trump(self, trump: i64, out: i64 = NOBODY) -> None:
        """Trump is made; out: who sits the hand out."""
        self.trump = trump
        self.out = out

    def following(self) -> i64:
        """The cards of whose turn it is that follow suit; all of them where none does or a trick is begun."""
        hand: i64 = self.hands[self.turn]
        if not self.laid:
            return hand
        can: i64 = hand & self.led
        return can or hand

    def beats(self, card: i64) -> bool:
        """Whether this card would take the trick, which has been led to, as it lies."""
        bit: i64 = BIT[card]
        if bit & self.trump:
            return card > self.best or not BIT[self.best] & self.trump
        return bool(bit & self.led) and card > self.best and not BIT[self.best] & self.trump

    def winning(self, among: i64) -> i64:
        """Those of some cards that would take the trick, which has been led to, as it lies."""
        over: i64 = ~(BIT[self.best] | BIT[self.best] - 1)
        if BIT[self.best] & self.trump:
            return among & self.trump & over
        return among & (self.trump | self.led & over)

    def held(self) -> i64:
        """How many cards all hold together."""
        cards: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            if seat != self.out:
                cards += count(self.hands[seat])
            seat += 1
        return cards

    def is_last(self) -> bool:
        """Whether nobody lays a card after whose turn it is."""
        return self.laid == self.seats - 1 - (self.out >= 0)

    def lay(self, card: i64) -> bool:
        """The card of whose turn it is; whether it ends the trick, and the one who took it has the turn."""
        seat: i64 = self.turn
        bit: i64 = BIT[card]
        self.hands[seat] = self.hands[seat] & ~bit
        if not self.laid:
            self.led = SUIT_OF[card]
            self.trick = bit
            self.best = card
            self.taker = seat
        else:
            if self.beats(card):
                self.best = card
                self.taker = seat
            self.trick |= bit
        ends: bool = self.is_last()
        self.laid += 1
        if not ends:
            self.turn = self.next(seat)
            return False
        taker: i64 = self.taker
        self.taken[taker] = self.taken[taker] | self.trick
        self.won[taker] = self.won[taker] + 1
        self.gone |= self.trick
        self.trick = 0
        self.laid = 0
        self.turn = taker
        return True

    def mark(self, counting: i64 = 0) -> i64:
        """Between two tricks, who leads, who holds what, how many tricks each has won, and who has taken which of the
        counting cards; else 0."""
        if self.laid:
            return 0
        mark: i64 = mixed(0, self.turn + 1)  # or it could undo what the first hand does
        seat: i64 = 0
        while seat < self.seats:
            mark = mixed(mixed(mark, self.hands[seat]), self.won[seat])
            if counting:
                mark = mixed(mark, self.taken[seat] & counting)
            seat += 1
        return mark

    def next(self, seat: i64) -> i64:
        """Who sits to the left, of those who play."""
        seat += 1
        if seat == self.seats:
            seat = 0
        return self.next(seat) if seat == self.out else seat
