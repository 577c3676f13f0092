"""Sets and runs against a plain definition, over random cards."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from p2pcards.cards.card import Card, parse_cards
from p2pcards.cards.pack import pack_of
from p2pcards.games.melds import is_set, run_order, runs_in, sets_in

PACK = pack_of()
ORDERS = {"low": ["A23456789TJQK"], "high": ["23456789TJQKA"], "both": ["A23456789TJQK", "23456789TJQKA"]}


def is_run(chosen: tuple[Card, ...], aces: str) -> bool:
    """Whether the ranks, in some order, stand side by side in the row of ranks."""
    if len({card.suit for card in chosen}) != 1:
        return False
    ranks = {str(card)[0] for card in chosen}
    return any(ranks == set(row[i : i + len(chosen)]) for row in ORDERS[aces] for i in range(14 - len(chosen)))


@pytest.mark.parametrize("aces", ORDERS)
def test_all_melds_of_random_cards_are_found_once(aces: str) -> None:
    rng = Random(1)
    for _ in range(60):
        suits = rng.sample(range(4), 2)
        held = sorted(rng.sample([card for card in PACK if card.suit in suits or card.rank == 9], 11))
        tried = [chosen for size in range(3, 12) for chosen in combinations(held, size)]
        assert sorted(runs_in(held, aces)) == sorted(chosen for chosen in tried if is_run(chosen, aces))
        assert sorted(sets_in(held)) == sorted(chosen for chosen in tried if len({card.rank for card in chosen}) == 1)
        assert all(is_set(chosen) for chosen in sets_in(held))
        assert all(sorted(run_order(chosen, aces)) == list(chosen) for chosen in runs_in(held, aces))


@pytest.mark.parametrize(
    ("words", "aces", "order"),
    [
        ("2H 3H AH", "both", "AH 2H 3H"),
        ("QH KH AH", "both", "QH KH AH"),
        ("2H 3H AH", "high", ""),
        ("QH KH AH", "low", ""),
        ("KH AH 2H", "both", ""),
        ("5H 6H", "both", ""),
        ("5H 6H 7D", "both", ""),
        ("5H 6H 6H 7H", "both", ""),
        ("9C TC JC QC", "low", "9C TC JC QC"),
    ],
)
def test_the_order_of_a_run(words: str, aces: str, order: str) -> None:
    assert run_order(parse_cards(words), aces) == parse_cards(order)


def test_a_whole_suit_is_one_run_with_the_ace_high() -> None:
    suit = PACK[:13]
    for aces, first in (("both", 2), ("high", 2), ("low", 14)):
        assert [run for run in runs_in(suit, aces) if len(run) == 13] == [suit]
        assert run_order(suit, aces)[0].rank == first


def test_a_card_named_twice_makes_no_set() -> None:
    assert not is_set(parse_cards("5C 5C 5D")) and not is_set(parse_cards("5C 5D")) and not is_set(())
    assert is_set(parse_cards("5C 5D 5H")) and is_set(parse_cards("5C 5D 5H 5S"))
