"""What a level decides is what its edition decided before: a log names the edition, and is read years later."""

from __future__ import annotations

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.players.levels import edition_of
from rigs import editions

KEPT = editions.kept()


@pytest.mark.parametrize("level", editions.LEVELS)
def test_a_level_decides_as_its_edition_did(level: str) -> None:
    assert KEPT.keys() == set(GAMES), "run scripts/made --part editions for a new game"
    changed = []
    for key in GAMES:
        edition, *decided = KEPT[key][level]
        assert edition == edition_of(key, level), f"run scripts/made --part editions for edition {edition} of {key}"
        if editions.decided(key, level) != decided:
            changed.append(key)
    assert changed == [], (
        f"{level} decides otherwise than before, or weighs it otherwise. If that is meant, give it another edition in "
        "games/KEY/told.py, and run scripts/made --part editions."
    )
