"""Whist by rules of thumb: takes what it can, and leaves to its partner what lies well with them."""

from __future__ import annotations

from random import Random

from p2pcards.games.game import Seat
from p2pcards.games.partners import partner_of
from p2pcards.games.playing import Play
from p2pcards.games.thumb.taking import best_of, look_at_trick, taking_worth
from p2pcards.games.whist.rules import PACK, State, legal

ALL = frozenset(PACK)


def choose(view: State, seat: Seat, rng: Random) -> Play:
    """The card of a seat whose turn it is."""
    cards = [action.card for action in legal(view, seat)]
    if len(cards) == 1:
        return Play(cards[0])
    sight = look_at_trick(view, seat, ALL, view.trump, partner_of(seat) if view.options.team_play else None)
    return Play(best_of(cards, lambda card: taking_worth(sight, card), rng))
