"""What travels of an event beyond the action.

Everybody makes the event from their own view with `decide`, `deal` or `show`; what that leaves open is added: the
outcome for everybody, the faces for one seat.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import PUBLIC, Slot, redact, replace_slots, slots_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

E = TypeVar("E", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What everybody learns of an event beyond the action: cards by their place among the slots of the event, and the
    seats that a view leaves None, by their place among the fields."""

    cards: tuple[tuple[int, Card], ...] = ()
    values: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        """Return whether there is anything in it."""
        return bool(self.cards or self.values)


NO_OUTCOME = Outcome()


class WrongFaces(ValueError):
    """What was sent with an event does not fit the event."""


def public_outcome(event: DataclassInstance, as_watched: DataclassInstance) -> Outcome:
    """What everybody learns of an event beyond `as_watched`, the event as a watcher's own `decide` gave it."""
    if event == as_watched:
        return NO_OUTCOME
    pairs = zip(slots_of(event), slots_of(as_watched), strict=True)
    cards = [(i, slot.card) for i, (slot, seen) in enumerate(pairs) if slot.eyes & PUBLIC and not seen.card]
    truth = [getattr(event, field.name) for field in fields(event)]
    values = [(i, truth[i]) for i in _open_fields(as_watched) if truth[i] is not None]
    return Outcome(tuple(cards), tuple(values))


def private_faces(event: DataclassInstance, as_seen: DataclassInstance, eyes: int) -> tuple[Card, ...]:
    """The cards that these eyes alone learn of an event beyond `as_seen`, which already has the outcome."""
    pairs = zip(slots_of(event), slots_of(as_seen), strict=True)
    return tuple([slot.card for slot, seen in pairs if seen.eyes & eyes and not seen.card])


def add_outcome(event: E, outcome: Outcome, seats: int) -> E:
    """A view's own event completed by what everybody learns. Raises WrongFaces when that cannot be, or contradicts what
    the view knows."""
    if not outcome:
        return event
    slots = list(slots_of(event))
    for place, card in outcome.cards:
        if not 0 <= place < len(slots) or slots[place].card not in (BACK, card):
            raise WrongFaces(f"the outcome puts {card} where it cannot be")
        slots[place] = Slot(card, PUBLIC)
    names = [field.name for field in fields(event)]
    for place, seat in outcome.values:
        there = 0 <= place < len(names) and 0 <= seat < seats
        if not there or getattr(event, names[place]) not in (None, seat):
            raise WrongFaces("the outcome contradicts what is known")
    values: dict[str, Any] = {names[place]: seat for place, seat in outcome.values}
    return replace(replace_slots(event, slots), **values)


def add_faces(event: E, faces: tuple[Card, ...], eyes: int) -> E:
    """The event as these eyes see it, completed by the cards that only they were shown. Raises WrongFaces when their
    number is wrong."""
    slots = slots_of(event)
    if not faces and all(slot.card for slot in slots):
        return event
    lacking = [i for i, slot in enumerate(slots) if slot.eyes & eyes and not slot.card]
    if len(lacking) != len(faces):
        raise WrongFaces(f"{len(faces)} faces came where {len(lacking)} are due")
    for place, card in zip(lacking, faces, strict=True):
        slots[place] = Slot(card, slots[place].eyes)
    return redact(replace_slots(event, slots), eyes)


def _open_fields(event: DataclassInstance) -> list[int]:
    """The indexes of the fields of an event, other than slots, that are None."""
    return [place for place, field in enumerate(fields(event)) if getattr(event, field.name) is None]
