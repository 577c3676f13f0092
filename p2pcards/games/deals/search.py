"""Trying moves out: each is followed to the end of the hand in many worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.ending import Ending
from p2pcards.games.deals.position import Position, finish

if TYPE_CHECKING:
    from mypy_extensions import i64


class Trial:
    """A choice, moves one after another, as it has done so far. total: what its hands came to; lead: by how much more
    than the choice of the rules of thumb did in the same worlds; squares: of those leads.

    Where a total is of their merit, points: what the hands that were played were worth; last: the last of them; ahead,
    spread: as lead and squares, of these; lost: in how many of them that was less than nothing."""

    def __init__(self, moves: list[i64]) -> None:
        self.moves = moves
        self.total: i64 = 0
        self.lead: i64 = 0
        self.squares: i64 = 0
        self.points: i64 = 0
        self.last: i64 = 0
        self.ahead: i64 = 0
        self.spread: i64 = 0
        self.lost: i64 = 0

    def play(self, world: Position, seat: i64, chance: Chance) -> i64:
        """What the choice does in a world, for the seat."""
        position = self.made(world)
        finish(position, chance)
        worth: i64 = position.worth(seat)
        self.points += worth
        self.last = worth
        self.lost += worth < 0
        return position.merit(seat)

    def play_out(self, world: Position, seat: i64, ending: Ending) -> i64:
        """What the choice comes to in a world, for the seat, when all see all cards from there. Raises TooLong."""
        self.last = ending.worth(self.made(world), seat)
        return self.last

    def made(self, world: Position) -> Position:
        """A world when the choice is made."""
        position = world.copy()
        for move in self.moves:
            position.do(move)
        return position

    def count(self, worth: i64, lead: i64) -> None:
        self.total += worth
        self.lead += lead
        self.squares += lead * lead

    def compare(self, first: Trial) -> None:
        """By how much more points its last hand was worth than that of the first choice in the same world."""
        ahead: i64 = self.last - first.last
        self.ahead += ahead
        self.spread += ahead * ahead

    def is_clear(self, worlds: i64) -> bool:
        """Whether it is ahead of the rules of thumb by more than a standard error, after so many worlds."""
        if self.lead <= 0:
            return False
        mean_square: i64 = self.lead * self.lead
        return worlds * mean_square > worlds * self.squares - mean_square


def try_out(world: Position, seat: i64, trials: list[Trial], chance: Chance) -> None:
    """Play every choice to the end of the hand in this world; the first is that of the rules of thumb."""
    first: i64 = trials[0].play(world, seat, chance)
    trials[0].count(first, 0)
    number: i64 = 1
    while number < len(trials):
        worth: i64 = trials[number].play(world, seat, chance)
        trials[number].count(worth, worth - first)
        trials[number].compare(trials[0])
        number += 1
