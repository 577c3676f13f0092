"""Pages become direct: in real browsers, which meet at a real broker, and with programs that have libdatachannel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcards.page.files import whole_page_files
from p2pcards.web.kept_page import write_page
from rigs.apart import way_of
from rigs.lab_certificates import LabAuthority, server_context
from rigs.meeting_pages import (
    ALL_CLOSED,
    CONNECTED,
    DIRECT,
    NO_HTTP2,
    RECORDED,
    SHORT,
    deal,
    join,
    own_link,
    page_at,
    play_at_once,
    play_out,
    play_with_host,
    say,
    two_pages,
    use,
)
from rigs.mosquitto import Mosquitto, mosquitto
from rigs.pages import RunningBrowser, browsing
from rigs.ports import lasting_port
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.web_space import web_space

pytestmark = pytest.mark.browser
BROWSERS = pytest.mark.parametrize("name", ["chromium", "firefox"])
CHROMIUM = pytest.mark.parametrize("name", ["chromium"])

WAYS = "direct broker"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as there:
        yield there


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("space")
    write_page(whole_page_files(), folder / "page")
    with web_space(folder / "page", certified=server_context(LabAuthority(folder).certificate())) as address:
        yield address


@pytest.fixture
def browser(name: str, tmp_path: Path) -> Iterator[RunningBrowser]:
    with browsing(name, tmp_path / "profile", NO_HTTP2) as running:
        yield running


@pytest.fixture
def stun() -> str:
    """Nobody answers at the second one, and no browser asks the first one, as its port is one that they block."""
    return f"127.0.0.1:9 127.0.0.1:{lasting_port()}"


@pytest.mark.reach
@BROWSERS
def test_two_pages_play_a_game_without_the_broker_at_which_they_met(
    browser: RunningBrowser, space: str, broker: Mosquitto, stun: str
) -> None:
    ann, ben = two_pages(browser, space, broker, WAYS, stun, prepare=(RECORDED, RECORDED))
    for page in (ann, ben):
        page.once(DIRECT)
    broker.kill()
    deal(ann, ben)
    play_out(ann, ben)
    assert ann.tab.value(CONNECTED) == 1
    say(ben, "leave yes")
    for page in (ann, ben):
        page.once(ALL_CLOSED)


MISSING = "void delete window.RTCPeerConnection"
REFUSING = """(() => {
  window.asked = 0;
  window.RTCPeerConnection = class {
    constructor() { asked += 1; throw new DOMException('off', 'NotSupportedError'); }
  };
})()"""


@pytest.mark.reach
@CHROMIUM
def test_pages_whose_browser_connects_to_nobody_stay_at_the_broker(
    browser: RunningBrowser, space: str, broker: Mosquitto, stun: str
) -> None:
    ann, ben = two_pages(browser, space, broker, WAYS, stun, prepare=(MISSING, REFUSING))
    ben.once("asked > 0")
    deal(ann, ben)
    play_out(ann, ben)


FLOODED = """(() => {
  const channel = window.channel = { readyState: 'open', close() {} };
  window.ended = 0;
  window.RTCPeerConnection = class {
    createDataChannel() { return channel; }
    async setLocalDescription() { setTimeout(() => {
      for (let sent = 0; sent < 10_000 && channel.onmessage; sent++) {
        channel.onmessage({ data: new ArrayBuffer(4096) });
        window.sent = sent;
      }
    }); }
    get localDescription() { return { type: 'offer', sdp: '' }; }
    close() { window.ended += 1; }
  };
})()"""


@pytest.mark.reach
@CHROMIUM
def test_a_page_that_is_flooded_closes_the_connection_before_its_worker_has_read(
    browser: RunningBrowser, space: str, broker: Mosquitto, stun: str
) -> None:
    ann, ben = two_pages(browser, space, broker, WAYS, stun, prepare=("0", FLOODED))
    ben.once("ended > 0")
    assert 4 << 20 < ben.tab.value("(sent + 1) * (4096 + 256)") < 5 << 20
    deal(ann, ben)
    play_out(ann, ben)


# --- with a program ---------------------------------------------------------------------------------------------------


@pytest.fixture
def bob(make_program: MakeProgram, broker: Mosquitto, stun: str) -> Program:
    """The home of somebody at a terminal."""
    program = make_program("bob")
    for words in (("brokers", broker.address("plain")), ("ways", *WAYS.split()), ("stun", *stun.split())):
        program.inside().out("config", "set", *words)
    return program


TO_PAGE = r"direct [^\s,)]+, round trip"


@pytest.mark.direct
@BROWSERS
def test_a_page_joins_a_program_and_they_play_without_the_broker(
    browser: RunningBrowser, space: str, bob: Program, broker: Mosquitto, stun: str
) -> None:
    words = ("host", "--reach", "--port", "0", "--bind", "127.0.0.1", "--name", "Bob", "--plain")
    with AtTerminal(bob, *words) as host:
        code = host.until(r"From anywhere: p2pcards join (\d{5}-[a-z]+-[a-z]+)")[1]
        page = page_at(browser, space)
        use(page, broker.address("web"), ways=WAYS, stun=stun)
        join(page, code)
        host.until("Ben confirmed the code")
        page.once(DIRECT)
        way_of(bob.inside(), TO_PAGE)
        broker.kill()
        play_with_host(page, host)
    (log,) = bob.data("logs")
    assert log["state"] == "finished"


@pytest.mark.direct
@CHROMIUM
def test_a_program_joins_a_page_and_they_play_without_the_broker(
    browser: RunningBrowser, space: str, bob: Program, broker: Mosquitto, stun: str
) -> None:
    page = page_at(browser, space)
    use(page, broker.address("web"), ways=WAYS, stun=stun)
    bob.inside().data("join", own_link(page).partition("#")[2], "--name", "Bob", "--auto", "novice")
    page.once(DIRECT)
    way_of(bob.inside(), TO_PAGE)
    broker.kill()
    play_at_once(page)
    for line in ("game crazy_eights", *SHORT, "start", "auto novice"):
        say(page, line)
    page.once("!!document.querySelector('.plate.winner')")
    (log,) = bob.inside().data("logs")
    assert log["state"] == "finished"
