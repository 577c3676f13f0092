"""A game's folder that lacks something says in one sentence what to write, and where."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import p2pcards.games
from p2pcards.cli.command import as_failure
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.parts import PARTS, GameIncomplete, load_part
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import is_searched, load_told

KEY = "old_maid"
RULES = """
from p2pcards.games.game import Game
GAME = Game(key="old_maid", rules="", options=object, presets={}, actions=(), events=(), private={}, seats=len)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a game that is listed and has no file yet."""
    monkeypatch.setitem(GAME_NAMES, KEY, "Old Maid")
    monkeypatch.setattr(p2pcards.games, "__path__", [*p2pcards.games.__path__, str(tmp_path)])
    for file in ("", *[f".{file}" for file in PARTS]):
        monkeypatch.delitem(sys.modules, f"p2pcards.games.{KEY}{file}", raising=False)
    (tmp_path / KEY).mkdir()
    (tmp_path / KEY / "__init__.py").write_text("")
    return tmp_path / KEY


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_its_parts(key: str) -> None:
    for file in [file for file in PARTS if file != "seen" or is_searched(key)]:
        assert load_part(key, file)


@pytest.mark.parametrize("file", PARTS)
def test_a_missing_file_is_named(folder: Path, file: str) -> None:
    with pytest.raises(GameIncomplete) as lacking:
        load_part(KEY, file)
    name, what = PARTS[file]
    assert str(lacking.value) == f"Old Maid lacks a part: write p2pcards/games/old_maid/{file}.py with {name}: {what}."
    failure = as_failure(lacking.value)
    assert failure is not None and str(failure) == str(lacking.value)


@pytest.mark.parametrize("file", PARTS)
def test_a_missing_function_is_named(folder: Path, file: str) -> None:
    (folder / f"{file}.py").write_text('"""Nothing yet."""\n')
    with pytest.raises(GameIncomplete) as lacking:
        load_part(KEY, file)
    name, what = PARTS[file]
    assert str(lacking.value) == f"Old Maid lacks a part: p2pcards/games/old_maid/{file}.py has no {name}: {what}."


def test_what_the_table_of_a_game_lacks_is_named(folder: Path) -> None:
    (folder / "rules.py").write_text(RULES)
    (folder / "told.py").write_text("from p2pcards.games.telling import Told\nTOLD = Told(about='', words={})\n")
    with pytest.raises(GameIncomplete, match=r"GAME in p2pcards/games/old_maid/rules\.py has no 'pack', 'start'"):
        GAMES[KEY]
    with pytest.raises(GameIncomplete, match=r"TOLD in p2pcards/games/old_maid/told\.py has no 'short'\."):
        load_told(KEY)


def test_a_file_that_fails_for_another_reason_is_not_called_missing(folder: Path) -> None:
    (folder / "rules.py").write_text("import p2pcards.games.old_maid_cards\n")
    with pytest.raises(ModuleNotFoundError, match="old_maid_cards"):
        GAMES[KEY]
    (folder / "told.py").write_text("len()\n")
    with pytest.raises(TypeError, match="exactly one argument"):
        load_told(KEY)
