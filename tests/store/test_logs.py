"""The folder of logs."""

import os
from pathlib import Path

import pytest

from p2pcards.store.files import Home, StoreError, find_home
from p2pcards.store.logs import create_log, find_log, list_logs, log_name


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def make(home: Home, date: str, game: str, game_id: str, changed: int = 0) -> str:
    log = create_log(home, date, game, bytes.fromhex(game_id))
    log.append(b"header")
    log.close()
    os.utime(log.path, (changed, changed))
    return log.path.name


def test_a_name_is_date_game_and_id() -> None:
    assert log_name("2026-11-20", "crazy_eights", bytes.fromhex("7f3a99")) == "2026-11-20-crazy_eights-7f3a.log"


@pytest.mark.parametrize(("date", "game"), [("today", "hearts"), ("2026-11-20", "../x"), ("2026-11-20", "")])
def test_a_name_that_would_be_no_name_is_refused(date: str, game: str) -> None:
    with pytest.raises(ValueError, match="no log can be named"):
        log_name(date, game, b"\0\0")


def test_games_whose_ids_begin_alike_get_longer_names(home: Home) -> None:
    names = [make(home, "2026-11-20", "hearts", game_id) for game_id in ("7f3a01", "7f3a02")]
    assert names == ["2026-11-20-hearts-7f3a.log", "2026-11-20-hearts-7f3a02.log"]
    with pytest.raises(StoreError, match="already"):
        make(home, "2026-11-20", "hearts", "7f3a02")
    with pytest.raises(ValueError, match="two bytes"):
        make(home, "2026-11-20", "hearts", "7f")


def test_logs_are_listed_newest_first_with_their_size(home: Home) -> None:
    assert list_logs(home) == ()
    first = make(home, "2026-11-19", "hearts", "aaaa", changed=900)
    second = make(home, "2026-11-20", "hearts", "ffff", changed=100)
    third = make(home, "2026-11-20", "crazy_eights", "bbbb", changed=200)
    for other in ("notes.txt", f"{first}.torn-15", ".hidden"):
        (home.logs / other).touch()
    (home.logs / "2026-11-21-hearts-cccc.log").mkdir()
    logs = list_logs(home)
    assert [log.name for log in logs] == [third, second, first]
    assert (logs[0].game, logs[0].size, logs[0].changed) == ("crazy_eights", 15 + 18, 200 * 10**9)


def test_a_log_is_found_by_name_prefix_or_id(home: Home) -> None:
    hearts = make(home, "2026-11-20", "hearts", "7f3a01")
    longer = make(home, "2026-11-20", "hearts", "7f3a02")
    eights = make(home, "2026-11-19", "crazy_eights", "1234")
    for text, name in (
        (hearts, hearts),
        ("2026-11-20-hearts-7f3a", hearts),
        ("2026-11-20-hearts-7f3a0", longer),
        ("7f3a02", longer),
        ("2026-11-19", eights),
        ("12", eights),
    ):
        assert find_log(home, text).name == name


def test_a_log_that_cannot_be_found_gets_a_sentence(home: Home) -> None:
    with pytest.raises(StoreError, match="no log 'x'") as refused:
        find_log(home, "x")
    assert "p2pcards logs" in refused.value.advice
    for number in range(6):
        make(home, "2026-11-20", "hearts", f"7f3{number}")
    with pytest.raises(StoreError, match=r"Several logs start with '2026-11': .*, \.\.\.\."):
        find_log(home, "2026-11")
    with pytest.raises(StoreError) as refused:
        find_log(home, "2026-11-20-heart-7f30")
    assert refused.value.advice == "Did you mean '2026-11-20-hearts-7f30'?"


def test_a_folder_that_is_a_file_gets_a_sentence(home: Home) -> None:
    home.logs.touch()
    with pytest.raises(StoreError, match="Can't list the logs"):
        list_logs(home)
