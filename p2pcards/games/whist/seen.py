"""Whist, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.game import Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import read_kept
from p2pcards.games.whist.rules import Play, State, legal


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""
    tricks = view.deal.tricks
    differ = tricks.distinct(view.deal.moves())
    choices = [play for play in legal(view, seat) if differ >> play.card & 1]
    return read_kept(view, seat, choices, moves, tricks.void)


def moves(action: Play) -> Sequence[int]:
    return [action.card]
