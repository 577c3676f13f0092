"""Names of games, and games that were thrown away."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.store.files import Home, find_home, make_folders
from p2pcards.store.logs import list_logs
from p2pcards.store.save_names import (
    LONGEST,
    BadName,
    SaveNames,
    checked_name,
    give_name,
    load_names,
    take_back,
    throw_away,
)

ONE, TWO = "2026-11-20-hearts-aaaa", "2026-11-21-whist-bbbb"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = find_home({"P2PCARDS_HOME": str(tmp_path)})
    make_folders(home)
    for log in (ONE, TWO):
        (home.logs / f"{log}.log").write_bytes(b"p2pcards log 1\n")
    return home


def test_a_name_is_that_of_one_game(home: Home) -> None:
    give_name(home, ONE, "Friday  evening")
    assert load_names(home).called("friday EVENING") == ONE and load_names(home).called("friday") == ""
    give_name(home, TWO, "friday evening")
    assert load_names(home).names == {TWO: "friday evening"}
    give_name(home, TWO, "")
    assert load_names(home) == SaveNames()


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * (LONGEST + 1), "a\x1b[2J", "-rf", ".hidden", "a/b", "12", "2026-11-20-hearts", "so be it yes"],
)
def test_what_looks_like_something_else_is_no_name(name: str) -> None:
    with pytest.raises(BadName):
        checked_name(name)


def test_a_game_is_thrown_away_until_it_is_played_on(home: Home) -> None:
    give_name(home, ONE, "friday")
    before = next(log for log in list_logs(home) if log.stem == ONE)
    throw_away(home, ONE, before.stamp)
    kept = load_names(home)
    assert kept.is_thrown(ONE, before.stamp) and kept.names == {}
    assert take_back(home, ONE) and not take_back(home, ONE)
    throw_away(home, ONE, before.stamp)
    (home.logs / f"{ONE}.log").write_bytes(b"p2pcards log 1\nmore")
    after = next(log for log in list_logs(home) if log.stem == ONE)
    assert not load_names(home).is_thrown(ONE, after.stamp)


def test_logs_that_are_gone_and_what_cannot_be_read_are_forgotten(home: Home) -> None:
    give_name(home, ONE, "friday")
    (home.logs / f"{ONE}.log").unlink()
    give_name(home, TWO, "sunday")
    assert load_names(home).names == {TWO: "sunday"}
    for text in ("", "[]", "{", '{"names": 3}', '{"thrown": {"x": [1]}}', '{"names": {"x": "\\u001b"}}', "\xff"):
        home.save_names.write_bytes(text.encode("latin-1"))
        assert load_names(home) == SaveNames()
