"""The pictures of docs are what the program draws today."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from making.pictures import files

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/pictures"
NAMES = sorted(path.name for path in FOLDER.iterdir() if path.is_file())


@cache
def drawn() -> dict[str, str]:
    return {name: make() for name, make in files().items()}


def test_every_picture_is_there_and_no_other() -> None:
    assert sorted(drawn()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_as_it_is_drawn(name: str) -> None:
    assert (FOLDER / name).read_text() == drawn().get(name), "if it is meant, run scripts/made --part pictures"


def test_pictures_fetch_nothing() -> None:
    assert not any("@font-face" in text for text in drawn().values())
