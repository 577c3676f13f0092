"""Which of the events with a bell or a command a happening is, for the person at one end."""

from __future__ import annotations

from p2pcards.games.registry import find_game
from p2pcards.views.happenings import GameWon, Happening, PlayerBack, PlayerJoined
from p2pcards.views.in_game import Acted, HandDealt, HandScored
from p2pcards.views.tableview import TableView


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
