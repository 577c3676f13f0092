"""The events at a table that a bell, or a command of the player's own, may tell of, and which of them a happening
is."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.games.registry import find_game
from p2pcards.views.happenings import Acted, GameWon, HandDealt, HandScored, Happening, PlayerBack, PlayerJoined
from p2pcards.views.tableview import TableView

# --- the events at a table that a bell, or a command of the player's own, may tell of ---------------------------------


TABLE_EVENTS: Mapping[str, str] = {
    "turn": "it is your turn",
    "joined": "somebody sits down",
    "start": "a table opens (the bell: you sit down at one)",
    "shuffle": "a hand is dealt",
    "play": "somebody plays, draws or says something in the game",
    "knock": "somebody knocks",
    "hand_won": "a hand is over, and nobody did better in it than you",
    "hand_lost": "a hand is over, and somebody did better in it",
    "game_won": "you have won a game",
    "game_lost": "somebody else has won a game",
    "exit": "a table closes (the bell: you go back to the shell)",
}
"""Each by its name, with when it comes."""

RUNG = ("turn", "joined", "game_won", "game_lost")
"""Those at which the bell rings unless the player wants it otherwise."""


# --- which of the events with a bell or a command a happening is, for the person at one end ---------------------------


def table_event(happening: Happening, view: TableView) -> str:
    """One of `TABLE_EVENTS` for the person who has this view; "" where it is none. What is no happening (turn,
    start, exit) is for whoever sees it come."""
    match happening:
        case PlayerJoined() | PlayerBack():
            return "joined"
        case HandDealt():
            return "shuffle"
        case Acted(words=words):
            return "knock" if words.split()[:1] == ["knock"] else "play"
        case HandScored(sheet=sheet):
            return _hand_event(sheet.points, view)
        case GameWon(names, _, winners) if view.me is not None:
            return "game_won" if names[view.me] in winners else "game_lost"
        case _:
            return ""


def low_wins(view: TableView) -> bool:
    """Whether the game of this view is won by the lowest total."""
    return view.game is not None and find_game(view.game).low_wins


def _hand_event(points: tuple[int, ...], view: TableView) -> str:
    """A hand in which all did as well is neither won nor lost."""
    if view.me is None or len(set(points)) == 1:
        return ""
    best = min(points) if low_wins(view) else max(points)
    return "hand_won" if points[view.me] == best else "hand_lost"
