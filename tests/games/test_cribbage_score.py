"""Rule sheet 5: what cribbage hands and plays are worth, by its worked examples and by a count of every hand."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import combinations
from random import Random

import pytest

from p2pcards.cards.card import BACK, Card, parse_cards
from p2pcards.cards.pack import pack_of
from p2pcards.games.cribbage.rules import GAME
from p2pcards.games.cribbage.score import (
    combination_points,
    lurch,
    pegging_items,
    pegging_points,
    show_items,
    show_points,
)

PACK = pack_of()
KINDS = ("15", "pairs", "run", "flush", "nobs")


def show(hand: str, starter: str, crib: bool = False) -> tuple[int, ...]:
    """The points for fifteens, pairs, runs, flush and nobs."""
    held, turned = parse_cards(hand), parse_cards(starter)[0]
    found = dict.fromkeys(KINDS, 0)
    items = show_items(held, turned, crib)
    for name, points in items:
        kind = name.split(":")[0]
        found["pairs" if kind in ("pair", "three", "four") else kind] += points
    assert show_points(held, turned, crib) == sum(found.values())
    return tuple(found.values())


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("5C 5D 5H JS", "5S", (16, 12, 0, 0, 1)),
        ("5C 5D 5H 5S", "JS", (16, 12, 0, 0, 0)),
        ("5C 5D 5H JC", "5S", (16, 12, 0, 0, 0)),
        ("2C 4D 6H 8S", "KC", (0, 0, 0, 0, 0)),
        ("2C 4D 6H 8S", "TC", (0, 0, 0, 0, 0)),
        ("4C 4D 5H 6S", "6D", (8, 4, 12, 0, 0)),
        ("7C 7D 8H 8S", "9C", (8, 4, 12, 0, 0)),
        ("9C 8D 7H 7S", "6C", (6, 2, 8, 0, 0)),
        ("3C 3D 3H 3S", "9C", (12, 12, 0, 0, 0)),
        ("7C 7D 7H 7S", "AC", (12, 12, 0, 0, 0)),
        ("KC QD QH JS", "2C", (0, 2, 6, 0, 0)),
        ("KC QD QH JS", "TD", (0, 2, 8, 0, 0)),
        ("KC QD QH QS", "JD", (0, 6, 9, 0, 0)),
        ("KC QD QH JS", "JD", (0, 4, 12, 0, 0)),
        ("2H 4H 6H 8H", "KC", (0, 0, 0, 4, 0)),
        ("2H 4H 6H 8H", "KH", (0, 0, 0, 5, 0)),
        ("TC JC QH KS", "3C", (0, 0, 4, 0, 1)),
        ("TC JD QH KS", "3C", (0, 0, 4, 0, 0)),
        ("AC AD 3H 3S", "2C", (0, 4, 12, 0, 0)),
        ("AC 2D 3H 4S", "5C", (2, 0, 5, 0, 0)),
        ("AD 4C 5H 5S", "6D", (6, 2, 6, 0, 0)),
        ("2C 3D 7H 9S", "QC", (2, 0, 0, 0, 0)),
    ],
    ids=[f"example {number}" for number in (1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 8, 8, 8, 8, 9, 9, 10, 10, 11, 12, 12, 14)],
)
def test_worked_examples_of_hands(hand: str, starter: str, points: tuple[int, ...]) -> None:
    assert show(hand, starter) == points


@pytest.mark.parametrize(
    ("hand", "starter", "points", "words"),
    [
        ("KC QD QH JS", "2C", 8, "a double run of three counts 8"),
        ("KC QD QH JS", "TD", 10, "one of four 10"),
        ("KC QD QH QS", "JD", 15, "a triple run 15"),
        ("KC QD QH JS", "JD", 16, "a quadruple run 16"),
    ],
)
def test_the_rules_tell_what_a_run_with_pairs_counts(hand: str, starter: str, points: int, words: str) -> None:
    assert sum(show(hand, starter)) == points
    assert words in " ".join(GAME.rules.split())


def test_worked_examples_9_and_13_of_cribs() -> None:
    assert show("2H 4H 6H 8H", "KC", crib=True) == (0, 0, 0, 0, 0)  # D-CR-3
    assert show("2H 4H 6H 8H", "KH", crib=True) == (0, 0, 0, 5, 0)
    assert show("4H 6H JH TH", "5H", crib=True) == (6, 0, 3, 5, 1)


def test_each_thing_that_counts_is_named_with_its_cards() -> None:
    assert show_items(parse_cards("9C 8D 7H 7S"), parse_cards("6C")[0]) == (
        ("15: 6C 9C", 2), ("15: 7H 8D", 2), ("15: 7S 8D", 2), ("pair: 7H 7S", 2),
        ("run: 6C 7H 8D 9C", 4), ("run: 6C 7S 8D 9C", 4),
    )  # fmt: skip
    assert show_items(parse_cards("2H 4H 6H JH"), parse_cards("KH")[0]) == (("flush: hearts", 5), ("nobs: JH", 1))
    assert [name for name, _ in show_items(parse_cards("5C 5D 5H 9H"), parse_cards("9S")[0])][-2:] == [
        "three: 5C 5D 5H",
        "pair: 9H 9S",
    ]


def test_the_sum_is_that_of_the_items() -> None:
    rng = Random(1)
    for _ in range(3000):
        *hand, starter = rng.sample(PACK, 5)
        crib = rng.random() < 0.5
        items = show_items(hand, starter, crib)
        assert show_points(hand, starter, crib) == sum(points for _, points in items)
        assert show_points(hand[::-1], starter, crib) == show_points(hand, starter, crib)


def test_points_of_fewer_cards() -> None:
    assert combination_points(parse_cards("5C TD")) == 2
    assert combination_points(parse_cards("AC 2D 3H")) == 3
    assert combination_points(parse_cards("QC KD AH")) == 0  # the ace is low
    assert combination_points(()) == 0


@pytest.mark.parametrize(
    ("hand", "starter"), [("2C 3C 4C", "5C"), ("2C 3C 4C 5C 6C", "7C"), ("2C 3C 4C 5C", "5C"), ("2C 3C 4C 4C", "5C")]
)
def test_what_is_no_hand_is_refused(hand: str, starter: str) -> None:
    for score in (show_points, show_items):
        with pytest.raises(ValueError, match="a hand is four different cards"):
            score(parse_cards(hand), parse_cards(starter)[0])
    with pytest.raises(ValueError, match="a hand is four different cards"):
        show_points((BACK, *PACK[:3]), PACK[5])


@pytest.mark.parametrize(
    ("series", "points"),
    [
        ("4C 6C 5C", (0, 0, 5)),
        ("4C KC 6C 5C", (0, 0, 0, 0)),
        ("8C 7C 7D 6C", (0, 2, 2, 0)),
        ("7C 8C 9C 6C AC", (0, 2, 3, 4, 2)),
        ("QC 5C 5D 5H 5S", (0, 2, 2, 6, 12)),
        ("KC QC KD", (0, 0, 0)),
        ("QC KC AC", (0, 0, 0)),
        ("AC 2C 3C 5C 4C 6C 7C", (0, 0, 3, 0, 7, 6, 7)),
        ("5C 5D 6C 5H", (0, 2, 0, 0)),
    ],
)
def test_play_examples(series: str, points: tuple[int, ...]) -> None:
    played = parse_cards(series)
    assert tuple(pegging_points(played[:number]) for number in range(1, len(played) + 1)) == points


def test_what_a_play_pegs_is_named() -> None:
    assert pegging_items(parse_cards("4C 6C 5C")) == (("fifteen", 2), ("run of 3", 3))
    assert pegging_items(parse_cards("KC 7C 7D 7H")) == (("thirty-one", 2), ("three", 6))


@pytest.mark.parametrize("series", ["", "KC QC JC 2C"])
def test_what_is_no_play_is_refused(series: str) -> None:
    with pytest.raises(ValueError, match="are not a play"):
        pegging_items(parse_cards(series))


@pytest.mark.parametrize(
    ("target", "loser", "label"),
    [
        (121, 120, ""), (121, 91, ""), (121, 90, "skunk"), (121, 61, "skunk"), (121, 60, "double skunk"),
        (121, 0, "double skunk"), (61, 31, ""), (61, 30, "skunk"), (61, 0, "skunk"),
    ],
)  # fmt: skip
def test_d_cr_5_lurch(target: int, loser: int, label: str) -> None:
    assert lurch(target, loser) == label


def bar(done: int, whole: int) -> str:
    return f"\r  cribbage hands [{'#' * (done * 40 // whole):40}] {done * 100 // whole:3} %"


@pytest.mark.slow
@pytest.mark.no_cover
def test_worked_example_15_every_hand_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """12,994,800 hands with their starters. Only a flush of the hand can count otherwise in a crib."""
    hands: Counter[int] = Counter()
    cribs: Counter[int] = Counter()
    whole = 270_725  # sets of four cards
    for number, hand in enumerate(combinations(PACK, 4)):
        flush = len({card.suit for card in hand}) == 1
        for starter in PACK:
            if starter in hand:
                continue
            points = show_points(hand, starter)
            hands[points] += 1
            cribs[show_points(hand, starter, crib=True) if flush else points] += 1
        if number % 2_000 == 0:
            with capsys.disabled():
                print(bar(number, whole), end="", file=sys.stderr, flush=True)
    with capsys.disabled():
        print(bar(whole, whole), file=sys.stderr)
    assert hands.total() == cribs.total() == 12_994_800
    assert {points: hands[points] for points in (29, 28, 24, 0)} == {29: 4, 28: 76, 24: 3_680, 0: 1_009_008}
    assert cribs[0] == 1_022_208
    assert not {19, 25, 26, 27} & set(hands) and max(hands) == 29


def test_a_card_is_what_it_counts() -> None:
    low = {Card.of(rank, 0): min(rank, 10) for rank in range(2, 14)} | {Card.of(14, 0): 1}
    for card, count in low.items():
        five = Card.of(15 - count, 1) if 2 <= 15 - count <= 10 else None
        if five is not None:
            assert pegging_points((card, five)) == 2
