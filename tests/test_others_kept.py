"""scripts/others: what is played in parts comes to the figures of one go; without OpenSpiel, which plays the deals."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
OTHERS: dict[str, Any] = runpy.run_path(str(ROOT / "scripts/others"), run_name="others")


@dataclass(frozen=True, slots=True)
class Played:
    """As `openspiel.matches` has it."""

    lead: float
    ours_ms: tuple[float, ...] = (1.0,)
    bot_ms: tuple[float, ...] = (2.0, 4.0)
    compared: int = 2


def play(_match: Any, number: int) -> Played:
    return Played(float(number % 5))


def cut_off_at(deal: int) -> Callable[[Any, int], Played]:
    def play_until(match: Any, number: int) -> Played:
        if number == deal:
            raise KeyboardInterrupt
        return play(match, number)

    return play_until


def timeless(match: Any) -> dict[str, Any]:
    return {key: value for key, value in vars(match).items() if key != "seconds"}


def test_a_match_in_parts_has_the_figures_of_one_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = OTHERS["new_match"]("hearts", "champion", "ismcts", 1_000)
    whole = OTHERS["play_match"](tmp_path / "whole", match, 20, 5.0, play)
    assert (whole.deals, whole.lead, round(whole.error, 4)) == (20, 2.0, 0.3244)
    assert whole.ours_ms == (1.0, 1.0) and whole.bot_ms == (3.0, 4.0) and whole.compared == 40
    file = tmp_path / "parts"
    with pytest.raises(KeyboardInterrupt):
        OTHERS["play_match"](file, match, 20, 5.0, cut_off_at(7))
    assert OTHERS["kept"](file).matches[match.row].deals == 7, "what was played until Ctrl-C is counted"
    assert OTHERS["play_match"](file, match, 9, 0.0, play).deals == 9
    assert timeless(OTHERS["play_match"](file, match, 20, 0.0, play)) == timeless(whole)
    assert "hearts champion against ISMCTS, 1,000 simulations: +2.00 +- 0.32" in capsys.readouterr().err


def test_a_part_of_deals_that_another_run_has_kept_is_dropped_and_a_new_edition_voids(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, append, kept = tmp_path / "file", OTHERS["append"], OTHERS["kept"]
    gin = OTHERS["new_match"]("gin_rummy", "expert", "simple", 1_000)
    hearts = OTHERS["new_match"]("hearts", "champion", "ismcts", 1_000)
    assert gin.simulations == 0
    append(file, gin, [Played(1.0)] * 3, 1.0)
    append(file, hearts, [Played(1.0)] * 4, 1.0)
    assert append(file, gin, [Played(1.0)] * 5, 1.0).deals == 3
    assert sorted([one["deals"] for one in json.loads(file.read_text())["matches"]]) == [3, 4]
    monkeypatch.setitem(kept.__globals__, "edition_of", lambda game, _level: 9 if game == "hearts" else gin.edition)
    assert [one.game for one in kept(file).matches.values()] == ["gin_rummy"]


def test_what_is_played_where_nothing_is_named_are_the_matches_with_an_aim() -> None:
    wanted = OTHERS["wanted_matches"](OTHERS["BOTS"], None, None, 1_000)
    assert [(one.game, one.level, one.bot) for one in wanted] == [aim[:3] for aim in OTHERS["AIMS"]]
    (other,) = OTHERS["wanted_matches"](["euchre"], "master", "sees", 1_000)
    assert (other.level, other.bot, other.aim) == ("master", "sees", None)


def test_the_table_has_each_match_beside_its_aim_and_the_figures_of_before() -> None:
    euchre = OTHERS["new_match"]("euchre", "champion", "ismcts", 1_000)
    played = euchre.with_part([Played(0.0), Played(0.5), Played(0.25), Played(0.25)], 1.0)
    old = {"game": "euchre", "level": "champion", "bot": "ismcts", "simulations": 1_000}
    text = OTHERS["section"](
        OTHERS["Kept"]({played.row: played}, [old | {"points": 0.18, "error": 0.07, "deals": 150}])
    )
    assert (
        "| Euchre | champion | ISMCTS, 1,000 simulations | +0.18 +- 0.07 (150) "
        "| +0.25 +- 0.10 | 2.4 (aim +0.25: above by 0.0) | 4 | 1.0, 1 | 3.0, 4 |"
    ) in text
    assert "| Oh Hell | champion | ISMCTS, 1,000 simulations |  | not played yet | | | | |" in text


REFUSED = [
    (["whist"], "there is no bridge for 'whist'; there are gin_rummy, hearts, euchre, oh_hell"),
    (["hearts", "--bot", "simple"], "OpenSpiel has no bot 'simple' for hearts; it has ismcts"),
    (["hearts", "--deals", "1"], "--deals is 2 or more, --simulations 1 or more, and --minutes 0 or more"),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["others", *words])
    with pytest.raises(SystemExit):
        OTHERS["main"]()
    assert sentence in capsys.readouterr().err
