"""The sayings of the characters at a table: those of the computer, and those that stand for people.

Only the lines that this program knows are ever said, by characters that it knows; of a peer nothing is shown but their
name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from p2pcards.players.characters import Character, UnknownCharacter, find_character
from p2pcards.views.happenings import (
    GameStarted,
    GameWon,
    HandDealt,
    HandScored,
    Happening,
    PlayerJoined,
    PlayerLeft,
    SeatTakenOver,
    TrickTaken,
    low_wins,
)
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean

Line = Callable[[Character], str]


class Sayings:
    """Those at one table. Each character greets once; one in a hand is glad of a trick, and one is sorry at its end.
    One's own says nothing to oneself until it takes one's seat."""

    def __init__(self) -> None:
        self._greeted: set[str] = set()
        self._glad = False  # somebody was, in this hand

    def heard(self, happening: Happening, view: TableView) -> list[str]:
        """The lines that a happening brings, such as ``Wacky Wayne: "Wipeout. The water was warm, though."``. view: the
        table as it was seen last."""
        return [*self._said(happening, view)]

    def _said(self, happening: Happening, view: TableView) -> Iterator[str]:
        match happening:
            case PlayerJoined(name, character):
                yield from self._greet(character, name)
            case GameStarted(_, names):
                people = {person.name for person in view.people}
                for name in names:
                    if name not in people:
                        yield from self._greet(name, name)
            case HandDealt():
                self._glad = False
            case TrickTaken(name, mine):
                yield from self._be_glad(name, mine, view)
            case HandScored(sheet=sheet) if len(set(sheet.points)) > 1:
                yield from _of_one(view, _worst(sheet.points, view), lambda one: one.bad_luck)
            case GameWon(_, _, winners):
                yield from _of_one(view, winners, lambda one: one.win)
            case SeatTakenOver(name, character):
                yield from _line(character, name, lambda one: one.takes_over)
            case PlayerLeft(name):
                character = next((person.character for person in view.people if person.name == name), "")
                yield from _line(character, name, lambda one: one.goodbye)

    def _greet(self, character: str, name: str) -> Iterator[str]:
        if character not in self._greeted:
            for line in _line(character, name, lambda one: one.greeting):
                self._greeted.add(character)
                yield line

    def _be_glad(self, name: str, mine: bool, view: TableView) -> Iterator[str]:
        """A trick is nothing to be glad of where the lowest total wins."""
        if mine or self._glad or low_wins(view):
            return
        self._glad = True
        yield from _of_one(view, (name,), lambda one: one.good_trick)


def _worst(points: tuple[int, ...], view: TableView) -> tuple[str, ...]:
    """The names of those who did worst in a hand."""
    least = max(points) if low_wins(view) else min(points)
    return tuple([seat.name for seat in view.seats if points[seat.seat] == least])


def _of_one(view: TableView, names: tuple[str, ...], line: Line) -> Iterator[str]:
    """The first of these who is not the person at this end."""
    for seat in view.seats:
        if seat.name in names and seat.seat != view.me:
            yield from _line(seat.character, seat.name, line)
            return


def _line(character: str, name: str, line: Line) -> Iterator[str]:
    """name: whose character it is; of the computer's players it is the same."""
    try:
        one = find_character(character)
    except UnknownCharacter:
        return
    stands_for = "" if name == one.name else f" ({clean(name, 24)})"
    yield f'{one.name}{stands_for}: "{line(one)}"'
