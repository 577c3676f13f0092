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

from p2pcards.cards.card import BACK, BYTES, Card, Suit, cards_of_mask

DEALER = 1
PUBLIC = 2
TRUTH = DEALER | PUBLIC

T = TypeVar("T")


def eye_of_seat(seat: int) -> int:
    """The eye bit of a seat (0..3)."""
    return 4 << seat


def eyes_of_viewer(seat: int | None) -> int:
    """The eyes of a seat, which include the public ones; those of a watcher for None."""
    return PUBLIC if seat is None else PUBLIC | eye_of_seat(seat)


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
        """The cards in the bag that this view knows, sorted."""
        return tuple([slot.card for slot in self.slots if slot.card])

    def __len__(self) -> int:
        """How many cards are in the bag, hidden ones included."""
        return len(self.slots)


class Lying(Protocol):
    """A deal that is kept in masks: of a pack that has each card once, where it lies and who has seen it."""

    hidden: list[int]
    """By place, how many cards lie there that this view does not know."""
    seen: list[int]
    """The cards that everybody has seen, then by seat those that it has."""

    def known_cards_by_place(self) -> list[int]:
        """By place, a mask of the cards that this view knows to lie there."""

    def with_cards(self, places: list[int], hidden: list[int], seen: list[int]) -> Lying:
        """A copy of the deal with these cards, hidden counts and seen masks."""


L = TypeVar("L", bound=Lying)


@cache
def is_deal_in_masks(kind: type) -> bool:
    """Return whether a type keeps a deal in masks, as `Lying` describes."""
    return hasattr(kind, "with_cards")


def slots_in_place(deal: Lying, mask: int, hidden: int) -> tuple[Slot, ...]:
    """The cards in a place of a deal as slots: hidden ones first, then the known ones, ascending."""
    eyes = 0
    for number, seen in enumerate(deal.seen):
        if here := seen & mask:
            if here != mask:
                return (*[HIDDEN] * hidden, *[Slot(card, eyes_that_saw(deal, card)) for card in cards_of_mask(mask)])
            eyes |= PUBLIC << number
    return _slots_seen_alike(mask, eyes, hidden)


def eyes_that_saw(deal: Lying, card: Card) -> int:
    """The eyes that have seen this card of a deal."""
    return sum([PUBLIC << number for number, seen in enumerate(deal.seen) if seen >> card & 1])


@lru_cache(maxsize=1024)
def _slots_seen_alike(mask: int, eyes: int, hidden: int) -> tuple[Slot, ...]:
    """Slots, with the same eyes, of hidden cards and of a mask of known ones; cached, as hands are read often."""
    return (*[HIDDEN] * hidden, *[Slot(card, eyes) for card in cards_of_mask(mask)])


def enter_into_masks(slots: Iterable[Slot], seen: list[int]) -> int:
    """A mask of the cards known in some slots; also adds to the masks in `seen` who has seen them."""
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


def move_slots(deal: L, source: int, target: int, slots: Iterable[Slot]) -> L:
    """The deal after these slots went from one place to another. A seat that did not see what left forgets what it knew
    of the rest, as in `take_out_of_bag`. Raises ValueError for a card that cannot have lain there."""
    places, hidden, seen = deal.known_cards_by_place(), list(deal.hidden), list(deal.seen)
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
    return cast(L, deal.with_cards(places, hidden, seen))


def make_bag(owner: int, slots: Iterable[Slot]) -> Bag:
    """A bag of these slots, sorted."""
    return Bag(owner, tuple(sorted(slots)))


def could_hold(held: Bag, card: Card) -> bool:
    """Return whether the card is in the bag, or might be as far as this view knows."""
    return any(slot.card == card or not slot.card for slot in held.slots)


def put_into_bag(held: Bag, slots: Iterable[Slot]) -> Bag:
    """The bag with these slots added."""
    return make_bag(held.owner, (*held.slots, *slots))


def take_out_of_bag(held: Bag, gone: Iterable[Slot]) -> Bag:
    """The bag without these slots. A seat that did not see what left forgets what it knew of the rest: once a card has
    left, unseen, a hand of one known queen and one unknown card, nothing of that hand is known any more."""
    rest = list(held.slots)
    for slot in gone:
        if not slot.card:
            rest = [HIDDEN] * (len(rest) - 1)
            continue
        cards = [other.card for other in rest]
        del rest[cards.index(slot.card if slot.card in cards else BACK)]
        if not slot.eyes & PUBLIC:
            rest = [_narrow_eyes(other, slot.eyes) for other in rest]
    return Bag(held.owner, tuple(sorted(rest)))


def _narrow_eyes(slot: Slot, eyes: int) -> Slot:
    """The slot as these eyes still know it; they had all seen a public one."""
    if not slot.card:
        return slot
    return Slot(slot.card, eyes if slot.eyes & PUBLIC else slot.eyes & eyes)


def turned_face_up(slot: Slot) -> Slot:
    """The slot with its card public. Who had seen it before is forgotten: it would tell where the card has been."""
    return Slot(slot.card, PUBLIC)


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields in declared order; () for any other type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


@cache
def fields_with_slots(kind: type) -> tuple[str, ...]:
    """The names of those fields of a dataclass whose declared types can hold a slot."""
    declared = get_type_hints(kind) if is_dataclass(kind) else {}
    return tuple([name for name in field_names(kind) if _type_can_hold_slot(declared[name])])


@cache
def has_no_slots(kind: type) -> bool:
    """Return whether a type is a dataclass without slots, which looks the same to everybody."""
    return (
        is_dataclass(kind)
        and kind not in (Slot, Bag)
        and not fields_with_slots(kind)
        and "eyes" not in field_names(kind)
    )


def _type_can_hold_slot(declared: Any) -> bool:
    """Return whether a declared type can hold a slot somewhere inside."""
    if inner := get_args(declared):
        return any(_type_can_hold_slot(one) for one in inner if one is not ...)
    if not isinstance(declared, type) or declared in (Slot, Bag):
        return True
    return is_dataclass(declared) or not issubclass(declared, SLOTLESS)  # a kind of the dataclass may have more fields


def redact(thing: T, eyes: int) -> T:
    """A state, an event or any part of one as these eyes see it.

    Every card that they have not seen becomes BACK in a slot without eyes; bags are sorted again; the field ``eyes``
    of a state becomes the eyes given. This is the only place where anything is hidden.
    """
    return cast(T, _redact_part(thing, eyes))


def _redact_part(thing: Any, eyes: int) -> Any:
    kind: type = type(thing)
    if kind is tuple:
        seen: list[Any] = []
        for part in thing:
            if type(part) is Slot:
                seen.append(part if eyes & (part.eyes | DEALER) else HIDDEN)
            else:
                seen.append(part if type(part) in PLAIN else _redact_part(part, eyes))
        return thing if all(map(is_, seen, thing)) else tuple(seen)
    if kind is Bag:
        return make_bag(thing.owner, [slot if eyes & (slot.eyes | DEALER) else HIDDEN for slot in thing.slots])
    if kind is Slot:
        return thing if eyes & (thing.eyes | DEALER) else HIDDEN
    if is_deal_in_masks(kind):
        return thing if eyes & DEALER else _redact_masks(thing, eyes)
    if not (names := fields_with_slots(kind)):
        return thing
    changes: dict[str, Any] = {"eyes": eyes} if "eyes" in field_names(kind) else {}
    for name in names:
        part = getattr(thing, name)
        kept: type = type(part)
        if kept in PLAIN or has_no_slots(kept):
            continue
        if (new := _redact_part(part, eyes)) is not part:
            changes[name] = new
    return _replace_fields(thing, changes) if changes else thing


def _redact_masks(deal: Lying, eyes: int) -> Lying:
    """Count every card that these eyes have not seen as hidden in its place."""
    known = 0
    for number, mask in enumerate(deal.seen):
        if eyes & PUBLIC << number:
            known |= mask
    places = deal.known_cards_by_place()
    hidden = [there + (mask & ~known).bit_count() for mask, there in zip(places, deal.hidden, strict=True)]
    return deal.with_cards([mask & known for mask in places], hidden, [mask & known for mask in deal.seen])


def _replace_fields(thing: Any, changes: dict[str, Any]) -> Any:
    """Like `dataclasses.replace`, made quickly."""
    if not hasattr(thing, "__dict__"):  # a dataclass with slots, which is small
        return replace(thing, **changes)
    new = object.__new__(type(thing))
    new.__dict__.update(thing.__dict__, **changes)
    return new


def slots_of(thing: object) -> list[Slot]:
    """Every slot in a state or an event, in the order of its fields."""
    found: list[Slot] = []
    _gather_slots(thing, found)
    return found


def _gather_slots(thing: Any, found: list[Slot]) -> None:
    """Append every slot inside a thing to `found`."""
    kind: type = type(thing)
    if kind is Slot:
        found.append(thing)
    elif kind is Bag:
        found += thing.slots
    elif kind is tuple:
        for part in thing:
            if type(part) is Slot:
                found.append(part)
            elif type(part) is Bag:
                found += part.slots
            elif type(part) not in PLAIN:
                _gather_slots(part, found)
    elif is_deal_in_masks(kind):
        for mask, hidden in zip(thing.known_cards_by_place(), thing.hidden, strict=True):
            found += slots_in_place(thing, mask, hidden)
    else:
        for name in fields_with_slots(kind):
            _gather_slots(getattr(thing, name), found)


def known_faces_in(thing: object) -> list[Card]:
    """The cards known in a state or an event, in the order of `slots_of`, found without making slots."""
    found: list[Card] = []
    _gather_faces(thing, found)
    return found


def _gather_faces(thing: Any, found: list[Card]) -> None:
    """Append every known card inside a thing to `found`."""
    kind: type = type(thing)
    if kind is tuple or kind is Bag:
        for part in thing.slots if kind is Bag else thing:
            if type(part) is Slot:
                if part.card:
                    found.append(BYTES[part.card & 63])
            elif type(part) not in PLAIN:
                _gather_faces(part, found)
    elif kind is Slot:
        _gather_faces((thing,), found)
    elif is_deal_in_masks(kind):
        for mask in thing.known_cards_by_place():
            found += _cards_of_mask(mask)
    else:
        for name in fields_with_slots(kind):
            _gather_faces(getattr(thing, name), found)


@lru_cache(maxsize=1024)
def _cards_of_mask(mask: int) -> tuple[Card, ...]:
    return tuple([card.face for card in cards_of_mask(mask)])


def replace_slots(thing: T, slots: Iterable[Slot]) -> T:
    """The same thing with its slots, in the order of `slots_of`, replaced by these."""
    return cast(T, _replace_part(thing, iter(slots)))


def _replace_part(thing: Any, slots: Iterator[Slot]) -> Any:
    kind: type = type(thing)
    if kind is Slot:
        return next(slots)
    if kind is tuple:
        return tuple([part if type(part) in PLAIN else _replace_part(part, slots) for part in thing])
    if kind is Bag:
        return make_bag(thing.owner, [next(slots) for _ in thing.slots])
    if is_deal_in_masks(kind):
        return _replace_slots_of_deal(thing, slots)
    changes = {name: _replace_part(getattr(thing, name), slots) for name in fields_with_slots(kind)}
    return _replace_fields(thing, changes) if changes else thing


def _replace_slots_of_deal(deal: Lying, slots: Iterator[Slot]) -> Lying:
    seen = [0] * len(deal.seen)
    places, hidden = [], []
    for mask, there in zip(deal.known_cards_by_place(), deal.hidden, strict=True):
        now = [next(slots) for _ in range(there + mask.bit_count())]
        places.append(enter_into_masks(now, seen))
        hidden.append(len(now) - places[-1].bit_count())
    return deal.with_cards(places, hidden, seen)
