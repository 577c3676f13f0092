"""The screen of a table: what is pressed, pointed at and typed, and what is told."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.command import CommandList, Hit
from textual.geometry import Offset

from at_hand import TableAtHand
from p2pcards.frontend.choosing import buttons_for, legal_actions
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.menus import KEY_LINES
from p2pcards.frontend.words import WORDS, parse_line
from p2pcards.games.registry import GAMES
from p2pcards.links.address import text_of_link
from p2pcards.present.cards import Style, usual_arrangement
from p2pcards.tui import table_screen
from p2pcards.tui.appearance import Appearance, Palette
from p2pcards.tui.choices import NOTHING, PARTS, describe_zone
from p2pcards.tui.felt import Felt
from p2pcards.tui.panels import PanelBox, QuestionPanel, ReadingPanel
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.picture.scene import new_scene
from p2pcards.tui.picture.table import draw_scene
from p2pcards.tui.table_screen import WordPalette
from p2pcards.tui.table_shown import what_to_do_in as to_do
from p2pcards.tui.talk_line import TalkLine
from p2pcards.views.happenings import GameWon, HandScored, Hinted, Obvious
from p2pcards.views.tableview import Command, SheetView, TableView
from rigs.giving_up import longest_wait
from rigs.old_logs import home_with_old_logs
from rigs.screen_hands import by_keys, close_panels, suggested, until
from rigs.screen_table import Screened, at_table


async def typed(table: Screened, text: str) -> None:
    """Types a line, after Tab or a slash."""
    await table.press("slash" if text.startswith("/") else "tab")
    for character in text.removeprefix("/"):
        await table.pilot.press({" ": "space"}.get(character, character))
    await table.press("enter")


def panel(table: Screened) -> ReadingPanel:
    found = table.pilot.app.screen
    assert isinstance(found, ReadingPanel), table.text()
    return found


def at_rest(table: Screened) -> list[str]:
    """What can be read when nothing moves."""
    now = table.scene
    return draw_scene(replace(now, mind=replace(now.mind, status=to_do(now))), *now.window).text()


def test_what_may_not_be_played_says_why() -> None:
    async def try_out(table: Screened) -> None:
        await by_keys(table, suggested(table))  # the pass
        legal = table.table.view().legal
        while len(legal) > 3 or not table.table.view().trick:
            await by_keys(table, suggested(table))
            legal = table.table.view().legal
        places = [name for name in "1234567890" if f"╰{name}" not in table.text() and f"╚{name}" not in table.text()]
        await table.press(places[0])
        assert "You must follow" in table.text()
        assert len(table.table.view().legal) == len(legal)
        await table.press("escape")
        assert "You must follow" not in table.text() and "Your turn: play a card." in table.text()

    at_table("hearts", try_out)


def test_scores_and_help_are_read_on_panels() -> None:
    async def look(table: Screened) -> None:
        await table.press("f3")
        assert any("Ann (you)" in line for line in panel(table).lines)
        await table.press("enter")
        await typed(table, "/help hint")
        assert any("get advice" in line for line in panel(table).lines)
        await table.press("escape")
        await typed(table, "/rules haerts")
        assert "Did you mean 'hearts'?" in table.text()

    at_table("hearts", look)


def test_talk_goes_to_everybody_and_words_after_a_slash_do_what_they_do() -> None:
    async def talk(table: Screened) -> None:
        await typed(table, "hello there")
        assert table.attached.seen[-1] == Command("say", ("hello there",))
        assert 'You say: "hello there"' in table.text()
        await typed(table, "/say it again")
        assert table.attached.seen[-1] == Command("say", ("it again",))
        await typed(table, "/haerts")
        assert "'haerts'" in table.text()
        await table.press("tab", "x", "escape")
        assert not table.pilot.app.screen.query_one(TalkLine).display

    at_table("hearts", talk)


def test_keys_that_are_typed_at_once_stay_in_order() -> None:
    async def type_quickly(table: Screened) -> None:
        app = table.pilot.app
        for character in "/help hint and more of it":
            app.post_message(events.Key("space" if character == " " else character, character))
        await table.pilot.pause()
        assert app.screen.query_one(TalkLine).value == "/help hint and more of it"

    at_table("hearts", type_quickly)


def test_the_line_is_edited_completed_and_had_again() -> None:
    async def edit(table: Screened) -> None:
        line = table.pilot.app.screen.query_one(TalkLine)
        await table.press("slash", *"hins", "backspace", "tab")
        assert line.value == "/hint "
        await table.press("tab")
        assert line.value == "/hint do "
        await table.press("home", "delete", "right", "x", "end", "ctrl+w", "left", "escape")
        assert not line.display
        await table.press("slash", *"hand", "enter", "escape", "tab", *"hello", "enter")
        await table.press("tab", "up")
        assert line.value == "hello"
        await table.press("up")
        assert line.value == "/hand"
        await table.press("down", "down")
        assert line.value == ""
        await table.press("slash", *"s", "tab")
        shown = {line.value}
        for _ in range(12):
            await table.press("tab")
            shown.add(line.value)
        assert {"/say ", "/score ", "/sort "} <= shown
        table.pilot.app.post_message(events.Paste(" and\nmore"))
        await table.pilot.pause()
        assert line.value.endswith(" and")
        table.pilot.app.post_message(events.Paste(" Sit down:\nhttp://192.0.2.7:4747/#7-acorn-\nzebra"))
        await table.pilot.pause()
        assert text_of_link(line.value) == ("ws://192.0.2.7:4747/table", "7-acorn-zebra")

    at_table("hearts", edit)


def test_the_cursor_of_the_terminal_is_in_the_line() -> None:
    async def look(table: Screened) -> None:
        await table.press("slash", *"hi")
        await table.pilot.pause()
        assert table.pilot.app.cursor_position == (4, 23)

    at_table("hearts", look)


def test_every_word_that_the_front_end_answers_works_on_the_screen() -> None:
    async def say(table: Screened) -> None:
        app, alone = table.pilot.app, len(table.pilot.app.screen_stack)
        cards = [str(card) for card in table.scene.hand]
        local = [name for name, word in WORDS.items() if word.local]
        for name in sorted(local, key="detach".__eq__):
            before = table.text()
            rest = {"sort": "rank", "move": f"{cards[0]} {cards[5]}"}.get(name, "")
            await typed(table, f"/{name} {rest}".rstrip())
            if name == "detach":
                await until(lambda: app.return_value is not None, table)
            ended = app.return_value is not None
            assert ended or len(app.screen_stack) > alone or table.text() != before, name
            assert ended == (name == "detach") and "Usage: " not in table.text(), name
            while not ended and len(app.screen_stack) > alone:
                await table.press("escape")

    at_table("hearts", say)


def test_line_mode_has_a_word_for_every_key() -> None:
    assert {line.split()[0] for line in KEY_LINES.values()} <= set(WORDS)


@pytest.mark.parametrize("key", list(GAMES))
def test_what_a_button_says_is_understood_in_line_mode(key: str) -> None:
    table = TableAtHand(key, "", 1)
    for _ in range(30):
        view = table.view()
        if view.phase != "play":
            break
        for button in buttons_for(view, legal_actions(view), Style()):
            for line in (button.line, *button.several):
                assert line == "" or isinstance(parse_line(line, view), Command), line
        table.say(Command("act", tuple(table.suggestion().split())))


def test_how_many_deals_somebody_has_thrown_away_stands_beside_the_question() -> None:
    async def look(table: Screened) -> None:
        doubted = replace(table.table.view(), role="listener", legal=(), doubted="Ann", thrown_away=3)
        table.attached.show(doubted)
        await table.pilot.pause()
        assert "Play on with Ann? (3 deals abandoned in a day)" in table.text()

    at_table("hearts", look)


def test_a_coordinator_who_is_doubted_is_accepted_by_a_key() -> None:
    async def accept(table: Screened) -> None:
        table.attached.show(replace(table.table.view(), role="listener", legal=(), doubted="Ann"))
        await table.pilot.pause()
        assert "Play on with Ann?" in table.text()
        assert [(button.label, button.key) for button in table.scene.buttons] == [("accept", "A"), ("leave", "L")]
        await table.press("a")
        assert table.attached.seen == [Command("accept")]

    at_table("hearts", accept)


@pytest.mark.parametrize(("hint", "do"), [("h", "o"), ("H", "O")])
def test_a_hint_is_told_and_done(hint: str, do: str) -> None:
    async def ask(table: Screened) -> None:
        await table.press(hint)
        assert "Suggested play: pass" in " ".join(table.text().split())
        before = table.table.view().records
        await table.press(do)
        assert table.table.view().records > before

    at_table("hearts", ask)


def test_an_expert_who_takes_a_while_is_told_of_and_ended_by_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcards.frontend.at_table.THINKING", 0)

    async def ask(table: Screened) -> None:
        seen: list[Command] = []

        async def swallow(command: Command) -> None:
            seen.append(command)

        monkeypatch.setattr(table.attached, "command", swallow)
        await table.press("h")
        assert "Thinking ... (Esc cancels)" in table.text()
        await table.press("escape", "escape")
        assert seen == [Command("hint"), Command("hint", ("off",))]

    at_table("hearts", ask)


def test_a_long_hint_is_read_to_its_end() -> None:
    async def ask(table: Screened) -> None:
        aim = "to get rid of cards that might take a trick, and to go void in a suit in which you could be forced"
        table.attached.happen(Hinted("pass 2C 3C 4C", aim=aim))
        await table.pilot.pause()
        assert f"{aim}. Press O to do it." in " ".join(table.text().split())

    at_table("hearts", ask)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
def test_why_it_is_not_the_obvious_play_is_read_to_its_end_too(size: tuple[int, int]) -> None:
    async def ask(table: Screened) -> None:
        obvious = Obvious("pass TC 3C 4C", 30, 2.0, "take the queen of spades", 14, 2)
        aim = "to get rid of cards that might take a trick"
        table.attached.happen(Hinted("pass 2C 3C 4C", aim=aim, obvious=obvious))
        await table.pilot.pause()
        text = " ".join(table.text().split())
        assert (
            f"{aim}. The obvious play, pass 10♣ 3♣ 4♣, would take the queen of spades in 14 of 30 simulated deals,"
            in text
        )
        assert "this one in 2. Press O to do it." in text

    at_table("hearts", ask, size=size)


def test_a_hand_is_sorted_by_a_key() -> None:
    async def sort(table: Screened) -> None:
        by_suit = table.text().splitlines()[-5:]
        await table.press("f2")
        assert "Your hand is sorted by rank." in table.text()
        assert table.text().splitlines()[-5:] != by_suit
        for _ in range(3):
            await table.press("f2")
        assert table.text().splitlines()[-5:] == by_suit

    at_table("hearts", sort)


def test_a_card_is_dragged_within_the_hand() -> None:
    async def drag(table: Screened) -> None:
        first, last = [next(one.box for one in table.picture.zones if one.name == f"hand {place}") for place in (0, 12)]
        row = table.text().splitlines()[last.row + 1]
        await table.pilot.mouse_down(Felt, offset=(last.column + 1, last.row + 1))
        await table.pilot.mouse_up(Felt, offset=(first.column + 1, first.row + 1))
        await table.pilot.pause()
        assert "Moved. Your hand sorts itself again when you get a card." in table.text()
        moved = table.text().splitlines()[last.row + 1]
        assert moved.split("│")[1] != row.split("│")[1]

    at_table("whist", drag)


def test_leaving_is_asked_first() -> None:
    async def leave(table: Screened) -> None:
        await typed(table, "/leave")
        assert isinstance(table.pilot.app.screen, QuestionPanel)
        await table.press("n")
        assert "OK, you stay." in table.text() and Command("leave") not in table.attached.seen
        await typed(table, "/leave")
        await table.press("y")
        assert Command("leave") in table.attached.seen
        assert table.pilot.app.return_value == "You left the table."

    at_table("hearts", leave)


def test_ctrl_q_keeps_the_seat() -> None:
    async def detach(table: Screened) -> None:
        await table.press("ctrl+q")
        assert str(table.pilot.app.return_value).startswith("Seat kept.")

    at_table("hearts", detach)


def test_the_end_of_a_hand_is_shown() -> None:
    async def play(table: Screened) -> None:
        while not isinstance(table.pilot.app.screen, ReadingPanel):
            await by_keys(table, suggested(table))
        assert any("total" in line for line in panel(table).lines)
        await close_panels(table)

    at_table("thirty_one", play)


def test_a_window_may_become_too_small_and_large_again() -> None:
    async def change(table: Screened) -> None:
        large = table.text()
        await table.pilot.resize_terminal(60, 12)
        await table.pilot.pause()
        assert "Your hand" in table.text() and len(table.picture.rows) == 12
        await table.pilot.resize_terminal(80, 24)
        await table.pilot.pause()
        assert table.text() == large

    at_table("hearts", change)


def test_alone_a_card_is_taken_back_by_a_key_with_the_answers_to_it() -> None:
    async def play(table: Screened) -> None:
        before = table.table.view()
        await by_keys(table, suggested(table))
        assert table.table.view().trick != before.trick
        await table.press("z")
        now = table.table.view()
        assert (now.trick, now.last_trick, now.legal) == (before.trick, before.last_trick, before.legal)
        await table.press("escape", "escape")  # what happened is shown one thing after another
        assert "You take back: " in " ".join(table.text().split())
        assert table.scene.view.legal == before.legal

    at_table("whist", play)


def test_what_is_forced_is_done_by_itself() -> None:
    async def play(table: Screened) -> None:
        for _ in range(200):
            if table.table.view().rounds:
                return
            if len(table.table.view().legal) != 1:  # else the screen is about to play it
                await by_keys(table, suggested(table))
                await close_panels(table)
            await table.pilot.pause()
        raise AssertionError("the hand did not end")

    at_table("whist", play, manner=Manner(forced=True))


def test_a_trick_that_is_over_lies_there_until_a_key() -> None:
    async def play(table: Screened) -> None:
        while not (view := table.table.view()).last_trick or not view.trick:
            table.table.say(Command("act", tuple(table.table.suggestion().split())))
        table.attached.go_on()
        await table.pilot.pause()
        assert "╰won╯" in table.text() and table.scene.view.last_trick == view.last_trick != ()
        await table.press("escape")
        assert "╰won╯" not in table.text() and table.scene.view == view

    at_table("whist", play, appearance=Appearance(Look(), Palette("none"), stays=600.0))


def test_the_end_of_the_table_ends_the_screen() -> None:
    async def end(table: Screened) -> None:
        await table.attached.detach()
        await table.pilot.pause()
        assert str(table.pilot.app.return_value).endswith("The table is closed.")

    at_table("hearts", end)


def test_the_palette_finds_a_word() -> None:
    async def find(table: Screened) -> None:
        await table.press("ctrl+p")
        await table.pilot.press(*["space" if one == " " else one for one in "all: hand by hand"])
        async with asyncio.timeout(longest_wait()):
            while table.pilot.app.screen.query_one(CommandList).option_count != 1:
                await table.pilot.pause(0.01)
            await table.press("enter")
            while not isinstance(table.pilot.app.screen, ReadingPanel):
                await table.pilot.pause(0.01)
        assert "Ann (you)" in panel(table).lines[0]

    at_table("hearts", find)


@pytest.mark.parametrize(("typed", "first"), [("save", "save"), ("score", "score"), ("scoreb", "scoreboard")])
def test_the_palette_begins_with_the_word_that_is_typed(typed: str, first: str) -> None:
    async def find(table: Screened) -> None:
        hits = [hit async for hit in WordPalette(table.pilot.app.screen).search(typed) if isinstance(hit, Hit)]
        assert max(hits).text == first

    at_table("hearts", find)


def test_a_part_of_the_screen_tells_what_it_is() -> None:
    async def ask(table: Screened) -> None:
        for zone in PARTS:
            found = [one.box for one in table.picture.zones if one.name.partition(" ")[0] == zone]
            if found and table.picture.at(found[-1].column, found[-1].row).partition(" ")[0] == zone:
                await table.press("f12")
                await table.pilot.click(Felt, offset=(found[-1].column, found[-1].row))
                await table.pilot.pause()
                assert panel(table).lines == [PARTS[zone]], "whole, whatever its length"
                await table.press("escape")
        assert describe_zone("nowhere") == NOTHING

    at_table("hearts", ask, size=(160, 24))


def test_every_part_that_is_drawn_can_be_told_of() -> None:
    drawn = {
        zone.name.partition(" ")[0]
        for key in GAMES
        for zone in draw_scene(new_scene(TableAtHand(key, "", 1).view(), Look(), usual_arrangement(key)), 80, 24).zones
    }
    assert drawn <= set(PARTS)


def test_a_lobby_offers_what_the_coordinator_says() -> None:
    async def choose(table: Screened) -> None:
        table.attached.show(TableView("coordinator", "lobby"))
        await table.pilot.pause()
        assert "[G]ame...  [I]nvite..." in table.text()
        await table.press("i")
        assert table.pilot.app.screen.query_one(TalkLine).value == "/invite "

    at_table("hearts", choose)


def test_a_pile_is_drawn_from_when_it_is_pressed_and_the_card_is_seen_until_it_is_let_go() -> None:
    async def draw_card(table: Screened) -> None:
        while "draw" not in table.table.view().legal:
            await by_keys(table, suggested(table))
        stock = next(zone.box for zone in table.picture.zones if zone.name == "pile stock")
        held = len(table.scene.hand)
        await table.pilot.mouse_down(Felt, offset=(stock.column + 2, stock.row + 1))
        await table.pilot.pause()
        assert table.attached.seen[-1] == Command("act", ("draw",))
        pressed = table.scene
        assert len(pressed.hand) == held + 1 and len(pressed.air) == 1
        await table.pilot.mouse_up(Felt, offset=(stock.column + 2, stock.row + 1))
        await table.pilot.pause()
        assert not table.scene.air and len(table.scene.hand) == held + 1
        assert [command.arguments for command in table.attached.seen].count(("draw",)) == 1

    at_table("gin_rummy", draw_card, seed=3)


@pytest.mark.parametrize("ends", ["by itself", "by a key", "in another window"])
def test_cards_move_until_a_key_is_pressed_or_the_window_changes(ends: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = list[Picture]()
    show = Felt.show

    def noted(felt: Felt, picture: Picture) -> None:
        drawn.append(picture)
        show(felt, picture)

    async def play(table: Screened) -> None:
        monkeypatch.setattr(Felt, "show", noted)
        await by_keys(table, suggested(table))
        async with asyncio.timeout(longest_wait()):
            while len(drawn) < 4:
                await table.pilot.pause()
            sizes = itertools.cycle([(100, 30), (120, 30)])
            while table.picture.text() != at_rest(table):
                await table.pilot.pause()
                if ends == "by a key":
                    await table.press("home")
                elif ends == "in another window":
                    await table.pilot.resize_terminal(*next(sizes))
        assert not [fault for picture in drawn for fault in picture.faults]

    moving = Appearance(Look(), Palette("none"), moving=0.3 if ends == "by itself" else 1e6)
    at_table("whist", play, appearance=moving)


def test_a_panel_is_moved_to_see_what_lies_below_it() -> None:
    async def move(table: Screened) -> None:
        await table.press("l")
        box = panel(table).query_one(PanelBox)
        first = box.region
        await table.press("ctrl+right", "ctrl+down")
        assert box.region.offset - first.offset == Offset(2, 1)
        left, top = box.region.offset
        await table.pilot.mouse_down(offset=(left + 3, top))
        await table.pilot.hover(offset=(left, top - 2))
        await table.pilot.mouse_up(offset=(left, top - 2))
        await table.pilot.pause()
        assert box.region.offset - first.offset == Offset(-1, -1)
        for _ in range(100):
            await table.pilot.press("ctrl+left")
        await table.pilot.pause()
        assert box.region.x == 0 and box.region.size == first.size

    at_table("whist", move)


NAMES = ("Ann", "Wacky Wayne", "Reddy Betty", "Dizzy Lizzy")
WON = GameWon(NAMES, (200, 0, 200, 0), ("Ann", "Reddy Betty"), (), "")


async def panel_titled(table: Screened, title: str) -> ReadingPanel:
    """The panel above the table, once it is this one."""
    async with asyncio.timeout(longest_wait()):
        while True:
            await table.pilot.pause()
            found = table.pilot.app.screen
            if isinstance(found, ReadingPanel) and found.query_one(PanelBox).border_title == title:
                return found


def score_hand(table: Screened, hand: int, me: int | None = 0) -> None:
    """A hand is scored, and the next one dealt at once. me: our seat."""
    sheet = SheetView(hand, ((),) * 4, (0,) * 4, (0,) * 4)
    table.attached.happen(HandScored(NAMES, (), sheet))
    table.attached.show(replace(table.table.view(), hand=hand + 1, sheet=sheet, me=me))


def test_the_sheet_of_a_hand_takes_the_place_of_the_one_before() -> None:
    async def read(table: Screened) -> None:
        for hand in (1, 2, 3):
            score_hand(table, hand)
            await until(lambda hand=hand: f"Hand {hand} " in table.text(), table)  # type: ignore[misc]
        await table.press("enter")
        await table.pilot.pause()
        assert not isinstance(table.pilot.app.screen, ReadingPanel)

    at_table("spades", read)


def test_a_watcher_need_not_close_the_sheet_of_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[ReadingPanel] = []
    monkeypatch.setattr(table_screen, "SHEET_SECONDS", 0.01)

    def note(panel: ReadingPanel) -> None:
        closed.append(panel)

    monkeypatch.setattr(ReadingPanel, "on_unmount", note, raising=False)

    async def read(table: Screened) -> None:
        table.attached.show(replace(table.table.view(), me=None))
        await until(lambda: table.scene.view.me is None, table)
        score_hand(table, 1, me=None)
        await until(lambda: closed != [], table)
        assert "Hand 1 is over" in closed[0].lines[0]

    at_table("spades", read)


def test_the_records_come_once_when_the_scores_of_the_last_hand_are_read(tmp_path: Path) -> None:
    async def read(table: Screened) -> None:
        points = (200, 0, 200, 0)
        sheet = SheetView(1, ((),) * 4, points, points)
        table.attached.happen(HandScored(NAMES, (), sheet))
        table.attached.show(replace(table.table.view(), phase="over", sheet=sheet, legal=()))
        table.attached.happen(WON)
        await until(lambda: table.scene.mind.status == "Press Enter for your records.", table)
        assert "Hand 1 " in table.text()
        await table.press("enter")
        assert (await panel_titled(table, "Records")).lines[0] == "Spades, by games won"
        await table.press("enter")
        assert not isinstance(table.pilot.app.screen, ReadingPanel)

    at_table("spades", read, manner=Manner(home=home_with_old_logs(tmp_path)))


@pytest.mark.parametrize("changes", [{"show_records": False}, {"home": None}])
def test_the_records_come_only_where_they_are_wanted(tmp_path: Path, changes: dict[str, Any]) -> None:
    async def read(table: Screened) -> None:
        table.attached.happen(WON)
        await typed(table, "/hall")
        await panel_titled(table, "Hall of fame")
        await table.press("enter")
        assert not isinstance(table.pilot.app.screen, ReadingPanel)

    at_table("spades", read, manner=replace(Manner(home=home_with_old_logs(tmp_path)), **changes))


def test_the_records_are_asked_for(tmp_path: Path) -> None:
    async def read(table: Screened) -> None:
        for line, title, first in (
            ("/records", "Records", "Spades, by games won"),
            ("/history", "History", "ended       level   result  points"),
            ("/league", "League", "All games"),
            ("/hall whist", "Hall of fame", "Whist"),
        ):
            await typed(table, line)
            assert (await panel_titled(table, title)).lines[0] == first
            await table.press("enter")
        await typed(table, "/records hart")
        async with asyncio.timeout(longest_wait()):
            while "Did you mean" not in table.scene.mind.status:
                await table.pilot.pause()

    at_table("spades", read, manner=Manner(home=home_with_old_logs(tmp_path)))
