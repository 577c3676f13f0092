"""The page of a web space in each browser here: where the time goes from its address to the first card of a hand alone,
at the first visit and at the second, when the browser has kept it. Needs Chromium or Firefox."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.figures import NotMeasured, figure, progress, rounded
from p2pcards.page.files import whole_page_files
from p2pcards.web.kept_page import write_page

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from rigs.browser import CHROMIUM
from rigs.giving_up import longest_wait
from rigs.pages import FIREFOX, RunningBrowser, ShownTab, browsing
from rigs.paging import wait
from rigs.web_space import PlainSpace, web_space

FIRST, SECOND = 3.0, 1.5
"""Seconds of processor to the first card, at the first visit and at the second."""
MEGABYTE = 1_000_000
STARTING = "/^Starting/.test(document.querySelector('.progress [role=status]')?.innerText)"
LISTED = "!!document.querySelector('.games button')"
STEPS = (
    ("page", "!!document.querySelector('main')"),
    ("engine", f"{LISTED} || {STARTING}"),
    ("games", LISTED),
)
"""The first view, Python running, the program imported and the list of games shown."""
PRESS = "[...document.querySelectorAll('.games button')].find(one => /Crazy/.test(one.textContent)).click()"
DEAL = "(one => (one?.click(), !!one))(document.querySelector('dialog[open] .main'))"
DUE = "!!document.querySelector('.prompt p.due')"
KEPT = """void navigator.serviceWorker.getRegistration().then(
  (one) => { window.kept = one?.active?.state === 'activated'; }
) ?? window.kept === true"""


class CountedSpace(PlainSpace):
    """Counts the bytes that it sends of files."""

    sent: ClassVar[int] = 0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        before = source.tell()
        super().copyfile(source, outputfile)
        CountedSpace.sent += source.tell() - before


def measure() -> dict[str, Any]:
    known = {"chromium": CHROMIUM, "firefox": FIREFOX}
    names = [name for name, programs in known.items() if any(map(shutil.which, programs))]
    if not names:
        raise NotMeasured("There is no browser here: install Debian's chromium or firefox-esr.")
    return {name: _visits(name) for name in names}


def _visits(name: str) -> dict[str, Any]:
    place = Path(tempfile.mkdtemp(prefix="p2p"))
    found: dict[str, Any] = {}
    try:
        write_page(whole_page_files(), place / "space")
        with browsing(name, place / "profile") as browser, web_space(place / "space", CountedSpace) as address:
            browser.open("about:blank").close()
            for visit, limit in (("first", FIRST), ("second", SECOND)):
                progress(f"{name}: the {visit} visit")
                CountedSpace.sent = 0
                page, steps = _to_first_card(browser, address)
                last = steps["card"]["processor"]
                sent = rounded(CountedSpace.sent / MEGABYTE)
                found[f"{visit}_card"] = figure(last, "s of processor", limit, steps=steps, megabytes=sent)
                wait(page, KEPT, "the page is kept")
                page.close()
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return found


def _to_first_card(browser: RunningBrowser, address: str) -> tuple[ShownTab, dict[str, dict[str, float]]]:
    """For each step the seconds since the address was opened, by the clock and of processor."""
    steps: dict[str, dict[str, float]] = {}
    begun, spent = time.monotonic(), browser.processor()

    def note(step: str) -> None:
        clock, processor = time.monotonic() - begun, browser.processor() - spent
        steps[step] = {"clock": rounded(clock), "processor": rounded(processor)}

    page = browser.open(address, 390, 844)
    for step, shown in STEPS:
        _once(page, shown)
        note(step)
    page.value(PRESS)
    _once(page, DEAL)
    _once(page, DUE)
    note("card")
    return page, steps


def _once(page: ShownTab, script: str) -> None:
    end = time.monotonic() + longest_wait()
    while not page.value(script):
        assert time.monotonic() < end, script
        time.sleep(0.01)
