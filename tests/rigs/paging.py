"""The page of drawn cards in a real browser: sitting down, and playing by clicks and by keys."""

from __future__ import annotations

import json
import time

from rigs.browser import Browser, ShownPage
from rigs.giving_up import GIVE_UP
from rigs.served import Served

DUE = "!!document.querySelector('.prompt p.due')"
"""It is the person's turn."""
OVER = "[...document.querySelectorAll('.buttons button')].some(one => /next hand|play again/i.test(one.textContent))"


def sit(browser: Browser, served: Served, width: int = 1280, height: int = 800) -> ShownPage:
    """At the table that is open."""
    page = browser.open(served.address, width, height)
    wait(page, "!!document.querySelector('.start .rows button')", "the page lists the table")
    page.value("document.querySelector('.start .rows button').click()")
    wait(page, "!!document.querySelector('.felt .plate')", "the table is shown")
    return page


def wait(page: ShownPage, true: str, what: str) -> None:
    end = time.monotonic() + GIVE_UP
    while not page.value(true):
        assert time.monotonic() < end, f"it does not come about that {what}; there is {page.value('document.body.innerText')}"
        time.sleep(0.02)


TURN = """(() => {
  const label = one => one.textContent;
  const dialog = [...document.querySelectorAll('dialog[open] .rows button, dialog[open] .deeds button')][0];
  if (dialog) { dialog.click(); return 'dialog ' + label(dialog); }
  const buttons = [...document.querySelectorAll('.buttons button:not(.icon):not(.quiet)')];
  const over = buttons.find(one => /next hand|play again/i.test(label(one)));
  if (over) return 'over';
  if (!document.querySelector('.prompt p.due, .prompt p.wrong')) return '';
  const offer = buttons.find(one => one.classList.contains('main')) || (document.querySelector('.hit[aria-label*="can be played"]') ? null : buttons[0]);
  if (offer) { offer.click(); return 'offer ' + label(offer); }
  const can = [...document.querySelectorAll('.hit')].filter(one => /can be played/.test(one.getAttribute('aria-label')) && !/marked/.test(one.getAttribute('aria-label')));
  if (can.length) { const card = can[Math.floor(can.length / 2)]; card.click(); return 'card ' + card.getAttribute('aria-label'); }
  if (buttons[0]) { buttons[0].click(); return 'button ' + label(buttons[0]); }
  return 'nothing';
})()"""


def take_turns(page: ShownPage, count: int) -> list[str]:
    """As many deeds of one's own, or until the hand is over."""
    done: list[str] = []
    end = time.monotonic() + 60
    while len(done) < count and time.monotonic() < end:
        deed = page.value(TURN)
        if deed == "over":
            break
        if deed:
            done.append(str(deed))
        time.sleep(0.25)
    return done


def text(page: ShownPage) -> str:
    return str(page.value("document.body.innerText"))


def labels(page: ShownPage, selector: str) -> list[str]:
    """The accessible names of these elements."""
    script = f"[...document.querySelectorAll({json.dumps(selector)})].map(one => one.getAttribute('aria-label') || one.textContent)"
    return list(page.value(script))
