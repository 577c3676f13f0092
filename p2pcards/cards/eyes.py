"""Who has seen which card: slots, bags, and the one place where hidden things are taken out.

Eyes are a bit mask: DEALER, PUBLIC and one bit per seat. A slot is a card and the eyes that have seen it; the dealer
has seen every card, so that bit is never stored in a slot. A viewer is a mask too: the coordinator looks through both
DEALER and PUBLIC, a seat through PUBLIC and its own eye, a watcher through PUBLIC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, lru_cache
from operator import is_
from typing import Any, NamedTuple, Protocol, TypeVar, cast, get_args, get_type_hints

from p2pcards.cards.card import BACK, BYTES, Card, Suit, cards_of

DEALER = 1
PUBLIC = 2
TRUTH = DEALER | PUBLIC

T = TypeVar("T")


def eye(seat: int) -> int:
    """The eye of a seat alone (0..3)."""
    return 4 << seat


def viewer(seat: int | None) -> int:
    """The eyes that a seat looks through; those of a watcher for None."""
    return PUBLIC if seat is None else PUBLIC | eye(seat)


class Slot(NamedTuple):
    """A place where a card lies, and who has seen it."""

    card: Card
    eyes: int = 0


HIDDEN = Slot(BACK, 0)
OPEN = tuple([Slot(card, PUBLIC) for card in BYTES])
"""The slot of each byte's card, face up."""
PLAIN = frozenset({int, bool, str, type(None), Suit})
"""The types that hold no slot, and are not looked into."""
SLOTLESS = (int, str, type(None))
"""What is declared to be one of these, or of a kind of them, holds no slot."""


@dataclass(frozen=True, slots=True)
class Bag:
    """Cards that an owner (a seat) holds in no order: a hand, or cards laid away. Always sorted, or a gap in the order
    would tell a rank."""

    owner: int
    slots: tuple[Slot, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that this view knows."""
        return tuple([slot.card for slot in self.slots if slot.card])

    def __len__(self) -> int:
        return len(self.slots)


class Lying(Protocol):
    """A deal that is kept in masks: of a pack that has each card once, where it lies and who has seen it."""

    hidden: list[int]
    """By place, how many cards lie there that this view does not know."""
    seen: list[int]
    """The cards that everybody has seen, then by seat those that it has."""

    def places(self) -> list[int]:
        """By place, the cards that this view knows to lie there."""

    def lying(self, places: list[int], hidden: list[int], seen: list[int]) -> Lying:
        """The same deal with the cards so."""


L = TypeVar("L", bound=Lying)


@cache
def in_masks(kind: type) -> bool:
    """Whether it is a `Lying`."""
    return hasattr(kind, "lying")


def slots_at(deal: Lying, mask: int, hidden: int) -> tuple[Slot, ...]:
    """What lies in a place of a deal, as slots: the hidden cards, and then the others, ascending."""
    eyes = 0
    for number, seen in enumerate(deal.seen):
        if here := seen & mask:
            if here != mask:
                return (*[HIDDEN] * hidden, *[Slot(card, eyes_on(deal, card)) for card in cards_of(mask)])
            eyes |= PUBLIC << number
    return _seen_alike(mask, eyes, hidden)


def eyes_on(deal: Lying, card: Card) -> int:
    """The eyes that have seen this card of a deal."""
    return sum([PUBLIC << number for number, seen in enumerate(deal.seen) if seen >> card & 1])


@lru_cache(maxsize=1024)
def _seen_alike(mask: int, eyes: int, hidden: int) -> tuple[Slot, ...]:
    """Kept, as a hand is asked for again and again."""
    return (*[HIDDEN] * hidden, *[Slot(card, eyes) for card in cards_of(mask)])


def in_mask(slots: Iterable[Slot], seen: list[int]) -> int:
    """The cards of some slots that are known, as a mask; it is entered in `seen` who has seen them."""
    mask = 0
    for card, eyes in slots:
        if card:
            bit = 1 << card
            mask |= bit
            if eyes & (eyes - 1):
                for number in range(len(seen)):
                    if eyes & PUBLIC << number:
                        seen[number] |= bit
            elif eyes:
                seen[eyes.bit_length() - 2] |= bit
    return mask


def moved(deal: L, source: int, target: int, slots: Iterable[Slot]) -> L:
    """The deal after these slots went from one place to another. A seat that did not see what left forgets what it knew
    of the rest, as in `leave`. Raises ValueError for a card that cannot have lain there."""
    places, hidden, seen = deal.places(), list(deal.hidden), list(deal.seen)
    for card, eyes in slots:
        bit = 1 << card if card else 0
        if not places[source] & bit:  # a card that this view knew there as one of the hidden ones
            if card and not hidden[source]:
                raise ValueError(f"{card} is not there")
            hidden[source] -= 1
        places[source] &= ~bit
        rest = places[source]
        if not card:
            hidden[source] += rest.bit_count()
            hidden[target] += 1
            places[source] = 0
        open_rest = seen[0] & rest
        for number in range(len(seen)):
            knows = eyes & PUBLIC << number
            if not eyes & PUBLIC:
                seen[number] = seen[number] | open_rest if knows and number else seen[number] & ~rest
            seen[number] = seen[number] | bit if knows else seen[number] & ~bit
        places[target] |= bit
    return cast(L, deal.lying(places, hidden, seen))


def bag(owner: int, slots: Iterable[Slot]) -> Bag:
    return Bag(owner, tuple(sorted(slots)))


def could_hold(held: Bag, card: Card) -> bool:
    """Whether the card is, or for this view might be, in the bag."""
    return any(slot.card == card or not slot.card for slot in held.slots)


def enter(held: Bag, slots: Iterable[Slot]) -> Bag:
    """The bag after these slots came into it."""
    return bag(held.owner, (*held.slots, *slots))


def leave(held: Bag, gone: Iterable[Slot]) -> Bag:
    """The bag after these slots left it.

    A seat that did not see what left forgets what it knew of the rest: once a card has left, unseen, a hand of one
    known queen and one unknown card, nothing of that hand is known any more.
    """
    rest = list(held.slots)
    for slot in gone:
        if not slot.card:
            rest = [HIDDEN] * (len(rest) - 1)
            continue
        cards = [other.card for other in rest]
        del rest[cards.index(slot.card if slot.card in cards else BACK)]
        if not slot.eyes & PUBLIC:
            rest = [_narrow(other, slot.eyes) for other in rest]
    return Bag(held.owner, tuple(sorted(rest)))


def _narrow(slot: Slot, eyes: int) -> Slot:
    """The slot as those who have these eyes still know it; all of them had seen what is public."""
    if not slot.card:
        return slot
    return Slot(slot.card, eyes if slot.eyes & PUBLIC else slot.eyes & eyes)


def face_up(slot: Slot) -> Slot:
    """The slot turned face up. Who had seen it before is forgotten: it would tell where the card has been."""
    return Slot(slot.card, PUBLIC)


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """The names of the fields of a dataclass in declared order; none for any other type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


@cache
def holders(kind: type) -> tuple[str, ...]:
    """The names of those fields in which a slot can lie, by what they are declared to hold: few of a state."""
    declared = get_type_hints(kind) if is_dataclass(kind) else {}
    return tuple([name for name in field_names(kind) if _can_hold(declared[name])])


@cache
def is_bare(kind: type) -> bool:
    """Whether it is a dataclass that looks the same to everybody."""
    return is_dataclass(kind) and kind not in (Slot, Bag) and not holders(kind) and "eyes" not in field_names(kind)


def _can_hold(declared: Any) -> bool:
    if inner := get_args(declared):
        return any(_can_hold(one) for one in inner if one is not ...)
    if not isinstance(declared, type) or declared in (Slot, Bag):
        return True
    return is_dataclass(declared) or not issubclass(declared, SLOTLESS)  # a kind of the dataclass may have more fields


def redact(thing: T, eyes: int) -> T:
    """A state, an event or any part of one as these eyes see it.

    Every card that they have not seen becomes BACK in a slot without eyes; bags are sorted again; the field ``eyes``
    of a state becomes the eyes given. This is the only place where anything is hidden.
    """
    return cast(T, _redact(thing, eyes))


def _redact(thing: Any, eyes: int) -> Any:
    kind: type = type(thing)
    if kind is tuple:
        seen = [
            part if type(part) in PLAIN or (type(part) is Slot and eyes & (part.eyes | DEALER)) else _redact(part, eyes)
            for part in thing
        ]
        return thing if all(map(is_, seen, thing)) else tuple(seen)
    if kind is Bag:
        return bag(thing.owner, [slot if eyes & (slot.eyes | DEALER) else HIDDEN for slot in thing.slots])
    if kind is Slot:
        return thing if eyes & (thing.eyes | DEALER) else HIDDEN
    if in_masks(kind):
        return thing if eyes & DEALER else _redact_masks(thing, eyes)
    if not (names := holders(kind)):
        return thing
    changes: dict[str, Any] = {"eyes": eyes} if "eyes" in field_names(kind) else {}
    for name in names:
        part = getattr(thing, name)
        kept: type = type(part)
        if kept in PLAIN or is_bare(kept):
            continue
        if (new := _redact(part, eyes)) is not part:
            changes[name] = new
    return _changed(thing, changes) if changes else thing


def _redact_masks(deal: Lying, eyes: int) -> Lying:
    """Every card that these eyes have not seen becomes one more that is hidden in its place."""
    known = 0
    for number, mask in enumerate(deal.seen):
        if eyes & PUBLIC << number:
            known |= mask
    places = deal.places()
    hidden = [there + (mask & ~known).bit_count() for mask, there in zip(places, deal.hidden, strict=True)]
    return deal.lying([mask & known for mask in places], hidden, [mask & known for mask in deal.seen])


def _changed(thing: Any, changes: dict[str, Any]) -> Any:
    """What `replace` gives, made quickly: nothing is done as often."""
    if not hasattr(thing, "__dict__"):  # a dataclass with slots, which is small
        return replace(thing, **changes)
    new = object.__new__(type(thing))
    new.__dict__.update(thing.__dict__, **changes)
    return new


def slots_of(thing: object) -> list[Slot]:
    """Every slot of a state or an event, in the order of its fields."""
    found: list[Slot] = []
    _gather(thing, found)
    return found


def _gather(thing: Any, found: list[Slot]) -> None:
    kind: type = type(thing)
    if kind is Slot:
        found.append(thing)
    elif kind is Bag:
        found += thing.slots
    elif kind is tuple:
        for part in thing:
            if type(part) is Slot:
                found.append(part)
            elif type(part) not in PLAIN:
                _gather(part, found)
    elif in_masks(kind):
        for mask, hidden in zip(thing.places(), thing.hidden, strict=True):
            found += slots_at(thing, mask, hidden)
    else:
        for name in holders(kind):
            _gather(getattr(thing, name), found)


def faces_of(thing: object) -> list[Card]:
    """The faces of the cards that are seen in a state or an event, in the order of its slots, of which none is made:
    each record asks for them."""
    found: list[Card] = []
    _gather_faces(thing, found)
    return found


def _gather_faces(thing: Any, found: list[Card]) -> None:
    kind: type = type(thing)
    if kind is Slot:
        found += [thing.card.face] if thing.card else []
    elif kind is Bag:
        found += [slot.card.face for slot in thing.slots if slot.card]
    elif kind is tuple:
        for part in thing:
            if type(part) not in PLAIN:
                _gather_faces(part, found)
    elif in_masks(kind):
        for mask in thing.places():
            found += _faces_in(mask)
    else:
        for name in holders(kind):
            _gather_faces(getattr(thing, name), found)


@lru_cache(maxsize=1024)
def _faces_in(mask: int) -> tuple[Card, ...]:
    return tuple([card.face for card in cards_of(mask)])


def refill(thing: T, slots: Iterable[Slot]) -> T:
    """The same thing with its slots, in the order of `slots_of`, exchanged for these."""
    return cast(T, _refill(thing, iter(slots)))


def _refill(thing: Any, slots: Iterator[Slot]) -> Any:
    kind: type = type(thing)
    if kind is Slot:
        return next(slots)
    if kind is tuple:
        return tuple([part if type(part) in PLAIN else _refill(part, slots) for part in thing])
    if kind is Bag:
        return bag(thing.owner, [next(slots) for _ in thing.slots])
    if in_masks(kind):
        return _refill_masks(thing, slots)
    changes = {name: _refill(getattr(thing, name), slots) for name in holders(kind)}
    return _changed(thing, changes) if changes else thing


def _refill_masks(deal: Lying, slots: Iterator[Slot]) -> Lying:
    seen = [0] * len(deal.seen)
    places, hidden = [], []
    for mask, there in zip(deal.places(), deal.hidden, strict=True):
        now = [next(slots) for _ in range(there + mask.bit_count())]
        places.append(in_mask(now, seen))
        hidden.append(len(now) - places[-1].bit_count())
    return deal.lying(places, hidden, seen)
