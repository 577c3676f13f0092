"""Gin's arithmetic: the least deadwood of a hand, its best arrangement, and the best lay-offs on a knocker's melds.

Melds are sets of three or four and runs of three or more with the ace low. Deadwood is in points: ace 1, court cards
10, others their pips. Rules: rule sheet 14; ties as D-GI-3 has them. Every function raises ValueError when a card is
face down or named twice.
"""

# A hand is a set of bits, 16 * suit + place with the ace at 1 and the king at 13; places 14 to 0 of the next suit stay
# empty, so that no run goes on in another suit.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from p2pcards.cards.card import Card, is_card_byte, spell_cards
from p2pcards.games.melds import ACE, is_set

Meld = tuple[Card, ...]


def _place_in_suit(card: int) -> int:
    """The place of a card in its suit: 1 for an ace, otherwise its rank."""
    return 1 if card & 15 == ACE else card & 15


SUIT = 0x3FFE  # the thirteen places of a suit
ALL_SUITS = 1 | 1 << 16 | 1 << 32 | 1 << 48
BITS = (
    tuple([1 << (card & 0x30) + _place_in_suit(card) if is_card_byte(card) else 0 for card in range(64)]) + (0,) * 192
)
POINTS = tuple([min(_place_in_suit(card), 10) if is_card_byte(card) else 0 for card in range(64)]) + (0,) * 192


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A hand as it is laid down."""

    melds: tuple[Meld, ...]  # each ascending, and in ascending order
    rest: Meld  # the deadwood, ascending
    points: int  # of the deadwood


@dataclass(frozen=True, slots=True)
class LayOffs:
    """What a defender does with a hand."""

    laid: Meld  # the cards laid off
    own: Arrangement  # the others


def card_points(card: Card) -> int:
    """What a card counts as deadwood, 1 to 10."""
    return POINTS[card]


def deadwood(cards: Iterable[Card]) -> int:
    """The deadwood in points when the cards, any number, are arranged as well as can be."""
    held = tuple(cards)
    total = sum([POINTS[card] for card in held])
    melds = _melds_in(_hand_mask(held))
    return total - _most_points_melded(melds) if melds else total


def best_arrangement(cards: Iterable[Card]) -> Arrangement:
    """The arrangement with the least deadwood; of several the one with the most cards in sets, then with the lowest
    cards in runs (D-GI-3)."""
    return arrangements(cards)[0]


def arrangements(cards: Iterable[Card]) -> tuple[Arrangement, ...]:
    """Every arrangement with the least deadwood, the best first (D-GI-3). A run is never shown as two that join."""
    held = tuple(sorted(cards))
    hand = _hand_mask(held)
    families = _disjoint_melds(_melds_in(hand))
    most = max([points for _, points in families])
    found = [
        _arrangement_of(held, family) for family, points in families if points == most and not _has_joining_runs(family)
    ]
    return tuple(sorted(found, key=_preference_key))


def lay_offs(melds: Sequence[Meld], cards: Iterable[Card]) -> LayOffs:
    """The best that a defender can make of their cards: own melds, and cards laid off on the knocker's `melds`, such
    that the rest counts least; of several ways the one that lays off the fewest cards.

    A set of three takes its fourth card, a run any cards that go on from either end. Raises ValueError too when a meld
    is not one.
    """
    held = tuple(sorted(cards))
    hand = _hand_mask(held)
    runs, fourths = [], 0
    for meld in melds:
        bits = _hand_mask(meld)
        if is_set(meld):
            fourths |= (ALL_SUITS << _place_in_suit(meld[0])) & ~bits
        elif _is_run_mask(bits):
            runs.append(bits)
        else:
            raise ValueError("these cards aren't a meld: " + spell_cards(meld))
    best: tuple[int, int, int, list[int]] | None = None
    for number, (family, _) in enumerate(_disjoint_melds(_melds_in(hand))):
        free = hand & ~sum(family)
        laid = _laid_off_cards(runs, fourths, free)
        way = (_points_of_mask(free & ~laid), laid.bit_count(), number, family)
        if not _has_joining_runs(family) and (best is None or way < best):
            best = way
    assert best is not None  # the hand without a meld is always among them
    family = best[3]
    laid = _laid_off_cards(runs, fourths, hand & ~sum(family))
    return LayOffs(_cards_of_bits(held, laid), _arrangement_of(_cards_of_bits(held, hand & ~laid), family))


# --- private ----------------------------------------------------------------------------------------------------------


def _hand_mask(cards: Sequence[Card]) -> int:
    hand = 0
    for card in cards:
        hand |= BITS[card]
    if hand.bit_count() != len(cards):
        raise ValueError("a card is face down, of a second pack, or named twice")
    return hand


def _cards_of_bits(held: Sequence[Card], bits: int) -> Meld:
    """Those of the cards held that a mask names, as a meld."""
    return tuple([card for card in held if BITS[card] & bits])


def _melds_in(hand: int) -> list[tuple[int, int]]:
    """Every set and run in the hand, parts of longer ones too, with its points."""
    found = []
    starts = hand & hand >> 1 & hand >> 2
    while starts:
        low = starts & -starts
        starts ^= low
        run, following = low * 7, low << 3
        place = low.bit_length() - 1 & 15
        points = min(place, 10) + min(place + 1, 10) + min(place + 2, 10)
        found.append((run, points))
        while hand & following:
            run |= following
            points += min(following.bit_length() - 1 & 15, 10)
            found.append((run, points))
            following <<= 1
    clubs, diamonds, hearts, spades = hand & SUIT, hand >> 16 & SUIT, hand >> 32 & SUIT, hand >> 48
    ranks = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    while ranks:
        low = ranks & -ranks
        ranks ^= low
        each = min(low.bit_length() - 1, 10)
        equal = low * ALL_SUITS & hand
        if equal.bit_count() == 4:
            found += [(equal & ~(low << shift), 3 * each) for shift in (0, 16, 32, 48)]
            found.append((equal, 4 * each))
        else:
            found.append((equal, 3 * each))
    return found


def _most_points_melded(melds: Sequence[tuple[int, int]]) -> int:
    """The most points that melds without a card in common take."""
    best = 0
    for i, (meld, points) in enumerate(melds, 1):
        rest = [other for other in melds[i:] if not other[0] & meld]
        taken = points + (_most_points_melded(rest) if rest else 0)
        if taken > best:
            best = taken
    return best


def _disjoint_melds(melds: Sequence[tuple[int, int]]) -> list[tuple[list[int], int]]:
    """Every choice of melds without a card in common, none at all included, with its points."""
    found: list[tuple[list[int], int]] = [([], 0)]
    for i, (meld, points) in enumerate(melds, 1):
        rest = [other for other in melds[i:] if not other[0] & meld]
        found += [([meld, *family], points + others) for family, others in _disjoint_melds(rest)]
    return found


def _has_joining_runs(family: Sequence[int]) -> bool:
    """Return whether two runs of a choice of melds join to one."""
    ends = [_top_bit(meld) << 1 for meld in family if _is_run_mask(meld)]
    return bool(ends) and any(_is_run_mask(meld) and meld & -meld in ends for meld in family)


def _is_run_mask(meld: int) -> bool:
    """Return whether a meld, as a mask, is a run rather than a set."""
    return meld & meld >> 1 & meld >> 2 != 0 and not meld & (meld + (meld & -meld))


def _top_bit(bits: int) -> int:
    return 1 << bits.bit_length() - 1


def _laid_off_cards(runs: Sequence[int], fourths: int, free: int) -> int:
    """The free cards that can be laid off on the runs, as far as they reach, and on the sets."""
    laid = fourths & free
    for run in runs:
        above, below = _top_bit(run) << 1, (run & -run) >> 1
        while above & free:
            laid |= above
            above <<= 1
        while below & free:
            laid |= below
            below >>= 1
    return laid


def _bits_of(bits: int) -> Iterator[int]:
    """Each bit of a mask, as a mask."""
    while bits:
        low = bits & -bits
        yield low
        bits ^= low


def _points_of_mask(bits: int) -> int:
    return sum([min(bit.bit_length() - 1 & 15, 10) for bit in _bits_of(bits)])


def _arrangement_of(held: Sequence[Card], family: Sequence[int]) -> Arrangement:
    melds = tuple(sorted([_cards_of_bits(held, meld) for meld in family]))
    rest = _cards_of_bits(held, ~sum(family))
    return Arrangement(melds, rest, sum([POINTS[card] for card in rest]))


def _preference_key(arrangement: Arrangement) -> tuple[object, ...]:
    """A sort key that puts the arrangement laid down first before others as good (D-GI-3)."""
    sets = sum([len(meld) for meld in arrangement.melds if is_set(meld)])
    runs = sorted([_place_in_suit(card) for meld in arrangement.melds if not is_set(meld) for card in meld])
    return -sets, runs, arrangement.melds
