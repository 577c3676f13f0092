"""Go fish by rules of thumb: asks a player known to hold a rank, and else mostly for what it has most of."""

from __future__ import annotations

from random import Random

from p2pcards.games.game import Seat
from rigs.go_fish import Action, Ask, State, legal

SURE = 1000.0


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The action of a seat whose turn it is."""
    actions = legal(view, seat)
    asks = [action for action in actions if isinstance(action, Ask)]
    if not asks:
        return actions[0]
    return max([(_worth(view, seat, ask) * rng.random(), i, ask) for i, ask in enumerate(asks)])[2]


def _worth(view: State, seat: Seat, ask: Ask) -> float:
    """How much an ask promises; drawn by lot among all, or one ask in vain would come again and again."""
    other = ask.player - 1
    if (other, ask.book[0].rank) in view.known:
        return SURE
    return len(set(ask.book) & set(view.hands[seat].cards)) * len(view.hands[other])
