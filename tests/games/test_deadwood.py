"""Rule sheet 14: deadwood, arrangements and lay-offs, by the worked cases and against a search of everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest

from p2pcards.cards.card import BACK, Card, parse_cards
from p2pcards.cards.pack import pack_of
from p2pcards.games.gin_rummy.deadwood import arrangements, best_arrangement, card_points, deadwood, lay_offs
from p2pcards.games.melds import is_set, run_order

# Long random runs are several times as slow when measured, and the rooms are covered without them.
pytestmark = pytest.mark.no_cover

PACK = pack_of()
CASES = [
    ("7H 8H 9H KC KD KS 2C 2D 3S AH", 8),
    ("5H 6H 7H 7C 7D 2S 3S 4S KD QC", 31),
    ("7H 8H 9H TH 7C 7D 2C 3D KS QS", 25),
    ("AS 2S 3S 4S 5S 6S 6D 6C 9H KH", 19),
    ("4C 4D 4H 4S 5H 6H 9C 9D JS KD", 38),
    ("AC 2C 3C 4C 8D 8H 8S TH JH QH", 0),
    ("QS KS AS QD KD AD 2H 5C 7D 9H", 65),
    ("9C 9D 9H 9S TS JS 7C 8C 2D 2H", 19),
    ("3C 4C 5C 5D 5H 5S 6S 7S TD JC", 27),
    ("4D 5D 6D 7D 8D 6C 6H 8C 8S KS", 22),
    ("4S 5S 6S 6H 6D 6C 7S 8H TC AD", 19),
    ("AH 2H 3H 4H 7C 7D 7S TD JD QD KD", 0),
    ("AC 3D 5H 7S 9C JD KH 2S 4C 6D", 57),
]


@pytest.mark.parametrize(("words", "points"), CASES, ids=[f"case {number}" for number in range(1, 14)])
def test_worked_deadwood_case(words: str, points: int) -> None:
    assert deadwood(parse_cards(words)) == points
    arrangement = best_arrangement(parse_cards(words))
    assert arrangement.points == points == sum(card_points(card) for card in arrangement.rest)
    held = [card for meld in arrangement.melds for card in meld] + list(arrangement.rest)
    assert sorted(held) == sorted(parse_cards(words))


def melds_of(words: str) -> str:
    return ", ".join([" ".join(map(str, meld)) for meld in best_arrangement(parse_cards(words)).melds])


@pytest.mark.parametrize(
    ("words", "melds"),
    [
        (CASES[1][0], "7C 7D 7H, 2S 3S 4S"),
        (CASES[2][0], "7C 7D 7H, 8H 9H TH"),
        (CASES[3][0], "6C 6D 6S, 2S 3S 4S 5S AS"),
        (CASES[4][0], "4C 4D 4S, 4H 5H 6H"),
        (CASES[7][0], "9C 9D 9H, 9S TS JS"),
        (CASES[8][0], "5C 5D 5H, 5S 6S 7S"),
        (CASES[9][0], "8C 8D 8S, 4D 5D 6D 7D"),
        (CASES[10][0], "6C 6D 6H, 4S 5S 6S 7S"),
    ],
)
def test_worked_arrangement(words: str, melds: str) -> None:
    assert melds_of(words) == melds


def test_d_gi_3_the_most_cards_in_sets() -> None:
    assert melds_of("3C 3D 3H 4C 4D 4H 5C 5D 5H KS") == "3C 3D 3H, 4C 4D 4H, 5C 5D 5H"
    assert melds_of("3H 4H 5H 6H 6C 6D 6S KS QS JD") == "6C 6D 6H 6S, 3H 4H 5H"
    assert [arrangement.points for arrangement in arrangements(parse_cards("3H 4H 5H 6H 6C 6D 6S"))] == [0, 0]


def test_d_gi_3_then_the_lowest_cards_in_runs() -> None:
    tied = arrangements(parse_cards("QC QD QH QS TH JH JS KS"))
    assert [arrangement.points for arrangement in tied] == [20, 20, 20]
    assert [" ".join(map(str, arrangement.rest)) for arrangement in tied] == ["JS KS", "TH JH", "QC QD"]
    assert melds_of("QC QD QH QS TH JH JS KS") == "QC QD QS, TH JH QH"


def test_a_run_is_shown_whole() -> None:
    assert melds_of("3D 4D 5D 6D 7D 8D KS") == "3D 4D 5D 6D 7D 8D"
    assert len(arrangements(parse_cards("3D 4D 5D 6D 7D 8D KS"))) == 1


def laid(melds: str, hand: str) -> tuple[str, int]:
    found = lay_offs([tuple(sorted(parse_cards(meld))) for meld in melds.split(",")], parse_cards(hand))
    return " ".join(map(str, found.laid)), found.own.points


def test_worked_result_1_lay_offs() -> None:
    assert laid("7H 8H 9H, KC KD KS, 3C 4C 5C", "TH JH KH 2C 2D 2S 6C QD 8S AD") == ("6C TH JH KH", 19)


def test_worked_result_2_lay_offs() -> None:
    assert laid("5C 5D 5H, 2C 2D 2H, 9S TS JS", "5S QS KS 7S 8S AC AD AH 3H 9D") == ("5S 7S 8S QS KS", 12)


def test_a_card_goes_to_a_run_where_more_follow_it() -> None:
    assert laid("5C 5D 5H, 6S 7S 8S", "5S 4S KD") == ("4S 5S", 10)


def test_a_meld_of_ones_own_is_broken_where_laying_off_is_better() -> None:
    assert laid("6S 7S 8S", "5C 5D 5H 5S 4S") == ("4S 5S", 0)
    assert laid("6S 7S 8S", "5C 5D 5S 4S 3S") == ("", 7)  # the fives stay a set


def test_the_ace_is_low() -> None:
    assert laid("JS QS KS", "AS") == ("", 1)
    assert laid("2S 3S 4S", "AS") == ("AS", 0)


@pytest.mark.parametrize("wrong", [(Card(BACK),), parse_cards("2C 2C"), (Card.of(5, 1), Card.of(5, 1, copy=1))])
def test_cards_that_cannot_be_a_hand_are_refused(wrong: tuple[Card, ...]) -> None:
    for scorer in (deadwood, best_arrangement, lambda hand: lay_offs([], hand)):
        with pytest.raises(ValueError, match="face down, of a second pack, or named twice"):
            scorer((*parse_cards("7C 8C 9C"), *wrong))


@pytest.mark.parametrize("words", ["7C 8C", "7C 8C TC", "7C 8C 9D", "7C 7D 8C", "QC KC AC"])
def test_lay_offs_on_what_is_no_meld_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match="aren't a meld"):
        lay_offs([parse_cards(words)], parse_cards("2C"))


# --- everything tried -------------------------------------------------------------------------------------------------


def hands(seed: int, number: int) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """A knocker's hand of ten or eleven cards and another hand: half of them of the whole pack, half of a small one, in
    which melds are many and overlap."""
    rng = Random(seed)
    for i in range(number):
        low = rng.randrange(2, 8)
        pack = PACK if i % 2 else [card for card in PACK if low <= card.rank < low + 7]
        drawn = rng.sample(pack, 21)
        yield tuple(drawn[: 10 + i % 3 // 2]), tuple(drawn[11:])


@cache
def is_meld(chosen: frozenset[Card]) -> bool:
    return is_set(tuple(chosen)) or bool(run_order(tuple(chosen), "low"))


def tried_melds(held: Sequence[Card]) -> list[frozenset[Card]]:
    return [
        frozenset(chosen)
        for size in range(3, len(held) + 1)
        for chosen in combinations(held, size)
        if plausible(chosen)
    ]


def plausible(chosen: Sequence[Card]) -> bool:
    return (len({card.rank for card in chosen}) == 1 or len({card.suit for card in chosen}) == 1) and is_meld(
        frozenset(chosen)
    )


def tried_partitions(held: frozenset[Card], melds: Sequence[frozenset[Card]]) -> Iterator[frozenset[Card]]:
    """What is left of the hand by every choice of melds."""
    yield held
    for i, meld in enumerate(melds):
        if meld <= held:
            yield from tried_partitions(held - meld, melds[i + 1 :])


def tried_laid(table: Sequence[frozenset[Card]], left: frozenset[Card]) -> int:
    """The least that can be left by laying cards off one after the other, in every order that matters."""
    best = sum(map(card_points, left))
    for card in left:
        for i, meld in enumerate(table):
            if is_meld(meld | {card}):
                grown = [*table[:i], meld | {card}, *table[i + 1 :]]
                best = min(best, tried_laid(grown, left - {card}))
    return best


def check_against_search(seed: int, number: int) -> None:
    for hand, other in hands(seed, number):
        least = min(sum(map(card_points, left)) for left in tried_partitions(frozenset(hand), tried_melds(hand)))
        arrangement = best_arrangement(hand)
        assert deadwood(hand) == arrangement.points == least, hand
        assert all(is_meld(frozenset(meld)) for meld in arrangement.melds)
        table = [frozenset(meld) for meld in arrangement.melds]
        lefts = set(tried_partitions(frozenset(other), tried_melds(other)))
        assert lay_offs(arrangement.melds, other).own.points == min(tried_laid(table, left) for left in lefts), other


def test_no_search_finds_less() -> None:
    check_against_search(1, 300)


@pytest.mark.slow
def test_no_search_finds_less_in_20_000_hands() -> None:
    check_against_search(2, 20_000)
