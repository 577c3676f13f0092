"""A seat that a character holds is taken back at the screen by whatever a player does."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest
from textual.events import MouseDown

from p2pcards.tui.panels import ReadingPanel
from p2pcards.views.absence import absence_row_of
from p2pcards.views.happenings import SeatTakenOver
from p2pcards.views.tableview import Command
from p2pcards.wire.reasons import TakeoverReason
from rigs.screen_hands import until
from rigs.screen_table import Screened, at_table


async def take_over(table: Screened, reason: TakeoverReason) -> None:
    mine = table.table.view()
    table.attached.happen(SeatTakenOver("Ann", "Wacky Wayne", reason.sentence, mine=True))
    seat = replace(mine.seats[0], plays="character", absence=absence_row_of(reason))
    table.attached.show(replace(mine, legal=(), away=True, paused=True, seats=(seat, *mine.seats[1:])))
    await until(lambda: table.scene.view.away, table)


@pytest.mark.parametrize("key", ["enter", "1", "right", "x", "pageup"])
def test_any_key_takes_the_seat_back_after_the_clock_ran_out(key: str) -> None:
    async def press(table: Screened) -> None:
        await take_over(table, TakeoverReason.CLOCK_RAN_OUT)
        assert "Paused." in table.text()
        await table.press(key)
        await until(lambda: bool(table.attached.seen), table)
        assert table.attached.seen == [Command("back")]

    at_table("hearts", press)


def test_a_click_does_too() -> None:
    async def click(table: Screened) -> None:
        await take_over(table, TakeoverReason.CLOCK_RAN_OUT)
        await table.pilot.click(offset=(10, 10))
        await until(lambda: bool(table.attached.seen), table)
        assert table.attached.seen == [Command("back")]

    at_table("hearts", click)


def test_a_key_or_a_click_in_a_panel_above_the_table_does_too() -> None:
    async def press(table: Screened, *, click: bool) -> None:
        table.pilot.app.push_screen(ReadingPanel("Hand", ["read me"]))
        await table.pilot.pause()
        await take_over(table, TakeoverReason.CLOCK_RAN_OUT)
        if click:
            table.pilot.app.post_message(MouseDown(None, 1, 1, 0, 0, 1, False, False, False))
        else:
            await table.press("down")
        await until(lambda: bool(table.attached.seen), table)
        assert table.attached.seen == [Command("back")]

    at_table("hearts", partial(press, click=False))
    at_table("hearts", partial(press, click=True))


def test_a_button_takes_the_seat_back() -> None:
    async def press(table: Screened, reason: TakeoverReason) -> None:
        await take_over(table, reason)
        await until(lambda: "[T]ake your seat back" in table.text(), table)
        await table.press("t")
        await until(lambda: bool(table.attached.seen), table)
        assert table.attached.seen == [Command("back")]

    for reason in (TakeoverReason.CLOCK_RAN_OUT, TakeoverReason.ASKED_FOR):
        at_table("hearts", partial(press, reason=reason))


def test_the_clock_changes_its_colour_at_half_and_in_the_last_seconds() -> None:
    async def look(table: Screened) -> None:
        mine, inks = table.table.view(), []
        for left, clock in ((180.0, "(180 s)"), (60.0, "(60 s)"), (9.0, "(9 s)")):
            table.attached.show(replace(mine, turn_seconds=left, turn_clock=180))
            await until(partial(lambda clock: clock in table.text(), clock), table)
            (row,) = [one.box.row for one in table.picture.zones if one.name == "status"]
            inks.append(next(ink for text, ink in table.picture.rows[row] if "Your turn" in text))
        assert inks == ["status", "clock.half", "clock.last"]
        table.attached.show(replace(mine, turn_seconds=170.0, turn_clock=180))
        await table.press("f2")
        assert re.search(r"Your hand is sorted by \w+\. \(1\d\d s\)", table.text()), "no answer hides the clock"

    at_table("hearts", look)


def test_only_enter_does_where_the_player_had_asked_for_the_character() -> None:
    async def press(table: Screened) -> None:
        await take_over(table, TakeoverReason.ASKED_FOR)
        await table.press("right")
        assert table.attached.seen == []
        await table.press("enter")
        await until(lambda: bool(table.attached.seen), table)
        assert table.attached.seen == [Command("back")]

    at_table("hearts", press)
