"""Hands that are played to win the game: what they do for the chance of each side."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.race import SURE, Series, ToGoal, ToLimit, chance_to_win_race
from p2pcards.games.oh_hell.rules import number_of_deals
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import spell_action
from p2pcards.games.telling import Skill, Way
from p2pcards.games.thirty_one.seen import odds_to_win
from p2pcards.players.search import READERS, rate_choices
from rigs.followed import Standing, follow_hands
from rigs.judged import Judged

SKILL = Skill(Way.SEARCH, 400)
RACES = (
    "auction_pitch",
    "crazy_eights",
    "cribbage",
    "euchre",
    "hearts",
    "oh_hell",
    "pinochle",
    "pinochle_bid",
    "rummy_500",
    "spades",
    "whist",
)
"""The games whose hands are played to a goal, or to the end of a series, as `race` has it."""
PRESETS = [(key, preset) for key in RACES for preset in GAMES[key].presets]


def near_the_end(key: str, options: Any) -> Standing:
    """Scores from which a hand or two may end the game."""
    game = GAMES[key]
    seats = game.seats(options)
    sides = game.sides(options) or tuple([(seat,) for seat in range(seats)])
    goal = int(getattr(options, GOALS.get(key, "winning_score"), 100))

    def standing(rng: Random) -> Mapping[str, Any]:
        by_side = [rng.randrange(goal * 6 // 10, goal) for _ in sides]
        scores = tuple([next(by_side[i] for i, side in enumerate(sides) if seat in side) for seat in range(seats)])
        return {"scores": scores} | ({"hand": number_of_deals(options) - 2} if key == "oh_hell" else {})

    return standing


GOALS = {"hearts": "end_score", "pinochle_bid": "game_limit", "oh_hell": "none"}


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_a_game_is_won_with_the_hands_with_which_the_rules_end_it(key: str, preset: str) -> None:
    options = GAMES[key].presets[preset]
    assert follow_hands(GAMES[key], options, Random(3), 400, near_the_end(key, options)) > 0


scores = st.lists(st.integers(-50, 95), min_size=2, max_size=4)


@given(scores, st.integers(100, 3_000))
def test_the_chances_of_all_are_a_whole_and_the_higher_score_has_the_better(totals: list[int], skew: int) -> None:
    for race in (ToGoal(totals, 100, skew), ToLimit(totals, -60, skew), Series(totals, 3, 10, skew)):
        chances = [race.chance_at(totals, side) for side in range(len(totals))]
        assert SURE - len(totals) <= sum(chances) <= SURE
        for (low, less), (high, more) in pairwise(sorted(zip(totals, chances, strict=True))):
            assert less <= more and (low != high or less == more)


@given(st.integers(1, 99), st.integers(1, 99), st.integers(100, 3_000))
def test_of_two_the_chance_is_that_of_two_handed_pinochle(mine: int, theirs: int, skew: int) -> None:
    race = ToGoal([100 - mine, 100 - theirs], 100, skew)
    assert race.chance_at(race.scores, 0) == pytest.approx(chance_to_win_race(mine, theirs, skew), abs=SURE // 500)


@pytest.mark.parametrize(
    ("totals", "chances"),
    [
        ([100, 99], [1, 0]),
        ([104, 107], [0, 1]),
        ([104, 104], [1 / 2, 1 / 2]),
        ([104, 104, 3, 4], [1 / 2, 1 / 2, 0, 0]),
    ],
)
def test_of_several_at_the_goal_the_best_has_won_and_nobody_while_they_are_level(
    totals: list[int], chances: list[float]
) -> None:
    race = ToGoal(totals, 100, 1_000)
    assert [race.chance_at(totals, side) / SURE for side in range(len(totals))] == pytest.approx(chances, abs=0.02)


def test_who_is_level_at_the_end_shares_the_win() -> None:
    lost = ToLimit([-60, -90, -40, -40], -100, 500)
    assert [lost.race_merit([0, -10, 0, 0], seat) for seat in range(4)] == [
        0,
        0,
        SURE // 2,
        SURE // 2,
    ]
    last = Series([50, 60, 50], 0, 13, 300)
    assert [last.chance_at(last.totals_after([10, 0, 0]), seat) for seat in range(3)] == [SURE // 2, SURE // 2, 0]


def test_a_total_that_becomes_nothing_does_not_end_the_game() -> None:
    race = ToLimit([-90, -20, -20, -20], -100, 500, resets=-100)
    assert race.totals_after([-10, 0, 0, 0])[0] == 0 and race.points_left(race.totals_after([-10, 0, 0, 0])) > 0
    assert race.points_left(race.totals_after([-11, 0, 0, 0])) == 0


@pytest.mark.parametrize(("goal", "skew", "points"), [(5, 1_400, 2), (500, 300, 60), (100, 270, 15), (1_000, 180, 200)])
def test_at_the_start_of_a_game_points_count_evenly(goal: int, skew: int, points: int) -> None:
    """Twice as many points are worth nearly twice as much, and of as many lost as much is taken off."""
    race = ToGoal([0, 0], goal, skew)
    start, once, twice, lost = [race.race_merit([won, 0], 0) for won in (0, points, 2 * points, -points)]
    assert twice - start == pytest.approx(2 * (once - start), rel=0.25)
    assert start - lost == pytest.approx(once - start, rel=0.25)


def test_where_the_game_is_as_good_as_lost_a_point_still_counts() -> None:
    race = ToGoal([0, 495], 500, 300)
    assert race.race_merit([10, 0], 0) > race.race_merit([0, 0], 0) > race.race_merit([0, 10], 0)


def test_a_game_that_is_won_or_lost_is_so_by_whatever_points() -> None:
    race = ToGoal([4, 3], 5, 1_400)
    assert race.race_merit([1, 0], 0) == race.race_merit([4, 0], 0) == SURE
    assert race.race_merit([0, 2], 0) == race.race_merit([0, 4], 0) == 0


def test_at_thirty_one_who_has_more_points_is_likelier_to_be_the_last() -> None:
    def chances(scores: tuple[int, ...], losers: int = 0) -> list[float]:
        return [odds_to_win(scores)[16 * seat + losers] / SURE for seat in range(4)]

    assert chances((3, 3, 3, 3)) == [1 / 4] * 4
    assert chances((0, 0, 0, 0), 0b1111) == [1 / 4] * 4, "who go out together share the game"
    assert chances((0, 0, -1, -1), 0b0001) == [0, 1, 0, 0]
    assert chances((1, 0, -1, -1)) == pytest.approx([3 / 4, 1 / 4, 0, 0], abs=1e-4)
    assert chances((2, 1, 1, 0), 0b0001) == chances((1, 1, 1, 0))
    mine, *others = chances((1, 0, 3, 2), 0b0010)
    assert others[0] == 0 and mine < others[2] < others[1]


def test_at_thirty_one_points_count_for_themselves_while_somebody_has_many() -> None:
    assert odds_to_win((9, 3, 3, 3)) == []


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "key",
    [
        "auction_pitch",
        "euchre",
        *[
            pytest.param(key, marks=pytest.mark.slow)
            for key in (
                "crazy_eights",
                "hearts",
                "oh_hell",
                "pinochle",
                "pinochle_bid",
                "rummy_500",
                "spades",
                "whist",
            )
        ],
    ],
)
def test_the_right_answer_near_the_end_of_a_game_is_none_for_points(key: str) -> None:
    positions = [one for one in import_module(f"players.judged.{key}").JUDGED if any(one.state.scores)]
    assert len(positions) >= 2
    for one in positions:
        view = redact(one.state, eyes_of_viewer(one.seat))
        assert found(key, view, one, racing=True) and not found(key, view, one, racing=False), one.reason


def found(key: str, view: Any, one: Judged, *, racing: bool) -> bool:
    """Whether most of three searches come to a right answer. racing: they play to win the game, else for points."""
    right = 0
    for seed in range(3):
        reading = READERS[key](view, one.seat)
        if not racing:
            reading.position.set_race(None)
        right += spell_action(rate_choices(reading, one.seat, SKILL, Random(seed))[0].action) in one.right
    return right > 1


def test_points_count_for_themselves_in_the_first_half_of_a_game() -> None:
    assert not ToGoal([20, 79], 100, 300).is_late() and ToGoal([21, 79], 100, 300).is_late()
    assert not ToLimit([-10, -49], -100, 300).is_late() and ToLimit([-10, -50], -100, 300).is_late()
    assert not Series([0, 0], 7, 13, 300).is_late() and Series([0, 0], 6, 13, 300).is_late()
