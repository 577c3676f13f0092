"""Carefree players draw an action by lot; in some games not among all, lest they ruin themselves at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from p2pcards.games import auction_pitch, euchre, gin_rummy, spades, thirty_one
from p2pcards.games.game import Action


def choose(game: str, legal: Sequence[Action], rng: Random) -> Action:
    """One of the legal actions of the game of this key."""
    narrow = NARROWED.get(game)
    return rng.choice(narrow(legal) if narrow else legal)


# --- private ----------------------------------------------------------------------------------------------------------


def _spades(legal: Sequence[Action]) -> Sequence[Action]:
    """Bids of one to four, and never Nil."""
    return [action for action in legal if not isinstance(action, spades.Bid) or 1 <= action.tricks <= 4]


def _gin_rummy(legal: Sequence[Action]) -> Sequence[Action]:
    """A knock as soon as she may."""
    return [action for action in legal if isinstance(action, gin_rummy.Knock | gin_rummy.Gin)] or legal


def _auction_pitch(legal: Sequence[Action]) -> Sequence[Action]:
    """Passes or makes the lowest bid."""
    bids = [action for action in legal if isinstance(action, auction_pitch.Bid)]
    return [action for action in legal if action not in bids[1:]]


def _euchre(legal: Sequence[Action]) -> Sequence[Action]:
    """Passes or makes trump evenly, and never alone."""
    makes = [action for action in legal if isinstance(action, euchre.Accept | euchre.Name) and not action.alone]
    return [euchre.Pass()] * len(makes) + makes if makes else legal


def _thirty_one(legal: Sequence[Action]) -> Sequence[Action]:
    """A knock as soon as she may."""
    return [action for action in legal if isinstance(action, thirty_one.Knock)] or legal


NARROWED: Mapping[str, Callable[[Sequence[Action]], Sequence[Action]]] = {
    "auction_pitch": _auction_pitch,
    "euchre": _euchre,
    "gin_rummy": _gin_rummy,
    "spades": _spades,
    "thirty_one": _thirty_one,
}
