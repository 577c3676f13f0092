"""scripts/ladder: when a pair is decided, what is kept and gone on with, and refusals in words."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any

import pytest
import trio

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.cli.alone import (
    Lead,
    MirroredDeal,
    choose_as_hinted,
    measure_choice_lead,
    measure_game_lead,
    measure_hint_lead,
    play_deal,
)
from p2pcards.control.exits import FINE, UNEXPECTED, USAGE
from p2pcards.daemon.crew import ALONE
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.registry import GAMES
from p2pcards.players.levels import edition_of
from rigs.dask_cluster import ROOT, dask_cluster
from rigs.decisions import random_positions
from rigs.giving_up import longest_wait

LADDER: dict[str, Any] = runpy.run_path(str(ROOT / "scripts/ladder"), run_name="ladder")
LOOKS: Sequence[int] = LADDER["LOOKS"]
PAIR = LADDER["Pair"]
QUICK = ("thirty_one", "--level", "novice", "--decide")
"""A pair that passes at the first look, in a tenth of a second."""


@pytest.fixture(autouse=True)
def all_levels_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which levels are merged is a measurement, and no matter of how the ladder goes on."""
    monkeypatch.setitem(LADDER["steps"].__globals__, "plays_as", lambda _game, level: level)


def command(*words: str) -> list[str]:
    return [sys.executable, str(ROOT / "scripts/ladder"), *words]


def ladder(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words),
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=longest_wait(),
        check=False,
    )


def inside(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The script within this process, in which all deals are played."""
    monkeypatch.setattr(sys, "argv", ["ladder", "--jobs", "1", *words])
    code: int = LADDER["main"]()
    return code


def timeless(pair: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in pair.items() if key not in ("seconds", "ms")}


def in_file(path: Path) -> list[dict[str, Any]]:
    return [timeless(one) for one in json.loads(path.read_text())["pairs"]]


def pair(game: str = "whist", level: str = "expert", unit: str = "points", **figures: Any) -> Any:
    below = LADDER["LEVELS"][LADDER["LEVELS"].index(level) - 1]
    return PAIR(game, "usual", unit, level, below, (1, 1), **figures)


def with_lead(deals: int, lead: float, error: float, **about: Any) -> Any:
    """A pair whose figures come to these."""
    squares = error * error * deals * (deals - 1) + deals * lead * lead
    return pair(deals=deals, total=deals * lead, squares=squares, **about)


# --- when a pair is decided -------------------------------------------------------------------------------------------

VERDICTS = [
    (63, 9.0, 0.1, ""),  # nobody looks before 64 deals
    (64, 0.351, 0.1, "passed"),
    (64, 0.349, 0.1, ""),
    (65, 9.0, 0.1, ""),  # nor between two looks
    (64, -0.15, 0.1, "missed"),  # -0.15 and two errors are 0.05, less than the 0.06 of whist
    (64, -0.13, 0.1, ""),
    (128, 0.0, 0.029, "missed"),
    (256, 0.0, 0.031, ""),
    (512, 0.05, 0.01, "passed"),  # a lead that is clear passes, however small
    (1024, 0.06, 0.02, "missed"),
    (1024, 0.0701, 0.02, "passed"),
]


@pytest.mark.parametrize(("deals", "lead", "error", "verdict"), VERDICTS)
def test_a_pair_is_decided_at_a_look_and_never_between(deals: int, lead: float, error: float, verdict: str) -> None:
    found = with_lead(deals, lead, error)
    assert found.lead == pytest.approx(lead) and found.error == pytest.approx(error)
    assert found.verdict == verdict
    assert bool(found.next_look) == (not verdict)


def test_a_pair_goes_on_to_the_next_look_and_ends_with_the_last() -> None:
    looks = [pair().next_look]
    while looks[-1]:
        looks.append(with_lead(looks[-1], 0.05, 0.05).next_look)
    assert looks == [64, 128, 256, 512, 1024, 0]


def test_equal_levels_pass_once_in_a_thousand_tables_of_one_pair() -> None:
    """The bound that the script states, without the recursion: no more than each look by itself together."""
    a_look = NormalDist().cdf(-LADDER["PASSED"])
    assert a_look == pytest.approx(0.00023, abs=5e-6)
    assert len(LOOKS) * a_look < 0.0012
    assert all(later == 2 * look for look, later in pairwise(LOOKS))


def test_every_game_has_a_least_step_and_all_games_together_an_hour_of_two_cores() -> None:
    shipped = set(GAME_NAMES) & set(LADDER["LEAST_STEP"])
    assert len(shipped) == 14
    climbed = LADDER["Ladder"](None, [])
    caps = [climbed.cap(pair(game=game, unit=unit)) for game in shipped for unit in LADDER["units"](game)]
    assert len(caps) == 15 and sum(caps) <= 2 * 60 * 60
    assert with_lead(64, 0.0, 0.1, game="spades", level="expert").least == 4.0
    assert with_lead(64, 0.0, 0.1, game="pinochle2", level="expert", unit="games").least == 0.03


# --- what is measured -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "level", "unit", "deals"),
    [
        ("whist", "expert", "points", 1000),
        ("whist", "master", "points", 250),
        ("pinochle2", "champion", "points", 250),
        ("pinochle2", "expert", "games", 250),
    ],
)
def test_a_pair_is_measured_on_so_many_deals_however_it_stands(game: str, level: str, unit: str, deals: int) -> None:
    for played in (0, 64, deals - 1):
        fresh = with_lead(played, 9.0, 0.1, game=game, level=level, unit=unit, fresh=True)
        assert (fresh.next_look, fresh.verdict) == (deals, "")
    assert not with_lead(deals, 0.0, 0.1, game=game, level=level, unit=unit, fresh=True).next_look


def test_no_deal_that_decides_is_measured_on() -> None:
    asked = LADDER["asked_deal"]
    deciding = {asked(pair(), number).deal for number in range(LOOKS[-1])}
    fresh = {asked(pair(fresh=True), number).deal for number in range(1000)}
    assert len(deciding) == LOOKS[-1] and len(fresh) == 1000 and not deciding & fresh


def test_a_pair_is_measured_when_it_is_decided_and_no_sooner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LADDER["main"].__globals__, "FRESH", 70)
    file, quick = tmp_path / "figures", QUICK[:-1]
    assert inside(monkeypatch, *QUICK, "--file", str(file)) == FINE
    (decided,) = in_file(file)
    assert inside(monkeypatch, *quick, "--file", str(file)) == FINE
    assert [(one["fresh"], one["deals"]) for one in in_file(file)] == [(False, 64), (True, 70)]
    assert in_file(file)[0] == decided
    wanted = [PAIR("thirty_one", "usual", "points", "novice", "carefree", (1, 1), fresh) for fresh in (False, True)]
    climbed = LADDER["Ladder"](None, wanted, 100.0)
    assert climbed.open_pairs() == wanted[:1]
    climbed.append(wanted[0], [Lead(1.0, (), 0.5)] * 60)
    assert [one.fresh for one in climbed.open_pairs()] == [False]
    climbed.append(climbed.pair(wanted[0]), [Lead(1.1, (), 0.5)] * 4)
    assert climbed.open_pairs() == wanted[1:]


@pytest.mark.parametrize(("each", "code"), [(-1.0, UNEXPECTED), (1.0, FINE)])
def test_hints_that_lose_to_who_does_not_ask_fail(
    each: float, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the end of all deals, and not before."""
    monkeypatch.setitem(LADDER["main"].__globals__, "FRESH", 70)
    monkeypatch.setitem(LADDER["WORK"], "hints", lambda asked: Lead(each + asked.deal % 2, (0.001,), 0.1))
    words = ("whist", "--hints", "--file", str(tmp_path / "figures"))
    assert inside(monkeypatch, *words) == code
    assert ("Hints are worse than none in Whist." in capsys.readouterr().err) == (code != FINE)
    (one,) = in_file(tmp_path / "figures")
    assert (one["unit"], one["level"], one["against"], one["deals"]) == ("hints", "expert", "expert", 70)
    climbed = LADDER["Ladder"](tmp_path / "figures", [])
    assert f"| 70 | {'fine' if code == FINE else 'worse than none'} | 7 |" in LADDER["section"](climbed)


def test_who_follows_hints_makes_the_same_of_a_deal_again() -> None:
    asked = MirroredDeal("spades", "usual", {}, "expert", "novice", 0)
    assert measure_hint_lead(asked).points == measure_hint_lead(asked).points
    state, seat = next(random_positions(GAMES["spades"], GAMES["spades"].options(), Random(1)))
    view = redact(state, eyes_of_viewer(seat))
    assert len({choose_as_hinted(GAMES["spades"], view, seat, "expert", Random(seed)) for seed in range(8)}) == 1


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_the_figures_are_the_same_wherever_they_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / name for name in ("one", "two", "cluster")]
    assert inside(monkeypatch, *QUICK, "--file", str(files[0])) == FINE
    assert ladder(*QUICK, "--file", str(files[1]), "--jobs", "2").returncode == FINE
    with dask_cluster(tmp_path) as cluster:
        cluster.worker()
        assert ladder(*QUICK, "--file", str(files[2]), "--cluster", cluster.address).returncode == FINE
    (alone,) = in_file(files[0])
    assert (alone["deals"], alone["editions"]) == (64, [1, 1]) and alone["wins"] + alone["losses"] <= 64
    assert in_file(files[1]) == in_file(files[2]) == [alone]


def test_a_ladder_that_was_killed_goes_on_and_has_the_figures_of_one_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    words = command(*QUICK, "--jobs", "1", "--minutes", "0", "--file", str(killed))
    with subprocess.Popen(words, env={"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr
        assert "after 1 deals" in running.stderr.readline()
        running.kill()
    (part,) = in_file(killed)
    assert 1 <= part["deals"] < 64
    assert inside(monkeypatch, *QUICK, "--json", "--file", str(killed)) == FINE
    assert inside(monkeypatch, *QUICK, "--file", str(whole)) == FINE
    assert in_file(killed) == in_file(whole)
    told = capsys.readouterr()
    assert timeless(json.loads(told.out.splitlines()[0])) == in_file(whole)[0]
    before = killed.read_bytes()
    assert inside(monkeypatch, *QUICK, "--file", str(killed)) == FINE
    assert killed.read_bytes() == before and capsys.readouterr().err == "", "what is decided is not played again"
    left = {one.name for one in tmp_path.iterdir() if one.name.startswith(".")}
    assert left <= {f".killed.{running.pid}"}, "what was being written when it was killed, and nothing else"


def test_a_new_edition_of_either_player_voids_what_a_pair_has_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, keep, kept = tmp_path / "figures", LADDER["keep"], LADDER["kept"]
    rows = [(game, "usual", "points", "novice", "carefree") for game in ("whist", "hearts")]
    pairs = [replace(LADDER["new_pair"](*row), fresh=fresh, deals=64) for row in rows for fresh in (False, True)]
    keep(file, {one.row: one for one in pairs})
    assert kept(file) == {one.row: one for one in pairs}
    for newer in ("novice", "carefree"):
        monkeypatch.setitem(
            kept.__globals__,
            "edition_of",
            lambda game, level, of=newer: edition_of(game, level) + (game == "whist" and level == of),
        )
        assert [one.game for one in kept(file).values()] == ["hearts", "hearts"]
        again = LADDER["new_pair"](*rows[0])
        assert LADDER["Ladder"](file, [again], 100.0).asked() == [again]


def test_what_another_run_has_kept_meanwhile_stays_and_no_deal_is_counted_twice(tmp_path: Path) -> None:
    file, lead = tmp_path / "figures", Lead(1.0, (0.001,), 0.1)
    wanted = [LADDER["new_pair"](game, "usual", "points", "novice", "carefree") for game in ("whist", "hearts")]
    one, other = [LADDER["Ladder"](file, wanted, 100.0) for _ in range(2)]
    one.append(wanted[0], [lead] * 3)
    other.append(wanted[1], [lead] * 5)
    assert {game["game"]: game["deals"] for game in in_file(file)} == {"whist": 3, "hearts": 5}
    assert other.append(wanted[0], [lead] * 7).deals == 3


def test_forgotten_is_what_is_asked_for_alone(tmp_path: Path) -> None:
    file, lead = tmp_path / "figures", Lead(1.0, (0.001,), 0.1)
    wanted = [LADDER["new_pair"](game, "usual", "points", "novice", "carefree") for game in ("whist", "hearts")]
    first = LADDER["Ladder"](file, wanted, 100.0)
    for one in wanted:
        first.append(one, [lead])
    anew = LADDER["Ladder"](file, wanted[:1], 100.0, anew=True)
    assert anew.asked() == wanted[:1] and [one["game"] for one in in_file(file)] == ["hearts"]


# --- how far a game goes ----------------------------------------------------------------------------------------------


def test_a_game_stops_at_its_cap_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures"
    assert inside(monkeypatch, *QUICK, "--cap", "0.01", "--file", str(file)) == FINE
    (found,) = in_file(file)
    assert 1 <= found["deals"] < 64
    assert "stopped at its game's cap of 0.01 s, " in capsys.readouterr().out
    assert inside(monkeypatch, *QUICK, "--cap", "0.01", "--file", str(file)) == FINE
    assert in_file(file) == [found]


def test_levels_of_a_game_share_its_cap_and_a_dear_one_has_what_the_cheap_ones_leave() -> None:
    levels = LADDER["LEVELS"]
    wanted = [pair(level=level) for level in levels[1:]]
    climbed = LADDER["Ladder"](None, wanted, 100.0)
    assert [round(climbed.share(one)) for one in wanted] == [20, 25, 33, 50, 100]
    climbed.append(wanted[0], [Lead(1.0, (), 0.5)] * 60 + [Lead(1.1, (), 0.5)] * 4)
    assert climbed.left(wanted[1]) == 68 and round(climbed.share(wanted[1])) == 17
    assert climbed.left(pair(game="hearts")) == 100


def test_a_merged_level_is_not_played_and_the_next_one_meets_the_level_below(monkeypatch: pytest.MonkeyPatch) -> None:
    def expert(game: str, level: str) -> str:
        return "expert" if (game, level) == ("whist", "champion") else level

    monkeypatch.setitem(LADDER["steps"].__globals__, "plays_as", expert)
    assert [tuple(step) for step in LADDER["steps"]("whist")] == [
        ("novice", "carefree", "novice"),
        ("standard", "novice", "standard"),
        ("expert", "standard", "expert"),
        ("champion", "expert", "expert"),
        ("master", "expert", "master"),
    ]
    climbed = LADDER["Ladder"](None, [], 100.0)
    champion = with_lead(256, 0.01, 0.02, level="champion")
    climbed.pairs[champion.row] = champion
    text = LADDER["section"](climbed)
    assert "| Whist | champion | | | | | plays as expert (+0.010 +- 0.020 points a hand when it did not) |" in text
    assert "| Whist | master | expert | | | | not played yet |" in text
    assert "| Hearts | champion | expert | | | | not played yet |" in text
    assert "\nNot played, as a level plays as a lower one: champion as expert in Whist.\n" in text
    assert "| Whist | champion |" not in LADDER["section"](LADDER["Ladder"](None, [], 100.0))


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_page_has_every_pair_and_keeps_the_rest(tmp_path: Path) -> None:
    page = tmp_path / "strength.md"
    page.write_text("# Players\n\nBefore.\n\n## The ladder\n\nstale\n\n## Others\n\nAfter.\n")
    climbed = LADDER["Ladder"](None, [])
    for one in (
        with_lead(64, 0.4, 0.1, ms=(1.25, 30.0), seconds=7.4),
        with_lead(1000, 0.11, 0.025, fresh=True, seconds=30.0),
        with_lead(512, 0.0, 0.02, level="champion"),
        with_lead(1024, 0.06, 0.02, level="master"),
        with_lead(249, 0.06, 0.02, level="master", fresh=True),
        with_lead(100, 0.21, 0.1, game="hearts", level="master", seconds=420.0),
        with_lead(100, 0.2, 0.1, game="hearts", level="expert"),
        with_lead(64, 9.0, 0.1, game="spades", level="expert"),
        with_lead(1000, 1.9, 1.0, game="spades", level="expert", fresh=True),
        with_lead(128, 0.9, 0.1, game="spades", level="champion"),
        with_lead(64, 0.12, 0.05, game="pinochle2", level="expert", unit="games"),
        with_lead(250, 0.10, 0.02, game="pinochle2", level="expert", unit="games", fresh=True),
    ):
        climbed.pairs[one.row] = one
    LADDER["write_page"](page, climbed)
    text = page.read_text()
    assert text.startswith("# Players\n\nBefore.\n\n## The ladder\n") and text.endswith("\n\n## Others\n\nAfter.\n")
    assert "stale" not in text and "+9.00" not in text
    assert "\nPassed and not measured yet, by the deals that decided: Spades champion 128.\n" in text
    assert "| Spades | champion |" not in text
    for line in (
        "| Whist | expert | standard | +0.110 +- 0.025 points a hand | 4.4 | 1,000 | passed | 64 | 1.25, 30 | 37 |",
        "| Whist | champion | expert | not measured yet | | 0 of 1,000 | missed: below the least step of 0.06 | 512 |",
        "| Whist | master | champion | not measured yet | | 249 of 250 | missed: not passed in 1,024 deals | 1,024 |",
        "| Hearts | master | champion | not measured yet | | 0 of 1,000 "
        "| stopped at its game's cap of 420 s, 2.1 errors | 100 |",
        "| Spades | expert | standard | +1.90 +- 1.00 points a hand | 1.9 | 1,000 | passed, not clear since | 64 |",
        "| Two-handed Pinochle, whole games | expert | standard | 60.0 % +- 2.0 of the games; aim 62 %, "
        "below by 1.0 errors | 5.0 | 250 | under way | 64 |",
    ):
        assert line in text


# --- what is played ---------------------------------------------------------------------------------------------------


def test_in_oh_hell_every_number_of_cards_has_its_turn() -> None:
    changes = [LADDER["changes_of"]("oh_hell", "real-deal", deal) for deal in range(26)]
    assert [one["start_cards"] for one in changes] == 2 * list(range(1, 14))
    assert LADDER["changes_of"]("whist", "real-deal", 3) == {}
    for number, one in enumerate(changes[:13], start=1):
        _, times = play_deal(MirroredDeal("oh_hell", "real-deal", one, "novice", "carefree", 0))
        assert 4 <= len(times) <= 2 * 2 * (1 + number), "bids, and cards where there was a choice"


def test_whole_games_are_played_twice_and_a_player_is_no_better_than_itself() -> None:
    for deal in range(2):
        lead = measure_game_lead(MirroredDeal("thirty_one", "usual", {}, "novice", "novice", deal))
        assert lead.points == 0 and lead.times
    assert measure_game_lead(MirroredDeal("pinochle2", "usual", {}, "novice", "carefree", 0)).points == 0.5


def test_in_the_same_positions_a_novice_chooses_better_than_lots_and_no_better_than_itself() -> None:
    assert measure_choice_lead(MirroredDeal("cribbage", "usual", {}, "novice", "novice", 0)).points == 0
    leads = [
        measure_choice_lead(MirroredDeal("cribbage", "usual", {}, "novice", "carefree", deal)) for deal in range(2)
    ]
    assert all(lead.points > 0 and lead.times for lead in leads)


@pytest.mark.parametrize("key", GAMES)
def test_a_novice_is_ahead_of_carefree_by_three_standard_errors(key: str) -> None:
    """The part of the ladder that takes seconds."""
    wanted = LADDER["new_pair"](key, next(iter(GAMES[key].presets)), "points", "novice", "carefree")
    climbed = LADDER["Ladder"](None, [wanted], 1e6)
    trio.run(LADDER["climb"], ALONE, climbed, 5.0, lambda _pair: None)
    assert climbed.asked()[0].verdict == "passed"


REFUSED: list[tuple[list[str], str]] = [
    (["hearts", "--jobs", "0"], "--jobs takes 1 to 1000, not 0."),
    (["hearts", "--minutes", "-1"], "--minutes and --cap are 0 or more."),
    (["harts"], "There's no game 'harts'. Did you mean 'hearts'?"),
    (["hearts", "--preset", "real-del"], "Hearts has no preset 'real-del'. Did you mean 'real-deal'?"),
    (["hearts", "--level", "mister"], "There's no level 'mister'. Did you mean 'master'?"),
    (["hearts", "--against", "novic"], "There's no level 'novic'. Did you mean 'novice'?"),
    (["hearts", "--level", "carefree"], "Nothing is left to play: carefree is the lowest level."),
    (
        ["hearts", "--cluster", "here"],
        "--cluster takes the address of a Dask scheduler, such as tcp://example.org:8786, not 'here'.",
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
        monkeypatch.setattr(sys, "argv", ["ladder", *words, "--file", "/nowhere/at/all"])
        assert LADDER["main"]() == USAGE, words
        assert capsys.readouterr() == ("", sentence + "\n"), words
