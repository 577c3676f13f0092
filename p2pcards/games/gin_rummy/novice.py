"""Gin rummy by rules of thumb: takes a discard only for a meld, keeps what may become one, knocks when it can."""

from __future__ import annotations

from collections.abc import Sequence, Set
from random import Random

from p2pcards.cards.card import Card
from p2pcards.games.drawing import Discard, Draw, Take
from p2pcards.games.game import Seat
from p2pcards.games.gin_rummy.deadwood import deadwood
from p2pcards.games.gin_rummy.rules import PACK, Action, Gin, Knock, Phase, State
from p2pcards.games.playing import Pass
from p2pcards.games.thumb.melding import completing_cards

ALL = frozenset(PACK)
OUT = 1.5  # what an unseen card is worth, in points of deadwood, that would make a meld of two cards
MUCH = 12  # a discard that leaves so much more than the best is not thought of
DANGER = 4.0  # what it costs to discard next to a card that the other is known to hold


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The action of a seat whose turn it is."""
    held = view.hands[seat].cards
    if view.phase == Phase.FORCED:
        return Draw()
    if view.phase != Phase.DISCARD:
        return Take() if _makes_meld(held, view.discards[-1].card) else OTHERWISE[view.phase]
    left = {card: deadwood([other for other in held if other != card]) for card in held if card != view.taken}
    best = min(left, key=left.__getitem__)
    if view.options.big_gin and not deadwood(held) and view.options.big_gin_bonus >= view.options.gin_bonus:
        return Gin()
    if not left[best]:
        return Gin(best)
    if left[best] <= view.limit:
        return Knock(best)
    unseen = ALL.difference(held, [slot.card for slot in view.discards], view.hands[1 - seat].cards)
    theirs = view.hands[1 - seat].cards
    loose = [card for card in left if left[card] <= left[best] + MUCH]
    cost = {
        card: left[card] + OUT * _hopes_for_meld(card, held, unseen) + DANGER * _helps_opponent(card, theirs)
        for card in loose
    }
    return Discard(min(cost, key=lambda card: (cost[card], rng.random())))


# --- private ----------------------------------------------------------------------------------------------------------

OTHERWISE: dict[Phase, Action] = {Phase.UPCARD: Pass(), Phase.DRAW: Draw()}


def _makes_meld(held: Sequence[Card], card: Card) -> bool:
    """Return whether the card goes into a meld at once."""
    return deadwood((*held, card)) <= deadwood(held)


def _hopes_for_meld(card: Card, held: Sequence[Card], unseen: Set[Card]) -> int:
    """How many unseen cards would make a meld of this one and another that is held."""
    return sum([len(makers & unseen) for other in held if (makers := completing_cards(card, other, "low"))])


def _helps_opponent(card: Card, theirs: Sequence[Card]) -> int:
    """How many of the cards that the other is known to hold go with this one."""
    return sum([bool(completing_cards(card, other, "low")) for other in theirs])
