"""Sets, runs and deadwood in whole numbers. A card is `suit * WIDTH + place`, place 0 for an ace up to 12 for a king;
place 13 is for an ace above its king, and place 14 is always empty, so that no run goes on in another suit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, count, lowest

if TYPE_CHECKING:
    from mypy_extensions import i64

WIDTH: Final[int] = 15
SUIT: Final[i64] = 0x1FFF
EACH: Final[i64] = 1 | 1 << WIDTH | 1 << 2 * WIDTH | 1 << 3 * WIDTH
PACK: Final[i64] = SUIT * EACH
RANK_OF: Final[list[i64]] = [EACH * BIT[card % WIDTH] for card in range(4 * WIDTH)]


def values_of(most: i64) -> list[i64]:
    """What the cards of a suit count together, for each mask of its places: aces 1, others their pips, up to `most`."""
    found: list[i64] = [0]
    place: i64 = 0
    while place < 13:
        value: i64 = min(place + 1, most)
        found += [points + value for points in found]
        place += 1
    return found


VALUES: Final[list[i64]] = values_of(10)


def points_of(cards: i64) -> i64:
    """What cards count: aces 1, court cards 10, others their pips."""
    points: i64 = VALUES[cards & SUIT] + VALUES[cards >> WIDTH & SUIT]
    return points + VALUES[cards >> 2 * WIDTH & SUIT] + VALUES[cards >> 3 * WIDTH & SUIT]


def in_runs(cards: i64) -> i64:
    """Those of some cards that stand in runs of three or more."""
    first: i64 = cards & cards >> 1 & cards >> 2
    return first | first << 1 | first << 2


def in_sets(cards: i64) -> i64:
    """Those of some cards of which there are three or four of a rank."""
    clubs: i64 = cards & SUIT
    diamonds: i64 = cards >> WIDTH & SUIT
    hearts: i64 = cards >> 2 * WIDTH & SUIT
    spades: i64 = cards >> 3 * WIDTH & SUIT
    ranks: i64 = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    return cards & ranks * EACH


def loose(hand: i64) -> i64:
    """The deadwood of a hand of gin when it is arranged as well as can be."""
    runs: i64 = in_runs(hand)
    sets: i64 = in_sets(hand)
    both: i64 = runs & sets
    best: i64 = hand & ~(runs | sets)
    if not both:
        return best
    least: i64 = 1 << 30
    freed: i64 = 0
    while True:  # every choice of the cards that could be in either, and are not in sets
        sets = in_sets(hand & ~freed)
        rest: i64 = hand & ~sets
        rest &= ~in_runs(rest)
        points: i64 = points_of(rest)
        if points < least:
            least = points
            best = rest
        freed = (freed - both) & both
        if not freed:
            return best


def deadwood(hand: i64) -> i64:
    """The least deadwood of a hand of gin, in points."""
    return points_of(loose(hand))


def arrangements(hand: i64) -> list[i64]:
    """The cards in sets of every arrangement with the least deadwood, as it is usually laid down first (D-GI-3 of the
    rules): with the most cards in sets, then the lowest in runs. All others that stand in runs then are in them."""
    both: i64 = in_runs(hand) & in_sets(hand)
    least: i64 = deadwood(hand)
    found: list[i64] = []
    freed: i64 = 0
    while True:
        sets: i64 = in_sets(hand & ~freed)
        if freed == both & ~sets:  # else another choice is the same
            rest: i64 = hand & ~sets
            if points_of(rest & ~in_runs(rest)) == least:
                found.append(sets)
        freed = (freed - both) & both
        if not freed:
            break
    usual: i64 = 0
    which: i64 = 1
    while which < len(found):
        if order_of(hand, found[which]) < order_of(hand, found[usual]):
            usual = which
        which += 1
    first: i64 = found[usual]
    found[usual] = found[0]
    found[0] = first
    return found


def order_of(hand: i64, sets: i64) -> list[i64]:
    """Where an arrangement comes among others that are as good, the lowest first."""
    runs: i64 = in_runs(hand & ~sets)
    places: list[i64] = []
    melds: list[list[i64]] = []
    left: i64 = runs
    while left:
        card: i64 = lowest(left)
        run: list[i64] = []
        while left & BIT[card]:
            left &= ~BIT[card]
            places.append(card % WIDTH)
            run.append(face_of(card))
            card += 1
        melds.append(sorted(run))
    left = sets
    while left:
        equal: i64 = left & RANK_OF[lowest(left)]
        left &= ~equal
        melds.append(faces_of(equal))
    found: list[i64] = [-count(sets), *sorted(places), -1]
    for meld in sorted(melds):
        found += meld
        found.append(-1)
    return found


def face_of(card: i64) -> i64:
    """A number that orders cards as the rules do, the ace after its king."""
    place: i64 = card % WIDTH
    return card + 13 if not place else card


def faces_of(cards: i64) -> list[i64]:
    found: list[i64] = []
    while cards:
        found.append(face_of(lowest(cards)))
        cards &= cards - 1
    return found


def laid_off(runs: i64, free: i64) -> i64:
    """Those of some cards that go on runs, as far as they reach."""
    found: i64 = 0
    new: i64 = (runs << 1 | runs >> 1) & free
    while new:
        found |= new
        new = (new << 1 | new >> 1) & free & ~found
    return found


def defence(hand: i64, sets: i64, runs: i64) -> i64:
    """The least deadwood of a hand whose cards may be laid off on sets and runs of another."""
    fourths: i64 = 0
    left: i64 = sets
    while left:
        rank: i64 = RANK_OF[lowest(left)]
        left &= ~rank
        fourths |= rank & ~sets
    both: i64 = in_sets(hand) & (in_runs(hand) | laid_off(runs, hand))
    least: i64 = 1 << 30
    freed: i64 = 0
    while True:
        rest: i64 = hand & ~in_sets(hand & ~freed)
        points: i64 = points_of(rest & ~(in_runs(rest) | laid_off(runs, rest) | fourths))
        if points < least:
            least = points
        freed = (freed - both) & both
        if not freed:
            return least
