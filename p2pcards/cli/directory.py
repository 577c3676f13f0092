"""`p2pcards directory`: whom to call by telephone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.options import AsJson
from p2pcards.cli.output import columns, say, show
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.store.directory import Entry

EntryRate = Annotated[int | None, typer.Option("--rate", metavar="BPS", help="Bits a second of the line to them.")]
EntryInit = Annotated[
    list[str] | None,
    typer.Option("--init", metavar="COMMAND", help="AT command, or make, to call them with; repeatable."),
]
Prefix = Annotated[
    str | None,
    typer.Option(metavar="DIGITS", help='Dialled before the number, in place of the setting; "": nothing.'),
]
EntryGrace = Annotated[
    int | None, typer.Option("--grace", metavar="SECONDS", help="How long their seat is kept when the line is lost.")
]
EntryName = Annotated[str, typer.Argument(metavar="NAME", help="As `p2pcards directory list` shows it.")]

LONGEST_GRACE = 86400
"""Seconds; what the header of a game takes."""

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

    entry = Entry(name, _number(number), note, "", "", rate, tuple(init or ()), prefix, grace)
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

    given: dict[str, Any] = {"name": new, "number": None if number is None else _number(number), "note": note}
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
    from p2pcards.cli.serial_line import checked_rate, modem_commands
    from p2pcards.links.modem.hayes import BadNumber, clean_number
    from p2pcards.store.settings import PREFIX_LIMIT

    try:
        checked_rate(entry.rate)
        modem_commands(entry.init)
        if entry.prefix and len(clean_number(entry.prefix)) > PREFIX_LIMIT:
            raise Failure(f"The prefix '{entry.prefix}' has more than {PREFIX_LIMIT} characters.", USAGE)
        if entry.grace is not None and not 0 <= entry.grace <= LONGEST_GRACE:
            raise Failure(f"A grace has 0 to {LONGEST_GRACE} seconds, not {entry.grace}.", USAGE)
    except (Failure, BadNumber) as wrong:
        raise Failure(f"{entry.name} cannot be called with what the directory says. {wrong}", USAGE) from None


def _number(text: str) -> str:
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
