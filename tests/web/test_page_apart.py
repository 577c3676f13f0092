"""Pages in homes behind routers: real browsers in the NAT laboratory, with real mosquitto and coturn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from p2pcards.page.files import whole_page_files
from p2pcards.web.kept_page import write_page
from rigs.apart import (
    TCP,
    all_pairs,
    at,
    homes_apart,
    hosting,
    is_punched,
    server,
    stun_server,
    way_of,
    with_environment,
)
from rigs.lab_certificates import LabAuthority, server_context
from rigs.meeting_pages import (
    ALL_CLOSED,
    CONNECTED,
    DIRECT,
    NO_HTTP2,
    RECORDED,
    come_by_link,
    deal,
    join,
    page_at,
    play_out,
    play_with_host,
    say,
    use,
)
from rigs.modem.dosbox_modems import ModemPair
from rigs.nat import SERVERS, SERVERS_V6, Home, Kind, Laboratory
from rigs.page_files import PageWithFiles
from rigs.pages import RunningBrowser, browsing
from rigs.program import PATIENT, MakeProgram, Program
from rigs.web_space import web_space

pytestmark = pytest.mark.browser

PAGE_PORT, BROKER_PORT = 8443, 8884
BROKER_LINES = """
listener {2}
protocol websockets
allow_anonymous true
certfile {0}
keyfile {1}
"""


def page_for(home: Home) -> str:
    return f"https://{server(1, home)}:{PAGE_PORT}/"


def broker_for(home: Home) -> str:
    return f"wss://{server(2, home)}:{BROKER_PORT}/mqtt"


@pytest.fixture(scope="module")
def apart(nat_allowed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    """With a page on a web space."""
    folder = tmp_path_factory.mktemp("public")
    places = [(addresses[1], PAGE_PORT) for addresses in (SERVERS, SERVERS_V6)]
    certificate = LabAuthority(folder).certificate((SERVERS[1], SERVERS[2], SERVERS_V6[1], SERVERS_V6[2]))
    write_page(whole_page_files(), folder / "page")
    with homes_apart(folder, BROKER_LINES.format(*certificate, BROKER_PORT)) as lab, ExitStack() as stack:
        for place in places:
            listening = stack.enter_context(lab.public.listening(place))
            space = web_space(folder / "page", certified=server_context(certificate), at=listening)
            stack.enter_context(space)
        yield lab


def browser_in(home: Home, folder: Path, name: str = "chromium") -> AbstractContextManager[RunningBrowser]:
    folder.mkdir(exist_ok=True)
    return browsing(name, folder / "profile", NO_HTTP2, home)


PAIRS = [
    (Kind.PORT_RESTRICTED, Kind.PORT_RESTRICTED),
    (Kind.FULL_CONE, Kind.SYMMETRIC),
    (Kind.SYMMETRIC, Kind.SYMMETRIC),
    (Kind.NO_UDP, Kind.FULL_CONE),
]


@pytest.mark.reach
@pytest.mark.parametrize(("name", "waits", "calls"), [*all_pairs(PAIRS, "chromium"), *all_pairs([], "firefox")])
def test_two_pages_play_by_the_way_that_their_routers_leave(
    apart: Laboratory, tmp_path: Path, name: str, waits: Kind, calls: Kind
) -> None:
    homes = apart.homes[f"{waits}1"], apart.homes[f"{calls}2"]
    direct = is_punched(waits, calls)
    with ExitStack() as stack:
        pages = []
        for number, home in enumerate(homes):
            browser = stack.enter_context(browser_in(home, tmp_path / str(number), name))
            pages.append(page_at(browser, page_for(home)))
            use(pages[-1], broker_for(home), ways="direct broker", stun=stun_server(home))
            pages[-1].tab.value(RECORDED)
        ann, ben = pages
        come_by_link(ann, ben, page_for(homes[0]), page_for(homes[1]), RECORDED)
        if direct:
            for page in pages:
                page.once(DIRECT)
        deal(ann, ben)
        play_out(ann, ben)
        if direct:
            assert [page.tab.value(CONNECTED) for page in pages] == [1, 1]
        else:
            assert [page.tab.value(f"{CONNECTED} === 0 && made.length > 0") for page in pages] == [True, True]
        say(ben, "leave yes")
        for page in pages:
            page.once(ALL_CLOSED)


FOUR = (Kind.PCP, Kind.SYMMETRIC, Kind.PORT_RESTRICTED)
"""The routers of a host and a friend at terminals, and of a page."""


@pytest.mark.reach
@pytest.mark.modem
def test_four_play_by_a_mapped_port_a_page_and_a_telephone_line(
    apart: Laboratory, modem_pair: ModemPair, make_program: MakeProgram, tmp_path: Path
) -> None:
    homes = [apart.homes[f"{kind}1"] for kind in FOUR]
    address = page_for(homes[2])
    ann = at(homes[0], tmp_path / "ann", "tcp", "router", "broker", environment=modem_pair.environment)
    bob = at(homes[1], tmp_path / "bob", "tcp", "router", "broker")
    dee = Program(make_program("dee").home, command=[*with_environment(modem_pair.environment), *PATIENT])
    dee.out("listen", "--modem", modem_pair.devices["b"], "--name", "Dee", "--auto", "novice", "--detached")
    ann.out("config", "set", "device", modem_pair.devices["a"])
    ann.out("config", "set", "page", address)
    with hosting(ann) as (host, code), browser_in(homes[2], tmp_path) as browser:
        link = host.until(rf"{re.escape(address)}#[a-z2-7]{{42}}")[0]
        bob.data("join", code, "--name", "Bob", "--auto", "novice")
        host.until("Bob confirmed the code")
        host.type(f"invite tel:{modem_pair.numbers['b']}\r")
        host.until("Dee joins the table")
        page = page_at(browser, address)
        use(page, broker_for(homes[2]))
        page.go_to(link)
        page.tab.reload()
        page.until("A public message broker connects you to your friend")
        page.type(".invited input", "Ben")
        page.push("Sit down")
        host.until("Ben joined through the link")
        way_of(bob, TCP)
        (table,) = ann.data("status")["tables"]
        lines = {one["name"]: one["line"] for one in table["people"]}
        assert re.match(TCP, lines["Bob"]) and lines["Ben"].startswith("through ") and " bps, " in lines["Dee"], lines
        play_with_host(page, host)
        page.once("!!document.querySelector('.plate.winner')")
        (saved := tmp_path / "saved").mkdir()
        browser.save_into(saved)
        page = PageWithFiles(page.tab, saved)
        page.push("Menu")
        page.push("Save this game's log")
        logs = [*[one.data("logs")[0]["file"] for one in (ann, bob, dee)], str(page.saved())]
        host.type("leave yes\r")
        assert host.end() == 0
    found = ann.data("verify", *logs)["logs"]
    assert [one["state"] for one in found] == 4 * ["finished"]
    assert len({one["head"] for one in found}) == 1


@pytest.mark.direct
def test_a_page_joins_a_program_in_another_home_and_plays_directly(apart: Laboratory, tmp_path: Path) -> None:
    homes = [apart.homes[f"{Kind.PORT_RESTRICTED}{number}"] for number in (1, 2)]
    bob = at(homes[0], tmp_path / "bob", "direct", "broker")
    with hosting(bob) as (host, code), browser_in(homes[1], tmp_path) as browser:
        page = page_at(browser, page_for(homes[1]))
        use(page, broker_for(homes[1]), ways="direct broker", stun=stun_server(homes[1]))
        join(page, code)
        host.until("Ben confirmed the code")
        page.once(DIRECT)
        way_of(bob, rf"direct {re.escape(homes[1].outside)}:\d+")
        play_with_host(page, host)
    (log,) = bob.data("logs")
    assert log["state"] == "finished"
