"""Dealing, as functions that a game calls: who deals first, from one card (D-GEN-1) or from a card for each of two
seats, and one card at a time from eldest (D-GEN-2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol, Self, TypeVar

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import PUBLIC, TRUTH, Bag, Slot, enter_into_masks, eye_of_seat, make_bag
from p2pcards.games.changing import changed
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.game import Seat, Stage, State

NOT_ONE_UP = "only the card after the hands should be turned up"


@dataclass(frozen=True, slots=True)
class DealerDrawn:
    """The first card of the draw pack, turned up: it names who deals the first hand of a game."""

    card: Slot


@dataclass(frozen=True, slots=True)
class Dealt:
    """The shuffled pack in its order."""

    pack: tuple[Slot, ...]


@dataclass(frozen=True)
class StateInTurn:
    """The first fields of the state of a game in which the deal passes from seat to seat."""

    options: Any
    _: KW_ONLY
    eyes: int = TRUTH
    stage: Stage = Stage.DEAL
    to_act: tuple[Seat, ...] = ()
    hand: int = 0
    dealer: Seat | None = None
    first_dealer: Seat | None = None

    @classmethod
    def start(cls, options: Any, first_dealer: Seat | None) -> Self:
        """The state of a new game before its first deal; first_dealer: None to draw for the deal."""
        return cls(options, dealer=first_dealer, first_dealer=first_dealer)


class InTurn(State, Protocol):
    """A state of a game in which the first deal passes from seat to seat."""

    @property
    def first_dealer(self) -> Seat | None: ...


D = TypeVar("D", bound=InTurn)


def next_first_dealer(state: InTurn) -> Seat:
    """The seat that deals first in the next game of the same players: the one after."""
    return ((state.first_dealer or 0) + 1) % len(state.scores)


def draw_dealer(draw: Sequence[Card]) -> DealerDrawn:
    """The event that turns up the first card of the draw pack, to choose the first dealer."""
    return DealerDrawn(Slot(draw[0], PUBLIC))


def drawn_dealer(event: DealerDrawn, pack: Sequence[Card], seats: int) -> int | None:
    """The seat that this draw makes dealer: the place of the card in the unshuffled pack, modulo the number of seats;
    None if a view does not know the card."""
    return None if event.card.card == BACK else pack.index(event.card.card) % seats


def after_dealer_drawn(state: D, event: DealerDrawn, pack: Sequence[Card]) -> D:
    """The state with the dealer drawn, who deals first."""
    dealer = drawn_dealer(event, pack, len(state.scores))
    return changed(state, dealer=dealer, first_dealer=dealer)


def draw_until_ranks_differ(draw: Sequence[Card], rank: Callable[[Card], int]) -> tuple[Slot, ...]:
    """The draw pack as slots, with a card for each of two seats face up, and two more after each pair of equal rank. A
    view turns up the first two."""
    drawn = 2
    while drawn < len(draw) and draw[drawn - 1] and rank(draw[drawn - 2]) == rank(draw[drawn - 1]):
        drawn += 2
    return tuple([Slot(card, PUBLIC if place < drawn else 0) for place, card in enumerate(draw)])


def last_two_drawn(slots: Sequence[Slot], rank: Callable[[Card], int]) -> tuple[Card, Card]:
    """The last two cards turned up by `draw_until_ranks_differ`, by seat. Raises ValueError when others are face up."""
    drawn = [slot.card for slot in slots if slot.eyes & PUBLIC]
    if len(drawn) % 2 or not drawn or BACK in drawn or [slot.card for slot in slots[: len(drawn)]] != drawn:
        raise ValueError("the first two cards of the draw pack should be drawn")
    level = [rank(one) == rank(other) for one, other in zip(drawn[::2], drawn[1::2], strict=True)]
    if not all(level[:-1]) or (level[-1] and len(drawn) < len(slots)):
        raise ValueError("two more cards should be drawn after a tie, and only then")
    return drawn[-2], drawn[-1]


def verify_top_card(top: Slot, card: Card) -> None:
    """Raise ValueError if another card is known to be on top of the stock."""
    if top.card not in (BACK, card):
        raise ValueError(f"the top card of the stock is {top.card}")


def dealt_slots(pack: Sequence[Card], seats: int, dealer: int, each: int) -> tuple[Slot, ...]:
    """The shuffled pack as slots: seats * each cards seen by the seats they go to, then the rest, seen by nobody."""
    owners = [(dealer + 1 + i) % seats for i in range(seats)]
    dealt = seats * each
    return tuple([Slot(card, eye_of_seat(owners[i % seats]) if i < dealt else 0) for i, card in enumerate(pack)])


def dealt_with_upcard(pack: Sequence[Card], seats: int, dealer: int, each: int) -> Dealt:
    """The event that deals so many cards to each seat, and turns up the next."""
    slots, place = dealt_slots(pack, seats, dealer, each), seats * each
    return Dealt((*slots[:place], Slot(pack[place], PUBLIC), *slots[place + 1 :]))


def set_dealt_cards(deal: KeptDeal, slots: Sequence[Slot], dealer: int, each: int) -> None:
    """Put the cards into a deal kept in masks as `dealt_slots` deals them: by seat, then the rest."""
    seen = [0] * len(deal.seen)
    seats = len(seen) - 1
    dealt = [slots[(seat - dealer - 1) % seats : seats * each : seats] for seat in range(seats)]
    dealt.append(slots[seats * each :])
    dealt += [()] * (len(deal.hidden) - len(dealt))
    masks = [enter_into_masks(lying, seen) for lying in dealt]
    deal.set_cards(masks, [len(lying) - mask.bit_count() for lying, mask in zip(dealt, masks, strict=True)], seen)


def dealt_hands(slots: Sequence[Slot], seats: int, dealer: int, each: int) -> tuple[Bag, ...]:
    """The hands dealt by `dealt_slots`, by seat."""
    return tuple([make_bag(seat, slots[(seat - dealer - 1) % seats : seats * each : seats]) for seat in range(seats)])
