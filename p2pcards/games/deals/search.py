"""Trying moves out: each is followed to the end of the hand in many worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, lowest
from p2pcards.games.deals.ending import Ending
from p2pcards.games.deals.position import Deadline, SearchPosition, finish

if TYPE_CHECKING:
    from mypy_extensions import i64

MISHAPS: Final[int] = 4  # of a game, at the most


class Trial:
    """A choice, moves one after another, as it has done so far. total: what its hands came to; lead: by how much more
    than the choice of the rules of thumb did in the same worlds; squares: of those leads.

    Where a total is of their merit, points: what the hands that were played were worth; last: the last of them; ahead,
    spread: as lead and squares, of these. mishaps: in how many hands each thing went wrong, by its bit in
    `SearchPosition.mishaps`."""

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

    def play(self, position: SearchPosition, seat: i64, chance: Chance, nested: bool = False) -> None:
        """Follow the choice in a world of its own to the end of the hand; `count_played` counts that. nested: who plays
        on tries each of their moves out too."""
        self._make(position)
        if nested:
            finish_well(position, chance)
        else:
            finish(position, chance)
        self.last = position.worth(seat)
        self._merit = position.merit(seat)
        self._wrong = position.mishaps(seat)

    def play_out(self, world: SearchPosition, seat: i64, ending: Ending) -> i64:
        """What the choice comes to in a world, for the seat, when all see all cards from there. Raises TooLong."""
        position = self.made(world)
        self.last = ending.worth(position, seat)
        return position.merit_of(self.last, seat)

    def made(self, world: SearchPosition) -> SearchPosition:
        """A world when the choice is made."""
        position = world.copy()
        self._make(position)
        return position

    def _make(self, position: SearchPosition) -> None:
        for move in self.moves:
            position.do(move)

    def count_played(self, first: Trial) -> None:
        """The hand that was played last, once all choices have been in this world. first: that of rules of thumb."""
        self.points += self.last
        mishaps: i64 = self._wrong
        while mishaps:
            place: i64 = lowest(mishaps)
            self.mishaps[place] = self.mishaps[place] + 1
            mishaps &= mishaps - 1
        self.count(self._merit, self._merit - first._merit)
        self.compare(first)

    def count(self, worth: i64, lead: i64) -> None:
        self.total += worth
        self.lead += lead
        self.squares += lead * lead

    def count_exactly(self, worth: i64, first: Trial, merit: i64) -> None:
        """A hand that was played out, as all choices could be in this world. merit: of the first choice there."""
        self.points += self.last
        self.count(worth, worth - merit)
        self.compare(first)

    def compare(self, first: Trial) -> None:
        """By how much more points its last hand was worth than that of the first choice in the same world."""
        ahead: i64 = self.last - first.last
        self.ahead += ahead
        self.spread += ahead * ahead

    def is_clear(self, worlds: i64) -> bool:
        """Whether it is ahead of the rules of thumb by more than two standard errors, after so many worlds. With one, a
        hundred hands played worse in spades than learned tables, by 10.4 +- 2.8 points a hand, and with two by 3.5 +-
        2.1: of several choices one is soon ahead by chance."""
        return is_clear(worlds, self.lead, self.squares)


def is_clear(worlds: int, lead: int, squares: int) -> bool:
    """As `Trial.is_clear`. Of chances to win there are 65,536 in a world: these products do not fit 64 bits."""
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
    thumb. nested: as in `Trial.play`. Raises TooLong, and then no choice is counted in this world."""
    left: i64 = len(trials)
    for trial in trials:
        if deadline is not None:
            deadline.check()
        left -= 1
        trial.play(world.copy() if left else world, seat, chance, nested)
    for trial in trials:
        trial.count_played(trials[0])


def finish_well(position: SearchPosition, chance: Chance) -> None:
    """Play to the end of the hand. Each move is the best for its seat, of one hand that rules of thumb play on from
    each; theirs where others are as good (Cazenave, Nested Monte-Carlo Search, 2009)."""
    while position.turn >= 0:
        seat: i64 = position.turn
        can: i64 = position.moves()
        best: i64 = lowest(can) if not can & (can - 1) else position.thumb(chance)
        can &= ~BIT[best]
        most: i64 = worth_of(position, best, seat, chance) if can else 0
        while can:
            move: i64 = lowest(can)
            can &= can - 1
            if position.alike(move) != move:
                continue
            worth: i64 = worth_of(position, move, seat, chance)
            if worth > most:
                most = worth
                best = move
        position.do(best)


def worth_of(position: SearchPosition, move: i64, seat: i64, chance: Chance) -> i64:
    """What a move does for a seat when the hand is played on from it by rules of thumb."""
    after = position.copy()
    after.do(move)
    finish(after, chance)
    return after.merit(seat)
