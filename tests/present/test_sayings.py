"""What the characters say, and when."""

from __future__ import annotations

from dataclasses import replace

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
    SeatReturned,
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
BOB_AWAY = replace(SPADES, seats=(SEATS[0], replace(SEATS[1], plays="character"), *SEATS[2:]))
FOR_BOB = "Granny Mildred, playing for Bob"
TOOK_OVER = SeatTakenOver("Bob", "Granny Mildred", "", False)
RETURNED = SeatReturned("Bob", "Granny Mildred", False)
GRANNY, WAYNE, SAM = CHARACTERS["granny"], CHARACTERS["wayne"], CHARACTERS["sam"]


def heard(*happenings: Happening, view: TableView = SPADES) -> list[str]:
    sayings = Sayings()
    return [line for happening in happenings for line in sayings.heard(happening, view)]


def scored(*points: int) -> HandScored:
    return HandScored(NAMES, (), SheetView(1, ((),) * len(points), points, points))


def test_each_computer_player_greets_once() -> None:
    started = GameStarted("Spades", NAMES)
    assert heard(started, started) == [f'Wacky Wayne: "{WAYNE.greeting}"', f'Slick Sam: "{SAM.greeting}"']


def test_one_is_glad_of_a_trick_in_each_hand() -> None:
    mine, wayne, sam = TrickTaken("Ann", True), TrickTaken("Wacky Wayne", False), TrickTaken("Slick Sam", False)
    bob = TrickTaken("Bob", False)
    assert heard(mine, bob, wayne, sam, wayne, HandDealt(2, "Ann", ()), sam) == [
        f'Wacky Wayne: "{WAYNE.good_trick}"',
        f'Slick Sam: "{SAM.good_trick}"',
    ]
    assert heard(wayne, sam, view=HEARTS) == []


@pytest.mark.parametrize(
    ("points", "view", "lines"),
    [
        ((9, 1, 5, 5), SPADES, []),
        ((9, 1, 5, 5), BOB_AWAY, [f'{FOR_BOB}: "{GRANNY.bad_luck}"']),
        ((9, 9, 1, 1), SPADES, [f'Wacky Wayne: "{WAYNE.bad_luck}"']),
        ((1, 9, 1, 9), SPADES, [f'Wacky Wayne: "{WAYNE.bad_luck}"']),
        ((0, 9, 9, 9), SPADES, []),
        ((9, 9, 9, 9), SPADES, []),
        ((0, 1, 5, 20), HEARTS, [f'Slick Sam: "{SAM.bad_luck}"']),
    ],
)
def test_one_of_those_who_did_worst_is_sorry(points: tuple[int, ...], view: TableView, lines: list[str]) -> None:
    assert heard(scored(*points), view=view) == lines


ALL_THAT_HAPPENS: tuple[Happening, ...] = (
    PlayerJoined("Bob", "Granny Mildred", ""),
    GameStarted("Spades", NAMES[:2]),
    HandDealt(1, "Ann", ()),
    TrickTaken("Bob", False),
    scored(9, 1, 9, 9),
    GameWon(NAMES, (1, 9, 1, 1), ("Bob",), (), ""),
    PlayerLeft("Bob", ""),
)


def test_a_person_who_plays_has_no_lines_but_those_that_they_type() -> None:
    assert heard(*ALL_THAT_HAPPENS) == []


def test_the_character_of_a_person_speaks_while_it_plays_for_them() -> None:
    assert heard(TOOK_OVER, *ALL_THAT_HAPPENS, view=BOB_AWAY) == [
        f'{FOR_BOB}: "{line}"' for line in (GRANNY.takes_over, GRANNY.good_trick, GRANNY.bad_luck, GRANNY.win)
    ]
    assert heard(RETURNED, *ALL_THAT_HAPPENS, view=BOB_AWAY) == [f'Granny Mildred: "{GRANNY.goodbye}"'], "an old view"
    assert (
        heard(RETURNED, TOOK_OVER, TrickTaken("Bob", False), view=BOB_AWAY)[-1] == f'{FOR_BOB}: "{GRANNY.good_trick}"'
    )


def test_they_speak_when_they_win() -> None:
    assert heard(GameWon(NAMES, (9, 1, 9, 1), ("Ann", "Wacky Wayne"), (), "")) == [f'Wacky Wayne: "{WAYNE.win}"']
    assert heard(GameWon(NAMES, (9, 1, 1, 1), ("Ann",), (), "")) == []


def test_of_strangers_nothing_is_said_but_what_this_program_knows() -> None:
    assert heard(SeatTakenOver("Eve", "\x1b[2Jevil", "", False), Notice("It rains.")) == []
    assert heard(SeatTakenOver("\x1b[2JEve", "granny", "", False)) == [
        f'Granny Mildred, playing for [2JEve: "{GRANNY.takes_over}"'
    ]
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
