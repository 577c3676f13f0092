"""A hand that is over stays on the screen as cards, with its score beside them, until the person goes on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from p2pcards.games.names import GAME_NAMES
from p2pcards.present.cards import card_text
from p2pcards.present.table import is_hand_over
from p2pcards.present.tallies import count_moments
from p2pcards.tui.appearance import Appearance
from p2pcards.tui.picture.table import draw_scene
from p2pcards.views.tableview import Command, TableView
from rigs.screen_hands import until
from rigs.screen_table import PLAIN, Screened, screened

SIZES = ((80, 24), (120, 40))


def at_its_end(game: str, look: Callable[[Screened], Awaitable[None]], appearance: Appearance = PLAIN) -> None:
    """The first hand that is followed by another has been played."""

    async def sit() -> None:
        for seed in range(1, 9):
            async with screened(game, seed=seed, looks=True, appearance=appearance) as table:
                while (view := table.table.view()).pause is None and view.phase == "play":
                    await table.attached.command(Command("act", tuple(table.table.suggestion().split())))
                if view.phase == "play":
                    if appearance.pace > 1:
                        await table.press("escape")  # what waits to be shown one after another is skipped
                    await until(lambda: table.scene.view.pause is not None, table)
                    await look(table)
                    return
        raise AssertionError("no hand of these is followed by another")

    asyncio.run(sit())


def shown(view: TableView) -> list[int]:
    """The cards that are to be seen when a hand is over: the last trick, and what lies open."""
    open_hands = [card for seat in view.seats if seat.seat != view.me for card in seat.known]
    piles = [card for pile in view.piles if pile.spread for card in pile.cards]
    return [*[card for _, card in view.last_trick], *open_hands, *piles]


TURNED_UP = {
    "gin_rummy": ["│A♣ ││2♣ ││3♣ │ │K♣ ││K♦ ││K♥ ││K♠ │", "╭deadwood╮╭───╮", "Wacky Wayne       +7     7"],
    "cribbage": ["│9♦ ││5♥ ││K♣ ││K♥ │ │7♣ ││6♥ ││4♥ ││3♠ │", "╭played──╮╭───╮╭───╮ ╭crib╭"],
    "rummy_500": ["│2♠│3♠│4♠│ │6♦│7♦│8♦│9♦│", "╭discard pile─╮╭───╮", " left in hand -2"],
    "hearts": ["╭11 tricks╮", " shot the moon -26"],
    "crazy_eights": ["╭hand╭───╮"],
    "thirty_one": ["╭hand╭───╮╭───╮"],
}
"""What is drawn as cards, and in words beside them, in a small window."""


@pytest.mark.parametrize("game", [*GAME_NAMES])
def test_the_cards_of_the_end_lie_there_with_the_score_until_enter(game: str) -> None:
    async def look(table: Screened) -> None:
        view = table.scene.view
        for size in SIZES:
            await table.pilot.resize_terminal(*size)
            await until(lambda size=size: table.scene.window == size, table)  # type: ignore[misc]
            text = table.text()
            assert table.picture.faults == () and len(table.pilot.app.screen_stack) == 2
            for card in shown(view):
                assert card_text(card, table.scene.look.style) in text
            assert view.sheet and f"Hand {view.sheet.hand} " in text
            assert "Enter next hand" in text
            for line in TURNED_UP.get(game, []) if size == SIZES[0] else []:
                assert line in text, text
        await table.press("enter")
        await until(lambda: table.scene.view.hand == view.hand + 1, table)
        assert [command.name for command in table.attached.seen].count("next") == 1
        assert "Score " in table.text() and len(table.pilot.app.screen_stack) == 2

    at_its_end(game, look)


UNHURRIED = replace(PLAIN, pace=1000.0)
"""An item stays until a key is pressed."""


def marked(table: Screened) -> set[str]:
    """The cards with a frame of their own."""
    rows = table.picture.text()
    found = [re.findall(r"║([^ ║]+) *║", row) for row in rows]
    return {card for cards in found for card in cards}


def test_cribbage_is_counted_item_by_item_on_the_cards_that_count() -> None:
    async def look(table: Screened) -> None:
        assert "a run of three" in table.text() and marked(table) == {"10♥", "J♥", "Q♣"}
        assert "Enter finish count" in table.text() and "Hand 1 " in table.text()
        await table.press("enter")
        assert table.scene.counting is None and marked(table) == set()
        assert "hand 6; crib 7" in table.text() and "Enter next hand" in table.text()
        assert "next" not in [command.name for command in table.attached.seen]
        await table.press("enter")
        await until(lambda: table.scene.view.pause is None, table)

    at_its_end("cribbage", look, appearance=UNHURRIED)


def test_a_count_goes_on_by_itself() -> None:
    async def look(table: Screened) -> None:
        await until(lambda: table.scene.counting is None, table)
        words = " ".join(table.text().split())
        assert "Ann (you, next to deal)" in words and "hand 3" in words

    at_its_end("cribbage", look, appearance=replace(PLAIN, pace=0.001))


def test_every_moment_of_a_count_is_drawn_whole() -> None:
    async def look(table: Screened) -> None:
        view = table.scene.view
        for at, moment in enumerate(count_moments(view)):
            for size in SIZES:
                picture = draw_scene(replace(table.scene, counting=at), *size)
                assert picture.faults == ()
                words = " ".join(" ".join(picture.text()).split())
                assert all(card_text(card, table.scene.look.style) in words for card in moment.cards)

    for game in ("cribbage", "gin_rummy"):
        at_its_end(game, look)


def test_the_score_can_be_read_whole_before_the_next_hand() -> None:
    async def look(table: Screened) -> None:
        await table.press("v")
        assert len(table.pilot.app.screen_stack) == 3
        await table.press("escape")
        assert "next" not in [command.name for command in table.attached.seen]
        await table.press("enter")
        await until(lambda: table.scene.view.pause is None, table)

    at_its_end("whist", look)


def test_a_resize_in_between_loses_nothing() -> None:
    async def look(table: Screened) -> None:
        await table.pilot.resize_terminal(120, 40)
        await table.pilot.pause()
        assert is_hand_over(table.scene.view) and "Hand 1 " in table.text()
        await table.press("enter")
        await until(lambda: table.scene.view.pause is None, table)

    at_its_end("whist", look)
