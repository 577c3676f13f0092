"""Two seats that exchange their hands, as somebody who plays alone may ask for, as functions that a game calls."""

from __future__ import annotations

from typing import TypeVar

from p2pcards.cards.eyes import Bag, Slot, bag, eye
from p2pcards.games.changing import changed
from p2pcards.games.game import IllegalAction, Seat, State
from p2pcards.games.tricks import KeptTricks

S = TypeVar("S", bound=State)
H = TypeVar("H", bound=KeptTricks)


def exchange_hands(state: S, first: Seat, second: Seat) -> S:
    """The state after these two seats have exchanged the cards in their hands."""
    return changed(state, hands=exchanged(state.hands, first, second))


def exchange_even_hands(state: S, first: Seat, second: Seat) -> S:
    """The same where it matters who holds how many. Raises IllegalAction unless they hold as many."""
    must_hold_as_many(len(state.hands[first]), len(state.hands[second]))
    return exchange_hands(state, first, second)


def exchange_held(state: H, first: Seat, second: Seat) -> H:
    """The same of a deal that is kept in masks."""
    deal = state.deal.copy()
    must_hold_as_many(deal.length(first), deal.length(second))
    deal.exchange(first, second)
    return changed(state, deal=deal)


def must_hold_as_many(first: int, second: int) -> None:
    """Raises IllegalAction unless two hands that are to be exchanged have the same number of cards."""
    if first != second:
        raise IllegalAction("you can swap hands only when both have the same number of cards, such as between tricks")


def exchanged(hands: tuple[Bag, ...], first: Seat, second: Seat) -> tuple[Bag, ...]:
    """The hands after these two seats have exchanged theirs, each of which both have seen now."""
    both = eye(first) | eye(second)
    held = {first: hands[second], second: hands[first]}
    return tuple(
        [
            bag(seat, [Slot(slot.card, slot.eyes | both) for slot in held[seat].slots]) if seat in held else one
            for seat, one in enumerate(hands)
        ]
    )
