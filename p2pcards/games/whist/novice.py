"""Whist by the rules of thumb of its deal."""

from __future__ import annotations

from random import Random

from p2pcards.games.game import Seat
from p2pcards.games.playing import Play
from p2pcards.games.thumb.by_deal import choose_by_deal
from p2pcards.games.whist.rules import State, legal
from p2pcards.games.whist.seen import moves


def choose(view: State, seat: Seat, rng: Random) -> Play:  # noqa: ARG001 - nothing is left to chance
    return choose_by_deal(view, seat, legal(view, seat), moves)
