"""How a command comes to a table: one conversation with the daemon, the hosts to be called, what a friend needs to
know, and sitting down."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, replace
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from p2pcards.cli.command import (
    SIGNALLED,
    Failure,
    Seating,
    at_terminal,
    behind_the_screen,
    columns,
    draws_bars,
    our_home,
    question,
    say,
    show,
    shows_colours,
    takes_suits,
)
from p2pcards.control.exits import DAEMON, NETWORK, USAGE

if TYPE_CHECKING:
    from pathlib import Path

    from p2pcards.control.client import Client
    from p2pcards.control.messages import (
        Admission,
        Host,
        Open,
        OpenHost,
        OpenLine,
        OpenListen,
        TableOpened,
        TableStatus,
    )
    from p2pcards.links.lan import Found
    from p2pcards.store.files import Home


# --- one conversation with the daemon ---------------------------------------------------------------------------------


T = TypeVar("T")

GLANCE = 1.0
"""Seconds that the daemon has to tell which tables are open."""


class NotRunning(Failure):
    """No daemon runs, and none was to be started."""


def ask(
    home: Home,
    conversation: Callable[[Client], Awaitable[T]],
    *,
    start: bool,
    any_build: bool = False,
    deadline: float = math.inf,
) -> T:
    """What the conversation returns. start, any_build: as in `control.client.connect`; deadline: seconds for all of
    it. At a terminal, a daemon of another build is replaced if the person wants it. Raises Failure."""
    import trio

    from p2pcards.control.client import connect
    from p2pcards.control.declined import OTHER_BUILD, Declined, NoDaemon, OtherBuild

    async def talk() -> T:
        with trio.fail_after(deadline):
            async with connect(home, start=start, any_build=any_build) as client:
                return await conversation(client)

    try:
        return trio.run(talk)
    except OtherBuild as other:
        offered = f"{OTHER_BUILD} Restart it? Your games pick up where they left off. (y/n) "
        if not at_terminal() or question(offered).lower() not in ("y", "yes"):
            raise Failure(str(other), other.code) from None
    except NoDaemon as nobody:
        raise NotRunning(str(nobody), nobody.code) from None
    except trio.TooSlowError:
        raise Failure("The daemon is running but doesn't answer. 'p2pcards status' shows more.", DAEMON) from None
    except Declined as declined:
        raise Failure(str(declined), declined.code) from None
    stop_daemon(home)
    return ask(home, conversation, start=True, any_build=any_build)


ENDING = 10.0
"""Seconds that the daemon has to end once its tables are closed."""


def stop_daemon(home: Home) -> str:
    """Of whatever build, until it has ended; what it says. Raises Failure, NotRunning among it."""
    said = ask(home, lambda client: client.stop(), start=False, any_build=True)
    check_ended(home.lock, ENDING)
    return said


def check_ended(lock: Path, seconds: float) -> None:
    """Wait until the daemon that holds this lock has ended. Raises Failure if it goes on for longer than that."""
    from p2pcards.daemon.lock import wait_until_free

    if not wait_until_free(lock, seconds):
        raise Failure(
            f"The tables are closed and the games saved, but the daemon is still running after {seconds:.0f} s. "
            f"Try 'p2pcards stop' again, or kill {lock.read_text().strip()}",
            DAEMON,
        )


def open_tables(home: Home) -> tuple[TableStatus, ...]:
    """Those that there are, where a daemon runs. Raises Failure."""
    if not home.socket.exists():
        return ()
    try:
        return ask(home, lambda client: client.status(), start=False, deadline=GLANCE).tables
    except NotRunning:
        return ()


def wants_screen(seating: Seating) -> bool:
    """Whether the table is shown on the full screen: on a terminal that can be painted, unless lines are wanted."""
    from p2pcards.store.settings import usable_settings

    lines = seating.plain or seating.line or os.environ.get("P2PCARDS_LINE")
    if lines or not at_terminal() or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return usable_settings(our_home()).settings.screen


@dataclass(frozen=True, slots=True)
class Wish:
    """A table that a command is to open or show."""

    request: Open | None  # opens the table; None if it is open already
    table: str = ""  # its name; "" if it has none yet
    told: Callable[[TableOpened], list[str]] = lambda _: []  # makes the lines shown first at the table
    failed: Callable[[str], None] = lambda _: None  # gets the reason if the table could not be opened


_wishes: ContextVar[list[Wish] | None] = ContextVar("wishes", default=None)
"""Where the title screen has the terminal, the tables that commands mean are put here; it opens them itself."""


def wish_of(command: Callable[[], object]) -> Wish | None:
    """The table that a command means, which it neither opens nor shows; None for none. Raises what the command does."""

    def run() -> Wish | None:
        wishes: list[Wish] = []
        behind_the_screen.set(True)
        _wishes.set(wishes)
        command()
        return next(iter(wishes), None)

    return copy_context().run(run)


def wish_to_sit(table: str) -> bool:
    """Whether the title screen takes it over to sit down at a table that is open."""
    if (wishes := _wishes.get()) is None:
        return False
    wishes.append(Wish(None, table))
    return True


def sit_at_screen(home: Home, table: str, seating: Seating, told: Sequence[str] = ()) -> None:
    """Play at a table on the full screen. table: "" is the only or latest one; told: what is to be read there first.
    Raises Failure, and Exit where a signal ended it."""
    import typer

    from p2pcards.cli.sitting import screen_sitting
    from p2pcards.control.declined import Declined, NoDaemon
    from p2pcards.tui.app import run_screen

    try:
        ended, number = run_screen(home, table, screen_sitting(home, seating), told)
    except NoDaemon as nobody:
        raise NotRunning(str(nobody), nobody.code) from None
    except Declined as declined:
        raise Failure(str(declined), declined.code) from None
    if at_terminal():  # it may have been closed
        say(ended)
    if number:
        raise typer.Exit(SIGNALLED + number)


async def sit_down(client: Client, home: Home, table: str, seating: Seating) -> str:
    """Play at a table in line mode; how that ended, as `run_line_mode` says it. table: "" is the only or latest one."""
    from p2pcards.cli.line import run_line_mode
    from p2pcards.frontend.manner import manner_of
    from p2pcards.present.cards import Style
    from p2pcards.store.settings import PACES, usable_settings

    settings, faults = usable_settings(home)
    for fault in faults:
        say(fault)
    attached = await client.attach(table, PACES[settings.speed] if at_terminal() else 0.0)
    dumb = seating.plain or os.environ.get("TERM", "dumb") == "dumb"
    coloured = sys.stdout.isatty() and not dumb and not os.environ.get("NO_COLOR")
    style = Style(seating.ascii or not takes_suits(), coloured)
    return await run_line_mode(
        attached,
        manner_of(home, settings, terminal=at_terminal(), rings=sys.stdout.isatty(), changeable=not faults),
        style,
        input=sys.stdin,
        output=sys.stdout,
        interactive=at_terminal() and not dumb,
    )


# --- whom `p2pcards connect` calls ------------------------------------------------------------------------------------


LISTENERS = 3
PATIENCE = 1.0
"""Seconds in which somebody nearby answers."""


def hosts_to_call(home: Home, named: Sequence[str], partner: str = "", codes: Sequence[str] = ()) -> tuple[Host, ...]:
    """The hosts, each once, a known peer by their name or by an address; partner: one of them, or one more; codes: one
    for each, in their order, or none. A host of "-" is asked for. Raises Failure."""
    from p2pcards.control.messages import Host
    from p2pcards.links.address import BadAddress, canonical, text_of_link
    from p2pcards.store.identity import address_of, load_peers

    peers, named = load_peers(home), [_read_address() if text == "-" else text for text in named]
    if not codes and any(linked := [text_of_link(text)[1] for text in named]):
        codes = linked
    try:
        addresses = dict.fromkeys(canonical(address_of(peers, text)) for text in named)
        opposite = canonical(address_of(peers, partner)) if partner else ""
    except BadAddress as bad:
        raise Failure(str(bad), USAGE) from None
    if opposite:
        addresses[opposite] = None
    if len(addresses) > LISTENERS:
        raise Failure(f"{len(addresses)} friends is too many: a table seats at most four.", USAGE)
    given = [code_text(code) for code in codes]
    if given and len(given) != len(addresses):
        raise Failure(
            f"{_count(len(given), 'code')} for {_count(len(addresses), 'host')}: give one for each, in order. "
            "Or call only people you know, and invite the others from the table: invite HOST CODE",
            USAGE,
        )
    given = given or [""] * len(addresses)
    return tuple([Host(one, one == opposite, code) for one, code in zip(addresses, given, strict=True)])


def _read_address() -> str:
    """From the input, so that no list of processes shows the code in a link. Raises Failure."""
    from p2pcards.links.address import LONGEST

    asked = "Paste your friend's link, or type their address: "
    typed = question(asked) if at_terminal() else sys.stdin.readline(LONGEST).strip()
    if not typed:
        raise Failure(
            "No link or address was given. Type it in place of '-', or send a file: p2pcards join - < FILE", USAGE
        )
    return typed


def code_text(typed: str) -> str:
    """A code as it is spelled; "" for none. Raises Failure."""
    from p2pcards.wire.spoken import BadCode, read_code

    try:
        return str(read_code(typed)) if typed else ""
    except BadCode as bad:
        raise Failure(str(bad), USAGE) from None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def nearby(home: Home, as_json: bool, codes: Sequence[str] | None = None) -> tuple[Host, ...]:
    """Those whom a person at a terminal chooses among the listeners that are found on the network. Elsewhere they are
    printed, and nobody is called. Raises Failure."""
    import trio

    from p2pcards.links.lan import probe

    found = trio.run(probe, PATIENCE)
    if not found and not as_json:
        raise Failure(
            "Nobody on this network is waiting. Ask your friend to run 'p2pcards listen --lan', or give their "
            "address: p2pcards connect HOST",
            NETWORK,
        )
    data = [facts(home, one) for one in found]
    rows = [(str(number), *one.values()) for number, one in enumerate(data, 1)]
    show(data, columns([("", "name", "address", "key", "known as"), *rows]), as_json)
    if as_json or not at_terminal():
        return ()
    return hosts_to_call(home, [data[number - 1]["address"] for number in _choice(len(data))], "", codes or ())


def facts(home: Home, found: Found) -> dict[str, str]:
    """Who listens there."""
    from p2pcards.links.address import format_address
    from p2pcards.store.identity import by_key, load_peers
    from p2pcards.wire.keys import fingerprint
    from p2pcards.wire.names import given_name

    known = by_key(load_peers(home), found.key)
    return {
        "name": given_name(found.name) or "stranger",
        "address": format_address(found.host, found.port),
        "fingerprint": fingerprint(found.key),
        "known_as": known.name if known else "",
    }


def _choice(count: int) -> list[int]:
    """The numbers that a person chooses, of 1 to count; none for an empty answer."""
    while True:
        answer = question("Who do you want to call? Type numbers, or press Enter to cancel: ")
        words = answer.replace(",", " ").split()
        if all(word.isdecimal() and 1 <= int(word) <= count for word in words):
            return [int(word) for word in words]
        say(f"Type numbers from 1 to {count}.")


# --- what to send to a friend whose call one waits for, and what may stand in the way of that call --------------------


WAYS_OUT = (
    "  - Use the same network, or one VPN (such as WireGuard or Tailscale).",
    "  - Forward TCP port {port} in your router to this machine. Your friend then",
    "    calls the router's public address.",
    "  - Use a machine you both reach by ssh: you run   ssh -R {port}:localhost:{port} you@example.org",
    "    and your friend   p2pcards {verb} localhost:{port} --via 'ssh -W %h:%p friend@example.org'",
    "  - Use Tor, if you both have it: add --onion.",
)
WAYS_OUT_OF_A_LINK = (
    "  - Use the same network, or one VPN (such as WireGuard or Tailscale).",
    "  - Forward TCP port {port} in your router to this machine. Put the router's",
    "    public address in the link instead of this one.",
    "  - Let your own web server pass requests and WebSockets on to port {port}.",
    "    Put its address in the link instead.",
)
"""A page can neither wait for a call nor go by a command."""
OTHER_WAY = {
    "connect": "  - Or let your friend host, and join them.",
    "join": "  - Or let your friend listen, and connect to them.",
}


def invitation(
    addresses: Sequence[tuple[str, str]],
    port: int,
    lan: bool,
    verb: str,
    admission: Admission,
    code: str = "",
    bind: str = "",
    web: bool = False,
    anywhere: bool = False,
    lasting: str = "",
) -> list[str]:
    """addresses: (address, "public", "private" or "loopback"), as `links.tcp.own_addresses` finds them. verb: the
    command of the one who comes. code: for a first meeting, "" where there is none. bind: the one address at which the
    table waits, "" for all. web: there is a page, so a link is what is sent. anywhere: it waits at meeting points,
    too; lasting: the link that leads there."""
    from p2pcards.links.address import format_address, link_to

    calls = {kind: [] for kind in ("public", "private", "loopback")}  # type: dict[str, list[str]]
    for address, kind in addresses:
        link = link_to(address, port, code)
        call = _call(f"{verb} {format_address(address, port)}", code)
        calls[kind].append(f"    {link}" if web else call)
    nearby = ["On your own network, 'p2pcards connect' with no address finds you."] if lan else []
    if anywhere and not web:
        return [*_from_anywhere(calls, verb, admission, code, lasting), *nearby, *_who_comes_in(admission, code)]
    too = ", for browsers too" if web else ""
    lines = [f"From anywhere: p2pcards {verb} {code}"] if anywhere and code else []
    lines += [f"Waiting only at {format_address(bind, port)}{too}." if bind else f"Waiting on port {port}{too}."]
    what = "link" if web else "line"
    if calls["public"]:
        lines += [f"Send this {what} to your friend:", *calls["public"]]
    if calls["private"]:
        among = "For a friend on your own network:" if calls["public"] else f"Send this {what} to your friend:"
        lines += [among, *calls["private"]]
    if not calls["public"] and calls["private"]:
        private = "That's a private address, so it works only on your own network."
        lines += [private] if anywhere else [f"{private} For friends elsewhere:", *_ways(port, verb, web)]
    if not calls["public"] and not calls["private"]:
        nowhere = "This machine isn't on a network, so this works only here:"
        lines += ["That address works only on this machine:" if bind else nowhere, *calls["loopback"]]
    if web:
        lines.append(f"With p2pcards installed, your friend can type: p2pcards {verb} 'LINK'")
    return [*lines, *nearby, *_who_comes_in(admission, code, web)]


def _call(call: str, code: str) -> str:
    """What a friend types, a line. code: "" for none."""
    return f"    p2pcards {call}" + (f" --code {code}" if code else "")


def _from_anywhere(
    calls: Mapping[str, Sequence[str]], verb: str, admission: Admission, code: str, lasting: str
) -> list[str]:
    """calls: the commands that call an address, by who can use it. lasting: the link that leads here."""
    by_code = [f"From anywhere: p2pcards {verb} {code}"] if code else []
    if admission.known_only:
        by_code = [f"From anywhere, for people you know: p2pcards {verb} meet:NAME"]
    by_link = []
    if code and lasting:
        by_link = [f"With a link for all your friends ({_opens(lasting, verb)}):", f"    {lasting}"]
    by_address = ["By address:", *calls["public"]] if calls["public"] else []
    nearby = ["On your own network:", *calls["private"]] if calls["private"] else []
    return [*by_code, *by_link, *by_address, *nearby]


def _opens(link: str, verb: str) -> str:
    typed = f"p2pcards {verb} -"
    return f"in a browser, or {typed}" if link.startswith("https:") else typed


ANYONE = "Without it, anyone can join by address, but you can't tell who it is."


def bind_address(typed: str, lan: bool = False) -> str:
    """The one address to wait at, "" where none was given. Raises Failure."""
    import ipaddress

    if not typed:
        return ""
    try:
        address = ipaddress.ip_address(typed.strip("[]"))
    except ValueError:
        raise Failure(
            f"'{typed[:60]}' isn't an IP address. --bind takes one of this machine's, such as 127.0.0.1 or ::1.",
            USAGE,
        ) from None
    if address.is_unspecified:
        raise Failure(f"{address} means all addresses of this machine. Leave out --bind to wait on all of them.", USAGE)
    if lan and address.version == 6:
        raise Failure("--lan works over IPv4 only. Give --bind an IPv4 address, or leave out --lan.", USAGE)
    return str(address)


def onion_address(bind: str, onion: bool, shown: bool) -> str:
    """The address to wait at, with --onion that of this machine alone, where tor calls. shown: another option shows
    somebody where we are. Raises Failure."""
    if onion and (shown or bind not in ("", "127.0.0.1")):
        raise Failure("--onion hides where you are, so leave out --bind, --web, --lan and --reach.", USAGE)
    return "127.0.0.1" if onion else bind


def onion_invitation(onion: str, verb: str, admission: Admission, code: str) -> list[str]:
    """For somebody who comes through Tor. onion: the address there."""
    return [
        "Waiting on Tor. Send this line to your friend, who needs Tor, too:",
        _call(f"{verb} {onion}", code),
        *_who_comes_in(admission, code),
    ]


def line_invitation(cable: bool, admission: Admission, code: str = "", call: str = "dial NUMBER") -> list[str]:
    """The same for somebody who waits at a modem or a null-modem cable. call: the command of the caller."""
    if cable:
        waits = ["Waiting on the cable. At the other end, type:", _call("connect --cable DEVICE", code)]
    else:
        waits = ["Waiting for a call. Tell your friend your phone number:", _call(call, code)]
    return [*waits, *_who_comes_in(admission, code)]


def _who_comes_in(admission: Admission, code: str, web: bool = False) -> list[str]:
    if admission.known_only:
        return ["Only people you know can join ('p2pcards peers list')."]
    if not code:
        return []
    others = "Nobody else can join." if admission.require_code else ANYONE
    if web:
        return [
            "The code in it works once, for ten minutes. 'link' at the table and 'p2pcards status' show the new link.",
            "People you know can use an old one, too.",
            others if admission.require_code else f"{ANYONE} A browser needs the code.",
        ]
    return ["The code works once, for ten minutes; then you get a new one. People you know don't need it.", others]


def _ways(port: int, verb: str, web: bool) -> list[str]:
    if web:
        return [line.format(port=port) for line in WAYS_OUT_OF_A_LINK]
    return [*[line.format(port=port, verb=verb) for line in WAYS_OUT], OTHER_WAY[verb]]


# --- opening a table --------------------------------------------------------------------------------------------------


def refuse_seed(seed: str | None) -> None:
    if seed is not None:
        raise Failure(
            "--seed works only when you play alone: with friends, everyone shuffles. Leave it out.",
            USAGE,
        )


def refuse_reach_off(reach: bool | None) -> None:
    """Raises Failure."""
    from p2pcards.daemon.reach import reach_of, why_off
    from p2pcards.store.settings import usable_settings

    settings = usable_settings(our_home()).settings
    if reach and reach_of(settings) == "off":
        raise Failure(why_off(settings), USAGE)


def calling(addresses: Sequence[str]) -> str:
    """For a person who waits."""
    from p2pcards.wire.address import is_meeting

    named = dict.fromkeys("your friend through the brokers" if is_meeting(one) else one for one in addresses)
    return f"Calling {', '.join(named)} ..."


def notice(text: str) -> None:
    """For a person who waits."""
    if draws_bars():
        say(text, sys.stderr)


def open_table(
    request: Open,
    seating: Seating,
    told: Callable[[TableOpened], list[str]] = lambda _: [],
    failed: Callable[[str], None] = lambda _: None,
) -> None:
    """told: what to say before sitting down; failed: is told why nothing came of it."""
    if (wishes := _wishes.get()) is not None:
        wishes.append(Wish(request, told=told, failed=failed))
        return
    ended = "canceled"
    try:
        _open_table(request, seating, told)
        ended = ""
    except Failure as failure:
        ended = str(failure)
        raise
    finally:
        if ended:
            failed(ended)


def _open_table(request: Open, seating: Seating, told: Callable[[TableOpened], list[str]]) -> None:
    from p2pcards.store.settings import usable_settings

    home = our_home()

    async def talk(client: Client) -> tuple[str, list[str]] | None:
        opened = await client.open(request, notice)
        lines = told(opened)
        if seating.detached or seating.as_json:
            back = f"Table {opened.table} is open. To sit down: p2pcards attach {opened.table}"
            data = {"table": opened.table, "port": opened.port, "new": opened.new, "code": opened.code or None}
            data |= {"link": opened.link} if opened.link else {}
            data |= {"anywhere": True} if opened.anywhere else {}
            for fault in usable_settings(home).faults:
                say(fault, sys.stderr)
            show(data, [*lines, back], seating.as_json)
            return None
        if wants_screen(seating):
            return opened.table, lines
        if lines:
            say("\n".join(lines))
        await sit_down(client, home, opened.table, seating)
        return None

    with _screen_at_hand() if wants_screen(seating) else nullcontext():
        at_screen = ask(home, talk, start=True)
    if at_screen:
        table, lines = at_screen
        sit_at_screen(home, table, seating, lines)


def wait_for_friends(request: OpenListen | OpenLine | OpenHost, seating: Seating) -> None:
    """Open a table that waits, and say whom it lets in and how they come."""
    from p2pcards.control.messages import OpenLine, OpenListen
    from p2pcards.links.address import DEFAULT_PORT
    from p2pcards.links.tcp import kind_of, own_addresses
    from p2pcards.store.settings import usable_settings
    from p2pcards.wire.invitation import has_invitation

    bind = "" if isinstance(request, OpenLine) else request.bind
    serial = None if isinstance(request, OpenListen) else request.serial
    if not isinstance(request, OpenLine) and serial is None and request.port is None:
        request = replace(request, port=usable_settings(our_home()).settings.port or DEFAULT_PORT)
    verb, lan = ("connect", request.lan) if isinstance(request, OpenListen) else ("join", False)

    def told(opened: TableOpened) -> list[str]:
        known = [] if opened.new else [f"You're already waiting there, at table {opened.table}."]
        if serial is not None:
            call = "dial NUMBER" if isinstance(request, OpenLine) else "join tel:NUMBER"
            return [*known, *line_invitation(serial.cable, request.admission, opened.code, call)]
        if not isinstance(request, OpenLine) and request.onion:
            return [*known, *onion_invitation(opened.link, verb, request.admission, opened.code)]
        addresses = [(bind, kind_of(bind))] if bind else own_addresses()
        web = not isinstance(request, OpenLine) and request.web
        port, code, admission = opened.port or 0, opened.code, request.admission
        lasting = opened.link if has_invitation(opened.link) else ""
        ways = invitation(addresses, port, lan, verb, admission, code, bind, web, opened.anywhere, lasting)
        drawn = [] if wants_screen(seating) else _drawn(_for_telephone(opened, web, addresses[0]))
        return [*known, *ways, *drawn]

    open_table(request, seating, told)


def _for_telephone(opened: TableOpened, web: bool, first: tuple[str, str]) -> str:
    """The link that a telephone can follow, "" for none. first: our first address, and who reaches it."""
    from p2pcards.links.address import link_to

    address, reached_by = first
    if not web:
        return opened.link if opened.link.startswith("https:") else ""
    return link_to(address, opened.port or 0, opened.code) if opened.code and reached_by != "loopback" else ""


def _drawn(link: str) -> list[str]:
    """As a QR code, where a terminal shows one."""
    from shutil import get_terminal_size

    from p2pcards.present.qr import qr_lines

    if not link or not (shows_colours() and takes_suits()):
        return []
    drawn = qr_lines(link, get_terminal_size().columns)
    return ["Scan with a phone:", *drawn] if drawn else []


@contextmanager
def _screen_at_hand() -> Iterator[None]:
    """The program of the screen is read while a daemon starts, which takes as long."""
    reading = Thread(target=import_module, args=("p2pcards.tui.app",))
    reading.start()
    try:
        yield
    finally:
        reading.join()
