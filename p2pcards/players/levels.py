"""The six levels of the computer players."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.games.nearest import did_you_mean

LEVELS = ("carefree", "novice", "standard", "expert", "champion", "master")
BUILT = ("carefree", "novice")


EDITIONS: Mapping[str, Mapping[str, int]] = {}
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


def edition_of(game: str, level: str) -> int:
    """The edition of a level in the game of this key: changed with every decision that it would make otherwise, so that
    none that was made before looks false."""
    return EDITIONS.get(game, {}).get(level, 1)


def level_today(level: str) -> str:
    """The level at which a level plays today: itself, or novice while it is not built."""
    return level if level in BUILT else "novice"


def level_note(level: str) -> str:
    """The level as a player is told it: ``expert (plays at novice today)``."""
    today = level_today(level)
    return level if today == level else f"{level} (plays at {today} today)"
