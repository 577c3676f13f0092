"""Levels that play as lower ones in a game: said wherever a level is chosen or listed outside a table."""

from __future__ import annotations

import json

import pytest

from p2pcards.frontend.guide_pages import page_markdown
from p2pcards.frontend.start import game_levels
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import PLAYERS, level_texts
from p2pcards.players import levels
from p2pcards.players.levels import LEVELS, plays_as, skill_of
from p2pcards.present.rules import games_lines, history_lines
from rigs.merged import merge
from rigs.program import Program

SENTENCE = "In crazy eights, a champion plays like an expert."


@pytest.fixture(autouse=True)
def _merged(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in GAMES:
        merge(monkeypatch, key, **{level: level for level in LEVELS})
    merge(monkeypatch, "crazy_eights", champion="expert")


def test_it_is_one_sentence_for_all_games_and_levels_that_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(PLAYERS) == set(LEVELS)
    games = [GAMES[key] for key in ("crazy_eights", "cribbage", "whist")]
    assert level_texts(games, ["champion", "champion", "expert"]) == [SENTENCE]
    merge(monkeypatch, "crazy_eights", master="expert", standard="novice")
    merge(monkeypatch, "cribbage", standard="novice")
    assert level_texts(games, LEVELS) == [
        "In crazy eights and cribbage, a standard player plays like a novice.",
        "In crazy eights, a champion and a master play like an expert.",
    ]
    assert level_texts(games, ["sage", "novice", ""]) == []


@pytest.mark.parametrize("key", GAMES)
def test_a_level_plays_as_a_lower_one_that_plays_as_itself(key: str) -> None:
    """As this program has it: and those between two levels that play alike do so too."""
    heights = [LEVELS.index(plays_as(key, level)) for level in LEVELS]
    assert heights == sorted(heights) and all(low <= own for own, low in enumerate(heights))
    assert all(plays_as(key, plays_as(key, level)) == plays_as(key, level) for level in LEVELS)
    assert all(skill_of(key, level) == skill_of(key, plays_as(key, level)) for level in LEVELS)


def test_the_lists_of_games_and_of_levels_say_it() -> None:
    assert SENTENCE in " ".join(" ".join(games_lines(GAMES)).split())
    assert SENTENCE in history_lines(GAMES["crazy_eights"])
    assert SENTENCE in page_markdown("about/crazy_eights", None)
    assert dict(game_levels("crazy_eights"))["champion"] == "champion, plays like an expert"
    assert dict(game_levels("hearts"))["champion"] == "champion"


def test_a_setting_a_simulation_and_a_session_apart_say_it(inside: Program) -> None:
    told = inside.out("config", "set", "opponents", "betty:Champion,wayne")
    assert any(line.startswith("In crazy eights") and line.endswith(SENTENCE[17:]) for line in told.splitlines())
    line = ("simulate", "crazy_eights", "--games", "1", "--max-hands", "1", "--players")
    assert SENTENCE in inside.out(*line, "novice,novice,novice,champion")
    assert SENTENCE not in inside.out(*line, "novice,novice,novice,novice")


def test_games_that_are_simulated_say_which_level_lacks_something_beside_their_figures(
    inside: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "lacking_reason", lambda game, level: f"{game} lacks it." if level == "novice" else "")
    done = inside("simulate", "thirty_one", "--games", "1", "--max-hands", "1", "--json")
    assert done.stderr == "thirty_one lacks it.\n" and json.loads(done.stdout)["games"] == 1
    done = inside("autoplay", "thirty_one", "--games", "1", "--json", "--level", "carefree", "--others", "novice")
    assert done.stderr == "thirty_one lacks it.\n" and json.loads(done.stdout)["finished"] == 1


def test_a_session_apart_says_it_once(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    merge(monkeypatch, "crazy_eights", standard="novice")
    told = inside.out("autoplay", "crazy_eights", "--level", "standard", "--games", "2", "--set", "winning_score=1")
    assert told.count("In crazy eights, a standard player plays like a novice.") == 1
