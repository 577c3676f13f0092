"""The golden playthroughs are what scripts/made gives."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from making.playthroughs import files, own_presets
from p2pcards.games.registry import GAMES

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "protocol/vectors/playthroughs"
NAMES = [f"{key}-{preset}.txt" for key, game in GAMES.items() for preset in own_presets(game)]


@cache
def given() -> dict[str, str]:
    return {name: make() for name, make in files().items()}


@pytest.mark.parametrize("name", NAMES)
def test_a_playthrough_is_what_the_script_gives(name: str) -> None:
    assert (FOLDER / name).exists(), f"run scripts/made, which writes {name}, and read what it wrote"
    assert (FOLDER / name).read_text() == given()[name], (
        "look at what changed, then run scripts/made --part playthroughs"
    )


def test_there_are_no_other_playthroughs() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(given()) == set(NAMES)
