"""Two people at pages, each with a real daemon, think for longer than their turn clocks allow: a button stands there,
and any tap takes a seat back."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigs.pages import browsing
from rigs.paging import take_seat, wait
from rigs.program import MakeProgram
from rigs.served import Served
from rigs.timed import begin_timed

pytestmark = pytest.mark.browser

BUTTON = (
    "[...document.querySelectorAll('.buttons button.main')].find(one => /take your seat back/i.test(one.innerText))"
)
BOX = f"(() => {{ const box = {BUTTON}.getBoundingClientRect(); return [box.x + box.width / 2, box.y + 20]; }})()"
BACK = "/You are back/.test(document.querySelector('.told')?.innerText)"


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_tap_takes_the_seat_back(name: str, make_program: MakeProgram, tmp_path: Path) -> None:
    ann, bob = make_program("ann"), make_program("bob")
    begin_timed(ann, bob, clock=2)
    with browsing(name, tmp_path / "profile") as browser, Served(ann) as of_ann, Served(bob) as of_bob:
        at_ann, at_bob = [browser.open(served.address, 1280, 800) for served in (of_ann, of_bob)]
        for page in (at_ann, at_bob):
            take_seat(page)  # nothing is dealt before Bob is at the table
        for page in (at_ann, at_bob):
            wait(page, f"!!{BUTTON}", "there is a button for it")
        at_ann.tap(*at_ann.value(BOX))
        wait(at_ann, BACK, "Ann has her seat again by the button")
        wait(at_ann, "!!document.querySelector('.prompt .clock')", "she sees her clock")
        at_bob.tap(640, 20)
        wait(at_bob, BACK, "Bob has his by a tap beside the table")
