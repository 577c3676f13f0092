"""Auction pitch by the rules of thumb of its deal."""

from __future__ import annotations

from random import Random

from p2pcards.games.auction_pitch.rules import Action, State, legal
from p2pcards.games.auction_pitch.seen import moves
from p2pcards.games.game import Seat
from p2pcards.games.thumb.by_deal import choose_by_deal


def choose(view: State, seat: Seat, rng: Random) -> Action:  # noqa: ARG001 - nothing is left to chance
    return choose_by_deal(view, seat, legal(view, seat), moves)
