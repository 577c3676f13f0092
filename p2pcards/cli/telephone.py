"""The telephone line: `dial`, `directory` and `modem`, and the options of commands that use a modem or a null-modem
cable."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import (
    DAY,
    Ascii,
    AsJson,
    Auto,
    BetweenHands,
    Changes,
    Character,
    ChosenGame,
    Detached,
    Failure,
    Grace,
    Line,
    Name,
    OpenAsJson,
    Plain,
    Preset,
    RefusedSeed,
    Seating,
    TurnClock,
    at_terminal,
    chosen_rules,
    columns,
    our_home,
    persona,
    question,
    say,
    show,
)
from p2pcards.cli.opening import open_table, refuse_seed
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pcards.control.messages import Serial
    from p2pcards.daemon.lines import Setup
    from p2pcards.links.modem.hayes import Examined
    from p2pcards.store.directory import Entry
    from p2pcards.store.files import Home


# --- the options of commands that use a modem or a null-modem cable, and what they ask for ----------------------------


FASTEST = 115200
"""Bits a second that anybody needs to name."""

Device = Annotated[
    str,
    typer.Option(
        metavar="DEVICE",
        help="The serial device of the modem, such as /dev/ttyUSB0; if left out, that in the settings.",
    ),
]
Speed = Annotated[
    int,
    typer.Option(
        min=0,
        max=FASTEST,
        metavar="BPS",
        help="Bits a second between this machine and the modem or cable: 115200.",
        show_default=False,
    ),
]
Flow = Annotated[str, typer.Option(metavar="WAY", help="Flow control: rtscts (two wires), xonxoff, or none.")]
Init = Annotated[
    list[str] | None,
    typer.Option(metavar="COMMAND", help="Set up the modem with this AT command too, or that of a make; repeatable."),
]
Rate = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=FASTEST,
        metavar="BPS",
        help="Bits a second of the line itself, whatever the modem says.",
        show_default=False,
    ),
]
Rings = Annotated[
    int | None,
    typer.Option(min=0, max=100, metavar="N", help="Rings before a call is answered; after two it is known who calls."),
]
Pulse = Annotated[bool | None, typer.Option("--pulse/--tone", help="Dial by pulses, or by tones.", show_default=False)]


def serial_of(
    device: str = "",
    speed: int = 0,
    flow: str = "",
    init: list[str] | None = None,
    pulse: bool | None = None,
    cable: bool = False,
    emergency: bool = False,
    rate: int | None = None,
    rings: int | None = None,
    prefix: str | None = None,
) -> Serial:
    """What a table is asked for. Raises Failure."""
    from p2pcards.control.messages import Serial
    from p2pcards.store.settings import FLOWS, MOST_RINGS, SPEEDS

    if speed and speed not in SPEEDS:
        raise Failure(f"{speed} is not a speed of a serial port. There are {', '.join(map(str, SPEEDS))}.", USAGE)
    if rings is not None and not 1 <= rings <= MOST_RINGS:
        raise Failure(f"A call can be answered after 1 to {MOST_RINGS} rings, not after {rings}.", USAGE)
    if flow and flow not in FLOWS:
        raise Failure(f"There is no flow control '{flow}'. There are {', '.join(FLOWS)}.", USAGE)
    checked_rate(rate)
    commands = modem_commands(init or ())
    path = device_path(device, Path.cwd())
    return Serial(cable, path, speed, flow, commands, pulse, emergency, rate or 0, rings or 0, prefix)


def checked_rate(rate: int | None) -> None:
    """Raises Failure for what is not a rate of a line."""
    from p2pcards.links.modem.hayes import SLOWEST

    if rate is not None and not SLOWEST <= rate <= FASTEST:
        raise Failure(
            f"{rate} is not a rate of a line. It is a number from {SLOWEST} to {FASTEST}; without --rate the modem "
            "tells it, or it is measured.",
            USAGE,
        )


def modem_commands(words: Sequence[str]) -> tuple[str, ...]:
    """The commands that set up a modem, those of a make in its place. Raises Failure."""
    from p2pcards.links.modem.hayes import BadCommand, clean_command
    from p2pcards.store.settings import MAKES, commands_in

    try:
        return tuple([clean_command(command) for command in commands_in(words)])
    except BadCommand as bad:
        makes = "" if any(word[:2].upper() == "AT" for word in words) else f" Makes are {', '.join(MAKES)}."
        raise Failure(f"{bad}{makes}", USAGE) from None


def device_path(device: str, here: Path, devices: Path = Path("/dev")) -> str:
    """The device that a person means who is in this folder, for a daemon that is elsewhere: a URL as it is, a path made
    absolute, and a bare name (ttyUSB0) as that of a device where there is no such file here. Ports of Windows are bare
    names and stay."""
    if not device or "://" in device or sys.platform == "win32":
        return device
    if "/" not in device and not (here / device).exists():
        return str(devices / device)
    return os.path.normpath(here / device)


# --- `p2pcards directory` ---------------------------------------------------------------------------------------------


EntryRate = Annotated[
    int | None, typer.Option("--rate", min=0, max=FASTEST, metavar="BPS", help="Bits a second of the line to them.")
]
EntryInit = Annotated[
    list[str] | None,
    typer.Option("--init", metavar="COMMAND", help="AT command, or make, to call them with; repeatable."),
]
Prefix = Annotated[
    str | None,
    typer.Option(metavar="DIGITS", help='Dialled before the number, in place of the setting; "": nothing.'),
]
EntryGrace = Annotated[
    int | None,
    typer.Option(
        "--grace", min=0, max=DAY, metavar="SECONDS", help="How long their seat is kept when the line is lost."
    ),
]
EntryName = Annotated[str, typer.Argument(metavar="NAME", help="As `p2pcards directory list` shows it.")]


directory = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Whom to call by telephone.")


@directory.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to call by: `p2pcards dial NAME`.")],
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="As you would dial it from there, such as 555-1234.")],
    note: Annotated[str, typer.Option(metavar="TEXT", help="Anything to remember.")] = "",
    rate: EntryRate = None,
    init: EntryInit = None,
    prefix: Prefix = None,
    grace: EntryGrace = None,
) -> None:
    """Write somebody into the dialling directory."""
    from p2pcards.store.directory import Entry, add_entry

    entry = Entry(name, _checked_number(number), note, "", "", rate, tuple(init or ()), prefix, grace)
    check_line(entry)
    add_entry(our_home(), entry)
    say(f"{name} has the number {entry.number}.")


@directory.command()
def edit(
    name: EntryName,
    new: Annotated[str | None, typer.Option("--name", metavar="NEW", help="The name from now on.")] = None,
    number: Annotated[str | None, typer.Option(metavar="NUMBER", help="The number from now on.")] = None,
    note: Annotated[str | None, typer.Option(metavar="TEXT", help='The note from now on; "" for none.')] = None,
    rate: EntryRate = None,
    init: EntryInit = None,
    prefix: Prefix = None,
    grace: EntryGrace = None,
) -> None:
    """Change an entry of the dialling directory."""
    from dataclasses import replace

    from p2pcards.store.directory import change_entry, find_entry

    given: dict[str, Any] = {"name": new, "number": None if number is None else _checked_number(number), "note": note}
    given |= {"rate": rate, "init": None if init is None else tuple(init), "prefix": prefix, "grace": grace}
    changes = {key: value for key, value in given.items() if value is not None}
    if not changes:
        raise Failure("What shall be changed? Add --name, --number, --note or another option.", USAGE)
    check_line(replace(find_entry(our_home(), name), **changes))
    changed = change_entry(our_home(), name, **changes)
    say(f"{changed.name} has the number {changed.number}{f' ({changed.note})' if changed.note else ''}.")


@directory.command("list")
def list_entries(as_json: AsJson = False) -> None:
    """List the dialling directory."""
    from dataclasses import asdict

    from p2pcards.store.directory import load_directory

    data = [asdict(entry) | {"fault": _fault(entry.number)} for entry in load_directory(our_home())]
    rows = [(one["name"], one["number"], _last_call(one), one["note"]) for one in data]
    lines = columns([("name", "number", "last call", "note"), *rows]) if rows else ["Nobody is in it yet."]
    lines += [f"{one['name']} cannot be called. {one['fault']}" for one in data if one["fault"]]
    show(data, lines, as_json)


@directory.command()
def remove(name: EntryName) -> None:
    """Strike somebody from the dialling directory."""
    from p2pcards.store.directory import remove_entry

    removed = remove_entry(our_home(), name)
    say(f"{removed.name} with the number {removed.number} is removed.")


def number_of(entry: Entry) -> str:
    """What to dial for an entry, without decoration.

    Raises Failure when that cannot be dialled or is an emergency number, since the file may hold anything.
    """
    from p2pcards.links.modem.hayes import clean_number

    if fault := _fault(entry.number):
        raise Failure(f"{entry.name} cannot be called. {fault}", USAGE)
    return clean_number(entry.number)


def check_line(entry: Entry) -> None:
    """Raises Failure where what the entry says of the line to them cannot be."""
    from p2pcards.links.modem.hayes import BadNumber, clean_number
    from p2pcards.store.settings import PREFIX_LIMIT

    try:
        checked_rate(entry.rate)
        modem_commands(entry.init)
        if entry.prefix and len(clean_number(entry.prefix)) > PREFIX_LIMIT:
            raise Failure(f"The prefix '{entry.prefix}' has more than {PREFIX_LIMIT} characters.", USAGE)
        if entry.grace is not None and not 0 <= entry.grace <= DAY:
            raise Failure(f"A grace has 0 to {DAY} seconds, not {entry.grace}.", USAGE)
    except (Failure, BadNumber) as wrong:
        raise Failure(f"{entry.name} cannot be called with what the directory says. {wrong}", USAGE) from None


def _checked_number(text: str) -> str:
    """A number that may stand in the directory, as it was written. Raises Failure."""
    if fault := _fault(text):
        raise Failure(fault, USAGE)
    return text.strip()


def _fault(number: str) -> str:
    """Why a number cannot be dialled from the directory, as a sentence; empty when it can."""
    from p2pcards.links.modem.hayes import BadNumber, clean_number, is_emergency

    try:
        cleaned = clean_number(number)
    except BadNumber as error:
        return str(error)
    if is_emergency(cleaned):
        return (
            f"{cleaned} is an emergency number, which nothing may dial for you. "
            "When you truly mean it, type it yourself, twice."
        )
    return ""


def _last_call(one: dict[str, str]) -> str:
    return ": ".join(filter(None, (one["last_call"], one["ended"]))) or "-"


# --- `dial` -----------------------------------------------------------------------------------------------------------


def dial(
    whom: Annotated[
        str,
        typer.Argument(metavar="[NUMBER|NAME]", help="A number, or a name of the directory; if left out, a choice."),
    ] = "",
    code: Annotated[
        str, typer.Option(metavar="CODE", help="For a first meeting: what the friend's p2pcards shows.")
    ] = "",
    game: ChosenGame = "",
    preset: Preset = "",
    changes: Changes = None,
    device: Device = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    pulse: Pulse = None,
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
    """Call a friend whose modem listens, and open a table. You coordinate it: choose the game, its rules, and start."""
    from p2pcards.cli.opening import code_text
    from p2pcards.control.messages import Host, OpenConnect, TimeLimits
    from p2pcards.wire.address import TELEPHONE

    refuse_seed(seed)
    rules = chosen_rules(game, preset, changes)
    home = our_home()
    entry, number = _number_of(home, whom or _choice(home))
    serial = serial_of(device, speed, flow, init, pulse, emergency=_meant(number), rate=rate)
    if entry is not None:
        check_line(entry)
        serial = replace(serial, rate=serial.rate or entry.rate or 0, prefix=entry.prefix)
        serial = replace(serial, init=(*modem_commands(entry.init), *serial.init))
        grace = entry.grace if grace is None else grace
    hosts = (Host(TELEPHONE + number, code=code_text(code)),)
    me = persona(home, name, character, auto)
    request = OpenConnect(hosts, rules, me, TimeLimits(grace, turn_clock, between_hands), serial=serial)
    seating = Seating(ascii, plain, detached, as_json, line)
    open_table(request, seating, lambda _: _connected(home, entry), lambda ended: _note(home, entry, ended))


def _connected(home: Home, entry: Entry | None) -> list[str]:
    """Nothing is said, but that it went well is noted."""
    _note(home, entry, "connected")
    return []


def _note(home: Home, entry: Entry | None, how: str) -> None:
    """How a call to somebody in the directory ended, if they are still in it."""
    import time

    from p2pcards.store.directory import DirectoryError, note_call

    if entry is not None:
        try:
            note_call(home, entry.name, time.strftime("%Y-%m-%d %H:%M"), how)
        except DirectoryError:
            return


def _number_of(home: Home, whom: str) -> tuple[Entry | None, str]:
    """Somebody in the directory and what to dial, or the number that was typed. Raises Failure."""
    from p2pcards.links.modem.hayes import BadNumber, clean_number
    from p2pcards.store.directory import DirectoryError, find_entry

    try:
        entry = find_entry(home, whom)
    except DirectoryError as unknown:
        try:
            return None, clean_number(whom)
        except BadNumber as bad:
            raise Failure(unknown.with_advice if whom[0].isalpha() else str(bad), USAGE) from None
    return entry, number_of(entry)


def _choice(home: Home) -> str:
    """The name that a person chooses from the directory. Raises Failure."""
    from p2pcards.store.directory import load_directory

    entries = load_directory(home)
    if not entries:
        raise Failure(
            "Whom do you want to call? p2pcards dial 555-1234, or add a friend: p2pcards directory add Anna 555-1234",
            USAGE,
        )
    if not at_terminal():
        names = ", ".join([entry.name for entry in entries])
        raise Failure(f"Whom do you want to call? In the directory are {names}: p2pcards dial NAME", USAGE)
    rows = [(str(number), one.name, one.number, one.note) for number, one in enumerate(entries, 1)]
    say("\n".join(columns([("", "name", "number", "note"), *rows])))
    while True:
        word = question("Whom do you want to call? A number from this list, or nothing to cancel: ")
        if not word:
            raise typer.Exit
        if word.isdecimal() and 1 <= int(word) <= len(entries):
            return entries[int(word) - 1].name
        say(f"A number from 1 to {len(entries)}, please.")


def _meant(number: str) -> bool:
    """Whether this is an emergency number that the person has typed once more. Raises Failure if they have not."""
    from p2pcards.links.modem.hayes import BadNumber, clean_number, is_emergency

    if not is_emergency(number):
        return False
    told = f"{number} is an emergency number somewhere in the world, and a modem that calls it keeps help from others."
    if not at_terminal():
        raise Failure(f"{told} It is dialled only if you type it twice, at a terminal.", USAGE)
    try:
        same = clean_number(question(f"{told}\nIf it truly is your friend's, type it once more: ")) == number
    except BadNumber:
        same = False
    if not same:
        raise Failure("That was not the same number, so nobody is called.", USAGE)
    return True


# --- `p2pcards modem` -------------------------------------------------------------------------------------------------


modem = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Try a modem without calling anybody.")


@modem.callback()
def group() -> None:
    """Makes a group of a single command."""


@modem.command("test")
def test(
    device: Annotated[
        str, typer.Argument(metavar="[DEVICE]", help="The serial device; if left out, that in the settings.")
    ] = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    trace: Annotated[bool, typer.Option("--trace", help="Print what is said to it, and what it says.")] = False,
) -> None:
    """Tell what a modem is, what its cable shows, and whether it answers each command. Nobody is called."""
    import trio

    from p2pcards.daemon.lines import LineFailed, setup_of
    from p2pcards.store.settings import load_settings

    try:
        setup = setup_of(serial_of(device, speed, flow, init), load_settings(our_home()))
    except LineFailed as failed:
        raise Failure(str(failed), failed.code) from None
    trio.run(_examine, setup, (lambda line: say(line, sys.stderr)) if trace else None)


async def _examine(setup: Setup, trace: Callable[[str], None] | None) -> None:
    """Sentence by sentence. Raises Failure."""
    import trio

    from p2pcards.control.exits import LINE
    from p2pcards.links.modem import calls
    from p2pcards.links.modem.hayes import Progress
    from p2pcards.links.modem.port import CannotOpen, open_port

    def tell(progress: Progress) -> None:
        if progress.kind == "refused":
            say(f"It does not know {progress.text}.")

    try:
        async with await open_port(setup.device, speed=setup.speed, flow=setup.flow) as port:
            say(f"{setup.device} is open at {setup.speed} bits a second, flow control {setup.flow}.")
            say(_cable(port.control_lines()))
            began = trio.current_time()
            found = await calls.examine(port, dialect=setup.dialect, tell=tell, trace=trace or calls.untold)
            say("\n".join(_sentences(found, trio.current_time() - began)))
    except CannotOpen as cannot:
        raise Failure(cannot.sentence, LINE) from None
    except calls.CallFailed as failed:
        raise Failure(failed.sentence, LINE) from None
    if found.answered < found.asked:
        raise Failure(
            "A modem that misses commands will miss calls. Try a lower speed with --speed, another cable, or another "
            "flow control with --flow.",
            LINE,
        )


def _cable(lines: dict[str, bool | None]) -> str:
    """What the control lines show."""
    if None in lines.values():
        return "Its control lines cannot be read: calls end by silence and by NO CARRIER, and are hung up with +++."
    shown = ", ".join([f"{name} {'high' if high else 'low'}" for name, high in lines.items()])
    if lines["DCD"]:
        return f"{shown}. DCD is high without a call, so it does not show the carrier: check &C1 and the cable."
    return f"{shown}."


def _sentences(found: Examined, seconds: float) -> list[str]:
    """What the modem has told."""
    named = ", ".join(found.identity)
    told = [f"It identifies itself as {named}." if named else "It does not identify itself."]
    if found.by_itself:
        rings = "1 ring" if found.by_itself == 1 else f"{found.by_itself} rings"
        told.append(f"It answers calls by itself after {rings}, and cannot be told not to.")
    else:
        told.append("It answers a call when it is told to, never by itself.")
    return [*told, f"It answered {found.answered} of {found.asked} commands. The test took {seconds:.0f} s."]
