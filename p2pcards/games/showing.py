"""Hands that are turned up, whole or in part, as functions that a game calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, make_bag, put_into_bag, take_out_of_bag
from p2pcards.games.game import Pile, State


@dataclass(frozen=True, slots=True)
class Shown:
    """By seat, a slot for each card of a hand in ascending order; of a hand shown in part the cards shown come first,
    then those face down."""

    hands: tuple[tuple[Slot, ...], ...]


def show_all_hands(state: State) -> Shown:
    """`Game.show` of a game in which all hands are turned up to be counted."""
    return Shown(shown_hands(state.hands))


def shown_hands(hands: Sequence[Bag]) -> tuple[tuple[Slot, ...], ...]:
    """By seat, its remaining cards as public slots, ascending; all of a hand is BACK for a view that knows it in
    part."""
    shown = []
    for held in hands:
        known = held.cards if len(held.cards) == len(held) else (BACK,) * len(held)
        shown.append(tuple([Slot(card, PUBLIC) for card in known]))
    return tuple(shown)


def hands_turned_up(hands: Sequence[Bag], shown: Sequence[tuple[Slot, ...]]) -> tuple[Bag, ...]:
    """The hands after these cards were shown. Raises ValueError when a hand is known to be a different one."""
    for held, slots in zip(hands, shown, strict=True):
        cards = [slot.card for slot in slots]
        if len(cards) != len(held) or BACK in cards or not set(held.cards) <= set(cards):
            raise _wrong_hand_error(held)
    return tuple([make_bag(held.owner, slots) for held, slots in zip(hands, shown, strict=True)])


def _wrong_hand_error(held: Bag) -> ValueError:
    """The error for a shown hand that cannot be this one."""
    return ValueError(f"seat {held.owner} shows a hand that it does not hold")


def show_part_of_hand(held: Bag, part: Callable[[Sequence[Card]], tuple[Card, ...]]) -> tuple[Slot, ...]:
    """A slot for each card of a hand: first those shown, then face-down ones. part: which cards of a hand are shown,
    ascending. A view that does not know the whole hand does not know which they are."""
    cards = part(held.cards) if len(held.cards) == len(held) else ()
    return (*[Slot(card, PUBLIC) for card in cards], *[HIDDEN] * (len(held) - len(cards)))


def hand_with_part_shown(held: Bag, slots: Sequence[Slot], part: Callable[[Sequence[Card]], tuple[Card, ...]]) -> Bag:
    """The hand after a part of it was shown and put back face up. Raises ValueError when the hand is known to be a
    different one, and when what is shown is not that part."""
    shown = [slot for slot in slots if slot.card]
    cards = tuple([slot.card for slot in shown])
    if len(slots) != len(held) or tuple(slots[: len(shown)]) != tuple([Slot(card, PUBLIC) for card in cards]):
        raise _wrong_hand_error(held)
    if part(cards) != cards:
        raise ValueError(f"seat {held.owner} reveals something that must stay hidden")
    return put_into_bag(take_out_of_bag(held, shown), shown)


def piles_in_hand(name: str, hands: Sequence[Bag]) -> tuple[Pile, ...]:
    """A pile of this name for each hand that has cards everybody knows."""
    known = [tuple([slot for slot in held.slots if slot.eyes & PUBLIC]) for held in hands]
    return tuple(
        [
            Pile(name, slots, held.owner, spread=True, kind="melds")
            for held, slots in zip(hands, known, strict=True)
            if slots
        ]
    )
