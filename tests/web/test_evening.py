"""An evening of games with a friend: another game by one tap of each, and reactions beside the seats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from p2pcards.views.tableview import PersonView, TableView
from p2pcards.web.shown import REACTIONS
from rigs.browser import Browser, ShownPage
from rigs.host_at_terminal import HostAtTerminal, hosting_at_terminal
from rigs.laid_pages import DRAW, faults, laid_page, show, states, tell
from rigs.meeting_pages import say
from rigs.page_files import PageWithFiles
from rigs.pages import RunningBrowser, browsing
from rigs.paging import take_seat, wait
from rigs.program import MakeProgram
from rigs.served import Served

pytestmark = pytest.mark.browser
BROWSERS = pytest.mark.parametrize("name", ["chromium", "firefox"])

# --- two people, each at a page ---------------------------------------------------------------------------------------


def guest_at(browser: RunningBrowser, ann: HostAtTerminal) -> PageWithFiles:
    page = PageWithFiles(browser.open(ann.link), Path())
    page.until("You're invited to play")
    page.type(".invited input", "Ben")
    page.push("Sit down")
    page.once("!!document.querySelector('section.lobby')")
    return page


def host_at(browser: RunningBrowser, served: Served) -> PageWithFiles:
    page = PageWithFiles(browser.open(served.address), Path())
    take_seat(page.tab)
    return page


PLAY_AGAIN = "[...document.querySelectorAll('.buttons button')].some(one => one.innerText === 'Play again')"


@BROWSERS
def test_the_next_game_takes_one_tap_of_each(name: str, make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program("ann")
    with (
        hosting_at_terminal(program, "game over", "Ben") as ann,
        Served(program) as served,
        browsing(name, tmp_path / "profile") as browser,
    ):
        ben = guest_at(browser, ann)
        say(ben, "auto novice")
        ann.bring_about()
        host = host_at(browser, served)
        ben.once(PLAY_AGAIN)
        say(ben, "auto off")
        ben.push("Play again")
        ben.until("Waiting for Ann to start the next game.")
        assert not ben.tab.value(PLAY_AGAIN)
        host.until("Ben wants to play again.")
        host.push("Play again")
        ben.once("!!document.querySelector('.prompt p.due')")
        assert not ben.tab.value(PLAY_AGAIN)


LINES = "[...document.querySelectorAll('[role=log] p')].map(one => one.textContent)"
READ_OUT = f"{LINES}.filter(one => one.includes('Well played')).length"


def bubble(whose: str) -> str:
    return f"document.querySelector('.plate{whose} .bubble.said')"


def react(page: PageWithFiles, words: str) -> None:
    page.push("React")
    page.push(words)


@BROWSERS
def test_a_reaction_is_seen_at_its_seat_and_read_out_once(name: str, make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program("ann")
    with (
        hosting_at_terminal(program, "in a game", "Ben") as ann,
        Served(program) as served,
        browsing(name, tmp_path / "profile") as browser,
    ):
        ben = guest_at(browser, ann)
        ann.bring_about()
        host = host_at(browser, served)
        ben.once("!!document.querySelector('.plate.you')")
        react(ben, "Well played")
        for page, whose in ((ben, ".you"), (host, ":not(.you)")):
            page.once(f"{bubble(whose)}?.textContent === 'Well played.'")
            assert page.tab.value(f"{bubble(whose)}.ariaHidden") == "true"
            assert page.tab.value(f"!!{bubble(whose)}.querySelector('svg')")
            assert page.tab.value("document.querySelectorAll('.bubble').length") == 1
            assert page.tab.value(READ_OUT) == 1
        for page in (ben, host):
            page.once("!document.querySelector('.bubble')")
        for words in ("Oops", "Ouch", "Laughs"):
            react(ben, words)
        host.once(f"{bubble(':not(.you)')}?.textContent === 'laughs'")
        assert host.tab.value("document.querySelectorAll('.bubble').length") == 1


# --- its room on a telephone ------------------------------------------------------------------------------------------


SIZES = (360, 640), (390, 844)
GAMES = "hearts", "cribbage", "euchre", "gin_rummy", "rummy_500", "whist", "pinochle", "crazy_eights"
WORDS = (
    "Well played.",
    "That was lucky.",
    "I hope that nobody minds a sentence as long as this one, for it has no end",
)


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShownPage]:
    with laid_page(browser, tmp_path_factory.mktemp("page")) as shown:
        yield shown


def among_friends(view: TableView) -> TableView:
    """The same with a person in each seat."""
    mine = [person for person in view.people if person.link == "you"]
    others = [seat for seat in view.seats if seat.seat != view.me]
    return replace(view, people=(*mine, *[PersonView(one.name, "", "here", "", one.seat) for one in others]))


@pytest.mark.parametrize("key", GAMES)
def test_nothing_overlaps_where_everybody_reacts(page: ShownPage, key: str) -> None:
    wrong = []
    for number, (state, view) in enumerate(states(key, "", 11, 2).items()):
        size = SIZES[number % len(SIZES)]
        page.resize(*size)
        show(page, among_friends(view))
        for place, seat in enumerate(view.seats):
            said = WORDS[(number + place) % len(WORDS)]
            tell(page, {"is": "told", "text": said, "ink": "chat", "earlier": False, "seat": seat.seat, "said": said})
        page.value(DRAW)
        wait(page, "window.drawn", "the bubbles are drawn")
        assert page.value("document.querySelectorAll('.bubble.said').length") == len(view.seats)
        wrong += [f"{state} at {size}: {fault}" for fault in [*faults(page), *page.value(BEYOND)]]
    assert wrong == []


BEYOND = """[...document.querySelectorAll('.plate')].flatMap(plate => {
  const [a, b] = [plate, plate.querySelector('.bubble')].map(one => one.getBoundingClientRect());
  const beyond = b.left < a.left - 1 || b.right > a.right + 1 || b.top < a.top - 1 || b.bottom > a.bottom + 1;
  return beyond ? [`${plate.textContent} is not covered by its bubble alone`] : [];
})"""


@pytest.mark.parametrize("size", SIZES)
def test_the_reactions_are_whole_and_each_has_its_sign(page: ShownPage, size: tuple[int, int]) -> None:
    page.resize(*size)
    view = next(iter(states("hearts", "", 11, 1).values()))
    show(page, among_friends(view))
    page.value("document.querySelector('.plate.you .who').click()")
    wait(page, "!!document.querySelector('dialog[open]')", "the reactions are shown")
    assert faults(page) == []
    assert page.value("document.querySelectorAll('.reactions button svg').length") == len(REACTIONS)


@pytest.mark.parametrize("others", [True, False])
def test_only_where_somebody_reads_them_are_reactions_offered(page: ShownPage, others: bool) -> None:
    view = next(iter(states("hearts", "", 11, 1).values()))
    show(page, among_friends(view) if others else view)
    assert page.value("!!document.querySelector('.plate.you .who')") is others
