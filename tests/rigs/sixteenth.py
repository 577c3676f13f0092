"""Go fish in the two tables that a game stands in. As a plugin of pytest (-p rigs.sixteenth) this puts it there for a
whole run, before any test is collected."""

from __future__ import annotations

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.players.choose import NOVICES
from rigs import go_fish, go_fish_novice

KEY = go_fish.GAME.key


def add_go_fish(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(GAMES, KEY, go_fish.GAME)
    patch.setitem(NOVICES, KEY, go_fish_novice.choose)


def pytest_configure(config: pytest.Config) -> None:
    patch = pytest.MonkeyPatch()
    add_go_fish(patch)
    config.add_cleanup(patch.undo)
