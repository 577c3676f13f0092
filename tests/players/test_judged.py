"""Positions with a right answer, put to each level; together the levels find as many as is expected of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from random import Random
from typing import Any

import pytest

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.ending import Ending
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.search import Trial
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import spell_action
from p2pcards.players.choose import choose
from p2pcards.players.search import READERS, random_world
from rigs.judged import Judged, at

pytestmark = pytest.mark.no_cover

JUDGED: dict[str, tuple[Judged, ...]] = {key: import_module(f"players.judged.{key}").JUDGED for key in READERS}
CHANCES = (1, 2, 3)
"""Seeds; a position is found where most of them give a right answer."""


def finds(key: str, judged: Judged, level: str, chances: Sequence[int]) -> bool:
    view = redact(judged.state, eyes_of_viewer(judged.seat))
    answers = [spell_action(choose(GAMES[key], view, judged.seat, level, Random(seed))) for seed in chances]
    return 2 * sum([answer in judged.right for answer in answers]) > len(answers)


def missed(level: str, some: Sequence[tuple[str, Judged]], chances: Sequence[int]) -> list[str]:
    return [f"{key}: {one.reason}" for key, one in some if not finds(key, one, level, chances)]


@pytest.mark.parametrize("key", READERS)
def test_every_position_is_one_that_the_rules_allow(key: str) -> None:
    assert len(JUDGED[key]) >= 4
    for one in JUDGED[key]:
        legal = {spell_action(action) for action in GAMES[key].legal(one.state, one.seat)}
        assert set(one.right) <= legal, one.reason
        assert len(legal) > len(one.right), f"{one.reason}: nothing else can be done"


@pytest.mark.parametrize(
    ("level", "share", "step", "chances"),
    [
        ("standard", 0.5, 4, CHANCES[:1]),
        pytest.param("standard", 0.5, 1, CHANCES, marks=pytest.mark.slow),
        pytest.param("expert", 0.8, 1, CHANCES, marks=pytest.mark.slow),
        pytest.param("master", 0.95, 1, CHANCES, marks=pytest.mark.slow),
    ],
)
def test_a_level_finds_its_share(level: str, share: float, step: int, chances: Sequence[int]) -> None:
    """step: 4 where every fourth position is put to it."""
    every = [(key, one) for key, all_of_it in JUDGED.items() for one in all_of_it]
    assert len(every) >= 60
    found = missed(level, every[::step], chances)
    assert len(found) <= (1 - share) * len(every[::step]), found


WITHOUT = [
    pytest.param(key, one, id=f"{key}-{number}", marks=[pytest.mark.slow] if key == "crazy_eights" else [])
    for key, all_of_it in JUDGED.items()
    for number, one in enumerate(all_of_it)
    if one.without is not None
]


@pytest.mark.parametrize(("key", "judged"), WITHOUT)
def test_another_answer_is_found_without_what_tells_of_the_others(key: str, judged: Judged) -> None:
    assert finds(key, judged, "expert", CHANCES)
    assert not finds(key, replace(judged, state=judged.without), "expert", CHANCES)


def counted(key: str, judged: Judged) -> dict[str, float]:
    """What each answer comes to on average over every world that agrees with what the seat knows, each as likely as the
    others, when all play on and see all cards."""
    reading = READERS[key](redact(judged.state, eyes_of_viewer(judged.seat)), judged.seat)
    worlds, chance = dict[tuple[Any, ...], SearchPosition](), Chance(1)
    while len(worlds) < reading.worlds.number:
        world = random_world(reading, chance)
        worlds.setdefault(world.comparison_key(), world)
    trials = {spell_action(choice): Trial(list(reading.moves(choice))) for choice in reading.choices}
    ending, number = Ending(1_000_000), len(worlds)
    return {
        spelling: sum([trial.exact_worth_after(world, judged.seat, ending) for world in worlds.values()]) / number
        for spelling, trial in trials.items()
    }


COUNTED = [
    pytest.param(key, one, id=f"{key}-{number}")
    for key, all_of_it in JUDGED.items()
    for number, one in enumerate(all_of_it)
    if one.counted
]


@pytest.mark.parametrize(("key", "judged"), COUNTED)
def test_in_all_worlds_together_the_right_answers_are_best(key: str, judged: Judged) -> None:
    found = counted(key, judged)
    best = max(found.values())
    assert {spelling for spelling, worth in found.items() if worth == best} == set(judged.right)
    if any(judged.state.scores):
        found = counted(key, at((0,) * len(judged.state.scores), judged))
        assert max(found, key=lambda spelling: found[spelling]) not in judged.right
