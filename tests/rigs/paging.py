"""The page of drawn cards in a real browser: sitting down, and playing by taps, by keys and by what a screen reader has
of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rigs.browser import Browser, ShownPage
from rigs.giving_up import longest_wait
from rigs.pages import ShownTab
from rigs.program import Program
from rigs.served import Served

WHOLE = 400
"""Deeds of one's own in a hand, more than any takes."""
OVER = "next hand", "play again"
"""What is on the button at the end of a hand, and of a game."""

NAME = "const name = one => one.getAttribute('aria-label') || one.textContent;"
STATE = f"""(() => {{
  {NAME}
  const names = found => [...document.querySelectorAll(found)].map(name);
  return JSON.stringify([names('.prompt p'), names('.buttons button'), names('.hit'), names('dialog[open]')]);
}})()"""

WANTED = f"""
  {NAME}
  const of = found => [...document.querySelectorAll(found)];
  const as = (kind, one) => ({{ kind, one, name: name(one) }});
  const wanted = () => {{
    const dialog = of('dialog[open] .rows button, dialog[open] .deeds button')[0];
    if (dialog) return as('dialog', dialog);
    const buttons = of('.buttons button:not(.icon):not(.quiet)');
    if (buttons.some(one => /next hand|play again/i.test(name(one)))) return {{ kind: 'over', name: 'over' }};
    if (!document.querySelector('.prompt p.due, .prompt p.wrong')) return null;
    const can = of('.hit').filter(one => /can be played/.test(name(one)) && !/marked/.test(name(one)));
    if (of('.hit[aria-pressed=true]').length && !of('.controls[data-marks]').length) return null;
    const offer = buttons.find(one => one.classList.contains('main')) || (can.length ? null : buttons[0]);
    return offer ? as('button', offer) : can.length ? as('card', can[CHOICE]) : null;
  }};
"""
"""What somebody does next who takes what is offered first."""

TAPPED = f"""(() => {{
  {WANTED}
  const found = wanted();
  if (!found?.one) return found && {{ kind: found.kind, name: found.name }};
  found.one.scrollIntoView({{ block: 'nearest' }});
  const box = found.one.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, innerHeight - box.y) / 2];
  const there = document.elementFromPoint(x, y);
  const covered = !there || found.one.contains(there) || there.contains(found.one) ? '' : there.outerHTML.slice(0, 200);
  return {{ kind: found.kind, name: found.name, x, y, covered }};
}})()"""
"""The middle of it, and what lies above that."""

STEPS = f"""(() => {{
  {WANTED}
  const found = wanted();
  if (!found) return null;
  const at = found.kind === 'card' ? Number(found.one.dataset.place) : of('.buttons button').indexOf(found.one);
  return {{ kind: found.kind, name: found.name, at }};
}})()"""
"""Which one it is in its row."""

FOCUS = f"""(() => {{
  {NAME}
  const here = document.activeElement;
  const place = here.dataset.place ?? [...document.querySelectorAll('.buttons button')].indexOf(here);
  return {{ name: name(here), at: Number(place) }};
}})()"""


def begin(program: Program, key: str) -> None:
    """A game of this key against computer players, always the same deal."""
    program.inside().out("play", key, "--seed", "11", "--name", "Ann", "--between-hands", "60", "--detached")


def wait(page: ShownTab, true: str, what: str) -> None:
    end = time.monotonic() + longest_wait()
    while not page.value(true):
        assert time.monotonic() < end, f"it does not come about that {what}; there is {text(page)}"
        time.sleep(0.02)


def sit(browser: Browser, served: Served, width: int = 1280, height: int = 800) -> ShownPage:
    """At the table that is open, in Chromium."""
    page = browser.open(served.address, width, height)
    take_seat(page)
    return page


def take_seat(page: ShownTab) -> None:
    wait(page, "!!document.querySelector('.start .rows button')", "the page lists the table")
    page.value("document.querySelector('.start .rows button').click()")
    wait(page, "!!document.querySelector('.felt .plate')", "the table is shown")


def take_turns(page: ShownTab, count: int, choice: str = "Math.floor(can.length / 2)") -> list[str]:
    """As many taps, or until the hand is over. choice: which of the cards that can be played. Whatever is to be tapped
    has to lie open there."""

    def tap() -> str:
        found = page.value(TAPPED.replace("CHOICE", choice))
        if found is None or "x" not in found:
            return found["name"] if found else ""
        assert not found["covered"], f"{found['name']} lies under {found['covered']}"
        page.tap(found["x"], found["y"])
        return f"{found['kind']} {found['name']}"

    return _take(page, count, tap)


def take_turns_by_keys(page: ShownTab, count: int) -> list[str]:
    """The same by arrows, and Enter where the focus is: on what is first in a dialog, on the buttons by Up, on the hand
    by Down."""

    def press() -> str:
        found = page.value(STEPS.replace("CHOICE", "0"))
        if found is None or found["kind"] == "over":
            return found["name"] if found else ""
        if found["kind"] != "dialog":
            page.type("↓" if found["kind"] == "card" else "↑")
            steps = found["at"] - page.value(FOCUS)["at"]
            page.type(("→" if steps > 0 else "←") * abs(steps))
        focused = page.value(FOCUS)["name"]
        if focused != found["name"]:
            return ""  # the table has become another one meanwhile
        page.type("\r")
        return str(found["name"])

    return _take(page, count, press)


# --- what a screen reader has -----------------------------------------------------------------------------------------


Node = dict[str, Any]


class Tree:
    """What a screen reader reads, in its order."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._by_id = {node["nodeId"]: node for node in nodes}
        self._root = next((node for node in nodes if role_of(node) == "RootWebArea"), None)

    def within(self, role: str, name: str = "") -> list[Node]:
        """All in the first part of this role whose name begins so."""
        for node in self.under(self._root):
            if role_of(node) == role and name_of(node).startswith(name):
                return list(self.under(node))
        return []

    def items(self, name: str) -> list[list[Node]]:
        """The items of the list of this name, each with all that is in it."""
        return [list(self.under(node)) for node in self.within("list", name) if role_of(node) == "listitem"]

    def under(self, node: Node | None) -> Iterator[Node]:
        if node is not None:
            if not node["ignored"]:
                yield node
            for child in node.get("childIds", ()):
                yield from self.under(self._by_id.get(child))

    def text(self) -> str:
        return "\n".join([name_of(node) for node in self.under(self._root) if name_of(node)])


def role_of(node: Node) -> str:
    return str(node.get("role", {}).get("value", ""))


def name_of(node: Node) -> str:
    return str(node.get("name", {}).get("value", ""))


def words_of(nodes: Sequence[Node]) -> str:
    return " ".join([name_of(node) for node in nodes if role_of(node) == "StaticText"])


def buttons_of(nodes: Sequence[Node]) -> list[Node]:
    return [node for node in nodes if role_of(node) in ("button", "menuitem", "switch", "ToggleButton", "toggleButton")]


BESIDE = "Hint", "Undo", "Unmark", "Close"
"""Buttons that do nothing for the game."""


def take_turns_by_tree(page: ShownPage, count: int) -> list[str]:
    """The same by what a screen reader has: the dialog that is open; what there is to do, as a status with buttons; the
    hand as a list of buttons that say whether they can be played and are marked."""

    def activate() -> str:
        name, node = heard(Tree(page.tree()))
        if node:
            page.activate(node)
        return name

    return _take(page, count, activate)


def heard(tree: Tree) -> tuple[str, Node | None]:
    """What somebody does next who has the tree alone; ("", None) where it is not their turn."""
    if dialog := tree.within("dialog"):
        return _named([one for one in buttons_of(dialog) if name_of(one) not in BESIDE][:1])
    controls = tree.within("region", "Actions")
    deeds = [one for one in buttons_of(controls) if name_of(one) not in BESIDE]
    if any(name_of(one).lower() in OVER for one in deeds):
        return "over", None
    said = words_of(controls)
    due = "Your turn" in said or any(role_of(node) == "alert" for node in controls)
    hand = buttons_of(tree.within("list", "Your hand"))
    marked = [one for one in hand if "marked" in name_of(one)]
    can = [one for one in hand if "can be played" in name_of(one) and one not in marked]
    if marked:
        return _named(can[:1] if " to go." in said else deeds[:1])
    return _named(can[:1] or deeds[:1]) if due else ("", None)


def _named(nodes: Sequence[Node]) -> tuple[str, Node | None]:
    return (name_of(nodes[0]), nodes[0]) if nodes else ("", None)


# --- one after the other ----------------------------------------------------------------------------------------------


def _take(page: ShownTab, count: int, deed: Callable[[], str]) -> list[str]:
    done: list[str] = []
    end = time.monotonic() + longest_wait()
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


def _until_another(page: ShownTab, before: Any) -> None:
    """For a moment: what is chosen may look as before to everybody but eyes."""
    end = time.monotonic() + 0.3
    while page.value(STATE) == before and time.monotonic() < end:
        time.sleep(0.01)


def text(page: ShownTab) -> str:
    return str(page.value("document.body?.innerText ?? ''"))
