"""What a whole run of the tests costs, held to the figure that is kept."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import kept_processor
from kept_processor import Figure, compared, measured
from rigs.processor import COLLECTION, unit

FILE = "# {seconds} s of processor for the plain run; unit: {unit} s\n1.00\t1\ttests/test_it.py::test_it\n"


def test_a_run_is_counted_in_units_so_that_a_slower_machine_has_the_same_figure() -> None:
    fast = measured([FILE.format(seconds=600, unit=0.02), FILE.format(seconds=60, unit=0.02)], 300, "why so")
    slow = measured([FILE.format(seconds=1200, unit=0.04), FILE.format(seconds=120, unit=0.04)], 700, "why so")
    assert fast.units == slow.units == 33_000 and (fast.seconds, slow.seconds) == (660, 1320)


@pytest.mark.parametrize(("units", "may_be"), [(1_200, True), (1_201, False), (500, True)])
def test_a_fifth_more_may_be_and_no_more(units: int, may_be: bool) -> None:
    kept = Figure(1_000, 20, 10, "2026-01-31", "as it was")
    told, may = compared(Figure(units, 20, 10, "2026-02-01", ""), kept, "plain")
    assert may == may_be
    assert f"{units / 10 - 100:+.0f} %" in told and ("More than a fifth" in told) == (not may_be)


@pytest.mark.parametrize("ci", [True, False])
def test_in_ci_too_dear_a_run_fails_until_a_reason_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ci: bool
) -> None:
    def keeps(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["kept_processor.py", "plain", "300", str(tmp_path / "costs"), *words])
        return kept_processor.main()

    monkeypatch.setattr(kept_processor, "KEPT", tmp_path / "kept.json")
    monkeypatch.setenv("CI", "true" if ci else "")
    (tmp_path / "kept.json").write_text("{}")
    (tmp_path / "costs").write_text(FILE.format(seconds=100, unit=0.02))
    assert keeps() == 0
    assert "No figure is kept" in capsys.readouterr().out
    assert keeps("the first figure") == keeps() == 0
    (tmp_path / "costs").write_text(FILE.format(seconds=121, unit=0.02))
    assert keeps() == ci
    assert "+21 %" in capsys.readouterr().out
    assert keeps("laws of a new game") == keeps() == 0
    assert json.loads((tmp_path / "kept.json").read_text())["plain"]["reason"] == "laws of a new game"


def test_what_is_kept_can_be_read() -> None:
    for figure in json.loads(kept_processor.KEPT.read_text()).values():
        assert Figure(**figure).reason


COUNTED = """
import pytest

@pytest.mark.parametrize("number", range(120))
def test_plain(number):
    pass

@pytest.mark.browser
def test_dear():
    for _ in range(30): sum(range(1_000_000))
"""


def test_the_plain_run_alone_counts(tmp_path: Path, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COUNTED)
    pytester.makeini("[pytest]\nmarkers =\n    browser: as ours")
    costs = tmp_path / "costs"
    pytester.runpytest_inprocess("-p", "rigs.processor", f"--processor={costs}").assert_outcomes(passed=121)
    head, *rows = costs.read_text().splitlines()
    spent = {name.rpartition("::")[2]: float(seconds) for seconds, _, name in [row.split("\t") for row in rows]}
    found = kept_processor.TOTAL.match(head)
    assert found and float(found[1]) == pytest.approx(spent["test_plain"] + spent[COLLECTION], abs=0.07)  # all rounded
    assert spent["test_dear"] > 0.1
    assert 0 < float(found[2]) < 10 * unit()
