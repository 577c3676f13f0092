"""Ratings move as the games went."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pcards.results.book import NEW, Rating, rate_game
from p2pcards.results.reading import read_result
from p2pcards.results.result import GameResult, SeatResult
from rigs.quick_logs import quick_game


def _game(points: tuple[int, ...], winners: set[int], partners: bool = False, low_wins: bool = False) -> GameResult:
    seats = tuple(
        [SeatResult("peer", f"p{at}", f"{at:064x}", "", score, 0, at in winners) for at, score in enumerate(points)]
    )
    sides = ((0, 2), (1, 3)) if partners else tuple([(at,) for at in range(len(points))])
    return replace(read_result(quick_game("whist", 1)), seats=seats, sides=sides, low_wins=low_wins)


def _new(_who: str) -> Rating:
    return NEW


def test_a_winner_goes_up_and_everybody_becomes_more_certain() -> None:
    after, seats = rate_game(_game((10, 4), {0}), _new)
    assert seats[0].mu > NEW.mu > seats[1].mu and seats[0].mu - NEW.mu == pytest.approx(NEW.mu - seats[1].mu)
    assert all(one.sigma < NEW.sigma and one.games == 1 for one in after.values())


def test_more_than_two_are_rated_by_their_places() -> None:
    _, seats = rate_game(_game((10, 30, 20, 5), {1}), _new)
    assert seats[1].mu > seats[2].mu > seats[0].mu > seats[3].mu
    _, seats = rate_game(_game((10, 30, 20, 5), {3}, low_wins=True), _new)
    assert seats[3].mu > seats[0].mu > seats[2].mu > seats[1].mu


def test_equal_points_are_one_place() -> None:
    _, seats = rate_game(_game((10, 5, 5), {0}), _new)
    assert seats[1].mu == pytest.approx(seats[2].mu)


def test_partners_share_what_they_win() -> None:
    _, seats = rate_game(_game((5, 7, 5, 7), {1, 3}, partners=True), _new)
    assert seats[1] == seats[3] and seats[0] == seats[2] and seats[1].mu > seats[0].mu


def test_who_surprises_moves_more() -> None:
    strong = Rating(35, 2, 40)
    held = {f"peer:{0:064x}": strong}
    expected = rate_game(_game((10, 4), {0}), lambda who: held.get(who, NEW))[1]
    surprise = rate_game(_game((4, 10), {1}), lambda who: held.get(who, NEW))[1]
    assert surprise[1].mu - NEW.mu > expected[0].mu - strong.mu > 0


def test_nobody_becomes_less_certain() -> None:
    held = {f"peer:{0:064x}": Rating(60, 1, 400), f"peer:{1:064x}": Rating(0, 1, 400)}
    _, seats = rate_game(_game((10, 4), {0}), lambda who: held[who])
    assert all(one.sigma <= 1 for one in seats)


def test_a_level_in_several_seats_has_one_rating() -> None:
    result = _game((10, 4, 3), {0})
    seats = (result.seats[0], *[replace(seat, kind="computer", level="expert") for seat in result.seats[1:]])
    after, of_seats = rate_game(replace(result, seats=seats), _new)
    assert set(after) == {seats[0].who, "level:expert"}
    assert of_seats[1] == of_seats[2] == after["level:expert"] and after["level:expert"].games == 1
