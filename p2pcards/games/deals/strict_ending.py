"""The second part of two-handed pinochle, played out exactly: both players know all cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, highest_place, lowest_place, mixed_key
from p2pcards.games.deals.pinochle_tricks import OVER, SUIT_OF, SUITS, PinochleTricks
from p2pcards.games.deals.position import FAR, Solver, TooLong

if TYPE_CHECKING:
    from mypy_extensions import i64

EXACT, AT_LEAST, AT_MOST = range(3)
MOST: Final[i64] = 1 << 12  # more points than there are


class StrictEnding(Solver):
    """What was met between two tricks is known again, in any hand by the same rules.

    Hands are two masks each: the faces that are held, and those that are held twice."""

    def __init__(self, tricks: PinochleTricks, last_trick: i64) -> None:
        """last_trick: what it counts by itself."""
        super().__init__()
        self._trump: i64 = tricks.trump
        self._to_win: i64 = tricks.to_win
        self._values = tricks.values
        self._last_trick: i64 = last_trick
        self._left: i64 = 0
        self._met: dict[int, int] = {}

    def solve_tricks(self, tricks: PinochleTricks, low: i64, high: i64, nodes: i64) -> i64:
        """Worth of the remaining tricks to the leader, or a bound, as in `Solver.worth_between`."""
        mine: i64 = 4 * tricks.turn
        theirs: i64 = 4 - mine
        hands = tricks.hands
        rest: i64 = tricks.points_held() + self._last_trick
        self._trump = tricks.trump
        self._left = nodes
        return self._alpha_beta(hands[mine], hands[mine + 1], hands[theirs], hands[theirs + 1], rest, low, high)

    def nodes_left(self) -> i64:
        """How many of the positions allowed were not searched."""
        return self._left

    def _alpha_beta(self, one: i64, two: i64, other: i64, double: i64, rest: i64, low: i64, high: i64) -> i64:
        """one, two: what the leader holds, and holds twice; other, double: what the other does; rest: what all these
        cards count, with the last trick (alpha-beta search: Knuth and Moore, 1975)."""
        if not one or rest <= low:
            return rest
        if -rest >= high:
            return -rest
        mark: i64 = mixed_key(mixed_key(mixed_key(mixed_key(self._trump, one), two), other), double)
        known: int | None = self._met.get(mark)
        first: i64 = -1
        if known is not None:
            found: i64 = known
            bound: i64 = found & 3
            first = (found >> 2) & 31
            worth: i64 = (found >> 7) - MOST
            if bound == EXACT or (bound == AT_LEAST and worth >= high) or (bound == AT_MOST and worth <= low):
                return worth
        self._left -= 1
        if self._left < 0:
            raise TooLong
        deadline = self._deadline
        if deadline is not None:
            deadline.raise_if_over()
        trump: i64 = self._trump
        sure: i64 = self._unbeatable_cards(one, other)
        weak: i64 = one & ~sure
        best: i64 = -FAR
        choice: i64 = -1
        bottom: i64 = low
        while sure or weak or first >= 0:
            face: i64 = first
            if first >= 0:
                sure &= ~BIT[first]
                weak &= ~BIT[first]
                first = -1
            elif sure:
                face = highest_place(sure & trump or sure)
                sure &= ~BIT[face]
            else:
                face = lowest_place(weak & ~trump or weak)
                weak &= ~BIT[face]
            least: i64 = self._worth_of_lead(face, one, two, other, double, rest, bottom, high)
            if least > best:
                best = least
                choice = face
            bottom = max(bottom, best)
            if bottom >= high:
                break
        bound = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
        self._met[mark] = (best + MOST) << 7 | choice << 2 | bound
        return best

    def _unbeatable_cards(self, one: i64, other: i64) -> i64:
        """Those cards of the leader that nothing can beat."""
        sure: i64 = 0
        trumps: i64 = other & self._trump
        for suit in SUITS:
            there: i64 = other & suit
            if there:
                sure |= one & suit & ~(BIT[highest_place(there)] - 1)
            elif not trumps:
                sure |= one & suit
        return sure

    def _worth_of_lead(
        self, face: i64, one: i64, two: i64, other: i64, double: i64, rest: i64, low: i64, high: i64
    ) -> i64:
        """Worth to the leader of leading this face, against the best answer."""
        bit: i64 = BIT[face]
        suit: i64 = SUIT_OF[face]
        one_left: i64 = one if two & bit else one & ~bit
        two_left: i64 = two & ~bit
        beating: i64 = OVER[face] if bit & self._trump else OVER[face] | self._trump
        can: i64 = other & suit
        if can:
            if suit & self._to_win and can & beating:
                can &= beating
        else:
            can = other & self._trump or other
        takes: i64 = can & beating
        can &= ~beating
        last: i64 = 0 if one_left else self._last_trick
        least: i64 = FAR
        top: i64 = high
        while takes or can:
            answer: i64 = 0
            taken = takes != 0
            if taken:
                answer = lowest_place(takes) if takes & self._trump else highest_place(takes)
                takes &= ~BIT[answer]
            else:
                answer = lowest_place(can)
                can &= ~BIT[answer]
            bit = BIT[answer]
            other_left: i64 = other if double & bit else other & ~bit
            double_left: i64 = double & ~bit
            pot: i64 = self._values[face] + self._values[answer] + last
            worth: i64 = 0
            if taken:
                worth = -pot - self._alpha_beta(
                    other_left, double_left, one_left, two_left, rest - pot, -pot - top, -pot - low
                )
            else:
                worth = pot + self._alpha_beta(
                    one_left, two_left, other_left, double_left, rest - pot, low - pot, top - pot
                )
            least = min(least, worth)
            top = min(top, least)
            if low >= top:
                break
        return least
