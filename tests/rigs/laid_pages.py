"""The page of drawn cards without a daemon: it is shown a view, and measured by the boxes that a browser gives it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from at_hand import TableAtHand
from p2pcards.frontend.choosing import legal_actions, smallest_card_count, verb_of_action
from p2pcards.frontend.standing import shown_trick
from p2pcards.games.names import GAME_NAMES
from p2pcards.page.files import table_page_files
from p2pcards.present.cards import usual_arrangement
from p2pcards.present.table import is_hand_over
from p2pcards.views.tableview import Command, TableView
from p2pcards.web.server import HERE
from p2pcards.web.shown import menus_data, table_data, tidy_texts
from rigs.browser import Browser, ShownPage
from rigs.paging import wait
from rigs.web_space import web_space

# --- views of every state of a hand -----------------------------------------------------------------------------------


def states(key: str, preset: str, seed: int, hands: int) -> dict[str, TableView]:
    """By name each state that came in these hands, with the view of it that has the most cards."""
    table, found = TableAtHand(key, preset, seed, slowly=True, looks=True), dict[str, TableView]()
    while hands:
        for view in table.news():
            if isinstance(view, TableView) and view.seats:
                name = state_of(view)
                found[name] = max(found.get(name, view), view, key=_cards)
        view = table.view()
        if view.legal:
            table.say(Command("act", tuple(table.suggestion().split())))
        elif view.pause is None:
            break
        else:
            hands -= 1
            table.say(Command("next"))
    return found


def state_of(view: TableView) -> str:
    if is_hand_over(view):
        return "end of hand"
    if view.legal:
        verbs = sorted({verb_of_action(words) or "play" for words in view.legal})
        return " ".join([*verbs, f"{smallest_card_count(legal_actions(view))}"])
    trick, mood = shown_trick(view)
    return "trick full" if mood == "won" and trick else "another's turn"


def _cards(view: TableView) -> int:
    lie = sum(len(pile.cards) for pile in view.piles if pile.spread)
    return lie + len(view.trick) + sum(len(seat.known) for seat in view.seats)


# --- a page that shows them -------------------------------------------------------------------------------------------


STAND_IN = """
globalThis.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() { globalThis.front = this; queueMicrotask(() => this.onopen()); }
  send() {}
};
"""
"""Of the daemon, to which nothing comes."""


@contextmanager
def laid_page(browser: Browser, folder: Path) -> Iterator[ShownPage]:
    for name, file in table_page_files().items():
        stand_in = STAND_IN.encode() if name.endswith(".js") else b""
        (folder / name).write_bytes(stand_in + file.content)
    (folder / HERE).write_text("p2pcards\n")
    with web_space(folder) as address:
        page = browser.open(address)
        wait(page, "!!globalThis.front?.onmessage", "the page asks for its table")
        yield page
        page.close()


def tell(page: ShownPage, message: Mapping[str, Any]) -> None:
    text = json.dumps(json.dumps(tidy_texts(message)))
    page.value(f"front.onmessage({{ data: {text} }}); 0")


def show_start(page: ShownPage) -> None:
    games = [[key, name] for key, name in GAME_NAMES.items()]
    nothing: dict[str, Any] = {"tables": [], "saves": [], "peers": [], "characters": [], "requests": {}}
    tell(page, {"is": "start", "said": "", "name": "Ann", "login": "ann", "games": games, **nothing})


LONG = 1_000_000
"""Milliseconds at which the first moment of a count stays as long as anybody looks."""


def show(page: ShownPage, view: TableView) -> None:
    """At once, with nothing in mind that was there before; of a count its first moment."""
    still: dict[str, Any] = {"held": False, "moving": 0, "pace": LONG, "look": {}, "on": []}
    show_start(page)
    tell(page, {**table_data(view, usual_arrangement(view.game)), **still})
    page.value(DRAW)
    wait(page, "window.drawn", "the table is drawn")


DRAW = "window.drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => { drawn = true; })); 0"
"""Once the page has measured its window too."""

# --- what is wrong with it --------------------------------------------------------------------------------------------


FAULTS = Path(__file__).with_suffix(".js").read_text()


def faults(page: ShownPage) -> list[str]:
    return list(page.value(FAULTS))


UNREACHED = """[...document.querySelectorAll('.hit, .buttons button, .bar button, .pile-hit')].filter(one => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return !there || !(one.contains(there) || there.contains(one));
}).map(one => one.getAttribute('aria-label') || one.textContent)"""


def unreached(page: ShownPage) -> list[str]:
    """What could be pressed, and its middle lies outside the window or under something else."""
    return list(page.value(UNREACHED))


def open_menu(page: ShownPage, view: TableView) -> None:
    page.value("document.querySelector('.bar button').click()")
    on_and_off = {"forced": "false", "bell": "true", "square_corners": "true"}
    tell(page, {"is": "menus", "menus": menus_data(view, ("sort suit",), on_and_off)})
    wait(page, "document.querySelectorAll('dialog[open] .menus section').length > 3", "the menu is there")


def groups_of_menu(page: ShownPage) -> list[str]:
    return list(page.value("[...document.querySelectorAll('.menus summary')].map(one => one.textContent)"))


def open_group(page: ShownPage, number: int) -> None:
    page.value(f"document.querySelectorAll('.menus details')[{number}].open = true; 0")
