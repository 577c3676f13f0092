"""A page in the background tells its player when it is their turn: by its title, and by a notification on request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rigs.pages import RunningBrowser, ShownTab, browsing
from rigs.paging import begin, take_seat, wait
from rigs.program import Program
from rigs.served import Served

pytestmark = pytest.mark.browser
BROWSERS = pytest.mark.parametrize("name", ["chromium", "firefox"])
ALLOWED, DENIED = 1, 2
"""Of Firefox, for what asks for it."""


@pytest.fixture
def browser(name: str, allowed: bool, tmp_path: Path) -> Iterator[RunningBrowser]:
    asked = {"permissions.default.desktop-notification": ALLOWED if allowed else DENIED}
    with browsing(name, tmp_path / "profile", asked) as running:
        running.allow_notifications(allowed)
        yield running


@pytest.fixture
def page(browser: RunningBrowser, program: Program) -> Iterator[ShownTab]:
    """Where a game of whist is played; what notifies is noted."""
    begin(program, "whist")
    with Served(program) as served:
        page = browser.open(served.address)
        take_seat(page)
        page.value(
            "(window.notified = [], window.Notification = class extends Notification {"
            " constructor(title, more) { super(title, more); notified.push(title); } }, 0)"
        )
        yield page


DUE, NOT_DUE = "Your turn – p2pcards", "p2pcards"
MY_TURN = f"document.title === '{DUE}'"


def play_a_card(page: ShownTab) -> None:
    """Titles that the page has meanwhile are noted."""
    wait(page, MY_TURN, "it is my turn")
    page.value(
        "(window.titles = [], new MutationObserver(() => titles.push(document.title))"
        ".observe(document.querySelector('title'), { childList: true }), 0)"
    )
    page.value(
        "(() => { const card = [...document.querySelectorAll('.hand button.hit')]"
        ".find(one => /can be played/.test(one.ariaLabel));"
        " card.click(); card.click(); })()"
    )


def want_notices(page: ShownTab) -> None:
    page.value("[...document.querySelectorAll('button')].find(one => /menu/i.test(one.ariaLabel ?? one.title)).click()")
    wait(page, "/Cards and table/.test(document.querySelector('dialog .menus')?.textContent)", "the menu is shown")
    page.value("[...document.querySelectorAll('dialog button')].find(one => /^Cards and/.test(one.innerText)).click()")
    wait(page, "!!document.querySelector('input[name=notices]')", "the look is shown")
    page.value("[...document.querySelectorAll('input[name=notices]')][1].click()")


@BROWSERS
@pytest.mark.parametrize("allowed", [True])
def test_a_page_in_the_background_notifies(browser: RunningBrowser, page: ShownTab) -> None:
    want_notices(page)
    wait(page, MY_TURN, "it is my turn while the page is seen")  # or that turn would notify, too
    browser.open("about:blank")
    wait(page, "document.hidden", "another tab is before it")
    play_a_card(page)
    wait(page, "notified.length === 1", "it notifies")
    wait(page, MY_TURN, "and says so in its title")
    assert page.value("[notified[0], titles[0]]") == ["It's your turn", NOT_DUE]


@BROWSERS
@pytest.mark.parametrize("allowed", [False])
def test_where_the_browser_does_not_allow_it_the_title_says_so_alone(browser: RunningBrowser, page: ShownTab) -> None:
    want_notices(page)
    wait(page, "/Notifications are blocked/.test(document.body?.innerText)", "it says why")
    play_a_card(page)
    wait(page, f"titles.join() === '{NOT_DUE},{DUE}'", "the title follows the turn")
