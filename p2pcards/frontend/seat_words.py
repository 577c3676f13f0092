"""What can be said about whoever sits in a seat."""

from __future__ import annotations

from p2pcards.frontend.words import WORDS
from p2pcards.players.characters import CHARACTERS
from p2pcards.players.levels import LEVELS
from p2pcards.views.tableview import SeatView, TableView


def lines_about(view: TableView, seat: SeatView) -> list[str]:
    """The lines, as they would be typed, of the words that work now: first the levels that a computer player could
    play at instead."""
    levels = _other_levels(seat) if seat.plays == "computer" and WORDS["computer"].works(view) else []
    person = next((person for person in view.people if person.seat == seat.seat), None)
    named = ["words"] if person and person.link == "here" else []
    named += ["redial", "kick"] if person and person.link == "away" else []
    words = [*[f"{word} {seat.name}" for word in ("mute", *named) if WORDS[word].works(view)]]
    return [*levels, *words, *([f"swap {seat.seat + 1}"] if WORDS["swap"].works(view) else [])]


def _other_levels(seat: SeatView) -> list[str]:
    key = next((key for key, one in CHARACTERS.items() if one.name == seat.character), "any")
    return [f"computer {seat.seat + 1} {key}:{level}" for level in LEVELS if level != seat.level]
