"""Hands in whole numbers are held equal to the rules, in every game, preset and option."""

from __future__ import annotations

from random import Random

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.players.search import READERS
from rigs.followed import follow_hands
from rigs.laws import option_sets

pytestmark = pytest.mark.no_cover  # several times as slow under measurement

PRESETS = [(key, preset) for key in READERS for preset in GAMES[key].presets]
SETS = {key: option_sets(GAMES[key].options, Random(5), meeting=1) for key in READERS}
PAIRS = {key: option_sets(GAMES[key].options, Random(6), meeting=2) for key in READERS}


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_a_hand_in_whole_numbers_goes_as_by_the_rules(key: str, preset: str) -> None:
    assert follow_hands(GAMES[key], GAMES[key].presets[preset], Random(1), 3_000) > 0


@pytest.mark.parametrize(("key", "number"), [(key, number) for key in SETS for number in range(len(SETS[key]))])
def test_a_hand_in_whole_numbers_goes_as_by_the_rules_with_every_option(key: str, number: int) -> None:
    follow_hands(GAMES[key], SETS[key][number], Random(2), 1_000)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "number"), [(key, number) for key in PAIRS for number in range(len(PAIRS[key]))])
def test_a_hand_in_whole_numbers_goes_as_by_the_rules_with_every_pair_of_options(key: str, number: int) -> None:
    follow_hands(GAMES[key], PAIRS[key][number], Random(3), 20_000)
