"""The games of one table since it was opened: the number of the one that is on, and who has won how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from p2pcards.views.tableview import TableView


class Series:
    """begun: the table goes on with a game. What is dealt in place of a game that was ended early has its number."""

    def __init__(self, begun: bool) -> None:
        self._games = int(begun)
        self._given_up = False
        self._won = Counter[str]()

    def begin_game(self) -> None:
        self._games += not self._given_up
        self._given_up = False

    def give_up(self) -> None:
        self._given_up = True

    def note_winners(self, names: Iterable[str]) -> None:
        self._won.update(names)

    def shown(self, view: TableView) -> TableView:
        """The view with the number of its game, and how many each has won."""
        if not view.seats:
            return view
        seats = tuple([replace(seat, games_won=self._won[seat.name]) for seat in view.seats])
        return replace(view, number=self._games, seats=seats)
