"""Sets, runs and deadwood in whole numbers. A card is `suit * WIDTH + place`, place 0 for an ace up to 12 for a king;
place 13 is for an ace above its king, and place 14 is always empty, so that no run goes on in another suit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, bit_count, lowest_place

if TYPE_CHECKING:
    from mypy_extensions import i64

WIDTH: Final[int] = 15
SUIT: Final[i64] = 0x1FFF
EACH: Final[i64] = 1 | 1 << WIDTH | 1 << 2 * WIDTH | 1 << 3 * WIDTH
PACK: Final[i64] = SUIT * EACH
RANK_OF: Final[list[i64]] = [EACH * BIT[card % WIDTH] for card in range(4 * WIDTH)]


def mask_values(most: i64) -> list[i64]:
    """Table of what the cards of a suit count together, by the mask of their places: aces 1, others their pips, up to
    `most`."""
    found: list[i64] = [0]
    place: i64 = 0
    while place < 13:
        value: i64 = min(place + 1, most)
        found += [points + value for points in found]
        place += 1
    return found


VALUES: Final[list[i64]] = mask_values(10)


def points_of_cards(cards: i64) -> i64:
    """Points of the cards of a mask: aces 1, face cards 10, others their pips."""
    points: i64 = VALUES[cards & SUIT] + VALUES[cards >> WIDTH & SUIT]
    return points + VALUES[cards >> 2 * WIDTH & SUIT] + VALUES[cards >> 3 * WIDTH & SUIT]


def cards_in_runs(cards: i64) -> i64:
    """Those cards of a mask that stand in runs of three or more."""
    first: i64 = cards & cards >> 1 & cards >> 2
    return first | first << 1 | first << 2


def cards_in_sets(cards: i64) -> i64:
    """Those cards of a mask of which there are three or four of a rank."""
    clubs: i64 = cards & SUIT
    diamonds: i64 = cards >> WIDTH & SUIT
    hearts: i64 = cards >> 2 * WIDTH & SUIT
    spades: i64 = cards >> 3 * WIDTH & SUIT
    ranks: i64 = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    return cards & ranks * EACH


def loose_cards(hand: i64) -> i64:
    """Mask of the cards outside melds when a hand of gin is arranged best."""
    runs: i64 = cards_in_runs(hand)
    sets: i64 = cards_in_sets(hand)
    both: i64 = runs & sets
    best: i64 = hand & ~(runs | sets)
    if not both:
        return best
    least: i64 = 1 << 30
    freed: i64 = 0
    while True:  # every choice of the cards that could be in either, and are not in sets
        sets = cards_in_sets(hand & ~freed)
        rest: i64 = hand & ~sets
        rest &= ~cards_in_runs(rest)
        points: i64 = points_of_cards(rest)
        if points < least:
            least = points
            best = rest
        freed = (freed - both) & both
        if not freed:
            return best


def least_deadwood(hand: i64) -> i64:
    """Points of the cards outside melds when a hand of gin is arranged best."""
    return points_of_cards(loose_cards(hand))


def best_arrangements(hand: i64) -> list[i64]:
    """The cards in sets of every arrangement with the least deadwood, as it is usually laid down first (D-GI-3 of the
    rules): with the most cards in sets, then the lowest in runs. All others that stand in runs then are in them."""
    both: i64 = cards_in_runs(hand) & cards_in_sets(hand)
    least: i64 = least_deadwood(hand)
    found: list[i64] = []
    freed: i64 = 0
    while True:
        sets: i64 = cards_in_sets(hand & ~freed)
        if freed == both & ~sets:  # else another choice is the same
            rest: i64 = hand & ~sets
            if points_of_cards(rest & ~cards_in_runs(rest)) == least:
                found.append(sets)
        freed = (freed - both) & both
        if not freed:
            break
    usual: i64 = 0
    which: i64 = 1
    while which < len(found):
        if arrangement_order(hand, found[which]) < arrangement_order(hand, found[usual]):
            usual = which
        which += 1
    first: i64 = found[usual]
    found[usual] = found[0]
    found[0] = first
    return found


def arrangement_order(hand: i64, sets: i64) -> list[i64]:
    """Sort key among equally good arrangements, lowest first. sets: the cards that the arrangement has in sets."""
    runs: i64 = cards_in_runs(hand & ~sets)
    places: list[i64] = []
    melds: list[list[i64]] = []
    left: i64 = runs
    while left:
        card: i64 = lowest_place(left)
        run: list[i64] = []
        while left & BIT[card]:
            left &= ~BIT[card]
            places.append(card % WIDTH)
            run.append(rules_order(card))
            card += 1
        melds.append(sorted(run))
    left = sets
    while left:
        equal: i64 = left & RANK_OF[lowest_place(left)]
        left &= ~equal
        melds.append(sorted_by_rules(equal))
    found: list[i64] = [-bit_count(sets), *sorted(places), -1]
    for meld in sorted(melds):
        found += meld
        found.append(-1)
    return found


def rules_order(card: i64) -> i64:
    """A number that sorts cards as the rules do, the ace after its king."""
    place: i64 = card % WIDTH
    return card + 13 if not place else card


def sorted_by_rules(cards: i64) -> list[i64]:
    """The cards of a mask as `rules_order` numbers, ascending."""
    found: list[i64] = []
    while cards:
        found.append(rules_order(lowest_place(cards)))
        cards &= cards - 1
    return found


def cards_laid_off_on_runs(runs: i64, free: i64) -> i64:
    """Those cards of `free` that can be laid off on runs, one after another."""
    found: i64 = 0
    new: i64 = (runs << 1 | runs >> 1) & free
    while new:
        found |= new
        new = (new << 1 | new >> 1) & free & ~found
    return found


def deadwood_after_laying_off(hand: i64, sets: i64, runs: i64) -> i64:
    """The least deadwood of a hand whose cards may be laid off on the sets and runs of another."""
    fourths: i64 = 0
    left: i64 = sets
    while left:
        rank: i64 = RANK_OF[lowest_place(left)]
        left &= ~rank
        fourths |= rank & ~sets
    both: i64 = cards_in_sets(hand) & (cards_in_runs(hand) | cards_laid_off_on_runs(runs, hand))
    least: i64 = 1 << 30
    freed: i64 = 0
    while True:
        rest: i64 = hand & ~cards_in_sets(hand & ~freed)
        points: i64 = points_of_cards(rest & ~(cards_in_runs(rest) | cards_laid_off_on_runs(runs, rest) | fourths))
        if points < least:
            least = points
        freed = (freed - both) & both
        if not freed:
            return least
