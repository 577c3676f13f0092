"""The terminal in a real browser: painted, played by keys and mouse, left and come back to."""

from __future__ import annotations

import pytest

from p2pcards.store.settings import COLOURS
from rigs.browser import CONTROL, Browser, ShownPage, colours
from rigs.program import MakeProgram, Program
from rigs.served import Served, wait_until

pytestmark = pytest.mark.browser

TITLE = "Two-handed"
"""Stands on the title screen."""
YOUR_TURN = "Your turn: "


def sit_down(page: ShownPage) -> None:
    """At a table of whist, by the question that somebody new is asked."""
    page.until(TITLE)
    page.click("Whist")
    page.until("Your name at the table")
    page.type("Zoe\r")
    page.until(YOUR_TURN)


def test_a_game_is_played_from_the_title_screen_on_and_the_seat_outlives_the_tab(
    browser: Browser, program: Program
) -> None:
    with Served(program) as served:
        page = browser.open(served.terminal)
        sit_down(page)
        page.type("\r")
        page.until("You play ")
        page.until(YOUR_TURN)
        shown = colours(page.picture())
        assert shown[COLOURS["table"]] > 100_000
        assert len(shown) > 20
        page.type("\t")
        page.until("Esc goes back")
        page.type("hello all\r")
        page.until('You say: "hello all"')
        page.close()
        wait_until(lambda: served.programs() == [], "the program of the tab ends")
        assert program.inside().data("status")["tables"][0]["game"] == "Whist"

        page = browser.open(served.terminal)
        page.until("Open: t1: Whist")
        page.type("t")
        page.until("At which table")
        page.type("\r")
        page.until('You say: "hello all"')
        page.close()
        wait_until(lambda: served.programs() == [], "its program ends too")


def test_the_mouse_plays_and_two_tabs_at_one_seat_stay_in_step(browser: Browser, program: Program) -> None:
    with Served(program) as served:
        one = browser.open(served.terminal)
        sit_down(one)
        other = browser.open(served.terminal)
        other.until("Open: t1: Whist")
        other.type("t")
        other.until("At which table")
        other.type("\r")
        other.until(YOUR_TURN)
        card = one.until("║((?:10|[2-9JQKA])[♣♦♥♠])")[1]
        one.click(f"║{card}", button="right")
        for page in (one, other):
            page.until(f"You play {card}")
        for page in (one, other):
            page.close()


def test_everything_fits_into_a_small_window_and_grows_with_it(browser: Browser, program: Program) -> None:
    with Served(program) as served:
        page = browser.open(served.terminal, 520, 400)
        page.until(TITLE)
        rows = page.text().split("\n")
        assert len(rows) >= 24
        assert len(rows[0]) >= 80
        page.resize(1600, 1000)
        page.until("(?m)^.{150}")
        page.close()


def test_a_telephone_shows_the_whole_screen(browser: Browser, program: Program) -> None:
    with Served(program) as served:
        page = browser.open(served.terminal, 390, 800)
        page.until(TITLE)
        assert page.value("document.documentElement.scrollWidth") == 390
        assert page.value("document.querySelector('.xterm-screen').getBoundingClientRect().right") <= 390
        assert page.value("document.getElementById('loading').hidden")
        page.close()


def test_an_old_address_says_where_the_new_one_is(browser: Browser, program: Program) -> None:
    with Served(program) as served:
        address = served.address[:-3] + "xx/"
        page = browser.open(address)
        wait_until(lambda: "is at this address" in str(page.value("document.body.innerText")), "the page says so")
        page.close()


def test_the_page_asks_for_nothing_elsewhere(browser: Browser, program: Program) -> None:
    with Served(program) as served:
        before = len(browser.requested)
        page = browser.open(served.terminal)
        page.until(TITLE)
        asked = browser.requested[before:]
        assert {address.removeprefix(served.address) for address in asked if not address.startswith("data:")} == {
            *("terminal", "xterm.css", "terminal.css", "terminal.js", "xterm.mjs")
        }
        page.close()


def test_what_has_ended_is_said_and_begins_again(browser: Browser, program: Program) -> None:
    with Served(program) as served:
        page = browser.open(served.terminal)
        page.until(TITLE)
        page.type("q", CONTROL)
        page.until_notice("p2pcards has ended in this tab. Enter or a click begins again.")
        page.type("\r")
        page.until(TITLE)
        served.kill()
        page.until_notice("There is no connection to p2pcards any more.")
        page.close()


def test_a_page_of_another_site_gets_no_screen_though_it_knows_the_address(
    browser: Browser, make_program: MakeProgram
) -> None:
    with Served(make_program("ann")) as served:
        page = browser.open("about:blank")
        address = served.address.replace("http:", "ws:") + "screen"
        page.value(
            f"window.came = ''; const socket = new WebSocket('{address}');"
            "socket.onopen = () => { came = 'let in'; }; socket.onerror = () => { came = 'refused'; }; 0"
        )
        wait_until(lambda: page.value("window.came") != "", "the server answers")
        assert page.value("window.came") == "refused"
        assert served.programs() == []
        page.close()
