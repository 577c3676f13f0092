"""The end of a hand, played out exactly by players who see all cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, lowest_place
from p2pcards.games.deals.position import FAR, Deadline, SearchPosition, Solver, TooLong

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4  # where each plays alone
EXACT, AT_LEAST, AT_MOST = range(3)


def settled_worth(position: SearchPosition, seat: i64) -> i64:
    """Worth of a finished hand to a seat; its chance to win the game where the hand is played for that."""
    return position.final_worth(seat) if position.race is None else position.final_merit(seat)


class Ending:
    """What players make sure of who see all cards. nodes: how many more positions may be looked at. What was met before
    is known again by its `transposition_key`, in any hand that is played for the same. Positions passed in may be
    played on: pass a copy of one that is needed again."""

    def __init__(self, nodes: i64, deadline: Deadline | None = None) -> None:
        self.nodes: i64 = nodes
        self._deadline = deadline
        self._chance = Chance(1)  # for rules of thumb, which say only what is tried first
        self._met: dict[int, tuple[int, int, int]] = {}
        self._met_alone: dict[int, list[i64]] = {}
        self._solver: Solver | None = None

    def exact_worth(self, position: SearchPosition, seat: i64) -> i64:
        """Worth of the hand to a seat (the same one at each call) when every side plays its best. Raises TooLong."""
        position.play_up_to_ending(self._chance)
        if position.turn < 0:
            return settled_worth(position, seat)
        if position.sides_in_ending() == 2:
            return self._alpha_beta(position, seat, -FAR, FAR)
        return self._worths_each_alone(position)[seat]

    def best_place(self, positions: list[SearchPosition], seat: i64) -> i64:
        """The index of the first of these positions that is worth most to a seat. Raises TooLong."""
        place: i64 = 0
        best: i64 = 0
        most: i64 = -FAR
        while place < len(positions):
            position = positions[place]
            worth: i64 = 0
            position.play_up_to_ending(self._chance)
            if position.sides_in_ending() == 2 and position.turn >= 0:
                worth = self._alpha_beta(position, seat, most, FAR)
            else:
                worth = self.exact_worth(position, seat)
            if worth > most:
                most = worth
                best = place
            place += 1
        return best

    def _alpha_beta(self, position: SearchPosition, seat: i64, low: i64, high: i64) -> i64:
        """Worth of the position to the seat if it lies between low and high; otherwise a bound: at most low, or at
        least high (alpha-beta search: Knuth and Moore, 1975)."""
        if position.turn < 0:
            return settled_worth(position, seat)
        solver = position.ending_solver(self._solver)
        if solver is not None:
            solver.set_deadline(self._deadline)
            self._solver = solver
            return self._worth_by_solver(solver, position, seat, low, high)
        mark: i64 = position.transposition_key()
        gained: i64 = position.worth_gained(seat) if mark else 0
        first: i64 = -1
        met = self._met.get(mark) if mark else None
        if met is not None:
            rest: i64 = met[0]
            rest += gained
            bound: i64 = met[1]
            first = met[2]
            if bound == EXACT or (bound == AT_LEAST and rest >= high) or (bound == AT_MOST and rest <= low):
                return rest
        self._count_node()
        can: i64 = position.legal_moves()
        if first < 0:
            first = lowest_place(can) if not can & (can - 1) else position.rule_of_thumb_move(self._chance)
        ours = position.is_turn_of_side(seat)
        best: i64 = -FAR if ours else FAR
        choice: i64 = first
        move: i64 = first
        bottom: i64 = low
        top: i64 = high
        can &= ~BIT[first]
        while True:
            after = position.copy() if can else position
            after.make_move(move)
            worth: i64 = self._alpha_beta(after, seat, bottom, top)
            if worth > best if ours else worth < best:
                best = worth
                choice = move
            if ours and best > bottom:
                bottom = best
            elif not ours and best < top:
                top = best
            if bottom >= top or not can:
                break
            move = lowest_place(can)
            can &= can - 1
        if mark:
            bound = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
            rest = best - gained
            self._met[mark] = (rest, bound, choice)
        return best

    def _worth_by_solver(self, solver: Solver, position: SearchPosition, seat: i64, low: i64, high: i64) -> i64:
        """Like `_alpha_beta`, by the solver of the game."""
        gained: i64 = position.worth_gained(seat)
        low -= gained
        high -= gained
        rest: i64 = 0
        if position.is_turn_of_side(seat):
            rest = solver.worth_between(position, low, high, self.nodes)
        else:
            rest = -solver.worth_between(position, -high, -low, self.nodes)
        self.nodes = solver.nodes_left()
        return gained + rest

    def _worths_each_alone(self, position: SearchPosition) -> list[i64]:
        """Worth by seat when each seat plays its best for itself; between equal moves, the one of the rules of
        thumb."""
        worths: list[i64] = []
        seat: i64 = 0
        if position.turn < 0:
            while seat < SEATS:
                worths.append(settled_worth(position, seat))
                seat += 1
            return worths
        mark: i64 = position.transposition_key()
        met = self._met_alone.get(mark) if mark else None
        if met is not None:
            return met
        self._count_node()
        can: i64 = position.legal_moves()
        move: i64 = lowest_place(can) if not can & (can - 1) else position.rule_of_thumb_move(self._chance)
        can &= ~BIT[move]
        best: i64 = -FAR
        seat = position.turn
        while True:
            after = position.copy() if can else position
            after.make_move(move)
            found = self._worths_each_alone(after)
            if found[seat] > best:
                best = found[seat]
                worths = found
            if not can:
                break
            move = lowest_place(can)
            can &= can - 1
        if mark:
            self._met_alone[mark] = worths
        return worths

    def _count_node(self) -> None:
        """Count one more position against the limit, and check the deadline. Raises TooLong."""
        self.nodes -= 1
        if self.nodes < 0:
            raise TooLong
        deadline = self._deadline
        if deadline is not None:
            deadline.raise_if_over()
