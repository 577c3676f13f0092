"""Rule sheets 10, 11 and 13: what melds are worth, by the worked examples and by a search through all uses of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest

from p2pcards.cards.card import BACK, SUIT_LETTERS, SUITS, Card, Suit, parse_cards
from p2pcards.games.pinochle_melds import (
    DOUBLE_PACK,
    PARTNERSHIP_PACK,
    Meld,
    bid_melds,
    double_pack_melds,
    meld_cards,
    meld_points,
    partnership_melds,
)

Scorer = Callable[[Sequence[Card], Suit], tuple[Meld, ...]]
FORMS: dict[Scorer, tuple[tuple[Card, ...], int]] = {
    partnership_melds: (PARTNERSHIP_PACK, 12),
    double_pack_melds: (DOUBLE_PACK, 20),
    bid_melds: (PARTNERSHIP_PACK, 12),
}


def items(scorer: Scorer, hand: str, trump: str) -> str:
    return ", ".join(f"{meld.name} {meld.points}" for meld in scorer(parse_cards(hand), suit_of(trump)))


def suit_of(letter: str) -> Suit:
    return SUITS[SUIT_LETTERS.index(letter)]


# --- the worked examples ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "trump", "total", "named"),
    [
        ("AH TH KH QH JH KH QH 9H AS KS QS JD", "H", 260,
         "flush 150, royal marriage 40, marriage in spades 20, pinochle 40, nine of trumps 10"),
        ("AC AC AD AD AH AH AS AS KC QC 9D TD", "D", 1030,
         "marriage in clubs 20, double aces 1000, nine of trumps 10"),
        ("KC QC KD QD KH QH KS QS AC TD 9S JH", "S", 250,
         "marriage in clubs 20, marriage in diamonds 20, marriage in hearts 20, royal marriage 40, kings 80, queens 60,"
         " nine of trumps 10"),
        ("AS AS TS TS KS KS QS QS JS JS 9S 9S", "S", 1520, "double flush 1500, nine of trumps 10, nine of trumps 10"),
        ("QS QS JD JD KD QD KS 9H 9C AC TC TH", "D", 360,
         "royal marriage 40, marriage in spades 20, double pinochle 300"),
        ("AS TS KS QS JS KS AH AD AC JD 9C TD", "S", 290, "flush 150, aces 100, pinochle 40"),
        ("KC KC KD KD KH KH KS KS QS JD 9H TD", "H", 870,
         "marriage in spades 20, double kings 800, pinochle 40, nine of trumps 10"),
        ("AC TC KC QD JH 9S AD TD KH QS JC 9D", "C", 0, ""),
    ],
)  # fmt: skip
def test_the_examples_of_sheet_10(hand: str, trump: str, total: int, named: str) -> None:
    assert items(partnership_melds, hand, trump) == named
    assert meld_points(partnership_melds(parse_cards(hand), suit_of(trump))) == total


@pytest.mark.parametrize(
    ("hand", "trump", "total", "named"),
    [
        ("AS AS TS TS KS KS QS QS JS JS AH AD AC KH QH TD TC TH JD KD", "S", 1660,
         "double flush 1500, marriage in hearts 20, aces 100, pinochle 40"),
        ("AS AS AS AD AD AD AC AC AC AH AH AH KS QS TD TC JH JC KD QH", "S", 1540,
         "royal marriage 40, triple aces 1500"),
        ("AS AS AS AS AD AD AD AD AC AC AC AC AH AH AH AH KS QS JD TD", "D", 2060,
         "marriage in spades 20, quadruple aces 2000, pinochle 40"),
        ("QS QS QS QS JD JD JD JD KH KH TC TC AC AD TH AH JC JH TS KC", "H", 3000, "quadruple pinochle 3000"),
        ("AH AH AH TH TH TH KH KH KH QH QH QH JH JH JH KS QS JD AC TC", "H", 2310,
         "triple flush 2250, marriage in spades 20, pinochle 40"),
        ("AH AH AH AH TH TH TH TH KH KH KH KH QH QH QH QH JH JH JH JH", "H", 3000, "quadruple flush 3000"),
        ("KC KC KC KD KD KD KH KH KH KS KS KS QC QD QH QS AC TD TH JC", "C", 1360,
         "royal marriage 40, marriage in diamonds 20, marriage in hearts 20, marriage in spades 20, triple kings 1200,"
         " queens 60"),
    ],
)  # fmt: skip
def test_the_examples_of_sheet_11(hand: str, trump: str, total: int, named: str) -> None:
    assert items(double_pack_melds, hand, trump) == named
    assert meld_points(double_pack_melds(parse_cards(hand), suit_of(trump))) == total


@pytest.mark.parametrize(
    ("hand", "trump", "total", "named"),
    [
        ("AH TH KH QH JH 9H KS QS JD AC AD AS", "H", 32,
         "run 15, marriage in spades 2, aces 10, pinochle 4, deece 1"),
        ("KC QC KD QD KH QH KS QS 9S AC TD JH", "S", 25, "round robin 24, deece 1"),
        ("AC AC AD AD AH AH AS AS KC QC 9D TD", "D", 103, "marriage in clubs 2, double aces 100, deece 1"),
        ("QS QS JD JD KS QD 9C TC AC TH JH 9D", "C", 33, "marriage in spades 2, double pinochle 30, deece 1"),
        ("AS AS TS TS KS KS QS QS JS JS 9S 9S", "S", 152, "double run 150, deece 1, deece 1"),
        ("KC KC KD KD KH KH KS KS QH QS 9C TD", "H", 86, "royal marriage 4, marriage in spades 2, double kings 80"),
        ("AH TH KH QH JH KH QH 9S AS TC JC 9D", "H", 19, "run 15, royal marriage 4"),
        ("9C TC JC AD TD KH QS JS AS 9H TH JH", "C", 1, "deece 1"),
    ],
)  # fmt: skip
def test_the_examples_of_sheet_13(hand: str, trump: str, total: int, named: str) -> None:
    assert items(bid_melds, hand, trump) == named
    assert meld_points(bid_melds(parse_cards(hand), suit_of(trump))) == total


# --- the decisions ----------------------------------------------------------------------------------------------------


def test_d_pp_3_a_card_counts_once_in_each_class() -> None:
    four = "KC QC KD QD KH QH KS QS"
    assert meld_points(partnership_melds(parse_cards(four), Suit.CLUBS)) == 80 + 60 + 40 + 60
    assert items(partnership_melds, "AH TH KH QH JH KH", "H") == "flush 150"
    assert items(partnership_melds, "AH TH KH QH JH QH", "H") == "flush 150"


def test_d_dp_2_quadruples_are_two_doubles_but_of_pinochles() -> None:
    for rank, points in zip("AKQJ", (2000, 1600, 1200, 800), strict=True):
        named = items(double_pack_melds, " ".join(f"{rank}{suit}" for suit in "CDHS" * 4), "C")
        assert named.startswith("quadruple ") and named.endswith(f" {points}")
    assert items(double_pack_melds, "QS JD " * 3, "C") == "triple pinochle 450"


def test_d_bp_4_a_round_robin_is_the_sum_of_its_parts() -> None:
    four = "KC QC KD QD KH QH KS QS "
    assert items(bid_melds, four + "AS TS JS KS", "S").startswith("run 15, marriage in clubs 2")
    assert items(bid_melds, four + "AS TS JS KS QS", "S") == "run 15, round robin 24"
    assert items(bid_melds, four + "KC QC", "S") == "round robin 24, marriage in clubs 2"
    eight = "KC KD KH KS " + four
    parts = "marriage in clubs 2, marriage in diamonds 2, marriage in hearts 2, royal marriage 4"
    assert items(bid_melds, eight, "S") == f"{parts}, double kings 80, queens 6"
    assert items(partnership_melds, four, "S").count("round") == 0


def test_what_is_shown_is_each_card_as_often_as_one_class_needs_it() -> None:
    def shown(scorer: Scorer, hand: str, trump: str) -> tuple[Card, ...]:
        return meld_cards(scorer(parse_cards(hand), suit_of(trump)))

    assert shown(partnership_melds, "KS QS JD QS TD 9C", "D") == parse_cards("JD QS KS")
    assert shown(partnership_melds, "AH TH KH QH JH KH QH 9H AS KS QS JD", "H") == parse_cards(
        "JD 9H TH JH QH QH KH KH AH QS KS"
    )
    four = "QC KC QD KD QH KH QS KS"
    assert shown(bid_melds, f"{four} AH TH JH KH QH KC", "H") == parse_cards("QC KC QD KD TH JH QH QH KH KH AH QS KS")
    assert shown(bid_melds, "AC TC", "H") == ()


@pytest.mark.parametrize("scorer", FORMS)
def test_the_cards_that_are_shown_make_the_same_melds(scorer: Scorer) -> None:
    pack, number = FORMS[scorer]
    rng = Random(3)
    for _ in range(300):
        hand, trump = rich_hand(pack, number, rng), rng.choice(SUITS)
        melds = scorer(hand, trump)
        shown = meld_cards(melds)
        assert scorer(shown, trump) == melds
        assert not Counter(shown) - Counter(hand)
        assert list(shown) == sorted(shown)


@pytest.mark.parametrize("scorer", FORMS)
def test_cards_that_no_hand_holds_are_refused(scorer: Scorer) -> None:
    pack, _ = FORMS[scorer]
    copies = Counter(pack)[pack[-1]]
    lowest = parse_cards("9C" if len(pack) == 80 else "8C")
    for wrong in ((BACK,), lowest, pack[-1:] * (copies + 1), parse_cards("AS'")):
        with pytest.raises(ValueError, match="no hand of this pack"):
            scorer(wrong, Suit.CLUBS)
    assert len(pack) == copies * len(set(pack)) and scorer((), Suit.CLUBS) == ()


# --- a second evaluator: a search through every use of the cards ------------------------------------------------------

Makeable = list[tuple[Counter[Card], int]]  # cards of a meld and its points


def rich_hand(pack: Sequence[Card], number: int, rng: Random) -> tuple[Card, ...]:
    """A hand from a part of the pack, so that melds are many."""
    few = rng.sample(sorted(set(pack)), rng.choice((8, 12, 16, len(set(pack)))))
    part = [card for card in pack if card in few]
    return tuple(rng.sample(part, min(number, len(part))))


def most(left: Counter[Card], makeable: Makeable) -> int:
    """The most that the cards make when each is used once."""
    for i, (needed, points) in enumerate(makeable):
        if needed <= left:
            return max(points + most(left - needed, makeable[i:]), most(left, makeable[i + 1 :]))
    return 0


def folds(words: str, points: Sequence[int]) -> Makeable:
    """The meld of these cards, single, double and so on."""
    return [(Counter(parse_cards(words) * (i + 1)), value) for i, value in enumerate(points)]


def searched(scorer: Scorer, hand: Sequence[Card], trump: Suit) -> int:
    unit = 1 if scorer is bid_melds else 10
    fold = 4 if scorer is double_pack_melds else 2
    letter = SUIT_LETTERS[trump]
    times = (1, 10, 15, 20)[:fold]
    suits = folds(" ".join(rank + letter for rank in "ATKQJ"), [15 * unit * n for n in times])
    suits += [(Counter(parse_cards(f"K{suit} Q{suit}")), (4 if suit == letter else 2) * unit) for suit in SUIT_LETTERS]
    if scorer is not double_pack_melds:
        suits.append((Counter(parse_cards(f"9{letter}")), unit))
    ranks: Makeable = []
    for rank, value in zip("AKQJ", (10, 8, 6, 4), strict=True):
        ranks += folds(" ".join(rank + suit for suit in SUIT_LETTERS), [value * unit * n for n in times])
    pinochles = folds("QS JD", {1: (4, 30), 10: (40, 300, 450, 3000)}[unit][:fold])
    held = Counter(hand)
    best = sum(most(held, [meld for meld in each if meld[0] <= held]) for each in (suits, ranks, pinochles))
    robin = Counter(parse_cards("KC QC KD QD KH QH KS QS"))
    if scorer is bid_melds and robin <= held:
        rest = held - robin
        best = max(best, 24 + most(rest, suits) + most(rest, ranks) + most(held, pinochles))
    return best


@pytest.mark.parametrize("scorer", FORMS)
@pytest.mark.parametrize("number", [1_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_the_melds_are_the_most_that_a_search_finds(scorer: Scorer, number: int) -> None:
    pack, size = FORMS[scorer]
    rng = Random(1)
    worths = set()
    for i in range(number):
        hand = rich_hand(pack, size, rng) if i % 2 else tuple(rng.sample(pack, size))
        trump = rng.choice(SUITS)
        worth = meld_points(scorer(hand, trump))
        assert worth == searched(scorer, hand, trump), f"{hand}, {trump.name}"
        worths.add(worth)
    assert len(worths) > 10
