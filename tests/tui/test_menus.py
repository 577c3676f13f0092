"""The menus above the table, the list above the line that is typed, and what else there is to click on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from rich.text import Text
from textual.events import Key
from textual.geometry import Offset
from textual.widgets import OptionList, Static

from at_hand import TableAtHand
from p2pcards.cards.card import Card
from p2pcards.frontend.completions import described_completions
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.menus import MENUS, SKILLS, WHAT, MenuItem, build_menus, completed_lines
from p2pcards.frontend.option_pages import SettingsPage
from p2pcards.frontend.standing import card_groups
from p2pcards.frontend.words import WORDS, parse_line
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import card_text
from p2pcards.present.width import text_width
from p2pcards.store.files import Home, find_home
from p2pcards.store.settings import load_settings
from p2pcards.tui import felt
from p2pcards.tui.felt import Felt
from p2pcards.tui.help_screen import HelpScreen
from p2pcards.tui.menu_bar import MenuBar
from p2pcards.tui.panels import ChoicePanel, ReadingPanel
from p2pcards.tui.table_screen import BY_CARDS, TableScreen
from p2pcards.tui.talk_line import HOW, Fitting, TalkLine, list_completions
from p2pcards.views.tableview import Command, TableView
from rigs.giving_up import longest_wait
from rigs.merged import merge
from rigs.screen_table import Screened, at_table

# --- what the menus have ----------------------------------------------------------------------------------------------


def items_of(view: TableView, settings: dict[str, str] | None = None, *on: str) -> Iterator[MenuItem]:
    for menu in build_menus(view, on, settings or {}, songs=True):
        yield from menu.items


def test_each_word_of_the_table_stands_in_one_menu() -> None:
    words = [entry.line.split()[0] for entries in MENUS.values() for entry in entries if entry.line != WHAT]
    assert set(words) == set(WORDS) - set(BY_CARDS)
    menus_of: dict[str, set[str]] = {}
    for title, entries in MENUS.items():
        for entry in entries:
            menus_of.setdefault(entry.line.split()[0], set()).add(title)
    assert {word: titles for word, titles in menus_of.items() if len(titles) > 1} == {}


@pytest.mark.parametrize("key", list(GAMES))
def test_the_menus_have_what_works_and_makes_sense_in_this_game(key: str) -> None:
    view = TableAtHand(key, "", 1).view()
    found = list(items_of(view))
    words = {item.line.split()[0] for item in found if item.line != WHAT}
    senseless = {"melds", "tint"} if key not in MELDS else set()
    senseless |= {"scoreboard"} if key != "pinochle2" else set()
    senseless |= {"kick", "reseat", "seats", "watchers"}  # there is nobody else
    assert words == {name for name, word in WORDS.items() if word.works(view)} - {*BY_CARDS} - senseless
    assert "sort trump" not in {item.line for item in found} or key in TRUMPS
    for item in found:
        if not item.asks and not item.line.endswith(" ") and item.line != WHAT:
            assert parse_line(item.line, view) is not None
        assert item.meaning.endswith((".", ")"))


MELDS = ("pinochle", "pinochle2", "pinochle_bid", "rummy_500")
TRUMPS = ("spades", "whist", "oh_hell", "euchre", "auction_pitch", "pinochle", "pinochle2", "pinochle_bid")


def test_a_letter_chooses_one_item_of_its_menu_alone() -> None:
    for menu in build_menus(TableAtHand("pinochle2", "", 1).view(), (), {"bell": "true"}, songs=True):
        letters = [item.letter for item in menu.items if item.letter]
        assert len(set(letters)) == len(letters) and all(item.letter in item.label.lower() for item in menu.items)


def test_what_is_on_is_marked_and_what_is_no_switch_is_not() -> None:
    view = TableAtHand("hearts", "", 1).view()
    found = {item.line: item for item in items_of(view, {"bell": "true", "phrases": "false"}, "sort rank")}
    assert (found["sort rank"].on, found["sort suit"].on, found["hint"].on) == (True, False, None)
    assert found["config bell false"].on is True and found["config phrases true"].on is False
    assert "Applies now and is saved" in found["config bell false"].meaning
    entries = [entry for lines in MENUS.values() for entry in lines]
    words = {entry.line.split()[0] for entry in entries if entry.switch}
    assert words == {"sort", "beside", "stagger", "tint", "open", "auto", "away", "config"}
    assert [entry.line for entry in entries if entry.line.split()[0] in words and not entry.switch] == ["config"]


def test_what_follows_a_word_is_chosen_and_each_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    lobby = TableView("coordinator", "lobby", game="hearts", seats=TableAtHand("hearts", "", 1).view().seats, me=0)
    for view in (TableAtHand("pinochle2", "", 1).view(), lobby):
        for item in items_of(view):
            for line, shown in completed_lines(item.line, view) if item.asks else ():
                assert shown
                lines = [line for line, _ in completed_lines(line, view)] if line.endswith(" ") else [line]
                assert all(parse_line(one, view) for one in lines), lines
    skills = [shown for _, shown in completed_lines(SKILLS, lobby)]
    name = lobby.seats[1].name
    assert len(skills) == 18 and skills[1] == f"{name} plays as novice (now)"
    merge(monkeypatch, "hearts", novice="carefree")
    skills = [shown for _, shown in completed_lines(SKILLS, lobby)]
    assert skills[1] == f"{name} plays as novice (the same as a carefree player) (now)"


# --- the bar ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def bar(table: Screened) -> MenuBar:
    found = table.pilot.app.screen
    assert isinstance(found, MenuBar), found
    return found


def top(table: Screened) -> type:
    """The kind of what is in front."""
    return type(table.pilot.app.screen)


def chosen(table: Screened) -> MenuItem:
    at = bar(table).query_one(OptionList).highlighted
    assert at is not None
    return bar(table).menu.items[at]


def shown(widget: Static) -> str:
    content = widget.render()
    return content.plain if isinstance(content, Text) else str(content)


def test_the_menus_are_gone_through_by_keys() -> None:
    async def go(table: Screened) -> None:
        await table.press("f10")
        assert bar(table).menu.title == "Game"
        await table.press("right", "right", "right", "right", "down")
        assert (bar(table).menu.title, chosen(table).line) == ("Assistants", "do")
        assert shown(bar(table).query_one("#meaning", Static)) == "Play the last hint. (do)"
        await table.press("left", "up", "up")
        assert bar(table).menu.title == "Players"
        await table.press("escape")
        assert top(table) is TableScreen
        await table.press("f10", "right", "right", "right", "w")
        panel = table.pilot.app.screen
        assert isinstance(panel, ReadingPanel) and "Ann: you" in panel.lines[0]
        await table.press("escape", "f10", "right", "right", "right", "down", "enter")
        assert table.pilot.app.screen.query_one(TalkLine).value == "/say "
        await table.press("escape", "f10", "f1")
        assert top(table) is HelpScreen

    at_table("hearts", go)


def test_a_key_that_comes_before_the_menus_are_open_is_taken_by_the_menus() -> None:
    """As from fast fingers, or a terminal that pastes."""

    async def burst(table: Screened) -> None:
        for key in ("f10", "escape"):
            table.pilot.app.post_message(Key(key, None))
        await table.pilot.pause()
        assert top(table) is TableScreen

    at_table("hearts", burst)


def test_the_menus_are_gone_through_with_the_mouse() -> None:
    async def point(table: Screened) -> None:
        (key,) = [zone.box for zone in table.picture.zones if zone.name == "key F10"]
        await table.pilot.click(Felt, offset=(key.column + 1, key.row))
        await table.pilot.pause()
        names = shown(bar(table).query_one("#bar", Static))
        await table.pilot.click(offset=(names.index("Records") + 1, 0))
        await table.pilot.pause()
        assert bar(table).menu.title == "Records"
        lines = bar(table).query_one(OptionList)
        await table.pilot.click(offset=(lines.region.x + 4, lines.region.y + 1))
        await table.pilot.pause()
        panel = table.pilot.app.screen
        assert isinstance(panel, ReadingPanel) and any("No hand" in line or "Ann" in line for line in panel.lines)
        await table.press("escape")
        await table.pilot.click(Felt, offset=(20, 10), button=3)
        await table.pilot.pause()
        assert top(table) is MenuBar
        await table.pilot.click(offset=(70, 20))
        await table.pilot.pause()
        assert top(table) is TableScreen

    at_table("hearts", point)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
def test_all_of_a_menu_lies_in_the_window_with_all_that_its_lines_do(size: tuple[int, int], home: Home) -> None:
    async def look(table: Screened) -> None:
        await table.press("f10")
        for _ in bar(table).menus:
            await table.press("right")
            lines, meaning = bar(table).query_one(OptionList), bar(table).query_one("#meaning", Static)
            for part in (lines, meaning):
                assert part.region.x >= 0 and part.region.right <= size[0] and part.region.bottom <= size[1]
            longest = max((item.meaning for item in bar(table).menu.items), key=len)
            assert meaning.region.height > len(longest) // meaning.region.width

    at_table("pinochle2", look, size=size, manner=Manner(options=SettingsPage(home)))


def test_switches_are_marked_and_turned_in_the_menu(home: Home) -> None:
    async def turn(table: Screened) -> None:
        for before, after in ((False, True), (True, False)):
            await table.press("f10", "right", "right")
            line = f"config square_corners {'false' if before else 'true'}"
            at = next(place for place, item in enumerate(bar(table).menu.items) if item.line == line)
            assert bar(table).menu.items[at].on is before
            await table.press(*["down"] * at, "enter")
            assert load_settings(home).square_corners is after
            assert f"Square corners: {'on' if after else 'off'}." in table.text()
        await table.press("f10", "right", *["down"] * 5, "enter")
        assert "Your hand is sorted by rank." in table.text()

    at_table("hearts", turn, manner=Manner(options=SettingsPage(home)))


def test_what_follows_is_chosen_from_a_list() -> None:
    async def choose(table: Screened) -> None:
        await table.press("f10", "right", "right", "right", "l")
        panel = table.pilot.app.screen
        assert isinstance(panel, ChoicePanel) and ("auto master", "auto master") in panel.choices
        await table.press("m", "enter")
        assert table.attached.seen[-1] == Command("auto", ("master",))

    at_table("whist", choose)


def test_a_click_on_my_name_opens_the_menu_of_players() -> None:
    async def click(table: Screened) -> None:
        (seat,) = [zone.box for zone in table.picture.zones if zone.name == "seat 0"]
        await table.pilot.click(Felt, offset=(seat.column + 3, seat.row))
        await table.pilot.pause()
        assert bar(table).menu.title == "Players"

    at_table("hearts", click)


# --- what fits, above the line ----------------------------------------------------------------------------------------


def fits(table: Screened) -> list[str]:
    rows = shown(table.pilot.app.screen.query_one(Fitting)).splitlines()
    return [row.strip() for row in rows]


def test_a_slash_lists_what_fits_and_narrows_as_one_types() -> None:
    async def type_on(table: Screened) -> None:
        line = table.pilot.app.screen.query_one(TalkLine)
        listing = table.pilot.app.screen.query_one(Fitting)
        await table.press("slash")
        names = " ".join(fits(table)).split()
        assert {name for name, word in WORDS.items() if word.works(table.table.view())} <= set(names)
        assert listing.region.bottom <= 23 and HOW in fits(table)
        await table.press(*"hi")
        assert fits(table)[0].startswith("hint") and "get advice" in fits(table)[0]
        assert [row.split()[0] for row in fits(table) if row.startswith("hi")] == ["hint", "history"]
        await table.press("down", "down")
        assert (line.chosen, line.value) == (1, "/hi"), "what was typed stays"
        await table.press("up", "up")
        assert (line.chosen, line.value) == (None, "/hi")
        await table.press("down", "enter")
        assert table.attached.seen[-1] == Command("hint") and not line.display and not listing.display
        await table.press("slash", "x")
        assert not [row for row in fits(table) if row] and not listing.display

    at_table("hearts", type_on)


def test_a_line_that_wants_more_is_completed_by_enter_and_by_a_click() -> None:
    async def choose(table: Screened) -> None:
        line = table.pilot.app.screen.query_one(TalkLine)
        await table.press("slash", *"sor", "down", "enter")
        assert line.value == "/sort " and [row for row in fits(table) if row][:2] == ["sort suit", "sort rank"]
        listing = table.pilot.app.screen.query_one(Fitting)
        await table.pilot.click(Fitting, offset=(3, fits(table).index("sort rank")))
        await table.pilot.pause()
        assert "Your hand is sorted by rank." in table.text() and not line.display and not listing.display

    at_table("hearts", choose)


@pytest.mark.parametrize(("columns", "rows"), [(78, 12), (58, 10), (118, 20), (30, 5)])
def test_the_list_fits_its_room_and_cuts_nothing(columns: int, rows: int) -> None:
    view = TableAtHand("pinochle2", "", 1).view()
    for text in ("", "s", "re", "sort ", "config ", "guide ", "zzz"):
        found = described_completions(text, view)
        for at in (None, *range(0, len(found), 7)):
            lines = list_completions(found, at, columns, rows)
            assert len(lines) <= rows or not found
            assert all(sum(text_width(part.rstrip()) for part, _ in line) <= columns for line in lines)
            if at is not None:
                assert at in {number for line in lines for _, number in line}, "the chosen one is among them"


# --- what else there is to click on -----------------------------------------------------------------------------------


def test_the_last_row_is_clicked_and_has_more_where_there_is_room() -> None:
    async def click(table: Screened) -> None:
        zones = {zone.name: zone.box for zone in table.picture.zones}
        last = table.text().splitlines()[-1]
        for name, box in zones.items():
            if name.startswith("key ") and box.row:
                assert last[box.column :].startswith(name.removeprefix("key "))
        if table.scene.window[0] < 120:
            assert "key ," not in zones
            return
        for key, said in (("F2", "sorted by rank"), (",", "Staggered hand: on"), ("H", "Suggested play")):
            box = zones[f"key {key}"]
            await table.pilot.click(Felt, offset=(box.column, box.row))
            await table.pilot.pause()
            assert said in " ".join(table.text().split())
        assert "key ." not in zones, "nothing is melded in hearts"
        assert table.scene.look.stagger
        await table.press("comma")
        assert not table.scene.look.stagger

    for size in ((80, 24), (160, 40)):
        at_table("hearts", click, size=size)


def test_tinted_melds_count_at_this_table_alone(home: Home) -> None:
    async def tint(table: Screened) -> None:
        await table.press("full_stop")
        assert table.scene.look.tint and not load_settings(home).tint_melds
        await table.press("ctrl+o", "escape")
        assert table.scene.look.tint, "also when the settings are read again"

    at_table("pinochle2", tint, manner=Manner(options=SettingsPage(home)), size=(140, 40))


def test_a_card_is_seen_while_it_is_dragged_and_the_table_says_what_comes_of_it() -> None:
    async def drag(table: Screened) -> None:
        zones = {zone.name: zone.box for zone in table.picture.zones}
        place = next(at for at, card in enumerate(table.scene.hand) if str(card) in table.table.view().legal)
        card, trick = zones[f"hand {place}"], zones["trick"]
        await table.pilot.mouse_down(Felt, offset=(card.column + 1, card.row + 1))
        await table.pilot.hover(Felt, offset=(card.column + 2, card.row + 1))
        assert not table.scene.air, "it has not left its place"
        await table.pilot.hover(Felt, offset=(trick.column + 9, trick.row + 2))
        await table.pilot.pause()
        (air,) = table.scene.air
        assert air.card == int(table.scene.hand[place]) and table.scene.away == {f"hand {place}"}
        assert "here." in table.text()
        await table.pilot.hover(Felt, offset=(79, 8))
        await table.pilot.pause()
        assert "on the table instead." in table.text()
        await table.pilot.mouse_up(Felt, offset=(79, 8))
        await table.pilot.pause()
        assert not table.scene.air and not table.scene.away and not table.attached.seen
        await table.pilot.mouse_down(Felt, offset=(card.column + 1, card.row + 1))
        await table.pilot.hover(Felt, offset=(trick.column + 9, trick.row + 2))
        held = str(table.scene.hand[place])
        await table.pilot.mouse_up(Felt, offset=(trick.column + 9, trick.row + 2))
        await table.pilot.pause()
        assert table.attached.seen == [Command("act", (held,))]
        assert table.scene.air == ()

    at_table("whist", drag)


def test_the_frame_of_the_rules_goes_by_a_click_and_comes_back_by_the_menu(home: Home) -> None:
    async def click(table: Screened) -> None:
        box = next(zone.box for zone in table.picture.zones if zone.name == "rules")
        await table.pilot.click(Felt, offset=(box.column + 3, box.row + 1))
        await table.pilot.pause()
        assert "Rules in a frame: off." in table.text() and not load_settings(home).rules_frame

    at_table("hearts", click, manner=Manner(options=SettingsPage(home)), size=(100, 40))
    items = items_of(TableAtHand("hearts", "", 1).view(), {"rules_frame": "false"})
    assert "config rules_frame true" in [item.line for item in items]


@pytest.mark.parametrize("rings", [True, False])
def test_the_bell_rings_for_a_stray_click_that_does_nothing(rings: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rung = list[None]()
    monkeypatch.setattr(TableScreen, "ring", lambda _: rung.append(None))
    monkeypatch.setattr(felt, "STRAY", 3600)  # a busy machine takes its time between two clicks

    async def click(table: Screened) -> None:
        place = next(at for at, card in enumerate(table.scene.hand) if str(card) in table.table.view().legal)
        box = next(zone.box for zone in table.picture.zones if zone.name == f"hand {place}")
        for _ in range(2):
            await table.pilot.click(Felt, offset=(box.column + 1, box.row + 1))
        await table.pilot.pause()
        assert len(rung) == rings

    at_table("whist", click, manner=Manner(rings=rings))


def test_a_drawn_card_stays_in_the_hand_that_holds_it_while_others_play() -> None:
    async def hold(table: Screened) -> None:
        while "draw" not in table.table.view().legal:
            table.table.say(Command("act", tuple(table.table.suggestion().split())))
        table.attached.show(table.table.view())
        await table.pilot.pause()
        await table.press("slash", *"sort off", "enter")
        stock = next(zone.box for zone in table.picture.zones if zone.name == "pile stock")
        await table.pilot.mouse_down(Felt, offset=(stock.column + 2, stock.row + 1))
        await table.pilot.pause()
        assert len(table.scene.air) == 1
        later = replace(table.table.view(), notes=("Somebody has played meanwhile.",), legal=())
        table.attached.show(later)
        await table.pilot.pause()
        assert len(table.scene.away) == len(table.scene.air), "it is still in the air"
        third = next(zone.box for zone in table.picture.zones if zone.name == "hand 2")
        hand = [str(card) for card in table.scene.hand]
        await table.pilot.mouse_up(Felt, offset=(third.column + 1, third.row + 1))
        await table.pilot.pause()
        assert [str(card) for card in table.scene.hand] == [*hand[:3], hand[-1], *hand[3:-1]]

    at_table("gin_rummy", hold, seed=3)


def test_all_hands_are_seen_where_they_lie_face_up() -> None:
    async def open_up(table: Screened) -> None:
        await table.press("slash", *"open", "space", *"on", "enter")
        for seat in table.scene.view.seats[1:]:
            for card in seat.known:
                assert card_text(card, table.scene.look.style) in table.text()
        assert not table.picture.faults

    for size in ((80, 24), (120, 40)):
        at_table("hearts", open_up, size=size)


def test_hands_that_lie_face_up_are_sorted_as_mine_is() -> None:
    table = TableAtHand("pinochle2", "", 1)
    table.say(Command("open", ("on",)))
    view = table.view()
    held = view.seats[1].known

    def lie(order: str) -> list[Card]:
        (hand, *_) = card_groups(view, view.seats[1], order)
        return [Card(card) for card in hand.cards]

    assert held and lie("off") == [Card(card) for card in held]
    ranks = [card.rank for card in lie("rank")]
    assert ranks == sorted(ranks, key=(9, 11, 12, 13, 10, 14).index)
    suits = [card.suit for card in lie("suit")]
    assert [suit for suit, _ in groupby(suits)] == list(dict.fromkeys(suits))


def test_marks_stay_with_their_cards_when_the_hand_is_sorted() -> None:
    async def sort(table: Screened) -> None:
        await table.press("1", "4")
        marked = {table.scene.hand[place] for place in table.scene.mind.marked}
        await table.press("f2")
        assert {table.scene.hand[place] for place in table.scene.mind.marked} == marked and len(marked) == 2

    at_table("hearts", sort)


def test_a_stray_click_plays_no_second_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(felt, "STRAY", 1e6)  # however busy the machine is

    async def click(table: Screened) -> None:
        place = next(at for at, card in enumerate(table.scene.hand) if str(card) in table.table.view().legal)
        box = next(zone.box for zone in table.picture.zones if zone.name == f"hand {place}")
        await table.press("home", *["right"] * place)
        await table.pilot.click(Felt, offset=(box.column + 1, box.row + 1), times=2)
        await table.pilot.pause()
        assert len([one for one in table.attached.seen if one.name == "act"]) == 1

    at_table("whist", click)


def test_the_totals_open_the_history_and_the_scores_the_sheet() -> None:
    async def click(table: Screened) -> None:
        boxes = {zone.name: zone.box for zone in table.picture.zones}
        for name, column in (("totals", 1), ("scores", 1)):
            at = Offset(boxes[name].column + column, boxes[name].row)
            await table.pilot.click(Felt, offset=at)
            async with asyncio.timeout(longest_wait()):
                while not isinstance(table.pilot.app.screen, ReadingPanel):
                    await table.pilot.pause()
            await table.press("escape")

    at_table("spades", click)
