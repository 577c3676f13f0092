"""How good players are at a game: Weng and Lin's Bayesian approximation of Plackett and Luce's model ("A Bayesian
Approximation Method for Online Ranking", JMLR 12, 2011), which knows partners and more than two sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from p2pcards.results.result import GameResult

START = 25.0
"""The rating that everybody begins with."""


@dataclass(frozen=True, slots=True)
class Rating:
    """mu: the rating; sigma: its standard deviation. games: how many it rests on."""

    mu: float
    sigma: float
    games: int = 0


NEW = Rating(START, START / 3)


def rated(result: GameResult, before: Callable[[str], Rating]) -> tuple[Mapping[str, Rating], tuple[Rating, ...]]:
    """The ratings after a game of everybody who is rated by it, and those of its seats. before: what the rating of a
    subject was. A level that sits in several seats takes the mean of what they would change it to."""
    held = [before(seat.subject) for seat in result.seats]
    model = _model()
    teams = [[model.create_rating([held[seat].mu, held[seat].sigma]) for seat in side] for side in result.sides]
    changed: dict[str, list[Rating]] = {}
    # Whoever always wins teaches nothing more; that makes nobody less certain than before.
    rated_teams = model.rate(teams, ranks=_ranks(result), limit_sigma=True)
    for side, team in zip(result.sides, rated_teams, strict=True):
        for seat, one in zip(side, team, strict=True):
            changed.setdefault(result.seats[seat].subject, []).append(Rating(one.mu, one.sigma))
    after = {
        subject: Rating(_mean([one.mu for one in each]), _mean([one.sigma for one in each]), before(subject).games + 1)
        for subject, each in changed.items()
    }
    return after, tuple([after[seat.subject] for seat in result.seats])


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _ranks(result: GameResult) -> list[float]:
    """Of each side, 0 for who has won; the others by their points."""
    sign = 1 if result.low_wins else -1
    firsts: Sequence[Any] = [result.seats[side[0]] for side in result.sides]
    keys = [(not seat.won, sign * seat.points if not seat.won else 0) for seat in firsts]
    return [float(sorted(set(keys)).index(key)) for key in keys]


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce  # it takes a while to load

    return PlackettLuce(mu=NEW.mu, sigma=NEW.sigma)
