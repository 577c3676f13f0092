"""A friend's page in each browser that is here: how long until it has a seat, at the first visit and at the second;
what it loads and takes of memory; how long it checks a log, beside a terminal. And the table of `p2pcards web` there:
how long from a tap to the frame in which the card has moved. Needs Chromium or Firefox."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import trio

from benchmarks.figures import NotMeasured, figure, lowest_tenth, progress, rounded
from p2pcards.control.client import connect
from p2pcards.control.messages import Host, Open, OpenHost, OpenJoin, Persona, Rules
from p2pcards.control.protocol import to_plain
from p2pcards.frontend.verdict import Known, judge_log
from p2pcards.page.files import whole_page_files
from p2pcards.store.files import find_home
from p2pcards.store.logs import list_logs, parse_log
from p2pcards.views.happenings import GameWon
from p2pcards.views.tableview import Command

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from rigs.browser import CHROMIUM
from rigs.homes import happening
from rigs.pages import FIREFOX, Friend, RunningBrowser, ShownTab, browsing
from rigs.paging import begin, take_seat, take_turns, wait
from rigs.real_programs import homes
from rigs.served import Served
from rigs.short_games import short

FIRST, SECOND = 8.0, 4.0
"""Seconds to a seat, at the first visit and at the second."""
PAINTED = 50.0
"""Milliseconds from a tap to the frame in which the card has moved."""
TAPS = 30
MEGABYTE = 1_000_000


def measure() -> dict[str, Any]:
    known = {"chromium": CHROMIUM, "firefox": FIREFOX}
    names = [name for name, programs in known.items() if any(map(shutil.which, programs))]
    if not names:
        raise NotMeasured("There is no browser here: install Debian's chromium or firefox-esr.")
    found: dict[str, Any] = {name: trio.run(_measured, name) | _tapped(name) for name in names}
    sent = sum(len(file.body) for file in whole_page_files().values())
    return found | {"page": figure(sent / MEGABYTE, "MB sent, compressed", None, files=len(whole_page_files()))}


async def _measured(name: str) -> dict[str, Any]:
    place = Path(tempfile.mkdtemp(prefix="p2p"))
    home, rules = find_home({"P2PCARDS_HOME": str(place / "ann")}), Rules("hearts", changes=short("hearts"))
    try:
        async with connect(home) as client:
            opened = await client.open(
                OpenHost(0, rules, Persona("Ann", "wayne", auto="novice"), bind="127.0.0.1", web=True)
            )
            table = await client.attach(opened.table)
            address = f"127.0.0.1:{opened.port}"
            seat = OpenJoin(Host(f"ws://{address}", code=opened.code), Persona("Ben", "betty", auto="novice"))
            with browsing(name, place / "profile") as browser:
                progress(f"{name}: the first visit")
                first, friend = await _visit(browser, address, to_plain(Open, seat))
                await table.command(Command("start"))
                await happening(table, GameWon)
                progress(f"{name}: the second visit")
                friend.tab.close()
                second, friend = await _visit(browser, address, None)
                memory = browser.memory()
                log = list_logs(home)[0].path.read_bytes()
                checks = await _checked(friend, log)
            await client.stop()
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return {
        "first_seat": figure(first, "s", FIRST),
        "second_seat": figure(second, "s", SECOND),
        "memory": figure(memory / MEGABYTE, "MB of all its processes", None),
        "verify": checks,
    }


async def _visit(browser: RunningBrowser, address: str, seat: object) -> tuple[float, Friend]:
    begun = time.monotonic()
    friend = Friend.at(browser, f"http://{address}/")
    if seat is None:
        friend.say("attach", table="")
    else:
        friend.say("open", request=seat)
    await friend.hear("table")
    return time.monotonic() - begun, friend


async def _checked(friend: Friend, log: bytes) -> dict[str, Any]:
    times: dict[str, float] = {}
    begun = time.monotonic()
    friend.give("verify", "a.log", log)
    await friend.hear("verdict")
    times["page"] = time.monotonic() - begun
    begun = time.monotonic()
    judge_log("a.log", parse_log(log), Known({}, b""))
    times["terminal"] = time.monotonic() - begun
    return {"unit": "s", "bytes": len(log), **{where: rounded(taken) for where, taken in times.items()}}


# --- from a tap to a frame --------------------------------------------------------------------------------------------


WATCH = """(() => {
  window.frames_taken = [];
  let tap = 0;
  const channel = new MessageChannel();
  channel.port1.onmessage = ({ data }) => frames_taken.push(performance.now() - data);
  addEventListener("pointerup", (event) => { tap = event.timeStamp; }, true);
  const moved = () => {
    if (!tap) return;
    const begun = tap;
    tap = 0;
    requestAnimationFrame(() => channel.port2.postMessage(begun));
  };
  const watch = { attributes: true, attributeFilter: ["style"], subtree: true };
  new MutationObserver(moved).observe(document.querySelector(".cards"), watch);
  return true;
})()"""
"""Notes how long it takes from a tap to the moment at which the frame has been handed over in which a card lies
elsewhere: the first task after the frame that follows the change."""

CAN = "[...document.querySelectorAll('.hit')].filter(one => /can be played/.test(one.getAttribute('aria-label')))"
NEXT = "[...document.querySelectorAll('.buttons button')].find(one => /^(Next|Play)/.test(one.textContent))?.click()"
CHOICE = f"!!document.querySelector('.prompt p.due') && {CAN}.length > 1"
THERE = f"""(() => {{
  const all = {CAN};
  const box = all[NUMBER % all.length].getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}})()"""


def _tapped(name: str) -> dict[str, Any]:
    """A card of a hand of whist is chosen, then another, on and on, which the page does by itself; then each that is
    played: from the second tap to the table that the daemon gives, with the card on it."""
    progress(f"{name}: taps")
    place = Path(tempfile.mkdtemp(prefix="p2p"))
    try:
        with homes() as make, browsing(name, place / "profile") as browser:
            program = make("ann")
            begin(program, "whist")
            with Served(program) as served:
                page = browser.open(served.address, 1280, 800)
                take_seat(page)
                while not page.value(CHOICE):
                    take_turns(page, 1)
                page.value(WATCH)
                chosen = [_until_painted(page, number) for number in range(TAPS)]
                page.type("\x1b")  # nothing is chosen any more
                played: list[float] = []
                while len(played) < TAPS:
                    played += _played(page)
            program.inside().out("stop")
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return {"tap_to_paint": _figure_of(chosen, PAINTED), "tap_to_answer": _figure_of(played, None)}


def _figure_of(taken: Sequence[float], limit: float | None) -> dict[str, Any]:
    """Of milliseconds. The lowest tenth is what it takes while nobody else wants the processor."""
    longest, lowest = rounded(max(taken)), rounded(lowest_tenth(taken))
    return figure(median(taken), "ms", limit, longest=longest, lowest_tenth=lowest, taps=len(taken))


def _until_painted(page: ShownTab, number: int) -> float:
    """Milliseconds."""
    page.value("frames_taken.length = 0")
    page.tap(*page.value(THERE.replace("NUMBER", str(number))))
    wait(page, "frames_taken.length > 0", "the card moves")
    return float(page.value("frames_taken[0]"))


def _played(page: ShownTab) -> list[float]:
    """One card, if it is one's turn; else the hand goes on."""
    if not page.value(f"{CAN}.length"):
        page.value(NEXT)
        return []
    _until_painted(page, 0)
    return [_until_painted(page, 0)]
