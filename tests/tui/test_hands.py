"""Whole hands on the screen, by keys alone and by the mouse alone."""

from __future__ import annotations

import asyncio

import pytest

from p2pcards.games.registry import GAMES
from rigs.screen_hands import by_keys, by_mouse, close_panels, suggested
from rigs.screen_table import Screened, screened

LONGEST = 300
"""Actions of one person in a hand, at the most."""


@pytest.mark.parametrize("key", list(GAMES))
def test_a_hand_is_played_by_keys_alone(key: str) -> None:
    async def play() -> None:
        async with screened(key) as table:
            for _ in range(LONGEST):
                if _is_over(table):
                    break
                before = table.table.view().records
                await by_keys(table, suggested(table))
                assert table.table.view().records > before, table.text()
                await close_panels(table)
            assert _is_over(table)

    asyncio.run(play())


@pytest.mark.parametrize("key", ["hearts", "gin_rummy", "euchre"])
def test_a_hand_is_played_by_the_mouse_alone(key: str) -> None:
    async def play() -> None:
        async with screened(key) as table:
            for _ in range(LONGEST):
                if _is_over(table):
                    break
                before = table.table.view().records
                await by_mouse(table, suggested(table))
                assert table.table.view().records > before, table.text()
                await close_panels(table)
            assert _is_over(table)

    asyncio.run(play())


def _is_over(table: Screened) -> bool:
    view = table.table.view()
    return bool(view.rounds) or view.phase != "play"
