"""What a page has before a table, in a real browser: the guide, records, settings, rules, a game to look on at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcards.page.files import whole_page_files
from p2pcards.web.kept_page import write_page
from rigs.browser import Browser, ShownPage
from rigs.pages import Friend
from rigs.paging import wait
from rigs.program import Program
from rigs.served import Served
from rigs.web_space import web_space

pytestmark = pytest.mark.browser

PRESS = """(() => {{
  const found = [...document.querySelectorAll('{where} button')].find(one => /{words}/.test(one.textContent));
  found?.click();
  return !!found;
}})()"""


def press(page: ShownPage, words: str, where: str = "dialog[open]") -> None:
    wait(page, PRESS.format(where=where, words=words), f"there is a button {words}")


def shows(page: ShownPage, words: str) -> None:
    wait(page, f"[...document.querySelectorAll('dialog[open]')].some(one => /{words}/.test(one.innerText))", words)


@pytest.fixture
def page(browser: Browser, program: Program) -> Iterator[ShownPage]:
    with Served(program) as served:
        page = browser.open(served.address, 900, 900)
        wait(page, "!!document.querySelector('.games button')", "the games are listed")
        yield page
        page.close()


def test_the_address_may_lack_its_last_slash(browser: Browser, program: Program) -> None:
    with Served(program) as served:
        page = browser.open(served.address.rstrip("/"), 900, 900)
        wait(page, "!!document.querySelector('.games button')", "the games are listed")
        page.close()


def look_for(page: ShownPage, words: str) -> None:
    """In the guide."""
    page.value("document.querySelector('dialog[open] .talk input').focus()")
    page.type(f"{words}\r")


def test_a_page_of_the_guide_leads_to_others_and_back(page: ShownPage) -> None:
    press(page, "^Guide", ".start")
    shows(page, "Contents")
    press(page, "Glossary", "dialog[open] nav")
    shows(page, "^Glossary")
    look_for(page, "moonshine")
    shows(page, "^Nothing found")
    press(page, "Back", "dialog[open] nav")
    shows(page, "^Glossary")
    page.value("document.querySelector('dialog[open] [aria-label=Close]').click()")
    wait(page, "!document.querySelector('.guide')", "the guide is closed as a whole")


def test_a_heading_that_a_link_names_is_where_one_looks(page: ShownPage) -> None:
    press(page, "^Guide", ".start")
    shows(page, "Contents")
    look_for(page, "glossary trump")
    shows(page, "^Glossary")
    wait(page, "document.querySelector('.guide').scrollTop > 100", "the page is turned to it")


def test_records_settings_and_rules_of_a_game(page: ShownPage, program: Program) -> None:
    press(page, "^Records", ".start")
    press(page, "hall of fame")
    shows(page, "Hall of fame")
    press(page, "^$")  # the cross
    press(page, "^Settings", ".start")
    shows(page, "At the table")
    page.value("document.querySelector('dialog[open] [aria-label=Close]').click()")
    press(page, "Hearts", ".games")
    shows(page, "Deal the cards")
    press(page, "Your rules")
    shows(page, "Your rules for Hearts")
    page.value("document.querySelector('dialog.wide form.option input').focus()")
    page.value("document.querySelector('dialog.wide form.option input').select()")
    page.type("50\r")
    shows(page, "To 50")
    assert program.inside().out("config", "get", "options.hearts.end_score") == "50\n"


def watch_novices(page: ShownPage) -> None:
    press(page, "Whist", ".games")
    shows(page, "Deal the cards")
    press(page, "Watch the computer play")
    shows(page, "which level")
    press(page, "^Novice$")
    wait(page, "!!document.querySelector('.felt .plate')", "the table is shown")


TYPED_AT_ONCE = """new MutationObserver((_, observer) => {
  const input = document.querySelector('dialog[open] form.option input');
  if (!input) return;
  observer.disconnect();
  input.value = 'typed at once';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  const later = (frames) => requestAnimationFrame(() => setTimeout(() => {
    if (frames) later(frames - 1); else window.painted = true;
  }));
  later(3);
}).observe(document.body, { childList: true, subtree: true, attributes: true })"""
"""Types into the first field of a form as soon as it is there, before it is painted."""


def test_what_is_typed_in_the_first_frame_of_a_form_stays(page: ShownPage) -> None:
    page.value(f"void {TYPED_AT_ONCE}")
    press(page, "^Settings", ".start")
    wait(page, "window.painted", "the form is painted")
    assert page.value("document.querySelector('dialog[open] form.option input').value") == "typed at once"
    assert page.value("document.querySelector('dialog[open] form.option button').textContent") == "Save"


def test_the_computer_is_watched_and_left(page: ShownPage) -> None:
    watch_novices(page)
    wait(page, "/The computer plays every hand/.test(document.body?.innerText)", "what this is is said")
    press(page, "stops", ".controls")
    wait(page, "!!document.querySelector('.games button')", "the games are listed again")


CUT = """(() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) { window.line = this; send.call(this, text); };
})()"""


def test_a_page_that_finds_its_table_gone_goes_to_the_start_and_says_so(page: ShownPage) -> None:
    """A game that is watched ends with the line."""
    page.value(CUT)
    watch_novices(page)
    page.value("window.line.close()")
    wait(page, "!!document.querySelector('.games button')", "the games are listed again")
    wait(page, "/The table you were at is closed/.test(document.querySelector('[role=alert]').innerText)", "why")
    press(page, "Hearts", ".games")
    shows(page, "Deal the cards")


async def test_all_that_is_there_where_everything_runs_in_the_page(browser: Browser, tmp_path: Path) -> None:
    write_page(whole_page_files(), tmp_path / "space")
    with web_space(tmp_path / "space") as address:
        friend = Friend.at(browser, address)
        await friend.hear("ready")
        friend.say("line", text="rules whist")
        await friend.hear("page", "rules/whist")
        friend.say("line", text="history")
        await friend.hear("read", "No finished games")
        friend.say("options", page="rules/whist")
        await friend.hear("options", "Your rules for Whist")
        friend.say("line", text="autoplay whist novice")
        await friend.hear("table", '"watches": true')
        friend.say("line", text="leave")
        await friend.hear("start")
        friend.tab.close()
