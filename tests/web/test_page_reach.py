"""A page sits down from anywhere by a code: from a web space over https, in real browsers, through a real broker, at
the table of a real daemon."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2pcards.page.files import page_files
from p2pcards.web.kept_page import write_page
from p2pcards.wire.spoken import FIRST, read_code
from rigs.lab_certificates import LabAuthority, server_context
from rigs.mosquitto import Mosquitto, mosquitto
from rigs.page_files import PageWithFiles
from rigs.pages import RunningBrowser, browsing
from rigs.ports import lasting_port
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.short_games import short
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
    write_page(page_files(), folder / "page")
    with web_space(folder / "page", certified=server_context(LabAuthority(folder).certificate())) as address:
        assert address.startswith("https:")
        yield address


NO_HTTP2 = {"network.http.http2.websockets": False}
"""Of Firefox, to which no mosquitto speaks whose libwebsockets has HTTP/2, as Debian's has (its issue 1211)."""


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


def page_at(browser: RunningBrowser, address: str) -> PageWithFiles:
    page = PageWithFiles(browser.open(address), Path())
    page.once("!!document.querySelector('.games button')")
    return page


OPTION = "[...document.querySelectorAll('dialog[open] form.option')].find((one) => one.textContent.startsWith({label}))"
TYPE = """(() => {{
  const input = {option}.querySelector('input');
  input.value = {text};
  input.dispatchEvent(new Event('input', {{ bubbles: true }}));
}})()"""
KEEP = "(() => {{ const keep = {option}.querySelector('button'); keep?.click(); return !!keep; }})()"


def use(page: PageWithFiles, *brokers: str) -> None:
    """Those of the settings from now on."""
    option = OPTION.format(label=json.dumps("Brokers to meet at"))
    page.push("Settings")
    page.once(f"!!{option}")
    page.tab.value(TYPE.format(option=option, text=json.dumps(" ".join(brokers))))
    page.once(KEEP.format(option=option))
    page.once(f"!{option}.querySelector('button')")
    page.tab.value("document.querySelector('dialog[open] [aria-label=Close]').click()")


def join(page: PageWithFiles, code: str) -> None:
    page.push("Join a friend")
    page.once("!!document.querySelector('form.invited')")
    page.type("form.invited input", code)
    page.type("form.invited label + label input", "Ben")
    page.push("Sit down")


LOBBY = "!!document.querySelector('section.lobby')"


def sit_down(page: PageWithFiles, host: AtTerminal, code: str) -> None:
    join(page, code)
    page.once(LOBBY)
    host.until("Ben confirmed the code")


def say(page: PageWithFiles, line: str) -> None:
    page.tab.type("/")
    page.once("!!document.querySelector('.line input')")
    page.tab.type(f"{line}\r")
    page.gone(".line input")


def play_at_once(page: PageWithFiles) -> None:
    """Nothing that happens is looked at."""
    say(page, "config speed off")
    page.told("Options")


SHORT = [f"set {key}={value}" for key, value in short("crazy_eights")]


def begin(host: AtTerminal) -> None:
    host.type("\r".join(["game crazy_eights", *SHORT, "start\r"]))
    host.until("Crazy Eights begins")


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
        host.until("Ben is back at the table")
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
        page.until("A browser can only use brokers whose address begins with wss://, and your settings name none.")
        gone = f"wss://localhost:{lasting_port()}/mqtt"
        use(page, gone)
        join(page, code)
        page.until(f"No meeting point can be reached: This browser cannot connect to {gone}.")
        use(page, web)
        join(page, f"{right.number % 89_999 + 10_000}-{right.first}-{right.second}")
        page.until("Nobody answered at the meeting points. Check the code, and that the other side is still waiting.")
        join(page, f"{right.number}-{FIRST[FIRST.index(right.first) - 1]}-{right.second}")
        page.until("The one at the meeting point")
        host.until(f"so {code} is burnt")
        join(page, code)
        page.until("burnt")
        join(page, f"{right.number}-{right.first}")
        page.until("is not a code")


# --- two pages, and no program anywhere -------------------------------------------------------------------------------


def own_link(page: PageWithFiles) -> str:
    page.push("Invite a friend")
    page.once("!!document.querySelector('.waits code')")
    return str(page.tab.value("document.querySelector('.waits code').textContent"))


def two_pages(browser: RunningBrowser, space: str, broker: Mosquitto) -> tuple[PageWithFiles, PageWithFiles]:
    """Ann's, which hosts, and Ben's, who has come by her link. At another name of the machine a page has a home of its
    own."""
    elsewhere = space.replace("127.0.0.1", "localhost")
    ann, ben = page_at(browser, space), page_at(browser, elsewhere)
    for page in (ann, ben):
        use(page, broker.address("web"))
    link = own_link(ann)
    assert re.fullmatch(re.escape(space) + r"#\d{5}-[a-z]+-[a-z]+", link)
    ben.go_to(link.replace(space, elsewhere))
    ben.tab.reload()
    ben.until("a public message broker brings the two of you together")
    ben.type(".invited input", "Ben")
    ben.push("Sit down")
    ben.once(LOBBY)
    ann.until("Ben confirmed the code")
    for page in (ann, ben):
        play_at_once(page)
    for line in ("game crazy_eights", *SHORT, "start"):
        say(ann, line)
    for page in (ann, ben):
        page.once("!!document.querySelector('ul.hand li')")
    return ann, ben


def play_out(*pages: PageWithFiles) -> None:
    for page in pages:
        say(page, "auto novice")
    for page in pages:
        page.once("!!document.querySelector('.plate.winner')")


@BROWSERS
def test_a_page_invites_another_and_they_play_a_game_without_any_program(
    browser: RunningBrowser, space: str, broker: Mosquitto
) -> None:
    play_out(*two_pages(browser, space, broker))


@pytest.mark.parametrize("name", ["chromium"])
def test_a_host_whose_tab_is_reloaded_in_a_hand_is_found_again(
    browser: RunningBrowser, space: str, broker: Mosquitto
) -> None:
    """The guest's page notices when nothing has come for a minute."""
    ann, ben = two_pages(browser, space, broker)
    ann.tab.reload()
    ann.until("Ben is back at the table")
    ann.once("!!document.querySelector('ul.hand li')")
    play_out(ann, ben)
