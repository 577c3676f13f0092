"""A whole game played by one process alone: no network, no log, everything from one seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import Action, AnyGame, Event, Seat, Stage

Chooser = Callable[[Any, Seat], Action]
"""(the state as this seat sees it, the seat) -> one of the actions open to it."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    winners: tuple[Seat, ...]  # () if the game did not end
    scores: tuple[int, ...]
    hands: int  # number of finished hands
    decisions: int  # number of actions that the choosers chose

    @property
    def finished(self) -> bool:
        """True if the game has a winner."""
        return bool(self.winners)


def play_game(game: AnyGame, options: Any, choosers: Sequence[Chooser], seed: str, max_hands: int = 500) -> Result:
    """A game from its first deal to its end, or until max_hands hands (1 or more) have been finished without one.

    choosers: one for each seat; what they choose is verified, and an IllegalAction of theirs is raised.
    """
    assert len(choosers) == game.seats(options)
    state = game.start(options, None)
    decisions = 0
    while state.stage != Stage.OVER and not (state.stage == Stage.DEAL and state.hand >= max_hands):
        if state.stage == Stage.DEAL:
            event = _deal(game, state, seed)
        elif state.stage == Stage.SHOW:
            event = game.show(state)
        else:
            seat = state.to_act[0]
            action = choosers[seat](redact(state, eyes_of_viewer(seat)), seat)
            game.verify(state, seat, action)
            event = game.decide(state, seat, action)
            decisions += 1
        state = game.play(state, event)
    return Result(state.winners, state.scores, state.hand, decisions)


def _deal(game: AnyGame, state: Any, seed: str) -> Event:
    """The deal of the next hand, from the seed and the number of the hand."""
    secret = sha256(f"p2pcards solo {state.hand + 1} {seed}".encode()).digest()
    pack = game.pack(state.options)
    return game.deal(state, shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw"))
