"""Computer players that search a hundredth of what their level may, for tests that are about something else.

Where characters are drawn by chance, a test would else cost what the dearest of them costs. What a budget does is
tested where it is meant, with the program as Python starts it.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import Any
from unittest import mock

from p2pcards.cli import alone
from p2pcards.daemon import thinking
from p2pcards.games.telling import Playing, Skill, load_told
from p2pcards.players import levels
from p2pcards.players.choose import choose_by_key, rate_by_key

SHARE = 100
LEAST = 20
"""Hands, so that a level still plays otherwise than one that does not search."""


def less(skill: Skill, share: int) -> Skill:
    """The same, but for a share of what it searches."""
    playouts = skill.playouts and max(LEAST, skill.playouts // share)
    return skill._replace(playouts=playouts, nodes=skill.nodes and max(LEAST, skill.nodes // share))


def playing_less(share: int, game: str) -> Playing:
    """As `levels.playing`."""
    played = load_told(game).playing
    return replace(played, levels={level: less(skill, share) for level, skill in played.levels.items()})


def usual_less(share: int) -> dict[str, Skill]:
    """As `levels.USUAL`."""
    return {level: less(skill, share) for level, skill in levels.USUAL.items()}


def choose_less(*asked: Any) -> Any:
    with mock.patch.multiple(levels, **LESS):
        return choose_by_key(*asked)


def rate_less(*asked: Any) -> Any:
    with mock.patch.multiple(levels, **LESS):
        return rate_by_key(*asked)


LESS: Mapping[str, Any] = {"USUAL": usual_less(SHARE), "playing_of_game": partial(playing_less, SHARE)}
CHANGES: Sequence[tuple[ModuleType, Mapping[str, Any]]] = (
    (levels, LESS),
    (thinking, {"choose_by_key": choose_less, "rate_by_key": rate_less}),
    (alone, {"choose_by_key": choose_less}),
)
"""By module what stands there instead, so that the processes in which its players think search less too."""


@contextmanager
def searching_less() -> Generator[None]:
    with ExitStack() as changed:
        for module, instead in CHANGES:
            changed.enter_context(mock.patch.multiple(module, **instead))
        yield


def search_less() -> None:
    """For the rest of this process."""
    for module, instead in CHANGES:
        vars(module).update(instead)
