"""scripts/margins with few games: the table, the JSON and the exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from benchmarks import margins as script

SCRIPTS = Path(__file__).parents[2] / "scripts"
TOO_FEW = "1"  # one game cannot put anybody three standard errors ahead


def margins(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "benchmarks.margins", *words]
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_row_for_each_preset_as_json() -> None:
    done = margins("crazy_eights", "--games", "12", "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert [(row["game"], row["preset"]) for row in found["rows"]] == [
        ("crazy_eights", "usual"),
        ("crazy_eights", "real-deal"),
        ("crazy_eights", "telecards"),
    ]
    for row in found["rows"]:
        assert row["ok"] and row["standard_errors"] >= found["least"] == 3
        assert row["novice_wins"] > row["carefree_wins"]
        assert row["alone"]["games"] == 100 and row["alone"]["unfinished"] == 0
    assert found["rows"][0]["players"] == ["novice", "carefree", "carefree", "carefree"]
    assert done.stderr.startswith("margins: crazy_eights usual ... ")


def test_what_does_not_hold_is_marked_and_the_exit_code_is_1_and_partners_are_of_one_level(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "measure", cache(script.measure))  # played once, told twice
    assert script.main(["whist", "--games", TOO_FEW]) == 1
    heading, row = capsys.readouterr().out.splitlines()[:2]
    assert heading.split()[:3] == ["game", "preset", "novices"]
    assert row.split()[:2] == ["whist", "usual"]
    assert row.endswith("0 of 100  <-- does not hold")
    assert script.main(["whist", "--games", TOO_FEW, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["rows"][0]["players"] == ["novice", "carefree", "novice", "carefree"]


def test_an_unknown_game_gets_the_nearest_name() -> None:
    done = margins("whisk")
    assert done.returncode == 2
    assert "Did you mean 'whist'?" in done.stderr
