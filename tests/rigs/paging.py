"""The page of drawn cards in a real browser: sitting down, and playing by clicks, by keys and by what a screen reader
has of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rigs.browser import Browser, ShownPage
from rigs.giving_up import GIVE_UP
from rigs.served import Served

OVER = "next hand", "play again"
"""What is on the button at the end of a hand, and of a game."""

STATE = """(() => {
  const name = one => one.getAttribute('aria-label') || one.textContent;
  const names = found => [...document.querySelectorAll(found)].map(name);
  return JSON.stringify([names('.prompt p'), names('.buttons button'), names('.hit'), names('dialog[open]')]);
})()"""

CLICK = """(() => {
  const name = one => one.getAttribute('aria-label') || one.textContent;
  const of = found => [...document.querySelectorAll(found)];
  const dialog = of('dialog[open] .rows button, dialog[open] .deeds button')[0];
  if (dialog) { dialog.click(); return 'dialog ' + name(dialog); }
  const buttons = of('.buttons button:not(.icon):not(.quiet)');
  if (buttons.some(one => /next hand|play again/i.test(name(one)))) return 'over';
  if (!document.querySelector('.prompt p.due, .prompt p.wrong')) return '';
  const can = of('.hit').filter(one => /can be played/.test(name(one)) && !/marked/.test(name(one)));
  if (of('.hit[aria-pressed=true]').length && !of('.controls[data-marks]').length) return '';
  const offer = buttons.find(one => one.classList.contains('main')) || (can.length ? null : buttons[0]);
  if (offer) { offer.click(); return 'offer ' + name(offer); }
  if (can.length) { const card = can[CHOICE]; card.click(); return 'card ' + name(card); }
  return 'nothing';
})()"""


def wait(page: ShownPage, true: str, what: str) -> None:
    end = time.monotonic() + GIVE_UP
    while not page.value(true):
        assert time.monotonic() < end, f"it does not come about that {what}; there is {text(page)}"
        time.sleep(0.02)


def sit(browser: Browser, served: Served, width: int = 1280, height: int = 800) -> ShownPage:
    """At the table that is open."""
    page = browser.open(served.address, width, height)
    wait(page, "!!document.querySelector('.start .rows button')", "the page lists the table")
    page.value("document.querySelector('.start .rows button').click()")
    wait(page, "!!document.querySelector('.felt .plate')", "the table is shown")
    return page


def take_turns(page: ShownPage, count: int, choice: str = "Math.floor(can.length / 2)") -> list[str]:
    """As many clicks, or until the hand is over. choice: which of the cards that can be played."""
    return _take(page, count, lambda: str(page.value(CLICK.replace("CHOICE", choice))))


def take_turns_by_keys(page: ShownPage, count: int) -> list[str]:
    """The same by Enter and arrows alone."""

    def press() -> str:
        state = str(page.value(STATE)).lower()
        if any(word in state for word in OVER):
            return "over"
        if not page.value("!!document.querySelector('.prompt p.due, .prompt p.wrong')"):
            return ""
        page.type("↓\r" if page.value("!!document.querySelector('.hit[aria-label*=\"can be played\"]')") else "↑\r")
        return "pressed"

    return _take(page, count, press)


def take_turns_by_tree(page: ShownPage, count: int) -> list[str]:
    """The same by what a screen reader has: buttons with their names, and what there is to do as a status."""

    def activate() -> str:
        nodes = page.tree()
        named = [(node["role"]["value"], str(node["name"]["value"]), node) for node in nodes if "name" in node]
        buttons = [(name, node) for role, name, node in named if role == "button"]
        if any(name.lower() in OVER for name, _ in buttons):
            return "over"
        said = " ".join([name for role, name, _ in named if role == "StaticText"])
        if "Your turn" not in said:
            return ""
        name, node = next((one for one in buttons if "can be played" in one[0]), ("", {}))
        if node:
            page.activate(node)
        return name

    return _take(page, count, activate)


def _take(page: ShownPage, count: int, deed: Callable[[], str]) -> list[str]:
    done: list[str] = []
    end = time.monotonic() + GIVE_UP
    while len(done) < count:
        assert time.monotonic() < end, f"nothing comes of {done[-5:]}; there is {text(page)}"
        before = page.value(STATE)
        what = deed()
        if what == "over":
            done.append(what)
            break
        if what:
            done.append(what)
            _until_another(page, before)
        else:
            time.sleep(0.02)
    return done


def _until_another(page: ShownPage, before: Any) -> None:
    """For a moment: what is chosen may look as before to everybody but eyes."""
    end = time.monotonic() + 0.3
    while page.value(STATE) == before and time.monotonic() < end:
        time.sleep(0.01)


def text(page: ShownPage) -> str:
    return str(page.value("document.body.innerText"))
