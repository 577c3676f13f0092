"""Two people at pages, each with a real daemon, think for longer than their turn clocks allow: a button stands there,
and any tap takes a seat back."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rigs.giving_up import longest_wait
from rigs.pages import ShownTab, browsing
from rigs.paging import take_seat, text, wait
from rigs.program import MakeProgram
from rigs.served import Served
from rigs.timed import begin_timed

pytestmark = pytest.mark.browser

BUTTON = (
    "[...document.querySelectorAll('.buttons button.main')].find(one => /take your seat back/i.test(one.innerText))"
)
BOX = f"(box => box ? [box.x + box.width / 2, box.y + 20] : [640, 20])({BUTTON}?.getBoundingClientRect())"
BACK = "/You.re back/.test(document.querySelector('.told')?.innerText)"
CLOCK = "!!document.querySelector('.prompt .clock')"


def tap_until(page: ShownTab, true: str, tap: Callable[[], None]) -> None:
    """Again wherever the button for it is back: on a busy machine a turn can be over before its clock is seen."""
    end = time.monotonic() + longest_wait()
    while not page.value(true):
        assert time.monotonic() < end, f"{true} does not come about; there is {text(page)}"
        if page.value(f"!!{BUTTON}"):
            tap()
        time.sleep(0.02)


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_tap_takes_the_seat_back(name: str, make_program: MakeProgram, tmp_path: Path) -> None:
    ann, bob = make_program("ann"), make_program("bob")
    begin_timed(ann, bob, clock=5)
    with browsing(name, tmp_path / "profile") as browser, Served(ann) as of_ann, Served(bob) as of_bob:
        at_ann, at_bob = [browser.open(served.address, 1280, 800) for served in (of_ann, of_bob)]
        for page in (at_ann, at_bob):
            take_seat(page)  # nothing is dealt before Bob is at the table
        for page in (at_ann, at_bob):
            wait(page, f"!!{BUTTON}", "there is a button for it")
        tap_until(at_ann, f"{BACK} && {CLOCK}", lambda: at_ann.tap(*at_ann.value(BOX)))
        tap_until(at_bob, BACK, lambda: at_bob.tap(640, 20))
