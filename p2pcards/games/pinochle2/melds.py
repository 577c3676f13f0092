"""What may be melded at two-handed pinochle, as functions that its game calls and other programs may.

A meld is made of new cards, from the hand, and of cards that lie open since an earlier meld. A new card is named by its
face; an open one by its number among its equals (KH', KH''), so that the names tell which of two kings is meant.
"""

# Rules: rule sheet 12, from "MeggieSoft Pinochle"; D-2P-2 in `BARS`.

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from itertools import product

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.cards.eyes import PUBLIC, Slot
from p2pcards.games.pinochle_cards import ACE, JACK, KING, QUEEN, TEN


class Kind(IntEnum):
    DIX = 0
    PINOCHLE = 1
    MARRIAGE = 2
    SET = 3
    FLUSH = 4
    ROUNDHOUSE = 5


KIND_NAMES = {
    Kind.DIX: "a dix",
    Kind.PINOCHLE: "a pinochle",
    Kind.MARRIAGE: "a marriage",
    Kind.SET: "four of a rank",
    Kind.FLUSH: "a flush",
    Kind.ROUNDHOUSE: "a roundhouse",
}
BARS = {
    Kind.DIX: frozenset({Kind.DIX}),
    Kind.PINOCHLE: frozenset({Kind.PINOCHLE}),
    Kind.MARRIAGE: frozenset({Kind.MARRIAGE, Kind.FLUSH, Kind.ROUNDHOUSE}),
    Kind.SET: frozenset({Kind.SET, Kind.ROUNDHOUSE}),
    Kind.FLUSH: frozenset({Kind.FLUSH}),
    Kind.ROUNDHOUSE: frozenset({Kind.MARRIAGE, Kind.SET, Kind.FLUSH, Kind.ROUNDHOUSE}),
}
"""The kinds of meld after which a card may not be in a meld of this kind."""
SETS = ((JACK, "forty jacks", 40), (QUEEN, "sixty queens", 60), (KING, "eighty kings", 80), (ACE, "hundred aces", 100))
DIX, PINOCHLE, MARRIAGE, ROYAL, FLUSH = 10, 20, 20, 40, 150


@dataclass(frozen=True, slots=True)
class Pattern:
    """A meld by its cards."""

    kind: Kind
    name: str
    points: int
    cards: tuple[Card, ...]  # their faces in ascending order


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that lies open since it was melded, numbered among its equals before the same seat, and the kinds of meld
    that it has been used in, the first one first."""

    slot: Slot
    uses: tuple[Kind, ...]


Patterns = Mapping[tuple[Card, ...], Pattern]


@cache
def patterns(trump: Suit, lowest: int, queen: Suit, roundhouse: int) -> Patterns:
    """Every meld there is, by its cards.

    lowest: the rank of the dix; queen: the suit of the queen of the pinochle; roundhouse: what it scores, 0 for none.
    """
    found = [Pattern(Kind.DIX, "dix", DIX, (Card.of(lowest, trump),))]
    found.append(
        _pattern_of(Kind.PINOCHLE, "pinochle", PINOCHLE, [Card.of(JACK, Suit.DIAMONDS), Card.of(QUEEN, queen)])
    )
    for suit in SUITS:
        royal = suit == trump
        name = "royal marriage" if royal else f"marriage in {suit.name.lower()}"
        pair = [Card.of(QUEEN, suit), Card.of(KING, suit)]
        found.append(_pattern_of(Kind.MARRIAGE, name, ROYAL if royal else MARRIAGE, pair))
    for rank, name, points in SETS:
        found.append(_pattern_of(Kind.SET, name, points, [Card.of(rank, suit) for suit in SUITS]))
    run = [Card.of(rank, trump) for rank in (JACK, QUEEN, KING, TEN, ACE)]
    found.append(_pattern_of(Kind.FLUSH, "flush", FLUSH, run))
    if roundhouse:
        court = [Card.of(rank, suit) for rank in (QUEEN, KING) for suit in SUITS]
        found.append(_pattern_of(Kind.ROUNDHOUSE, "roundhouse", roundhouse, court))
    return {pattern.cards: pattern for pattern in found}


def meld_of(known: Patterns, named: Iterable[Card]) -> Pattern | None:
    """The meld that these cards are, whatever they were used in; None if they are not one."""
    return known.get(tuple(sorted([card.face for card in named])))


def open_melds(known: Patterns, hand: Iterable[Card], laid: Sequence[Laid]) -> list[tuple[Pattern, tuple[Card, ...]]]:
    """Every way to meld now: the meld and the cards as they are named, ascending. hand: the cards that are not melded
    yet; laid: those of the same seat that are. Of each meld all ways to choose among open cards and new ones, with one
    new card or more. How many melds may be made in a turn is not asked here."""
    new = frozenset(hand)
    old: dict[Card, list[Laid]] = {}
    for each in laid:
        old.setdefault(each.slot.card.face, []).append(each)
    found = []
    for pattern in known.values():
        if new.isdisjoint(pattern.cards):
            continue
        barred = BARS[pattern.kind]
        ways = []
        for face in pattern.cards:
            choices = [each.slot.card for each in old.get(face, ()) if barred.isdisjoint(each.uses)]
            if face in new:
                choices.append(face)
            if not choices:
                break
            ways.append(choices)
        else:
            named = [tuple(sorted(way)) for way in product(*ways)]
            found += [(pattern, way) for way in named if not new.isdisjoint(way)]
    return found


def not_open_reason(card: Card) -> str:
    return f"{card} isn't one of your melded cards"


def meld_refusal(pattern: Pattern, named: Sequence[Card], laid: Sequence[Laid]) -> str | None:
    """The rule that bars this meld of these cards, whether or not the new ones are held; None if there is none."""
    uses = {each.slot.card: each.uses for each in laid}
    for card in named:
        if card.copy and card not in uses:
            return not_open_reason(card)
        if used := [kind for kind in uses.get(card, ()) if kind in BARS[pattern.kind]]:
            return f"{card} has been in {KIND_NAMES[used[0]]}, so it can't be in {KIND_NAMES[pattern.kind]} now"
    if all(card.copy for card in named):
        return "a meld needs a new card from your hand"
    return None


def cards_after_meld(laid: Sequence[Laid], kind: Kind, named: Iterable[Card]) -> tuple[Laid, ...]:
    """The open cards of a seat after this meld: a new card gets the lowest number that none of its equals has. Raises
    ValueError when a numbered card does not lie there."""
    table = list(laid)
    for card in named:
        lying = [each.slot.card for each in table]
        if card.copy:
            place = lying.index(card)
            table[place] = replace(table[place], uses=(*table[place].uses, kind))
        else:
            number = next(number for number in (1, 2, 3) if Card.of(card.rank, card.suit, number) not in lying)
            table.append(Laid(Slot(Card.of(card.rank, card.suit, number), PUBLIC), (kind,)))
    return tuple(table)


def _pattern_of(kind: Kind, name: str, points: int, cards: Iterable[Card]) -> Pattern:
    return Pattern(kind, name, points, tuple(sorted(cards)))
