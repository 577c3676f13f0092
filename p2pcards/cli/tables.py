"""Tables, and the daemon: `play`, `listen`, `connect`, `host`, `join`, `resume`, `attach`, `detach`, `status`,
`words`, `leave`, `stop`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli import guide
from p2pcards.cli.command import (
    MOST,
    Ascii,
    AsJson,
    Auto,
    BetweenHands,
    Bind,
    Changes,
    Character,
    ChosenGame,
    Detached,
    Failure,
    Grace,
    KnownOnly,
    Line,
    Name,
    Onion,
    OpenAsJson,
    Plain,
    Port,
    Preset,
    Reach,
    RefusedSeed,
    RequireCode,
    Seating,
    Seed,
    TableName,
    TurnClock,
    Via,
    Web,
    Yes,
    ask_what_is_left,
    at_terminal,
    check_player,
    chosen_rules,
    given_rules,
    log_name,
    our_home,
    persona,
    port_for,
    question,
    say,
    show,
)
from p2pcards.cli.logs import chosen_save, our_saves
from p2pcards.cli.opening import (
    NotRunning,
    ask,
    bind_address,
    calling,
    notice,
    onion_address,
    open_table,
    open_tables,
    refuse_reach_off,
    refuse_seed,
    sit_at_screen,
    sit_down,
    stop_daemon,
    wait_for_friends,
    wants_screen,
    wish_to_sit,
)
from p2pcards.cli.telephone import Device, Flow, Init, Pulse, Rate, Rings, Speed, serial_of
from p2pcards.control.exits import NETWORK, USAGE

if TYPE_CHECKING:
    from p2pcards.control.messages import DaemonStatus, Someone, TableOpened, TableStatus
    from p2pcards.results.saves import SavedGame
    from p2pcards.store.files import Home


# --- what the daemon says about its tables, as text and as data -------------------------------------------------------


NO_DAEMON = "No table is open, and no daemon is running."
COMPILING = "Compiling the computer players in the background. Until that's done, the stronger ones play a bit weaker."
OVERVIEW = (
    "p2pcards play hearts     play against the computer ('p2pcards games' lists the games)",
    "p2pcards host            open a table for friends, and get a code to send them",
    "p2pcards join CODE       join a friend's table",
    "p2pcards resume          resume an unfinished game",
    "p2pcards --help          see everything else ('p2pcards guide start' shows how to begin)",
)
PHASES = {
    "lobby": "not started",
    "play": "in play",
    "paused": "paused, everyone is away",
    "over": "game over",
    "closed": "closed",
}


def status_data(tables: DaemonStatus | None, compiling: bool) -> dict[str, Any]:
    """For JSON; None: no daemon runs. compiling: the computer players."""
    found = asdict(tables) if tables else {"version": None, "pid": None, "tables": (), "restoring": False}
    return found | {"compiling": compiling}


def status_lines(tables: DaemonStatus | None, compiling: bool) -> list[str]:
    return [*(_daemon_lines(tables) if tables else [NO_DAEMON]), *([COMPILING] if compiling else [])]


def _daemon_lines(tables: DaemonStatus) -> list[str]:
    lines = [f"The daemon is running (version {tables.version}, pid {tables.pid})."]
    if tables.restoring:
        lines.append("Reopening the tables that were waiting for friends ...")
    elif not tables.tables:
        lines.append("No table is open, so it stops after ten minutes.")
    for table in tables.tables:
        lines += [short_line(table), *[f"    {line}" for line in _details(table)]]
    return lines


def short_line(table: TableStatus) -> str:
    """One line about a table."""
    from p2pcards.wire.clean import clean

    game = f"{table.game}, {PHASES.get(table.phase, table.phase)}" if table.game else "no game yet"
    waiting = f"; waiting for {clean(table.waiting, 60)}" if table.waiting and table.phase in ("lobby", "play") else ""
    return f"{table.name}: {game}{waiting}."


def _details(table: TableStatus) -> list[str]:
    from p2pcards.wire.clean import clean

    lines = [", ".join(_person(one) for one in table.people)] if table.people else []
    facts = ["you host" if table.role == "coordinator" else "a friend hosts"]
    if table.port:
        browsers = ", for browsers too" if table.link.startswith("http") else ""
        facts.append(f"waiting on port {table.port}{browsers}")
    if table.anywhere:
        facts.append("waiting at meeting points")
    if table.device:
        facts.append(f"waiting at {clean(table.device, 60)}")
    if table.code:
        facts.append(f"code {table.code}")
    if table.front_ends:
        facts.append("open in a terminal" if table.front_ends == 1 else f"open in {table.front_ends} terminals")
    if table.unread:
        facts.append(f"{table.unread} new {'event' if table.unread == 1 else 'events'}")
    lines.append(", ".join(facts))
    if table.link:
        lines.append(f"link: {clean(table.link, 200)}")
    if table.log:
        lines.append(f"log: {table.log}")
    if table.paused:
        lines.append(f"Stopped: {clean(table.paused, 500)}")
    return lines


def _person(someone: Someone) -> str:
    from p2pcards.views.absence import link_text
    from p2pcards.wire.clean import clean

    here = someone.link == "here"
    about = clean(someone.where, 60) or "here" if here else link_text(someone.link)
    about += f": {clean(someone.line, 60)}" if someone.line else ""
    return f"{clean(someone.name, 24)} ({about})"


# --- `host` and `join` ------------------------------------------------------------------------------------------------


def host(
    port: Port = None,
    web: Web = None,
    bind: Bind = "",
    modem: Annotated[bool, typer.Option("--modem", help="Wait for calls at a modem, not on a port.")] = False,
    device: Device = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    rate: Rate = None,
    rings: Rings = None,
    game: ChosenGame = "",
    preset: Preset = "",
    changes: Changes = None,
    require_code: RequireCode = False,
    known_only: KnownOnly = False,
    reach: Reach = None,
    onion: Onion = False,
    name: Name = "",
    character: Character = "",
    auto: Auto = "",
    grace: Grace = None,
    turn_clock: TurnClock = None,
    between_hands: BetweenHands = None,
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    line: Line = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Open a table for friends to join. You pick the game and its rules, and start it.

    It prints a code or a link to send to your friends.
    """
    from p2pcards.control.messages import Admission, OpenHost, TimeLimits

    refuse_seed(seed)
    rules = chosen_rules(game, preset, changes)
    port, for_browsers = port_for(port, web)
    if modem and (port is not None or bind or for_browsers or reach or onion):
        raise Failure("A table can use a modem or the network, not both.", USAGE)
    refuse_reach_off(reach)
    if not modem and (device or speed or flow or init or rate is not None or rings is not None):
        raise Failure("--device, --speed, --flow, --init, --rate and --rings need --modem.", USAGE)
    serial = serial_of(device, speed, flow, init, rate=rate, rings=rings) if modem else None
    me = persona(our_home(), name, character, auto)
    limits, admission = TimeLimits(grace, turn_clock, between_hands), Admission(require_code, known_only)
    at = onion_address(bind_address(bind), onion, for_browsers or bool(reach))
    request = OpenHost(port, rules, me, limits, admission, serial, at, for_browsers, reach, onion=onion)
    wait_for_friends(request, Seating(ascii, plain, detached, as_json, line))


def join(
    address: Annotated[
        str,
        typer.Argument(
            metavar="HOST|CODE|LINK|tel:NUMBER", help="The host's code, link or address; - to paste it when asked."
        ),
    ],
    code: Annotated[str, typer.Option(metavar="CODE", help="The code the host gave you, if you two haven't met.")] = "",
    via: Via = "",
    device: Device = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    pulse: Pulse = None,
    rate: Rate = None,
    name: Name = "",
    character: Character = "",
    auto: Auto = "",
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    line: Line = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Join a table that a friend hosts. It also resumes your unfinished games there.

    Anyone who joins during a game watches until it ends. Others on this machine can see a link or code in the
    process list; use - to paste it instead.
    """
    from p2pcards.cli.opening import hosts_to_call
    from p2pcards.control.messages import OpenJoin
    from p2pcards.wire.address import is_cable

    refuse_seed(seed)
    (called,) = hosts_to_call(our_home(), (address,), "", (code,) if code else ())
    if is_cable(called.address):
        raise Failure("You can't join over a cable. Use 'p2pcards connect --cable DEVICE' instead.", USAGE)
    serial = serial_of(device, speed, flow, init, pulse, rate=rate)
    me = persona(our_home(), name, character, auto)
    notice(calling([called.address]))

    def told(opened: TableOpened) -> list[str]:
        there = f"You already joined that host at table {opened.table}. Reconnecting until someone answers ..."
        return [] if opened.new else [there]

    open_table(OpenJoin(called, me, via, serial), Seating(ascii, plain, detached, as_json, line), told)


# --- tables, and the daemon -------------------------------------------------------------------------------------------


def play(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game; leave it out to list the games.")] = "",
    preset: Preset = "",
    changes: Changes = None,
    opponents: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="CHARACTER,...",
            help="Your opponents, such as betty,wayne:expert.",
        ),
    ] = "",
    deal: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=0, max=2**32 - 1, help="Play this numbered deal, to repeat or share it."),
    ] = None,
    name: Name = "",
    character: Character = "",
    auto: Auto = "",
    grace: Grace = None,
    turn_clock: TurnClock = None,
    between_hands: BetweenHands = None,
    seed: Seed = None,
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    line: Line = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
) -> None:
    """Play a game against the computer. You can invite friends from the table."""
    from p2pcards.control.messages import OpenPlay, TimeLimits

    if not game:
        guide.games(as_json)
        return
    rules = given_rules(game, preset, changes)
    home = our_home()
    if at_terminal() and not (detached or as_json):
        rules = ask_what_is_left(home, rules)
    me = persona(home, name, character, auto, alone=True)
    wished = tuple([word.strip() for word in opponents.split(",") if word.strip()])
    request = OpenPlay(rules, me, TimeLimits(grace, turn_clock, between_hands), seed, wished, deal)
    open_table(request, Seating(ascii, plain, detached, as_json, line))


def listen(
    device: Annotated[
        str, typer.Argument(metavar="[DEVICE]", help="With --modem, its device; default: from the settings.")
    ] = "",
    modem: Annotated[bool, typer.Option("--modem", help="Wait for a call at a modem, not on a port.")] = False,
    cable: Annotated[str, typer.Option(metavar="DEVICE", help="Wait at a null-modem cable, not on a port.")] = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    rate: Rate = None,
    rings: Rings = None,
    port: Port = None,
    web: Web = None,
    bind: Bind = "",
    lan: Annotated[bool, typer.Option("--lan", help="Let players on your network find you.")] = False,
    require_code: RequireCode = False,
    known_only: KnownOnly = False,
    reach: Reach = None,
    onion: Onion = False,
    name: Name = "",
    character: Character = "",
    auto: Auto = "",
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    line: Line = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Wait for a friend's call. The friend who calls hosts the game.

    It prints what to send to your friend. Unfinished games that your friends host resume here.
    """
    from p2pcards.control.messages import Admission, OpenLine, OpenListen, Serial

    refuse_seed(seed)
    serial: Serial | None = None
    port, for_browsers = port_for(port, web)
    if modem or cable:
        by_port = port is not None or bind or for_browsers or lan or reach or onion
        if by_port or (modem and cable) or (cable and device):
            raise Failure("A table can use a modem, a cable or the network: pick one.", USAGE)
        serial = serial_of(cable or device, speed, flow, init, cable=bool(cable), rate=rate, rings=rings)
    elif device or speed or flow or init or rate is not None or rings is not None:
        raise Failure("DEVICE, --speed, --flow, --init, --rate and --rings need --modem or --cable DEVICE.", USAGE)
    refuse_reach_off(reach)
    me, admission = persona(our_home(), name, character, auto), Admission(require_code, known_only)
    at = onion_address(bind_address(bind, lan), onion, for_browsers or lan or bool(reach))
    on_port = OpenListen(port, me, admission, lan, at, for_browsers, reach, onion=onion)
    request = on_port if serial is None else OpenLine(serial, me, admission)
    wait_for_friends(request, Seating(ascii, plain, detached, as_json, line))


def connect(
    hosts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[HOST|CODE|LINK|tel:NUMBER]...",
            help="Up to three friends who are listening; - to be asked; default: pick from your network.",
        ),
    ] = None,
    partner: Annotated[str, typer.Option(metavar="HOST", help="The friend who sits across from you.")] = "",
    code: Annotated[
        list[str] | None,
        typer.Option(metavar="CODE", help="A code for a friend you haven't met; one for each."),
    ] = None,
    game: ChosenGame = "",
    preset: Preset = "",
    changes: Changes = None,
    via: Via = "",
    cable: Annotated[str, typer.Option(metavar="DEVICE", help="Call over this null-modem cable, too.")] = "",
    device: Device = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    rate: Rate = None,
    name: Name = "",
    character: Character = "",
    auto: Auto = "",
    grace: Grace = None,
    turn_clock: TurnClock = None,
    between_hands: BetweenHands = None,
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    line: Line = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Call friends who are listening. You host: pick the game and its rules, and start it."""
    from p2pcards.cli.opening import hosts_to_call, nearby
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
    serial = serial_of(device, speed, flow, init, rate=rate)
    me = persona(home, name, character, auto)
    notice(calling([host.address for host in called]))
    request = OpenConnect(called, rules, me, TimeLimits(grace, turn_clock, between_hands), via, serial)
    open_table(request, Seating(ascii, plain, detached, as_json, line))


def resume(
    log: Annotated[
        str, typer.Argument(metavar="[NAME]", help="A game (see `p2pcards saves`); default: you pick.")
    ] = "",
    hand: Annotated[
        int | None,
        typer.Option(
            "--hand", min=1, max=MOST, metavar="N", help="Start a new game from this hand of a game you played alone."
        ),
    ] = None,
    via: Via = "",
    device: Device = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    rate: Rate = None,
    auto: Auto = "",
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    line: Line = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Resume an unfinished game. It calls your friends, and characters play for those who don't answer."""
    from p2pcards.control.messages import OpenResume, Persona

    refuse_seed(seed)
    check_player("", auto)
    if hand and not log:
        raise Failure("--hand needs a game: p2pcards resume NAME --hand N ('p2pcards logs' lists them).", USAGE)
    if log:
        log = log_name(our_home(), log)
    elif at_terminal() and not (detached or as_json):
        log = chosen_save(our_home())

    def told(opened: TableOpened) -> list[str]:
        if opened.device:
            return [f"Waiting at {opened.device} again. Ask your friends to call: p2pcards join tel:NUMBER"]
        waits = f"Waiting on port {opened.port} again. Your friends' programs reconnect by themselves."
        return [waits] if opened.port else []

    serial = serial_of(device, speed, flow, init, rate=rate)
    request = OpenResume(log, Persona(auto=auto or None), via, serial, hand or 0)
    open_table(request, Seating(ascii, plain, detached, as_json, line), told)


def attach(table: TableName = "", ascii: Ascii = False, plain: Plain = False, line: Line = False) -> None:  # noqa: A002
    """Sit down again at an open table."""
    home, seating = our_home(), Seating(ascii, plain, line=line)
    if wish_to_sit(table):
        return
    try:
        _attach(home, table, seating)
    except NotRunning as nobody:
        if _begins_by_joining(home):
            ask(home, lambda client: client.status(), start=True)
            _attach(home, table, seating)
        else:
            _go_on_instead(home, seating, nobody)


def _attach(home: Home, table: str, seating: Seating) -> None:
    if wants_screen(seating):
        sit_at_screen(home, table, seating)
    else:
        ask(home, lambda client: sit_down(client, home, table, seating), start=False)


def _begins_by_joining(home: Home) -> bool:
    """Whether the next daemon sits down by itself at a table that the one before it had joined."""
    from p2pcards.control.messages import OpenJoin
    from p2pcards.daemon.tables import kept_listening

    return any(isinstance(one, OpenJoin) for one in kept_listening(home))


GO_ON = 5
"""Games that can go on which `attach` names where no table is open."""


def _go_on_instead(home: Home, seating: Seating, nobody: NotRunning) -> None:
    """No table is open: the games that can go on are named and offered, as a lost daemon or a switched-off machine left
    them. Raises Failure, which names them, where nobody can answer."""
    from p2pcards.frontend.record_pages import save_line

    found = our_saves(home, most=GO_ON)
    if not found:
        raise nobody
    lines = [f"{number}. {save_line(one)}." for number, one in enumerate(found, 1)]
    told = f"{nobody} Your last game isn't finished: {save_line(found[0])}."
    if not at_terminal():
        ways = [_how_it_goes_on(one) for one in found]
        more = [f"{line} {way}" for line, way in zip(lines[1:], ways[1:], strict=True)]
        raise NotRunning(
            "\n".join([f"{told} {ways[0]}", *(["You can also resume:", *more] if more else [])]), nobody.code
        )
    say(told)
    if len(found) == 1:
        answer = "1" if question("Resume it? [Y/n] ").lower() in ("", "y", "yes") else ""
    else:
        say("\n".join(["Unfinished games:", *lines]))
        numbers = [str(number) for number in range(1, len(found) + 1)]
        while (answer := question("Resume which one? (0 for none) [1] ") or "1") not in (
            "0",
            *numbers,
        ):
            say(f"Type a number from 0 to {len(found)}.")
    if answer and int(answer):
        _go_on_with(home, found[int(answer) - 1], seating)


def _how_it_goes_on(one: SavedGame) -> str:
    if one.coordinates:
        return f"To resume it: p2pcards resume {one.log.stem}"
    return "It resumes when your host calls: p2pcards listen"


def _go_on_with(home: Home, one: SavedGame, seating: Seating) -> None:
    """Where we are a listener, at the table at which we listened before, or at a new one."""
    from p2pcards.control.messages import OpenListen, OpenResume

    if one.coordinates:
        open_table(OpenResume(one.log.stem), seating)
        return
    tables = ask(home, lambda client: client.status(), start=True).tables
    if not any(table.role == "listener" for table in tables):
        wait_for_friends(OpenListen(None, persona(home, "", "", "")), seating)
    elif wants_screen(seating):
        sit_at_screen(home, tables[-1].name, seating)
    else:
        ask(home, lambda client: sit_down(client, home, tables[-1].name, seating), start=False)


def detach(table: TableName = "") -> None:
    """Release a table from another terminal. You keep your seat."""
    say(ask(our_home(), lambda client: client.release(table), start=False))


def status(as_json: AsJson = False) -> None:
    """Show the open tables. It lists who's there, and who they're waiting for."""
    from p2pcards.daemon.compiling import compiling

    try:
        found = ask(our_home(), lambda client: client.status(), start=False)
    except NotRunning:
        found = None
    goes_on = compiling()
    show(status_data(found, goes_on), status_lines(found, goes_on), as_json)


def leave(table: TableName = "", yes: Yes = False) -> None:
    """Leave a table for good. Your character plays on; if you host, the game ends for everyone."""
    home = our_home()
    open_tables = {one.name: one for one in ask(home, lambda client: client.status(), start=False).tables}
    if not table and len(open_tables) > 1:
        raise Failure(f"Which table: {', '.join(open_tables)}? Use p2pcards leave TABLE", USAGE)
    named = table or "".join(open_tables)
    if not yes and named in open_tables and not _means_it(open_tables[named]):
        say("OK, you stay.")
        return
    say(ask(home, lambda client: client.leave(table), start=False))


def stop() -> None:
    """Stop the daemon and close its tables. You can resume unfinished games later."""
    try:
        say(stop_daemon(our_home()))
    except NotRunning:
        say("No daemon is running, so there's nothing to stop.")


def overview() -> None:
    """What to do, and the tables that are open."""
    from p2pcards.cli.profiles import who_plays

    say("\n".join(OVERVIEW))
    if name := who_plays():
        say(f"You're playing as {name}. To switch: p2pcards profiles")
    for table in open_tables(our_home()):
        say(f"Table {short_line(table)} To sit down: p2pcards attach {table.name}")


def _means_it(table: TableStatus) -> bool:
    from p2pcards.frontend.asked_first import leaving

    if not at_terminal():
        raise Failure("Leaving is permanent. To confirm: p2pcards leave --yes", USAGE)
    others = any(person.link != "you" for person in table.people)
    follows = leaving(table.role, table.phase, others, "If you have a seat, your character plays on.")
    return question(f"Leave table {table.name} for good? {follows}yes/no ").lower() in ("y", "yes")


def words(table: TableName = "", as_json: AsJson = False) -> None:
    """Show three words to compare by voice with each friend. If you both see the same, nobody is listening in."""
    found = ask(our_home(), lambda client: client.compare_words(table), start=False)
    if not found:
        raise Failure("Nobody answered, so there are no words to compare.", NETWORK)
    lines = [f"{name}: {spoken}" for name, spoken in found]
    lines += [
        "Read them to each other. If they match, nobody is listening in; 'p2pcards peers trust NAME' records that.",
        "If not, leave the table: someone may be listening in, or playing as your friend.",
    ]
    show([{"name": name, "words": spoken.split()} for name, spoken in found], lines, as_json)
