"""The parts of the slow tests, and the page that says when each has passed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from passed_part import with_pass
from rigs.slow_parts import PARTS, part_of

PAGE = (Path(__file__).parents[1] / "docs/hardening.md").read_text()


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


def test_a_pass_is_noted_in_its_row_and_nowhere_else() -> None:
    after = with_pass(PAGE, "laws-2", "abc1234", "2026-01-31", 605)
    assert "| laws-2 | abc1234 | 2026-01-31 | 10:05 |\n" in after
    changed = set(after.splitlines()) ^ set(PAGE.splitlines())
    assert all(row.startswith("| laws-2 |") for row in changed)
    with pytest.raises(LookupError, match="0 rows for the part laws-9"):
        with_pass(PAGE, "laws-9", "abc1234", "2026-01-31", 605)
