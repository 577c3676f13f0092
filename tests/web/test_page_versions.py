"""A page and a host of different editions, and a page of which a part is missing: each says so, and what to do."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from p2pcards.control.client import connect
from p2pcards.control.messages import Host, Open, OpenHost, OpenJoin, Persona, Rules
from p2pcards.control.protocol import to_plain
from p2pcards.page.files import page_hash, whole_page_files
from p2pcards.web.kept_page import write_page
from p2pcards.wire.records import VERSION
from rigs.homes import MakeHome
from rigs.other_edition import OtherEdition
from rigs.pages import Friend, RunningBrowser
from rigs.served import wait_until
from rigs.web_space import web_space

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("name", ["chromium", "firefox"])]

AGAIN = re.compile("[Rr]eload (it|the page)")
"""What a page says that lacks a part."""
OLDER, NEWER = (
    "runs an older p2pcards. Ask them to update it",
    "runs a newer p2pcards. Update yours, or reload this page",
)


@pytest.fixture
def other() -> Iterator[OtherEdition]:
    place = Path(mkdtemp(prefix="p2p"))  # pytest's own can be too long for a socket
    program = OtherEdition(place)
    yield program
    program.end()
    shutil.rmtree(place)


def seat_at(port: int | None, code: str) -> object:
    there = Host(f"ws://127.0.0.1:{port}", code=code)
    return to_plain(Open, OpenJoin(there, Persona("Ben", "betty", auto="novice")))


async def test_a_page_and_a_host_of_different_versions_of_the_protocol(
    running: RunningBrowser, make_home: MakeHome, other: OtherEdition
) -> None:
    """An old page at a newer host, and a newer page at an old host."""
    other.change("wire/records.py", f"\nVERSION = {VERSION}\n", f"\nVERSION = {VERSION + 1}\n")
    newer = other.host()
    async with connect(make_home("ann")) as client:
        older = await client.open(OpenHost(0, Rules("hearts"), Persona("Ann"), bind="127.0.0.1", web=True))
        page = Friend.at(running, f"http://127.0.0.1:{older.port}/")
        await page.hear("ready")
        page.say("open", request=seat_at(newer["port"], newer["code"]))
        await page.hear("refused", NEWER)
        page = Friend.at(running, f"http://127.0.0.1:{newer['port']}/")
        await page.hear("ready")
        page.say("open", request=seat_at(older.port, older.code))
        await page.hear("refused", OLDER)


async def test_a_page_that_stood_open_while_its_hosts_program_was_updated(
    running: RunningBrowser, other: OtherEdition
) -> None:
    port = other.host()["port"]
    page = Friend.at(running, f"http://127.0.0.1:{port}/")
    await page.hear("ready")
    other.end()
    other.change("page/worker.js", '"use strict";', '"use strict"; // as it is now')
    page.say("open", request=seat_at(port, other.host(port)["code"]))
    await page.hear("older", "Reload the page")
    await page.hear("table")


@pytest.mark.parametrize("part", ["page", "worker", "program"])
def test_a_part_of_another_build_is_missed_in_a_sentence(running: RunningBrowser, tmp_path: Path, part: str) -> None:
    folder = tmp_path / "space"
    write_page(whole_page_files(), folder)
    for path in folder.glob(f"{part}-*"):
        path.rename(folder / f"{part}-0000000000000000{path.suffix}")
    with web_space(folder) as address:
        tab = running.open(address)
        where = "main.waiting" if part == "page" else "[role=alert]"
        words = f"document.querySelector('{where}')?.innerText"
        wait_until(lambda: AGAIN.search(str(tab.value(words))) is not None, "the page says so")


def test_a_page_on_any_web_space_shows_its_hash(running: RunningBrowser, tmp_path: Path) -> None:
    """As `web build` writes it and `web verify` compares it."""
    folder = tmp_path / "space"
    write_page(whole_page_files(), folder)
    with web_space(folder) as address:
        tab = running.open(address)
        words = "document.querySelector('.hash code')?.textContent"
        wait_until(lambda: page_hash() in str(tab.value(words)), "the page shows it")
