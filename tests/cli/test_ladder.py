"""scripts/ladder: the same figures no matter who plays the deals, and refusals in words."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from p2pcards.cli.alone import MirroredDeal, play_deal
from p2pcards.control.exits import USAGE
from p2pcards.daemon.crew import ALONE
from p2pcards.games.registry import GAMES
from rigs.dask_cluster import ROOT, dask_cluster
from rigs.giving_up import GIVE_UP

LADDER: dict[str, Any] = runpy.run_path(str(ROOT / "scripts/ladder"), run_name="ladder")


def ladder(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", str(ROOT / "scripts" / "ladder"), *words],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=GIVE_UP,
        check=False,
    )


def figures(*words: str) -> dict[str, Any]:
    """All but the times."""
    done = ladder("crazy_eights", "--level", "novice", "--json", *words)
    assert (done.returncode, done.stderr) == (0, "")
    found = dict(json.loads(done.stdout))
    del found["ms"], found["most_ms"]
    return found


def test_a_match_has_the_same_figures_wherever_it_is_played(tmp_path: Path) -> None:
    alone = figures("--deals", "30")
    assert alone["deals"] == 30 and alone["wins"] + alone["losses"] <= 30 and alone["points"] > 0
    assert figures("--deals", "30", "--jobs", "2") == alone
    with dask_cluster(tmp_path) as cluster:
        cluster.worker()
        cluster.worker()
        assert figures("--deals", "30", "--cluster", cluster.address) == alone


def test_a_match_that_is_decided_ends_and_deals_begun_beyond_are_not_counted() -> None:
    alone = figures()
    assert 40 <= alone["deals"] < 500 and alone["deals"] % 20 == 0
    assert alone["points"] / alone["error"] >= 4
    assert figures("--jobs", "3") == alone


def test_in_oh_hell_every_number_of_cards_has_its_turn() -> None:
    changes = [LADDER["changes_of"]("oh_hell", "real-deal", deal) for deal in range(26)]
    assert [one["start_cards"] for one in changes] == 2 * list(range(1, 14))
    assert LADDER["changes_of"]("whist", "real-deal", 3) == {}
    for one in changes[:13]:
        _, spent = play_deal(MirroredDeal("oh_hell", "real-deal", one, "novice", "carefree", 0))
        assert len(spent) == 2 * 2 * (1 + one["start_cards"]), "a bid and the cards, of two seats in two hands"


REFUSED: list[tuple[list[str], str]] = [
    (["hearts", "--jobs", "0"], "--jobs goes from 1 to 1000; 0 is outside."),
    (["hearts", "--deals", "1"], "--deals goes from 2 to 100000; 1 is outside."),
    (["harts"], "There is no game 'harts'. Did you mean 'hearts'?"),
    (["hearts", "--preset", "real-del"], "Hearts has no preset 'real-del'. Did you mean 'real-deal'?"),
    ([], "Name a game, or several, or say --all."),
    (
        ["--all", "--preset", "hoyle"],
        "--all plays the first preset of each game, each level against the one below.",
    ),
    (["hearts", "--level", "mister"], "There is no level 'mister'. Did you mean 'master'?"),
    (["hearts", "--against", "novic"], "There is no level 'novic'. Did you mean 'novice'?"),
    (
        ["hearts", "--cluster", "here"],
        "--cluster takes the address of Dask's scheduler, such as tcp://example.org:8786, not 'here'.",
    ),
]


def test_what_cannot_be_played_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first by the script as a process."""
    words, sentence = REFUSED[0]
    done = ladder(*words)
    assert (done.returncode, done.stdout, done.stderr) == (USAGE, "", sentence + "\n")
    for words, sentence in REFUSED:
        monkeypatch.setattr(sys, "argv", ["ladder", *words])
        assert LADDER["main"]() == USAGE, words
        assert capsys.readouterr() == ("", sentence + "\n"), words


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
