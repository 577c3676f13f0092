"""Thirty-one by rules of thumb: collects one suit, takes a discard that helps, knocks before the others are ready."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import PUBLIC
from p2pcards.games.drawing import Discard, Draw, Knock, Take
from p2pcards.games.game import Seat
from p2pcards.games.thirty_one.rules import Action, Blitz, State, card_value, hand_value, legal

READY = 21  # what is worth a knock in the first turn of a hand
MORE = 1  # and how much more after each further turn
ENOUGH = 27  # what is worth one at any time
MUCH = 3  # what a discard must add before it is better than an unknown card


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The action of a seat whose turn it is."""
    actions = legal(view, seat)
    held = view.hands[seat].cards
    if isinstance(actions[0], Blitz):
        return actions[0]
    if view.drawn:
        loose = [action.card for action in actions if isinstance(action, Discard)]
        wanted = _suits_wanted(view, seat)
        return Discard(max(loose, key=lambda card: (_discard_preference(held, card, wanted), rng.random())))
    value = hand_value(held)
    if view.knocker is None and value >= min(READY + MORE * view.turns, ENOUGH):
        return Knock()
    top = view.discards[-1].card
    helps = max([hand_value([*[other for other in held if other != card], top]) for card in held]) - value
    return Take() if helps >= MUCH else Draw()


# --- private ----------------------------------------------------------------------------------------------------------


def _discard_preference(held: Sequence[Card], card: Card, wanted: Sequence[int]) -> tuple[int, int, int]:
    """How good it is to discard this card: what the hand is worth then, how few other players are known to want its
    suit, and how little it counts."""
    rest = [other for other in held if other != card]
    return hand_value(rest), -wanted.count(card.suit), -card_value(card)


def _suits_wanted(view: State, seat: Seat) -> list[int]:
    """The suits of the cards that the other players were seen to take."""
    return [slot.card.suit for held in view.hands if held.owner != seat for slot in held.slots if slot.eyes & PUBLIC]
