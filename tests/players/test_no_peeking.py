"""No computer player decides by what it cannot see."""

from __future__ import annotations

from random import Random

import pytest

from p2pcards.cards.eyes import redact, viewer
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose
from p2pcards.players.levels import LEVELS
from p2pcards.players.search import READERS
from rigs.decisions import random_positions, search_less
from rigs.worlds import determinize

pytestmark = pytest.mark.no_cover

POSITIONS = [pytest.param(3, 4, 1_000, id="3"), pytest.param(120, 10, 100, id="120", marks=pytest.mark.slow)]
"""Of each game and level, how many worlds are imagined behind each, and how many times as short the levels search that
do so: ten thousand positions over all of them in the slow tests."""


@pytest.mark.parametrize(("number", "worlds", "times"), POSITIONS)
@pytest.mark.parametrize("key", READERS)
def test_other_hidden_cards_give_the_same_choice(
    key: str, number: int, worlds: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_less(monkeypatch, times)
    for level in LEVELS:
        check_choices(key, level, number, worlds)


def check_choices(key: str, level: str, number: int, worlds: int) -> None:
    game, rng = GAMES[key], Random(f"{key} {level}")
    positions = random_positions(game, rng.choice(list(game.presets.values())), rng)
    for seed in range(number):
        for _ in range(5):
            state, seat = next(positions)
        view = redact(state, viewer(seat))
        chosen = choose(game, view, seat, level, Random(seed))
        for _ in range(worlds):
            other = determinize(view, game.pack(state.options), rng)
            assert choose(game, redact(other, viewer(seat)), seat, level, Random(seed)) == chosen, level
