"""The page from a web space, in real browsers: alone in it without any host, every game; back after a reload and a kill;
and from there to the table of a real host."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import ThreadingHTTPServer
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID

from p2pcards.games.names import GAME_NAMES
from p2pcards.page.files import files_to_lie, page_hash
from p2pcards.web.kept_page import write_page
from rigs.browser import Browser, ShownPage
from rigs.pages import Friend, RunningBrowser, ShownTab, browsing
from rigs.paging import take_turns, text, wait
from rigs.program import MakeProgram, Program
from rigs.spaces import PlainSpace, PoorSpace, address_of, serving

pytestmark = pytest.mark.browser

WHOLE = 400
"""Deeds of one's own in a hand, more than any takes."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `web build` writes."""
    there = tmp_path_factory.mktemp("space")
    write_page(files_to_lie(), there)
    return there


@pytest.fixture(scope="session")
def space(folder: Path) -> Iterator[str]:
    with serving(folder) as server:
        yield address_of(server)


def click(page: ShownTab, found: str, words: str = "") -> None:
    """The first of these in which the words stand."""
    page.value(f"[...document.querySelectorAll({found!r})].find(one => one.textContent.includes({words!r})).click()")


def fill(page: ShownTab, label: str, words: str) -> None:
    page.value(
        f"(one => {{ one.value = {words!r}; one.dispatchEvent(new Event('input', {{bubbles: true}})); }})"
        f"([...document.querySelectorAll('label')].find(one => one.textContent.startsWith({label!r}))"
        ".querySelector('input'))"
    )


def begin(page: ShownTab, key: str) -> None:
    """A game alone, from the list of games to one's turn."""
    wait(page, "!!document.querySelector('.games button')", "the games are listed")
    click(page, ".games button", GAME_NAMES[key])
    wait(page, "!!document.querySelector('dialog[open] .main')", "the game is looked at")
    click(page, "dialog[open] .main")
    wait(page, "!!document.querySelector('.felt .plate')", "the table is shown")
    wait(page, "!!document.querySelector('.prompt p.due')", "it is my turn")


def at_once(page: ShownPage) -> None:
    """Nothing that happens is looked at from now on."""
    page.type("'")
    wait(page, "!!document.querySelector('.line input')", "a line can be typed")
    page.type("config speed off\r")


@pytest.mark.parametrize("key", GAME_NAMES)
def test_a_hand_of_each_game_alone(browser: Browser, space: str, key: str) -> None:
    page = browser.open(space, 360, 640)
    begin(page, key)
    at_once(page)
    assert take_turns(page, WHOLE, "0")[-1] == "over"
    page.close()
