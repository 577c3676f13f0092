"""The sayings of the characters at a table, each while it plays: in a seat of the computer's, or for a person who is
away.

A person who plays has no lines but those that they type. Only lines and characters that this program knows are heard;
of a peer nothing is shown but their name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from p2pcards.players.characters import Character, UnknownCharacter, find_character
from p2pcards.views import happenings
from p2pcards.views.tableview import SeatView, TableView
from p2pcards.wire.clean import clean

Line = Callable[[Character], str]


class Sayings:
    """The characters' lines at one table. Each computer player greets once, one of a hand is glad of a trick, and one
    is sorry at its end. A person's character says that it sits in for them, and goodbye when they return."""

    def __init__(self) -> None:
        self._greeted: set[str] = set()
        self._glad = False  # somebody was, in this hand
        self._back: set[str] = set()  # people who play themselves again, though the last view may not show it yet

    def heard(self, happening: happenings.Happening, view: TableView) -> list[str]:
        """The lines that a happening prompts, such as ``Wacky Wayne: "Wipeout. The water was warm, though."``. view:
        the table as it was last seen."""
        return [*self._sayings_after(happening, view)]

    def _sayings_after(self, happening: happenings.Happening, view: TableView) -> Iterator[str]:
        match happening:
            case happenings.GameStarted(_, names):
                people = {person.name for person in view.people}
                for name in names:
                    if name not in people:
                        yield from self._greet(name)
            case happenings.HandDealt():
                self._glad = False
            case happenings.TrickTaken(name):
                yield from self._be_glad_of_trick(name, view)
            case happenings.HandScored(sheet=sheet) if len(set(sheet.points)) > 1:
                yield from self._line_of_one(view, _worst_players(sheet.points, view), lambda one: one.bad_luck)
            case happenings.GameWon(_, _, winners):
                yield from self._line_of_one(view, winners, lambda one: one.win)
            case happenings.SeatTakenOver(name, character):
                self._back.discard(name)
                yield from _character_line(character, name, lambda one: one.takes_over)
            case happenings.SeatReturned(name, character):
                self._back.add(name)
                yield from _character_line(character, "", lambda one: one.goodbye)

    def _greet(self, character: str) -> Iterator[str]:
        """The greeting of a character who hasn't greeted yet."""
        if character not in self._greeted:
            for line in _character_line(character, "", lambda one: one.greeting):
                self._greeted.add(character)
                yield line

    def _be_glad_of_trick(self, name: str, view: TableView) -> Iterator[str]:
        """A line for a taken trick, none where the lowest total wins."""
        if self._glad or happenings.low_wins(view):
            return
        for line in self._line_of_one(view, (name,), lambda one: one.good_trick):
            self._glad = True
            yield line

    def _line_of_one(self, view: TableView, names: tuple[str, ...], line: Line) -> Iterator[str]:
        """A line of the first of these players whose seat a character plays now."""
        for seat in view.seats:
            if seat.name in names and self._is_played_by_character(seat):
                yield from _character_line(seat.character, seat.name if seat.plays == "character" else "", line)
                return

    def _is_played_by_character(self, seat: SeatView) -> bool:
        return seat.plays == "computer" or (seat.plays == "character" and seat.name not in self._back)


def _worst_players(points: tuple[int, ...], view: TableView) -> tuple[str, ...]:
    """The names of those who did worst in a hand."""
    least = max(points) if happenings.low_wins(view) else min(points)
    return tuple([seat.name for seat in view.seats if points[seat.seat] == least])


def _character_line(character: str, person: str, line: Line) -> Iterator[str]:
    """A character's line. person: whom it plays for, "" for no one."""
    try:
        one = find_character(character)
    except UnknownCharacter:
        return
    stands_for = f", playing for {clean(person, 24)}" if person else ""
    yield f'{one.name}{stands_for}: "{line(one)}"'
