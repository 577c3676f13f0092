"""Two seats that exchange their hands, as somebody who plays alone may ask for, as functions that a game calls."""

from __future__ import annotations

from typing import TypeVar

from p2pcards.cards.eyes import Bag, Slot, eye_of_seat, make_bag
from p2pcards.games.changing import changed
from p2pcards.games.game import IllegalAction, Seat, State
from p2pcards.games.tricks import KeptTricks

S = TypeVar("S", bound=State)
H = TypeVar("H", bound=KeptTricks)


def swap_hands(state: S, first: Seat, second: Seat) -> S:
    """The state after these two seats have exchanged the cards in their hands."""
    return changed(state, hands=with_hands_swapped(state.hands, first, second))


def swap_even_hands(state: S, first: Seat, second: Seat) -> S:
    """Like `swap_hands`. Raises IllegalAction unless both hands have the same number of cards."""
    verify_equal_counts(len(state.hands[first]), len(state.hands[second]))
    return swap_hands(state, first, second)


def swap_kept_hands(state: H, first: Seat, second: Seat) -> H:
    """Like `swap_hands`, of a state that keeps its deal in masks."""
    deal = state.deal.copy()
    verify_equal_counts(deal.hand_length(first), deal.hand_length(second))
    deal.exchange_hands(first, second)
    return changed(state, deal=deal)


def verify_equal_counts(first: int, second: int) -> None:
    """Raise IllegalAction unless two hands to be exchanged have the same number of cards."""
    if first != second:
        raise IllegalAction("you can swap hands only when both have the same number of cards, such as between tricks")


def with_hands_swapped(hands: tuple[Bag, ...], first: Seat, second: Seat) -> tuple[Bag, ...]:
    """The hands by seat after these two are swapped; both seats have seen both now."""
    both = eye_of_seat(first) | eye_of_seat(second)
    held = {first: hands[second], second: hands[first]}
    return tuple(
        [
            make_bag(seat, [Slot(slot.card, slot.eyes | both) for slot in held[seat].slots]) if seat in held else one
            for seat, one in enumerate(hands)
        ]
    )
