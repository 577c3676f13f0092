"""A hand that is over stays on the screen, with its score beside it, until the person goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from p2pcards.games.names import GAME_NAMES
from p2pcards.present.cards import card_text
from p2pcards.tui.panels import ScorePanel
from p2pcards.views.tableview import Command, TableView
from rigs.giving_up import GIVE_UP
from rigs.screen_table import Screened, screened

SIZES = ((80, 24), (120, 40))


def at_its_end(game: str, look: Callable[[Screened], Awaitable[None]], size: tuple[int, int] = SIZES[0]) -> None:
    """The first hand that is followed by another has been played."""

    async def sit() -> None:
        for seed in range(1, 9):
            async with screened(game, seed=seed, size=size, looks=True) as table:
                while (view := table.table.view()).pause is None and view.phase == "play":
                    await table.attached.command(Command("act", tuple(table.table.suggestion().split())))
                if view.phase == "play":
                    await look(table)
                    return
        raise AssertionError("no hand of these is followed by another")

    asyncio.run(sit())


async def until(done: Callable[[], bool], table: Screened) -> None:
    async with asyncio.timeout(GIVE_UP):
        while not done():
            await table.pilot.pause()


def shown(view: TableView) -> list[int]:
    """The cards that are to be seen when a hand is over: the last trick, and what lies open."""
    open_hands = [card for seat in view.seats if seat.seat != view.me for card in seat.known]
    return [*[card for _, card in view.last_trick], *open_hands]


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
@pytest.mark.parametrize("game", [*GAME_NAMES])
def test_the_cards_of_the_end_lie_there_with_the_score_until_enter(game: str, size: tuple[int, int]) -> None:
    async def look(table: Screened) -> None:
        await until(lambda: isinstance(table.pilot.app.screen, ScorePanel), table)
        await until(lambda: table.scene.view.pause is not None, table)
        view, text = table.scene.view, table.text()
        for card in shown(view):
            assert card_text(card, table.scene.look.style) in text
        assert "Enter deals the next hand" in text
        await table.press("enter")
        await until(lambda: table.scene.view.hand == view.hand + 1, table)
        assert [command.name for command in table.attached.seen].count("next") == 1

    at_its_end(game, look, size)


def test_another_key_looks_at_the_table_first() -> None:
    async def look(table: Screened) -> None:
        await until(lambda: isinstance(table.pilot.app.screen, ScorePanel), table)
        await table.press("escape")
        assert not isinstance(table.pilot.app.screen, ScorePanel)
        assert "next" not in [command.name for command in table.attached.seen]
        await table.press("enter")
        await until(lambda: table.scene.view.pause is None, table)

    at_its_end("whist", look)


def test_a_resize_in_between_loses_nothing() -> None:
    async def look(table: Screened) -> None:
        await until(lambda: isinstance(table.pilot.app.screen, ScorePanel), table)
        await table.pilot.resize_terminal(120, 40)
        await table.pilot.pause()
        assert isinstance(table.pilot.app.screen, ScorePanel)
        await table.press("enter")
        await until(lambda: table.scene.view.pause is None, table)

    at_its_end("whist", look)
