"""The bots of OpenSpiel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pyspiel
from open_spiel.python.algorithms import ismcts

from openspiel.asking import Question
from openspiel.bridge import Bridge
from p2pcards.games.deals.bits import Chance
from p2pcards.players.search import READERS

SEATS = 4
EXPLORING: Mapping[str, float] = {"gin_rummy": 20.0, "hearts": 8.0, "euchre": 2.0, "oh_hell": 8.0}
"""How widely the search looks by game, the constant of UCT. Against itself the search did better with 8 than with 2 by
1.0 +- 0.6 points a deal and seat in hearts and 0.9 +- 0.4 in oh hell; in euchre 1, 2 and 5 did alike."""
GIN = {"hand_size": 10, "num_ranks": 13, "num_suits": 4}


class Rollouts:
    """What a position is worth to each player: one hand played on at random, by their own random bots."""

    def __init__(self, bridge: Bridge, seed: int) -> None:
        self._bridge = bridge
        self._seed = seed
        self._bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(SEATS)]

    def evaluate(self, theirs: Any) -> list[float]:
        self._seed += 1
        return self._bridge.counted(pyspiel.evaluate_bots(theirs.clone(), self._bots, self._seed))

    def prior(self, theirs: Any) -> list[tuple[int, float]]:
        legal = theirs.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


class Search(ismcts.ISMCTSBot):  # type: ignore[misc]
    """Their search, which counts a hand as our rules do. In euchre their key of what a player knows is the same before
    and after a question, so that the answers that are open belong to it."""

    def __init__(self, bridge: Bridge, simulations: int, seed: int) -> None:
        self._bridge = bridge
        super().__init__(
            bridge.loaded,
            Rollouts(bridge, seed),
            EXPLORING[bridge.key],
            simulations,
            random_state=numpy.random.RandomState(seed),
            final_policy_type=ismcts.ISMCTSFinalPolicyType.NORMALIZED_VISITED_COUNT,
        )

    def get_state_key(self, theirs: Any) -> Any:
        return *super().get_state_key(theirs), tuple(theirs.legal_actions())

    def run_simulation(self, theirs: Any) -> Sequence[float]:
        if theirs.is_terminal():
            return self._bridge.counted(theirs.returns())
        returns: Sequence[float] = super().run_simulation(theirs)
        return returns


class FairSearch:
    """Their information-set tree search, in worlds that we draw from what its seat knows: their own draw the true cards
    in euchre and oh hell, and impossible ones in hearts before the play."""

    def __init__(self, simulations: int, seed: int) -> None:
        self._simulations = simulations
        self._seed = seed

    def __call__(self, asked: Question) -> int:
        self._seed += SEATS
        chance = Chance(self._seed)
        bridge, reading = asked.bridge, READERS[asked.bridge.key](asked.view, asked.seat)

        def imagine(_theirs: Any, _seat: int) -> Any:
            world = reading.position.copy()
            reading.worlds.fill_world(world, chance)
            return bridge.replay(asked.after(bridge.imagined(asked.hand, asked.view, world)))

        search = Search(bridge, self._simulations, self._seed)
        search.set_resampler(imagine)
        return most_liked(search.run_search(asked.theirs), asked.open)


class GinSearch:
    """Their search for gin rummy within C++, in worlds of its own, which are fair until a knock."""

    def __init__(self, simulations: int, seed: int) -> None:
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        self._search = pyspiel.ISMCTSBot(seed, rollouts, EXPLORING["gin_rummy"], simulations)

    def __call__(self, asked: Question) -> int:
        return most_liked(self._search.get_policy(asked.theirs), asked.open)


class SimpleGin:
    """Their bot for gin rummy that plays by rules of thumb."""

    def __init__(self) -> None:
        self._bots = [pyspiel.make_simple_gin_rummy_bot(GIN, seat) for seat in range(2)]

    def __call__(self, asked: Question) -> int:
        number = self._bots[asked.seat].step(asked.theirs)
        return number if number in asked.open else asked.open[-1]


def most_liked(policy: Sequence[tuple[int, float]], both: Sequence[int]) -> int:
    """Of the actions that both rules allow the one that is most visited."""
    weights = dict(policy)
    return max(both, key=lambda number: weights.get(number, 0.0))
