"""Auction pitch, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.auction_pitch.deal import PASS
from p2pcards.games.auction_pitch.rules import Action, Bid, Pass, Play, State, legal
from p2pcards.games.game import Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import read_kept, shown_voids


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""
    return read_kept(view, seat, legal(view, seat), moves, shown_voids(view, free=view.trump))


def moves(action: Action) -> Sequence[int]:
    match action:
        case Pass():
            return [PASS]
        case Bid(points=points):
            return [points]
        case Play(card=card):
            return [card]
