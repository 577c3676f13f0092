"""Which event a happening is, for whom."""

from __future__ import annotations

import pytest

from p2pcards.views.happenings import (
    RUNG,
    TABLE_EVENTS,
    Acted,
    GameWon,
    HandDealt,
    HandScored,
    Happening,
    Notice,
    PlayerBack,
    PlayerJoined,
    table_event,
)
from p2pcards.views.tableview import SheetView, TableView

NAMES = ("Ann", "Bob", "Cy")
ANN = TableView("listener", "play", me=0, game="spades")
WATCHER = TableView("listener", "play", game="spades")


def scored(*points: int) -> HandScored:
    return HandScored(NAMES, (), SheetView(1, ((),) * len(points), points, points))


@pytest.mark.parametrize(
    ("happening", "event"),
    [
        (PlayerJoined("Bob", "granny", ""), "joined"),
        (PlayerBack("Bob"), "joined"),
        (HandDealt(1, "Ann", ()), "shuffle"),
        (Acted("Bob", 1, "QS", "", False), "play"),
        (Acted("Ann", 0, "draw", "QS", True), "play"),
        (Acted("Bob", 1, "knock 4C", "", False), "knock"),
        (Acted("Bob", 1, "", "", False), "play"),
        (scored(5, 3, 3), "hand_won"),
        (scored(5, 5, 3), "hand_won"),
        (scored(3, 5, 3), "hand_lost"),
        (scored(3, 3, 3), ""),
        (GameWon(NAMES, (9, 1, 1), ("Ann", "Cy"), (), ""), "game_won"),
        (GameWon(NAMES, (1, 9, 1), ("Bob",), (), ""), "game_lost"),
        (Notice("It rains."), ""),
    ],
)
def test_what_happens_is_this_event(happening: Happening, event: str) -> None:
    assert table_event(happening, ANN) == event
    assert not event or event in TABLE_EVENTS


def test_in_hearts_the_fewest_points_win_a_hand() -> None:
    hearts = TableView("listener", "play", me=0, game="hearts")
    assert table_event(scored(5, 3, 3), hearts) == "hand_lost"
    assert table_event(scored(0, 13, 13), hearts) == "hand_won"


@pytest.mark.parametrize("happening", [scored(5, 3, 3), GameWon(NAMES, (9, 1, 1), ("Ann",), (), "")])
def test_who_has_no_seat_neither_wins_nor_loses(happening: Happening) -> None:
    assert table_event(happening, WATCHER) == ""


def test_the_bell_rings_at_events_that_there_are() -> None:
    assert set(RUNG) <= set(TABLE_EVENTS)
