"""`p2pcards directory`: whom to call by telephone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.options import AsJson
from p2pcards.cli.output import columns, say, show
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.store.directory import Entry

EntryName = Annotated[str, typer.Argument(metavar="NAME", help="As `p2pcards directory list` shows it.")]

directory = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Whom to call by telephone.")


@directory.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to call by: `p2pcards dial NAME`.")],
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="As you would dial it from there, such as 555-1234.")],
    note: Annotated[str, typer.Option(metavar="TEXT", help="Anything to remember.")] = "",
) -> None:
    """Write somebody into the dialling directory."""
    from p2pcards.store.directory import Entry, add_entry

    entry = Entry(name, _number(number), note)
    add_entry(our_home(), entry)
    say(f"{name} has the number {entry.number}.")


@directory.command()
def edit(
    name: EntryName,
    new: Annotated[str | None, typer.Option("--name", metavar="NEW", help="The name from now on.")] = None,
    number: Annotated[str | None, typer.Option(metavar="NUMBER", help="The number from now on.")] = None,
    note: Annotated[str | None, typer.Option(metavar="TEXT", help='The note from now on; "" for none.')] = None,
) -> None:
    """Change an entry of the dialling directory."""
    from p2pcards.store.directory import change_entry

    given = {"name": new, "number": None if number is None else _number(number), "note": note}
    changes = {key: text for key, text in given.items() if text is not None}
    if not changes:
        raise Failure("What shall be changed? Add --name, --number or --note.", USAGE)
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
    from p2pcards.links.modem.numbers import clean_number

    if fault := _fault(entry.number):
        raise Failure(f"{entry.name} cannot be called. {fault}", USAGE)
    return clean_number(entry.number)


def _number(text: str) -> str:
    """A number that may stand in the directory, as it was written. Raises Failure."""
    if fault := _fault(text):
        raise Failure(fault, USAGE)
    return text.strip()


def _fault(number: str) -> str:
    """Why a number cannot be dialled from the directory, as a sentence; empty when it can."""
    from p2pcards.links.modem.numbers import BadNumber, clean_number, is_emergency

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
