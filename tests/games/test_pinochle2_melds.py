"""What may be melded at two-handed pinochle, against an evaluator written from the rule sheet alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from p2pcards.cards.card import Card, Suit, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot
from p2pcards.cards.pack import pack_of
from p2pcards.games.pinochle2.melds import (
    Kind,
    Laid,
    Patterns,
    cards_after_meld,
    meld_of,
    meld_refusal,
    open_melds,
    patterns,
)

USUAL = patterns(Suit.HEARTS, 9, Suit.SPADES, 0)
ROUND = patterns(Suit.HEARTS, 9, Suit.SPADES, 220)


def named(words: str) -> tuple[Card, ...]:
    return tuple(sorted(parse_cards(words)))


def laid(*melds: tuple[Kind, str], table: Sequence[Laid] = ()) -> tuple[Laid, ...]:
    """The open cards after these melds."""
    for kind, words in melds:
        table = cards_after_meld(table, kind, parse_cards(words))
    return tuple(table)


def opened(hand: str, table: Sequence[Laid] = (), known: Patterns = USUAL) -> set[tuple[str, tuple[Card, ...]]]:
    return {(pattern.name, way) for pattern, way in open_melds(known, parse_cards(hand), table)}


@pytest.mark.parametrize(
    ("hand", "name", "points"),
    [
        ("9H", "dix", 10),
        ("JD QS", "pinochle", 20),
        ("KC QC", "marriage in clubs", 20),
        ("KH QH", "royal marriage", 40),
        ("JC JD JH JS", "forty jacks", 40),
        ("QC QD QH QS", "sixty queens", 60),
        ("KC KD KH KS", "eighty kings", 80),
        ("AC AD AH AS", "hundred aces", 100),
        ("AH TH KH QH JH", "flush", 150),
        ("KC KD KH KS QC QD QH QS", "roundhouse", 220),
    ],
)
def test_the_table_of_melds(hand: str, name: str, points: int) -> None:
    pattern = meld_of(ROUND, parse_cards(hand))
    assert pattern is not None and (pattern.name, pattern.points) == (name, points)
    assert (name, named(hand)) in opened(hand, known=ROUND)


@pytest.mark.parametrize("hand", ["9C", "JH QS", "JD QH", "KH QS", "AH TH KH QH", "AC TC KC QC JC", "TC TD TH TS", ""])
def test_what_is_no_meld(hand: str) -> None:
    assert meld_of(USUAL, parse_cards(hand)) is None


def test_what_the_options_change() -> None:
    assert meld_of(USUAL, parse_cards("KC KD KH KS QC QD QH QS")) is None
    assert [pattern.points for pattern in patterns(Suit.CLUBS, 9, Suit.SPADES, 240).values()][-1] == 240
    red = patterns(Suit.CLUBS, 7, Suit.HEARTS, 0)
    assert meld_of(red, parse_cards("JD QH")) is not None and meld_of(red, parse_cards("JD QS")) is None
    assert meld_of(red, parse_cards("7C")) is not None and meld_of(red, parse_cards("9C")) is None


def test_a_new_card_gets_the_lowest_free_number() -> None:
    table = laid((Kind.MARRIAGE, "KH QH"), (Kind.MARRIAGE, "KH QH"))
    assert [str(each.slot.card) for each in table] == ["KH'", "QH'", "KH''", "QH''"]
    without_first = [each for each in table if each.slot.card != parse_cards("KH'")[0]]
    again = cards_after_meld(without_first, Kind.SET, parse_cards("KH"))
    assert str(again[-1].slot.card) == "KH'"


def test_what_a_card_was_used_in_stands_beside_it() -> None:
    table = laid((Kind.MARRIAGE, "KS QS"), (Kind.PINOCHLE, "JD QS'"))
    assert table[1] == Laid(Slot(parse_cards("QS'")[0], PUBLIC), (Kind.MARRIAGE, Kind.PINOCHLE))
    with pytest.raises(ValueError, match="is not in list"):
        cards_after_meld(table, Kind.SET, parse_cards("KC'"))


def test_open_cards_and_new_ones_are_chosen_among() -> None:
    table = laid((Kind.SET, "KC KD KH KS"))
    assert opened("QH KH", table) == {("royal marriage", named("QH KH")), ("royal marriage", named("QH KH'"))}
    assert opened("QH", table) == {("royal marriage", named("QH KH'"))}


REFUSED = [
    ("KH QH'", ((Kind.MARRIAGE, "KH QH"),), "QH' has been in a marriage, so it can't be in a marriage now"),
    ("KH QH'", ((Kind.FLUSH, "AH TH KH QH JH"),), "QH' has been in a flush, so it can't be in a marriage now"),
    ("AC AD AH AS'", ((Kind.SET, "AC AD AH AS"),), "AS' has been in four of a rank, so it can't be in four of a rank"),
    ("JD QS'", ((Kind.PINOCHLE, "JD QS"),), "QS' has been in a pinochle, so it can't be in a pinochle now"),
    ("AH TH KH' QH JH", ((Kind.FLUSH, "AH TH KH QH JH"),), "KH' has been in a flush, so it can't be in a flush"),
    ("9H'", ((Kind.DIX, "9H"),), "9H' has been in a dix"),
    (
        "KH' QH'",
        ((Kind.SET, "KC KD KH KS"), (Kind.SET, "QC QD QH QS")),
        "a meld needs a new card from your hand",
    ),
    ("KH QH'", (), "QH' isn't one of your melded cards"),
]


@pytest.mark.parametrize(("meld", "before", "rule"), REFUSED)
def test_restrictions(meld: str, before: tuple[tuple[Kind, str], ...], rule: str) -> None:
    pattern = meld_of(USUAL, parse_cards(meld))
    assert pattern is not None
    table = laid(*before)
    assert rule in (meld_refusal(pattern, named(meld), table) or "")
    hand = " ".join([word for word in meld.split() if "'" not in word])
    assert named(meld) not in {way for _, way in open_melds(USUAL, parse_cards(hand), table)}


COURT = "KC KD KH KS QC QD QH QS"


def test_restrictions_of_the_roundhouse() -> None:
    house = meld_of(ROUND, parse_cards(COURT))
    assert house is not None
    for kind, words in (
        (Kind.MARRIAGE, "KC QC"),
        (Kind.SET, "KC KD KH KS"),
        (Kind.FLUSH, "AH TH KH QH JH"),
        (Kind.ROUNDHOUSE, COURT),
    ):
        table = laid((kind, words))
        old = {each.slot.card.face for each in table}
        way = " ".join([str(card) + "'" * (card in old) for card in parse_cards(COURT)])
        assert meld_refusal(house, named(way), table) and named(way) not in {
            way for _, way in opened(COURT, table, ROUND)
        }
    table = laid((Kind.PINOCHLE, "JD QS"))
    assert ("roundhouse", named("KC KD KH KS QC QD QH QS'")) in opened("KC KD KH KS QC QD QH", table, ROUND)


def test_d_2p_2_roundhouse_cards_go_into_a_flush_and_a_pinochle() -> None:
    table = laid((Kind.ROUNDHOUSE, COURT))
    assert opened("AH TH JH", table, ROUND) == {("flush", named("AH TH KH' QH' JH"))}
    assert opened("JD", table, ROUND) == {("pinochle", named("JD QS'"))}
    assert opened("KH JC JD", table, ROUND) == {("pinochle", named("JD QS'"))}


def test_d_2p_2_a_second_pinochle_is_20_again() -> None:
    table = laid((Kind.PINOCHLE, "JD QS"))
    assert opened("JD QS", table) == {("pinochle", named("JD QS"))}


# --- against an evaluator of its own ----------------------------------------------------------------------------------


def is_open(
    way: Sequence[Card], uses: dict[Card, frozenset[str]], trump: str, lowest: str, red: bool, house: bool
) -> str:
    """The kind of meld that these cards may be, in the words of the rule sheet; "" if none."""
    text = sorted([str(card).strip("'") for card in way])
    ranks, suits = "".join(sorted(word[0] for word in text)), "".join(sorted(word[1] for word in text))
    if not any(card.copy == 0 for card in way):
        return ""
    been = {use for card in way for use in uses.get(card, frozenset())}
    if text == [lowest + trump]:
        return "dix"
    if text == (["JD", "QH"] if red else ["JD", "QS"]):
        return "" if "pinochle" in been else "pinochle"
    if ranks == "KQ" and len(set(suits)) == 1:
        return "" if been & {"marriage", "flush", "roundhouse"} else "marriage"
    if ranks in ("AAAA", "KKKK", "QQQQ", "JJJJ") and suits == "CDHS":
        return "" if been & {"set", "roundhouse"} else "set"
    if ranks == "AJKQT" and set(suits) == {trump}:
        return "" if "flush" in been else "flush"
    if house and ranks == "KKKKQQQQ" and suits == "CCDDHHSS" and len(set(text)) == 8:
        return "" if been & {"marriage", "set", "roundhouse", "flush"} else "roundhouse"
    return ""


def expected(
    hand: Collection[Card], table: Sequence[Laid], trump: str, lowest: str, red: bool, house: bool
) -> set[tuple[str, tuple[Card, ...]]]:
    uses = {each.slot.card: frozenset([kind.name.lower() for kind in each.uses]) for each in table}
    there = sorted({*hand, *uses})
    ways = [way for size in (1, 2) for way in combinations(there, size)]
    for rank in "AKQJ":
        ways += combinations([card for card in there if str(card)[0] == rank], 4)
    ways += combinations([card for card in there if str(card)[1] == trump], 5)
    ways += combinations([card for card in there if str(card)[0] in "KQ"], 8)
    return {(kind, way) for way in ways if (kind := is_open(way, uses, trump, lowest, red, house))}


def tables(seed: int, number: int) -> Iterator[tuple[list[Card], tuple[Laid, ...], Suit, bool, bool, bool]]:
    """Hands and open cards such as come about: melds are made, cards come and go."""
    rng = Random(seed)
    for _ in range(number):
        trump, small, red, house = rng.choice(tuple(Suit)), rng.random() < 0.7, rng.random() < 0.3, rng.random() < 0.5
        known = patterns(trump, 9 if small else 7, Suit.HEARTS if red else Suit.SPADES, 220 * house)
        least = rng.choice((10, 11))  # other cards are rare, so that melds are not
        stock = [card for card in pack_of(range(9 if small else 7, 15), 2) if card.rank > least or rng.random() < 0.3]
        stock = [card for card in stock if least == 10 or card.rank < 14 or rng.random() < 0.3]
        rng.shuffle(stock)
        hand, table = [stock.pop() for _ in range(12)], tuple[Laid, ...]()
        while stock:
            yield list(hand), table, trump, small, red, house
            if (ways := open_melds(known, hand, table)) and rng.random() < 0.5:
                pattern, way = rng.choice(ways)
                table = cards_after_meld(table, pattern.kind, way)
                for card in way:
                    hand.remove(card) if not card.copy else None
            elif table and rng.random() < 0.5:
                table = tuple([each for each in table if each is not rng.choice(table)])
            elif hand:
                hand.remove(min(hand, key=lambda card: (card.rank in (12, 13), rng.random())))
            if len(hand) + len(table) < 12:
                hand.append(stock.pop())


def test_against_an_evaluator_written_from_the_rule_sheet() -> None:
    seen: dict[str, int] = {}
    for hand, table, trump, small, red, house in tables(seed=1, number=60):
        known = patterns(trump, 9 if small else 7, Suit.HEARTS if red else Suit.SPADES, 220 * house)
        found = open_melds(known, hand, table)
        ways = {(pattern.kind.name.lower(), way) for pattern, way in found}
        assert len(ways) == len(found)
        assert ways == expected(hand, table, trump.name[0], "9" if small else "7", red, house)
        for pattern, way in found:
            assert meld_refusal(pattern, way, table) is None and meld_of(known, way) == pattern
            kind = pattern.kind.name + (" with open cards" if any(card.copy for card in way) else "")
            seen[kind] = seen.get(kind, 0) + 1
    both = {kind.name for kind in Kind} | {f"{kind.name} with open cards" for kind in Kind if kind != Kind.DIX}
    assert both - set(seen) <= {"ROUNDHOUSE with open cards"}  # which are rare: the test before has one
