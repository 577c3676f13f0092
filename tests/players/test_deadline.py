"""Decisions that a clock cuts short: by an invented one they stop after the right number of hands."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.ending import Ending
from p2pcards.games.deals.position import Deadline, TooLong
from p2pcards.games.game import Seat
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose, deadline_of_level, rate
from p2pcards.players.levels import LEVELS, PROMISES, USABLE, searches
from p2pcards.players.search import READERS, chain_of_worlds
from rigs.decisions import random_positions

CHANCE = Chance(1)
SEARCHING = [(key, level) for key in READERS for level in LEVELS if searches(key, level)]


class Ticking:
    """A clock that goes on by one each time that it is read."""

    def __init__(self) -> None:
        self.reads = 0

    def __call__(self) -> float:
        self.reads += 1
        return self.reads


def undecided(key: str, past: int = 0) -> tuple[Any, Seat]:
    """A decision between several choices, after so many others."""
    game = GAMES[key]
    found = (
        (view, seat)
        for truth, seat in random_positions(game, game.options(), Random(5))
        for view in [redact(truth, eyes_of_viewer(seat))]
        if len(READERS[key](view, seat).choices) > 2
    )
    return next(islice(found, past, None))


@pytest.mark.parametrize(("ticks", "worlds"), [(0, 2), (1, 3)])
def test_no_hand_is_begun_once_the_time_is_up(ticks: int, worlds: int) -> None:
    view, seat = undecided("whist")
    number = len(READERS["whist"](view, seat).choices)
    clock = Ticking()
    weighed = rate(GAMES["whist"], view, seat, "expert", Random(1), Deadline(clock, 3 * number + ticks))
    assert [one.hands for one in weighed] == [worlds] * number, "the time is read once before each hand that is played"


def test_a_deadline_that_does_not_come_changes_nothing() -> None:
    view, seat = undecided("whist")
    game = GAMES["whist"]
    without = rate(game, view, seat, "expert", Random(1))
    assert rate(game, view, seat, "expert", Random(1), Deadline(Ticking(), 1e9)) == without


@pytest.mark.parametrize(("key", "level"), SEARCHING)
def test_where_no_time_is_left_the_thumb_chooses(key: str, level: str) -> None:
    game = GAMES[key]
    for past in (0, 25):
        view, seat = undecided(key, past)
        clock = Ticking()
        assert choose(game, view, seat, level, Random(1), Deadline(clock, 0)) in game.legal(view, seat)
        assert clock.reads < 20
        (obvious,) = rate(game, view, seat, level, Random(1), Deadline(Ticking(), 0))
        assert obvious.hands == 0


@pytest.mark.parametrize("key", ["whist", "pinochle2"])
def test_an_ending_is_left_when_the_time_is_up(key: str) -> None:
    """One by the search that all games share, and one by the game's own."""
    game = GAMES[key]
    for truth, seat in random_positions(game, game.options(), Random(2)):
        reading = READERS[key](redact(truth, eyes_of_viewer(seat)), seat)
        world = reading.position.copy()
        reading.worlds.fill_world(world, CHANCE)
        if world.sides_in_ending() == 2 and len(reading.choices) > 1:
            break
    clock = Ticking()
    with pytest.raises(TooLong):
        Ending(1_000_000, Deadline(clock, 4)).exact_worth(world, seat)
    assert clock.reads == 4


def test_a_world_is_not_looked_for_any_longer_either() -> None:
    view, seat = undecided("whist", 20)
    clock = Ticking()
    chain = chain_of_worlds(READERS["whist"](view, seat), Deadline(clock, 7))
    with pytest.raises(TooLong):
        chain.next_world(CHANCE)
    assert clock.reads == 7


def test_an_exact_search_leaves_time_for_hands_by_rules_of_thumb() -> None:
    now = 8.0
    deadline = Deadline(lambda: now, 16.0)
    part = deadline.earlier_deadline(4)
    part.raise_if_over()
    now = 10.0
    deadline.raise_if_over()
    with pytest.raises(TooLong):
        part.raise_if_over()


@pytest.mark.parametrize(("level", "seconds"), [("expert", 0.3), ("champion", 0.7), ("master", 1.5)])
def test_a_search_ends_somewhat_before_its_promise(level: str, seconds: float) -> None:
    now = 100.0
    deadline = deadline_of_level("whist", level, lambda: now, fast=False)
    assert deadline is not None
    deadline.raise_if_over()
    now += USABLE * seconds
    with pytest.raises(TooLong):
        deadline.raise_if_over()


def test_there_is_a_promise_for_every_level_that_searches_and_only_where_search_is_slow() -> None:
    assert {level for _, level in SEARCHING} == PROMISES.keys()
    assert deadline_of_level("whist", "master", lambda: 0.0, fast=True) is None
    assert deadline_of_level("whist", "novice", lambda: 0.0, fast=False) is None
    assert deadline_of_level("whist", "master", None, fast=False) is None
