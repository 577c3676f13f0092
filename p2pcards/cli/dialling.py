"""`dial`: calling a friend by telephone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from p2pcards.cli.directory import check_line, number_of
from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.opening import open_table, refuse_seed
from p2pcards.cli.options import (
    Ascii,
    Auto,
    Changes,
    Character,
    ChosenGame,
    Detached,
    Grace,
    Line,
    Name,
    OpenAsJson,
    Plain,
    Preset,
    RefusedSeed,
    TurnClock,
)
from p2pcards.cli.output import at_terminal, columns, question, say
from p2pcards.cli.seating import Seating
from p2pcards.cli.serial_line import Device, Flow, Init, Pulse, Rate, Speed, modem_commands, serial_of
from p2pcards.cli.wanted import chosen_rules, persona
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.store.directory import Entry
    from p2pcards.store.home import Home


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
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    line: Line = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Call a friend whose modem listens, and open a table. You coordinate it: choose the game, its rules, and start."""
    from p2pcards.cli.calling import code_text
    from p2pcards.control.messages import Host, OpenConnect, TimeLimits
    from p2pcards.wire.address import TELEPHONE

    refuse_seed(seed)
    rules = chosen_rules(game, preset, changes)
    home = our_home()
    entry, number = _number(home, whom or _choice(home))
    serial = serial_of(device, speed, flow, init, pulse, emergency=_meant(number), rate=rate)
    if entry is not None:
        check_line(entry)
        serial = replace(serial, rate=serial.rate or entry.rate or 0, prefix=entry.prefix)
        serial = replace(serial, init=(*modem_commands(entry.init), *serial.init))
        grace = entry.grace if grace is None else grace
    hosts = (Host(TELEPHONE + number, code=code_text(code)),)
    me = persona(home, name, character, auto)
    request = OpenConnect(hosts, rules, me, TimeLimits(grace, turn_clock), serial=serial)
    ended = "was broken off"
    try:
        open_table(request, Seating(ascii, plain, detached, as_json, line), lambda _: _connected(home, entry))
        ended = ""
    except Failure as failure:
        ended = str(failure)
        raise
    finally:
        if ended:
            _note(home, entry, ended)


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


def _number(home: Home, whom: str) -> tuple[Entry | None, str]:
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
