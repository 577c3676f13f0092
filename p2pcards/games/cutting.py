"""Cutting, as functions that a game calls: somebody picks a place in a fan of cards, and the card there is turned up.

Who may pick is not for a game to say: the player who shuffles could know the cards (`Game.picks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import Field, dataclass
from typing import Any, ClassVar, Protocol, TypeVar

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import PUBLIC, Slot
from p2pcards.games.changing import changed
from p2pcards.games.game import IllegalAction, Pile, Remark, Seat

CUT_FIRST = "cut for the first deal: type cut, or cut and a number"


class CutState(Protocol):
    """What the state of a game has in which cards are cut."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def picked(self) -> bool:
        """Return whether the player who cuts picks a place; where False the next card is taken, whatever place is
        named."""


S = TypeVar("S", bound=CutState)


@dataclass(frozen=True, slots=True)
class Cut:
    # Among the cards that can be cut, from 1; None where nobody picks one, and the first of them is taken.
    place: int | None


@dataclass(frozen=True, slots=True)
class Fanned:
    """The draw pack in its order, face down."""

    draw: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class TurnedAt:
    """The card that a seat has cut."""

    seat: Seat
    place: int  # among those that it could cut, from 1
    card: Slot


def without_picking(state: S) -> S:
    """The state of a game in which nobody picks places: the next card is cut instead."""
    return changed(state, picked=False)


def picks_place(state: CutState, action: object) -> bool:
    """Return whether an action picks a place, and so which card comes."""
    return state.picked and isinstance(action, Cut) and action.place is not None


def fan_draw_pack(draw: Sequence[Card]) -> Fanned:
    """The event that lays the draw pack face down in a fan."""
    return Fanned(tuple([Slot(card, 0) for card in draw]))


def cuts_of_places(places: int) -> tuple[Cut, ...]:
    """Every way to cut a fan of so many cards."""
    return (Cut(None), *[Cut(place) for place in range(1, places + 1)])


def verify_place(place: int, places: int) -> None:
    """Raise IllegalAction unless the fan has such a place."""
    if not 1 <= place <= places:
        raise IllegalAction(f"pick a place from 1 to {places}")


def turn_up_at(fan: Sequence[Slot], seat: Seat, cut: Cut) -> TurnedAt:
    """The event that turns up the card a seat has cut."""
    place = 1 if cut.place is None else cut.place
    return TurnedAt(seat, place, Slot(fan[place - 1].card, PUBLIC))


def fan_without(fan: tuple[Slot, ...], event: TurnedAt) -> tuple[Slot, ...]:
    """The cards of a fan that have not been cut. Raises ValueError for a card that cannot be there."""
    if not 1 <= event.place <= len(fan) or not event.card.card:
        raise ValueError(f"there is no card to cut at place {event.place}")
    if fan[event.place - 1].card not in (BACK, event.card.card):
        raise ValueError(f"{event.card.card} isn't the card at place {event.place}")
    return (*fan[: event.place - 1], *fan[event.place :])


def cut_saying(cut: Cut, what: str) -> str:
    """What the player says with a cut, such as ``cut at 12 for the starter``."""
    return f"cut for {what}" if cut.place is None else f"cut at {cut.place} for {what}"


def fan_piles(fan: tuple[Slot, ...], drawn: tuple[Slot, ...], seats: int) -> list[Pile]:
    """The fan that is cut for the first deal, and what each seat has cut, as piles. drawn: in turn, seat 0 first."""
    piles = [Pile("cut", drawn[seat::seats], seat, spread=True) for seat in range(seats) if drawn[seat::seats]]
    return [*([Pile("fan", fan)] if fan else []), *piles]


def cut_remarks(event: TurnedAt, again: bool) -> tuple[Remark, ...]:
    """Remarks said aloud of a card cut for the first deal. again: the cards of all seats tie."""
    turned = Remark(event.seat, f"turn up {event.card.card}")
    return (turned, Remark(None, "the cards tie, so cut again")) if again else (turned,)
