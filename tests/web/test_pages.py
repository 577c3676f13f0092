"""A friend's page in real browsers: it sits down at the table of a real daemon with a code, plays a whole game, comes
back after a reload and a kill, and its log is worth what every log is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import Host, Open, OpenHost, OpenJoin, Persona, Rules
from p2pcards.control.protocol import to_plain
from p2pcards.frontend.verdict import Known, judge, verdict_lines
from p2pcards.ledger.verify import verify_log
from p2pcards.results.carried import HOME_SUFFIX, is_home
from p2pcards.store.files import Home
from p2pcards.store.logs import list_logs, parse_log
from p2pcards.views.happenings import Acted, GameWon, PlayerBack, PlayerLost
from p2pcards.views.tableview import Command
from rigs.giving_up import GIVE_UP
from rigs.homes import MakeHome, happening
from rigs.pages import LOOKING, Friend, Message, RunningBrowser, browsing
from rigs.short_games import proven, short

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("name", ["chromium", "firefox"])]

GAME = "crazy_eights"
AT_ONCE = "off"
"""The speed at which nothing that happens is looked at."""


@dataclass(frozen=True)
class Ann:
    """Who hosts."""

    home: Home
    client: Client
    table: ClientTable
    port: int
    code: str

    @property
    def page(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def seat(self, auto: str | None = None) -> object:
        """The request of a friend's page for a seat here."""
        there = Host(f"ws://127.0.0.1:{self.port}", code=self.code)
        return to_plain(Open, OpenJoin(there, Persona("Ben", "betty", auto=auto)))


@asynccontextmanager
async def hosting(home: Home, auto: str | None = "novice", game: str = GAME) -> AsyncIterator[Ann]:
    rules = Rules(game, changes=short(game))
    async with connect(home) as client:
        opened = await client.open(OpenHost(0, rules, Persona("Ann", "wayne", auto=auto), bind="127.0.0.1", web=True))
        assert opened.port is not None
        yield Ann(home, client, await client.attach(opened.table), opened.port, opened.code)


@pytest.fixture
def browser(name: str, tmp_path: Path) -> Iterator[RunningBrowser]:
    with browsing(name, tmp_path / "profile") as running:
        yield running


async def sit_down(ann: Ann, friend: Friend, auto: str | None = None) -> None:
    await friend.hear("ready")
    friend.say("open", request=ann.seat(auto))
    await friend.hear("table")
    friend.say("change", page="settings", key="speed", value=AT_ONCE)


async def play_on(friend: Friend) -> Message:
    """By lines, the first that is offered; the table once the game is over."""
    while True:
        told = await friend.until(lambda message: message["is"] in ("table", "choose") or message.get("ink") == "wrong")
        if told["is"] == "told":  # what was said came too late: the computer plays the rest
            friend.say("line", text="auto novice")
        elif told["is"] == "choose":  # of a card with which something is to be named
            friend.say("line", text=told["choices"][0][0])
        elif told["over"]:
            return told
        elif told["myTurn"]:
            friend.say("line", text=a_line(told))


def a_line(table: Message) -> str:
    alone = [card["card"] for card in table["hand"] if card["alone"]]
    plain = [card for card in alone if not card.startswith("8")]  # with an eight a suit is named
    if plain:
        return str(plain[0])
    return f"{alone[0]} S" if alone else str(table["buttons"][0]["line"])


async def play_out(ann: Ann, friend: Friend) -> bytes:
    """To the end of the game; the friend's log."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(happening, ann.table, GameWon)
        await play_on(friend)
    return await log_of(friend)


async def log_of(friend: Friend) -> bytes:
    """Once its last record has come."""
    with trio.fail_after(GIVE_UP):
        while True:
            friend.say("log")
            _, log = await friend.file()
            if verify_log(parse_log(log).payloads).finished:
                return log
            await trio.sleep(LOOKING)


def heads_are_equal(home: Home, log: bytes) -> None:
    """The end of the log is that of the host's, which proves an honest game."""
    theirs = verify_log(parse_log(log).payloads)
    assert theirs.finished and theirs.honest
    assert theirs.position.head == proven(home).position.head


async def test_a_friend_plays_a_whole_game_and_both_logs_prove_it(browser: RunningBrowser, make_home: MakeHome) -> None:
    async with hosting(make_home("ann")) as ann:
        friend = Friend.at(browser, ann.page)
        await sit_down(ann, friend)
        await ann.table.command(Command("start"))
        heads_are_equal(ann.home, await play_out(ann, friend))


async def test_a_page_that_is_reloaded_comes_back_to_its_seat_with_its_key(
    browser: RunningBrowser, make_home: MakeHome
) -> None:
    async with hosting(make_home("ann")) as ann:
        friend = Friend.at(browser, ann.page)
        await sit_down(ann, friend)
        await ann.table.command(Command("start"))
        await friend.until(lambda message: message["is"] == "table" and message["myTurn"])
        friend.reload()
        await happening(ann.table, PlayerLost)
        await friend.hear("ready")
        await happening(ann.table, PlayerBack)
        friend.say("attach", table="")
        heads_are_equal(ann.home, await play_out(ann, friend))


async def test_a_browser_that_is_killed_comes_back_to_its_seat(name: str, make_home: MakeHome, tmp_path: Path) -> None:
    """As by kill -9 in the middle of a game: what it sent was kept before."""
    async with hosting(make_home("ann")) as ann:
        with browsing(name, tmp_path / "profile") as browser:
            friend = Friend.at(browser, ann.page)
            await sit_down(ann, friend)
            await ann.table.command(Command("start"))
            table = await friend.until(lambda message: message["is"] == "table" and message["myTurn"])
            friend.say("line", text=a_line(table))
            await happening(ann.table, Acted)
        await happening(ann.table, PlayerLost)
        with browsing(name, tmp_path / "profile") as browser:
            friend = Friend.at(browser, ann.page)
            await friend.hear("ready")
            await happening(ann.table, PlayerBack)
            friend.say("attach", table="")
            heads_are_equal(ann.home, await play_out(ann, friend))


async def test_a_second_tab_takes_the_seat_and_the_first_says_so(browser: RunningBrowser, make_home: MakeHome) -> None:
    async with hosting(make_home("ann")) as ann:
        first = Friend.at(browser, ann.page)
        await sit_down(ann, first)
        await ann.table.command(Command("start"))
        await first.until(lambda message: message["is"] == "table" and message["myTurn"])
        second = Friend.at(browser, ann.page)
        await second.hear("ready")
        table = next(one for one in reversed(first.heard) if one["is"] == "table")
        first.say("line", text=a_line(table))
        await first.hear("gone", "another tab")
        second.say("attach", table="")
        heads_are_equal(ann.home, await play_out(ann, second))


async def test_a_page_verifies_a_log_of_a_terminal_and_one_that_was_changed(
    browser: RunningBrowser, make_home: MakeHome
) -> None:
    async with hosting(make_home("ann")) as ann:
        friend = Friend.at(browser, ann.page)
        await sit_down(ann, friend, auto="novice")
        await ann.table.command(Command("start"))
        await happening(ann.table, GameWon)
        (log,) = list_logs(ann.home)
        whole = log.path.read_bytes()
        friend.give("verify", log.name, whole)
        told = await friend.hear("verdict")
        assert told["name"] == log.name
        assert told["lines"][0] == verdict_lines(judge(log.name, parse_log(whole), Known({}, b"")).data)[0]
        friend.give("verify", log.name, whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:])
        assert "damaged" in (await friend.hear("verdict"))["lines"][0]
        friend.say("home")
        name, kept = await friend.file()
        assert name.endswith(HOME_SUFFIX)
        assert is_home(kept)


async def test_a_page_whose_storage_is_full_plays_on_and_says_so_once(
    name: str, browser: RunningBrowser, make_home: MakeHome
) -> None:
    if name == "firefox":
        pytest.skip("No way is known to give a page of Firefox a small storage.")
    async with hosting(make_home("ann")) as ann:
        friend = Friend.at(browser, ann.page, room=1)
        assert "no room" in (await friend.hear("kept"))["text"]
        await sit_down(ann, friend)
        await ann.table.command(Command("start"))
        heads_are_equal(ann.home, await play_out(ann, friend))
        assert sum(one["is"] == "kept" for one in friend.heard) == 1


async def test_a_page_that_may_keep_nothing_plays_and_says_what_that_means(
    name: str, make_home: MakeHome, tmp_path: Path
) -> None:
    if name == "chromium":
        pytest.skip("Chromium forbids the storage of a page by a policy of the whole machine alone.")
    forbidden = {"network.cookie.cookieBehavior": 2}  # which forbids all that a site keeps
    with browsing(name, tmp_path / "profile", forbidden) as browser:
        async with hosting(make_home("ann")) as ann:
            friend = Friend.at(browser, ann.page)
            assert "keeps nothing" in (await friend.hear("kept"))["text"]
            await sit_down(ann, friend)
            await ann.table.command(Command("start"))
            heads_are_equal(ann.home, await play_out(ann, friend))
