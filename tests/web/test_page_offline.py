"""A page of a web space that its browser keeps: on a home screen, without a connection, and beside a newer one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from p2pcards.page.files import PageFile, page_hash, whole_page_files
from p2pcards.web.kept_page import write_page
from rigs.browser import Browser
from rigs.page_builds import hash_of, newer_build, put
from rigs.pages import RunningBrowser, browsing
from rigs.paging import WHOLE, take_turns, wait
from rigs.program import MakeProgram
from rigs.served import wait_until
from rigs.web_space import PlainSpace, web_space

pytestmark = pytest.mark.browser
BROWSERS = pytest.mark.parametrize("name", ["chromium", "firefox"])

KEPT = "/This page also works offline/.test(document.body?.innerText)"
HASH = "document.querySelector('.hash code')?.textContent"
NEWER = "/A newer version is ready/.test(document.querySelector('.older')?.innerText)"
LISTED = "!!document.querySelector('.games button')"


def kept(browser: Any, address: str) -> Any:
    """The page, once its browser keeps it."""
    page = browser.open(address, 360, 640)
    wait(page, KEPT, "the page is kept")
    return page


def play_hand(page: Any) -> None:
    wait(page, LISTED, "the games are listed")
    page.value("[...document.querySelectorAll('.games button')].find(one => /Crazy/.test(one.textContent)).click()")
    wait(page, "!!document.querySelector('dialog[open] .main')", "the game is looked at")
    page.value("document.querySelector('dialog[open] .main').click()")
    wait(page, "!!document.querySelector('.prompt p.due')", "it is my turn")
    assert take_turns(page, WHOLE, "0")[-1] == "over"


def test_a_browser_takes_the_page_for_its_home_screen(browser: Browser, built_page: Path) -> None:
    with web_space(built_page) as address:
        page = kept(browser, address)
        found = page.manifest()
        assert found["url"] == f"{address}manifest.json"
        assert found["errors"] == []
        assert page.why_not_installed() == []
        page.close()


@BROWSERS
def test_a_hand_alone_when_the_server_has_ended(running: RunningBrowser, built_page: Path) -> None:
    with web_space(built_page) as address:
        page = kept(running, address)
    page.reload()
    play_hand(page)


class HeardSpace(PlainSpace):
    """Notes what it is asked for."""

    heard: ClassVar[list[str]] = []

    def do_GET(self) -> None:  # noqa: N802
        self.heard.append(self.path)
        super().do_GET()


def test_a_kept_page_that_calls_a_friend_is_as_new_as_the_one_that_lies_there(
    browser: Browser, built_page: Path, make_program: MakeProgram
) -> None:
    link = make_program("ann").inside().data("host", "--web", "0", "--name", "Ann", "--bind", "127.0.0.1")["link"]
    with web_space(built_page, HeardSpace) as address:
        kept(browser, address).close()
        page = browser.open(address)
        wait(page, LISTED, "the games are listed")
        page.value("document.querySelectorAll('.ways.two button')[1].click()")
        wait(page, "!!document.querySelector('form.invited input')", "a link can be pasted")
        for field, words in enumerate((link, "Ben")):
            page.value(
                f"(one => {{ one.value = {words!r}; one.dispatchEvent(new Event('input', {{ bubbles: true }})); }})"
                f"(document.querySelectorAll('form.invited input')[{field}])"
            )
        page.value("document.querySelector('form.invited button').click()")
        wait(page, "/Ann/.test(document.body?.innerText) && !document.querySelector('.start')", "the table is shown")
        wait_until(lambda: "/hash.txt?now" in HeardSpace.heard, "the page that lies there is looked at")
        assert page.value("!!document.querySelector('.older')") is False
        page.close()


# --- another build at the same address --------------------------------------------------------------------------------


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, PageFile]:
    return newer_build(monkeypatch)


@BROWSERS
def test_a_newer_page_is_taken_whole_and_not_before_the_next_visit(
    running: RunningBrowser, tmp_path: Path, newer: Mapping[str, PageFile]
) -> None:
    write_page(whole_page_files(), space := tmp_path / "space")
    with web_space(space) as address:
        kept(running, address).close()
        put(newer, space)
        page: Any = running.open(address)
        wait(page, NEWER, "a newer page is kept")
        assert page.value(HASH) == page_hash()
        page.close()
    page = running.open(address)
    wait(page, f"{LISTED} && {HASH}", "the page is there")
    assert page.value(HASH) == hash_of(newer)


@BROWSERS
def test_a_newer_page_is_taken_at_once_where_the_player_wants_it(
    running: RunningBrowser, tmp_path: Path, newer: Mapping[str, PageFile]
) -> None:
    write_page(whole_page_files(), space := tmp_path / "space")
    with web_space(space) as address:
        kept(running, address).close()
        put(newer, space)
        page: Any = running.open(address)
        wait(page, NEWER, "a newer page is kept")
        page.value("document.querySelector('.older button').click()")
        wait(page, f"{LISTED} && {HASH} === '{hash_of(newer)}'", "the newer page is there")


TRIED = """void (async () => {
  window.tried = '';
  const registration = await navigator.serviceWorker.getRegistration();
  await registration.update();
  const next = registration.installing ?? registration.waiting;
  const look = () => { if (next.state !== 'installing') window.tried = next.state; };
  if (!next) return void (window.tried = 'redundant');
  next.onstatechange = look;
  look();
})() ?? null"""
"""Tries to keep the page that lies there now, and says what becomes of it."""


@BROWSERS
def test_a_newer_page_that_is_not_whole_is_not_taken(
    running: RunningBrowser, tmp_path: Path, newer: Mapping[str, PageFile]
) -> None:
    """As while somebody copies it to the web space, file by file."""
    write_page(whole_page_files(), space := tmp_path / "space")
    with web_space(space) as address:
        page = kept(running, address)
        for spoil in (
            lambda: next(space.glob("program-*.zip")).unlink(),
            lambda: (space / "icon.svg").write_text("another"),
            lambda: (space / "hash.txt").write_text(f"{page_hash()}\npacked\n"),
        ):
            put(newer, space)
            spoil()
            page.value(TRIED)
            wait(page, "window.tried", "the newer page is tried")
            assert page.value("window.tried") == "redundant"
        page.close()
    page = running.open(address)
    wait(page, f"{LISTED} && {HASH} === '{page_hash()}'", "the page is the one that was kept")


# --- where it is not kept ---------------------------------------------------------------------------------------------


NOT_KEPT = "/This page can't work offline/.test(document.body?.innerText)"
WORKERS = """void navigator.serviceWorker.getRegistrations().then((all) => { window.workers = all.length; })
  ?? (window.workers ?? null)"""


def test_a_page_that_a_host_serves_is_not_kept(browser: Browser, make_program: MakeProgram) -> None:
    ann = make_program("ann").inside()
    link = ann.data("host", "--web", "0", "--name", "Ann", "--bind", "127.0.0.1")["link"]
    page = browser.open(link.partition("#")[0])
    wait(page, f"{LISTED} && !!{HASH}", "all of the page is there")
    wait(page, f"{WORKERS} === 0", "no service worker is there")
    assert page.value("!!document.querySelector('link[rel=manifest]')") is False
    assert page.value("/without a connection/.test(document.body?.innerText)") is False
    page.close()


@pytest.mark.parametrize(
    ("preferences", "host"),
    [
        ({"dom.serviceWorkers.enabled": False}, "127.0.0.1"),
        ({"network.dns.localDomains": "page.example"}, "page.example"),
    ],
)
def test_a_browser_that_keeps_no_page_plays_on_and_says_so(
    built_page: Path, tmp_path: Path, preferences: dict[str, Any], host: str
) -> None:
    """Where that is turned off, and over plain http from elsewhere."""
    with web_space(built_page) as address, browsing("firefox", tmp_path / "profile", preferences) as running:
        page: Any = running.open(address.replace("127.0.0.1", host), 360, 640)
        wait(page, NOT_KEPT, "the page says that it is not kept")
        assert page.value("/offline over plain http/.test(document.body?.innerText)") is (host != "127.0.0.1")
        play_hand(page)
