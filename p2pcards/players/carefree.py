"""Carefree players draw an action by lot; in some games not among all, lest they ruin themselves at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from p2pcards.games.auction_pitch import rules as auction_pitch
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.game import Action
from p2pcards.games.gin_rummy import rules as gin_rummy
from p2pcards.games.pinochle import rules as pinochle
from p2pcards.games.pinochle2 import rules as pinochle2
from p2pcards.games.pinochle_bid import rules as pinochle_bid
from p2pcards.games.spades import rules as spades
from p2pcards.games.thirty_one import rules as thirty_one

A = TypeVar("A")


def choose(game: str, legal: Sequence[Action], rng: Random) -> Action:
    """One of the legal actions of the game of this key."""
    narrow = NARROWED.get(game)
    return rng.choice(narrow(legal) if narrow else legal)


# --- private ----------------------------------------------------------------------------------------------------------


def _spades(legal: Sequence[spades.Action]) -> Sequence[spades.Action]:
    """Bids of one to four, and never Nil."""
    return [action for action in legal if not isinstance(action, spades.Bid) or 1 <= action.tricks <= 4]


def _gin_rummy(legal: Sequence[gin_rummy.Action]) -> Sequence[gin_rummy.Action]:
    """A knock as soon as there may be one."""
    return [action for action in legal if isinstance(action, gin_rummy.Knock | gin_rummy.Gin)] or legal


def _lowest(bid: type) -> Callable[[Sequence[A]], Sequence[A]]:
    """Passes or makes the lowest bid. bid: the class of bids."""

    def narrowed(legal: Sequence[A]) -> Sequence[A]:
        others = [action for action in legal if not isinstance(action, bid)]
        return others + [action for action in legal if isinstance(action, bid)][:1]

    return narrowed


def _euchre(legal: Sequence[euchre.Action]) -> Sequence[euchre.Action]:
    """Passes or makes trump evenly, and never alone."""
    makes = [action for action in legal if isinstance(action, euchre.Accept | euchre.Name) and not action.alone]
    return [*[euchre.Pass()] * len(makes), *makes] if makes else legal


def _thirty_one(legal: Sequence[thirty_one.Action]) -> Sequence[thirty_one.Action]:
    """A knock as soon as there may be one."""
    return [action for action in legal if isinstance(action, thirty_one.Knock)] or legal


def _pinochle2(legal: Sequence[pinochle2.Action]) -> Sequence[pinochle2.Action]:
    """A knock as soon as there may be one, and no melds."""
    knocks = [action for action in legal if isinstance(action, pinochle2.Knock)]
    return knocks or [action for action in legal if not isinstance(action, pinochle2.Meld)]


NARROWED: Mapping[str, Callable[[Sequence[Any]], Sequence[Any]]] = {
    "auction_pitch": _lowest(auction_pitch.Bid),
    "euchre": _euchre,
    "gin_rummy": _gin_rummy,
    "pinochle": _lowest(pinochle.Bid),
    "pinochle2": _pinochle2,
    "pinochle_bid": _lowest(pinochle_bid.Bid),
    "spades": _spades,
    "thirty_one": _thirty_one,
}
