"""The parts of the slow tests, and the page that says when each has passed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import passed_part
from passed_part import Pieces, next_part, note, pieces_of, table_of, with_pass
from rigs.slow_parts import PARTS, part_of

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/hardening.md").read_text()


def test_the_page_has_a_row_for_each_part() -> None:
    table = PAGE.split("## The slow tests")[1]
    assert tuple(re.findall(r"^\| ([a-z]+-\d) \|", table, flags=re.MULTILINE)) == PARTS


def test_a_test_is_in_one_part_and_every_part_has_some() -> None:
    places = [
        *("daemon/test_kills", "daemon/test_soak", "session/test_faults", "session/test_every_order", "tui/test_grid"),
        *("games/test_laws", "games/test_deadwood", "players/test_kernels", "links/test_channel"),
    ]
    found = [part_of(f"tests/{place}.py::test_it[{number}]") for place in places for number in range(50)]
    assert set(found) == set(PARTS)
    assert part_of("tests/daemon/test_kills.py::test_it[hearts]").startswith("kills-")
    assert part_of("tests/daemon/test_soak.py::test_it").startswith("daemons-")


def test_in_twenty_runs_each_part_has_its_turn_where_passes_are_remembered() -> None:
    """By the machine or by the page, and whatever the number of commits is: those that never passed first."""
    for remembers in ("machine", "page"):
        table, notes, ran = dict.fromkeys(PARTS, ""), dict[str, str](), []
        for number in range(40 if remembers == "machine" else 20):
            part = next_part(table, notes, number * number)
            kept = notes if remembers == "machine" else table
            kept[part] = f"2026-02-{number // 2 + 1:02}T{number:02}:00:00"
            ran.append(part)
        assert sorted(ran[:20]) == sorted(PARTS)
        assert not ran[20:] or ran[20:] == ran[:20]


def test_where_nobody_remembers_a_pass_the_parts_take_turns_by_the_number_of_commits() -> None:
    for day in ("", "2026-01-31"):
        table = dict.fromkeys(PARTS, day)
        assert [next_part(table, {}, commits) for commits in range(20)] == [*PARTS]
    passed = dict.fromkeys(PARTS, "2026-01-31") | {"laws-2": "", "rest-1": ""}
    assert {next_part(passed, {"kills-1": "2026-01-30"}, commits) for commits in range(20)} == {"laws-2", "rest-1"}


def test_the_page_says_when_a_part_has_passed() -> None:
    table = table_of(with_pass(PAGE, "laws-2", "abc1234", "2026-01-31", 605))
    assert tuple(table) == PARTS and table["laws-2"] == "2026-01-31"


PIECES = """
import pytest

@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_one(number, clock):
    clock.append(number)
"""
PLUGIN = """
import time

import pytest

from rigs import slow_parts

ran = []
slow_parts.PIECES.clear()
slow_parts.PIECES[""] = ("kills", 1)  # holds this file
slow_parts.time = type("Clock", (), {"monotonic": staticmethod(lambda: 60.0 * len(ran))})

def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes long")

@pytest.fixture
def clock():
    return ran
"""


def test_a_piece_ends_with_its_minutes_and_the_next_one_goes_on(tmp_path: Path) -> None:
    """Each test takes a minute of a clock of its own."""
    (tmp_path / "test_pieces.py").write_text(PIECES)
    (tmp_path / "conftest.py").write_text(PLUGIN)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("scripts", "tests"))
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": paths}
    words = [sys.executable, "-m", "pytest", "-p", "rigs.slow_parts", "--slow", "--part=kills-1", "--minutes=4"]
    said = []
    for _ in range(2):
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        said += re.findall(r"kills-1: .* left", done.stdout)
    assert said == [
        "kills-1: 4 tests have passed, 0 before, 2 are left",
        "kills-1: 2 tests have passed, 4 before, 0 are left",
    ]


def test_a_part_is_noted_when_its_last_piece_has_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the commits of all pieces and what they took together; not where something was not committed."""
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    monkeypatch.setattr(passed_part, "PAGE", page)
    monkeypatch.setattr(passed_part, "KEPT", tmp_path / "cache")
    monkeypatch.setattr(passed_part, "commit", lambda: "def5678")
    Pieces({"test_one": "abc1234"}, left=1).keep("laws-2")
    note("laws-2", 1200)
    assert "1 of its tests have passed, 1 are left" in capsys.readouterr().out
    assert page.read_text() == PAGE
    Pieces({"test_one": "abc1234", "test_two": "def5678"}, 0, pieces_of("laws-2").seconds).keep("laws-2")
    note("laws-2", 65)
    assert "| laws-2 | abc1234 to def5678 | " in page.read_text() and " | 21:05 |" in page.read_text()
    assert pieces_of("laws-2") == Pieces()
    Pieces({"test_one": "abc1234-dirty"}).keep("laws-3")
    note("laws-3", 65)
    assert "| laws-3 | | | |" in page.read_text()


def test_a_pass_is_noted_in_its_row_and_nowhere_else() -> None:
    after = with_pass(PAGE, "laws-2", "abc1234", "2026-01-31", 605)
    assert "| laws-2 | abc1234 | 2026-01-31 | 10:05 |\n" in after
    changed = set(after.splitlines()) ^ set(PAGE.splitlines())
    assert all(row.startswith("| laws-2 |") for row in changed)
    with pytest.raises(LookupError, match="0 rows for the part laws-9"):
        with_pass(PAGE, "laws-9", "abc1234", "2026-01-31", 605)
