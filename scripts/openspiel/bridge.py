"""How a hand of ours is told to OpenSpiel: as the list of everything that happened, chance included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyspiel

from openspiel.hand import Hand
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.registry import GAMES


def as_it_is(returns: Sequence[float]) -> list[float]:
    return list(returns)


def at_its_end(state: Any, theirs: Any) -> bool:  # noqa: ARG001 - as in every game
    return True


@dataclass(frozen=True)
class Bridge:
    """A game that both programs play.

    options: those of ours, name: the game of theirs with its parameters, so chosen that the rules are as equal as they
    can be. history(hand) -> all that happened in their numbers; what an action adds to it stands at its end.
    imagined(hand, view, world) -> the hand as it might have been for the seat whose view this is, where the cards lie
    as in the world. returns(points) -> what our points by seat are as theirs. counted(returns) -> theirs, as our rules
    count. finished(state, theirs) -> plays their hand to its end after ours is over, and says whether both programs
    must count the same.
    """

    key: str
    options: Any
    name: str
    history: Callable[[Hand], list[int]]
    imagined: Callable[[Hand, Any, Any], Hand]
    returns: Callable[[Sequence[int]], list[float]]
    counted: Callable[[Sequence[float]], list[float]] = as_it_is
    finished: Callable[[Any, Any], bool] = at_its_end

    @property
    def game(self) -> AnyGame:
        return GAMES[self.key]

    @cached_property
    def loaded(self) -> Any:
        """The game of theirs."""
        return pyspiel.load_game(self.name)

    @cached_property
    def _before_the_deal(self) -> Any:
        return self.loaded.new_initial_state()

    def replay(self, history: Sequence[int]) -> Any:
        """Their state after all that happened."""
        theirs = self._before_the_deal.clone()
        for number in history:
            theirs.apply_action(number)
        return theirs

    def spelled(self, hand: Hand, seat: Seat, action: Action) -> list[int]:
        """What an action of ours is with them: one action or several."""
        return self.history(hand.then(seat, action))[len(self.history(hand)) :]

    def is_open(self, theirs: Any, hand: Hand, seat: Seat, action: Action) -> bool:
        """Whether their rules allow the action too. theirs: their state before it."""
        theirs = theirs.clone()
        for number in self.spelled(hand, seat, action):
            if not theirs.is_chance_node() and number not in theirs.legal_actions():
                return False
            theirs.apply_action(number)
        return True
