"""The guide on the full screen: pages as they are drawn, how one goes through them, and where it opens."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from p2pcards.frontend.guide_pages import list_page_names, page_blocks
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.menus import KEY_LINES
from p2pcards.present.guide import read_markdown
from p2pcards.tui import title as errands
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.choices import KEY_NAMES
from p2pcards.tui.felt import Felt
from p2pcards.tui.help_screen import (
    WHEEL_DOWN,
    WHEEL_UP,
    HelpScreen,
    PagePlace,
    move_on_page,
    open_at_heading,
    restore_place,
)
from p2pcards.tui.menu_bar import MenuBar
from p2pcards.tui.panels import ChoicePanel, LinePanel, QuestionPanel, ReadingPanel
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.page import LaidPage, draw_page, lay_out_page, rows_of_text
from p2pcards.tui.title import TitleApp, TitleChoices
from rigs.screen_table import PLAIN, Screened, piloted, screened

ROWS = 10
PAGE = "\n\n".join(
    ["# Title", "[first](a.md)", *[f"Line {number}." for number in range(10)], "## Far", "[second](b.md#c)"]
)


def sample() -> LaidPage:
    return lay_out_page(read_markdown(PAGE, "sample"), 80)


def after(place: PagePlace, *keys: str) -> PagePlace:
    for key in keys:
        found = move_on_page(place, key, sample(), ROWS)
        assert found is not None
        place = found
    return place


# --- as it is drawn ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (40, 12)])
def test_every_page_has_room_wherever_it_is_read(size: tuple[int, int]) -> None:
    columns, rows = size
    for name in list_page_names():
        laid = lay_out_page(page_blocks(name), columns)
        assert len(laid.starts) == len(laid.links)
        text = ""
        for top in range(0, max(len(laid.lines), 1), rows_of_text(rows)):
            picture = draw_page(laid, top, None, columns, rows)
            assert picture.faults == (), name
            assert "".join(picture.text()).isascii()
            text += " ".join(picture.text()[2:-1])
        wanted = "".join("".join([block.text for block in page_blocks(name) if block.level != 1]).split())
        read = "".join([line.strip() for line in text]).replace(" ", "")
        assert all(word in read for word in ("".join(block.text.split()) for block in page_blocks(name)[1:4]))
        assert len(read) >= len(wanted)


def test_links_are_underlined_and_the_chosen_one_is_pointed_out() -> None:
    picture = draw_page(sample(), 0, 0, 80, 24)
    assert picture.cursor == (3, 2)
    assert [text for row in picture.rows for text, ink in row if ink == "button.at"] == ["first"]
    assert [text for row in picture.rows for text, ink in row if ink == "link"] == []
    assert [zone.name for zone in picture.zones] == ["link 0"]
    assert "Guide: Title" in picture.text()[0] and picture.text()[0].rstrip().endswith("  top")
    assert draw_page(sample(), 3, None, 80, 24).text()[0].rstrip().endswith("  end")


def test_a_link_that_is_broken_over_two_lines_is_one() -> None:
    laid = lay_out_page(read_markdown("# T\n\nwords [a link of many words](x.md)", ""), 24)
    assert laid.links == ("x",) and laid.starts == (0,)
    picture = draw_page(laid, 0, 0, 24, 10)
    assert picture.faults == () and picture.cursor == (9, 2)
    assert len(picture.zones) == 2 and {zone.name for zone in picture.zones} == {"link 0"}


# --- turning ----------------------------------------------------------------------------------------------------------


def test_a_page_opens_at_its_heading_and_at_the_first_link_in_sight() -> None:
    laid = sample()
    assert open_at_heading("x", laid, ROWS) == PagePlace("x", 0, 0)
    assert open_at_heading("x#far", laid, ROWS) == PagePlace("x#far", laid.headings["far"], 1)
    assert restore_place(PagePlace("x", 99, 7), laid, ROWS) == PagePlace("x", len(laid.lines) - ROWS, 1)


@pytest.mark.parametrize(
    ("keys", "top", "at"),
    [
        (("tab",), 21, 1),
        (("tab", "tab"), 0, 0),
        (("shift+tab",), 21, 1),
        (("down",), 1, None),
        (("down", "down", "up"), 1, None),
        (("down", "up"), 0, 0),
        (("down", "tab", "up"), 20, None),
        (("space",), 9, None),
        (("space", "tab"), 21, 1),
        (("space", "shift+tab"), 0, 0),
        (("pagedown", "pageup"), 0, 0),
        (("end",), 15, 1),
        (("end", "home"), 0, 0),
        (("end", "down"), 15, 1),
        ((WHEEL_DOWN, WHEEL_DOWN, WHEEL_UP), 3, None),
    ],
)
def test_keys_turn_the_page(keys: tuple[str, ...], top: int, at: int | None) -> None:
    laid = sample()
    place = after(open_at_heading("x", laid, ROWS), *keys)
    tops = {21: min(laid.starts[1] - ROWS // 3, len(laid.lines) - ROWS), 20: len(laid.lines) - ROWS - 1}
    assert place == PagePlace("x", {**tops, 15: len(laid.lines) - ROWS}.get(top, top), at)


def test_a_page_without_links_is_turned_too() -> None:
    laid = replace(sample(), links=(), starts=())
    place = open_at_heading("x", laid, ROWS)
    assert place.at is None and move_on_page(place, "tab", laid, ROWS) == place
    down = move_on_page(place, "down", laid, ROWS)
    assert down is not None and down.top == 1
    assert move_on_page(place, "x", laid, ROWS) is None


# --- on the screen ----------------------------------------------------------------------------------------------------


def at_title(what: Callable[[Pilot[list[str]]], Awaitable[None]]) -> None:
    async def sit() -> None:
        known = TitleChoices(games=(("hearts", "Hearts"),))
        app = TitleApp(known, lambda: Sitting(Manner(), PLAIN))
        async with piloted(app) as pilot:
            await pilot.pause()
            await what(pilot)

    asyncio.run(sit())


def at_table(key: str, what: Callable[[Screened], Awaitable[None]]) -> None:
    async def sit() -> None:
        async with screened(key) as table:
            await what(table)

    asyncio.run(sit())


def picture_of(pilot: Pilot[list[str]] | Pilot[str]) -> Picture:
    assert isinstance(pilot.app.screen, HelpScreen), pilot.app.screen
    return pilot.app.screen.query_one(Felt).picture


def title_of(pilot: Pilot[list[str]] | Pilot[str]) -> str:
    return picture_of(pilot).text()[0].removeprefix(" Guide: ").rstrip().split("   ")[0]


async def press(pilot: Pilot[list[str]] | Pilot[str], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


def test_links_are_walked_and_followed_and_one_comes_back_to_where_one_was() -> None:
    async def read(pilot: Pilot[list[str]]) -> None:
        await press(pilot, "h")
        assert title_of(pilot) == "Contents"
        await press(pilot, "tab", "tab", "enter")
        assert title_of(pilot) == "Getting started"
        await press(pilot, "enter")
        assert title_of(pilot) == "I'd rather watch first"
        await press(pilot, "backspace")
        assert title_of(pilot) == "Getting started"
        await press(pilot, "left")
        before = picture_of(pilot)
        assert title_of(pilot) == "Contents"
        assert "Getting started" in [text for row in before.rows for text, ink in row if ink == "button.at"]
        await press(pilot, "i")
        assert title_of(pilot) == "Index"
        await press(pilot, "g", "c", "f1")
        assert title_of(pilot) == "Using this guide"
        await press(pilot, "q")
        assert not isinstance(pilot.app.screen, HelpScreen)

    at_title(read)


def test_words_are_looked_for() -> None:
    async def search(pilot: Pilot[list[str]]) -> None:
        await press(pilot, "h", "slash")
        assert isinstance(pilot.app.screen, LinePanel)
        await press(pilot, *"autoplay", "enter")
        assert title_of(pilot) == "Topics matching 'autoplay'"
        await press(pilot, "enter")
        assert title_of(pilot) == "I'd rather watch first"
        await press(pilot, "slash", *"knock", "enter")
        assert title_of(pilot) == "Glossary" and picture_of(pilot).text()[2].strip() == "Knock"
        await press(pilot, "slash", *"xyzzy", "enter")
        assert title_of(pilot) == "Nothing found"
        await press(pilot, "slash", "escape")
        assert title_of(pilot) == "Nothing found"

    at_title(search)


def test_a_click_follows_a_link_and_the_right_button_goes_back() -> None:
    async def click(pilot: Pilot[list[str]]) -> None:
        await press(pilot, "h")
        zone = next(one for one in picture_of(pilot).zones if one.name == "link 1")
        await pilot.click(Felt, offset=(zone.box.column + 1, zone.box.row))
        await pilot.pause()
        assert title_of(pilot) == "Overview"
        await pilot.click(Felt, offset=(5, 5), button=3)
        await pilot.pause()
        assert title_of(pilot) == "Contents"

    at_title(click)


def test_a_window_that_changes_leaves_the_page_where_it_is() -> None:
    async def resize(pilot: Pilot[list[str]]) -> None:
        await press(pilot, "h", "g", "pagedown")
        first = picture_of(pilot).text()[2]
        await pilot.resize_terminal(80, 20)
        await pilot.pause()
        assert picture_of(pilot).faults == () and len(picture_of(pilot).rows) == 20
        assert title_of(pilot) == "Glossary" and picture_of(pilot).text()[2] == first

    at_title(resize)


def test_help_is_about_what_is_in_focus_on_the_title_screen() -> None:
    async def ask(pilot: Pilot[list[str]]) -> None:
        await press(pilot, "f1")
        assert title_of(pilot) == "Menus" and picture_of(pilot).text()[2].strip() == "The title screen"
        for key, kind, title in (
            ("c", ChoicePanel, "Playing with friends"),
            ("o", ReadingPanel, "Settings"),
            ("r", ReadingPanel, "Saved games"),
            ("m", ChoicePanel, "Hearts"),
        ):
            await press(pilot, "escape", key)
            assert isinstance(pilot.app.screen, kind)
            await press(pilot, "f1")
            assert title_of(pilot).startswith(title)
            await press(pilot, "escape")

    at_title(ask)


def test_help_is_about_what_is_in_focus_at_a_table() -> None:
    async def ask(table: Screened) -> None:
        for key in ("f1", "question_mark"):
            await table.press(key)
            assert title_of(table.pilot) == "Hearts, at this table"
            assert "Your turn. You can:" in "\n".join(picture_of(table.pilot).text())
            await table.press("enter")
            assert title_of(table.pilot).startswith("Hearts")
            await table.press("escape")
        for keys, kind, title, heading in (
            (("f3",), ReadingPanel, "Commands at the table", "score"),
            (("f10",), MenuBar, "Menus", ""),
            (("slash", *"leave", "enter"), QuestionPanel, "Commands at the table", "leave"),
        ):
            await table.press(*keys)
            assert isinstance(table.pilot.app.screen, kind)
            await table.press("f1")
            assert title_of(table.pilot) == title
            assert heading in picture_of(table.pilot).text()[2]
            await table.press("escape", "escape")
        await table.press("g")
        assert title_of(table.pilot).startswith("Hearts")
        await table.press("ctrl+c", "tab", "f1")
        assert title_of(table.pilot) == "Playing the game" and "Talking" in picture_of(table.pilot).text()[2]

    at_table("hearts", ask)


def test_what_is_asked_on_the_title_screen_is_told_somewhere() -> None:
    source = Path(errands.__file__).read_text(encoding="utf-8")
    addresses = re.findall(r'"(friends#[a-z-]+|keeping[#a-z-]*|settings|opponents|start)"', source)
    assert len(set(addresses)) >= 6
    for address in addresses:
        name, _, anchor = address.partition("#")
        assert page_blocks(name) and (anchor == "" or anchor in lay_out_page(page_blocks(name), 80).headings)


def test_the_page_of_keys_has_every_key_of_the_table() -> None:
    told = "\n".join([block.text for block in page_blocks("shortcuts")])
    names = {**KEY_NAMES, "ctrl+c": "Ctrl-C", "ctrl+o": "Ctrl-O"}
    for key in KEY_LINES:
        name = names.get(key, key.upper())
        assert f"{name}:" in told or f"{name}," in told or f" {name}:" in told or f"{name} does it" in told, key
