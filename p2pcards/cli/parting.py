"""What is asked before somebody leaves a table or ends a game: what follows from it in their seat."""

from __future__ import annotations

from p2pcards.present.table import my_seat
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean


def parting_question(word: str, view: TableView) -> str:
    """word: leave or end."""
    others = any(person.link != "you" for person in view.people)
    if word == "end":
        return f"End the game{' for everybody' if others else ''}? The table stays. yes/no"
    mine = my_seat(view)
    watching = "You look on; the game goes on." if view.looks_on else "You only watch; the game goes on."
    plays = f"{clean(mine.character, 24)} will play your seat." if mine else watching
    where = "" if view.phase == "play" else " the table"
    return f"Leave{where} for good? {leaving(view.role, view.phase, others, plays)}yes/no"


def leaving(role: str, phase: str, others: bool, plays: str) -> str:
    """What follows when somebody leaves, a sentence and a space, or nothing. plays: who plays a listener's seat."""
    coordinates = role == "coordinator"
    if coordinates and others:
        ends = "the game ends for everybody ('end' keeps the table)" if phase == "play" else "it closes for everybody"
        return f"You coordinate, so {ends}. "
    if phase != "play":
        return ""
    return "The game ends, as nobody plays your seat. " if coordinates else f"{plays} "


def staying(word: str) -> str:
    """What is said when they did not mean it."""
    return "The game goes on." if word == "end" else "You stay."
