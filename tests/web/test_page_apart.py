"""Pages in homes behind routers: Chromium in the NAT laboratory, with real mosquitto and coturn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from p2pcards.page.files import page_files
from p2pcards.web.kept_page import write_page
from rigs.apart import STUN_PORT, TCP, at, homes_apart, hosting, is_punched, other_pairs, way_of, with_environment
from rigs.browser import Browser, chromium
from rigs.lab_certificates import LabAuthority, server_context
from rigs.meeting_pages import (
    ALL_CLOSED,
    CONNECTED,
    DIRECT,
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
from rigs.nat import SERVERS, Home, Kind, Laboratory
from rigs.page_files import PageWithFiles
from rigs.program import PROGRAM, MakeProgram, Program
from rigs.web_space import web_space

pytestmark = pytest.mark.browser

PAGE, BROKER = (SERVERS[1], 8443), f"wss://{SERVERS[2]}:8884/mqtt"
BROKER_LINES = """
listener 8884
protocol websockets
allow_anonymous true
certfile {0}
keyfile {1}
"""


@pytest.fixture(scope="module")
def apart(nat_allowed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Laboratory, str]]:
    """With a page on a web space, and its address."""
    folder = tmp_path_factory.mktemp("public")
    certificate = LabAuthority(folder).certificate((PAGE[0], SERVERS[2]))
    write_page(page_files(), folder / "page")
    with homes_apart(folder, BROKER_LINES.format(*certificate)) as lab:
        listening = lab.public.listening(PAGE)
        with listening, web_space(folder / "page", certified=server_context(certificate), at=listening) as address:
            yield lab, address


@contextmanager
def browser_in(home: Home, folder: Path) -> Iterator[Browser]:
    script = folder / "chromium"
    script.write_text(f'#!/bin/sh\nexec {" ".join(home.entry)} {chromium()} "$@"\n')
    script.chmod(0o755)
    browser = Browser(str(script), folder / "profile")
    try:
        yield browser
    finally:
        browser.end()


PAIRS = [
    (Kind.PORT_RESTRICTED, Kind.PORT_RESTRICTED),
    (Kind.FULL_CONE, Kind.SYMMETRIC),
    (Kind.SYMMETRIC, Kind.SYMMETRIC),
    (Kind.NO_UDP, Kind.FULL_CONE),
]
OF_IPV4 = [kind for kind in Kind if kind is not Kind.IPV6]
"""The web space of the laboratory has no other address."""


@pytest.mark.reach
@pytest.mark.parametrize(("waits", "calls"), [*PAIRS, *other_pairs(PAIRS, OF_IPV4)])
def test_two_pages_play_by_the_way_that_their_routers_leave(
    apart: tuple[Laboratory, str], tmp_path: Path, waits: Kind, calls: Kind
) -> None:
    lab, address = apart
    direct = is_punched(waits, calls)
    with ExitStack() as stack:
        pages = []
        for name, home in (("ann", lab.homes[f"{waits}1"]), ("ben", lab.homes[f"{calls}2"])):
            (folder := tmp_path / name).mkdir()
            pages.append(page_at(stack.enter_context(browser_in(home, folder)), address))
            use(pages[-1], BROKER, ways="direct broker", stun=f"{SERVERS[0]}:{STUN_PORT}")
            pages[-1].tab.value(RECORDED)
        ann, ben = pages
        come_by_link(ann, ben, address, address, RECORDED)
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
    apart: tuple[Laboratory, str], modem_pair: ModemPair, make_program: MakeProgram, tmp_path: Path
) -> None:
    lab, address = apart
    homes = [lab.homes[f"{kind}1"] for kind in FOUR]
    ann = at(homes[0], tmp_path / "ann", "tcp", "router", "broker", environment=modem_pair.environment)
    bob = at(homes[1], tmp_path / "bob", "tcp", "router", "broker")
    dee = Program(make_program("dee").home, command=[*with_environment(modem_pair.environment), *PROGRAM])
    dee.out("listen", "--modem", modem_pair.devices["b"], "--name", "Dee", "--auto", "novice", "--detached")
    ann.out("config", "set", "device", modem_pair.devices["a"])
    ann.out("config", "set", "page", address)
    with hosting(ann) as (host, code), browser_in(homes[2], tmp_path) as browser:
        link = host.until(rf"{re.escape(address)}#[a-z2-7]{{42}}")[0]
        bob.data("join", code, "--name", "Bob", "--auto", "novice")
        host.until("Bob confirmed the code")
        host.type(f"invite tel:{modem_pair.numbers['b']}\r")
        host.until("Dee sits down")
        page = page_at(browser, address)
        use(page, BROKER)
        page.go_to(link)
        page.tab.reload()
        page.until("a public message broker brings the two of you together")
        page.type(".invited input", "Ben")
        page.push("Sit down")
        host.until("Ben came by the link")
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
        page.push("Save the log of this game")
        logs = [*[one.data("logs")[0]["file"] for one in (ann, bob, dee)], str(page.saved())]
        host.type("leave yes\r")
        assert host.end() == 0
    found = ann.data("verify", *logs)["logs"]
    assert [one["state"] for one in found] == 4 * ["finished"]
    assert len({one["head"] for one in found}) == 1


@pytest.mark.direct
def test_a_page_joins_a_program_in_another_home_and_plays_directly(
    apart: tuple[Laboratory, str], tmp_path: Path
) -> None:
    lab, address = apart
    homes = [lab.homes[f"{Kind.PORT_RESTRICTED}{number}"] for number in (1, 2)]
    bob = at(homes[0], tmp_path / "bob", "direct", "broker")
    with hosting(bob) as (host, code), browser_in(homes[1], tmp_path) as browser:
        page = page_at(browser, address)
        use(page, BROKER, ways="direct broker", stun=f"{SERVERS[0]}:{STUN_PORT}")
        join(page, code)
        host.until("Ben confirmed the code")
        page.once(DIRECT)
        way_of(bob, rf"direct {re.escape(homes[1].outside)}:\d+")
        play_with_host(page, host)
    (log,) = bob.data("logs")
    assert log["state"] == "finished"
