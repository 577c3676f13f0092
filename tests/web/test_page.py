"""The page of drawn cards in a real browser: a hand of each game by taps, and what else happens to a page."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcards.games.names import GAME_NAMES
from rigs.browser import Browser, ShownPage
from rigs.paging import WHOLE, begin, sit, take_turns, text, wait
from rigs.program import Program
from rigs.served import Served, wait_until

pytestmark = pytest.mark.browser

SOURCE = Path(__file__).parents[2] / "p2pcards/page/source"


@pytest.fixture
def served(program: Program) -> Iterator[Served]:
    with Served(program) as server:
        yield server


def seated(
    browser: Browser, program: Program, served: Served, key: str, size: tuple[int, int] = (1280, 800)
) -> ShownPage:
    begin(program, key)
    return sit(browser, served, *size)


@pytest.mark.parametrize("key", GAME_NAMES)
def test_a_hand_of_each_game_by_clicks(browser: Browser, program: Program, served: Served, key: str) -> None:
    page = seated(browser, program, served, key, (360, 640))
    assert take_turns(page, WHOLE, "0")[-1] == "over"
    page.close()


def test_a_reloaded_page_comes_back_to_its_seat_and_two_pages_stay_in_step(
    browser: Browser, program: Program, served: Served
) -> None:
    one = seated(browser, program, served, "whist")
    other = sit(browser, served)
    take_turns(one, 2)
    for page in (one, other):
        wait(page, "/You play/.test(document.body?.innerText)", "what was played is told")
    one.reload()
    wait(one, "!!document.querySelector('.felt .plate')", "the table is shown again")
    for page in (one, other):
        page.close()
    assert program.inside().data("status")["tables"][0]["game"] == "Whist"


def test_nothing_is_asked_for_elsewhere_and_text_of_others_is_never_markup(
    browser: Browser, program: Program, served: Served
) -> None:
    before = len(browser.requested)
    page = seated(browser, program, served, "whist")
    program.inside().out("config", "set", "name", "<i>Ann</i>")
    page.type("'")
    wait(page, "!!document.querySelector('.line input')", "a line can be typed")
    page.type("<b>bold</b><img src=x>\r")
    wait(page, "/<b>bold/.test(document.body?.innerText)", "it is told as it was typed")
    assert page.value("document.querySelectorAll('#page img, #page b b').length") == 0
    asked = {
        address.removeprefix(served.address)
        for address in browser.requested[before:]
        if not address.startswith("data:")
    }
    names = {re.sub("-[0-9a-f]{16}", "", address) for address in asked}
    assert names - {"front"} == {"", "page.css", "page.js", "here"}
    page.close()


def test_a_server_that_has_gone_is_said_and_come_back_to(browser: Browser, program: Program, served: Served) -> None:
    page = seated(browser, program, served, "whist")
    served.kill()
    wait_until(lambda: "Can't connect to p2pcards" in text(page), "the page says so")
    page.close()


def test_every_target_is_large_enough_and_nothing_lies_beyond_the_edge(
    browser: Browser, program: Program, served: Served
) -> None:
    page = seated(browser, program, served, "spades", (360, 640))
    wait(page, "!!document.querySelector('.prompt p.due')", "it is my turn")
    small = page.value(
        "[...document.querySelectorAll('button:not(.hit)')].map(one => [one.textContent, one.getBoundingClientRect()])"
        ".filter(([, box]) => box.width && (box.width < 48 || box.height < 48)).map(([words]) => words)"
    )
    assert small == []
    assert page.value("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [360, 640]
    page.close()


# --- what is kept is what the sources give ----------------------------------------------------------------------------


def test_what_is_kept_is_what_the_sources_give() -> None:
    if shutil.which("npm") is None:
        pytest.skip("the page is built with npm, which is not here")
    done = subprocess.run(
        [SOURCE.parents[2] / "scripts/page_table", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
