"""The sayings of the characters at a table, each while it plays: in a seat of the computer's, or for a person who is
away.

A person who plays has no lines but those that they type. Only lines and characters that this program knows are heard;
of a peer nothing is shown but their name.
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
    SeatReturned,
    SeatTakenOver,
    TrickTaken,
    low_wins,
)
from p2pcards.views.tableview import SeatView, TableView
from p2pcards.wire.clean import clean

Line = Callable[[Character], str]


class Sayings:
    """Those at one table. Each computer player greets once; one in a hand is glad of a trick, and one is sorry at its
    end. The character of a person says that it sits down for them, and goodbye when they are back."""

    def __init__(self) -> None:
        self._greeted: set[str] = set()
        self._glad = False  # somebody was, in this hand
        self._back: set[str] = set()  # people who play themselves again, though the last view may not show it yet

    def heard(self, happening: Happening, view: TableView) -> list[str]:
        """The lines that a happening brings, such as ``Wacky Wayne: "Wipeout. The water was warm, though."``. view: the
        table as it was seen last."""
        return [*self._said(happening, view)]

    def _said(self, happening: Happening, view: TableView) -> Iterator[str]:
        match happening:
            case GameStarted(_, names):
                people = {person.name for person in view.people}
                for name in names:
                    if name not in people:
                        yield from self._greet(name)
            case HandDealt():
                self._glad = False
            case TrickTaken(name):
                yield from self._be_glad(name, view)
            case HandScored(sheet=sheet) if len(set(sheet.points)) > 1:
                yield from self._of_one(view, _worst(sheet.points, view), lambda one: one.bad_luck)
            case GameWon(_, _, winners):
                yield from self._of_one(view, winners, lambda one: one.win)
            case SeatTakenOver(name, character):
                self._back.discard(name)
                yield from _line(character, name, lambda one: one.takes_over)
            case SeatReturned(name, character):
                self._back.add(name)
                yield from _line(character, "", lambda one: one.goodbye)

    def _greet(self, character: str) -> Iterator[str]:
        if character not in self._greeted:
            for line in _line(character, "", lambda one: one.greeting):
                self._greeted.add(character)
                yield line

    def _be_glad(self, name: str, view: TableView) -> Iterator[str]:
        """A trick is nothing to be glad of where the lowest total wins."""
        if self._glad or low_wins(view):
            return
        for line in self._of_one(view, (name,), lambda one: one.good_trick):
            self._glad = True
            yield line

    def _of_one(self, view: TableView, names: tuple[str, ...], line: Line) -> Iterator[str]:
        """The first of these for whom a character plays now."""
        for seat in view.seats:
            if seat.name in names and self._is_played(seat):
                yield from _line(seat.character, seat.name if seat.plays == "character" else "", line)
                return

    def _is_played(self, seat: SeatView) -> bool:
        return seat.plays == "computer" or (seat.plays == "character" and seat.name not in self._back)


def _worst(points: tuple[int, ...], view: TableView) -> tuple[str, ...]:
    """The names of those who did worst in a hand."""
    least = max(points) if low_wins(view) else min(points)
    return tuple([seat.name for seat in view.seats if points[seat.seat] == least])


def _line(character: str, person: str, line: Line) -> Iterator[str]:
    """person: for whom it plays, "" for nobody."""
    try:
        one = find_character(character)
    except UnknownCharacter:
        return
    stands_for = f", playing for {clean(person, 24)}" if person else ""
    yield f'{one.name}{stands_for}: "{line(one)}"'
