"""Trying moves out: each is followed to the end of the hand in many worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, lowest_place
from p2pcards.games.deals.ending import Ending
from p2pcards.games.deals.position import Deadline, SearchPosition, finish_by_rules_of_thumb

if TYPE_CHECKING:
    from mypy_extensions import i64

MISHAPS: Final[int] = 4  # of a game, at the most


class Trial:
    """A choice, moves one after another, as it has done so far. total: what its hands came to; lead: by how much more
    than the choice of the rules of thumb did in the same worlds; squares: of those leads.

    Where a total is of their merit, points: what the hands that were played were worth; last: the last of them; ahead,
    spread: as lead and squares, of these. mishaps: in how many hands each thing went wrong, by its bit in
    `SearchPosition.mishap_bits`."""

    def __init__(self, moves: list[i64]) -> None:
        self.moves = moves
        self.total: i64 = 0
        self.lead: i64 = 0
        self.squares: i64 = 0
        self.points: i64 = 0
        self.last: i64 = 0
        self.ahead: i64 = 0
        self.spread: i64 = 0
        self.mishaps: list[i64] = [0] * MISHAPS
        self._merit: i64 = 0
        self._wrong: i64 = 0

    def play_once(self, position: SearchPosition, seat: i64, chance: Chance, nested: bool = False) -> None:
        """Make the choice in a world of its own and play to the end of the hand; `count_played` then counts it. nested:
        each later move is tried out in turn."""
        self._make_choice(position)
        if nested:
            finish_nested(position, chance)
        else:
            finish_by_rules_of_thumb(position, chance)
        self.last = position.final_worth(seat)
        self._merit = position.final_merit(seat)
        self._wrong = position.mishap_bits(seat)

    def exact_worth_after(self, world: SearchPosition, seat: i64, ending: Ending) -> i64:
        """Worth of the choice to the seat in this world when all play exactly from there. Raises TooLong."""
        position = self.world_after_choice(world)
        self.last = ending.exact_worth(position, seat)
        return position.merit_of_worth(self.last, seat)

    def world_after_choice(self, world: SearchPosition) -> SearchPosition:
        """A copy of the world in which the choice is made."""
        position = world.copy()
        self._make_choice(position)
        return position

    def _make_choice(self, position: SearchPosition) -> None:
        """Make the moves of the choice in a position."""
        for move in self.moves:
            position.make_move(move)

    def count_played(self, first: Trial) -> None:
        """Count the hand played last, once all choices were played in this world. first: the trial of the rules of
        thumb."""
        self.points += self.last
        mishaps: i64 = self._wrong
        while mishaps:
            place: i64 = lowest_place(mishaps)
            self.mishaps[place] = self.mishaps[place] + 1
            mishaps &= mishaps - 1
        self.count_hand(self._merit, self._merit - first._merit)
        self.count_points_ahead(first)

    def count_hand(self, worth: i64, lead: i64) -> None:
        """Add a hand's worth, and its lead over the rules of thumb, to the totals."""
        self.total += worth
        self.lead += lead
        self.squares += lead * lead

    def count_exactly(self, worth: i64, first: Trial, merit: i64) -> None:
        """Count a hand that was played out exactly. merit: that of the first choice in the same world."""
        self.points += self.last
        self.count_hand(worth, worth - merit)
        self.count_points_ahead(first)

    def count_points_ahead(self, first: Trial) -> None:
        """Add by how many points its last hand beat that of the first choice in the same world."""
        ahead: i64 = self.last - first.last
        self.ahead += ahead
        self.spread += ahead * ahead

    def is_clear(self, worlds: i64) -> bool:
        """Return whether it is ahead of the rules of thumb by more than two standard errors, after so many worlds. With
        one, a hundred hands played worse in spades than learned tables, by 10.4 +- 2.8 points a hand, and with two by
        3.5 +- 2.1: of several choices one is soon ahead by chance."""
        return is_clearly_ahead(worlds, self.lead, self.squares)


def is_clearly_ahead(worlds: int, lead: int, squares: int) -> bool:
    """Return whether leads in so many worlds are ahead of 0 by two standard errors. Of chances to win there are 65,536
    in a world: these products do not fit 64 bits."""
    return lead > 0 and worlds * lead * lead > 4 * (worlds * squares - lead * lead)


def try_out(
    world: SearchPosition,
    seat: i64,
    trials: list[Trial],
    chance: Chance,
    nested: bool = False,
    deadline: Deadline | None = None,
) -> None:
    """Play every choice to the end of the hand in this world, which is over then; the first is that of the rules of
    thumb. nested: as in `Trial.play_once`. Raises TooLong, and then no choice is counted in this world."""
    left: i64 = len(trials)
    for trial in trials:
        if deadline is not None:
            deadline.raise_if_over()
        left -= 1
        trial.play_once(world.copy() if left else world, seat, chance, nested)
    for trial in trials:
        trial.count_played(trials[0])


def finish_nested(position: SearchPosition, chance: Chance) -> None:
    """Play to the end of the hand, each move the best for its seat of one playout by rules of thumb after each; the
    rule of thumb's own if others are only as good (Cazenave, Nested Monte-Carlo Search, 2009)."""
    while position.turn >= 0:
        seat: i64 = position.turn
        can: i64 = position.legal_moves()
        best: i64 = lowest_place(can) if not can & (can - 1) else position.rule_of_thumb_move(chance)
        can &= ~BIT[best]
        most: i64 = playout_merit(position, best, seat, chance) if can else 0
        while can:
            move: i64 = lowest_place(can)
            can &= can - 1
            if position.equivalent_move(move) != move:
                continue
            worth: i64 = playout_merit(position, move, seat, chance)
            if worth > most:
                most = worth
                best = move
        position.make_move(best)


def playout_merit(position: SearchPosition, move: i64, seat: i64, chance: Chance) -> i64:
    """Merit of a move for a seat when the hand is played on from it by rules of thumb."""
    after = position.copy()
    after.make_move(move)
    finish_by_rules_of_thumb(after, chance)
    return after.final_merit(seat)
