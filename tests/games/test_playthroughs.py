"""The golden playthroughs are what scripts/playthroughs gives."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GIVEN: dict[str, str] = runpy.run_path(str(ROOT / "scripts/playthroughs"))["playthroughs"]()
FOLDER = ROOT / "protocol/vectors/playthroughs"


@pytest.mark.parametrize("name", GIVEN)
def test_a_playthrough_is_what_the_script_gives(name: str) -> None:
    assert (FOLDER / name).exists(), f"run scripts/playthroughs, which writes {name}, and read what it wrote"
    assert (FOLDER / name).read_text() == GIVEN[name], "look at what changed, then run scripts/playthroughs"


def test_there_are_no_other_playthroughs() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(GIVEN)
