"""The telephone line: `dial`, `directory` and `modem`, and the options of commands that use a modem or a null-modem
cable."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli import options
from p2pcards.cli.asked import choose_persona
from p2pcards.cli.command import Failure, current_home, rules_for_table
from p2pcards.cli.opening import open_table, parse_code
from p2pcards.cli.terminal import ask_line, is_interactive, print_result, print_text
from p2pcards.control.exits import LINE, USAGE
from p2pcards.games.wording import quantity_text
from p2pcards.present.width import align_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pcards.control.messages import Serial
    from p2pcards.daemon.lines import Setup
    from p2pcards.links.modem.hayes import Examined
    from p2pcards.store.directory import Entry
    from p2pcards.store.files import Home


# --- the options of commands that use a modem or a null-modem cable, and what they ask for ----------------------------


def serial_request(
    device: str,
    line: options.SerialOptions,
    *,
    pulse: bool | None = None,
    cable: bool = False,
    emergency: bool = False,
    rate: int | None = None,
    rings: int | None = None,
) -> Serial:
    """The serial line that a table asks for. Raises Failure."""
    from p2pcards.control.messages import Serial
    from p2pcards.store.settings import FLOWS, MOST_RINGS, SPEEDS

    if line.speed and line.speed not in SPEEDS:
        raise Failure(f"{line.speed} isn't a serial speed. Use one of {', '.join(map(str, SPEEDS))}.", USAGE)
    if rings is not None and not 1 <= rings <= MOST_RINGS:
        raise Failure(f"--rings takes 1 to {MOST_RINGS}, not {rings}.", USAGE)
    if line.flow and line.flow not in FLOWS:
        raise Failure(f"There's no flow control '{line.flow}'. Use one of {', '.join(FLOWS)}.", USAGE)
    check_rate(rate)
    commands = modem_commands(line.init or ())
    path = device_path(device, Path.cwd())
    return Serial(cable, path, line.speed, line.flow, commands, pulse, emergency, rate or 0, rings or 0)


def check_rate(rate: int | None) -> None:
    """Check the rate of a line. Raises Failure."""
    from p2pcards.links.modem.hayes import SLOWEST

    if rate is not None and not SLOWEST <= rate <= options.FASTEST:
        raise Failure(
            f"The line rate must be {SLOWEST} to {options.FASTEST}, not {rate}. Without --rate, the modem reports it "
            "or p2pcards measures it.",
            USAGE,
        )


def modem_commands(words: Sequence[str]) -> tuple[str, ...]:
    """The commands that set up a modem; a make's name stands for its commands. Raises Failure."""
    from p2pcards.links.modem.hayes import BadCommand, clean_command
    from p2pcards.store.settings import MAKES, commands_in

    try:
        return tuple([clean_command(command) for command in commands_in(words)])
    except BadCommand as bad:
        makes = "" if any(word[:2].upper() == "AT" for word in words) else f" Known makes: {', '.join(MAKES)}."
        raise Failure(f"{bad}{makes}", USAGE) from None


def device_path(device: str, here: Path) -> str:
    """The device as a daemon in another folder needs it: a URL unchanged, a path made absolute, and a bare name
    (ttyUSB0) in /dev where no such file is here. Ports of Windows stay bare names."""
    if not device or "://" in device or sys.platform == "win32":
        return device
    if "/" not in device and not (here / device).exists():
        return f"/dev/{device}"
    return os.path.normpath(here / device)


# --- `p2pcards directory` ---------------------------------------------------------------------------------------------


EntryRate = Annotated[
    int | None,
    typer.Option("--rate", min=0, max=options.FASTEST, metavar="BPS", help="Speed of the phone line to them."),
]
EntryInit = Annotated[
    list[str] | None,
    typer.Option("--init", metavar="COMMAND", help="An AT command or make of modem to call them with; repeatable."),
]
Prefix = Annotated[
    str | None,
    typer.Option(metavar="DIGITS", help='Dial this before the number, instead of the setting; "": nothing.'),
]
EntryGrace = Annotated[
    int | None,
    typer.Option(
        "--grace",
        min=0,
        max=options.DAY,
        metavar="SECONDS",
        help="Time before their character takes over if the line drops.",
    ),
]
EntryName = Annotated[
    str, typer.Argument(metavar="NAME", help="A name in the phone book (see `p2pcards directory list`).")
]


directory = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Manage your phone book.")


@directory.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name for `p2pcards dial NAME`.")],
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="The number as you dial it, such as 555-1234.")],
    note: Annotated[str, typer.Option(metavar="TEXT", help="Anything to remember.")] = "",
    rate: EntryRate = None,
    init: EntryInit = None,
    prefix: Prefix = None,
    grace: EntryGrace = None,
) -> None:
    """Add someone to the phone book."""
    from p2pcards.store.directory import Entry, add_entry

    entry = Entry(name, _check_number(number), note, "", "", rate, tuple(init or ()), prefix, grace)
    check_entry_line(entry)
    add_entry(current_home(), entry)
    print_text(f"Added {name} ({entry.number}).")


@directory.command()
def edit(
    name: EntryName,
    new: Annotated[str | None, typer.Option("--name", metavar="NEW", help="The new name.")] = None,
    number: Annotated[str | None, typer.Option(metavar="NUMBER", help="The new number.")] = None,
    note: Annotated[str | None, typer.Option(metavar="TEXT", help='The new note; "" for none.')] = None,
    rate: EntryRate = None,
    init: EntryInit = None,
    prefix: Prefix = None,
    grace: EntryGrace = None,
) -> None:
    """Change an entry in the phone book."""
    from p2pcards.store.directory import change_entry, find_entry

    given: dict[str, Any] = {"name": new, "number": None if number is None else _check_number(number), "note": note}
    given |= {"rate": rate, "init": None if init is None else tuple(init), "prefix": prefix, "grace": grace}
    changes = {key: value for key, value in given.items() if value is not None}
    if not changes:
        raise Failure("Nothing to change. Add --name, --number, --note or another option.", USAGE)
    check_entry_line(replace(find_entry(current_home(), name), **changes))
    changed = change_entry(current_home(), name, **changes)
    print_text(f"Saved {changed.name}: {changed.number}{f' ({changed.note})' if changed.note else ''}.")


@directory.command("list")
def list_entries(as_json: options.AsJson = False) -> None:
    """List the phone book."""
    from p2pcards.store.directory import load_directory

    data = [asdict(entry) | {"fault": _number_fault(entry.number)} for entry in load_directory(current_home())]
    rows = [(one["name"], one["number"], _last_call_text(one), one["note"]) for one in data]
    lines = (
        align_columns([("name", "number", "last call", "note"), *rows])
        if rows
        else ["Your phone book is empty. To add a friend: p2pcards directory add Anna 555-1234"]
    )
    lines += [f"You can't call {one['name']}. {one['fault']}" for one in data if one["fault"]]
    print_result(data, lines, as_json)


@directory.command()
def remove(name: EntryName) -> None:
    """Remove someone from the phone book."""
    from p2pcards.store.directory import remove_entry

    removed = remove_entry(current_home(), name)
    print_text(f"Removed {removed.name} ({removed.number}).")


def number_to_dial(entry: Entry) -> str:
    """The digits to dial for an entry.

    Raises Failure for a number that cannot be dialled or is an emergency number, since the file may hold anything."""
    from p2pcards.links.modem.hayes import clean_number

    if fault := _number_fault(entry.number):
        raise Failure(f"You can't call {entry.name}. {fault}", USAGE)
    return clean_number(entry.number)


def check_entry_line(entry: Entry) -> None:
    """Check the line settings of an entry. Raises Failure."""
    from p2pcards.links.modem.hayes import BadNumber, clean_number
    from p2pcards.store.settings import PREFIX_LIMIT

    try:
        check_rate(entry.rate)
        modem_commands(entry.init)
        if entry.prefix and len(clean_number(entry.prefix)) > PREFIX_LIMIT:
            raise Failure(f"The prefix '{entry.prefix}' is longer than {PREFIX_LIMIT} characters.", USAGE)
        if entry.grace is not None and not 0 <= entry.grace <= options.DAY:
            raise Failure(f"The grace period must be 0 to {options.DAY} seconds, not {entry.grace}.", USAGE)
    except (Failure, BadNumber) as wrong:
        raise Failure(f"You can't call {entry.name} with this phone book entry. {wrong}", USAGE) from None


def _check_number(text: str) -> str:
    """The number as it was typed, if it may be in the phone book. Raises Failure."""
    if fault := _number_fault(text):
        raise Failure(fault, USAGE)
    return text.strip()


def _number_fault(number: str) -> str:
    """Why a number cannot be dialled from the phone book, as a sentence; "" when it can."""
    from p2pcards.links.modem.hayes import BadNumber, clean_number, is_emergency

    try:
        cleaned = clean_number(number)
    except BadNumber as error:
        return str(error)
    if is_emergency(cleaned):
        return (
            f"{cleaned} is an emergency number, so p2pcards won't dial it from the phone book. "
            "If you really mean it, type it twice at 'p2pcards dial'."
        )
    return ""


def _last_call_text(one: dict[str, str]) -> str:
    return ": ".join(filter(None, (one["last_call"], one["ended"]))) or "-"


# --- `dial` -----------------------------------------------------------------------------------------------------------


def dial(
    *,
    whom: Annotated[
        str,
        typer.Argument(metavar="[NUMBER|NAME]", help="A number, or a name in your phone book; default: you pick."),
    ] = "",
    code: Annotated[
        str, typer.Option(metavar="CODE", help="The code your friend gave you, if you two haven't met.")
    ] = "",
    rules: options.RulesOptions,
    device: options.Device = "",
    line: options.SerialOptions,
    pulse: options.Pulse = None,
    rate: options.Rate = None,
    player: options.PlayerOptions,
    limits: options.LimitOptions,
    seating: options.FriendsSeating,
) -> None:
    """Call a friend by modem. You host: pick the game and its rules, and start it."""
    from p2pcards.control.messages import Host, OpenConnect
    from p2pcards.wire.address import TELEPHONE

    asked = rules_for_table(rules.game, rules.preset, rules.changes)
    home = current_home()
    entry, number = _resolve_number(home, whom or _choose_entry(home))
    serial = serial_request(device, line, pulse=pulse, emergency=_confirm_emergency(number), rate=rate)
    if entry is not None:
        check_entry_line(entry)
        serial = replace(serial, rate=serial.rate or entry.rate or 0, prefix=entry.prefix)
        serial = replace(serial, init=(*modem_commands(entry.init), *serial.init))
        limits = limits if limits.grace is not None else replace(limits, grace=entry.grace)
    hosts = (Host(TELEPHONE + number, code=parse_code(code)),)
    me = choose_persona(home, player)
    request = OpenConnect(hosts, asked, me, limits.time_limits(), serial=serial)
    open_table(request, seating, lambda _: _note_connected(home, entry), lambda ended: _note_call(home, entry, ended))


def _note_connected(home: Home, entry: Entry | None) -> list[str]:
    """Note that the call succeeded; nothing is printed."""
    _note_call(home, entry, "connected")
    return []


def _note_call(home: Home, entry: Entry | None, how: str) -> None:
    """Note how a call ended, if its entry is still in the phone book."""
    from p2pcards.store.directory import DirectoryError, note_call

    if entry is not None:
        try:
            note_call(home, entry.name, time.strftime("%Y-%m-%d %H:%M"), how)
        except DirectoryError:
            return


def _resolve_number(home: Home, whom: str) -> tuple[Entry | None, str]:
    """(entry, digits to dial) for a name or number; the entry is None for a typed number. Raises Failure."""
    from p2pcards.links.modem.hayes import BadNumber, clean_number
    from p2pcards.store.directory import DirectoryError, find_entry

    try:
        entry = find_entry(home, whom)
    except DirectoryError as unknown:
        try:
            return None, clean_number(whom)
        except BadNumber as bad:
            raise Failure(unknown.with_advice if whom[0].isalpha() else str(bad), USAGE) from None
    return entry, number_to_dial(entry)


def _choose_entry(home: Home) -> str:
    """The name that the person chooses from the phone book. Raises Failure."""
    from p2pcards.store.directory import load_directory

    entries = load_directory(home)
    if not entries:
        raise Failure(
            "Your phone book is empty. Give a number: p2pcards dial 555-1234, or add a friend: p2pcards directory add "
            "Anna 555-1234",
            USAGE,
        )
    if not is_interactive():
        names = ", ".join([entry.name for entry in entries])
        raise Failure(f"Who do you want to call? Your phone book has {names}: p2pcards dial NAME", USAGE)
    rows = [(str(number), one.name, one.number, one.note) for number, one in enumerate(entries, 1)]
    print_text("\n".join(align_columns([("", "name", "number", "note"), *rows])))
    while True:
        word = ask_line("Call which one? Type its number, or press Enter to cancel: ")
        if not word:
            raise typer.Exit
        if word.isdecimal() and 1 <= int(word) <= len(entries):
            return entries[int(word) - 1].name
        print_text(f"Type a number from 1 to {len(entries)}.")


def _confirm_emergency(number: str) -> bool:
    """True for an emergency number that the person has typed twice, False for any other number. Raises Failure if they
    don't repeat it."""
    from p2pcards.links.modem.hayes import BadNumber, clean_number, is_emergency

    if not is_emergency(number):
        return False
    told = f"{number} is an emergency number somewhere in the world. A modem call there could block a real emergency."
    if not is_interactive():
        raise Failure(f"{told} To dial it anyway, type it twice at a terminal.", USAGE)
    try:
        same = clean_number(ask_line(f"{told}\nIf it really is your friend's number, type it again: ")) == number
    except BadNumber:
        same = False
    if not same:
        raise Failure("The numbers don't match, so nobody was called.", USAGE)
    return True


# --- `p2pcards modem` -------------------------------------------------------------------------------------------------


modem = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Test a modem without calling anyone.")


@modem.callback()
def group() -> None:
    """Makes a group of a single command."""


@modem.command("test")
@options.spread_options
def test(
    *,
    device: Annotated[
        str, typer.Argument(metavar="[DEVICE]", help="The serial device; default: from the settings.")
    ] = "",
    line: options.SerialOptions,
    trace: Annotated[bool, typer.Option("--trace", help="Show each command and each answer.")] = False,
) -> None:
    """Test a modem without calling anyone. It shows what the modem is and whether it answers every command."""
    import trio

    from p2pcards.daemon.lines import LineFailed, setup_of
    from p2pcards.store.settings import load_settings

    try:
        setup = setup_of(serial_request(device, line), load_settings(current_home()))
    except LineFailed as failed:
        raise Failure(str(failed), failed.code) from None
    trio.run(_examine_modem, setup, (lambda line: print_text(line, sys.stderr)) if trace else None)


async def _examine_modem(setup: Setup, trace: Callable[[str], None] | None) -> None:
    """Test the modem and print the results sentence by sentence. Raises Failure."""
    import trio

    from p2pcards.links.modem import calls
    from p2pcards.links.modem.hayes import Progress
    from p2pcards.links.modem.port import CannotOpen, open_port

    def tell(progress: Progress) -> None:
        if progress.kind == "refused":
            print_text(f"It doesn't know {progress.text}.")

    try:
        async with await open_port(setup.device, speed=setup.speed, flow=setup.flow) as port:
            print_text(f"Opened {setup.device} at {setup.speed} bps, flow control {setup.flow}.")
            print_text(_control_lines_text(port.control_lines()))
            began = trio.current_time()
            found = await calls.examine(port, dialect=setup.dialect, tell=tell, trace=trace or calls.untold)
            print_text("\n".join(_modem_sentences(found, trio.current_time() - began)))
    except CannotOpen as cannot:
        raise Failure(cannot.sentence, LINE) from None
    except calls.CallFailed as failed:
        raise Failure(failed.sentence, LINE) from None
    if found.answered < found.asked:
        raise Failure(
            "The modem missed commands, so it would miss calls, too. Try a lower --speed, another --flow or another "
            "cable.",
            LINE,
        )


def _control_lines_text(lines: dict[str, bool | None]) -> str:
    """The state of the control lines, in words."""
    if None in lines.values():
        return "Its control lines can't be read: p2pcards hangs up with +++, and calls end with NO CARRIER or silence."
    shown = ", ".join([f"{name} {'high' if high else 'low'}" for name, high in lines.items()])
    if lines["DCD"]:
        return f"{shown}. DCD is high without a call, so it can't show the carrier: check &C1 and the cable."
    return f"{shown}."


def _modem_sentences(found: Examined, seconds: float) -> list[str]:
    """What the modem has answered, in sentences."""
    named = ", ".join(found.identity)
    told = [f"It identifies itself as {named}." if named else "It doesn't identify itself."]
    if found.by_itself:
        rings = quantity_text(found.by_itself, "ring")
        told.append(f"It answers calls by itself after {rings}, and that can't be turned off.")
    else:
        told.append("It answers calls only when told to.")
    return [*told, f"It answered {found.answered} of {found.asked} commands in {seconds:.0f} s."]
