"""A page sits down from anywhere by a code: from a web space over https, in real browsers, through a real broker, at
the table of a real daemon."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2pcards.page.files import whole_page_files
from p2pcards.web.kept_page import write_page
from p2pcards.wire.spoken import FIRST, read_code
from rigs.lab_certificates import LabAuthority, server_context
from rigs.meeting_pages import (
    NO_HTTP2,
    RECORDED,
    begin,
    deal,
    join,
    page_at,
    play_at_once,
    play_out,
    say,
    shown_link,
    sit_down,
    two_pages,
    use,
)
from rigs.mosquitto import Mosquitto, mosquitto
from rigs.pages import RunningBrowser, browsing
from rigs.ports import lasting_port
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.qr_reading import read_qr
from rigs.web_space import web_space

pytestmark = [pytest.mark.browser, pytest.mark.reach]
BROWSERS = pytest.mark.parametrize("name", ["chromium", "firefox"])


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path_factory.mktemp("mosquitto")) as there:
        yield there


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("space")
    write_page(whole_page_files(), folder / "page")
    with web_space(folder / "page", certified=server_context(LabAuthority(folder).certificate())) as address:
        assert address.startswith("https:")
        yield address


@pytest.fixture
def browser(name: str, tmp_path: Path) -> Iterator[RunningBrowser]:
    with browsing(name, tmp_path / "profile", NO_HTTP2) as running:
        yield running


@pytest.fixture
def ann(make_program: MakeProgram, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The home of a host, who trusts the broker's authority."""
    monkeypatch.setenv("SSL_CERT_FILE", str(broker.authority.file))
    program = make_program("ann")
    program.inside().out("config", "set", "brokers", *addresses(broker))
    program.inside().out("config", "set", "ways", "broker")
    return program


def addresses(broker: Mosquitto) -> tuple[str, str]:
    """As both ends have them in their settings; a page can use the second one alone."""
    return broker.address("plain"), broker.address("web")


@contextmanager
def hosting(ann: Program) -> Iterator[tuple[AtTerminal, str]]:
    """A host at a terminal, and the code."""
    words = ("host", "--reach", "--port", "0", "--bind", "127.0.0.1", "--name", "Ann", "--plain")
    with AtTerminal(ann, *words) as host:
        yield host, host.until(r"From anywhere: p2pcards join (\d{5}-[a-z]+-[a-z]+)")[1]


ROWS = """(() => {
  const [, , size] = document.querySelector('svg.qr').getAttribute('viewBox').split(' ').map(Number);
  const dark = new Set(document.querySelector('svg.qr path').getAttribute('d').match(/\\d+ \\d+/g));
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => Number(dark.has(`${x} ${y}`))));
})()"""
TELEPHONE = "navigator.share = async (what) => { window.shared = what.url; }"
"""Has a way to share that this browser lacks."""


@BROWSERS
def test_a_code_is_enough_and_a_game_goes_through_the_broker_to_its_end(
    browser: RunningBrowser, space: str, ann: Program, broker: Mosquitto
) -> None:
    with hosting(ann) as (host, code):
        page = page_at(browser, space)
        use(page, *addresses(broker))
        sit_down(page, host, code)
        (table,) = ann.inside().data("status")["tables"]
        ways = [one["line"] for one in table["people"] if one["name"] == "Ben"]
        assert re.match(r"through (127\.0\.0\.1|localhost):\d+", ways[0]), table
        play_at_once(page)
        begin(host)
        page.once("!!document.querySelector('ul.hand li')")
        page.tab.reload()
        host.until(r"Ben is (back|playing again)")
        page.once("!!document.querySelector('ul.hand li')")
        say(page, "auto novice")
        host.type("away\r")
        host.until("The game is over")
        page.once("!!document.querySelector('.plate.winner')")
    (log,) = ann.inside().data("logs")
    assert log["state"] == "finished"


@BROWSERS
def test_each_way_in_which_nobody_is_met_has_a_sentence(
    browser: RunningBrowser, space: str, ann: Program, broker: Mosquitto
) -> None:
    plain, web = addresses(broker)
    with hosting(ann) as (host, code):
        right = read_code(code)
        page = page_at(browser, space)
        use(page, plain)
        join(page, code)
        page.until("A browser needs a broker whose address begins with wss://, and your settings have none.")
        gone = f"wss://localhost:{lasting_port()}/mqtt"
        use(page, gone)
        join(page, code)
        page.until(f"Can't reach a meeting point: This browser can't connect to {gone}: you may be offline")
        use(page, web)
        join(page, f"{right.number % 89_999 + 10_000}-{right.first}-{right.second}")
        page.until("Nobody answered at the meeting points. Check the code, and that your friend is still waiting.")
        join(page, f"{right.number}-{FIRST[FIRST.index(right.first) - 1]}-{right.second}")
        page.until("The other side")
        host.until(f"so {code} no longer works")
        join(page, code)
        page.until("dropped that code")
        join(page, f"{right.number}-{right.first}")
        page.until("isn't a code")


# --- two pages, and no program anywhere -------------------------------------------------------------------------------


@BROWSERS
def test_a_page_invites_another_and_they_play_a_game_without_any_program(
    browser: RunningBrowser, space: str, broker: Mosquitto
) -> None:
    ann, ben = two_pages(browser, space, broker, prepare=(RECORDED, RECORDED))
    deal(ann, ben)
    play_out(ann, ben)
    assert [page.tab.value("made.length") for page in (ann, ben)] == [0, 0], "their settings leave direct ways out"


GAMES = ("crazy_eights", "cribbage", "euchre", "gin_rummy", "hearts", "spades")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        pytest.param(name, key, marks=() if (name, key) == ("chromium", GAMES[0]) else pytest.mark.slow)
        for name in ("chromium", "firefox")
        for key in GAMES
    ],
)
def test_a_host_whose_tab_is_reloaded_in_a_hand_is_found_again(
    browser: RunningBrowser, space: str, broker: Mosquitto, key: str
) -> None:
    """The guest's page notices when nothing has come for a minute."""
    ann, ben = two_pages(browser, space, broker)
    deal(ann, ben, key)
    ann.tab.reload()
    ann.until("Ben is back")
    ann.once("!!document.querySelector('ul.hand li')")
    play_out(ann, ben)


@pytest.mark.parametrize("name", ["chromium"])
def test_a_host_whose_tab_is_reloaded_before_a_game_has_its_friends_and_its_link_back(
    browser: RunningBrowser, space: str, ann: Program, broker: Mosquitto
) -> None:
    """A friend in a page and one at a terminal have come by the same link."""
    cy = ann
    host, _ben = two_pages(browser, space, broker)
    link = shown_link(host)
    assert cy.inside().data("join", link, "--name", "Cy")["table"] == "t1"
    host.tab.value(TELEPHONE)
    say(host, "game hearts")
    host.push("Share")
    host.once(f"window.shared === {json.dumps(link)}")
    rows = host.tab.value(ROWS)
    assert isinstance(rows, list) and read_qr(rows) == link
    for reloaded in (False, True):
        if reloaded:
            host.tab.value("window.before = true")
            host.tab.reload()
            host.once("!window.before")
        for name in ("Ben", "Cy"):
            host.once(f"[...document.querySelectorAll('.lobby .people b')].some((one) => one.textContent === '{name}')")
        host.once(f"document.querySelector('.waits code')?.textContent === {json.dumps(link)}")
        host.once("document.querySelector('.lobby .chosen')?.textContent.includes('Hearts')")
    cy.inside().leave()
