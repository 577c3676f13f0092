"""A friend plays in a page, which nobody can call, and the host's machine is gone."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from p2pcards.daemon.reach import VARIABLE
from p2pcards.page.files import whole_page_files
from p2pcards.store.files import find_home
from p2pcards.web.kept_page import write_page
from rigs.homes import daemon_pid, wait_until_ended
from rigs.lab_certificates import LabAuthority, server_context
from rigs.meeting_pages import LOBBY, NO_HTTP2, join, page_at, play_at_once, say, use
from rigs.mosquitto import mosquitto
from rigs.page_files import PageWithFiles, saving
from rigs.pages import RunningBrowser
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.programs_at_tables import here, playing, tables, until
from rigs.web_space import web_space

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("name", ["chromium", "firefox"])]

LINK = r"http://127\.0\.0\.1:\d+/#[\w-]+"
ANYWHERE = r"(\d{5}-[a-z]+-[a-z]+)"
HAND = "!!document.querySelector('ul.hand li')"


@pytest.fixture
def browser(name: str, tmp_path: Path) -> Iterator[RunningBrowser]:
    with saving(name, tmp_path, NO_HTTP2) as (running, _):
        yield running


@pytest.fixture
def ann(make_program: MakeProgram) -> Program:
    return at_home(make_program, "ann")


@pytest.fixture
def bob(make_program: MakeProgram) -> Program:
    return at_home(make_program, "bob")


def at_home(make_program: MakeProgram, name: str) -> Program:
    """Somebody who uses no brokers."""
    program = make_program(name).inside()
    program.out("config", "set", "reach", "off")
    return program


@contextmanager
def hosting(ann: Program) -> Iterator[AtTerminal]:
    options = ("--web", "0", "--bind", "127.0.0.1", "--name", "Ann", "--grace", "3", "--plain")
    with AtTerminal(ann, "host", *options) as host:
        yield host


def fresh_link(host: AtTerminal) -> str:
    """Each lets one friend in."""
    host.type("code\r")
    return host.until(LINK)[0]


def sit_down(page: PageWithFiles) -> None:
    """Cy does."""
    page.until("You're invited to play")
    page.type(".invited input", "Cy")
    page.push("Sit down")
    page.once(LOBBY)


def cy_at(browser: RunningBrowser, host: AtTerminal, folder: Path) -> PageWithFiles:
    """Cy's page, which uses no brokers and has sat down."""
    page = PageWithFiles(browser.open(fresh_link(host)), folder / "saved")
    sit_down(page)
    say(page, "config reach off")
    page.told("Options")
    play_at_once(page)
    host.until("Cy confirmed the code")
    return page


def invite(host: AtTerminal, bob: Program) -> None:
    """Bob waits to be called, and is."""
    port = bob.data("listen", "--port", "0", "--bind", "127.0.0.1", "--name", "Bob")["port"]
    host.type(f"invite 127.0.0.1:{port}\r")
    host.until("Bob joins the table")


def begin(host: AtTerminal, bob: Program, page: PageWithFiles) -> None:
    """Until Cy has cards. The hand is short: a page takes half a second for each card. It waits for Cy."""
    bob.out("attach", said="auto novice\n")
    host.type("game oh_hell\rset start_cards=3\rstart\r")
    page.once(HAND)


def kill(ann: Program) -> None:
    home = find_home({"P2PCARDS_HOME": str(ann.home)})
    os.kill(daemon_pid(home), signal.SIGKILL)
    wait_until_ended(home)


def play_on(ann: Program, bob: Program, page: PageWithFiles, *people: str) -> None:
    """The people named play on, the first of them as the host; Ann comes back, and the new host ends the game."""
    bob_hosts = people[0] == "Bob"
    page.until(f"{'Bob hosts' if bob_hosts else 'You host'} now; hand 1 is dealt again")
    until(lambda: playing(bob, *people))
    page.once(HAND)
    come_back(ann, page)
    if bob_hosts:
        bob.out("attach", said="end yes\n")
    else:
        say(page, "end yes")
    verify(ann, bob, page)


def come_back(ann: Program, page: PageWithFiles) -> None:
    """Ann has her seat again, once the hand is over that is played without her, and plays."""
    ann.out("resume", "--detached")
    until(lambda: len(here(ann)) == 3)
    say(page, "auto novice")
    said = ""
    while not re.search(r"(?s)You take over from.*takes? the trick", said):
        said += until(lambda: ann.out("attach", said="auto novice\n"))


def verify(ann: Program, bob: Program, page: PageWithFiles) -> None:
    """All have the same log of the game, which the host has ended."""
    until(lambda: all(tables(one)[0]["phase"] == "lobby" for one in (ann, bob)))
    page.once(LOBBY)
    page.push("Menu")
    page.push("Save this game's log")
    logs = [*[one.data("logs")[0]["file"] for one in (ann, bob)], str(page.saved())]
    found = json.loads(ann("verify", *logs, "--json").stdout)["logs"]
    assert len({one["head"] for one in found}) == 1
    assert all(hand["proven"] for one in found for hand in one["hands"])


def test_a_page_calls_the_successor_who_listens(
    browser: RunningBrowser, ann: Program, bob: Program, tmp_path: Path
) -> None:
    with hosting(ann) as host:
        invite(host, bob)
        page = cy_at(browser, host, tmp_path)
        begin(host, bob, page)
        kill(ann)
    play_on(ann, bob, page, "Bob", "Cy")


def test_a_page_that_is_first_in_line_calls_the_others(
    browser: RunningBrowser, ann: Program, bob: Program, tmp_path: Path
) -> None:
    with hosting(ann) as host:
        page = cy_at(browser, host, tmp_path)
        invite(host, bob)
        begin(host, bob, page)
        kill(ann)
    play_on(ann, bob, page, "Cy", "Bob")


TOO_FEW = "Too few players are here to go on without Ann."


@pytest.mark.parametrize("first", ["page", "terminal"])
def test_where_nobody_can_be_called_all_are_told_and_play_on_if_they_like(
    browser: RunningBrowser, ann: Program, bob: Program, tmp_path: Path, first: str
) -> None:
    """Bob waits nowhere. Whoever comes first in line gives up, and the other tries in their turn."""
    with hosting(ann) as host:
        if first == "page":
            page = cy_at(browser, host, tmp_path)
        bob.out("join", fresh_link(host), "--name", "Bob", "--detached")
        host.until("Bob confirmed the code")
        if first != "page":
            page = cy_at(browser, host, tmp_path)
        begin(host, bob, page)
        kill(ann)
    page.until(TOO_FEW)
    with AtTerminal(bob, "attach", "--plain") as seat:
        seat.until(TOO_FEW.replace(" ", r"\s+"))
        seat.type("continue\r")
        seat.until(r"Ann's\s+machine\s+is\s+gone\.\s+You\s+host\s+now")
        seat.until("Hand 1 is over")


CONNECTED = "New client connected"
"""In the broker's log."""


@pytest.mark.reach
def test_a_page_and_a_terminal_that_joined_meet_at_a_broker(
    browser: RunningBrowser, ann: Program, bob: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waited there as long as the host was here."""
    monkeypatch.delenv(VARIABLE)
    with mosquitto(tmp_path) as broker, hosting(ann) as host:
        for setting in (("reach", "on"), ("brokers", broker.address("plain")), ("ways", "broker")):
            bob.out("config", "set", *setting)
        bob.out("join", link := fresh_link(host), "--name", "Bob", "--detached")
        host.until("Bob confirmed the code")
        page = PageWithFiles(page_at(browser, link.partition("#")[0]).tab, tmp_path / "saved")
        use(page, broker.address("web"))
        page.go_to(fresh_link(host))
        page.tab.reload()
        sit_down(page)
        host.until("Cy confirmed the code")
        begin(host, bob, page)
        assert CONNECTED not in (tmp_path / "log").read_text()
        kill(ann)
        play_on(ann, bob, page, "Bob", "Cy")
        assert CONNECTED in (tmp_path / "log").read_text()


@pytest.mark.reach
def test_a_page_and_a_terminal_that_came_by_codes_meet_at_their_broker(
    browser: RunningBrowser, ann: Program, bob: Program, tmp_path: Path
) -> None:
    with mosquitto(tmp_path) as broker, ExitStack() as stack:
        write_page(whole_page_files(), tmp_path / "page")
        certified = server_context(LabAuthority(tmp_path).certificate())
        space = stack.enter_context(web_space(tmp_path / "page", certified=certified))
        for one in (ann, bob):
            for setting in (("reach", "asked"), ("brokers", broker.address("plain")), ("ways", "broker")):
                one.out("config", "set", *setting)
        options = ("--reach", "--port", "0", "--bind", "127.0.0.1", "--name", "Ann", "--grace", "3", "--plain")
        with AtTerminal(ann, "host", *options) as host:
            page = PageWithFiles(page_at(browser, space).tab, tmp_path / "saved")
            use(page, broker.address("web"))
            join(page, host.until(ANYWHERE)[1])
            host.until("Ben confirmed the code")
            host.type("code\r")
            bob.out("join", host.until(ANYWHERE)[1], "--name", "Bob", "--detached")
            host.until("Bob confirmed the code")
            begin(host, bob, page)
            kill(ann)
        play_on(ann, bob, page, "Ben", "Bob")


def test_a_page_that_watches_finds_the_next_host(
    browser: RunningBrowser, ann: Program, bob: Program, make_program: MakeProgram, tmp_path: Path
) -> None:
    """It came by the link for watching, and calls Bob over a WebSocket."""
    cy = at_home(make_program, "cy")
    with hosting(ann) as host:
        page = PageWithFiles(browser.open(fresh_link(host).replace("#", "?watch#")), tmp_path / "saved")
        page.until("You're invited to watch")
        page.type(".invited input", "Wes")
        page.push("Watch")
        host.until("wants to watch")
        host.type("watchers yes\r")
        page.until("Ann")
        for one, name in ((bob, "Bob"), (cy, "Cy")):
            port = one.data("listen", "--port", "0", "--bind", "127.0.0.1", "--name", name)["port"]
            host.type(f"invite 127.0.0.1:{port}\r")
            host.until(f"{name} joins the table")
        host.type("game hearts\rstart\r")
        until(lambda: all(playing(one, "Ann", "Bob", "Cy") for one in (bob, cy)))
        page.until("You're watching")
        kill(ann)
    page.until("Bob hosts now; hand 1 is next")
    until(lambda: "Wes: watching" in cy.out("attach", said="who\n"))
