"""A friend's page in real browsers: it sits down at the table of a real daemon with a code, plays a whole game, comes
back after a reload and a kill, and its log is worth what every log is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trio

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import Host, Open, OpenHost, OpenJoin, OpenResume, Persona, Rules, TimeLimits
from p2pcards.control.protocol import to_plain
from p2pcards.frontend.verdict import Known, judge_log, verdict_lines
from p2pcards.ledger.verify import verify_log
from p2pcards.results.carried import HOME_SUFFIX, is_home
from p2pcards.store.files import Home
from p2pcards.store.logs import list_logs, parse_log
from p2pcards.views.happenings import Acted, CodeShown, GameWon, PlayerBack, PlayerLost
from p2pcards.views.tableview import Command
from rigs.browser import Browser, ShownPage
from rigs.frail import Even, FrailLine
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening, kill_daemon
from rigs.pages import LOOKING, Friend, Message, RunningBrowser, browsing
from rigs.short_games import proven, short

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("name", ["chromium", "firefox"])]

SHORT = Rules("crazy_eights", changes=short("crazy_eights"))
LONGER = Rules("crazy_eights", changes=(("winning_score", "60"),))
"""Some hands."""
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

    def seat(self, auto: str | None = None, port: int = 0, code: str = "", name: str = "Ben") -> object:
        """The request of a friend's page for a seat here. port: of a line that leads here; code: the one after ours."""
        there = Host(f"ws://127.0.0.1:{port or self.port}", code=code or self.code)
        return to_plain(Open, OpenJoin(there, Persona(name, "betty", auto=auto)))


@asynccontextmanager
async def hosting(home: Home, auto: str | None = "novice", rules: Rules = SHORT) -> AsyncIterator[Ann]:
    async with connect(home) as client:
        me, limits = Persona("Ann", "wayne", auto=auto), TimeLimits(between_hands=0)
        opened = await client.open(OpenHost(0, rules, me, limits, bind="127.0.0.1", web=True))
        assert opened.port is not None
        yield Ann(home, client, await client.attach(opened.table), opened.port, opened.code)


@pytest.fixture
def browser(name: str, tmp_path: Path) -> Iterator[RunningBrowser]:
    with browsing(name, tmp_path / "profile") as running:
        yield running


async def sit_down(ann: Ann, friend: Friend, auto: str | None = None, **there: Any) -> None:
    """there: as in `Ann.seat`."""
    await friend.hear("ready")
    friend.say("open", request=ann.seat(auto, **there))
    await friend.hear("table")
    friend.say("change", page="settings", key="speed", value=AT_ONCE)


async def play_on(friend: Friend) -> Message:
    """By lines, the first that is offered; the table once the game is over."""
    answered: object = None
    while True:
        told = await friend.until(lambda message: message["is"] in ("table", "choose") or message.get("ink") == "wrong")
        if told["is"] == "told":  # what was said came too late: a sorted hand is shown with the table as it is now
            answered = None
            friend.say("line", text="sort suit")
        elif told["is"] == "choose":  # of a card with which something is to be named
            friend.say("line", text=told["choices"][0][0])
        elif told["phase"] == "over":
            return told
        elif told["myTurn"] and (now := (told["hand"], told["piles"], told["buttons"])) != answered:
            answered = now  # a table may be told twice
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
    with trio.fail_after(longest_wait()):
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


async def test_a_page_that_is_reloaded_before_a_game_is_chosen_is_back_and_its_link_is_nobody_elses(
    browser: RunningBrowser, make_home: MakeHome
) -> None:
    async with hosting(make_home("ann"), None, Rules()) as ann, line_to(ann.port) as line:
        friend = Friend.at(browser, ann.page)
        await sit_down(ann, friend)
        friend.reload()
        await friend.hear("ready")
        friend.say("attach", table="")
        await friend.until(lambda message: message["is"] == "table" and message["phase"] == "lobby")
        with trio.fail_after(longest_wait()):
            while "here" not in [one.link for one in (await ann.client.status()).tables[0].people]:
                await trio.sleep(LOOKING)
        other = await friend_over(browser, line)
        await other.hear("ready")
        other.say("open", request=ann.seat(port=line.port))
        told = await other.hear("refused")
        assert "was already used, and each works only once. Ask for a new code or link" in told["text"]


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


# --- three at a table, and all that may happen to them ----------------------------------------------------------------


@asynccontextmanager
async def line_to(port: int) -> AsyncIterator[FrailLine]:
    """A line that breaks when it is told to."""
    async with trio.open_nursery() as nursery:
        line = FrailLine(port, Even())
        await nursery.start(line.run)
        yield line
        nursery.cancel_scope.cancel()


async def friend_over(browser: RunningBrowser, line: FrailLine) -> Friend:
    """Whose page comes over the line, which goes on meanwhile."""
    return await trio.to_thread.run_sync(Friend.at, browser, f"http://127.0.0.1:{line.port}/")


def due(message: Message) -> bool:
    return message["is"] == "table" and bool(message["myTurn"])


async def until_turn(friend: Friend, *others: Friend) -> Message:
    """The friend's next turn; the others play on until then."""
    async with trio.open_nursery() as nursery:
        for other in others:
            nursery.start_soon(play_on, other)
        table = await friend.until(due)
        nursery.cancel_scope.cancel()
    return table


async def test_two_pages_and_a_terminal_play_a_whole_game_through_all_that_may_happen(
    browser: RunningBrowser, make_home: MakeHome
) -> None:
    """A tab that is killed, one that is reloaded, a line that is cut and a host that is killed (-9); after all of that
    the three logs end alike. A page at another address has another home, so one browser is two friends."""
    async with hosting(make_home("ann"), rules=LONGER) as ann, line_to(ann.port) as line:
        ben = await friend_over(browser, line)
        await sit_down(ann, ben, port=line.port)
        code = (await happening(ann.table, CodeShown)).code
        cy = Friend.at(browser, ann.page)
        await sit_down(ann, cy, code=code, name="Cy")
        await ann.table.command(Command("start"))

        table = await until_turn(ben, cy)
        ben.say("line", text=a_line(table))
        ben.tab.close()
        await happening(ann.table, PlayerLost)
        ben = await friend_over(browser, line)
        await ben.hear("ready")
        await happening(ann.table, PlayerBack)
        ben.say("attach", table="")

        await until_turn(cy, ben)
        cy.reload()
        await happening(ann.table, PlayerLost)
        await cy.hear("ready")
        await happening(ann.table, PlayerBack)
        cy.say("attach", table="")

        table = await until_turn(ben, cy)
        line.breaking = True
        ben.say("line", text=a_line(table))
        await happening(ann.table, PlayerLost)
        line.breaking = False
        await happening(ann.table, PlayerBack)

        await until_turn(cy, ben)
        kill_daemon(ann.home)
        async with connect(ann.home) as client:
            await client.open(OpenResume(persona=Persona("Ann", "wayne", auto="novice")))
            again = await client.attach()
            for friend in (ben, cy):
                friend.say("line", text="auto novice")  # which decides in the page
            await happening(again, GameWon)
            for friend in (ben, cy):
                heads_are_equal(ann.home, await log_of(friend))


async def test_a_telephone_that_sleeps_is_away_and_back_at_its_seat_when_it_wakes(
    browser: RunningBrowser, make_home: MakeHome
) -> None:
    """Its line goes while nothing of the page runs; the others play on without it until it is its turn."""
    if not isinstance(browser, Browser):
        pytest.skip("Firefox has no way to let a page sleep from outside.")
    async with hosting(make_home("ann")) as ann, line_to(ann.port) as line:
        ben = await friend_over(browser, line)
        await sit_down(ann, ben, port=line.port)
        await ann.table.command(Command("start"))
        await ben.until(due)
        calls = line.calls
        assert isinstance(ben.tab, ShownPage)
        ben.tab.sleep()
        line.breaking = True
        lost = await happening(ann.table, PlayerLost)
        line.breaking = False
        assert lost.seconds and line.calls == calls
        (status,) = (await ann.client.status()).tables
        assert [one.link for one in status.people if one.name == "Ben"] == ["away"]
        ben.tab.wake()
        await happening(ann.table, PlayerBack)
        heads_are_equal(ann.home, await play_out(ann, ben))


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
        assert told["lines"][0] == verdict_lines(judge_log(log.name, parse_log(whole), Known({}, b"")).data)[0]
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
        assert "out of room" in (await friend.hear("kept"))["text"]
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
            assert "won't save anything" in (await friend.hear("kept"))["text"]
            await sit_down(ann, friend)
            await ann.table.command(Command("start"))
            heads_are_equal(ann.home, await play_out(ann, friend))


async def test_a_page_that_may_keep_nothing_sits_down_again_by_a_new_link(
    name: str, make_home: MakeHome, tmp_path: Path
) -> None:
    """Its key has gone with it, so the used link is nobody's."""
    if name == "chromium":
        pytest.skip("Chromium forbids the storage of a page by a policy of the whole machine alone.")
    with browsing(name, tmp_path / "profile", {"network.cookie.cookieBehavior": 2}) as browser:
        async with hosting(make_home("ann"), None, Rules()) as ann:
            friend = Friend.at(browser, ann.page)
            await sit_down(ann, friend)
            code = (await happening(ann.table, CodeShown)).code
            friend.reload()
            await friend.hear("ready")
            friend.say("open", request=ann.seat())
            told = await friend.hear("refused")
            assert "was already used, and each works only once. Ask for a new code or link" in told["text"]
            friend.say("open", request=ann.seat(code=code))
            await friend.hear("table")
