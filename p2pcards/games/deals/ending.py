"""The end of a hand, played out exactly by players who see all cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, lowest
from p2pcards.games.deals.position import FAR, Deadline, SearchPosition, Solver, TooLong

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4  # where each plays alone
EXACT, AT_LEAST, AT_MOST = range(3)


def settled(position: SearchPosition, seat: i64) -> i64:
    """What a hand that is over comes to for a seat: to win the game, where that is what it is played for."""
    return position.worth(seat) if position.race is None else position.merit(seat)


class Ending:
    """What players make sure of who see all cards. nodes: how many more positions may be looked at. What was met before
    is known again by its `mark`, in any hand that is played for the same. It may play a position on: give it a
    copy of one that is needed again."""

    def __init__(self, nodes: i64, deadline: Deadline | None = None) -> None:
        self.nodes: i64 = nodes
        self._deadline = deadline
        self._chance = Chance(1)  # for rules of thumb, which say only what is tried first
        self._met: dict[int, tuple[int, int, int]] = {}
        self._met_alone: dict[int, list[i64]] = {}
        self._solver: Solver | None = None

    def worth(self, position: SearchPosition, seat: i64) -> i64:
        """What the hand comes to for a seat, always the same one, when all do their best for their side. Raises
        TooLong."""
        position.lead_up(self._chance)
        if position.turn < 0:
            return settled(position, seat)
        if position.sides() == 2:
            return self._between(position, seat, -FAR, FAR)
        return self._alone(position)[seat]

    def best(self, positions: list[SearchPosition], seat: i64) -> i64:
        """The place of the first of these positions that comes to as much for a seat as any. Raises TooLong."""
        place: i64 = 0
        best: i64 = 0
        most: i64 = -FAR
        while place < len(positions):
            position = positions[place]
            worth: i64 = 0
            position.lead_up(self._chance)
            if position.sides() == 2 and position.turn >= 0:
                worth = self._between(position, seat, most, FAR)
            else:
                worth = self.worth(position, seat)
            if worth > most:
                most = worth
                best = place
            place += 1
        return best

    def _between(self, position: SearchPosition, seat: i64, low: i64, high: i64) -> i64:
        """What the hand comes to, if that lies between low and high; else not more than low, or not less than high
        (alpha-beta search: Knuth and Moore, 1975)."""
        if position.turn < 0:
            return settled(position, seat)
        solver = position.solver(self._solver)
        if solver is not None:
            solver.end_by(self._deadline)
            self._solver = solver
            return self._solved(solver, position, seat, low, high)
        mark: i64 = position.mark()
        gained: i64 = position.gained(seat) if mark else 0
        first: i64 = -1
        met = self._met.get(mark) if mark else None
        if met is not None:
            rest: i64 = met[0]
            rest += gained
            bound: i64 = met[1]
            first = met[2]
            if bound == EXACT or (bound == AT_LEAST and rest >= high) or (bound == AT_MOST and rest <= low):
                return rest
        self._look()
        can: i64 = position.moves()
        if first < 0:
            first = lowest(can) if not can & (can - 1) else position.thumb(self._chance)
        ours = position.is_ours(seat)
        best: i64 = -FAR if ours else FAR
        choice: i64 = first
        move: i64 = first
        bottom: i64 = low
        top: i64 = high
        can &= ~BIT[first]
        while True:
            after = position.copy() if can else position
            after.do(move)
            worth: i64 = self._between(after, seat, bottom, top)
            if worth > best if ours else worth < best:
                best = worth
                choice = move
            if ours and best > bottom:
                bottom = best
            elif not ours and best < top:
                top = best
            if bottom >= top or not can:
                break
            move = lowest(can)
            can &= can - 1
        if mark:
            bound = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
            rest = best - gained
            self._met[mark] = (rest, bound, choice)
        return best

    def _solved(self, solver: Solver, position: SearchPosition, seat: i64, low: i64, high: i64) -> i64:
        gained: i64 = position.gained(seat)
        low -= gained
        high -= gained
        rest: i64 = 0
        if position.is_ours(seat):
            rest = solver.between(position, low, high, self.nodes)
        else:
            rest = -solver.between(position, -high, -low, self.nodes)
        self.nodes = solver.left()
        return gained + rest

    def _alone(self, position: SearchPosition) -> list[i64]:
        """By seat, when each does its best for itself; of what is as good for it, what rules of thumb do."""
        worths: list[i64] = []
        seat: i64 = 0
        if position.turn < 0:
            while seat < SEATS:
                worths.append(settled(position, seat))
                seat += 1
            return worths
        mark: i64 = position.mark()
        met = self._met_alone.get(mark) if mark else None
        if met is not None:
            return met
        self._look()
        can: i64 = position.moves()
        move: i64 = lowest(can) if not can & (can - 1) else position.thumb(self._chance)
        can &= ~BIT[move]
        best: i64 = -FAR
        seat = position.turn
        while True:
            after = position.copy() if can else position
            after.do(move)
            found = self._alone(after)
            if found[seat] > best:
                best = found[seat]
                worths = found
            if not can:
                break
            move = lowest(can)
            can &= can - 1
        if mark:
            self._met_alone[mark] = worths
        return worths

    def _look(self) -> None:
        self.nodes -= 1
        if self.nodes < 0:
            raise TooLong
        deadline = self._deadline
        if deadline is not None:
            deadline.check()
