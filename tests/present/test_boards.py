"""Cribbage boards: a peg stands where its score says, in all three shapes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from p2pcards.games.cribbage.board import TRACKS, cribbage_board, hole_of_score
from p2pcards.present.cards import Style
from p2pcards.present.score import board_lines, score_lines
from p2pcards.present.width import COLUMNS
from p2pcards.views.tableview import SeatView, TableView

BOARDS = tuple(TRACKS)


def where(lines: Sequence[str], peg: str) -> list[tuple[int, int]]:
    return [(y, x) for y, line in enumerate(lines) for x, char in enumerate(line) if char == peg]


@pytest.mark.parametrize(
    ("target", "score", "number"),
    [(121, 0, 0), (121, 1, 1), (121, 60, 60), (121, 61, 1), (121, 120, 60), (121, 121, 61), (61, 60, 60), (61, 61, 61)],
)
def test_the_game_hole_is_passed_over_the_first_time_round(target: int, score: int, number: int) -> None:
    assert hole_of_score(target, score) == number


@pytest.mark.parametrize(("target", "score"), [(121, 122), (61, 62), (121, -1), (100, 5), (122, 5)])
def test_a_score_that_cannot_be_is_refused(target: int, score: int) -> None:
    with pytest.raises(ValueError, match="games go to 61 or 121"):
        hole_of_score(target, score)


def test_a_board_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="there are standard, racetrack, s_shape"):
        cribbage_board("round", 121, (0, 0))


@pytest.mark.parametrize("target", [61, 121])
@pytest.mark.parametrize("board", BOARDS)
def test_every_score_has_its_hole(board: str, target: int) -> None:
    empty = cribbage_board(board, target, (0, 0))
    assert sum(line.count(".") for line in empty) == 2 * 61
    assert max(map(len, empty)) <= COLUMNS and len(empty) <= 9
    seen: dict[str, list[tuple[int, int]]] = {"A": [], "B": []}
    for score in range(1, target + 1):
        lines = cribbage_board(board, target, (score, score))
        for peg, places in seen.items():
            (place,) = where(lines, peg)
            assert empty[place[0]][place[1]] == "."
            places.append(place)
    for places in seen.values():
        assert len(set(places)) == 61
        assert places[:60] == places[60:120] or target == 61
    assert not set(seen["A"]) & set(seen["B"])


@pytest.mark.parametrize("board", BOARDS)
def test_the_next_hole_is_beside_the_last(board: str) -> None:
    places = [where(cribbage_board(board, 61, (score, 0)), "A")[0] for score in range(1, 61)]
    steps = [abs(y - b) * 3 + abs(x - a) for (b, a), (y, x) in pairwise(places)]
    assert max(steps) <= 6


@pytest.mark.parametrize("board", BOARDS)
def test_the_pegs_leapfrog(board: str) -> None:
    lines = cribbage_board(board, 121, (34, 21), (30, 19))
    assert {peg: where(lines, peg) for peg in "ab"} == {
        "a": where(cribbage_board(board, 121, (30, 0)), "A"),
        "b": where(cribbage_board(board, 121, (0, 19)), "B"),
    }
    assert not where(cribbage_board(board, 121, (2, 0), (0, None)), "a")  # it has not left the start


def test_the_standard_board() -> None:
    assert cribbage_board("standard", 121, (34, 121), (30, 115)) == [
        "    ..... ..... ..... ..... ..... ....a",
        ".   ..... ..... ..... ..... ..... .A...",
        "",
        "B   ..... b.... ..... ..... ..... .....",
        "    ..... ..... ..... ..... ..... .....",
    ]


def test_the_61st_point_on_the_racetrack_lands_past_the_finish_hole() -> None:
    first, finish = cribbage_board("racetrack", 121, (61, 0)), cribbage_board("racetrack", 61, (61, 0))
    assert (where(first, "A"), where(finish, "A")) == ([(0, 3)], [(0, 0)])
    assert where(cribbage_board("racetrack", 121, (60, 0)), "A") == [(1, 0)]


def table(scores: tuple[int, int], game: str = "cribbage", rear: tuple[int, ...] = ()) -> TableView:
    seats = tuple(
        SeatView(seat, name, "granny", "novice", "person", score, 4)
        for seat, (name, score) in enumerate(zip(("Ann", "Bob"), scores, strict=True))
    )
    options = (("winning_score", "121"), ("board", "s_shape"), ("counting", "auto"), ("first_dealer", "random"))
    return TableView("listener", "play", game=game, options=options, seats=seats, rear=rear)


def test_the_scores_of_a_table_are_shown_on_its_board() -> None:
    lines = board_lines(table((70, 0)))
    assert lines[:-1] == cribbage_board("s_shape", 121, (70, 0))
    assert lines[-1] == "A Ann: 70, second time around. B Bob: 0, at the start."
    assert board_lines(table((121, 3)))[-1] == "A Ann: 121, in the game hole. B Bob: 3."
    assert score_lines(table((70, 0)), Style(ascii=True))[2:] == lines
    assert not board_lines(table((70, 0), "gin_rummy"))


def test_both_pegs_of_each_player_are_on_the_board_of_a_table() -> None:
    lines = board_lines(table((70, 12), rear=(64, 0)))
    assert lines[:-1] == cribbage_board("s_shape", 121, (70, 12), (64, None))
    assert [len(where(lines[:-1], peg)) for peg in "AaBb"] == [1, 1, 1, 0], "one has not left the start"
