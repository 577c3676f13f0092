"""A played card, followed through three machines; docs/design.md names the files that it passes."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from benchmarks.trace import HEADING, MACHINES, Call, figures_of, named_in_design, passed, trace_card

DESIGN = Path(__file__).resolve().parents[1] / "docs" / "design.md"


@pytest.fixture(scope="module")
def calls() -> list[Call]:
    return trio.run(trace_card)


def test_a_card_passes_all_three_machines(calls: list[Call]) -> None:
    for machine in MACHINES:
        files = passed([call for call in calls if call.machine == machine])
        for file in ("ledger/advance.py", "games/crazy_eights/rules.py", "store/logs.py", "links/channel.py"):
            assert file in files, f"{file} at the {machine}"
    own = passed([call for call in calls if call.machine == MACHINES[1]])
    assert own[0] == "daemon/serve.py", "where the command of a front end comes in"


def test_the_design_names_the_files_that_a_card_passes(calls: list[Call]) -> None:
    page = DESIGN.read_text(encoding="utf-8")
    if HEADING not in page:
        pytest.skip(f"docs/design.md has no page {HEADING!r} yet.")
    assert sorted(named_in_design(page)) == sorted(passed(calls))


def test_what_is_counted() -> None:
    calls = [
        Call("a", "x.py", "f"),
        Call("b", "y.py", "g"),
        Call("a", "x.py", "f.<locals>.<genexpr>"),
        Call("a", "z.py", "h"),
    ]
    assert figures_of(calls) == (3, 3, 4, 1)
    assert passed(calls) == ["x.py", "y.py", "z.py"]


def test_the_block_of_the_design() -> None:
    page = (
        f"# A\n\n{HEADING}\n\nIn their order:\n\n```\nx/a.py   what it is\ny/b.py\n```\n\n## Else\n\n```\nz.py\n```\n"
    )
    assert named_in_design(page) == ["x/a.py", "y/b.py"]
    assert named_in_design(page.replace("```\nx/a.py   what it is\ny/b.py\n```\n", "")) == []
