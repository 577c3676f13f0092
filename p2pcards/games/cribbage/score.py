"""What cribbage hands and plays are worth, in points, as functions for anybody. The ace is low and counts 1, court
cards and tens count 10, others their pips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from p2pcards.cards.card import Card, spell_cards
from p2pcards.games.game import Items, TallyItem, sum_of_items

# Rules: rule sheet 5, phases 4 and 5.

HAND = 4
MOST = 29  # no hand is worth more
FIFTEEN, THIRTY_ONE = 15, 31
JACK = 11
ALIKE = {2: ("pair", 2), 3: ("three", 6), 4: ("four", 12)}
SAID = {"pair": "a pair", "three": "three of a kind", "four": "four of a kind"}
PEGGED = {**SAID, "last card": "the last card"}
NUMBERS = (
    *("nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "twenty-one"),
    *("twenty-two", "twenty-three", "twenty-four", "twenty-five", "twenty-six", "twenty-seven", "twenty-eight"),
    "twenty-nine",
)
"""As far as a hand can count."""
PLACES = tuple([1 if byte & 15 == 14 else byte & 15 for byte in range(256)])
SHIFTS = tuple([8 * min(place, 10) for place in PLACES])


def card_place(card: Card) -> int:
    """1 for an ace to 13 for a king."""
    return PLACES[card]


def card_count(card: Card) -> int:
    """What a card adds to the count: 1 to 10."""
    return min(PLACES[card], 10)


def show_points(hand: Sequence[Card], starter: Card, crib: bool = False) -> int:
    """The points (0..29) of a hand, or the crib, with the starter.

    2 for each combination that counts fifteen, pairs 2, 6 or 12, each run of three or more its length, a flush of the
    four cards 4 and of all five 5 (in the crib only 5), the jack of the starter's suit 1. Raises ValueError unless the
    hand is four cards and all five are different.
    """
    cards = _verified_five(hand, starter)
    suits = [card & 48 for card in hand]
    points = combination_points(cards)
    if suits.count(suits[0]) == HAND:
        if suits[0] == starter & 48:
            points += 5
        elif not crib:
            points += 4
    return points + (JACK | starter & 48 in hand)


def combination_points(cards: Sequence[Card]) -> int:
    """The points of any cards (up to seven) for fifteens, pairs and runs, without flush and nobs."""
    # Each byte of this number says how many combinations have the count that is its place.
    ways = 1
    for card in cards:
        ways += ways << SHIFTS[card]
    points = 2 * (ways >> 8 * FIFTEEN & 255)
    places = sorted([PLACES[card] for card in cards])
    same, length, many = 1, 1, 1  # cards of this rank; ranks in this run; ways to choose it from the ranks before
    before = -1
    for place in places:
        if place == before:
            points += 2 * same
            same += 1
            continue
        if place == before + 1:
            length, many = length + 1, many * same
        else:
            if length >= 3:
                points += length * many * same
            length = many = 1
        same, before = 1, place
    return points + (length * many * same if length >= 3 else 0)


def hand_points(held: Sequence[Card]) -> int:
    """Points that cards of a hand, no crib, surely count with any starter; four of a suit are a flush."""
    return combination_points(held) + HAND * (len(held) == HAND and len({card.suit for card in held}) == 1)


def show_counted(hand: Sequence[Card], starter: Card, crib: bool = False) -> tuple[TallyItem, ...]:
    """The same one by one, as it is said at a table: "fifteen two, fifteen four, a pair is six". Raises ValueError as
    `show_points` does."""
    counted: list[TallyItem] = []
    for name, said, points, cards in _combinations(hand, starter, crib):
        so_far = NUMBERS[points + sum([item.points for item in counted])]
        counted.append(TallyItem(name, f"{said} {so_far}", points, cards))
    return tuple(counted)


def show_items(hand: Sequence[Card], starter: Card, crib: bool = False) -> Items:
    """Each fifteen, pair and run with its cards, as on a score sheet. Raises ValueError as `show_points` does."""
    return tuple([(name, points) for name, _, points, _ in _combinations(hand, starter, crib)])


def _combinations(hand: Sequence[Card], starter: Card, crib: bool) -> Iterator[tuple[str, str, int, tuple[Card, ...]]]:
    """Each counting combination: its name, what is said before the count, its points and its cards."""
    cards = sorted(_verified_five(hand, starter), key=lambda card: (PLACES[card], card))
    for number in range(2, 6):
        for some in combinations(cards, number):
            if sum(map(card_count, some)) == FIFTEEN:
                yield f"15: {spell_cards(some)}", "fifteen", 2, some
    ranks = [[card for card in cards if PLACES[card] == place] for place in sorted({PLACES[card] for card in cards})]
    for alike in ranks:
        if len(alike) > 1:
            name, points = ALIKE[len(alike)]
            yield f"{name}: {spell_cards(alike)}", f"{SAID[name]} is", points, tuple(alike)
    length = next((n for n in (5, 4, 3) if any(_is_run_of_cards(some) for some in combinations(cards, n))), 0)
    for some in combinations(cards, length):
        if length and _is_run_of_cards(some):
            yield f"run: {spell_cards(some)}", f"a run of {NUMBERS[length]} is", length, some
    suits = {card.suit for card in hand}
    if len(suits) == 1 and (starter.suit in suits or not crib):
        whole = (*hand, starter) if starter.suit in suits else tuple(hand)
        yield f"flush: {hand[0].suit.name.lower()}", "a flush is", len(whole), whole
    jack = Card.of(JACK, starter.suit)
    if jack in hand:
        yield f"nobs: {jack}", "his nobs is", 1, (jack,)


def pegged_words(items: Iterable[tuple[str, int]]) -> str:
    """The items pegged in the play as one says them: ``fifteen and a run of 3``."""
    named = [PEGGED.get(what, f"a {what}" if what.startswith("run") else what) for what, _ in items]
    return " and ".join(named)


def pegging_items(series: Sequence[Card]) -> Items:
    """What the last card played is worth, item by item. series: the cards played since the count was 0, in order.

    Fifteen 2, thirty-one 2; pair 2, three of a rank 6, four 12; the longest run of three or more among the last cards,
    in any order, its length. Raises ValueError when nothing was played or the count is above 31.
    """
    count = sum(map(card_count, series))
    if not series or count > THIRTY_ONE:
        raise ValueError(f"{len(series)} cards that count {count} are not a play")
    items = [("fifteen", 2)] if count == FIFTEEN else [("thirty-one", 2)] if count == THIRTY_ONE else []
    places = [PLACES[card] for card in series]
    alike = next((n for n, place in enumerate(reversed(places)) if place != places[-1]), len(places))
    if alike > 1:
        items.append(ALIKE[alike])
    length = next((n for n in range(min(len(series), 7), 2, -1) if _is_run_of_cards(series[-n:])), 0)
    if length:
        items.append((f"run of {length}", length))
    return tuple(items)


def pegging_points(series: Sequence[Card]) -> int:
    """The sum of `pegging_items`."""
    return sum_of_items(pegging_items(series))


def lurch(winning_score: int, loser: int) -> str:
    """How badly a game was lost that goes to 61 or 121, by the score of the loser: "skunk", "double skunk" or "". A
    label only (D-CR-5)."""
    if winning_score == 61:
        return "skunk" if loser <= 30 else ""
    return "double skunk" if loser <= 60 else "skunk" if loser <= 90 else ""


# --- private ----------------------------------------------------------------------------------------------------------


def _verified_five(hand: Sequence[Card], starter: Card) -> tuple[Card, ...]:
    """The four cards and the starter. Raises ValueError unless these are five different cards."""
    cards = (*hand, starter)
    if len(hand) != HAND or len({*cards, 0}) != HAND + 2:
        raise ValueError("a hand is four different cards, and the starter is another")
    return cards


def _is_run_of_cards(cards: Sequence[Card]) -> bool:
    places = sorted([PLACES[card] for card in cards])
    return places == list(range(places[0], places[0] + len(places)))
