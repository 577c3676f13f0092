"""Figures that are taken in turns with those of another commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks.beside import checked_out, figures_in, measure_beside
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
