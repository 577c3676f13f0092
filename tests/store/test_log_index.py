"""The index of the logs: right after every change, and never trusted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2pcards.store.files import Home, find_home, make_folders
from p2pcards.store.logs import NAME, LogFacts, LogFile, indexed_logs
from rigs.homes import unreadable

OLD = Path(__file__).parents[1] / "ledger" / "version-0.1.0"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = find_home({"P2PCARDS_HOME": str(tmp_path)})
    make_folders(home)
    for number, name in enumerate(("hearts-unfinished", "whist")):
        shutil.copy(OLD / f"{name}.log", home.logs / f"2026-11-2{number}-hearts-000{number}.log")
    return home


def facts(home: Home) -> list[LogFacts]:
    return [found for _, found in indexed_logs(home)]


def without_reading(home: Home) -> list[LogFacts]:
    """What is found while no log can be read that has not changed."""
    unreadable(home)
    return facts(home)


def test_it_says_what_stands_in_the_logs(home: Home) -> None:
    whist, hearts = facts(home)
    assert hearts == LogFacts("unfinished", 5, 0, ("Ann",), (hearts.owner,))
    assert (whist.state, whist.records) == ("finished", 434)
    assert hearts.is_open_to(hearts.owner) and not hearts.is_open_to(bytes(32)) and not whist.is_open_to(whist.owner)


def test_what_has_not_changed_is_not_read_again(home: Home) -> None:
    assert facts(home) == without_reading(home)


def test_what_has_changed_is_read_again(home: Home) -> None:
    whist, hearts = facts(home)
    (log,) = home.logs.glob("*-0000.log")
    file = LogFile.open(log)
    file.append(b"L")
    file.close()
    assert facts(home) == [whist, replace(hearts, state="left")]
    log.unlink()
    assert facts(home) == without_reading(home) == [whist]
    assert "0000" not in (home.state / NAME).read_text()


def test_it_may_be_deleted(home: Home) -> None:
    before = facts(home)
    (home.state / NAME).unlink()
    assert facts(home) == before == without_reading(home)


def cut(rows: dict[str, list[Any]]) -> None:
    next(iter(rows.values())).pop()


def put(place: int, value: object) -> Callable[[dict[str, list[Any]]], None]:
    def change(rows: dict[str, list[Any]]) -> None:
        next(iter(rows.values()))[place] = value

    return change


CHANGES = [
    cut,
    put(0, "1"),
    put(1, 1.5),
    put(2, "won"),
    put(2, ["won"]),
    put(3, None),
    put(4, "0"),
    put(4, 4),
    put(5, "Ann"),
    put(5, ["\x1b[2J"]),
    put(5, ["A" * 25]),
    put(5, [5]),
    put(5, [["A"]]),
    put(6, 5),
    put(6, ["0"]),
    put(6, [99]),
    put(7, [None]),
    put(8, "1"),
    put(9, None),
    put(10, "x"),
    put(10, [5, []]),
    put(10, ["mine", [[["Ann"], "1"]]]),
    put(10, ["mine", [[["\x1b[2J"], 1]]]),
    put(10, ["mine", [[["A" * 49], 1]]]),
]


@pytest.mark.parametrize("change", CHANGES)
def test_one_that_is_not_as_we_write_it_is_made_anew(
    home: Home, change: Callable[[dict[str, list[Any]]], None]
) -> None:
    before = facts(home)
    path = home.state / NAME
    good = path.read_bytes()
    edition, keys, rows = json.loads(good)
    change(rows)
    path.write_text(json.dumps([edition, keys, rows]))
    assert facts(home) == before
    assert path.read_bytes() == good


NO_INDEX = [b"", b"\xff", b"null", b"7", b"[1]", b"[1,2]", b"[3,{}]", b'[3,["no key"],{}]', b"[" * 100_000]


@pytest.mark.parametrize("data", NO_INDEX)
def test_whatever_else_it_holds_is_no_index(home: Home, data: bytes) -> None:
    before = facts(home)
    (home.state / NAME).write_bytes(data)
    assert facts(home) == before == without_reading(home)


def test_a_log_that_is_damaged_stays_so_until_it_changes(home: Home) -> None:
    (log,) = home.logs.glob("*-0001.log")
    good = log.read_bytes()
    log.write_bytes(good[:-1] + b"\0")
    assert facts(home)[0] == LogFacts("damaged")
    log.write_bytes(good)
    assert facts(home)[0].state == "finished"


def test_a_log_that_cannot_be_read_now_is_looked_at_next_time(home: Home) -> None:
    (log,) = home.logs.glob("*-0001.log")
    aside = log.with_suffix(".aside")
    log.rename(aside)
    log.symlink_to("/proc/self/mem")  # a file, which cannot be read from its start
    assert facts(home)[0] == LogFacts("damaged")
    assert log.name not in (home.state / NAME).read_text()


def test_logs_are_listed_though_the_index_cannot_be_written(home: Home) -> None:
    (home.state / NAME).mkdir()
    assert [found.state for found in facts(home)] == ["finished", "unfinished"]
