"""Levels that are merged in a game, whatever has been measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2pcards.games import telling
from p2pcards.games.telling import load_told


def merge(patch: pytest.MonkeyPatch, key: str, **merged: str) -> None:
    """merged: by level the lower one as which it plays, in the game of this key, beside those that it has."""
    told = load_told(key)
    changed = replace(told, playing=replace(told.playing, merged={**told.playing.merged, **merged}))
    parts = vars(telling)["load_part"]

    def part(game: str, file: str) -> Any:
        return changed if (game, file) == (key, "told") else parts(game, file)

    patch.setattr(telling, "load_part", part)
