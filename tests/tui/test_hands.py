"""Whole hands on the screen, by keys alone and by the mouse alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from p2pcards.games.registry import GAMES
from rigs.screen_hands import by_keys, by_mouse, close_panels, suggested, until
from rigs.screen_table import Screened, screened

LONGEST = 300
"""Actions of one person in a hand, at the most."""
BEGUN = 8
SHORT = ("euchre", "thirty_one", "oh_hell", "cribbage")
"""Games whose hands take few actions."""


@pytest.mark.parametrize("key", SHORT)
def test_a_hand_is_played_by_keys_alone(key: str) -> None:
    asyncio.run(_play(key, by_keys, LONGEST))


@pytest.mark.parametrize("key", [key for key in GAMES if key not in SHORT])
def test_a_hand_is_begun_by_keys_alone(key: str) -> None:
    asyncio.run(_play(key, by_keys, BEGUN))


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in GAMES if key not in SHORT])
def test_a_long_hand_is_played_by_keys_alone(key: str) -> None:
    asyncio.run(_play(key, by_keys, LONGEST))


@pytest.mark.parametrize("key", ["hearts", "gin_rummy", "euchre"])
def test_a_hand_is_played_by_the_mouse_alone(key: str) -> None:
    asyncio.run(_play(key, by_mouse, LONGEST))


async def _play(key: str, act: Callable[[Screened, str], Awaitable[None]], most: int) -> None:
    """A hand to its end, or so many actions of it."""
    async with screened(key) as table:
        for _ in range(most):
            if _is_over(table):
                break
            before = table.table.view().records
            await act(table, suggested(table))
            await until(partial(_has_acted, table, before), table)
            await close_panels(table)
        assert most < LONGEST or _is_over(table)


def _has_acted(table: Screened, before: int) -> bool:
    return table.table.view().records > before


def _is_over(table: Screened) -> bool:
    view = table.table.view()
    return bool(view.rounds) or view.phase != "play"
