"""A page from a web space that has not come yet: how much of it has, of what, and what is said where a part fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from p2pcards.games.names import GAME_NAMES
from p2pcards.page.files import whole_page_files
from rigs.browser import Browser
from rigs.pages import RunningBrowser
from rigs.paging import wait
from rigs.web_space import PlainSpace, web_space

pytestmark = pytest.mark.browser
BROWSERS = pytest.mark.parametrize("name", ["chromium", "firefox"])

HELD, CUT = "python_stdlib.zip", "pyodide.asm.wasm"


class SlowSpace(PlainSpace):
    """Answers for one part when that is let go."""

    let_go = Event()

    def do_GET(self) -> None:  # noqa: N802
        if self.path.endswith(HELD):
            self.let_go.wait()
        super().do_GET()


class CutSpace(PlainSpace):
    """Hangs up within a part."""

    def do_GET(self) -> None:  # noqa: N802
        if not self.path.endswith(CUT):
            return super().do_GET()
        data = Path(self.translate_path(self.path)).read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2])
        self.close_connection = True
        return None


@pytest.fixture
def let_go() -> Iterator[Event]:
    SlowSpace.let_go.clear()
    yield SlowSpace.let_go
    SlowSpace.let_go.set()


def sizes() -> dict[str, int]:
    """Of the parts, as the page is told of them."""
    listed = next(file for name, file in whole_page_files().items() if name.startswith("set-"))
    found: dict[str, int] = json.loads(listed.content)["sizes"]
    return found


def test_the_sizes_that_are_listed_are_those_of_the_parts() -> None:
    assert {name: len(whole_page_files()[name].content) for name in sizes()} == sizes()
    engine = {
        name for name in whole_page_files() if name.startswith("engine-") and not name.endswith((".txt", ".json"))
    }
    assert engine < {*sizes()}


@BROWSERS
def test_a_page_says_how_much_has_come_and_of_what(running: RunningBrowser, built_page: Path, let_go: Event) -> None:
    whole = sum(sizes().values())
    held = sum(size for name, size in sizes().items() if name.endswith(HELD))
    percent = 100 * (whole - held) // whole
    with web_space(built_page, SlowSpace) as address:
        page: Any = running.open(address)
        words = "document.querySelector('.progress')?.innerText.replace(/\\s+/g, ' ')"
        wait(page, f'{words} === "Loading Python\'s library ... {percent} %"', f"{percent} % have come")
        assert page.value("document.querySelector('progress').value") == percent
        let_go.set()
        wait(page, "!!document.querySelector('.games button')", "the games are listed")
        assert page.value("!!document.querySelector('progress')") is False


def test_a_screen_reader_has_it_as_a_progress_bar(browser: Browser, built_page: Path, let_go: Event) -> None:
    with web_space(built_page, SlowSpace) as address:
        page = browser.open(address)
        wait(page, "document.querySelector('progress')?.value > 30", "some of it has come")
        bar = next(node for node in page.tree() if node.get("role", {}).get("value") == "progressbar")
        assert bar["name"]["value"] == "Loading"
        assert 30 < float(bar["value"]["value"]) < 100
        let_go.set()
        page.close()


@BROWSERS
def test_a_part_that_fails_is_named_with_what_to_try(running: RunningBrowser, built_page: Path) -> None:
    with web_space(built_page, CutSpace) as address:
        page: Any = running.open(address)
        wait(page, "!!document.querySelector('[role=alert]')", "the page says that something failed")
        said = page.value("document.querySelector('[role=alert]').innerText")
        assert said.startswith("Loading Python failed: engine-") and CUT in said
        assert said.endswith("didn't load completely. Check your connection, then reload the page.")
        assert page.value("!!document.querySelector('progress')") is False


@BROWSERS
def test_a_game_can_be_chosen_while_the_page_loads(running: RunningBrowser, built_page: Path, let_go: Event) -> None:
    with web_space(built_page, SlowSpace) as address:
        page: Any = running.open(address, 360, 640)
        ahead = "[...document.querySelectorAll('.games-ahead button')]"
        wait(page, f"{ahead}.length > 0", "the games are shown ahead")
        names = page.value(f"{ahead}.map(one => one.innerText.split('\\n').pop())")
        assert names == [*GAME_NAMES.values()]
        page.value(f"{ahead}.find(one => /Hearts/.test(one.textContent)).click()")
        wait(page, "/Hearts opens in a moment/.test(document.body.innerText)", "the page has heard it")
        let_go.set()
        wait(page, "document.querySelector('dialog[open] h2')?.innerText === 'Hearts'", "hearts is looked at")
