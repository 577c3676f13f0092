"""The page of drawn cards in a real browser: a hand of each game by clicks, by keys alone, and by what a screen reader
has of it alone; and what a checker of accessibility says to it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcards.games.names import GAME_NAMES
from rigs.browser import Browser, ShownPage
from rigs.paging import sit, take_turns, take_turns_by_keys, take_turns_by_tree, text, wait
from rigs.program import Program
from rigs.served import Served, wait_until

pytestmark = pytest.mark.browser

SOURCE = Path(__file__).parents[2] / "p2pcards/page/source"
WHOLE = 400
"""Deeds of one's own in a hand, more than any takes."""


@pytest.fixture
def served(program: Program) -> Iterator[Served]:
    with Served(program) as server:
        yield server


def seated(
    browser: Browser, program: Program, served: Served, key: str, size: tuple[int, int] = (1280, 800)
) -> ShownPage:
    program.inside().out("play", key, "--seed", "11", "--name", "Ann", "--between-hands", "60", "--detached")
    return sit(browser, served, *size)


@pytest.mark.parametrize("key", GAME_NAMES)
def test_a_hand_of_each_game_by_clicks(browser: Browser, program: Program, served: Served, key: str) -> None:
    page = seated(browser, program, served, key, (360, 640))
    assert take_turns(page, WHOLE, "0")[-1] == "over"
    page.close()


@pytest.mark.parametrize("key", ["whist", "oh_hell", "crazy_eights"])
def test_a_hand_by_keys_alone(browser: Browser, program: Program, served: Served, key: str) -> None:
    page = seated(browser, program, served, key)
    assert take_turns_by_keys(page, WHOLE)[-1] == "over"
    page.close()


def test_a_game_is_begun_by_keys_alone(browser: Browser, served: Served) -> None:
    page = browser.open(served.address)
    wait(page, "!!document.querySelector('.games button')", "the games are listed")
    for _ in range(30):
        page.type("\t")
        if page.value("document.activeElement.textContent").endswith("Whist"):
            break
    page.type("\r")
    wait(page, "!!document.querySelector('dialog[open] .main')", "the game is looked at")
    page.type("\r")
    wait(page, "!!document.querySelector('.felt .plate')", "the table is shown")
    wait(page, "!!document.querySelector('.prompt p.due')", "it is my turn")
    page.close()


def test_a_hand_by_what_a_screen_reader_has_alone(browser: Browser, program: Program, served: Served) -> None:
    page = seated(browser, program, served, "whist")
    done = take_turns_by_tree(page, WHOLE)
    assert done[-1] == "over"
    assert len({name for name in done if name.endswith(", can be played")}) == 13
    heard = [str(node["name"]["value"]) for node in page.tree() if "name" in node]
    assert any("Hand 1 is over" in words for words in heard)
    page.close()


def test_a_reloaded_page_comes_back_to_its_seat_and_two_pages_stay_in_step(
    browser: Browser, program: Program, served: Served
) -> None:
    one = seated(browser, program, served, "whist")
    other = sit(browser, served)
    take_turns(one, 2)
    for page in (one, other):
        wait(page, "/You play/.test(document.body.innerText)", "what was played is told")
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
    wait(page, "/<b>bold/.test(document.body.innerText)", "it is told as it was typed")
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
    wait_until(lambda: "There is no connection to p2pcards" in text(page), "the page says so")
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
    assert page.value("document.documentElement.scrollWidth") == 360
    page.close()


# --- what a checker of accessibility says -----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, of the version and hash that the lock of the page names."""
    if tools := os.environ.get("P2PCARDS_PAGE_TOOLS"):
        return (Path(tools) / "axe-core/axe.min.js").read_text()
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("axe-core comes from npm, which is not here")
    folder = tmp_path_factory.mktemp("axe")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(SOURCE / name, folder)
    words = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--cache", str(folder / "cache")]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return (folder / "node_modules/axe-core/axe.min.js").read_text()


def violations(page: ShownPage, axe: str) -> list[str]:
    page.value(axe + "; 0")
    page.value("window.found = null; axe.run(document).then(all => { window.found = all; }); 0")
    wait(page, "!!window.found", "the page is checked")
    nodes = "one.nodes.slice(0, 3).map(node => node.html.slice(0, 160))"
    told = f"JSON.stringify(found.violations.map(one => [one.id, {nodes}]))"
    return [f"{name}: {nodes}" for name, nodes in json.loads(page.value(told))]


def test_no_rule_of_accessibility_is_broken_before_a_table(browser: Browser, served: Served, axe: str) -> None:
    page = browser.open(served.address)
    wait(page, "!!document.querySelector('.games button')", "the games are listed")
    assert violations(page, axe) == []
    page.value("document.querySelector('.games button').click()")
    wait(page, "!!document.querySelector('dialog[open] .main')", "the game is looked at")
    assert violations(page, axe) == []
    page.close()


@pytest.mark.parametrize(
    ("key", "size"), [("spades", (360, 640)), ("cribbage", (1280, 800)), ("pinochle", (1280, 800))]
)
def test_no_rule_of_accessibility_is_broken(
    browser: Browser, program: Program, served: Served, axe: str, key: str, size: tuple[int, int]
) -> None:
    page = seated(browser, program, served, key, size)
    take_turns(page, 5)
    assert violations(page, axe) == []
    page.value("document.querySelector('.bar button').click()")
    wait(page, "document.querySelectorAll('dialog[open] .menus section').length > 3", "the menu is there")
    assert violations(page, axe) == []
    page.close()


# --- what is kept is what the sources give ----------------------------------------------------------------------------


def test_what_is_kept_is_what_the_sources_give() -> None:
    if shutil.which("npm") is None:
        pytest.skip("the page is built with npm, which is not here")
    done = subprocess.run(
        [SOURCE.parents[2] / "scripts/page_table", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
