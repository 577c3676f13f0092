"""What the characters say, and when."""

from __future__ import annotations

import pytest

from p2pcards.players.characters import CHARACTERS
from p2pcards.present.sayings import Sayings
from p2pcards.views.happenings import (
    GameStarted,
    GameWon,
    HandDealt,
    HandScored,
    Happening,
    Notice,
    PlayerJoined,
    PlayerLeft,
    SeatTakenOver,
    TrickTaken,
)
from p2pcards.views.tableview import PersonView, SeatView, SheetView, TableView

NAMES = ("Ann", "Bob", "Wacky Wayne", "Slick Sam")
SEATS = tuple(
    SeatView(seat, name, character, "novice", plays, 0, 13)
    for seat, (name, character, plays) in enumerate(
        [
            ("Ann", "Luan Lee", "you"),
            ("Bob", "Granny Mildred", "person"),
            ("Wacky Wayne", "Wacky Wayne", "computer"),
            ("Slick Sam", "Slick Sam", "computer"),
        ]
    )
)
PEOPLE = (PersonView("Ann", "Luan Lee", "you", "", 0), PersonView("Bob", "Granny Mildred", "here", "", 1))
SPADES = TableView("coordinator", "play", PEOPLE, me=0, game="spades", seats=SEATS)
HEARTS = TableView("coordinator", "play", PEOPLE, me=0, game="hearts", seats=SEATS)
GRANNY, WAYNE, SAM = CHARACTERS["granny"], CHARACTERS["wayne"], CHARACTERS["sam"]


def heard(*happenings: Happening, view: TableView = SPADES) -> list[str]:
    sayings = Sayings()
    return [line for happening in happenings for line in sayings.heard(happening, view)]


def scored(*points: int) -> HandScored:
    return HandScored(NAMES, (), SheetView(1, ((),) * len(points), points, points))


def test_each_character_greets_once() -> None:
    joined = PlayerJoined("Bob", "Granny Mildred", "")
    started = GameStarted("Spades", NAMES)
    assert heard(joined, started, joined, started) == [
        f'Granny Mildred (Bob): "{GRANNY.greeting}"',
        f'Wacky Wayne: "{WAYNE.greeting}"',
        f'Slick Sam: "{SAM.greeting}"',
    ]


def test_one_is_glad_of_a_trick_in_each_hand() -> None:
    mine, wayne, bob = TrickTaken("Ann", True), TrickTaken("Wacky Wayne", False), TrickTaken("Bob", False)
    assert heard(mine, wayne, bob, wayne, HandDealt(2, "Ann", ()), bob) == [
        f'Wacky Wayne: "{WAYNE.good_trick}"',
        f'Granny Mildred (Bob): "{GRANNY.good_trick}"',
    ]
    assert heard(wayne, bob, view=HEARTS) == []


@pytest.mark.parametrize(
    ("points", "view", "lines"),
    [
        ((9, 1, 5, 5), SPADES, [f'Granny Mildred (Bob): "{GRANNY.bad_luck}"']),
        ((9, 9, 1, 1), SPADES, [f'Wacky Wayne: "{WAYNE.bad_luck}"']),
        ((1, 9, 1, 9), SPADES, [f'Wacky Wayne: "{WAYNE.bad_luck}"']),
        ((0, 9, 9, 9), SPADES, []),
        ((9, 9, 9, 9), SPADES, []),
        ((0, 1, 5, 20), HEARTS, [f'Slick Sam: "{SAM.bad_luck}"']),
    ],
)
def test_one_of_those_who_did_worst_is_sorry(points: tuple[int, ...], view: TableView, lines: list[str]) -> None:
    assert heard(scored(*points), view=view) == lines


def test_they_speak_when_they_win_when_they_go_and_when_they_take_a_seat() -> None:
    assert heard(GameWon(NAMES, (1, 9, 1, 1), ("Bob",), (), "")) == [f'Granny Mildred (Bob): "{GRANNY.win}"']
    assert heard(GameWon(NAMES, (9, 1, 9, 1), ("Ann", "Wacky Wayne"), (), "")) == [f'Wacky Wayne: "{WAYNE.win}"']
    assert heard(GameWon(NAMES, (9, 1, 1, 1), ("Ann",), (), "")) == []
    assert heard(PlayerLeft("Bob", "")) == [f'Granny Mildred (Bob): "{GRANNY.goodbye}"']
    assert heard(SeatTakenOver("Ann", "Luan Lee", "", True)) == [f'Luan Lee (Ann): "{CHARACTERS["luan"].takes_over}"']


def test_of_strangers_nothing_is_said_but_what_this_program_knows() -> None:
    assert heard(PlayerJoined("Eve", "\x1b[2Jevil", ""), PlayerLeft("Nobody", ""), Notice("It rains.")) == []
    assert heard(PlayerJoined("\x1b[2JEve", "granny", "")) == [f'Granny Mildred ([2JEve): "{GRANNY.greeting}"']
    assert (
        heard(
            GameStarted("Spades", ("Wacky Wayne",)),
            view=TableView("listener", "lobby", (PersonView("Wacky Wayne", "Luan Lee", "here", ""),)),
        )
        == []
    ), "somebody who is called so"


@pytest.mark.parametrize("view", [TableView("listener", "lobby"), TableView("listener", "play", game="spades")])
def test_without_seats_nobody_speaks(view: TableView) -> None:
    assert (
        heard(TrickTaken("Bob", False), scored(1, 2, 3, 4), GameWon(NAMES, (1, 2), ("Bob",), (), ""), view=view) == []
    )
