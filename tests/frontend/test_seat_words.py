"""The words about the player in a seat."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.frontend.words import lines_about_seat, parse_line
from p2pcards.views.tableview import PersonView, SeatView, TableView

SAM = SeatView(1, "Slick Sam", "Slick Sam", "novice", "computer", 0, 0)
ANN = SeatView(0, "Ann", "", "", "person", 0, 0)


def view(phase: str, **changes: object) -> TableView:
    return TableView("coordinator", phase, game="whist", seats=(ANN, SAM), me=1, **changes)  # type: ignore[arg-type]


def test_a_computer_player_gets_another_level_between_games() -> None:
    found = lines_about_seat(view("over"), SAM)
    assert found[:2] == ["computer 2 sam:carefree", "computer 2 sam:novice"]
    assert found[-1] == "mute Slick Sam" and len(found) == 7
    assert not [line for line in lines_about_seat(view("play"), SAM) if line.startswith("computer")]


def test_of_a_person_words_are_compared_while_they_are_here() -> None:
    here = PersonView("Ann", "", "here", "", seat=0)
    assert lines_about_seat(view("play", people=(here,)), ANN) == ["mute Ann", "words Ann"]
    away = PersonView("Ann", "", "away", "", seat=0)
    assert lines_about_seat(view("play", people=(away,)), ANN) == ["mute Ann", "redial Ann", "kick Ann"]


def test_where_games_are_counted_stands_the_way_to_all_of_them() -> None:
    assert lines_about_seat(view("play"), replace(SAM, games_won=2)) == ["mute Slick Sam", "swap 2", "history"]


def test_every_line_is_understood() -> None:
    for phase in ("play", "over"):
        for link in ("here", "away"):
            table = view(phase, people=(PersonView("Ann", "", link, "", seat=0),))
            for seat in (ANN, SAM):
                assert all(parse_line(line, table) for line in lines_about_seat(table, seat))
