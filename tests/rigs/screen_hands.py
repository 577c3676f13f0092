"""Playing on the screen, by keys alone or by the mouse alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.widgets import OptionList

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import (
    Button,
    LegalAction,
    buttons_for,
    legal_actions,
    smallest_card_count,
    venture_verbs,
    verb_of_action,
)
from p2pcards.present.cards import Style, tens_as_numbers
from p2pcards.tui.felt import Felt
from p2pcards.tui.panels import ChoicePanel, ReadingPanel
from p2pcards.tui.picture.table import CARD_KEYS
from p2pcards.views.tableview import TableView
from rigs.giving_up import longest_wait
from rigs.screen_table import Screened


def suggested(screened: Screened) -> str:
    """What a novice would do, as it is spelled among what is legal."""
    said = screened.table.suggestion()
    return next(words for words in screened.table.view().legal if tens_as_numbers(words) == said)


async def by_keys(screened: Screened, words: str) -> None:
    """Does what is legal by keys."""
    view = screened.table.view()
    action = next(action for action in legal_actions(view) if action.words == words)
    if not action.cards or verb_of_action(words) in venture_verbs(view):
        await _push(screened, view, words)
        return
    several = smallest_card_count(legal_actions(view)) > 1 or len(action.cards) > 1
    for place in _places(screened, action):
        if place < len(CARD_KEYS) and not several:
            await screened.press(_key(CARD_KEYS[place]))
        else:
            await screened.press("down", "home", *["right"] * place, "space")
    if several:
        await screened.press("enter")
    await _choose(screened, words)


async def by_mouse(screened: Screened, words: str) -> None:
    """Does what is legal by clicks."""
    view = screened.table.view()
    action = next(action for action in legal_actions(view) if action.words == words)
    if not action.cards or verb_of_action(words) in venture_verbs(view):
        number = next(number for number, button in enumerate(_buttons(view)) if words in (button.line, *button.several))
        await _click(screened, f"button {number}")
    elif len(action.cards) == 1 and smallest_card_count(legal_actions(view)) == 1:
        await _click(screened, f"hand {_places(screened, action)[0]}", right=True)
    else:
        first, *others = _places(screened, action)
        await _click(screened, f"hand {first}", right=True)  # marks where several go together
        for place in others:
            await _click(screened, f"hand {place}")
        await _click_beside(screened)
    panel = screened.pilot.app.screen
    if isinstance(panel, ChoicePanel):
        place = [line for line, _ in panel.choices].index(words)
        await screened.pilot.click(OptionList, offset=(4, place + 1))
        await screened.pilot.pause()


async def close_panels(screened: Screened) -> None:
    """What is to be read has been read."""
    while isinstance(screened.pilot.app.screen, ReadingPanel):
        await screened.press("escape")


async def _push(screened: Screened, view: TableView, words: str) -> None:
    found = _buttons(view)
    number = next(number for number, button in enumerate(found) if words in (button.line, *button.several))
    if found[number].key:
        await screened.press(found[number].key)
    else:
        await screened.press("down", "up", "home", *["right"] * number, "enter")
    await _choose(screened, words)


async def _choose(screened: Screened, words: str) -> None:
    """Of several, where it is asked which."""
    panel = screened.pilot.app.screen
    if isinstance(panel, ChoicePanel):
        place = [line for line, _ in panel.choices].index(words)
        await screened.press("home", *["down"] * place, "enter")


async def _click(screened: Screened, zone: str, *, right: bool = False) -> None:
    box = next(one.box for one in reversed(screened.picture.zones) if one.name == zone)
    column = box.column + 1 + len(screened.attached.seen) % 2  # two clicks on one character are a double click
    await screened.pilot.click(Felt, offset=(column, box.row + min(1, box.rows - 1)), button=3 if right else 1)
    await screened.pilot.pause()


async def _click_beside(screened: Screened) -> None:
    """Where the table is, as all the room beside the hand may be taken."""
    box = next(one.box for one in reversed(screened.picture.zones) if one.name in ("trick", "rest"))
    column, row = next(
        (column, row)
        for row in range(box.row, box.row + box.rows)
        for column in range(box.column, box.column + box.columns)
        if screened.picture.at(column, row) in ("trick", "rest")
    )
    await screened.pilot.click(Felt, offset=(column, row))
    await screened.pilot.pause()


def _places(screened: Screened, action: LegalAction) -> list[int]:
    """Where the cards of an action lie in the hand."""
    hand: list[Card | None] = [*screened.scene.hand]
    found = []
    for card in action.cards:
        found.append(hand.index(Card(card)))
        hand[found[-1]] = None
    return found


def _buttons(view: TableView) -> tuple[Button, ...]:
    return buttons_for(view, legal_actions(view), Style())


def _key(character: str) -> str:
    return {"-": "minus", "=": "equals_sign"}.get(character, character)


async def until(done: Callable[[], bool], table: Screened) -> None:
    """Let the program go on until this is so."""
    async with asyncio.timeout(longest_wait()):
        while not done():
            await table.pilot.pause()
