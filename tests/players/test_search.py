"""Choosing by trying out."""

from __future__ import annotations

from itertools import islice
from random import Random
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.position import finish_by_rules_of_thumb
from p2pcards.games.deals.search import Trial
from p2pcards.games.game import Seat
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import Skill, Way
from p2pcards.players.choose import choose_by_search
from p2pcards.players.search import READERS, place_of_rule_of_thumb, rate_choices
from rigs.decisions import clear_at_last, random_positions

SOME = Skill(Way.SEARCH, 40)


def seen(key: str, number: int) -> list[tuple[Any, Seat]]:
    """Positions of a game as the player who owes an action sees them."""
    game = GAMES[key]
    positions = random_positions(game, game.options(), Random(key))
    return [(redact(state, eyes_of_viewer(seat)), seat) for state, seat in islice(positions, number)]


@given(st.lists(st.integers(-200, 200), min_size=2, max_size=60))
def test_a_lead_is_clear_when_it_is_over_two_standard_errors(leads: list[int]) -> None:
    trial = Trial([0])
    for lead in leads:
        trial.count_hand(lead, lead)
    error = (sum(lead * lead for lead in leads) / len(leads) - mean(leads) ** 2) ** 0.5 / len(leads) ** 0.5
    if abs(mean(leads) - 2 * error) > 1e-9:
        assert trial.is_clear(len(leads)) == (mean(leads) > 2 * error)


def test_a_lead_that_never_changes_is_clear_and_none_is_not() -> None:
    for lead, clear in ((3, True), (0, False), (-3, False)):
        trial = Trial([0])
        for _ in range(5):
            trial.count_hand(lead, lead)
        assert trial.is_clear(5) is clear


def test_a_game_that_is_won_in_many_worlds_is_a_clear_lead() -> None:
    """What speaks for it then has no place in 64 bits; `rigs.decisions` asks the same of compiled kernels."""
    assert clear_at_last()


@pytest.mark.parametrize("number", [3, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", READERS)
def test_a_choice_is_among_those_that_were_read_and_follows_from_the_seed(key: str, number: int) -> None:
    for seed, (view, seat) in enumerate(seen(key, number)):
        found = [choose_by_search(READERS[key](view, seat), seat, SOME, Random(seed)) for _ in range(2)]
        assert found[0] == found[1]
        assert found[0] in READERS[key](view, seat).choices
        assert found[0] in GAMES[key].legal(view, seat)


@pytest.mark.parametrize("number", [60, pytest.param(2_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", READERS)
def test_what_rules_of_thumb_choose_is_weighed(key: str, number: int) -> None:
    """Or a card that comes to the same: what they choose stands until something is clearly better."""
    for seed, (view, seat) in enumerate(seen(key, number)):
        reading = READERS[key](view, seat)
        if len(reading.choices) > 1:
            assert place_of_rule_of_thumb(reading, Chance(seed + 1)) is not None, f"position {seed}"


@pytest.mark.parametrize("number", [3, pytest.param(8, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", READERS)
def test_every_choice_is_rated_and_the_best_is_what_is_chosen(key: str, number: int) -> None:
    for seed, (view, seat) in enumerate(seen(key, number)):
        reading = READERS[key](view, seat)
        first, *others = rate_choices(reading, seat, SOME, Random(seed))
        assert first.action == choose_by_search(READERS[key](view, seat), seat, SOME, Random(seed))
        assert [one.worth for one in others] == sorted([one.worth for one in others], reverse=True)
        found = [first.action, *[one.action for one in others]]
        assert len(found) == len(reading.choices) and all(choice in found for choice in reading.choices)
        if others:
            assert first.hands == max(one.hands for one in others) and min(one.hands for one in others) > 0


def test_a_choice_is_rated_by_what_it_comes_to() -> None:
    """Where all cards are seen nothing is left to chance: each worth is that of the hand."""
    game = GAMES["whist"]
    for state, seat in islice(random_positions(game, game.presets["real-deal"], Random(5)), 2_000):
        by_sight = READERS["whist"](state, seat)  # with the eyes of the truth every world is the same
        if sum(map(len, state.hands)) != 8 or len(by_sight.choices) == 1:
            continue
        for one in rate_choices(by_sight, seat, SOME, Random(1)):
            position = by_sight.position.copy()
            for move in by_sight.moves(one.action):
                position.make_move(move)
            finish_by_rules_of_thumb(position, Chance(1))
            assert one.worth == pytest.approx(position.final_worth(seat)) and one.hands
