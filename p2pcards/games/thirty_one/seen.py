"""Thirty-one, read for a search."""

from __future__ import annotations

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import PUBLIC
from p2pcards.games.deals.bits import BIT
from p2pcards.games.deals.worlds import Room
from p2pcards.games.game import Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.games.thirty_one.deal import (
    BLITZ,
    DRAW,
    KNOCK,
    NO_CARD,
    NOBODY,
    STAND,
    STOCK,
    TAKE,
    ThirtyOne,
    TurnedWorlds,
)
from p2pcards.games.thirty_one.rules import PACK, Action, Blitz, Discard, Draw, Knock, Stand, State, Take, legal


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""
    position = ThirtyOne(view.options.blitz == "any_31", list(view.scores), 0)
    position.stand(
        first=position.next(view.dealer or 0),
        turn=seat,
        drawn=view.drawn,
        taken=NO_CARD if view.taken is None else number_of(view.taken),
        turns=view.turns,
        knocker=NOBODY if view.knocker is None else view.knocker,
        discards=[number_of(slot.card) for slot in view.discards],
    )
    for other, held in enumerate(view.hands):
        for slot in held.slots:
            if slot.card:
                position.hold(other, number_of(slot.card))
            if slot.eyes & PUBLIC:
                position.shown[other] |= BIT[number_of(slot.card)]
    hidden = [slot for slot in view.stock if not slot.card]
    position.stand(opened=any(slot.eyes & PUBLIC for slot in view.stock))
    for slot in view.stock:
        if slot.card:
            position.hold(STOCK, number_of(slot.card))
    known = {slot.card for slot in (*view.stock, *view.discards)}
    known |= {card for held in view.hands for card in held.cards}
    rooms = [Room(other, len(held) - len(held.cards)) for other, held in enumerate(view.hands)]
    rooms.append(Room(STOCK, len(hidden)))
    worlds = TurnedWorlds(
        [number_of(card) for card in PACK if card not in known], [room for room in rooms if room.size]
    )
    return Reading(position, worlds, legal(view, seat), moves)


def moves(action: Action) -> list[int]:
    """What a turn begins with, or the card that is discarded."""
    match action:
        case Draw():
            return [DRAW]
        case Take():
            return [TAKE]
        case Knock():
            return [KNOCK]
        case Stand():
            return [STAND]
        case Blitz(card=None):
            return [BLITZ]
        case Discard(card=Card() as card) | Blitz(card=Card() as card):
            return [number_of(card)]
    raise AssertionError(action)


def number_of(card: Card) -> int:
    """A card as the kernel counts it."""
    return card.suit * 13 + card.rank - 2
