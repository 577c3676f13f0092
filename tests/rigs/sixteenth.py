"""Go fish among the files of games, and in the two tables that a game stands in. As a plugin of pytest
(-p rigs.sixteenth) this puts it there for a whole run, before any test is collected."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from p2pcards.games.names import GAME_NAMES
from p2pcards.players.choose import NOVICES
from rigs import go_fish, go_fish_novice, go_fish_told

KEY = go_fish.GAME.key


def add_go_fish(patch: pytest.MonkeyPatch) -> None:
    folder = ModuleType(f"p2pcards.games.{KEY}")
    folder.__path__ = []
    patch.setitem(sys.modules, folder.__name__, folder)
    patch.setitem(sys.modules, f"p2pcards.games.{KEY}.rules", go_fish)
    patch.setitem(sys.modules, f"p2pcards.games.{KEY}.told", go_fish_told)
    patch.setitem(sys.modules, f"p2pcards.games.{KEY}.novice", go_fish_novice)
    patch.setitem(GAME_NAMES, KEY, "Go Fish")
    patch.setitem(NOVICES, KEY, go_fish_novice.choose)


def pytest_configure(config: pytest.Config) -> None:
    patch = pytest.MonkeyPatch()
    add_go_fish(patch)
    config.add_cleanup(patch.undo)
