"""The page of drawn cards for those who have no mouse, or do not see it: a hand of each game by keys alone, and by what
a screen reader has of it alone, which is what line mode says; and what a checker of accessibility says to it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcards.games.names import GAME_NAMES
from rigs.browser import Browser, ShownPage
from rigs.giving_up import longest_wait
from rigs.paging import (
    WHOLE,
    Tree,
    begin,
    sit,
    take_turns,
    take_turns_by_keys,
    take_turns_by_tree,
    wait,
    words_of,
)
from rigs.program import Program
from rigs.served import Served

pytestmark = pytest.mark.browser

SOURCE = Path(__file__).parents[2] / "p2pcards/page/source"
SIZES = (360, 640), (1280, 800), (2560, 1440)
DUE = "!!document.querySelector('.prompt p.due, .prompt p.wrong') || /next hand/i.test(document.body?.innerText)"


@pytest.fixture
def served(program: Program) -> Iterator[Served]:
    with Served(program) as server:
        yield server


def seated(browser: Browser, program: Program, served: Served, key: str) -> ShownPage:
    begin(program, key)
    return sit(browser, served)


# --- by keys ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAME_NAMES)
def test_a_hand_of_each_game_by_keys_alone(browser: Browser, program: Program, served: Served, key: str) -> None:
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


# --- by what a screen reader has --------------------------------------------------------------------------------------


NAMES = "ace king queen jack ten nine eight seven six five four three two"
RANKS = dict(zip(["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"], NAMES.split(), strict=True))
SUITS = {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs"}
CARD = re.compile(r"\b(10|[2-9AKQJ])([♠♥♦♣])")
SEAT = re.compile(
    r"^\d (?P<name>.+?)(?: \(you\))? +(?P<cards>\d+ cards?)  score +(?P<score>-?\d+)(?:  (?P<facts>.*))?$"
)


def lacking(said: str, tree: Tree) -> list[str]:
    """What line mode says of a table, and the tree does not: who sits there with how many cards and points, and what
    is told of them; each card that is seen; how many cards a pile has."""
    heard = tree.text().lower()
    seats = [words_of(seat) for seat in tree.items("Players")]
    cards = [one for one in CARD.findall(said) if "".join(one).lower() not in heard]
    missing = [words for rank, suit in cards if (words := f"{RANKS[rank]} of {SUITS[suit]}") not in heard]
    missing += [pile for pile in re.findall(r"\bStock: \d+ cards?", said) if pile.lower() not in heard]
    for found in filter(None, map(SEAT.match, re.sub(r"\n  +", " ", said).splitlines())):
        seat = next((words for words in seats if found["name"] in words), "")
        told = [found["cards"], f"score {found['score']}", *re.split(", ", (found["facts"] or "").replace("your ", ""))]
        if "led" in told:  # stands with the trick
            told.remove("led")
            whose = "you" if " (you) " in found[0] else found["name"].lower()
            # A series of cribbage is named in order, and so is who led it.
            led = re.search(rf"\b{re.escape(whose)} led |\bplayed to a count of \d+[\s:]+{re.escape(whose)} ", heard)
            missing += [] if led else [f"{whose} led"]
        missing += [f"{words} of {found['name']}" for words in told if words not in seat]
    return missing


@pytest.mark.parametrize("key", GAME_NAMES)
def test_a_hand_of_each_game_by_what_a_screen_reader_has_alone(
    browser: Browser, program: Program, served: Served, key: str
) -> None:
    """Some way into it, that is all that line mode says of the table too."""
    page = seated(browser, program, served, key)
    assert take_turns_by_tree(page, 8)
    wait(page, DUE, "it is my turn, or the hand is over")
    lines = program.inside(columns=200)

    def found() -> list[str]:
        said = lines.out("attach", said="table\n")
        return lacking(said[said.rindex(f"\n{GAME_NAMES[key]}, hand ") :], Tree(page.tree()))

    end = time.monotonic() + longest_wait()
    while missing := found():  # the page may be a moment behind
        assert time.monotonic() < end, missing
        if Tree(page.tree()).within("dialog"):  # the last press has opened it, and it hides the table
            take_turns_by_tree(page, 1)
    assert take_turns_by_tree(page, WHOLE)[-1] == "over"
    assert "Hand 1 is over" in Tree(page.tree()).text()
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


@pytest.mark.parametrize("key", GAME_NAMES)
def test_no_rule_of_accessibility_is_broken_at_any_size(
    browser: Browser, program: Program, served: Served, axe: str, key: str
) -> None:
    """At the table of each game, some way into a hand, and in its menu."""
    page = seated(browser, program, served, key)
    take_turns(page, 5)
    for size in SIZES:
        page.resize(*size)
        page.settle()
        assert violations(page, axe) == []
    page.value("document.querySelector('.bar button').click()")
    wait(page, "document.querySelectorAll('dialog[open] .menus section').length > 3", "the menu is there")
    assert violations(page, axe) == []
    page.close()
