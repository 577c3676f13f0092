"""Games among computer players: figures that can be repeated, and refusals in words."""

import json
import os
import re
import sys
import time
from itertools import count
from typing import Any

import pytest

from p2pcards.cli.command import INTERRUPTED, Failure
from p2pcards.cli.simulate import NotWhole, figures_table, simulate, simulation
from p2pcards.cli.spreading import run_with_crew
from p2pcards.control.exits import UNEXPECTED
from p2pcards.daemon.crew import Crew, spread
from p2pcards.games.registry import GAMES
from rigs.giving_up import longest_wait
from rigs.program import AtTerminal, Program


def figures(key: str, levels: str | None = None, games: int = 4, **other: Any) -> dict[str, Any]:
    """What `simulation` gives; every look at the clock takes a millisecond."""
    ticks = count()
    wanted: dict[str, Any] = {"preset": "", "changes": (), "seed": 1, "rotate": False, "max_hands": 500}
    wanted |= {"clock": lambda: next(ticks) / 1000} | other
    return simulation(key, levels=levels.split(",") if levels else None, games=games, **wanted)


@pytest.mark.parametrize("key", GAMES)
def test_the_figures_have_these_names_and_add_up_and_one_seed_gives_one_result(key: str) -> None:
    found = figures(key, games=2, seed=5)
    assert figures(key, games=2, seed=5) == found
    assert figures(key, games=2, seed=6)["mean_scores"] != found["mean_scores"]
    expected = "game preset players games unfinished seed wins mean_scores decisions us_per_decision"
    assert list(found) == expected.split()
    game = GAMES[key]
    preset = next(iter(game.presets))
    seats = game.seats(game.presets[preset])
    assert found["game"] == key and found["preset"] == preset
    assert found["players"] == ["novice"] * seats
    assert found["unfinished"] == 0
    assert sum(found["wins"]) >= found["games"] == 2  # a win that is shared counts for each
    assert len(found["mean_scores"]) == seats
    assert found["us_per_decision"] == 1000


def test_a_game_past_the_last_hand_is_unfinished_and_won_by_nobody() -> None:
    found = figures("hearts", max_hands=1)
    assert found["unfinished"] == 4
    assert found["wins"] == [0] * 4
    assert found["decisions"] == 4 * (4 + 52)


def test_presets_and_changes_make_the_rules() -> None:
    found = figures("crazy_eights", preset="telecards", changes=["winning_score=1"])
    assert found["preset"] == "telecards" and found["set"] == {"winning_score": "1"}
    assert len(found["wins"]) == 2
    assert figures("crazy_eights", preset="telecards")["decisions"] > found["decisions"]
    assert len(figures("crazy_eights", changes=["players=3"])["wins"]) == 3


def test_rotated_figures_go_by_player() -> None:
    levels = "carefree,carefree,novice,carefree"
    found = figures("hearts", levels, games=12, rotate=True)
    assert found["wins"].index(max(found["wins"])) == 2
    assert found["margin"] < 0 and found["margin_in_standard_errors"] < 0


def test_progress_is_told_at_the_beginning_and_after_every_game() -> None:
    told: list[tuple[int, int]] = []
    figures("crazy_eights", games=3, progress=lambda played, wanted: told.append((played, wanted)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def margin(key: str, preset: str, levels: str | None, games: int, seed: int = 1) -> float:
    found = figures(key, levels, games, preset=preset, rotate=True, seed=seed)
    assert found["unfinished"] == 0
    return float(found["margin_in_standard_errors"])


def novice_against_carefree(key: str, preset: str) -> str:
    """The levels of one novice and carefree players; of a side of novices where partners win together."""
    wins = figures(key, games=3, preset=preset)["wins"]
    if sum(wins) == 2 * 3:
        return "novice,carefree,novice,carefree"
    return ",".join(["novice"] + ["carefree"] * (len(wins) - 1))


PRESETS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]


def some(of: slice) -> list[Any]:
    """All presets of all games, those outside of this part for the slow run."""
    usual = PRESETS[of]
    return [pytest.param(*one, marks=[] if one in usual else pytest.mark.slow) for one in PRESETS]


@pytest.mark.parametrize(("key", "preset"), some(slice(1, None, 8)))
def test_a_novice_beats_carefree_players(key: str, preset: str) -> None:
    """tests/cli/test_ladder.py has every game by its first preset, and each deal twice, with the seats exchanged."""
    assert margin(key, preset, novice_against_carefree(key, preset), 12) >= 3


@pytest.mark.parametrize(("key", "preset"), some(slice(1, None, 6)))
def test_novices_are_alike(key: str, preset: str) -> None:
    chance = 2  # with seed 1 one novice at cribbage wins 11 games of 12 by luck; of 1600 over forty seeds it wins 788
    assert abs(margin(key, preset, None, 12, chance)) < 3


@pytest.mark.slow
@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_over_many_games_a_novice_beats_carefree_players_and_novices_are_alike(key: str, preset: str) -> None:
    games = 1000 if key == "crazy_eights" else 400
    assert margin(key, preset, novice_against_carefree(key, preset), games) >= 10
    assert abs(margin(key, preset, None, games)) < 3


def test_a_margin_without_spread_is_still_a_number() -> None:
    found = figures("hearts", games=1, rotate=True)
    assert abs(found["margin_in_standard_errors"]) < 2
    assert figures("hearts", games=2, max_hands=1, rotate=True)["margin_in_standard_errors"] == 0


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_prints_one_line_of_json(inside: Program) -> None:
    result = inside(
        "simulate", "crazy_eights", "--players", "novice,carefree,carefree,carefree", "--games", "3", "--json"
    )
    assert result.returncode == 0 and result.stderr == ""
    found = json.loads(result.stdout)
    assert found["players"] == ["novice", "carefree", "carefree", "carefree"]
    assert found["us_per_decision"] > 0
    assert result.stdout.count("\n") == 1


def test_the_command_prints_a_table(inside: Program) -> None:
    result = inside("simulate", "hearts", "--games", "2", "--rotate", "--set", "end_score=30", "--max-hands", "1")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "hearts (usual, end_score=30), 2 games, seed 1"
    assert lines[2] == "player  level        wins  mean score"
    assert [line.split()[:2] for line in lines[3:7]] == [[str(player), "novice"] for player in (1, 2, 3, 4)]
    assert lines[-2].startswith("unfinished: ")
    assert lines[-1].startswith("Out of 100 games, player 1 won ")


def test_the_table_is_drawn_from_the_figures() -> None:
    given = {
        "game": "hearts", "preset": "real-deal", "players": ["novice", "carefree"], "games": 4, "unfinished": 0,
        "seed": 9, "wins": [3, 1], "mean_scores": [7.25, 80.0], "decisions": 100, "us_per_decision": 12.5,
        "margin": -0.5, "margin_in_standard_errors": -1.25,
    }  # fmt: skip
    assert figures_table(given).splitlines() == [
        "hearts (real-deal), 4 games, seed 9",
        "",
        "player  level        wins  mean score",
        "1       novice          3         7.2",
        "2       carefree        1        80.0",
        "",
        "100 decisions, 12.5 us each",
        "Out of 100 games, player 1 won 50.0 fewer than the others on average (1.2 standard errors).",
    ]


def test_a_terminal_sees_a_bar_that_grows_and_then_only_the_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    simulate("crazy_eights", games=4, max_hands=1, as_json=True)
    out, err = capsys.readouterr()
    assert json.loads(out)["games"] == 4
    assert err.split("\r\033[K") == [
        "",
        "[                    ] 0 of 4 games",
        "[#####               ] 1 of 4 games",
        "[##########          ] 2 of 4 games",
        "[###############     ] 3 of 4 games",
        "",
    ]


def test_a_level_is_named_in_any_case(inside: Program) -> None:
    result = inside(
        "simulate", "crazy_eights", "--players", "Novice,carefree,novice,CAREFREE", "--games", "1", "--json"
    )
    assert result.returncode == 0
    assert json.loads(result.stdout)["players"] == ["novice", "carefree", "novice", "carefree"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["harts"], "There's no game 'harts'. Did you mean 'hearts'?"),
        (["hearts", "--preset", "hearts-delux"], "Hearts has no preset 'hearts-delux'. Did you mean 'hearts-deluxe'?"),
        (["hearts", "--set", "end_scor=50"], "There's no option 'end_scor' here. Did you mean 'end_score'?"),
        (["hearts", "--set", "end_score=5"], "end_score must be a number from 25 to 10000, not 5."),
        (["hearts", "--set", "end_score"], "--set needs KEY=VALUE, such as end_score=50, not 'end_score'."),
        (["hearts", "--players", "novic"], "There's no level 'novic'. Did you mean 'novice'?"),
        (
            ["hearts", "--players", "novice"],
            "This game takes 4 players, but --players has 1. Name a level for each, such as "
            "novice,carefree,carefree,carefree.",
        ),
        (
            ["crazy_eights", "--preset", "telecards", "--players", "novice,novice,novice"],
            "This game takes 2 players, but --players has 3. Name a level for each, such as novice,carefree.",
        ),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_one_sentence(inside: Program, words: list[str], sentence: str) -> None:
    result = inside("simulate", *words)
    assert result.returncode == 2
    assert (result.stdout, result.stderr) == ("", sentence + "\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--games", "0"], "'--games': 0 is not in the range 1<=x<=10000000."),
        (["--jobs", "0"], "'--jobs': 0 is not in the range 1<=x<=1000."),
    ],
)
def test_as_few_games_or_jobs_as_none_are_refused(inside: Program, words: list[str], sentence: str) -> None:
    code, said = inside.refused("simulate", "hearts", *words)
    assert code == 2 and sentence in said


def test_what_is_wrong_with_the_players_is_a_failure() -> None:
    with pytest.raises(Failure):
        figures("hearts", "novice")


# --- many processes ---------------------------------------------------------------------------------------------------


def without_time(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key != "us_per_decision"}


SEARCHING = "standard,novice,novice,novice"


@pytest.mark.parametrize(
    ("key", "levels", "games", "max_hands", "jobs"),
    [
        ("hearts", None, 25, 1, 2),
        ("thirty_one", SEARCHING, 3, 1, 3),
        pytest.param("hearts", None, 25, 500, 3, marks=pytest.mark.slow),
        pytest.param("thirty_one", SEARCHING, 3, 500, 2, marks=pytest.mark.slow),
    ],
)
def test_any_number_of_processes_gives_the_same_figures(
    key: str, levels: str | None, games: int, max_hands: int, jobs: int
) -> None:
    how = {"rotate": True, "max_hands": max_hands, "clock": time.perf_counter}
    one, several = [figures(key, levels, games, jobs=number, **how) for number in (1, jobs)]
    assert without_time(one) == without_time(several)
    assert several["us_per_decision"] > 0


def test_what_was_played_until_ctrl_c_is_counted_and_nothing_goes_on(program: Program) -> None:
    program = program.by_python()
    with AtTerminal(program, "simulate", "crazy_eights", "--games", "100000", "--jobs", "2") as terminal:
        terminal.until(r"\] [1-9]\d* of 100000 games")
        assert terminal.end("\x03") == INTERRUPTED
        assert re.search(r"crazy_eights \(usual\), [1-9]\d* of 100000 games, seed 1", terminal.text)
    end = time.monotonic() + longest_wait()
    while left := program.processes():
        assert time.monotonic() < end, left
        time.sleep(0.05)


def test_what_was_played_when_something_failed_is_counted() -> None:
    def fail(played: int, wanted: int) -> None:
        if played == 2:
            raise Failure("The power is off.", 3)

    with pytest.raises(NotWhole) as cut:
        figures("crazy_eights", games=5, progress=fail)
    assert isinstance(cut.value.why, Failure)
    two = figures("crazy_eights", games=2)
    assert cut.value.figures == {**two, "wanted": 5}
    assert figures_table(cut.value.figures).startswith("crazy_eights (usual), 2 of 5 games, seed 1\n")


def test_processes_that_die_are_a_sentence_and_an_exit_code() -> None:
    async def die(crew: Crew) -> None:
        await spread(crew, os._exit, [(1,)], lambda number, answer: None)

    with pytest.raises(Failure, match="3 processes died on the same task") as failed:
        run_with_crew(die, 2)
    assert failed.value.code == UNEXPECTED
