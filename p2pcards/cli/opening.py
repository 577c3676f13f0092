"""How a command comes to a table: one conversation with the daemon, the hosts to be called, what a friend needs to
know, and sitting down."""

from __future__ import annotations

import ipaddress
import math
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, replace
from importlib import import_module
from shutil import get_terminal_size
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

import typer

from p2pcards.cli.command import SIGNALLED, Failure, current_home
from p2pcards.cli.terminal import (
    ask_line,
    ask_yes,
    behind_the_screen,
    can_print_suits,
    draws_bars,
    is_interactive,
    print_result,
    print_text,
    shows_colours,
)
from p2pcards.control.exits import DAEMON, NETWORK, USAGE
from p2pcards.games.wording import quantity_text
from p2pcards.present.width import align_columns

if TYPE_CHECKING:
    from pathlib import Path

    from p2pcards.cli.options import AdmissionOptions, PortOptions, Seating
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
    """No daemon is running, and none was to be started."""


def run_conversation(
    home: Home,
    conversation: Callable[[Client], Awaitable[T]],
    *,
    start: bool,
    any_build: bool = False,
    deadline: float = math.inf,
    begun: int | None = None,
) -> T:
    """Connect to the daemon, and return what the conversation returns. start, any_build: as in
    `control.client.connect`; deadline: seconds for all of it; begun: what `begin_daemon` returned. At a terminal, a
    daemon of another build is replaced if the person agrees. Raises Failure."""
    import trio

    from p2pcards.control.client import connect
    from p2pcards.control.declined import OTHER_BUILD, Declined, NoDaemon, OtherBuild
    from p2pcards.control.spawning import wait_until_ready

    async def talk() -> T:
        with trio.fail_after(deadline):
            async with connect(home, start=start, any_build=any_build) as client:
                return await conversation(client)

    wait_until_ready(begun)
    try:
        return trio.run(talk)
    except OtherBuild as other:
        offered = f"{OTHER_BUILD} Restart it? Your games pick up where they left off. (y/n) "
        if not is_interactive() or not ask_yes(offered):
            raise Failure(str(other), other.code) from None
    except NoDaemon as nobody:
        raise NotRunning(str(nobody), nobody.code) from None
    except trio.TooSlowError:
        raise Failure("The daemon is running but doesn't answer. 'p2pcards status' shows more.", DAEMON) from None
    except Declined as declined:
        raise Failure(str(declined), declined.code) from None
    stop_daemon(home)
    return run_conversation(home, conversation, start=True, any_build=any_build)


ENDING = 10.0
"""Seconds that the daemon has to end once its tables are closed."""


def stop_daemon(home: Home) -> str:
    """Stop the daemon, of whatever build, wait until it has ended, and return the confirmation. Raises Failure, or
    NotRunning."""
    said = run_conversation(home, lambda client: client.stop(), start=False, any_build=True)
    wait_for_daemon_end(home.lock, ENDING)
    return said


def wait_for_daemon_end(lock: Path, seconds: float) -> None:
    """Wait until the daemon that holds this lock has ended. Raises Failure if it runs for longer than these seconds."""
    from p2pcards.daemon.lock import wait_until_free

    if not wait_until_free(lock, seconds):
        raise Failure(
            f"The tables are closed and the games saved, but the daemon is still running after {seconds:.0f} s. "
            f"Try 'p2pcards stop' again, or kill {lock.read_text().strip()}",
            DAEMON,
        )


def list_open_tables(home: Home) -> tuple[TableStatus, ...]:
    """The open tables; none where no daemon runs. Raises Failure."""
    if not home.socket.exists():
        return ()
    try:
        return run_conversation(home, lambda client: client.status(), start=False, deadline=GLANCE).tables
    except NotRunning:
        return ()


def wants_screen(seating: Seating) -> bool:
    """Return whether to use the full screen: the terminal can be painted, and no option asks for lines."""
    from p2pcards.store.settings import usable_settings

    lines = seating.plain or seating.line or os.environ.get("P2PCARDS_LINE")
    if lines or not is_interactive() or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return usable_settings(current_home()).settings.screen


@dataclass(frozen=True, slots=True)
class Wish:
    """A table that a command is to open or show."""

    request: Open | None  # opens the table; None if it is open already
    table: str = ""  # its name; "" if it has none yet
    told: Callable[[TableOpened], list[str]] = lambda _: []  # makes the lines shown first at the table
    failed: Callable[[str], None] = lambda _: None  # gets the reason if the table could not be opened


_wishes: ContextVar[list[Wish] | None] = ContextVar("wishes", default=None)
"""Where the title screen has the terminal, the tables that commands mean are put here; it opens them itself."""


def capture_wish(command: Callable[[], object]) -> Wish | None:
    """Run a command without opening the table that it asks for, and return that; None where it asks for none. Raises
    what the command raises."""

    def run() -> Wish | None:
        wishes: list[Wish] = []
        behind_the_screen.set(True)
        _wishes.set(wishes)
        command()
        return next(iter(wishes), None)

    return copy_context().run(run)


def hand_over_to_title(table: str) -> bool:
    """Hand sitting down at this open table over to the title screen, if it runs; False otherwise."""
    if (wishes := _wishes.get()) is None:
        return False
    wishes.append(Wish(None, table))
    return True


def sit_at_screen(home: Home, table: str, seating: Seating, told: Sequence[str] = ()) -> None:
    """Play at a table on the full screen. table: its name, "" for the only or latest one; told: lines to show first.
    Raises Failure, and Exit where a signal ended it."""
    from p2pcards.cli.sitting import screen_manner_reader
    from p2pcards.control.declined import Declined, NoDaemon
    from p2pcards.tui.app import run_screen

    try:
        ended, number = run_screen(home, table, screen_manner_reader(home, seating), told)
    except NoDaemon as nobody:
        raise NotRunning(str(nobody), nobody.code) from None
    except Declined as declined:
        raise Failure(str(declined), declined.code) from None
    if is_interactive():  # it may have been closed
        print_text(ended)
    if number:
        raise typer.Exit(SIGNALLED + number)


async def sit_in_lines(client: Client, home: Home, table: str, seating: Seating) -> str:
    """Play at a table in line mode, and return how it ended, as `run_line_mode`. table: its name, "" for the only or
    latest one."""
    from p2pcards.cli.line import run_line_mode
    from p2pcards.frontend.manner import read_manner
    from p2pcards.present.cards import Style
    from p2pcards.store.settings import PACES, usable_settings

    settings, faults = usable_settings(home)
    for fault in faults:
        print_text(fault)
    attached = await client.attach(table, PACES[settings.speed] if is_interactive() else 0.0)
    dumb = seating.plain or os.environ.get("TERM", "dumb") == "dumb"
    coloured = sys.stdout.isatty() and not dumb and not os.environ.get("NO_COLOR")
    style = Style(seating.ascii or not can_print_suits(), coloured)
    return await run_line_mode(
        attached,
        read_manner(home, settings, terminal=is_interactive(), rings=sys.stdout.isatty(), changeable=not faults),
        style,
        input=sys.stdin,
        output=sys.stdout,
        interactive=is_interactive() and not dumb,
    )


# --- whom `p2pcards connect` calls ------------------------------------------------------------------------------------


LISTENERS = 3
PATIENCE = 1.0
"""Seconds in which somebody nearby answers."""


def resolve_hosts(home: Home, named: Sequence[str], partner: str = "", codes: Sequence[str] = ()) -> tuple[Host, ...]:
    """The hosts to call, each once, given by address or by a known peer's name. partner: one of them, or one more;
    codes: one for each in order, or none. A host of "-" is asked for. Raises Failure."""
    from p2pcards.control.messages import Host
    from p2pcards.links.address import BadAddress, canonical, text_of_link
    from p2pcards.store.identity import address_of, load_peers

    peers, named = load_peers(home), [ask_address() if text == "-" else text for text in named]
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
    given = [parse_code(code) for code in codes]
    if given and len(given) != len(addresses):
        raise Failure(
            f"{quantity_text(len(given), 'code')} for {quantity_text(len(addresses), 'host')}: give one for each, in "
            "order. Or call only people you know, and invite the others from the table: invite HOST CODE",
            USAGE,
        )
    given = given or [""] * len(addresses)
    return tuple([Host(one, one == opposite, code) for one, code in zip(addresses, given, strict=True)])


def ask_address() -> str:
    """Read an address from the input, so that no process list shows the code in a link. Raises Failure."""
    from p2pcards.links.address import LONGEST

    asked = "Paste your friend's link, or type their address: "
    typed = ask_line(asked) if is_interactive() else sys.stdin.readline(LONGEST).strip()
    if not typed:
        raise Failure(
            "No link or address was given. Type it in place of '-', or send a file: p2pcards join - < FILE", USAGE
        )
    return typed


def parse_code(typed: str) -> str:
    """A typed code in its usual spelling; "" for none. Raises Failure."""
    from p2pcards.wire.spoken import BadCode, read_code

    try:
        return str(read_code(typed)) if typed else ""
    except BadCode as bad:
        raise Failure(str(bad), USAGE) from None


def choose_nearby(home: Home, as_json: bool, codes: Sequence[str] | None = None) -> tuple[Host, ...]:
    """The listeners on the network that the person chooses to call. Without a terminal they are printed, and none is
    called. Raises Failure."""
    import trio

    from p2pcards.links.lan import probe

    found = trio.run(probe, PATIENCE)
    if not found and not as_json:
        raise Failure(
            "Nobody on this network is waiting. Ask your friend to run 'p2pcards listen --lan', or give their "
            "address: p2pcards connect HOST",
            NETWORK,
        )
    data = [listener_facts(home, one) for one in found]
    rows = [(str(number), *one.values()) for number, one in enumerate(data, 1)]
    print_result(data, align_columns([("", "name", "address", "key", "known as"), *rows]), as_json)
    if as_json or not is_interactive():
        return ()
    return resolve_hosts(home, [data[number - 1]["address"] for number in _ask_numbers(len(data))], "", codes or ())


def listener_facts(home: Home, found: Found) -> dict[str, str]:
    """A listener found on the network, as columns by name."""
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


def _ask_numbers(count: int) -> list[int]:
    """The numbers from 1 to count that the person chooses; none for an empty answer."""
    while True:
        answer = ask_line("Who do you want to call? Type numbers, or press Enter to cancel: ")
        words = answer.replace(",", " ").split()
        if all(word.isdecimal() and 1 <= int(word) <= count for word in words):
            return [int(word) for word in words]
        print_text(f"Type numbers from 1 to {count}.")


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


def invitation_lines(
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
    """What to send to friends. addresses: (address, "public", "private" or "loopback"), as from
    `links.tcp.own_addresses`; verb: the friend's command; code: for a first meeting, "" for none; bind: the only
    address at which the table waits, "" for all; web: there is a page, so a link is sent; anywhere: it also waits at
    brokers; lasting: the link that always leads there."""
    from p2pcards.links.address import format_address, link_to

    calls = {kind: [] for kind in ("public", "private", "loopback")}  # type: dict[str, list[str]]
    for address, kind in addresses:
        link = link_to(address, port, code)
        call = _call_line(f"{verb} {format_address(address, port)}", code)
        calls[kind].append(f"    {link}" if web else call)
    nearby = ["On your own network, 'p2pcards connect' with no address finds you."] if lan else []
    if anywhere and not web:
        return [*_anywhere_lines(calls, verb, admission, code, lasting), *nearby, *_admission_lines(admission, code)]
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
        lines += [private] if anywhere else [f"{private} For friends elsewhere:", *_other_ways_lines(port, verb, web)]
    if not calls["public"] and not calls["private"]:
        nowhere = "This machine isn't on a network, so this works only here:"
        lines += ["That address works only on this machine:" if bind else nowhere, *calls["loopback"]]
    if web:
        lines.append(f"With p2pcards installed, your friend can type: p2pcards {verb} 'LINK'")
    return [*lines, *nearby, *_admission_lines(admission, code, web)]


def _call_line(call: str, code: str) -> str:
    """The line that a friend types. call: the command; code: "" for none."""
    return f"    p2pcards {call}" + (f" --code {code}" if code else "")


def _anywhere_lines(
    calls: Mapping[str, Sequence[str]], verb: str, admission: Admission, code: str, lasting: str
) -> list[str]:
    """The invitation for friends anywhere. calls: by who can use them, the commands that call an address; lasting: the
    link that always leads here."""
    by_code = [f"From anywhere: p2pcards {verb} {code}"] if code else []
    if admission.known_only:
        by_code = [f"From anywhere, for people you know: p2pcards {verb} meet:NAME"]
    by_link = []
    if code and lasting:
        by_link = [f"With a link for all your friends ({_link_use_text(lasting, verb)}):", f"    {lasting}"]
    by_address = ["By address:", *calls["public"]] if calls["public"] else []
    nearby = ["On your own network:", *calls["private"]] if calls["private"] else []
    return [*by_code, *by_link, *by_address, *nearby]


def _link_use_text(link: str, verb: str) -> str:
    typed = f"p2pcards {verb} -"
    return f"in a browser, or {typed}" if link.startswith("https:") else typed


ANYONE = "Without it, anyone can join by address, but you can't tell who it is."


def parse_bind(typed: str, lan: bool = False) -> str:
    """The only address to wait at, "" where none was given. Raises Failure."""
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


def waiting_address(port: PortOptions, admission: AdmissionOptions, for_browsers: bool, *, lan: bool = False) -> str:
    """The address to wait at, "" for all; with --onion this machine's own, which tor calls. Raises Failure."""
    bind = parse_bind(port.bind, lan)
    if not admission.onion:
        return bind
    if for_browsers or lan or admission.reach or bind not in ("", "127.0.0.1"):
        raise Failure("--onion hides where you are, so leave out --bind, --web, --lan and --reach.", USAGE)
    return "127.0.0.1"


def onion_invitation_lines(onion: str, verb: str, admission: Admission, code: str) -> list[str]:
    """What to send to a friend who comes through Tor. onion: our address there."""
    return [
        "Waiting on Tor. Send this line to your friend, who needs Tor, too:",
        _call_line(f"{verb} {onion}", code),
        *_admission_lines(admission, code),
    ]


def line_invitation_lines(cable: bool, admission: Admission, code: str = "", call: str = "dial NUMBER") -> list[str]:
    """What to tell a friend who calls by modem or null-modem cable. call: their command."""
    if cable:
        waits = ["Waiting on the cable. At the other end, type:", _call_line("connect --cable DEVICE", code)]
    else:
        waits = ["Waiting for a call. Tell your friend your phone number:", _call_line(call, code)]
    return [*waits, *_admission_lines(admission, code)]


def _admission_lines(admission: Admission, code: str, web: bool = False) -> list[str]:
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


def _other_ways_lines(port: int, verb: str, web: bool) -> list[str]:
    if web:
        return [line.format(port=port) for line in WAYS_OUT_OF_A_LINK]
    return [*[line.format(port=port, verb=verb) for line in WAYS_OUT], OTHER_WAY[verb]]


# --- opening a table --------------------------------------------------------------------------------------------------


def refuse_reach_off(reach: bool | None) -> None:
    """Refuse `--reach` where the settings turn the brokers off. Raises Failure."""
    from p2pcards.daemon.reach import reach_of, why_off
    from p2pcards.store.settings import usable_settings

    settings = usable_settings(current_home()).settings
    if reach and reach_of(settings) == "off":
        raise Failure(why_off(settings), USAGE)


def calling_text(addresses: Sequence[str]) -> str:
    """Whom we are calling, as a line for a person who waits."""
    from p2pcards.wire.address import is_meeting

    named = dict.fromkeys("your friend through the brokers" if is_meeting(one) else one for one in addresses)
    return f"Calling {', '.join(named)} ..."


def print_notice(text: str) -> None:
    """Print a line on progress, on a terminal alone."""
    if draws_bars():
        print_text(text, sys.stderr)


def open_table(
    request: Open,
    seating: Seating,
    told: Callable[[TableOpened], list[str]] = lambda _: [],
    failed: Callable[[str], None] = lambda _: None,
) -> None:
    """Open a table and sit down at it. told: the lines to print before sitting down; failed: called with the reason if
    it fails."""
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
    from p2pcards.control.spawning import begin_daemon
    from p2pcards.store.settings import usable_settings

    home = current_home()

    async def talk(client: Client) -> tuple[str, list[str]] | None:
        opened = await client.open(request, print_notice)
        lines = told(opened)
        if seating.detached or seating.as_json:
            back = f"Table {opened.table} is open. To sit down: p2pcards attach {opened.table}"
            data = {"table": opened.table, "port": opened.port, "new": opened.new, "code": opened.code or None}
            data |= {"link": opened.link} if opened.link else {}
            data |= {"anywhere": True} if opened.anywhere else {}
            for fault in usable_settings(home).faults:
                print_text(fault, sys.stderr)
            print_result(data, [*lines, back], seating.as_json)
            return None
        if wants_screen(seating):
            return opened.table, lines
        if lines:
            print_text("\n".join(lines))
        await sit_in_lines(client, home, opened.table, seating)
        return None

    begun = begin_daemon(home)  # before this end is read, which takes as long as its start
    with _preload_screen() if wants_screen(seating) else nullcontext():
        at_screen = run_conversation(home, talk, start=True, begun=begun)
    if at_screen:
        table, lines = at_screen
        sit_at_screen(home, table, seating, lines)


def wait_for_friends(request: OpenListen | OpenLine | OpenHost, seating: Seating) -> None:
    """Open a table that waits for friends, and print whom it lets in and how they come."""
    from p2pcards.control.messages import OpenLine, OpenListen
    from p2pcards.links.address import DEFAULT_PORT
    from p2pcards.links.tcp import kind_of, own_addresses
    from p2pcards.store.settings import usable_settings
    from p2pcards.wire.invitation import has_invitation

    bind = "" if isinstance(request, OpenLine) else request.bind
    serial = None if isinstance(request, OpenListen) else request.serial
    if not isinstance(request, OpenLine) and serial is None and request.port is None:
        request = replace(request, port=usable_settings(current_home()).settings.port or DEFAULT_PORT)
    verb, lan = ("connect", request.lan) if isinstance(request, OpenListen) else ("join", False)

    def told(opened: TableOpened) -> list[str]:
        known = [] if opened.new else [f"You're already waiting there, at table {opened.table}."]
        if serial is not None:
            call = "dial NUMBER" if isinstance(request, OpenLine) else "join tel:NUMBER"
            return [*known, *line_invitation_lines(serial.cable, request.admission, opened.code, call)]
        if not isinstance(request, OpenLine) and request.onion:
            return [*known, *onion_invitation_lines(opened.link, verb, request.admission, opened.code)]
        addresses = [(bind, kind_of(bind))] if bind else own_addresses()
        web = not isinstance(request, OpenLine) and request.web
        port, code, admission = opened.port or 0, opened.code, request.admission
        lasting = opened.link if has_invitation(opened.link) else ""
        ways = invitation_lines(addresses, port, lan, verb, admission, code, bind, web, opened.anywhere, lasting)
        drawn = [] if wants_screen(seating) else _qr_code_lines(_telephone_link(opened, web, addresses[0]))
        return [*known, *ways, *drawn]

    open_table(request, seating, told)


def _telephone_link(opened: TableOpened, web: bool, first: tuple[str, str]) -> str:
    """The link that a telephone can follow, "" for none. first: our first address, and who reaches it."""
    from p2pcards.links.address import link_to

    address, reached_by = first
    if not web:
        return opened.link if opened.link.startswith("https:") else ""
    return link_to(address, opened.port or 0, opened.code) if opened.code and reached_by != "loopback" else ""


def _qr_code_lines(link: str) -> list[str]:
    """The link as a QR code, empty where the terminal cannot show one."""
    from p2pcards.present.qr import qr_lines

    if not link or not (shows_colours() and can_print_suits()):
        return []
    drawn = qr_lines(link, get_terminal_size().columns)
    return ["Scan with a phone:", *drawn] if drawn else []


@contextmanager
def _preload_screen() -> Iterator[None]:
    """Import the screen's program while the daemon starts, which takes as long."""
    reading = Thread(target=import_module, args=("p2pcards.tui.app",))
    reading.start()
    try:
        yield
    finally:
        reading.join()
