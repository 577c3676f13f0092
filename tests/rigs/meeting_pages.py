"""Pages in real browsers that meet at a broker: their settings, a table that one invites to, and a game."""

from __future__ import annotations

import json
import re
from pathlib import Path

from p2pcards.page.files import page_hash
from rigs.mosquitto import Mosquitto
from rigs.page_files import PageWithFiles
from rigs.pages import RunningBrowser
from rigs.program import AtTerminal
from rigs.short_games import short

NO_HTTP2 = {"network.http.http2.websockets": False}
"""Of Firefox, to which no mosquitto speaks whose libwebsockets has HTTP/2, as Debian's has (its issue 1211)."""


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


def use(page: PageWithFiles, *brokers: str, ways: str = "broker", stun: str = "") -> None:
    """Those of the settings from now on."""
    page.push("Settings")
    for label, text in (("Brokers", " ".join(brokers)), ("Ways to connect", ways), ("STUN servers", stun)):
        _set_option(page, OPTION.format(label=json.dumps(label)), text)
    page.tab.value("document.querySelector('dialog[open] [aria-label=Close]').click()")


def _set_option(page: PageWithFiles, option: str, text: str) -> None:
    page.once(f"!!{option}")
    if page.tab.value(f"{option}.querySelector('input').value") != text:
        page.tab.value(TYPE.format(option=option, text=json.dumps(text)))
        page.once(KEEP.format(option=option))
        page.once(f"!{option}.querySelector('button')")


def join(page: PageWithFiles, code: str) -> None:
    page.push("Join a friend")
    page.once("!!document.querySelector('form.invited')")
    page.type("form.invited input", code)
    page.type("form.invited label + label input", "Ben")
    page.push("Sit down")


DIRECT = "/, direct( [^,]+)?, /.test(document.querySelector('section.lobby .people')?.innerText)"
"""Whether the only friend is, by what the lobby of a page shows."""
RECORDED = """(() => {
  const made = window.made = [];
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...given) { super(...given); made.push(this); }
  };
})()"""
"""Run in a page, keeps the connections that it makes from then on."""
CONNECTED = "made.filter((one) => one.connectionState === 'connected').length"
ALL_CLOSED = "made.length > 0 && made.every((one) => one.connectionState === 'closed')"
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


def play_with_host(page: PageWithFiles, host: AtTerminal) -> None:
    """A short game, by computer players at both ends, to its end."""
    play_at_once(page)
    begin(host)
    page.once("!!document.querySelector('ul.hand li')")
    say(page, "auto novice")
    host.type("away\r")
    host.until("The game is over")


def own_link(page: PageWithFiles) -> str:
    page.push("Invite a friend")
    return shown_link(page)


def shown_link(page: PageWithFiles) -> str:
    page.once("!!document.querySelector('.waits code')")
    return str(page.tab.value("document.querySelector('.waits code').textContent"))


def two_pages(
    browser: RunningBrowser,
    space: str,
    broker: Mosquitto,
    ways: str = "broker",
    stun: str = "",
    prepare: tuple[str, str] = ("0", "0"),
) -> tuple[PageWithFiles, PageWithFiles]:
    """Ann's, which hosts, and Ben's, who has come by her link. At another name of the machine a page has a home of its
    own. ways, stun: the settings of both. prepare: what is run in each before they meet."""
    elsewhere = space.replace("127.0.0.1", "localhost")
    ann, ben = page_at(browser, space), page_at(browser, elsewhere)
    for page in (ann, ben):
        use(page, broker.address("web"), ways=ways, stun=stun)
    ann.tab.value(prepare[0])
    come_by_link(ann, ben, space, elsewhere, prepare[1])
    return ann, ben


def come_by_link(ann: PageWithFiles, ben: PageWithFiles, space: str, elsewhere: str, prepare: str) -> None:
    """Ben sits down at a table of Ann. elsewhere: the address of the space in his page."""
    link = own_link(ann)
    assert re.fullmatch(rf"{re.escape(space)}#[a-z2-7]{{42}}\.{page_hash()[:32]}", link)
    ben.go_to(link.replace(space, elsewhere))
    ben.tab.reload()
    ben.until("A public message broker connects you to your friend")
    ben.tab.value(prepare)
    ben.type(".invited input", "Ben")
    ben.push("Sit down")
    ben.once(LOBBY)
    ann.until("Ben joined through the link")


OF_PARTNERS = ("euchre", "spades")


def deal(ann: PageWithFiles, ben: PageWithFiles, key: str = "crazy_eights") -> None:
    """A short game at the table of the first."""
    for page in (ann, ben):
        play_at_once(page)
    for line in (f"game {key}", *[f"set {option}={value}" for option, value in short(key)], "start"):
        say(ann, line)
    if key in OF_PARTNERS:
        ann.once("/Is Ben your partner/.test(document.querySelector('dialog[open]')?.innerText)")
        ann.push("Yes")
    for page in (ann, ben):
        page.once("!!document.querySelector('ul.hand li')")


def play_out(*pages: PageWithFiles) -> None:
    for page in pages:
        say(page, "auto novice")
    for page in pages:
        page.once("!!document.querySelector('.plate.winner')")
