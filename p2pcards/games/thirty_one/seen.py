"""Thirty-one, read for a search."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import PUBLIC
from p2pcards.games.deals.bits import BIT
from p2pcards.games.deals.race import SURE
from p2pcards.games.deals.worlds import Room
from p2pcards.games.drawing import Discard, Draw, Knock, Take
from p2pcards.games.game import Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.games.thirty_one.deal import (
    BLITZ,
    DRAW,
    KNOCK,
    NO_CARD,
    NOBODY,
    SEATS,
    STAND,
    STOCK,
    TAKE,
    ThirtyOne,
    TurnedWorlds,
)
from p2pcards.games.thirty_one.rules import PACK, Action, Blitz, Stand, State, legal


def read(view: State, seat: Seat) -> Reading:
    position = ThirtyOne(view.options.blitz == "any_31", list(view.scores), 0)
    position.set_stage(
        first=position.next_player(view.dealer or 0),
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
                position.place_card(other, number_of(slot.card))
            if slot.eyes & PUBLIC:
                position.shown[other] |= BIT[number_of(slot.card)]
    hidden = [slot for slot in view.stock if not slot.card]
    position.set_stage(odds=odds_to_win(tuple(view.scores)))
    position.set_stage(opened=any(slot.eyes & PUBLIC for slot in view.stock))
    for slot in view.stock:
        if slot.card:
            position.place_card(STOCK, number_of(slot.card))
    known = {slot.card for slot in (*view.stock, *view.discards)}
    known |= {card for held in view.hands for card in held.cards}
    rooms = [Room(other, len(held) - len(held.cards)) for other, held in enumerate(view.hands)]
    rooms.append(Room(STOCK, len(hidden)))
    worlds = TurnedWorlds(
        [number_of(card) for card in PACK if card not in known], [room for room in rooms if room.size]
    )
    return Reading(position, worlds, legal(view, seat), moves)


MANY = 5


@cache
def odds_to_win(scores: tuple[int, ...]) -> list[int]:
    """Each seat's chance to win, in the form of `ThirtyOne.odds`; none while somebody has many points. scores: of the
    seats, below 0 for who is out."""
    if max(scores) > MANY:
        return []
    before = [seat for seat in range(SEATS) if scores[seat] >= 0]
    return [
        int(
            SURE
            * _chance_to_be_last(
                tuple([scores[other] - (losers >> other & 1) for other in range(SEATS)]), seat, len(before)
            )
        )
        if seat in before
        else 0
        for seat in range(SEATS)
        for losers in range(1 << SEATS)
    ]


@cache
def _chance_to_be_last(scores: tuple[int, ...], seat: Seat, before: int) -> Fraction:
    """Chance of a seat to be the last one left, when each who is in is as likely as the others to lose the next point;
    those who go out together, and leave nobody, share the win. before: how many were in."""
    left = [other for other in range(SEATS) if scores[other] >= 0]
    if len(left) < 2:
        return Fraction(seat in left) if left else Fraction(1, before)
    after = [tuple([score - (other == loser) for other, score in enumerate(scores)]) for loser in left]
    return sum([_chance_to_be_last(each, seat, len(left)) for each in after], Fraction()) / len(left)


def moves(action: Action) -> list[int]:
    """The moves that make up this action: what a turn begins with, or the card that is discarded."""
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
