"""The ladder of the computer players."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from p2pcards.daemon.crew import ALONE
from p2pcards.games.registry import GAMES

ROOT = Path(__file__).parents[1]
LADDER: dict[str, Any] = runpy.run_path(str(ROOT / "scripts/ladder"), run_name="ladder")
pytestmark = pytest.mark.no_cover


def match(game: str, points: float, error: float, level: str = "novice") -> Any:
    return LADDER["Match"](game, "any", level, "carefree", 40, 30, 10, points, error, 0.5, 2.0)


@pytest.mark.parametrize("key", GAMES)
def test_a_novice_is_ahead_of_carefree_by_three_standard_errors(key: str) -> None:
    """The part of the ladder that takes seconds."""
    preset = next(iter(GAMES[key].presets))
    assert trio.run(LADDER["play_match"], ALONE, key, preset, "novice", "carefree", 200).errors >= 3


def test_a_match_is_over_when_it_is_decided_or_all_deals_are_played() -> None:
    assert match("whist", 2.0, 0.5).decided
    assert not match("whist", 1.9, 0.5).decided
    assert not match("whist", 2.0, 0.5)._replace(deals=20).decided


def test_what_is_kept_is_not_played_again_and_the_rest_of_the_page_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, figures = tmp_path / "strength.md", tmp_path / "strength.json"
    keep, kept_ladder, ladder_of = LADDER["keep"], LADDER["kept_ladder"], LADDER["Ladder"]
    monkeypatch.setitem(keep.__globals__, "PAGE", page)
    monkeypatch.setitem(keep.__globals__, "FIGURES", figures)
    assert kept_ladder() == ladder_of((), 0.0)
    page.write_text("# Players\n\nBefore.\n\n## The ladder\n\nold\n\n## Others\n\nAfter.\n")
    keep(ladder_of((match("whist", 1.0, 0.5), match("hearts", 2.0, 0.5)), 7200.0))
    assert [one.game for one in kept_ladder().matches] == ["hearts", "whist"]
    assert kept_ladder().has("hearts", "novice") and not kept_ladder().has("hearts", "standard")
    text = page.read_text()
    assert text.startswith("# Players\n\nBefore.\n\n## The ladder\n") and text.endswith("## Others\n\nAfter.\n")
    assert "old" not in text and "2.0 hours" in text
    assert "| Hearts | novice | +2.00 +- 0.50 | 4.0 | 40 | 0.5 |" in text
    assert "| Whist | novice | +1.00 +- 0.50 | 2.0 (missed) | 40 | 0.5 |" in text
    assert "| Whist | master | not played yet |" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Name a game, or several, or say --all."),
        (["wist"], "There is no game 'wist'. Did you mean 'whist'?"),
        (["whist", "--level", "novce"], "There is no level 'novce'. Did you mean 'novice'?"),
        (["whist", "--deals", "0"], "--deals goes from 2 to 100000; 0 is outside."),
        (["whist", "--jobs", "0"], "--jobs goes from 1 to 1000; 0 is outside."),
        (
            ["--all", "--preset", "hoyle"],
            "--all plays the first preset of each game, each level against the one below.",
        ),
    ],
)
def test_what_cannot_be_played_is_said(arguments: list[str], sentence: str) -> None:
    found = subprocess.run([sys.executable, ROOT / "scripts/ladder", *arguments], capture_output=True, text=True)
    assert (found.returncode, found.stdout, found.stderr.strip()) == (2, "", sentence)


def test_figures_are_the_same_in_several_processes() -> None:
    command = [sys.executable, str(ROOT / "scripts/ladder"), "whist", "--level", "novice", "--deals", "10", "--json"]
    found = [
        json.loads(subprocess.run([*command, "--jobs", jobs], capture_output=True, text=True, check=True).stdout)
        for jobs in ("1", "2")
    ]
    for one in found:
        del one["ms"], one["most_ms"]
    assert found[0] == found[1]
