"""What is told beside the table can be scrolled, and says what is new below."""

from __future__ import annotations

import asyncio

import pytest

from at_hand import TableAtHand
from p2pcards.frontend.manner import Manner
from p2pcards.present.cards import Style
from p2pcards.present.table import recap_hand
from p2pcards.tui.app import TableApp
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.felt import Felt
from p2pcards.tui.picture.scene import LogLine, Mind, add_log_lines, log_page, scroll_log
from p2pcards.views.happenings import Notice, Said
from p2pcards.views.tableview import Command
from rigs.screen_table import PLAIN, AtTheScreen, Screened, piloted, screened

COLUMNS, ROWS, MOST = 30, 6, 300


def mind(count: int, beside: str = "all") -> Mind:
    lines = [LogLine(f"line {number}", "chat" if number % 2 else "log") for number in range(count)]
    return Mind(told=tuple(lines), beside=beside)


def shown(one: Mind) -> list[str]:
    return [text for text, _ in log_page(one, ROWS, COLUMNS)]


def test_the_newest_stand_there_until_one_scrolls() -> None:
    now = mind(20)
    assert shown(now) == [f"line {number}" for number in range(14, 20)]
    up = scroll_log(now, ROWS - 1, COLUMNS, ROWS)
    assert shown(up) == [*[f"line {number}" for number in range(10, 15)], "more below (press End)"]
    assert shown(scroll_log(up, -(ROWS - 1), COLUMNS, ROWS)) == shown(now)
    top = scroll_log(now, 10_000, COLUMNS, ROWS)
    assert shown(top)[:-1] == [f"line {number}" for number in range(5)], "the pane stays full"
    assert scroll_log(top, 3, COLUMNS, ROWS) == top
    assert scroll_log(mind(3), 3, COLUMNS, ROWS) == mind(3), "there is nothing above"


@pytest.mark.parametrize(("beside", "new"), [("all", 3), ("talk", 2)])
def test_what_comes_meanwhile_moves_nothing_and_is_counted(beside: str, new: int) -> None:
    up = scroll_log(mind(20, beside), 3, COLUMNS, ROWS)
    more = add_log_lines(up, (LogLine("a", "chat"), LogLine("b"), LogLine("c", "chat")), MOST)
    assert shown(more)[:-1] == shown(up)[:-1]
    assert shown(more)[-1] == f"{new} new below (press End)"
    down = scroll_log(more, -10_000, COLUMNS, ROWS)
    assert (down.back, down.unread) == (0, 0) and shown(down)[-1] == "c"


def test_what_is_kept_no_longer_is_passed_over() -> None:
    up = scroll_log(mind(20), 10_000, COLUMNS, ROWS)
    full = add_log_lines(up, tuple([LogLine(f"new {number}") for number in range(MOST)]), MOST)
    assert len(full.told) == MOST and shown(full)[-1].endswith("new below (press End)") and len(shown(full)) > 1


def test_a_long_line_is_scrolled_as_one() -> None:
    long = Mind(told=tuple([LogLine("word " * 20) for _ in range(9)]))
    assert scroll_log(long, 1, COLUMNS, ROWS).back == 1


def test_wheel_and_keys_scroll_at_the_table_and_talking_shows_the_newest() -> None:
    async def sit() -> None:
        async with screened("whist") as table:
            for number in range(40):
                table.attached.happen(Said("Wacky Wayne", f"h{number}"))
            while '"h39"' not in table.text():
                await table.pilot.pause()
            felt = table.pilot.app.screen.query_one(Felt)
            await table.press("pageup")
            assert '"h39"' not in table.text() and "more below (press End)" in table.text()
            table.attached.happen(Notice("Something new."))
            while "1 new below (press End)" not in table.text():
                await table.pilot.pause()
            await table.press("home")
            assert table.scene.mind.told[0].text[:20] in table.text()
            await table.press("end")
            assert "Something new." in table.text() and "below, End" not in table.text()
            felt.post_message(Felt.Turned(up=True))
            await table.pilot.pause()
            assert "more below" in table.text()
            await table.press("tab", *"hi", "pageup", "enter")
            while 'You say: "hi"' not in table.text():
                await table.pilot.pause()
            assert "below, End" not in table.text()

    asyncio.run(sit())


def test_the_pane_begins_with_a_recap_for_who_comes_back() -> None:
    async def sit() -> None:
        table = TableAtHand("spades", "", 3)
        for _ in range(9):
            table.say(Command("act", tuple(table.suggestion().split())))
        table.news()
        attached = AtTheScreen(table)
        attached.show(table.view())
        app = TableApp(attached, lambda: Sitting(Manner(), PLAIN))
        async with piloted(app, (120, 40)) as pilot:
            back = Screened(pilot, table, attached)
            while not back.scene.view.hand:
                await pilot.pause()
            told = recap_hand(table.view(), Style())
            assert [one.text for one in back.scene.mind.told[:3]] == told and len(told) == 3
        async with screened("spades") as begun:
            assert not [one for one in begun.scene.mind.told if one.text.startswith("So far")]

    asyncio.run(sit())
