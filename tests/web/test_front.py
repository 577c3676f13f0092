"""What goes between a page and its seat, without a browser: each game is played to its end from what a page is told."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import pytest
import trio
from hypothesis import example, given
from hypothesis import strategies as st
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked

from at_hand import TableAtHand
from p2pcards.cards.card import Card
from p2pcards.control.client import Client, ClientTable
from p2pcards.control.declined import Declined
from p2pcards.control.messages import DaemonStatus, TableStatus
from p2pcards.frontend.guide_pages import list_page_names, page_blocks
from p2pcards.frontend.option_pages import GROUPS
from p2pcards.games.game import Action
from p2pcards.games.names import GAME_NAMES
from p2pcards.present.cards import Arrangement
from p2pcards.session.effects import Think
from p2pcards.views.tableview import Command
from p2pcards.web.front import AtTable, serve_front
from p2pcards.web.shown import (
    MOST,
    NOT_IN_BROWSERS,
    NOT_WITHIN,
    TEXT,
    guide_page_data,
    matters_in_page,
    table_data,
    tidy_texts,
)
from rigs.homes import MakeHome
from rigs.paged import MemoryLink, Paged, first_deed, paged, play_request, settle
from rigs.screen_table import AtTheScreen
from rigs.sixteenth import KEY, add_go_fish

CARD = {"--", *[str(Card.of(rank, suit, copy)) for rank in range(2, 15) for suit in range(4) for copy in range(4)]}


ASKED = ("hand_number", "pause", "myTurn", "prompt", "hand", "trick", "piles", "counting", "scores", "buttons")
"""What tells one turn from the next."""


async def take_turn(page: Paged, table: dict[str, Any]) -> None:
    """What is offered first, or the first cards that go together, found by marking them as a person would. They may
    have been laid down meanwhile: the table is then another one."""
    if deed := first_deed(table):
        page.say(deed.pop("is"), **deed)
        return
    can = [place for place, card in enumerate(table["hand"]) if card["can"]]
    for places in combinations(can, table["takes"]):
        page.say("marks", places=list(places))
        if (await page.until("offers"))["offers"]:
            page.say("cards", places=list(places))
            return
    latest = [said for said in page.heard if said["is"] == "table"][-1]
    assert latest is not table, table
    if latest["myTurn"]:
        await take_turn(page, latest)


async def play(page: Paged, key: str) -> dict[str, Any]:
    """A game to its end, by what is offered first; the last table."""
    page.say("start")
    page.say("open", request=play_request(await page.until("start"), key))
    answered: list[Any] = []
    while True:
        table = await page.next()
        if table["is"] == "choose":
            page.say("line", text=table["choices"][0][0])
        if table["is"] != "table":
            continue
        if table["phase"] == "over":
            return table
        asks = [table[part] for part in ASKED]
        # The same table may be told twice, the second time when the first has been answered.
        if asks != answered and (table["myTurn"] or table["pause"] is not None):
            await take_turn(page, table)
        answered = asks


def check_table(table: dict[str, Any]) -> None:
    """Everything that a page draws is there, and what it cannot draw is not."""
    assert next(seat["place"] for seat in table["seats"]) == "below"
    lying = [card for seat in table["seats"] for group in seat["lies"] for card in group["cards"]]
    cards = [one["card"] for one in (*table["hand"], *table["trick"]["cards"])]
    mine = next(seat["lies"] for seat in table["seats"] if seat["place"] == "below")
    if table["over"]:  # what was held lies open then, and is drawn once
        assert not {one["card"] for one in table["hand"]} & {card for group in mine for card in group["cards"]}
    assert {*cards, *lying, *[card for pile in table["piles"] for card in pile["cards"]]} <= CARD
    assert len(table["scores"]["rows"]) in (1, 2, 3, 4)


@pytest.mark.parametrize("key", GAME_NAMES)
async def test_a_game_is_played_to_its_end_from_what_the_page_is_told(make_home: MakeHome, key: str) -> None:
    async with paged(make_home("ann")) as page:
        table = await play(page, key)
        tables = [said for said in page.heard if said["is"] == "table" and said.get("seats")]
        for one in tables:
            check_table(one)
        assert [said["text"] for said in page.heard if said["is"] == "told" and said["ink"] == "wrong"] == []
        assert any(seat["winner"] for seat in table["seats"])


def test_what_a_player_has_melded_is_drawn_once_when_the_game_ends_in_mid_hand() -> None:
    table = TableAtHand("pinochle2", "", 3)
    while table.view().phase != "over":
        table.say(Command("act", tuple(table.view().legal[0].split())) if table.view().legal else Command("next"))
    shown = table_data(table.view(), Arrangement())
    assert [one for one in shown["hand"] if not one["laid"]]
    below = next(seat["lies"] for seat in shown["seats"] if seat["place"] == "below")
    assert {"KH'", "QH'"} <= {card for group in below for card in group["cards"]}
    check_table(shown)


# --- a sixteenth game -------------------------------------------------------------------------------------------------


async def test_a_game_that_nobody_knew_is_shown_and_played_too(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_go_fish(monkeypatch)
    heard: list[dict[str, Any]] = []
    attached, home = AtTheScreen(TableAtHand(KEY, "", 3)), make_home("ann")
    settle(home)
    table = AtTable(attached, home, heard.append)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.run)
        for _ in range(8):
            await wait_all_tasks_blocked()
            shown = [said for said in heard if said["is"] == "table"][-1]
            check_table(tidy_texts(shown))
            assert shown["title"].startswith("Go Fish")
            if (deed := first_deed(shown)) is None:
                attached.go_on()
                continue
            await (table.cards(deed) if deed["is"] == "cards" else table.line(deed))
            for choice in [said["choices"] for said in heard if said["is"] == "choose"][-1:]:
                await table.line({"text": choice[0][0]})
                heard[:] = [said for said in heard if said["is"] != "choose"]
        assert any(command.name == "act" for command in attached.seen)
        assert [said for said in heard if said["is"] == "told" and said["ink"] == "wrong"] == []
        nursery.cancel_scope.cancel()


# --- what a page may say, and what it is told -------------------------------------------------------------------------

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.text(max_size=80) | st.lists(PLAIN) | st.dictionaries(st.text(max_size=8), PLAIN))
@example("\x85")
def test_what_goes_to_a_page_is_clean_wherever_it_comes_from(value: Any) -> None:
    found = json.dumps(tidy_texts(value))
    assert tidy_texts(json.loads(found)) == json.loads(found)
    texts = [value] if isinstance(value, str) else []
    for text in map(tidy_texts, texts):
        assert all(character.isprintable() for character in text)


def test_columns_stay_and_paint_goes() -> None:
    assert tidy_texts("\x1b[1mtotal\x1b[0m      12    -3") == "total      12    -3"
    assert len(tidy_texts("x" * 10_000)) == TEXT
    assert tidy_texts("a\u202eb\x00\x07c") == "abc"


SENSELESS = (
    *("", "{", "[]", "3", '"start"', "{}", '{"is":3}', '{"is":"nothing"}', '{"is":null}', "[" * 5000, "x" * 70_000),
    *('{"is":"open"}', '{"is":"open","request":{"is":"Stop"}}', '{"is":"open","request":[1]}', '{"is":"game"}'),
    *('{"is":"game","key":"chess"}', '{"is":"attach"}'),
    *('{"is":"answer","number":1,"text":"yes"}', '{"is":"cards","places":[0]}', '{"is":"line","text":"9"}'),
)
AT_A_TABLE = (
    *('{"is":"cards"}', '{"is":"cards","places":"all"}', '{"is":"cards","places":[-1,99,true,1.5,null]}'),
    *(
        '{"is":"marks","places":[[]]}',
        '{"is":"line"}',
        '{"is":"line","text":7}',
        '{"is":"answer","number":[],"text":{}}',
    ),
    *(
        '{"is":"change","page":"settings","key":"nothing","value":"x"}',
        '{"is":"follow","line":"  "}',
        '{"is":"complete"}',
    ),
    *('{"is":"follow","line":"nothing"}', '{"is":"change","page":"rules","key":"preset","value":"x"}'),
)


async def test_whatever_a_page_says_it_gets_a_sentence_or_nothing_and_goes_on(make_home: MakeHome) -> None:
    async with paged(make_home("ann")) as page:
        for said in SENSELESS:
            page.say_anyhow(said)
        await page.until("refused", lambda said: "The table you were at is closed" in said["text"])
        page.say("attach", table="t99")
        await page.until("refused", lambda said: "No table is open" in said["text"])
        page.say("start")
        start = await page.until("start")
        page.say("open", request=play_request(start, "whist"))
        await page.until("table")
        for said in (*SENSELESS, *AT_A_TABLE):
            page.say_anyhow(said)
        page.say("line", text="score")
        assert (await page.until("read"))["title"] == "Scores"


class Restoring(Client):
    """Of a daemon that has opened no table yet, and does not say so at once."""

    def __init__(self) -> None:
        super().__init__(memory_stream_pair()[0])
        self._asked = 0

    async def status(self) -> DaemonStatus:
        await trio.lowlevel.checkpoint()
        self._asked += 1
        tables = (TableStatus("t1", "listener", "lobby", "", "", (), None, 0, 0),)
        return DaemonStatus("", 1, tables if self._asked > 2 else (), restoring=self._asked <= 2)

    async def attach(self, table: str = "", pace: float = 0.0) -> ClientTable:
        await trio.lowlevel.checkpoint()
        raise Declined("The table is there.")


async def test_a_page_waits_for_tables_that_are_about_to_be_opened_again(make_home: MakeHome) -> None:
    link = MemoryLink()
    page = Paged(link)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(serve_front, link, make_home("ann"), lambda: nullcontext(Restoring())))
        page.say("attach", table="")
        assert (await page.until("refused"))["text"] == "The table is there."
        nursery.cancel_scope.cancel()


async def test_the_page_goes_and_the_seat_stays_and_two_pages_see_the_same(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with paged(home) as one:
        one.say("start")
        one.say("open", request=play_request(await one.until("start"), "whist"))
        first = await one.until("table", lambda said: said["myTurn"])
        async with paged(home) as other:
            other.say("attach", table="")
            second = await other.until("table", lambda said: said["myTurn"])
            assert second["hand"] == first["hand"]
            deed = first_deed(second) or {}
            other.say(deed.pop("is"), **deed)
            played = second["hand"][deed["places"][0]]["card"]
            await one.until("table", lambda said: played not in [card["card"] for card in said["hand"]])
    async with paged(home) as later:
        later.say("start")
        assert (await later.until("start"))["tables"][0][1].startswith("t1: Whist")


async def test_enter_takes_a_seat_back_that_a_character_holds(make_home: MakeHome) -> None:
    async with paged(make_home("ann")) as page:
        page.say("start")
        page.say("open", request=play_request(await page.until("start"), "cribbage"))
        await page.until("table", lambda said: said["myTurn"])
        page.say("line", text="away")
        away = await page.until("table", lambda said: "away" in said["on"])
        assert [(one["label"], one["line"]) for one in away["buttons"]] == [("take your seat back", "back")]
        page.say("pressed")
        page.say("line", text="", shown=False)
        await page.until("table", lambda said: "away" not in said["on"] and said["myTurn"])
        told = [said["text"] for said in page.heard if said["is"] == "told"]
        assert [text for text in told if re.fullmatch(r"You're back\. .+ made no moves\.", text)]


async def test_a_page_has_its_own_way_for_beside_and_for_no_other_word(make_home: MakeHome) -> None:
    heard: list[dict[str, Any]] = []
    attached, home = AtTheScreen(TableAtHand("hearts", "", 3)), make_home("ann")
    async with trio.open_nursery() as nursery:
        nursery.start_soon((at_table := AtTable(attached, home, heard.append)).run)
        for line, said in (("beside", "beside"), ("config", "options")):
            await wait_all_tasks_blocked()
            heard.clear()
            await at_table.line({"text": line})
            assert [one["is"] for one in heard if one["is"] in ("beside", "options")] == [said]
        nursery.cancel_scope.cancel()


async def test_a_page_is_told_of_its_clock_from_the_start(make_home: MakeHome, mock_clock: MockClock) -> None:
    """And is warned at half and in the last seconds, by a bell and a line."""
    heard: list[dict[str, Any]] = []
    at_hand, home = TableAtHand("hearts", "", 3), make_home("ann")
    attached, view = AtTheScreen(at_hand), replace(at_hand.view(), turn_clock=180)
    settle(home)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(AtTable(attached, home, heard.append).run)
        await wait_all_tasks_blocked()
        attached.show(replace(view, turn_seconds=180.0))
        await wait_all_tasks_blocked()
        assert heard[-1]["clock"] == ["180 s", ""] and heard[-1]["prompt"].startswith("Your turn: ")
        for seconds, clock in ((89.0, ["89 s", "half"]), (9.0, ["9 s", "last"])):
            heard.clear()
            attached.show(replace(view, turn_seconds=seconds + 1))
            await wait_all_tasks_blocked()
            mock_clock.jump(1)
            await wait_all_tasks_blocked()
            assert [said["clock"] for said in heard if said["is"] == "prompt"] == [clock]
            assert [said["text"] for said in heard if said["is"] == "told"] == [f"{clock[0]} left to play."]
            assert sum(said["is"] == "ring" for said in heard) == 1
        nursery.cancel_scope.cancel()


async def test_a_question_is_asked_and_a_word_that_leaves_ends_the_table(make_home: MakeHome) -> None:
    async with paged(make_home("ann")) as page:
        page.say("start")
        page.say("open", request=play_request(await page.until("start"), "whist"))
        await page.until("table")
        page.say("line", text="leave")
        asked = await page.until("ask")
        assert asked["answers"] == ["yes", "no"]
        page.say("answer", number=asked["number"], text="no")
        assert (await page.until("told", lambda said: said["ink"] == "answer"))["text"] == "OK, you stay."
        page.say("line", text="leave")
        page.say("answer", number=(await page.until("ask"))["number"], text="yes")
        assert (await page.until("ended"))["result"] == "left"
        start = await page.until("start")
        assert (start["said"], start["tables"]) == ("You left the table.", [])


async def test_what_cannot_be_opened_is_refused_in_a_sentence(make_home: MakeHome) -> None:
    async with paged(make_home("ann")) as page:
        page.say("start")
        requests = (await page.until("start"))["requests"]
        host = {"address": "::::", "partner": False, "code": ""}
        page.say("open", request={**requests["join"], "host": host})
        assert "::::" in (await page.until("refused"))["text"]
        page.say(
            "open", request={**requests["join"], "host": {"address": "a:1", "partner": False, "code": "nonsense!"}}
        )
        assert "code" in (await page.until("refused"))["text"]


async def test_menus_options_and_lines_that_are_begun_are_as_at_the_screen(make_home: MakeHome) -> None:
    async with paged(make_home("ann")) as page:
        page.say("start")
        page.say("open", request=play_request(await page.until("start"), "pinochle2"))
        await page.until("table")
        page.say("menus")
        menus = {
            menu["title"]: [item["line"] for item in menu["items"]] for menu in (await page.until("menus"))["menus"]
        }
        assert "hint" in menus["Assistants"]
        page.say("complete", text="sor")
        assert (await page.until("fits"))["lines"][0][0].strip() == "sort"
        page.say("follow", line="auto")
        assert len((await page.until("choose"))["choices"]) > 1
        page.say("line", text="config")
        options = await page.until("options")
        assert any(row["key"] == "speed" for group in options["groups"] for row in group["rows"])
        page.say("change", page="settings", key="tint_melds", value="true")
        await page.until("options")
        page.say("line", text="sort rank")
        table = await page.until("table")
        assert "sort rank" in table["on"]


async def test_a_table_that_waits_shows_a_link_and_its_code_and_a_picture_of_it(make_home: MakeHome) -> None:
    async with paged(make_home("ann")) as page:
        page.say("start")
        request = {**(await page.until("start"))["requests"]["host"], "port": 0, "bind": "127.0.0.1", "web": True}
        page.say("open", request=request)
        waits = await page.until("waits")
        lobby = (await page.until("table"))["lobby"]
        assert lobby["link"] == f"http://127.0.0.1:{waits['port']}/#{lobby['code']}"
        assert {*lobby["qr"][0]} == {"0"}
        assert len(lobby["qr"]) == len(lobby["qr"][0]) > 20
        assert lobby["people"][0][0] == "Ann"


# --- before a table, and the guide ------------------------------------------------------------------------------------


async def test_records_the_guide_and_what_can_be_changed_are_there_before_a_table(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with paged(home) as page:
        page.say("line", text="records")
        assert (await page.until("read"))["title"] == "Records"
        page.say("line", text="rules hearts")
        assert (await page.until("page"))["address"] == "rules/hearts"
        page.say("line", text="hold'em?")
        assert "Type guide to open the guide" in (await page.until("refused"))["text"]
        page.say("line", text="about chess")
        assert "chess" in (await page.until("refused"))["text"]
        page.say("options", page="settings")
        assert (await page.until("options"))["title"] == "Options"
        page.say("options", page="rules/hearts")
        rows = (await page.until("options"))["groups"][0]["rows"]
        assert [row["value"] for row in rows if row["key"] == "end_score"] == ["100"]
        page.say("change", page="rules/hearts", key="end_score", value="50")
        rows = (await page.until("options"))["groups"][0]["rows"]
        assert [row["value"] for row in rows if row["key"] == "end_score"] == ["50"]
        page.say("change", page="rules/hearts", key="end_score", value="many")
        assert "a number from 25 to 10000" in (await page.until("refused"))["text"]
        page.say("reset", page="rules/hearts", key="end_score")
        await page.until("options")
        page.say("start")
        page.say("open", request=play_request(await page.until("start"), "whist"))
        await page.until("table")
        page.say("line", text="options")
        assert (await page.until("page"))["address"] == "options/whist"


def test_every_setting_that_is_not_shown_is_one() -> None:
    listed = {name for names in GROUPS.values() for name in names}
    assert listed > NOT_IN_BROWSERS | NOT_WITHIN


async def test_of_the_settings_those_are_listed_that_do_something_in_a_page(make_home: MakeHome) -> None:
    async with paged(make_home("ann")) as page:
        page.say("options", page="settings")
        groups = {one["title"]: [row["key"] for row in one["rows"]] for one in (await page.until("options"))["groups"]}
    assert groups["You"] == ["name", "character"]
    assert groups["Screen"] == ["tint_melds", "animation", "trick_stays"]
    assert groups["Sounds"] == ["bell"]
    assert groups["Connection"] == ["port", "reach", "brokers", "ways", "stun", "page", "tor"]
    assert "Colours" not in groups
    assert "hook" in groups["Events"], "the daemon of this machine runs commands"
    assert not [key for key in ("hook", "port", "events.turn.hook") if matters_in_page(key, within=True)]


async def test_before_records_begin_anew_the_page_asks(make_home: MakeHome) -> None:
    async with paged(make_home("ann")) as page:
        await play(page, "gin_rummy")
        page.say("line", text="leave")
        page.say("answer", number=(await page.until("ask"))["number"], text="yes")
        await page.until("start")
        page.say("line", text="records gin_rummy reset")
        asked = await page.until("choose")
        assert "records and ratings over" in asked["title"]
        page.say("line", text=asked["choices"][0][0])
        page.say("line", text=asked["choices"][1][0])
        assert "no longer" in (await page.until("read"))["lines"][0]


async def test_the_computer_plays_every_hand_for_who_looks_on(make_home: MakeHome) -> None:
    async with paged(make_home("ann")) as page:
        page.say("line", text="autoplay whist")
        (line, words), *_ = (await page.until("choose"))["choices"]
        assert (line, words) == ("autoplay whist carefree", "carefree, the weakest")
        page.say("line", text=line)
        table = await page.until("table", lambda said: said["hand_number"][1] == 2)
        assert table["watches"] and not table["myTurn"]
        page.say("line", text="leave")
        await page.until("ended")
        assert (await page.until("start"))["tables"] == []


async def test_a_watched_game_waits_for_a_slow_page(make_home: MakeHome, nursery: trio.Nursery) -> None:
    home, decided = make_home("ann"), 0
    settle(home)

    async def decide(think: Think) -> Action:
        nonlocal decided
        decided += 1
        assert decided < 100, "the game is played for a page that has read nothing of it"
        return think.game.legal(think.view, think.seat)[0]

    link = MemoryLink(most=1)
    nursery.start_soon(serve_front, link, home, None, lambda: nullcontext(decide))
    page = Paged(link)
    page.say("line", text="autoplay whist novice")
    await page.until("table")
    await wait_all_tasks_blocked()
    before = decided
    await page.until("table", lambda said: said["trick"] != page.heard[-2].get("trick"))
    await wait_all_tasks_blocked()
    assert decided > before


@pytest.mark.parametrize("address", list_page_names())
def test_each_page_of_the_guide_is_whole_and_its_links_lead_to_others(address: str) -> None:
    shown = guide_page_data(address, None)
    assert shown["address"] == address
    assert len(shown["blocks"]) <= MOST
    assert tidy_texts(shown) == shown
    for block in shown["blocks"]:
        assert all(page_blocks(to.partition("#")[0]) for _, _, to in block["spans"] if to)


def test_a_page_that_there_is_not_is_looked_for() -> None:
    assert guide_page_data("nonsense", None)["title"] == "Nothing found"
    assert guide_page_data("glossary#knock", None)["at"] > 0
    assert guide_page_data("search/moon", None)["title"] == "Topics matching 'moon'"
