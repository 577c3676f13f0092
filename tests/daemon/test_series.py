"""The number of a game among those of its table, and who has won how many."""

from __future__ import annotations

from p2pcards.daemon.runner import Series
from p2pcards.views.tableview import SeatView, TableView


def seat(number: int, name: str) -> SeatView:
    return SeatView(number, name, "granny", "novice", "computer", 0, 0)


def test_games_and_those_won_are_counted() -> None:
    view = TableView("coordinator", "play", seats=(seat(0, "Ann"), seat(1, "Bob")))
    series = Series(begun=False)
    assert series.shown(TableView("coordinator", "lobby")).number == 0
    for winners in (("Ann",), ("Ann", "Bob"), ()):
        series.begin_game()
        series.note_winners(winners)
    shown = series.shown(view)
    assert (shown.number, [one.games_won for one in shown.seats]) == (3, [2, 1])
    assert Series(begun=True).shown(view).number == 1, "a game that was resumed is the first here"


def test_a_game_that_goes_on_in_another_log_is_the_same_game() -> None:
    view = TableView("coordinator", "play", seats=(seat(0, "Ann"), seat(1, "Bob")))
    series, joined = Series(begun=False), Series(begun=False)
    for one in (series, series, joined):
        one.begin_game()
    for one in (series, joined):
        one.uncount_game()
    assert [one.shown(view).number for one in (series, joined)] == [1, 1], "who only watched has it as their first"


def test_a_log_in_place_of_one_that_continued_a_game_is_the_same_game_too() -> None:
    view = TableView("coordinator", "play", seats=(seat(0, "Ann"), seat(1, "Bob")))
    series = Series(begun=False)
    for continues in (False, False, True, True):
        series.begin_game()
        if continues:
            series.uncount_game()
            series.give_up()  # as its first hand could not be dealt
    assert series.shown(view).number == 2


def test_what_is_dealt_in_place_of_a_game_that_was_ended_has_its_number() -> None:
    view = TableView("coordinator", "play", seats=(seat(0, "Ann"), seat(1, "Bob")))
    series, numbers = Series(begun=False), []
    for ended in (False, True, True, False, False):
        series.begin_game()
        numbers.append(series.shown(view).number)
        if ended:
            series.give_up()
    assert numbers == [1, 2, 2, 2, 3]
