"""The page from a web space, in real browsers: every game alone without any host, back after a reload and a kill, and
from there to the table of a real host."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from p2pcards.control.client import connect
from p2pcards.control.messages import Host, Open, OpenConnect, OpenListen, OpenPlay, Persona, Rules
from p2pcards.control.protocol import to_plain
from p2pcards.games.names import GAME_NAMES
from p2pcards.ledger.verify import verify_log
from p2pcards.page.files import page_hash
from p2pcards.store.logs import parse_log
from p2pcards.views.happenings import GameWon
from rigs.browser import Browser
from rigs.homes import MakeHome, happening
from rigs.pages import Friend, RunningBrowser, browsing
from rigs.paging import take_turns, text, wait
from rigs.program import MakeProgram, Program
from rigs.served import wait_until
from rigs.short_games import proven, short
from rigs.web_space import PoorSpace, web_space

pytestmark = pytest.mark.browser
BROWSERS = pytest.mark.parametrize("name", ["chromium", "firefox"])

HERE = ("--bind", "127.0.0.1")
WHOLE = 400
"""Deeds of one's own in a hand, more than any takes."""


@pytest.fixture(scope="session")
def space(built_page: Path) -> Iterator[str]:
    with web_space(built_page) as address:
        yield address


@pytest.fixture(scope="session")
def poor_space(built_page: Path) -> Iterator[str]:
    with web_space(built_page, PoorSpace) as address:
        yield address


def click(page: Any, found: str, words: str = "") -> None:
    """The first of these in which the words stand."""
    page.value(f"[...document.querySelectorAll({found!r})].find(one => one.textContent.includes({words!r})).click()")


INPUT = "one.dispatchEvent(new Event('input', { bubbles: true }))"


def fill(page: Any, label: str, words: str) -> None:
    field = f"[...document.querySelectorAll('label')].find(one => one.textContent.startsWith({label!r}))"
    page.value(f"(one => {{ one.value = {words!r}; {INPUT}; }})({field}.querySelector('input'))")


def begin(page: Any, key: str) -> None:
    """A game alone, from the list of games to one's turn."""
    wait(page, "!!document.querySelector('.games button')", "the games are listed")
    click(page, ".games button", GAME_NAMES[key])
    wait(page, "!!document.querySelector('dialog[open] .main')", "the game is looked at")
    click(page, "dialog[open] .main")
    is_my_turn(page)


def is_my_turn(page: Any) -> None:
    wait(page, "!!document.querySelector('.felt .plate')", "the table is shown")
    wait(page, "!!document.querySelector('.prompt p.due')", "it is my turn")


def say(page: Any, line: str) -> None:
    """By the field for lines that is in the menus."""
    click(page, ".bar button")
    wait(
        page, "/Type a command/.test(document.querySelector('dialog[open] .menus')?.textContent)", "the menus are there"
    )
    click(page, "dialog[open] button", "Type a command")
    wait(page, "!!document.querySelector('.line input')", "a line can be typed")
    page.value(f"(one => {{ one.value = {'/' + line!r}; {INPUT}; }})(document.querySelector('.line input'))")
    page.value("document.querySelector('.line input').form.requestSubmit()")


# --- alone ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def quick(browser: Browser, space: str) -> str:
    """The web space, in whose pages nothing that happens is looked at: the setting is kept in the browser."""
    page = browser.open(space)
    begin(page, "crazy_eights")
    say(page, "config speed off")
    wait(page, "/speed = off/.test(document.body?.innerText)", "the setting is told")
    page.close()
    return space


@pytest.mark.parametrize("key", GAME_NAMES)
def test_a_hand_of_each_game_alone(browser: Browser, quick: str, key: str) -> None:
    page = browser.open(quick, 360, 640)
    begin(page, key)
    assert take_turns(page, WHOLE, "0")[-1] == "over"
    page.close()


def test_a_poor_web_space_will_do_and_the_game_goes_on_after_a_reload_and_a_kill(
    poor_space: str, tmp_path: Path
) -> None:
    """In Firefox. The server knows neither .wasm nor .json, and answers with the first page where nothing is."""
    profile = tmp_path / "profile"
    with browsing("firefox", profile) as running:
        page: Any = running.open(poor_space)
        begin(page, "euchre")
        say(page, "config speed off")
        wait(page, "/speed = off/.test(document.querySelector('dialog[open]')?.innerText)", "the setting is told")
        click(page, "dialog[open] .icon")
        wait(page, "!document.querySelector('dialog[open]')", "nothing lies on the table")
        play_card(page)
        before = hand_of(page)
        page.reload()
        is_my_turn(page)
        assert hand_of(page) == before
    with browsing("firefox", profile) as running:
        page = running.open(poor_space)
        wait(page, "!!document.querySelector('.start .rows button')", "the game that was cut off is listed")
        click(page, ".start .rows button")
        is_my_turn(page)
        assert hand_of(page) == before
        assert take_turns(page, WHOLE, "0")[-1] == "over"


def play_card(page: Any) -> None:
    """And whatever is to be decided before it, until it has left the hand and it is my turn again."""
    card = ""
    while not card or page.value(f"{HAND}.includes({card!r})"):
        deed = take_turns(page, 1, "0")[-1]
        assert deed != "over"
        if not card and deed.startswith("card "):
            card = deed.removeprefix("card ").split(",")[0]
    is_my_turn(page)


HAND = "[...document.querySelectorAll('.hit')].map(one => one.getAttribute('aria-label').split(',')[0])"


def hand_of(page: Any) -> Any:
    return page.value(f"{HAND}.sort()")


@BROWSERS
async def test_what_a_level_lacks_in_a_page_is_said_once_and_words_do_what_they_do_anywhere(
    name: str, space: str, tmp_path: Path
) -> None:
    with browsing(name, tmp_path / "profile") as running:
        friend = Friend.at(running, space)
        await friend.hear("ready")
        rules = Rules("whist", changes=short("whist"))
        masters = ("john:master", "luan:master", "george:master")
        friend.say("open", request=to_plain(Open, OpenPlay(rules, seed=3, opponents=masters)))
        table = await friend.until(lambda message: message["is"] == "table" and message["myTurn"])
        for word, kind, words in (
            ("undo", "told", "There's nothing to take back"),
            ("hint", "told", "Suggested play"),
            ("records", "read", "Records"),
            ("score", "read", "Scores"),
            ("config", "options", "Options"),
        ):
            friend.say("line", text=word)
            await friend.hear(kind, words)
        friend.say("cards", places=[next(place for place, card in enumerate(table["hand"]) if card["alone"])])
        fewer = len(table["hand"]) - 1
        await friend.until(
            lambda message: message["is"] == "table" and message["myTurn"] and len(message["hand"]) == fewer
        )
        assert sum("Masters play a little weaker in a browser" in str(one) for one in friend.heard) == 1


async def at_once(friend: Friend) -> None:
    """Nothing that happens is looked at any more. How long it is looked at is told where one sits down."""
    friend.say("change", page="settings", key="speed", value="off")
    await friend.hear("options")
    friend.reload()
    await friend.hear("ready")
    friend.say("attach", table="", own=True)
    await friend.hear("table")


@BROWSERS
async def test_a_whole_game_alone_whose_log_is_worth_what_every_log_is(name: str, space: str, tmp_path: Path) -> None:
    with browsing(name, tmp_path / "profile") as running:
        friend = Friend.at(running, space)
        await friend.hear("ready")
        rules = Rules("crazy_eights", changes=short("crazy_eights"))
        friend.say("open", request=to_plain(Open, OpenPlay(rules, seed=3, opponents=("wayne",))))
        await friend.hear("table")
        await at_once(friend)
        friend.say("line", text="auto novice")
        await friend.until(lambda message: message["is"] == "table" and message["over"])
        friend.say("log")
        _, log = await friend.file()
        found = verify_log(parse_log(log).payloads)
        assert found.finished and found.honest


# --- the page that lies there -----------------------------------------------------------------------------------------


def test_the_page_says_its_hash_and_verify_says_the_same(browser: Browser, program: Program, space: str) -> None:
    page = browser.open(space)
    wait(page, "!!document.querySelector('.hash code')", "the page says its hash")
    assert page.value("document.querySelector('.hash code').textContent") == page_hash()
    assert page_hash() in program.inside().out("web", "verify", space)
    page.close()


def test_what_a_web_space_does_not_forbid_the_page_does(browser: Browser, space: str) -> None:
    """It has no headers. Neither a script in the page nor another page around it has its way."""
    page = browser.open(space)
    wait(page, "!!document.querySelector('.ways.two')", "the page is there")
    page.value(
        "{ const one = document.createElement('script'); one.textContent = 'evil = 1'; document.body.append(one); }"
    )
    assert page.value("window.evil ?? null") is None
    page.close()
    around = browser.open(f"{space}hash.txt")
    wait(around, "document.readyState === 'complete'", "another page is there")
    around.value(f"{{ const one = document.createElement('iframe'); one.src = {space!r}; document.body.append(one); }}")
    wait(
        around,
        "/doesn't work inside another/.test(document.querySelector('iframe').contentDocument?.body?.innerText ?? '')",
        "the page within says why it is off",
    )
    around.close()


# --- from there to a host ---------------------------------------------------------------------------------------------


@BROWSERS
def test_a_link_is_pasted_while_the_cards_are_on_their_way(
    name: str, space: str, make_program: MakeProgram, tmp_path: Path
) -> None:
    ann = make_program("ann").inside()
    opened = ann.data("host", "--web", "0", "--name", "Ann", *HERE)
    with browsing(name, tmp_path / "profile") as running:
        page: Any = running.open(space)
        wait(page, "!!document.querySelector('.ways.two')", "the page is there")
        click(page, ".ways.two button", "Join")
        wait(page, "!!document.querySelector('form.invited input')", "a link can be pasted")
        fill(page, "Link, code", opened["link"])
        fill(page, "Your name", "Ben")
        click(page, "form.invited button")
        wait_until(lambda: "Ben" in ann.out("status"), "Ben sits at the table")
        wait(page, "/Ann/.test(document.body?.innerText) && !document.querySelector('.start')", "the table is shown")


@BROWSERS
def test_where_a_browser_forbids_a_call_the_page_says_so_and_what_to_try(
    running: RunningBrowser, built_page: Path, tmp_path: Path
) -> None:
    """A page that came over https to a host over http elsewhere."""
    with web_space(built_page, certified=certified(tmp_path)) as address:
        page: Any = running.open(address)
        wait(page, "!!document.querySelector('.games button')", "the games are listed")
        click(page, ".ways.two button", "Join")
        wait(page, "!!document.querySelector('form.invited input')", "a link can be pasted")
        fill(page, "Link, code", "http://192.0.2.7:4747/#7-crossword-clockwork")
        fill(page, "Your name", "Ben")
        click(page, "form.invited button")
        wait(page, "/A page loaded over https/.test(document.body?.innerText)", "it is said")
        assert "wss://" in text(page)


def certified(folder: Path) -> SSLContext:
    """By themselves, for this machine."""
    key, whose, day = generate_private_key(SECP256R1()), x509.Name([]), datetime(2026, 1, 1)  # noqa: DTZ001
    names = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))])
    builder = x509.CertificateBuilder(whose, whose, key.public_key(), 1, day, day + timedelta(days=7300))
    signed = builder.add_extension(names, critical=True).sign(key, SHA256())
    there = folder / "certificate.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    there.write_bytes(secret + signed.public_bytes(Encoding.PEM))
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(there)
    return context


async def test_a_page_calls_a_friend_who_waits_and_coordinates(space: str, make_home: MakeHome, tmp_path: Path) -> None:
    """A browser cannot be called, but it can call; both logs prove the game."""
    ben = make_home("ben")
    async with connect(ben) as client:
        opened = await client.open(OpenListen(0, Persona("Ben", auto="novice"), bind="127.0.0.1", web=True))
        with browsing("chromium", tmp_path / "profile") as running:
            friend = Friend.at(running, space)
            await friend.hear("ready")
            rules = Rules("crazy_eights", changes=short("crazy_eights"))
            there = (Host(f"ws://127.0.0.1:{opened.port}", code=opened.code),)
            friend.say("open", request=to_plain(Open, OpenConnect(there, rules, Persona("Ann", auto="novice"))))
            await friend.hear("table")
            friend.say("line", text="start")
            table = await client.attach(opened.table)
            await happening(table, GameWon)
            await friend.until(lambda message: message["is"] == "table" and message["over"])
            friend.say("log")
            _, log = await friend.file()
            ours = verify_log(parse_log(log).payloads)
            assert ours.finished and ours.honest
            assert proven(ben).position.head == ours.position.head
