"""A page that is opened by a link which names it: it joins if it is that page, and says why not if it is another."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from p2pcards.page.files import PageFile, page_hash, whole_page_files
from p2pcards.web.kept_page import write_page
from rigs.page_builds import hash_of, newer_build, put
from rigs.pages import RunningBrowser, browsing
from rigs.paging import wait
from rigs.web_space import PlainSpace, web_space

pytestmark = pytest.mark.browser
BROWSERS = pytest.mark.parametrize("name", ["chromium", "firefox"])

SECRET = "abcdefghijklmnopqrstuvwxyz234567abcdefghij"
ANOTHER = """/This isn't the page in your friend's link.*send you the new link\\./
  .test(document.querySelector('[role=alert]')?.innerText)"""
INVITED = "!!document.querySelector('section.invited')"
LOADED = "(!!document.querySelector('.games button') || /Play something else/.test(document.body?.innerText))"
HASH = "document.querySelector('.hash code')?.textContent"
KEPT = "/This page also works offline/.test(document.body?.innerText)"


@pytest.fixture
def space(tmp_path: Path) -> Path:
    """The folder of a web space with the page of this program."""
    write_page(whole_page_files(), folder := tmp_path / "space")
    return folder


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, PageFile]:
    return newer_build(monkeypatch)


def link_to(address: str, named: str) -> str:
    """named: the hash of the page that it names."""
    return f"{address}#{SECRET}.{named[:32]}"


def refuses(page: Any) -> None:
    """Wait until the page says so; it goes no further, whatever its player does."""
    wait(page, ANOTHER, "the page says that it is another one")
    page.value("document.querySelector('.invited button').click()")
    assert page.value(LOADED) is False


@BROWSERS
def test_the_page_that_the_link_names_loads_whole(running: RunningBrowser, space: Path) -> None:
    with web_space(space) as address:
        page: Any = running.open(link_to(address, page_hash()))
        wait(page, f"{LOADED} && {INVITED} && {HASH} === '{page_hash()}'", "the page is there with its invitation")


def altered(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    """What lies packed stays so."""

    def alter(path: Path) -> None:
        data = path.read_bytes()
        packed = path.suffix in (".wasm", ".zip")
        changed = change(gzip.decompress(data) if packed else data)
        path.write_bytes(gzip.compress(changed) if packed else changed)

    return alter


RAN = b'postMessage(\'{"is": "older", "text": "I ran."}\');'
CHANGES = {
    "program-*.zip": lambda data: data.replace(b"Somebody", b"Nobody..", 1),
    "set-*.json": lambda data: data + b" ",
    "worker-*.js": lambda data: data + b"// another\n",
    "digests.txt": lambda data: data + b"more.txt 00\n",
    "engine-*/noble.js": lambda data: RAN + data,
    "engine-*/pyodide.js": lambda data: RAN + data,
    "engine-*/pyodide.asm.wasm": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "engine-*/python_stdlib.zip": lambda data: data + b"\0",
}


FEW = "program-*.zip", "engine-*/noble.js"
"""That each browser is tried with each time."""


@pytest.mark.parametrize(
    ("name", "part"),
    [
        pytest.param(name, part, marks=() if name == "chromium" or part in FEW else pytest.mark.slow)
        for name in ("chromium", "firefox")
        for part in CHANGES
    ],
)
def test_a_part_of_another_page_is_not_run_under_the_link(running: RunningBrowser, space: Path, part: str) -> None:
    """As a server, or whatever stands before it, may serve in the place of the page."""
    (path,) = space.glob(part)
    altered(CHANGES[part])(path)
    with web_space(space) as address:
        page: Any = running.open(link_to(address, page_hash()))
        refuses(page)
        assert "I ran." not in page.value("document.body?.innerText")


@BROWSERS
def test_another_build_is_not_run_under_the_link_and_is_without_one(
    running: RunningBrowser, space: Path, newer: Mapping[str, PageFile]
) -> None:
    put(newer, space)
    with web_space(space) as address:
        for named in (page_hash(), hash_of(newer)[:31]):
            refuses(running.open(link_to(address, named)))
        page: Any = running.open(f"{address}#{SECRET}")
        wait(page, f"{LOADED} && {INVITED}", "a link that names none leads to the page that is there")


@BROWSERS
def test_a_seated_guest_comes_back_with_any_build(
    running: RunningBrowser, space: Path, newer: Mapping[str, PageFile]
) -> None:
    """A tab that is reloaded has its link in its address still."""
    put(newer, space)
    with web_space(space) as address:
        page: Any = running.open(f"{address}hash.txt")
        page.value("sessionStorage.setItem('p2pcards.seat', 'listener')")
        page.value(f"location.assign('{link_to(address, page_hash())}')")
        wait(page, LOADED, "the page is there")


# --- a page that the browser has of an earlier visit ------------------------------------------------------------------


def keep(running: RunningBrowser, address: str) -> None:
    page: Any = running.open(address, 360, 640)
    wait(page, KEPT, "the page is kept")
    page.close()


@pytest.mark.parametrize("named", ["kept", "newer"])
@BROWSERS
def test_of_a_kept_page_and_a_newer_one_the_link_opens_the_one_that_it_names(
    running: RunningBrowser, space: Path, newer: Mapping[str, PageFile], named: str
) -> None:
    wanted = {"kept": page_hash(), "newer": hash_of(newer)}[named]
    with web_space(space) as address:
        keep(running, address)
        put(newer, space)
        page: Any = running.open(link_to(address, wanted))
        wait(page, f"{LOADED} && {INVITED} && {HASH} === '{wanted}'", f"the {named} page is there")


@BROWSERS
def test_a_kept_page_takes_no_newer_one_that_the_link_does_not_name(
    running: RunningBrowser, space: Path, newer: Mapping[str, PageFile]
) -> None:
    with web_space(space) as address:
        keep(running, address)
        put(newer, space)
        refuses(running.open(link_to(address, "0" * 64)))
        page: Any = running.open(address)
        wait(page, f"{LOADED} && {HASH} === '{page_hash()}'", "the kept page is as it was")


class LastingSpace(PlainSpace):
    """Has browsers keep what it serves for a while."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()


NO_SERVICE = {"dom.serviceWorkers.enabled": False}


def test_an_old_entry_in_the_cache_of_a_browser_is_loaded_again_for_the_link(
    space: Path, tmp_path: Path, newer: Mapping[str, PageFile]
) -> None:
    with web_space(space, LastingSpace) as address, browsing("firefox", tmp_path / "profile", NO_SERVICE) as running:
        page: Any = running.open(address)
        wait(page, f"{LOADED} && {HASH} === '{page_hash()}'", "the page is there")
        page.close()
        put(newer, space)
        page = running.open(link_to(address, hash_of(newer)))
        wait(page, f"{LOADED} && {INVITED} && {HASH} === '{hash_of(newer)}'", "the newer page is there")


@BROWSERS
def test_a_web_space_with_half_of_a_newer_page_is_loaded_again_once(
    running: RunningBrowser, space: Path, newer: Mapping[str, PageFile]
) -> None:
    """While it is copied there, file by file."""
    for name in ("digests.txt", "hash.txt"):
        (space / name).write_bytes(newer[name].content)
    with web_space(space) as address:
        page: Any = running.open(link_to(address, hash_of(newer)))
        refuses(page)
        assert page.value("performance.getEntriesByType('navigation')[0].type") == "reload"
        put(newer, space)
        page.reload()
        wait(page, f"{LOADED} && {INVITED} && {HASH} === '{hash_of(newer)}'", "the newer page is there")


def test_over_plain_http_nothing_can_be_checked_and_that_is_said(space: Path, tmp_path: Path) -> None:
    there = {"network.dns.localDomains": "page.example"}
    with web_space(space) as address, browsing("firefox", tmp_path / "profile", there) as running:
        page: Any = running.open(link_to(address.replace("127.0.0.1", "page.example"), page_hash()))
        words = "document.querySelector('[role=alert]')?.innerText"
        wait(page, f"/A browser can't check over plain http/.test({words})", "the page says so")
        assert page.value(LOADED) is False
