"""The six levels of the computer players."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.games.nearest import did_you_mean
from p2pcards.games.telling import Budget, Playing, told_of

LEVELS = ("carefree", "novice", "standard", "expert", "champion", "master")

PLAYOUTS: Mapping[str, int] = {"standard": 300, "expert": 2_000, "champion": 10_000, "master": 40_000}
"""How many hands a level plays to their end before it decides; the others play by rules of thumb."""

ENDINGS: Mapping[str, int] = {"champion": 5, "master": 5}
"""How many positions of an ending a level looks at for each hand that it would play to its end before; other levels
play endings as they play all."""


TRIES: Mapping[str, int] = {"expert": 2, "champion": 5, "master": 16}
"""How many hands as they could be a level draws for each that it plays, to take the one in which the others would have
played as they did."""


class UnknownLevel(ValueError):
    """There is no such level; the sentence offers the nearest name."""


def find_level(name: str) -> str:
    """The level of this name, whatever its case. Raises UnknownLevel."""
    level = name.strip().lower()
    if level not in LEVELS:
        meant = did_you_mean(level, LEVELS) or f"There are {', '.join(LEVELS)}."
        raise UnknownLevel(f"There is no level {name!r}. {meant}")
    return level


def playing(game: str) -> Playing:
    """How computers play the game of this key."""
    return told_of(game).playing


def playouts_of(game: str, level: str) -> int:
    """How many hands a level plays in the game of this key before it decides; 0 for one that does not search."""
    return _budget(game, level).playouts


def nodes_of(game: str, level: str) -> int:
    """How many positions of an ending a level looks at before it decides in the game of this key; 0 for one that does
    not play it exactly."""
    return _budget(game, level).nodes


def _budget(game: str, level: str) -> Budget:
    playouts, played = PLAYOUTS.get(level, 0), playing(game)
    usual = Budget(playouts // played.longer, playouts * ENDINGS.get(level, 0))
    return played.budgets.get(level, usual)


def tries_of(level: str) -> int:
    """How many worlds a level draws for each in which it plays."""
    return TRIES.get(level, 1)


def edition_of(game: str, level: str) -> int:
    """The edition of a level in the game of this key: changed with every decision that it would make otherwise, so that
    none that was made before looks false."""
    return playing(game).editions.get(level, 1)


def is_here(game: str, level: str, edition: int) -> bool:
    """Whether this program has this player in the game of this key; other programs may have levels of their own."""
    return level in LEVELS and edition == edition_of(game, level)
