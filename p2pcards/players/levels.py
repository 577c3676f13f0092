"""The six levels of the computer players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from p2pcards.games.nearest import did_you_mean

LEVELS = ("carefree", "novice", "standard", "expert", "champion", "master")

PLAYOUTS: Mapping[str, int] = {"standard": 300, "expert": 2_000, "champion": 10_000, "master": 40_000}
"""How many hands a level plays to their end before it decides; the others play by rules of thumb."""
LONGER: Mapping[str, int] = {"pinochle": 2, "rummy_500": 2}
"""By game how many times as long a hand takes to play as one of hearts; so many fewer are played."""

ENDINGS: Mapping[str, int] = {"champion": 5, "master": 5}
"""How many positions of an ending a level looks at for each hand that it would play to its end before; other levels
play endings as they play all."""


class Budget(NamedTuple):
    """What a level may use for a decision: hands played to their end, or positions of an ending."""

    playouts: int
    nodes: int


BUDGETS: dict[str, dict[str, Budget]] = {
    "pinochle2": {
        "standard": Budget(150, 2_000),
        "expert": Budget(1_000, 40_000),
        "champion": Budget(3_500, 150_000),
        "master": Budget(9_000, 300_000),
    }
}
"""By game and level, where it is not as above. In two-handed pinochle a hand takes long to play, and the second part of
it is all an ending, in which a level is the better the sooner it sees through it."""

TRIES: Mapping[str, int] = {"expert": 2, "champion": 5, "master": 16}
"""How many hands as they could be a level draws for each that it plays, to take the one in which the others would have
played as they did."""

EDITIONS: Mapping[str, Mapping[str, int]] = {
    "pinochle2": {"standard": 2, "expert": 2, "champion": 2, "master": 2},
}
"""By game and level the edition of a player that has changed since its first."""


class UnknownLevel(ValueError):
    """There is no such level; the sentence offers the nearest name."""


def find_level(name: str) -> str:
    """The level of this name, whatever its case. Raises UnknownLevel."""
    level = name.strip().lower()
    if level not in LEVELS:
        meant = did_you_mean(level, LEVELS) or f"There are {', '.join(LEVELS)}."
        raise UnknownLevel(f"There is no level {name!r}. {meant}")
    return level


def playouts_of(game: str, level: str) -> int:
    """How many hands a level plays in the game of this key before it decides; 0 for one that does not search."""
    return _budget(game, level).playouts


def nodes_of(game: str, level: str) -> int:
    """How many positions of an ending a level looks at before it decides in the game of this key; 0 for one that does
    not play it exactly."""
    return _budget(game, level).nodes


def _budget(game: str, level: str) -> Budget:
    playouts = PLAYOUTS.get(level, 0)
    usual = Budget(playouts // LONGER.get(game, 1), playouts * ENDINGS.get(level, 0))
    return BUDGETS.get(game, {}).get(level, usual)


def tries_of(level: str) -> int:
    """How many worlds a level draws for each in which it plays."""
    return TRIES.get(level, 1)


def edition_of(game: str, level: str) -> int:
    """The edition of a level in the game of this key: changed with every decision that it would make otherwise, so that
    none that was made before looks false."""
    return EDITIONS.get(game, {}).get(level, 1)


def is_here(game: str, level: str, edition: int) -> bool:
    """Whether this program has this player in the game of this key; other programs may have levels of their own."""
    return level in LEVELS and edition == edition_of(game, level)
