"""What is in a hand: what can be melded, what is sure, and what can be let go."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.card import spelled
from p2pcards.games.advice.trick_analysis import of_tricks
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.telling import Found, told_of
from p2pcards.ledger.position import Position
from p2pcards.views.cast import Cast
from p2pcards.views.in_game import HandAnalyzed
from p2pcards.views.table_view import with_names


def analyze(position: Position, seat: Seat, cast: Cast) -> HandAnalyzed:
    """The hand of this seat, by what it sees alone."""
    found = analyzed(position.game, position.own_view, seat)
    return HandAnalyzed(tuple([(what, with_names(words, position, cast)) for what, words in found]))


def analyzed(game: AnyGame, view: Any, seat: Seat) -> Found:
    """A few words each, and what follows them; cards as they are spelled, seats by `name_of`. view: as the seat sees
    it."""
    if not view.hands[seat].cards:
        return [("your hand", "no cards now")]
    lies = game.layout(view)
    usual = of_tricks if lies.leader is not None and lies.called == "trick" else of_any_hand
    return (told_of(game.key).analysis or usual)(game, view, seat)


def of_any_hand(_game: AnyGame, view: Any, seat: Seat) -> Found:
    """Of a game of which nothing more is known."""
    return [("your hand", spelled(view.hands[seat].cards))]
