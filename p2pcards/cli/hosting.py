"""`host`, `join` and `words`: the coordinator waits and listeners come, and whether somebody sits in between."""

from __future__ import annotations

from typing import Annotated

import typer

from p2pcards.cli.asking import Seating, ask
from p2pcards.cli.failing import Failure
from p2pcards.cli.output import AsJson, show
from p2pcards.cli.tables import (
    Ascii,
    Auto,
    Character,
    Detached,
    Grace,
    KnownOnly,
    Name,
    OpenAsJson,
    Plain,
    Port,
    RefusedSeed,
    RequireCode,
    TableName,
    TurnClock,
    Via,
    notice,
    open_table,
    our_home,
    refuse_seed,
    wait_for_friends,
)
from p2pcards.cli.wanted import Changes, Preset, chosen_rules, persona
from p2pcards.control.exits import NETWORK, USAGE


def host(
    port: Port = None,
    game: Annotated[str, typer.Option(metavar="GAME", help="The game; it can be chosen at the table as well.")] = "",
    preset: Preset = "",
    changes: Changes = None,
    require_code: RequireCode = False,
    known_only: KnownOnly = False,
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
    """Open a table that friends join, and wait for them. You coordinate it: choose the game, its rules, and start."""
    from p2pcards.control.messages import Admission, OpenHost, TimeLimits

    refuse_seed(seed)
    rules = chosen_rules(game, preset, changes)
    me = persona(our_home(), name, character, auto)
    request = OpenHost(port, rules, me, TimeLimits(grace, turn_clock), Admission(require_code, known_only))
    wait_for_friends(request, Seating(ascii, plain, detached, as_json))


def join(
    address: Annotated[str, typer.Argument(metavar="HOST[:PORT]", help="Who hosts.")],
    code: Annotated[
        str, typer.Option(metavar="CODE", help="For a first meeting: what the host's p2pcards shows.")
    ] = "",
    via: Via = "",
    name: Name = "",
    character: Character = "",
    auto: Auto = "",
    ascii: Ascii = False,  # noqa: A002
    plain: Plain = False,
    detached: Detached = False,
    as_json: OpenAsJson = False,
    seed: RefusedSeed = None,
) -> None:
    """Sit down at a table that a friend hosts. Unfinished games of yours there go on."""
    from p2pcards.cli.calling import hosts_to_call
    from p2pcards.control.messages import OpenJoin
    from p2pcards.wire.address import is_line

    refuse_seed(seed)
    (called,) = hosts_to_call(our_home(), (address,), "", (code,) if code else ())
    if is_line(called.address):
        raise Failure("A table is joined over the network; over a line the one who dials coordinates.", USAGE)
    me = persona(our_home(), name, character, auto)
    notice(f"Calling {called.address} ...")
    open_table(OpenJoin(called, me, via), Seating(ascii, plain, detached, as_json))


def words(table: TableName = "", as_json: AsJson = False) -> None:
    """Show three words to compare by voice with each friend who has a line to a table."""
    found = ask(our_home(), lambda client: client.compare_words(table), start=False)
    if not found:
        raise Failure("Nobody answered, so there are no words to compare.", NETWORK)
    lines = [f"{name}: {spoken}" for name, spoken in found]
    lines += [
        "Read them to each other. If both have the same, nobody sits between you, and 'p2pcards peers trust NAME'",
        "notes it. If not, leave the table: somebody reads along and could play in your friend's place.",
    ]
    show([{"name": name, "words": spoken.split()} for name, spoken in found], lines, as_json)
