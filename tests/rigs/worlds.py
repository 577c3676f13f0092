"""Worlds that could be behind a view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import (
    PLAIN,
    TRUTH,
    Bag,
    Slot,
    eye_of_seat,
    fields_with_slots,
    is_deal_in_masks,
    redact,
    replace_slots,
    slots_of,
)
from p2pcards.games.euchre.deal import LAID, Euchre

T = TypeVar("T")


def determinize(view: T, pack: Sequence[Card], rng: Random) -> T:
    """A full state that could be behind a view, every hidden slot given one of the cards of the pack not seen in it.

    A card whose place the view knows stays there. Raises ValueError when the cards and the slots do not add up.
    """
    unseen = list((Counter(pack) - Counter([slot.card.face for slot in slots_of(view) if slot.card])).elements())
    owners = _owners_of_hidden(view)
    if len(unseen) != len(owners):
        raise ValueError(f"{len(unseen)} cards are unseen but {len(owners)} slots hide one")
    rng.shuffle(unseen)
    hidden = iter(
        [Slot(card, 0 if owner is None else eye_of_seat(owner)) for card, owner in zip(unseen, owners, strict=True)]
    )
    world = replace_slots(view, [slot if slot.card else next(hidden) for slot in slots_of(view)])
    return redact(world, TRUTH)


def _owners_of_hidden(view: object) -> list[int | None]:
    """Whose bag each hidden slot is in, in the order of `slots_of`; None for a slot in no bag."""
    found: list[int | None] = []
    _gather(view, None, found)
    return found


def _gather(thing: Any, owner: int | None, found: list[int | None]) -> None:
    kind: type = type(thing)
    if kind is Slot:
        if not thing.card:
            found.append(owner)
    elif kind is tuple:
        for part in thing:
            if type(part) not in PLAIN:
                _gather(part, owner, found)
    elif is_deal_in_masks(kind):
        seats = len(thing.seen) - 1
        for place, number in enumerate(thing.hidden):  # after the hands lies what each has laid away, or the stock
            mine = place < seats or hasattr(thing, "passed")
            laid = isinstance(thing, Euchre) and place == LAID
            found += [thing.dealer if laid else place % seats if mine else None] * number
    else:
        inner = thing.owner if kind is Bag else owner
        for name in fields_with_slots(kind):
            _gather(getattr(thing, name), inner, found)
