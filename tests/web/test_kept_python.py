"""The snapshot of Python that a page keeps for its next visit: it is used, it holds nothing of a player, and one that
is damaged or did not start costs no more than making another."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rigs.pages import RunningBrowser
from rigs.paging import wait
from rigs.web_space import web_space

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("name", ["chromium", "firefox"])]

MADE = """void (() => {{
  window.found = undefined;
  const opening = indexedDB.open('p2pcards', 1);
  opening.onsuccess = () => {{
    const work = opening.result.transaction(['made', 'pieces'], 'readwrite');
    const [made, pieces] = ['made', 'pieces'].map((name) => work.objectStore(name));
    let found;
    {deed}
    work.oncomplete = () => {{ opening.result.close(); window.found = found; }};
  }};
}})() ?? null"""
ROWS = "made.getAllKeys().onsuccess = (event) => { found = event.target.result; };"
OF_SNAPSHOT = """made.openCursor().onsuccess = ({{ target: {{ result: row }} }}) => {{
  const bytes = row.value;
  const text = new TextDecoder('latin1').decode(bytes);
  {deed}
}};"""
"""Latin-1 as browsers have it, windows-1252: a letter is a byte, and ASCII is ASCII."""
RENAMED = """for (let at = text.indexOf('Crazy Eights'); at >= 0; at = text.indexOf('Crazy Eights', at + 1))
  bytes.set(new TextEncoder().encode('Crazy Nights'), at);
row.update(bytes);
found = true;"""
DID_NOT_START = "made.put('a build', '\\0starting'); found = true;"
CUT = "row.update(bytes.slice(0, 1000)); found = true;"
KEY = """pieces.getAllKeys().onsuccess = (event) => {
  const name = event.target.result.find((one) => /^identity.*\\0\\d/.test(one));
  pieces.get(name).onsuccess = (piece) => { found = new TextDecoder().decode(piece.target.result); };
};"""
DUE = "!!document.querySelector('.prompt p.due')"
HOLDS = "found = {wanted}.map((one) => text.includes(one));"


def in_storage(page: Any, deed: str) -> Any:
    page.value(MADE.format(deed=deed))
    wait(page, "window.found !== undefined", "the browser's storage has answered")
    return page.value("window.found")


def of_snapshot(page: Any, deed: str) -> Any:
    return in_storage(page, OF_SNAPSHOT.format(deed=deed))


def listed(page: Any) -> str:
    wait(page, "!!document.querySelector('.games button')", "the games are listed")
    return str(page.value("document.querySelector('.games').innerText"))


def again(page: Any) -> str:
    page.reload()
    return listed(page)


def test_the_next_visit_starts_from_what_the_first_has_kept(running: RunningBrowser, built_page: Path) -> None:
    with web_space(built_page) as address:
        page: Any = running.open(address)
        assert "Crazy Eights" in listed(page)
        (build,) = in_storage(page, ROWS)
        assert build.startswith("engine-") and "program-" in build
        assert of_snapshot(page, RENAMED) is True
        assert "Crazy Nights" in again(page)
        assert in_storage(page, ROWS) == [build]


@pytest.mark.parametrize("fault", ["did not start", "is cut"])
def test_a_snapshot_that_fails_is_made_again(running: RunningBrowser, built_page: Path, fault: str) -> None:
    with web_space(built_page) as address:
        page: Any = running.open(address)
        listed(page)
        (build,) = in_storage(page, ROWS)
        of_snapshot(page, RENAMED)
        assert in_storage(page, DID_NOT_START) if fault == "did not start" else of_snapshot(page, CUT)
        assert "Crazy Eights" in again(page)
        assert in_storage(page, ROWS) == [build]
        assert of_snapshot(page, HOLDS.format(wanted="['Crazy Eights']")) == [True]


def test_a_snapshot_has_nothing_of_a_player(running: RunningBrowser, built_page: Path) -> None:
    """Even where it is made when there is a player already."""
    with web_space(built_page) as address:
        page: Any = running.open(address)
        listed(page)
        page.value("[...document.querySelectorAll('.games button')].find(one => /Crazy/.test(one.textContent)).click()")
        wait(page, "!!document.querySelector('dialog[open] .main')", "the game is looked at")
        page.value("document.querySelector('dialog[open] .main').click()")
        wait(page, DUE, "it is my turn")
        in_storage(page, DID_NOT_START)
        page.reload()
        wait(page, DUE, "it is my turn")
        secrets = re.findall(r"[A-Za-z0-9+/=_-]{32,}", in_storage(page, KEY))
        assert secrets
        wanted = [*secrets, "Crazy Eights"]
        assert of_snapshot(page, HOLDS.format(wanted=wanted)) == [*[False] * len(secrets), True]
