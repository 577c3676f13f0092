"""The page of options, and what the options do to the screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Button, Label, Static

from at_hand import TableAtHand
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.option_pages import SettingsPage
from p2pcards.present.cards import usual_arrangement
from p2pcards.store.files import Home, find_home
from p2pcards.store.settings import load_settings
from p2pcards.tui.appearance import FEW, Appearance, Palette, ink_style, reduce_palette
from p2pcards.tui.choices import SLOW, Click, carry_selection, click_at
from p2pcards.tui.colour_panel import ColourPanel
from p2pcards.tui.colour_panel import colour_chart as chart_of_colours
from p2pcards.tui.felt import Felt
from p2pcards.tui.help_screen import HelpScreen
from p2pcards.tui.options_screen import OptionsScreen
from p2pcards.tui.panels import LinePanel, QuestionPanel, ReadingPanel
from p2pcards.tui.picture.faces import Look, draw_sample
from p2pcards.tui.picture.scene import HAND, drawn_since, new_scene, played_since
from p2pcards.tui.picture.table import draw_scene
from p2pcards.tui.table_screen import TableScreen
from p2pcards.views.tableview import Command
from rigs.program import AtTerminal, Program
from rigs.screen_hands import by_keys, suggested, until
from rigs.screen_scenes import scene_of
from rigs.screen_table import PLAIN, Screened, at_table


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def top(table: Screened) -> type:
    """The kind of what is in front."""
    return type(table.pilot.app.screen)


def test_settings_are_changed_by_keys(home: Home) -> None:
    async def change(table: Screened) -> None:
        await table.press("ctrl+o")
        assert top(table) is OptionsScreen
        await table.press("enter")
        assert top(table) is LinePanel
        await table.press(*"Zoe", "enter")
        assert load_settings(home).name == "Zoe"
        await table.press("tab", "right")  # speed, from normal to fast
        assert load_settings(home).speed == "fast"
        await table.press("left", "left")
        assert load_settings(home).speed == "slow"
        await table.press("r")
        assert load_settings(home).speed == "normal"
        await table.press("tab", "down", "enter", "u")  # suits, from four to two and back
        assert load_settings(home).suits == "four" and load_settings(home).name == ""
        await table.press("f1")
        assert top(table) is HelpScreen
        await table.press("escape", "escape")
        assert top(table) is TableScreen

    at_table("hearts", change, manner=Manner(options=SettingsPage(home)))


def test_what_is_wrong_is_told_beside_it(home: Home) -> None:
    async def change(table: Screened) -> None:
        await table.press("ctrl+o", "enter")
        await table.press(*"n" * 40, "enter")
        fault = table.pilot.app.screen.query_one("#fault", Static)
        assert "at most 24 visible characters" in str(fault.render())
        assert not home.settings.exists()

    at_table("hearts", change, manner=Manner(options=SettingsPage(home)))


def test_settings_that_cannot_be_read_are_not_changed() -> None:
    async def ask(table: Screened) -> None:
        await table.press("ctrl+o")
        assert "To see why: p2pcards config list" in table.text()

    at_table("hearts", ask)


def test_the_sample_has_room_everywhere() -> None:
    for look in (Look(), Look(ascii=True), Look(tint=True, square=True, back="dots")):
        for columns, rows in ((33, 17), (33, 12), (60, 30), (5, 2), (0, 0)):
            assert not draw_sample(look, columns, rows).faults
    assert all(line.isascii() for line in draw_sample(Look(ascii=True), 33, 17).text())


def test_another_suit_lies_a_row_higher() -> None:
    view = TableAtHand("whist", "", 1).view()
    level, staggered = [
        draw_scene(new_scene(view, Look(stagger=stagger), usual_arrangement("whist")), 80, 24)
        for stagger in (False, True)
    ]
    assert not staggered.faults
    rows = {zone.box.row for zone in staggered.zones if zone.name.startswith("hand ")}
    assert len(rows) == 2 and len({zone.box.row for zone in level.zones if zone.name.startswith("hand ")}) <= 2
    cards = {
        suit: {zone.box.row for number, card in enumerate(scene_of("whist").hand) if card.suit == suit
               for zone in staggered.zones if zone.name == f"hand {number}"}
        for suit in {card.suit for card in scene_of("whist").hand}
    }  # fmt: skip
    assert sum(len(found) == 1 for found in cards.values()) >= 3  # but for that of the chosen card


def test_a_back_of_ones_own_is_repeated() -> None:
    view = TableAtHand("gin_rummy", "", 1).view()
    text = "\n".join(
        draw_scene(new_scene(view, Look(pattern=("ab", "cd")), usual_arrangement("gin_rummy")), 160, 50).text()
    )
    assert "ababa" in text and "cdcdc" in text
    plain = "\n".join(
        draw_scene(new_scene(view, Look(ascii=True, pattern=("éa",)), usual_arrangement("gin_rummy")), 160, 50).text()
    )
    assert "é" not in plain and "#####" in plain


def test_what_others_do_is_marked() -> None:
    async def play(table: Screened) -> None:
        before = table.table.view()
        await by_keys(table, suggested(table))
        view = table.table.view()
        others = {f"seat {seat}" for seat, _ in view.trick if seat != view.me}
        assert played_since(replace(before, trick=(), last_trick=view.last_trick), view) == others
        assert played_since(view, view) == frozenset()

    at_table("whist", play)


def test_a_pile_that_another_has_drawn_from_is_marked() -> None:
    before = scene_of("gin_rummy", until="draw").view
    stock = next(pile for pile in before.piles if pile.name == "stock")
    fewer = replace(before, piles=tuple([
        replace(pile, cards=pile.cards[1:]) if pile is stock else pile for pile in before.piles
    ]))  # fmt: skip
    assert drawn_since(before, fewer) == frozenset()  # it was my turn
    theirs = replace(before, seats=tuple([replace(seat, to_act=seat.seat != before.me) for seat in before.seats]))
    assert drawn_since(theirs, fewer) == {"pile stock"}


def test_every_play_is_asked_about_if_that_is_wanted() -> None:
    async def play(table: Screened) -> None:
        count = len(table.attached.seen)
        await table.press("enter")
        asked = table.pilot.app.screen
        assert isinstance(asked, QuestionPanel) and "Play " in str(asked._question)
        await table.press("n")
        assert len(table.attached.seen) == count and "OK, not played." in table.text()
        await table.press("enter", "y")
        assert [command.name for command in table.attached.seen[count:]] == ["act"]

    at_table("whist", play, manner=Manner(confirm_plays=True))


def test_a_slow_second_click_plays_nothing_if_that_is_wanted() -> None:
    table = scene_of("whist")
    place = next(number for number, card in enumerate(table.hand) if str(card) in table.view.legal)
    table = replace(table, mind=replace(table.mind, focus=HAND, at=place))
    zone = f"hand {place}"
    for right in (False, True):
        once = click_at(table, Click(zone, zone, right=right, doubles=True))
        assert (once.line, once.told) == ("", SLOW)
        twice = click_at(table, Click(zone, zone, right=right, again=True, doubles=True))
        assert twice.line == str(table.hand[place])


def test_a_colour_is_chosen_from_a_chart_and_seen_at_once(home: Home) -> None:
    async def choose(table: Screened) -> None:
        await table.press("ctrl+o", "tab", "tab", "tab", "enter")  # the colour of the table
        chart = table.pilot.app.screen
        assert isinstance(chart, ColourPanel)
        await table.press("right", "right", "down")
        assert load_settings(home).colours["table"] == chart_of_colours()[1][1], "while it is tried"
        await table.press("escape")
        assert "table" not in load_settings(home).colours, "it was left"
        await table.press("enter")
        shown = table.pilot.app.screen.query_one("#chart")
        await table.pilot.click(shown, offset=(3 * 4 + 1, 2))
        await table.press("enter")
        assert top(table) is OptionsScreen and load_settings(home).colours["table"] == chart_of_colours()[2][4]
        await table.press("enter", "#", *"12", "enter")
        assert top(table) is ColourPanel, "it is no colour yet"
        await table.press(*"34gh56", "enter")
        assert top(table) is OptionsScreen and load_settings(home).colours["table"] == "#123456"

    at_table("hearts", choose, manner=Manner(options=SettingsPage(home)))


def test_a_fault_comes_in_a_box_if_that_is_wanted() -> None:
    async def fail(table: Screened) -> None:
        await table.press("slash", *"nonsense", "enter")
        assert top(table) is ReadingPanel
        await table.press("enter")
        assert top(table) is TableScreen

    at_table("hearts", fail, manner=Manner(error_box=True))


def test_who_starts_comes_in_a_box_with_ok_if_that_is_wanted() -> None:
    async def look(table: Screened) -> None:
        assert top(table) is QuestionPanel
        panel = table.pilot.app.screen
        assert [str(button.label) for button in panel.query(Button)] == ["OK"]
        assert "lead" in str(panel.query_one(Label).render())
        await table.press("enter")
        assert top(table) is TableScreen, "one box, for the hand that is on"

    at_table("whist", look, manner=Manner(start_box=True))
    at_table("whist", stays_away, manner=Manner(start_box=True, start_reminders=False))


async def stays_away(table: Screened) -> None:
    assert top(table) is TableScreen


def test_what_there_is_to_do_is_left_out_if_that_is_wanted() -> None:
    async def look(table: Screened) -> None:
        assert "Your turn" not in table.text()
        await table.press("slash", *"nonsense", "enter")
        assert "nonsense" in table.text()

    at_table("whist", look, manner=Manner(status_messages=False))


def test_the_choice_stays_where_it_is_if_that_is_wanted() -> None:
    table = scene_of("whist")
    before = replace(table, view=replace(table.view, legal=()), mind=replace(table.mind, at=7, marked=frozenset({3})))
    new = replace(table, mind=before.mind)
    kept = carry_selection(new, before, jumps=False)
    assert (kept.at, kept.marked) == (7, frozenset())
    assert str(table.hand[carry_selection(new, before).at]) in table.view.legal


def test_a_trick_that_is_over_waits_for_a_key_if_that_is_wanted() -> None:
    async def play(table: Screened) -> None:
        while not table.table.view().last_trick or not table.table.view().trick:
            table.table.say(Command("act", tuple(table.table.suggestion().split())))
        table.attached.go_on()
        while "There's more to see" not in table.text():
            await table.pilot.pause()
        assert (
            table.scene.view.last_trick
            and not table.scene.view.trick
            and "There's more to see. Press any key or click." in table.text()
        )
        await table.press("down")
        assert table.scene.view.last_trick and "There's more to see" not in table.text()

    at_table("whist", play, appearance=replace(PLAIN, stays=None))


def test_a_terminal_with_few_colours_gets_those_that_it_has() -> None:
    few = reduce_palette(Palette("four", (("table", "#123456"),)), "standard")
    assert ink_style("", few).bgcolor is not None
    assert ink_style("", few).bgcolor.name == FEW["table"]  # type: ignore[union-attr]
    assert reduce_palette(Palette(), None) == Palette("none") and reduce_palette(Palette(), "truecolor") == Palette()
    assert reduce_palette(Palette("none"), "standard").suits == "none"


def test_settings_that_are_wrong_leave_a_table_that_can_be_played_at(program: Program) -> None:
    program.home.mkdir()
    wrong = 'name = "Zoe"\ncharacter = "granny"\ncard_back = "gold"\n[colours]\ntable = 7\n'
    (program.home / "settings.toml").write_text(wrong)
    with AtTerminal(program, "play", "whist", "--seed", "1", screen=True, settings=False) as terminal:
        terminal.until("line 3: The setting")
        terminal.type("\r")
        terminal.until("Your turn")
        assert terminal.end("\x11") == 0
    assert (program.home / "settings.toml").read_text() == wrong


def test_a_new_look_is_worn_at_once(home: Home) -> None:
    async def change(table: Screened) -> None:
        felt = table.pilot.app.screen_stack[1].query_one(Felt)
        await table.press("ctrl+o", "escape")
        assert felt.picture.text()

    at_table("hearts", change, manner=Manner(options=SettingsPage(home)), appearance=Appearance(Look(), Palette("two")))


def test_the_rules_of_the_next_game_are_changed_at_the_table(program: Program) -> None:
    program.out("config", "set", "auto_start", "false")
    with AtTerminal(program, "play", "hearts", "--name", "Zoe", "--as", "betty", screen=True) as terminal:
        terminal.until("ptions")
        terminal.type("o")
        terminal.until("Hearts: rules at this table")
        terminal.type("\x1b[B")
        terminal.until("The score that ends")
        terminal.type("\r")
        terminal.until("▔▔▔▔")
        terminal.type("50000\r")
        terminal.until("must be a number")
        terminal.type("\x1b")
        terminal.until("ptions")
        assert terminal.end("\x11") == 0
    inside = program.inside()
    assert inside.data("status")["tables"][0]["game"] == "Hearts"


def test_a_command_is_tried(home: Home, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    page = SettingsPage(home)
    page.change("speech", f"tee {heard}")

    async def try_it(table: Screened) -> None:
        await table.press("ctrl+o", "tab", "tab", "tab", "tab", "down", "t")
        while not heard.exists() or heard.read_text() != "This is p2pcards.\n":
            await table.pilot.pause()
        page.change("speech", "sleep 60")
        await table.press("t")
        screen = table.pilot.app.screen
        assert isinstance(screen, OptionsScreen)
        await until(lambda: screen.tries is not None, table)
        await table.press("t")
        await until(lambda: screen.tries is None, table)
        page.change("speech", "false")
        await table.press("t")
        while "The command" not in str(table.pilot.app.screen.query_one("#fault", Static).render()):
            await table.pilot.pause()

    at_table("hearts", try_it, manner=Manner(options=page))
