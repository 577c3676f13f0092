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
DECISIONS = [600, pytest.param(3_000, marks=pytest.mark.slow)]
FEWER_DECISIONS = [150, pytest.param(1_000, marks=pytest.mark.slow)]
"""For the many sets of options."""


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_a_hand_in_whole_numbers_goes_as_by_the_rules(key: str, preset: str, decisions: int) -> None:
    assert follow_hands(GAMES[key], GAMES[key].presets[preset], Random(1), decisions) > 0


@pytest.mark.parametrize("decisions", FEWER_DECISIONS)
@pytest.mark.parametrize("key", READERS)
def test_a_hand_in_whole_numbers_goes_as_by_the_rules_with_every_option(key: str, decisions: int) -> None:
    follow_all(key, meeting=1, chance=5, decisions=decisions)


@pytest.mark.slow
@pytest.mark.parametrize("key", READERS)
def test_a_hand_in_whole_numbers_goes_as_by_the_rules_with_every_pair_of_options(key: str) -> None:
    follow_all(key, meeting=2, chance=6, decisions=20_000)


def follow_all(key: str, meeting: int, chance: int, decisions: int) -> None:
    """Options in which so many values meet; where one fails, it is said which."""
    for options in option_sets(GAMES[key].options, Random(chance), meeting):
        try:
            follow_hands(GAMES[key], options, Random(meeting + 1), decisions)
        except AssertionError as failed:
            failed.add_note(f"{options}")
            raise
