"""A sixteenth game without a line of the program changed: go fish (rigs/go_fish.py) stands in the tables of games and
of novices while these tests run, and must hold what the program claims for any game."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from making import book, option_vectors
from making.option_cases import fault, values_of
from making.playthroughs import playthrough
from p2pcards.cli.simulate import figures_table, simulation
from p2pcards.frontend.start import game_levels
from p2pcards.frontend.words import help_lines, parse_line
from p2pcards.games.game import IllegalAction, Seat, Stage
from p2pcards.games.registry import GAMES, find_game
from p2pcards.games.spelling import read_action, spell_action
from p2pcards.ledger.verify import verify_log
from p2pcards.present.cards import Style
from p2pcards.present.rules import games_lines, option_table_lines, rules_lines
from p2pcards.present.table import prompt_text, table_lines
from p2pcards.views.happenings import Notice
from p2pcards.views.tableview import Command
from p2pcards.wire.packing import decode_action, encode_action
from rigs.game_pages import page_faults
from rigs.go_fish import BOOKS, GAME, PRESETS, Action, Ask, Options, State
from rigs.laws import NOVICE, event_of, option_sets, put_laws, random_move
from rigs.net import Net, novices
from rigs.recorded import Table
from rigs.sixteenth import KEY, add_go_fish
from rigs.whole import check_whole

pytestmark = pytest.mark.no_cover  # none of the program's own games is played here

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ["games", "players", "wire", "ledger", "present", "cli/test_simulate.py", "cli/test_guide.py"]
"""The tests that take every game of the registry, those apart that ask for files."""
LONG_GAMES = (20, 1000)
"""Scores to win at, for which a script searches ten seconds and more until it has games that show them."""


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    add_go_fish(monkeypatch)


def played(options: Options, seed: int) -> Iterator[Any]:
    """The states of a game among novices in which somebody is to act."""
    rng, state = Random(seed), GAME.start(options, None)
    while state.stage != Stage.OVER:
        if state.stage == Stage.PLAY:
            yield state
        state = GAME.play(state, event_of(GAME, state, random_move(GAME, state, rng, NOVICE)))


def test_the_game_is_made_of_cards_and_kernels_alone() -> None:
    """It would pass the import contracts of p2pcards/games/."""
    tree = ast.parse((ROOT / "tests/rigs/go_fish.py").read_text())
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    others = {name for name in modules if not name.startswith(("p2pcards.cards.", "p2pcards.games."))}
    assert others == {"__future__", "collections.abc", "dataclasses"}


@pytest.mark.parametrize("moves", [80, pytest.param(200, marks=pytest.mark.slow)])
def test_the_laws_of_hidden_cards_hold_and_reach_everything(moves: int) -> None:
    sets = option_sets(GAME.options, Random(5), meeting=1)
    runs = [put_laws(GAME, options, moves) for options in (*PRESETS.values(), *sets)]
    for reached, there in (("actions", GAME.actions), ("refused", GAME.actions), ("events", GAME.events)):
        assert set().union(*[getattr(run, reached) for run in runs]) == set(there)
    for run in runs:
        for law in ("law 0", "law 1", "law 2", "law 3", "law 4", "law 5, legal", "law 5, not legal", "law 6"):
            assert run.checks[law] >= moves, f"{law} was put {run.checks[law]} times only"


def test_law_5_catches_an_action_that_is_legal_at_another_time_only() -> None:
    def verify(state: State, seat: Seat, action: Action) -> None:
        try:
            GAME.verify(state, seat, action)
        except IllegalAction as refused:
            if not isinstance(action, Ask) or action.book not in BOOKS or "lay it down first" not in str(refused):
                raise

    with pytest.raises(AssertionError, match="law 5"):
        put_laws(replace(GAME, verify=verify), PRESETS["standard"], 2_000)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_action_travels_and_is_read_back_as_it_was_spelled(preset: str) -> None:
    for state in played(PRESETS[preset], 2):
        (seat,) = state.to_act
        legal = GAME.legal(state, seat)
        assert len({spell_action(action) for action in legal}) == len(legal)
        for action in legal[:8]:
            assert decode_action(GAME, *encode_action(GAME, action)) == action
            assert read_action(GAME, state, seat, spell_action(action).split()) == action


def test_the_words_of_an_ask_may_be_few_and_in_any_order() -> None:
    state = next(played(PRESETS["standard"], 2))
    (seat,) = state.to_act
    player, card, *_ = spell_action(GAME.legal(state, seat)[0]).split()[1:]
    for words in ([card.lower(), player], ["ask", player, card], [player, card]):
        assert read_action(GAME, state, seat, words) == GAME.legal(state, seat)[0]


@pytest.mark.parametrize("drawn", [False, True])
def test_a_game_of_three_sides_is_proven_by_every_log(drawn: bool) -> None:
    table = Table(KEY, Options(winning_score=1), 3, drawn=drawn)
    while table.position.ended is None:
        table.step()
    for payloads in table.payloads:
        found = verify_log(payloads)
        assert found.finished and found.honest and found.unproven is None


def test_two_people_play_a_whole_game_by_what_the_line_mode_understands() -> None:
    net = Net(1, auto=None, player=novices)
    net.sit_down("players=2", "winning_score=1", game=KEY)
    net.run()
    rng = Random(4)
    while not net.view(0).winners:
        ((i, view),) = [(i, view) for i in (0, 1) if (view := net.view(i)).legal]
        words = rng.choice(view.legal)
        assert parse_line(words, view) == Command("act", tuple(words.split()))
        assert words.split()[0] in prompt_text(view) and words.split()[0] in " ".join(help_lines(view))
        assert table_lines(view, Style())[0].startswith("Go Fish (own rules), hand ")
        net.say(i, "act", *words.split())
        net.run()
    findings = check_whole(net)
    assert [found.finished for found in findings.values()] == [True, True]


# --- players, pages and scripts ---------------------------------------------------------------------------------------


def figures(**asked: Any) -> dict[str, Any]:
    ticks = count()
    wanted: dict[str, Any] = {"changes": (), "levels": None, "games": 12, "seed": 1, "rotate": True, "max_hands": 500}
    return simulation(KEY, **{**wanted, **asked}, clock=lambda: float(next(ticks)))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_novice_ends_its_games_and_beats_carefree_players(preset: str) -> None:
    levels = ["novice"] + ["carefree"] * (PRESETS[preset].players - 1)
    found = figures(preset=preset, levels=levels)
    assert found["unfinished"] == 0
    assert found["margin_in_standard_errors"] >= 3


def test_the_guide_tells_its_rules_and_options() -> None:
    assert find_game("Go-Fish".lower().replace("-", "_")) is GAME
    assert "Or three (as three)." in " ".join(games_lines(GAMES))
    assert rules_lines(GAME, {"players": 2}, "mine") and option_table_lines(GAME, {})


SENTENCE = "In Go Fish, players use rules of thumb at every level."


def test_a_game_without_search_says_so_where_a_level_is_chosen() -> None:
    net = Net(1, auto=None, player=novices)
    net.say(0, "game", KEY)
    net.say(0, "computer", "3", "betty:novice")
    net.say(0, "auto", "novice")
    assert SENTENCE not in str(net.told) + figures_table(figures(preset="standard"))
    net.say(0, "computer", "3", "betty:master")
    net.say(0, "auto", "expert")
    net.say(0, "start")
    said = [notice.text for notice in net.tales(0, Notice) if SENTENCE in notice.text]
    assert said == [f"Betty (master) plays in seat 3 if nobody sits there. {SENTENCE}"], "once at a table"
    assert SENTENCE in figures_table(figures(preset="standard", levels=["master"] * 4))
    assert dict(game_levels(KEY))["master"] == "master, plays by a novice's rules of thumb"
    assert dict(game_levels("whist"))["master"] == "master, the strongest"


@pytest.mark.parametrize("left_out", [LONG_GAMES, pytest.param((), marks=pytest.mark.slow)])
def test_the_scripts_write_its_pages(left_out: Sequence[int], monkeypatch: pytest.MonkeyPatch) -> None:
    page = book.files()[f"rules/{KEY}.md"]()
    assert page.startswith("# The rules of Go Fish\n")
    assert "| 2 | `players` | int | 2 to 4 | 4 | 3 | how many players there are |" in page
    kept = [value for value in (1, 20, 1000, False, True, 2, 3, 4) if value not in left_out]
    monkeypatch.setattr(option_vectors, "values_of", lambda option: [v for v in values_of(option) if v not in left_out])
    cases = list(option_vectors.cases(GAME))
    assert [case["value"] for case in cases[:-1]] == kept
    assert all(fault(GAME, Options(*case["options"]), case["steps"]) == "" for case in cases)
    for preset in PRESETS:
        lines = list(playthrough(GAME, preset))
        assert any(line.startswith("    faces        to 1: ") for line in lines)
        assert any("Sheet" in line for line in lines)


def test_the_page_of_the_protocol_lists_its_actions_and_events() -> None:
    page = (ROOT / "tests/rigs/go_fish.md").read_text(encoding="utf-8")
    assert page_faults(GAME, page) == []
    assert page_faults(GAME, page.replace("| 2 | Lay", "| 3 | Lay").replace("`rank`", "rank")) != []


# --- everything else --------------------------------------------------------------------------------------------------


FILES_OF_GAMES = ("test_playthroughs.py", "test_option_vectors.py", Path(__file__).name)


@pytest.mark.slow
def test_every_test_that_takes_a_game_passes_with_it() -> None:
    """A run of its own, in which go fish is registered before the tests are collected."""
    tests = [str(ROOT / "tests" / name) for name in OTHERS]
    left_out = [f"--ignore={ROOT / 'tests/games' / name}" for name in FILES_OF_GAMES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "rigs.sixteenth", "-p", "no:cacheprovider", "-k", KEY]
    paths = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "scripts")])
    run = subprocess.run(
        [*command, *left_out, *tests],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-5000:]
    passed = re.search(r"(\d+) passed", run.stdout)
    assert passed and int(passed[1]) > 50
