"""Questions and choices over the table."""

from __future__ import annotations

import asyncio

import pytest
from textual.widgets import OptionList

from p2pcards.tui.panels import ChoicePanel, QuestionPanel
from p2pcards.tui.table_screen import TableScreen
from rigs.screen_table import screened


@pytest.mark.parametrize(
    ("keys", "answer"),
    [(("enter",), "one"), (("right", "enter"), "two"), (("right", "left", "enter"), "one"), (("escape",), "")],
)
def test_a_question_is_answered_by_the_button_that_is_reached(keys: tuple[str, ...], answer: str) -> None:
    async def ask() -> list[str | None]:
        answers: list[str | None] = []
        async with screened("whist") as table:
            table.pilot.app.push_screen(QuestionPanel("Which?", ("one", "two")), answers.append)
            await table.pilot.pause()
            await table.press(*keys)
        return answers

    assert asyncio.run(ask()) == [answer]


def test_a_game_is_chosen_by_its_name_and_a_card_by_how_it_looks() -> None:
    async def choose() -> list[str]:
        async with screened("whist") as table:
            screen = table.pilot.app.screen_stack[1]
            assert isinstance(screen, TableScreen)
            screen._choose(("game gin_rummy", "game", "play 4S"))
            await table.pilot.pause()
            assert isinstance(table.pilot.app.screen, ChoicePanel)
            options = table.pilot.app.screen.query_one(OptionList).options
            return [str(option.prompt) for option in options]

    assert asyncio.run(choose()) == ["Gin Rummy", "game", "play 4♠"]


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (("s",), "say"),
        (("s", "s"), "save"),
        (("s", "s", "s"), "score"),
        (("s", "s", "s", "s"), "say"),
        (("s", "a", "v"), "save"),
        (("down", "down", "s"), "score"),
        (("1",), "1 deal"),
        (("1", "0"), "10 deals"),
        (("d",), "1 deal"),
        (("d", "d"), "10 deals"),
    ],
)
def test_a_letter_goes_to_the_next_choice_with_it(keys: tuple[str, ...], answer: str) -> None:
    async def choose() -> list[str | None]:
        answers: list[str | None] = []
        async with screened("whist") as table:
            choices = [(one, one) for one in ("1 deal", "say", "save", "hint", "10 deals", "score")]
            table.pilot.app.push_screen(ChoicePanel("Which?", choices), answers.append)
            await table.pilot.pause()
            await table.press(*keys, "enter")
        return answers

    assert asyncio.run(choose()) == [answer]
