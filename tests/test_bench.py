"""Figures that are taken in turns with those of another commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import answers, beside
from benchmarks.beside import checked_out, figures_in, measure_beside, measured_at, told_beside_release
from benchmarks.figures import NotMeasured

ROOT = Path(__file__).resolve().parents[1]


def test_figures_have_the_names_on_the_way_to_them() -> None:
    found = {"ratio": {"value": 2.5, "limit": 1.6, "ok": False, "unit": "floors"}, "parts": {"first": 3}}
    assert dict(figures_in("move", found)) == {"move ratio": 2.5, "move parts first": 3.0}


def test_another_commit_lies_beside_while_it_is_measured() -> None:
    with checked_out("HEAD") as there:
        assert (there / "p2pcards/__init__.py").exists() and there != ROOT
    assert not there.exists()
    said = subprocess.run(["git", "worktree", "list"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert str(there) not in said


def test_a_commit_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(NotMeasured, match="git worktree says: fatal: invalid reference: nowhere"):
        measure_beside("nowhere", ["wire"])


def test_a_section_that_another_version_has_not_is_left_out() -> None:
    with pytest.raises(NotMeasured, match="chess was not measured in"):
        measured_at(ROOT, "chess")


def test_what_takes_too_long_is_ended() -> None:
    with pytest.raises(NotMeasured, match="It took too long"):
        measured_at(ROOT, "help", end=0.0)


def test_a_clone_without_the_last_release_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "RELEASE", ("0.2.0", "0" * 40))
    (said,) = told_beside_release()
    assert said == (
        "Not measured beside 0.2.0, the last release: this clone has no history so far back. "
        "'git fetch --unshallow' brings it."
    )


def test_the_lines_beside_the_last_release(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(*_what: object, **_how: object) -> dict[str, beside.Row]:
        row = {"here": 1.8, "there": 1.5, "ratio": 1.2}
        return {"move ratio": row, "move ratio moves": row, "help help": row}

    monkeypatch.setattr(beside, "_is_here", lambda _commit: True)
    monkeypatch.setattr(beside, "measure_beside", measured)
    assert list(told_beside_release())[1:] == [
        "  a move between three daemons, in floors                      1.8      1.5   x 1.20",
        "  --help, in milliseconds                                      1.8      1.5   x 1.20",
        "  first was not measured.",
    ]


@pytest.mark.parametrize(
    ("level", "seconds", "ok"),
    [
        ("expert", [0.049, 0.049, 9.0], True),
        ("expert", [0.051, 0.051, 0.0], False),
        ("champion", [0.249, 0.249, 9.0], True),
        ("master", [0.1, 0.1, 1.51], False),
        ("master", [1.49, 1.49, 1.49], True),
        ("standard", [9.0, 9.0, 9.0], None),
    ],
)
def test_a_level_keeps_to_its_budget_at_the_median_and_a_master_always(
    level: str, seconds: list[float], ok: bool | None
) -> None:
    found = answers.figure_of(level, seconds)
    assert found.get("ok") is ok
    assert found["longest"] == pytest.approx(1e3 * max(seconds))


def test_a_level_that_plays_as_a_lower_one_is_told_and_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "plays_as", lambda _game, level: "expert" if level == "master" else level)
    asked: list[str] = []

    def seconds_of(_game: str, level: str) -> dict[str, list[float]]:
        asked.append(level)
        return {"seconds": [0.001]}

    found = answers.by_level("whist", seconds_of)
    assert found["master"] == {"plays_as": "expert"} and found["champion"]["median"] == 1.0
    assert "master" not in asked and found["forced"] == {"longest": 1.0}
