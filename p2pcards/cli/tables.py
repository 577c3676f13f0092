"""Tables, and the daemon: `play`, `listen`, `connect`, `host`, `join`, `watch`, `resume`, `attach`, `detach`, `status`,
`words`, `leave`, `stop`."""

from __future__ import annotations

from dataclasses import asdict, astuple
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli import guide, options
from p2pcards.cli.asked import ask_open_option, choose_persona
from p2pcards.cli.command import Failure, check_player, current_home, find_log_name, rules_for_table
from p2pcards.cli.logs import choose_save, list_our_saves, watch_log
from p2pcards.cli.opening import (
    NotRunning,
    ask_address,
    calling_text,
    choose_nearby,
    hand_over_to_title,
    list_open_tables,
    open_table,
    print_notice,
    refuse_reach_off,
    resolve_hosts,
    run_conversation,
    sit_at_screen,
    sit_in_lines,
    stop_daemon,
    wait_for_friends,
    waiting_address,
    wants_screen,
)
from p2pcards.cli.profiles import current_profile_label
from p2pcards.cli.telephone import serial_request
from p2pcards.cli.terminal import ask_line, ask_yes, is_interactive, print_result, print_text
from p2pcards.control.exits import NETWORK, USAGE
from p2pcards.games.wording import quantity_text

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
    """The state of the daemon for JSON. tables: None where no daemon runs; compiling: the computer players are being
    compiled."""
    found = asdict(tables) if tables else {"version": None, "pid": None, "tables": (), "restoring": False}
    return found | {"compiling": compiling}


def status_lines(tables: DaemonStatus | None, compiling: bool) -> list[str]:
    """The state of the daemon as lines; the arguments are as in `status_data`."""
    return [*(_daemon_lines(tables) if tables else [NO_DAEMON]), *([COMPILING] if compiling else [])]


def _daemon_lines(tables: DaemonStatus) -> list[str]:
    lines = [f"The daemon is running (version {tables.version}, pid {tables.pid})."]
    if tables.restoring:
        lines.append("Reopening the tables that were waiting for friends ...")
    elif not tables.tables:
        lines.append("No table is open, so it stops after ten minutes.")
    for table in tables.tables:
        lines += [table_line(table), *[f"    {line}" for line in _table_details(table)]]
    return lines


def table_line(table: TableStatus) -> str:
    """One line about a table."""
    from p2pcards.wire.clean import clean

    game = f"{table.game}, {PHASES.get(table.phase, table.phase)}" if table.game else "no game yet"
    waiting = f"; waiting for {clean(table.waiting, 60)}" if table.waiting and table.phase in ("lobby", "play") else ""
    return f"{table.name}: {game}{waiting}."


def _table_details(table: TableStatus) -> list[str]:
    from p2pcards.wire.clean import clean

    lines = [", ".join(_person_line(one) for one in table.people)] if table.people else []
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
        facts.append(quantity_text(table.unread, "new event"))
    lines.append(", ".join(facts))
    if table.link:
        lines.append(f"link: {clean(table.link, 200)}")
    if table.log:
        lines.append(f"log: {table.log}")
    if table.paused:
        lines.append(f"Stopped: {clean(table.paused, 500)}")
    return lines


def _person_line(someone: Someone) -> str:
    from p2pcards.views.absence import link_text
    from p2pcards.wire.clean import clean

    here = someone.link == "here"
    about = clean(someone.where, 60) or "here" if here else link_text(someone.link)
    about += f": {clean(someone.line, 60)}" if someone.line else ""
    return f"{clean(someone.name, 24)} ({about})"


# --- `host` and `join` ------------------------------------------------------------------------------------------------


def host(
    *,
    port: options.PortOptions,
    modem: Annotated[bool, typer.Option("--modem", help="Wait for calls at a modem, not on a port.")] = False,
    device: options.Device = "",
    line: options.SerialOptions,
    rate: options.Rate = None,
    rings: options.Rings = None,
    rules: options.RulesOptions,
    admission: options.AdmissionOptions,
    player: options.PlayerOptions,
    limits: options.LimitOptions,
    seating: options.FriendsSeating,
) -> None:
    """Open a table for friends to join. You pick the game and its rules, and start it.

    It prints a code or a link to send to your friends.
    """
    from p2pcards.control.messages import Admission, OpenHost

    asked = rules_for_table(rules.game, rules.preset, rules.changes)
    number, for_browsers = options.listening_port(port)
    if modem and (number is not None or port.bind or for_browsers or admission.reach or admission.onion):
        raise Failure("A table can use a modem or the network, not both.", USAGE)
    refuse_reach_off(admission.reach)
    if not modem and (device or any(astuple(line)) or rate is not None or rings is not None):
        raise Failure("--device, --speed, --flow, --init, --rate and --rings need --modem.", USAGE)
    serial = serial_request(device, line, rate=rate, rings=rings) if modem else None
    me, admitted = choose_persona(current_home(), player), Admission(admission.require_code, admission.known_only)
    at, times, reach = waiting_address(port, admission, for_browsers), limits.time_limits(), admission.reach
    request = OpenHost(number, asked, me, times, admitted, serial, at, for_browsers, reach, onion=admission.onion)
    wait_for_friends(request, seating)


def join(
    *,
    address: Annotated[
        str,
        typer.Argument(
            metavar="HOST|CODE|LINK|tel:NUMBER", help="The host's code, link or address; - to paste it when asked."
        ),
    ],
    code: Annotated[str, typer.Option(metavar="CODE", help="The code the host gave you, if you two haven't met.")] = "",
    via: options.Via = "",
    device: options.Device = "",
    line: options.SerialOptions,
    pulse: options.Pulse = None,
    rate: options.Rate = None,
    player: options.PlayerOptions,
    seating: options.FriendsSeating,
) -> None:
    """Join a table that a friend hosts. It also resumes your unfinished games there.

    Anyone who joins during a game watches until the host seats them or the next game begins. Others on this machine
    can see a link or code in the process list; use - to paste it instead.
    """
    from p2pcards.control.messages import OpenJoin
    from p2pcards.wire.address import is_cable
    from p2pcards.wire.invitation import is_for_watching

    address = ask_address() if address == "-" else address
    (called,) = resolve_hosts(current_home(), (address,), "", (code,) if code else ())
    if is_cable(called.address):
        raise Failure("You can't join over a cable. Use 'p2pcards connect --cable DEVICE' instead.", USAGE)
    serial = serial_request(device, line, pulse=pulse, rate=rate)
    me = choose_persona(current_home(), player)
    print_notice(calling_text([called.address]))

    def told(opened: TableOpened) -> list[str]:
        there = f"You already joined that host at table {opened.table}. Reconnecting until someone answers ..."
        return [] if opened.new else [there]

    open_table(OpenJoin(called, me, via, serial, watch=is_for_watching(address)), seating, told)


def watch(
    *,
    address: Annotated[
        str,
        typer.Argument(
            metavar="[HOST|CODE|LINK|tel:NUMBER]", help="The host's code, link or address; - to paste it when asked."
        ),
    ] = "",
    log: Annotated[
        str, typer.Option("--log", metavar="LOG", help="Watch a finished game: a log (see `p2pcards logs`), or a file.")
    ] = "",
    code: Annotated[str, typer.Option(metavar="CODE", help="The code the host gave you, if you two haven't met.")] = "",
    via: options.Via = "",
    device: options.Device = "",
    line: options.SerialOptions,
    pulse: options.Pulse = None,
    rate: options.Rate = None,
    player: options.PlayerOptions,
    seating: options.FriendsSeating,
) -> None:
    """Watch a friend's table without a seat. You see what everyone sees, and no hand before it's open.

    The host may be asked first. Type sit at the table to ask for a seat. To watch the computer play, run
    p2pcards autoplay.
    """
    from p2pcards.control.messages import OpenJoin
    from p2pcards.games.names import GAME_NAMES
    from p2pcards.wire.address import is_cable

    if bool(address) is bool(log):
        raise Failure("Give a host's code, link or address to watch, or a finished game: --log LOG", USAGE)
    if log:
        watch_log(log, seating)
        return
    if address in GAME_NAMES:
        raise Failure(f"To watch the computer play, run p2pcards autoplay {address}", USAGE)
    (called,) = resolve_hosts(current_home(), (address,), "", (code,) if code else ())
    if is_cable(called.address):
        raise Failure("You can't watch over a cable, which has two ends only.", USAGE)
    serial = serial_request(device, line, pulse=pulse, rate=rate)
    me = choose_persona(current_home(), player)
    print_notice(calling_text([called.address]))

    def told(opened: TableOpened) -> list[str]:
        there = f"You're already at that host's table, {opened.table}."
        return [] if opened.new else [there]

    open_table(OpenJoin(called, me, via, serial, watch=True), seating, told)


# --- tables, and the daemon -------------------------------------------------------------------------------------------


def play(
    *,
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game; leave it out to list the games.")] = "",
    preset: options.Preset = "",
    changes: options.Changes = None,
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
    player: options.PlayerOptions,
    limits: options.LimitOptions,
    seed: options.Seed = None,
    seating: options.Seating,
) -> None:
    """Play a game against the computer. You can invite friends from the table."""
    from p2pcards.control.messages import OpenPlay

    if not game:
        guide.games(seating.as_json)
        return
    rules = rules_for_table(game, preset, changes)
    home = current_home()
    if is_interactive() and not (seating.detached or seating.as_json):
        rules = ask_open_option(home, rules)
    me = choose_persona(home, player, alone=True)
    wished = tuple([word.strip() for word in opponents.split(",") if word.strip()])
    open_table(OpenPlay(rules, me, limits.time_limits(), seed, wished, deal), seating)


def listen(
    *,
    device: Annotated[
        str, typer.Argument(metavar="[DEVICE]", help="With --modem, its device; default: from the settings.")
    ] = "",
    modem: Annotated[bool, typer.Option("--modem", help="Wait for a call at a modem, not on a port.")] = False,
    cable: Annotated[str, typer.Option(metavar="DEVICE", help="Wait at a null-modem cable, not on a port.")] = "",
    line: options.SerialOptions,
    rate: options.Rate = None,
    rings: options.Rings = None,
    port: options.PortOptions,
    lan: Annotated[bool, typer.Option("--lan", help="Let players on your network find you.")] = False,
    admission: options.AdmissionOptions,
    player: options.PlayerOptions,
    seating: options.FriendsSeating,
) -> None:
    """Wait for a friend's call. The friend who calls hosts the game.

    It prints what to send to your friend. Unfinished games that your friends host resume here.
    """
    from p2pcards.control.messages import Admission, OpenLine, OpenListen, Serial

    serial: Serial | None = None
    number, for_browsers = options.listening_port(port)
    if modem or cable:
        by_port = number is not None or port.bind or for_browsers or lan or admission.reach or admission.onion
        if by_port or (modem and cable) or (cable and device):
            raise Failure("A table can use a modem, a cable or the network: pick one.", USAGE)
        serial = serial_request(cable or device, line, cable=bool(cable), rate=rate, rings=rings)
    elif device or any(astuple(line)) or rate is not None or rings is not None:
        raise Failure("DEVICE, --speed, --flow, --init, --rate and --rings need --modem or --cable DEVICE.", USAGE)
    refuse_reach_off(admission.reach)
    me, admitted = choose_persona(current_home(), player), Admission(admission.require_code, admission.known_only)
    at = waiting_address(port, admission, for_browsers, lan=lan)
    on_port = OpenListen(number, me, admitted, lan, at, for_browsers, admission.reach, onion=admission.onion)
    wait_for_friends(on_port if serial is None else OpenLine(serial, me, admitted), seating)


def connect(
    *,
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
    rules: options.RulesOptions,
    via: options.Via = "",
    cable: Annotated[str, typer.Option(metavar="DEVICE", help="Call over this null-modem cable, too.")] = "",
    device: options.Device = "",
    line: options.SerialOptions,
    rate: options.Rate = None,
    player: options.PlayerOptions,
    limits: options.LimitOptions,
    seating: options.FriendsSeating,
) -> None:
    """Call friends who are listening. You host: pick the game and its rules, and start it."""
    from p2pcards.control.messages import OpenConnect
    from p2pcards.wire.address import CABLE

    asked = rules_for_table(rules.game, rules.preset, rules.changes)
    at_cable = [CABLE + cable] if cable else []
    named = [*(hosts or ()), *at_cable]
    home = current_home()
    if named or partner:
        called = resolve_hosts(home, named, partner, code or ())
    else:
        called = choose_nearby(home, seating.as_json, code)
    if not called:
        return
    serial = serial_request(device, line, rate=rate)
    me = choose_persona(home, player)
    print_notice(calling_text([host.address for host in called]))
    open_table(OpenConnect(called, asked, me, limits.time_limits(), via, serial), seating)


def resume(
    *,
    log: Annotated[
        str, typer.Argument(metavar="[NAME]", help="A game (see `p2pcards saves`); default: you pick.")
    ] = "",
    hand: Annotated[
        int | None,
        typer.Option(
            "--hand",
            min=1,
            max=options.MOST,
            metavar="N",
            help="Start a new game from this hand of a game you played alone.",
        ),
    ] = None,
    via: options.Via = "",
    device: options.Device = "",
    line: options.SerialOptions,
    rate: options.Rate = None,
    auto: options.Auto = "",
    seating: options.FriendsSeating,
) -> None:
    """Resume an unfinished game. It calls your friends, and characters play for those who don't answer."""
    from p2pcards.control.messages import OpenResume, Persona

    check_player("", auto)
    if hand and not log:
        raise Failure("--hand needs a game: p2pcards resume NAME --hand N ('p2pcards logs' lists them).", USAGE)
    if log:
        log = find_log_name(current_home(), log)
    elif is_interactive() and not (seating.detached or seating.as_json):
        log = choose_save(current_home())

    def told(opened: TableOpened) -> list[str]:
        if opened.device:
            return [f"Waiting at {opened.device} again. Ask your friends to call: p2pcards join tel:NUMBER"]
        waits = f"Waiting on port {opened.port} again. Your friends' programs reconnect by themselves."
        return [waits] if opened.port else []

    serial = serial_request(device, line, rate=rate)
    request = OpenResume(log, Persona(auto=auto or None), via, serial, hand or 0)
    open_table(request, seating, told)


def attach(
    table: options.TableName = "",
    ascii: options.Ascii = False,  # noqa: A002
    plain: options.Plain = False,
    line: options.Line = False,
) -> None:
    """Sit down again at an open table."""
    home, seating = current_home(), options.Seating(ascii, plain, line=line)
    if hand_over_to_title(table):
        return
    try:
        _attach_to_table(home, table, seating)
    except NotRunning as nobody:
        if _next_daemon_joins(home):
            run_conversation(home, lambda client: client.status(), start=True)
            _attach_to_table(home, table, seating)
        else:
            _offer_unfinished(home, seating, nobody)


def _attach_to_table(home: Home, table: str, seating: options.Seating) -> None:
    if wants_screen(seating):
        sit_at_screen(home, table, seating)
    else:
        run_conversation(home, lambda client: sit_in_lines(client, home, table, seating), start=False)


def _next_daemon_joins(home: Home) -> bool:
    """Return whether the next daemon joins the table by itself that the last one had joined."""
    from p2pcards.control.messages import OpenJoin
    from p2pcards.daemon.tables import kept_listening

    return any(isinstance(one, OpenJoin) for one in kept_listening(home))


GO_ON = 5
"""Games that can go on which `attach` names where no table is open."""


def _offer_unfinished(home: Home, seating: options.Seating, nobody: NotRunning) -> None:
    """Offer to resume an unfinished game, as no table is open. Raises Failure, which names them, where nobody can
    answer."""
    from p2pcards.frontend.record_pages import saved_game_line

    found = list_our_saves(home, most=GO_ON)
    if not found:
        raise nobody
    lines = [f"{number}. {saved_game_line(one)}." for number, one in enumerate(found, 1)]
    told = f"{nobody} Your last game isn't finished: {saved_game_line(found[0])}."
    if not is_interactive():
        ways = [_resume_hint(one) for one in found]
        more = [f"{line} {way}" for line, way in zip(lines[1:], ways[1:], strict=True)]
        raise NotRunning(
            "\n".join([f"{told} {ways[0]}", *(["You can also resume:", *more] if more else [])]), nobody.code
        )
    print_text(told)
    if len(found) == 1:
        answer = "1" if ask_line("Resume it? [Y/n] ").lower() in ("", "y", "yes") else ""
    else:
        print_text("\n".join(["Unfinished games:", *lines]))
        numbers = [str(number) for number in range(1, len(found) + 1)]
        while (answer := ask_line("Resume which one? (0 for none) [1] ") or "1") not in (
            "0",
            *numbers,
        ):
            print_text(f"Type a number from 0 to {len(found)}.")
    if answer and int(answer):
        _resume_game(home, found[int(answer) - 1], seating)


def _resume_hint(one: SavedGame) -> str:
    if one.coordinates:
        return f"To resume it: p2pcards resume {one.log.stem}"
    return "It resumes when your host calls: p2pcards listen"


def _resume_game(home: Home, one: SavedGame, seating: options.Seating) -> None:
    """Resume a game. Where we are a listener, wait at the table that listened before, or at a new one."""
    from p2pcards.control.messages import OpenListen, OpenResume

    if one.coordinates:
        open_table(OpenResume(one.log.stem), seating)
        return
    tables = run_conversation(home, lambda client: client.status(), start=True).tables
    if not any(table.role == "listener" for table in tables):
        wait_for_friends(OpenListen(None, choose_persona(home, options.PlayerOptions())), seating)
    else:
        _attach_to_table(home, tables[-1].name, seating)


def detach(table: options.TableName = "") -> None:
    """Release a table from another terminal. You keep your seat."""
    print_text(run_conversation(current_home(), lambda client: client.release(table), start=False))


def status(as_json: options.AsJson = False) -> None:
    """Show the open tables. It lists who's there, and who they're waiting for."""
    from p2pcards.daemon.compiling import is_compiling

    try:
        found = run_conversation(current_home(), lambda client: client.status(), start=False)
    except NotRunning:
        found = None
    goes_on = is_compiling()
    print_result(status_data(found, goes_on), status_lines(found, goes_on), as_json)


def leave(table: options.TableName = "", yes: options.Yes = False) -> None:
    """Leave a table for good. Your character plays on; if you host, the next player hosts."""
    home = current_home()
    open_tables = {one.name: one for one in run_conversation(home, lambda client: client.status(), start=False).tables}
    if not table and len(open_tables) > 1:
        raise Failure(f"Which table: {', '.join(open_tables)}? Use p2pcards leave TABLE", USAGE)
    named = table or "".join(open_tables)
    if not yes and named in open_tables and not _confirm_leaving(open_tables[named]):
        print_text("OK, you stay.")
        return
    print_text(run_conversation(home, lambda client: client.leave(table), start=False))


def stop() -> None:
    """Stop the daemon and close its tables. You can resume unfinished games later."""
    try:
        print_text(stop_daemon(current_home()))
    except NotRunning:
        print_text("No daemon is running, so there's nothing to stop.")


def print_overview() -> None:
    """Print how to begin, and the open tables."""
    print_text("\n".join(OVERVIEW))
    if name := current_profile_label():
        print_text(f"You're playing as {name}. To switch: p2pcards profiles")
    for table in list_open_tables(current_home()):
        print_text(f"Table {table_line(table)} To sit down: p2pcards attach {table.name}")


def _confirm_leaving(table: TableStatus) -> bool:
    from p2pcards.frontend.asked_first import leaving_consequences

    if not is_interactive():
        raise Failure("Leaving is permanent. To confirm: p2pcards leave --yes", USAGE)
    others = any(person.link != "you" for person in table.people)
    heirs = sum(person.link == "here" for person in table.people)
    plays = "If you have a seat, your character plays on."
    follows = leaving_consequences(table.role, table.phase, others, plays, heirs)
    return ask_yes(f"Leave table {table.name} for good? {follows}yes/no ")


def words(table: options.TableName = "", as_json: options.AsJson = False) -> None:
    """Show three words to compare by voice with each friend. If you both see the same, nobody is listening in."""
    found = run_conversation(current_home(), lambda client: client.compare_words(table), start=False)
    if not found:
        raise Failure("Nobody answered, so there are no words to compare.", NETWORK)
    lines = [f"{name}: {spoken}" for name, spoken in found]
    lines += [
        "Read them to each other. If they match, nobody is listening in; 'p2pcards peers trust NAME' records that.",
        "If not, leave the table: someone may be listening in, or playing as your friend.",
    ]
    print_result([{"name": name, "words": spoken.split()} for name, spoken in found], lines, as_json)
