"""`play`, `listen`, `connect`, `resume`, `attach`, `detach`, `status`, `leave`, `stop`: tables and the daemon."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from p2pcards.cli.asking import NotRunning, Seating, ask, sit_down
from p2pcards.cli.failing import Failure
from p2pcards.cli.output import AsJson, at_terminal, question, show
from p2pcards.cli.serial_line import Device, Flow, Init, Speed, serial_of
from p2pcards.cli.wanted import (
    Changes,
    GameKey,
    Preset,
    check_player,
    chosen_rules,
    given_rules,
    log_name,
    persona,
)
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.control.client import Client
    from p2pcards.control.messages import Open, OpenHost, OpenLine, OpenListen, TableOpened
    from p2pcards.store.home import Home

DAY = 86400
SEEDS = 2**63
GLANCE = 1.0
"""Seconds that the daemon has to answer when it was not asked for."""

Name = Annotated[
    str, typer.Option(metavar="NAME", help="The name that others see. Asked for once; at first your login name.")
]
Character = Annotated[
    str,
    typer.Option("--as", metavar="CHARACTER", help="Who is seen for you, and plays while you are away: a free one."),
]
Auto = Annotated[str, typer.Option(metavar="LEVEL", help="The computer plays your seat at this level.")]
Grace = Annotated[
    int | None,
    typer.Option(min=0, max=DAY, metavar="SECONDS", help="How long a seat is kept for whoever is cut off: 60."),
]
TurnClock = Annotated[
    int | None,
    typer.Option(min=0, max=DAY, metavar="SECONDS", help="How long a turn may take, 0: no limit. Alone 0, else 180."),
]
Via = Annotated[
    str,
    typer.Option(metavar="COMMAND", help="Connect through a command, such as 'ssh -W %h:%p friend@example.org'."),
]
Port = Annotated[
    int | None, typer.Option(min=0, max=65535, metavar="PORT", help="The port to wait on: 4747. 0 takes a free one.")
]
RequireCode = Annotated[
    bool, typer.Option("--require-code", help="Whoever you do not know comes in with the code, or not at all.")
]
KnownOnly = Annotated[bool, typer.Option("--known-only", help="Only people you know come in; there is no code.")]
Seed = Annotated[
    int | None, typer.Option(min=0, max=SEEDS - 1, metavar="N", help="The same seed gives the same cards.")
]
RefusedSeed = Annotated[int | None, typer.Option("--seed", hidden=True)]
Ascii = Annotated[bool, typer.Option("--ascii", help="Suits as the letters C D H S.")]
Plain = Annotated[
    bool, typer.Option("--plain", help="Plain lines without colour or painting: screen readers, slow lines.")
]
Detached = Annotated[bool, typer.Option("--detached", help="Open the table and do not sit down.")]
OpenAsJson = Annotated[bool, typer.Option("--json", help="Like --detached, and print the table as JSON.")]
TableName = Annotated[
    str, typer.Argument(metavar="[TABLE]", help="As `p2pcards status` shows it; if left out, the latest.")
]


def play(
    game: GameKey,
    preset: Preset = "",
    changes: Changes = None,
    name: Name = "",
    character: Character = "",
    auto: Auto = "",
    grace: Grace = None,
    turn_clock: TurnClock = None,
    seed: Seed = None,
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
) -> None:
    """Play a game against the computer. Friends can be invited from the table."""
    from p2pcards.control.messages import OpenPlay, TimeLimits

    rules = given_rules(game, preset, changes)
    me = persona(our_home(), name, character, auto)
    request = OpenPlay(rules, me, TimeLimits(grace, turn_clock), seed)
    open_table(request, Seating(ascii, plain, detached, as_json))


def listen(
    device: Annotated[str, typer.Argument(metavar="[DEVICE]", help="With --modem: its device; the settings'.")] = "",
    modem: Annotated[bool, typer.Option("--modem", help="Wait for a call at a modem, and on no port.")] = False,
    cable: Annotated[str, typer.Option(metavar="DEVICE", help="Wait at a null-modem cable, and on no port.")] = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    port: Port = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let others on your network find you.")] = False,
    require_code: RequireCode = False,
    known_only: KnownOnly = False,
    name: Name = "",
    character: Character = "",
    auto: Auto = "",
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Wait for a friend's call. Unfinished games in which you are a listener go on here."""
    from p2pcards.control.messages import Admission, OpenLine, OpenListen, Serial

    refuse_seed(seed)
    serial: Serial | None = None
    if modem or cable:
        if port is not None or lan or (modem and cable) or (cable and device):
            raise Failure("A table listens at a modem, at a cable or on a port: give one of them.", USAGE)
        serial = serial_of(cable or device, speed, flow, init, cable=bool(cable))
    elif device or speed or flow or init:
        raise Failure("A serial device, its speed, flow and init need --modem, or --cable DEVICE.", USAGE)
    me, admission = persona(our_home(), name, character, auto), Admission(require_code, known_only)
    request = OpenListen(port, me, admission, lan) if serial is None else OpenLine(serial, me, admission)
    wait_for_friends(request, Seating(ascii, plain, detached, as_json))


def wait_for_friends(request: OpenListen | OpenLine | OpenHost, seating: Seating) -> None:
    """Open a table that waits, and say whom it lets in and how they come."""
    from p2pcards.cli.invitation import invitation, line_invitation
    from p2pcards.control.messages import OpenLine, OpenListen
    from p2pcards.links.address import DEFAULT_PORT
    from p2pcards.links.tcp import own_addresses
    from p2pcards.store.settings import load_settings

    if not isinstance(request, OpenLine) and request.port is None:
        request = replace(request, port=load_settings(our_home()).port or DEFAULT_PORT)
    verb, lan = ("connect", request.lan) if isinstance(request, OpenListen) else ("join", False)

    def told(opened: TableOpened) -> list[str]:
        known = [] if opened.new else [f"You listen there already, at table {opened.table}."]
        if isinstance(request, OpenLine):
            return [*known, *line_invitation(request.serial.cable, request.admission, opened.code)]
        ways = invitation(own_addresses(), opened.port or 0, lan, verb, request.admission, opened.code)
        return [*known, *ways]

    open_table(request, seating, told)


def connect(
    hosts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[HOST[:PORT]|tel:NUMBER]...", help="Who listens; up to three. If left out, who is found nearby."
        ),
    ] = None,
    partner: Annotated[str, typer.Option(metavar="HOST", help="A listener who sits opposite you.")] = "",
    code: Annotated[
        list[str] | None,
        typer.Option(metavar="CODE", help="For a first meeting: what p2pcards shows there. One for each host."),
    ] = None,
    game: Annotated[str, typer.Option(metavar="GAME", help="The game; it can be chosen at the table as well.")] = "",
    preset: Preset = "",
    changes: Changes = None,
    via: Via = "",
    cable: Annotated[str, typer.Option(metavar="DEVICE", help="Call over a null-modem cable, too.")] = "",
    device: Device = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    name: Name = "",
    character: Character = "",
    auto: Auto = "",
    grace: Grace = None,
    turn_clock: TurnClock = None,
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Call friends who listen, and open a table. You coordinate it: choose the game and its rules, and start."""
    from p2pcards.cli.calling import hosts_to_call, nearby
    from p2pcards.control.messages import OpenConnect, TimeLimits
    from p2pcards.wire.address import CABLE

    refuse_seed(seed)
    rules = chosen_rules(game, preset, changes)
    at_cable = [CABLE + cable] if cable else []
    named = [*(hosts or ()), *at_cable]
    home = our_home()
    called = hosts_to_call(home, named, partner, code or ()) if named or partner else nearby(home, as_json, code)
    if not called:
        return
    serial = serial_of(device, speed, flow, init)
    me = persona(home, name, character, auto)
    notice(f"Calling {', '.join(host.address for host in called)} ...")
    request = OpenConnect(called, rules, me, TimeLimits(grace, turn_clock), via, serial)
    open_table(request, Seating(ascii, plain, detached, as_json))


def resume(
    log: Annotated[
        str, typer.Argument(metavar="[NAME]", help="As `p2pcards logs` shows it; if left out, the newest.")
    ] = "",
    via: Via = "",
    device: Device = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    auto: Auto = "",
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Go on with an unfinished game. You coordinate it; who is away is called, and her character plays for her."""
    from p2pcards.control.messages import OpenResume, Persona

    refuse_seed(seed)
    check_player("", auto)
    if log:
        log = log_name(our_home(), log)

    def told(opened: TableOpened) -> list[str]:
        waits = f"The table waits on port {opened.port} again; those who had joined call by themselves."
        return [waits] if opened.port else []

    serial = serial_of(device, speed, flow, init)
    request = OpenResume(log, Persona(auto=auto or None), via, serial)
    open_table(request, Seating(ascii, plain, detached, as_json), told)


def attach(table: TableName = "", ascii: Ascii = False, plain: Plain = False) -> None:  # noqa: A002
    """Sit down again at a table that is open."""
    home = our_home()
    ask(home, lambda client: sit_down(client, home, table, Seating(ascii, plain)), start=False)


def detach(table: TableName = "") -> None:
    """Let go of a table from another terminal. The seat is kept."""
    print(ask(our_home(), lambda client: client.release(table), start=False))


def status(as_json: AsJson = False) -> None:
    """Tell which tables are open."""
    from p2pcards.cli.standing import NO_DAEMON, status_data, status_lines

    try:
        found = ask(our_home(), lambda client: client.status(), start=False)
    except NotRunning:
        show(status_data(None), [NO_DAEMON], as_json)
    else:
        show(status_data(found), status_lines(found), as_json)


def leave(
    table: TableName = "", yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether you mean it.")] = False
) -> None:
    """Give up your seat at a table for good. Your character plays on; if you coordinate, the game ends for all."""
    home = our_home()
    open_tables = [one.name for one in ask(home, lambda client: client.status(), start=False).tables]
    if not table and len(open_tables) > 1:
        raise Failure(f"Which table? There are {', '.join(open_tables)}: p2pcards leave TABLE", USAGE)
    named = table or "".join(open_tables)
    if not yes and named in open_tables and not _means_it(named):
        print("You stay.")
        return
    print(ask(home, lambda client: client.leave(table), start=False))


def stop() -> None:
    """End the daemon. Its tables close; their games can be resumed."""
    try:
        print(ask(our_home(), lambda client: client.stop(), start=False, any_version=True))
    except NotRunning:
        print("No daemon runs here, so there is nothing to stop.")


def overview() -> None:
    """What to do, and the tables that are open."""
    from p2pcards.cli.standing import OVERVIEW, short_line

    print("\n".join(OVERVIEW), flush=True)
    home = our_home()
    if not home.socket.exists():
        return
    try:
        tables = ask(home, lambda client: client.status(), start=False, deadline=GLANCE).tables
    except NotRunning:
        return
    for table in tables:
        print(f"Table {short_line(table)} Sit down: p2pcards attach {table.name}")


def _means_it(table: str) -> bool:
    if not at_terminal():
        raise Failure("Leaving is for good. If you mean it: p2pcards leave --yes", USAGE)
    return question(f"Leave table {table} for good? yes/no ").lower() in ("y", "yes")


def our_home() -> Home:
    from p2pcards.store.home import find_home

    return find_home(os.environ)


def refuse_seed(seed: int | None) -> None:
    if seed is not None:
        raise Failure(
            "--seed is for playing alone: with other people at the table nobody may know the cards beforehand. "
            "Leave it out.",
            USAGE,
        )


def notice(text: str) -> None:
    """For a person who waits."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)


def open_table(request: Open, seating: Seating, told: Callable[[TableOpened], list[str]] = lambda _: []) -> None:
    """told: what to say before sitting down."""
    home = our_home()

    async def talk(client: Client) -> None:
        opened = await client.open(request, notice)
        lines = told(opened)
        if seating.detached or seating.as_json:
            back = f"Table {opened.table} is open. Sit down: p2pcards attach {opened.table}"
            data = {"table": opened.table, "port": opened.port, "new": opened.new, "code": opened.code or None}
            show(data, [*lines, back], seating.as_json)
            return
        if lines:
            print("\n".join(lines), flush=True)
        await sit_down(client, home, opened.table, seating)

    ask(home, talk, start=True)
