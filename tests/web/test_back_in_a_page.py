"""A friend's page is back in its seat, in every state of the table: after a reload, by the back button, its used link
or after its browser was killed; another device is not by that link."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigs.host_at_terminal import STATES, HostAtTerminal, hosting_at_terminal
from rigs.page_files import PageWithFiles
from rigs.pages import RunningBrowser, browsing
from rigs.program import MakeProgram

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("name", ["chromium", "firefox"])]

SHOWN = {
    "lobby": "!!document.querySelector('section.lobby')",
    "in a game": "!!document.querySelector('ul.hand')",
    "between games": "!!document.querySelector('section.lobby')",
    "game over": "!!document.querySelector('.plate.winner')",
    "onlooker": "/You're watching/.test(document.body?.innerText)",
}
"""What the guest sees there."""
OUT_OF_SIGHT = "!document.querySelector('#page')"


def page_at(browser: RunningBrowser, address: str) -> PageWithFiles:
    return PageWithFiles(browser.open(address), Path())


def sit_down(page: PageWithFiles, name: str) -> None:
    page.until("You're invited to play")
    page.type(".invited input", name)
    page.push("Sit down")


def until_seated(page: PageWithFiles, ann: HostAtTerminal, state: str) -> None:
    page.once(SHOWN[state])
    ann.until_guest("here")


@pytest.mark.parametrize("state", STATES)
def test_a_page_is_back_in_its_seat(name: str, state: str, make_program: MakeProgram, tmp_path: Path) -> None:
    with hosting_at_terminal(make_program("ann"), state, "Ben") as ann:
        with browsing(name, tmp_path / "profile") as browser:
            page = page_at(browser, ann.link)
            sit_down(page, "Ben")
            if state == "game over":
                page.once("!!document.querySelector('section.lobby')")
                page.tab.type("/")
                page.once("!!document.querySelector('.line input')")
                page.tab.type("auto novice\r")
            ann.bring_about()
            until_seated(page, ann, state)

            page.tab.reload()
            until_seated(page, ann, state)

            page.go_to("hash.txt")
            page.once(OUT_OF_SIGHT)
            page.tab.value("void history.back() ?? null")
            until_seated(page, ann, state)

            page.tab.close()
            page = page_at(browser, ann.link)
            sit_down(page, "Ben")
            until_seated(page, ann, state)

            other = page_at(browser, ann.link.replace("127.0.0.1", "localhost"))  # which has a storage of its own
            sit_down(other, "Cy")
            other.until("was already used, and each works only once. Ask for a new code or link")
            ann.until_guest("here")
        ann.until_guest("away")
        with browsing(name, tmp_path / "profile") as browser:
            page = page_at(browser, ann.link)
            sit_down(page, "Ben")
            until_seated(page, ann, state)
