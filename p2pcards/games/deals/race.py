"""A game that goes on over many hands: who is likely to win it, as it stands, and what a hand does for that."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, highest_place

if TYPE_CHECKING:
    from mypy_extensions import i64

SURE: Final[int] = 1 << 16
STEPS: Final[int] = 1024  # of the logistic function, for each one of its argument
MOST: Final[int] = 8 * STEPS
LOGISTIC: Final[list[i64]] = [int(SURE / (1 + exp(-step / STEPS))) for step in range(-MOST, MOST + 1)]
"""Whole numbers that are the same everywhere: but for 0, whose value is exact, none is nearer than a millionth to the
next, and no system reckons so badly."""
FALLING: Final[list[i64]] = [int((SURE << 4) * exp(-step / STEPS)) for step in range(MOST + 1)]
"""Of e to minus so many steps; the same everywhere for the same reason."""
TILT: Final[i64] = 20
"""A point counts for itself, too, for one part in so many of what it does at the start of a game, while that goes on:
where it is as good as won or lost, nothing else tells hands apart. When it is over, more points win no more: in euchre
at 4 to 3 of 5 a pass with three certain tricks stood, as it won all imagined hands too, and by two points."""
NOBODY: Final[i64] = -1


def chance_to_win_race(mine: i64, theirs: i64, skew: i64) -> i64:
    """Chance, in parts of `SURE`, of a player `mine` points from the goal while the other is `theirs`, both above 0:
    the logistic function of c (theirs - mine) / sqrt(theirs + mine). skew: 1000 c, smaller the more luck there is in a
    hand."""
    step: i64 = (theirs - mine) * skew * 16 * STEPS // (1000 * integer_sqrt(256 * (mine + theirs)))
    return LOGISTIC[MOST + (-MOST if step < -MOST else MOST if step > MOST else step)]


def integer_sqrt(number: i64) -> i64:
    """The integer square root of a number above 0 (Newton)."""
    guess: i64 = BIT[highest_place(number) // 2 + 1]
    while True:
        better: i64 = (guess + number // guess) // 2
        if better >= guess:
            return guess
        guess = better


class Race:
    """How a game stands before a hand. scores: of the sides, or of the seats where each plays alone; the highest wins.

    Each one's chance goes with e to the power of c times its score, over the square root of `points_left`, which for
    two is the same as `chance_to_win_race`. skew: 1000 c, found by games that were put together from hands of rules of
    thumb; length: what is left when a game begins."""

    def __init__(self, scores: list[i64], skew: i64, length: i64) -> None:
        self.scores = scores
        self.skew: i64 = skew
        self.length: i64 = length
        number: i64 = len(scores)
        self.tilt: i64 = SURE * skew * 16 // (number * number * 1000 * integer_sqrt(256 * length))

    def points_left(self, totals: list[i64]) -> i64:
        """About how many points are left to play for at these totals; 0 where the game is over."""
        raise NotImplementedError

    def is_late(self) -> bool:
        """Return whether half of the game is over; before that playing for points serves to win it as well as
        anything."""
        return 2 * self.points_left(self.scores) <= self.length

    def reaches_goal(self, scored: list[i64], side: i64) -> bool:
        """Return whether a side reaches the goal of the game with a hand that scored this much for each."""
        return False

    def totals_after(self, scored: list[i64]) -> list[i64]:
        """The totals after a hand that scored this much for each."""
        totals: list[i64] = self.scores[:]
        side: i64 = 0
        while side < len(totals):
            totals[side] = totals[side] + scored[side]
            side += 1
        return totals

    def race_merit(self, scored: list[i64], side: i64, winner: i64 = NOBODY) -> i64:
        """What a hand with these scores did for a side: its chance to win the game, in parts of `SURE`, and while the
        game goes on a little for its points. winner: who has won by a special rule of the game."""
        if winner >= 0:
            return SURE if winner == side else 0
        totals = self.totals_after(scored)
        chance: i64 = self.chance_at(totals, side)
        if self.points_left(totals) <= 0:
            return chance
        points: i64 = len(scored) * scored[side]
        for other in scored:
            points -= other
        return chance + points * self.tilt // TILT

    def chance_at(self, totals: list[i64], side: i64) -> i64:
        """Chance, in parts of `SURE`, that a side wins a game with these totals."""
        best: i64 = totals[0]
        for total in totals:
            best = max(best, total)
        left: i64 = self.points_left(totals)
        if left <= 0:
            return share_of_win(totals, best, side)
        parts: i64 = 1000 * integer_sqrt(256 * left)
        ours: i64 = 0
        parts_of_all: i64 = 0
        other: i64 = 0
        while other < len(totals):
            step: i64 = (best - totals[other]) * self.skew * 16 * STEPS // parts
            part: i64 = FALLING[step if step < MOST else MOST]
            parts_of_all += part
            if other == side:
                ours = part
            other += 1
        return SURE * ours // parts_of_all


class ToGoal(Race):
    """The first to come to so many points wins; of several the one with most, and nobody while these are level."""

    def __init__(self, scores: list[i64], goal: i64, skew: i64) -> None:
        super().__init__(scores, skew, 2 * goal)
        self.goal: i64 = goal

    def reaches_goal(self, scored: list[i64], side: i64) -> bool:
        return self.scores[side] + scored[side] >= self.goal

    def points_left(self, totals: list[i64]) -> i64:
        """The points that the two best sides lack together."""
        best: i64 = totals[0]
        second: i64 = totals[1]
        side: i64 = 1
        while side < len(totals):
            total: i64 = totals[side]
            if total > best:
                second = best
                best = total
            elif total > second:
                second = total
            side += 1
        if best < self.goal:
            return 2 * self.goal - best - second
        return 0 if second < best else self.goal // 5 + 1

    def is_within_of_goal(self, points: i64) -> bool:
        """Return whether some side is within this many points of the goal."""
        most: i64 = self.scores[0]
        for score in self.scores:
            most = max(most, score)
        return most + points >= self.goal


class ToLimit(Race):
    """The game ends when a score has fallen to the limit or below; those who are level at the best share the win."""

    def __init__(self, scores: list[i64], limit: i64, skew: i64, resets: i64 = 0) -> None:
        """limit: below 0, as the scores are; resets: a total that becomes 0."""
        super().__init__(scores, skew, -limit)
        self.limit: i64 = limit
        self.resets: i64 = resets

    def totals_after(self, scored: list[i64]) -> list[i64]:
        totals = super().totals_after(scored)
        side: i64 = 0
        while side < len(totals):
            if totals[side] == self.resets:
                totals[side] = 0
            side += 1
        return totals

    def points_left(self, totals: list[i64]) -> i64:
        """The points that the worst score is above the limit."""
        worst: i64 = totals[0]
        for total in totals:
            worst = min(worst, total)
        return max(worst - self.limit, 0)


class Series(Race):
    """A series of hands, after which those who are level at the best share the win. after: how many more there are
    after this hand; length: how many there are in all."""

    def __init__(self, scores: list[i64], after: i64, length: i64, skew: i64) -> None:
        super().__init__(scores, skew, length)
        self.after: i64 = after

    def points_left(self, totals: list[i64]) -> i64:
        return self.after


def share_of_win(totals: list[i64], best: i64, side: i64) -> i64:
    """A side's share of the win, in parts of `SURE`, of a finished game: divided among those level at the best
    total."""
    level: i64 = 0
    for total in totals:
        if total == best:
            level += 1
    return SURE // level if totals[side] == best else 0
