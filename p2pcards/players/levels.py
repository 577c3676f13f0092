"""The six levels of the computer players."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from p2pcards.games.names import GAME_NAMES
from p2pcards.games.nearest import did_you_mean
from p2pcards.games.telling import PLAYERS, Playing, Skill, Way, is_searched, load_told
from p2pcards.players.tables import load_tables

LEVELS = tuple(PLAYERS)

USUAL: dict[str, Skill] = {
    "carefree": Skill(Way.LOT),
    "novice": Skill(Way.NOVICE),
    "standard": Skill(Way.TABLES),
    "expert": Skill(Way.SEARCH, 200),
    "champion": Skill(Way.SEARCH, 2_000, 10_000),
    "master": Skill(Way.SEARCH, 2_000, 50_000, nested=True),
}
"""How the levels decide in most games; `Playing.levels` has the others. Ten times as many hands are what makes a step
that is seen in a thousand deals, and five times as many again make none. What a master has over a champion is that
those who play on in these hands think as well (docs/strength.md)."""

EDITIONS: Mapping[str, int] = {"standard": 3, "expert": 4, "champion": 4, "master": 5}
"""Of levels that have changed since their first in all games; `Playing.editions` has what changed in one alone."""

BELOW: Mapping[str, str] = dict(zip(LEVELS[1:], LEVELS, strict=False))
"""By level the next lower one."""


class UnknownLevel(ValueError):
    """There is no such level; the sentence offers the nearest name."""


def find_level(name: str) -> str:
    """The level of this name, in any case. Raises UnknownLevel."""
    level = name.strip().lower()
    if level not in LEVELS:
        meant = did_you_mean(level, LEVELS) or f"Levels: {', '.join(LEVELS)}."
        raise UnknownLevel(f"There's no level {name!r}. {meant}")
    return level


def playing_of_game(game: str) -> Playing:
    """How computers play the game of this key."""
    return load_told(game).playing


def plays_as(game: str, level: str) -> str:
    """The level as which a level plays the game of this key: itself, or a lower one that is as strong."""
    return playing_of_game(game).merged.get(level, level)


def skill_of(game: str, level: str) -> Skill:
    """How a level decides in the game of this key."""
    level = plays_as(game, level)
    level = BELOW[level] if lacking_reason(game, level) else level
    return playing_of_game(game).levels.get(level, USUAL[level])


UNTRIED = 65535
"""The edition of no player (protocol/fair-deal.md): what somebody decided who had to play otherwise than their level
does is repeated by nobody."""


def lacking_reason(game: str, level: str) -> str:
    """Why a level plays only as the one below in the game of this key, as a sentence; "" where it plays as it
    should."""
    level = plays_as(game, level)
    skill = playing_of_game(game).levels.get(level, USUAL[level])
    if skill.way is not Way.TABLES or not is_searched(game):
        return ""
    learned = load_tables(game)
    plays = f"In {GAME_NAMES[game].lower()}, {PLAYERS[level]} plays like {PLAYERS[BELOW[level]]} for now."
    return f"{plays} {learned}" if isinstance(learned, str) else ""


def searches(game: str, level: str) -> bool:
    """Return whether a level searches in the game of this key, which takes a while; False for a level that this program
    does not have."""
    return level in LEVELS and skill_of(game, level).way is Way.SEARCH and is_searched(game)


PROMISES: Mapping[str, float] = {"standard": 0.3, "expert": 0.3, "champion": 0.7, "master": 1.5}
"""Seconds that a decision takes at the most where the kernels are not compiled."""
USABLE = 0.9
"""The part of a promise that a search uses: the hand that is being followed is still played to its end."""
IN_PAGE = sys.platform == "emscripten"
"""Whether this is the Python of a page, which is some hundred times slower than compiled search."""


def edition_of(game: str, level: str, slow: bool = IN_PAGE) -> int:
    """The edition of a level in the game of this key: changed with every decision that it would make otherwise, so that
    none that was made before looks false; `UNTRIED` where it has to play as another. slow: a clock cuts searches short,
    so that nobody can repeat them."""
    if lacking_reason(game, level) or (slow and searches(game, level)):
        return UNTRIED
    return _full_edition(game, level)


def _full_edition(game: str, level: str) -> int:
    """The edition of a level that plays at full strength."""
    return playing_of_game(game).editions.get(level, EDITIONS.get(level, 1))


def has_player(game: str, level: str, edition: int) -> bool:
    """Return whether this version has this player, even if this machine is too slow for it or lacks its tables."""
    return level in LEVELS and edition == _full_edition(game, level)


def can_play_here(game: str, level: str, edition: int) -> bool:
    """Return whether this program can play the game of this key as this level and edition; other programs may have
    others."""
    return level in LEVELS and edition != UNTRIED and edition == edition_of(game, level)
