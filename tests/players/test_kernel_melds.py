"""Melds in whole numbers are held equal to the arithmetic of gin."""

from collections.abc import Sequence
from random import Random

import pytest

from p2pcards.cards.card import Card
from p2pcards.cards.pack import pack_of
from p2pcards.games.deals.melds import best_arrangements, cards_in_runs, deadwood_after_laying_off, least_deadwood
from p2pcards.games.gin_rummy.deadwood import Arrangement, lay_offs
from p2pcards.games.gin_rummy.deadwood import arrangements as all_arrangements
from p2pcards.games.gin_rummy.deadwood import deadwood as deadwood_by_rules
from p2pcards.games.melds import is_set
from p2pcards.games.seen.melds import mask_of_numbers

pytestmark = pytest.mark.no_cover

PACK = pack_of()


def some_hand(rng: Random, without: Sequence[Card] = ()) -> list[Card]:
    """Ten cards, often of a few ranks, so that there is much to choose from."""
    first, width = rng.randint(1, 10), rng.choice((3, 4, 5, 13))
    near = [card for card in PACK if first <= card.rank % 13 < first + width and card not in without]
    rest = [card for card in PACK if card not in near and card not in without]
    return [*near, *rest][:10] if len(near) < 10 else rng.sample(near, 10)


def sets_of(arrangement: Arrangement) -> int:
    return mask_of_numbers([card for meld in arrangement.melds if is_set(meld) for card in meld])


def test_deadwood_and_arrangements_are_those_of_the_rules() -> None:
    rng = Random(1)
    for _ in range(1_500):
        held = some_hand(rng)
        assert least_deadwood(mask_of_numbers(held)) == deadwood_by_rules(held)
        wanted = [sets_of(arrangement) for arrangement in all_arrangements(held)]
        found = best_arrangements(mask_of_numbers(held))
        assert found[0] == wanted[0] and sorted(found) == sorted(wanted), held


def test_what_is_left_after_laying_off_is_that_of_the_rules() -> None:
    rng = Random(2)
    for _ in range(1_500):
        held = some_hand(rng)
        other = some_hand(rng, held)
        for arrangement in all_arrangements(held):
            runs = cards_in_runs(mask_of_numbers(held) & ~sets_of(arrangement))
            left = deadwood_after_laying_off(mask_of_numbers(other), sets_of(arrangement), runs)
            assert left == lay_offs(arrangement.melds, other).own.points, (arrangement, other)
