"""What a level decides is what its edition decided before: a log names the edition, and is read years later."""

from __future__ import annotations

import json

import pytest

from p2pcards.players.levels import edition_of
from p2pcards.players.search import READERS
from rigs import editions

KEPT = json.loads(editions.FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("level", editions.LEVELS)
def test_a_level_decides_as_its_edition_did(level: str) -> None:
    assert KEPT.keys() == READERS.keys(), "run python -m rigs.editions for a new game"
    changed = []
    for key in READERS:
        edition, decided = KEPT[key][level]
        assert edition == edition_of(key, level), f"run python -m rigs.editions for edition {edition} of {key}"
        if editions.decided(key, level) != decided:
            changed.append(key)
    assert changed == [], (
        f"{level} decides otherwise than before, or weighs it otherwise. If that is meant, give it another edition in "
        "players/levels.py, and run python -m rigs.editions."
    )
