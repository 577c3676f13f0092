"""The faces of the characters in a real browser: where one is chosen, read about, and sits at the table."""

from __future__ import annotations

import pytest

from p2pcards.players.characters import CHARACTERS
from p2pcards.players.stories import STORIES
from rigs.browser import Browser
from rigs.paging import begin, sit, wait
from rigs.program import Program
from rigs.served import Served

pytestmark = pytest.mark.browser

FACES = "document.querySelectorAll('{where} .portrait').length"
CHOOSE = """(() => {
  const details = document.querySelector('dialog[open] details');
  if (!details) return false;
  details.open = true;
  const chosen = details.querySelector('select');
  chosen.value = 'granny';
  chosen.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
})()"""

MEET = "[...document.querySelectorAll('dialog[open] button')].find(one => /Meet the/.test(one.textContent)).click()"


def test_whom_one_chooses_has_a_face_and_a_story(browser: Browser, program: Program) -> None:
    with Served(program) as served:
        page = browser.open(served.address, 900, 900)
        wait(page, "!!document.querySelector('.games button')", "the games are listed")
        page.value("document.querySelector('.games button').click()")
        wait(page, CHOOSE, "an opponent is chosen")
        wait(page, f"{FACES.format(where='dialog[open] details')} === 1", "her face stands beside the name")
        page.value(MEET)
        wait(page, f"{FACES.format(where='.guide')} === 12", "all twelve have one")
        sizes = "[...document.querySelectorAll('.guide .portrait')].map(one => one.getBoundingClientRect().width)"
        assert set(page.value(sizes)) == {72}
        told = page.value("document.querySelector('.guide').textContent")
        assert all(one.name in told and STORIES[key][:40] in told for key, one in CHARACTERS.items())
        page.close()


def test_a_click_on_a_seat_tells_who_sits_there(browser: Browser, program: Program) -> None:
    begin(program, "hearts")
    with Served(program) as served:
        page = sit(browser, served, 900, 900)
        wait(page, "document.querySelectorAll('.plate .who').length >= 3", "each computer player can be asked about")
        covers = "(one => one.offsetWidth > 60 && one.offsetHeight > 24)(document.querySelector('.plate .who'))"
        assert page.value(covers), "as large as the plate"
        name = page.value("document.querySelectorAll('.plate:not(.you) .who')[0].getAttribute('aria-label')")
        page.value("document.querySelectorAll('.plate:not(.you) .who')[0].click()")
        wait(page, f"{FACES.format(where='.guide')} === 12", "the page about the characters is open")
        who = str(name).removeprefix("Who is ").removesuffix("?")
        assert who in [one.name for one in CHARACTERS.values()]
        there = "document.querySelector('.guide').getBoundingClientRect()"
        heading = f"[...document.querySelectorAll('.guide h3')].find(one => one.textContent === '{who}')"
        wait(page, f"Math.abs({heading}.getBoundingClientRect().top - {there}.top) < {there}.height", "at their story")
        page.close()
