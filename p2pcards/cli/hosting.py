"""`host` and `join`: the coordinator waits, and listeners come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.opening import notice, open_table, refuse_seed, wait_for_friends
from p2pcards.cli.options import (
    Ascii,
    Auto,
    Changes,
    Character,
    ChosenGame,
    Detached,
    Grace,
    KnownOnly,
    Line,
    Name,
    OpenAsJson,
    Plain,
    Port,
    Preset,
    RefusedSeed,
    RequireCode,
    TurnClock,
    Via,
)
from p2pcards.cli.seating import Seating
from p2pcards.cli.wanted import chosen_rules, persona
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.control.messages import TableOpened


def host(
    port: Port = None,
    game: ChosenGame = "",
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
    line: Line = False,
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
    wait_for_friends(request, Seating(ascii, plain, detached, as_json, line))


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
    line: Line = False,
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

    def told(opened: TableOpened) -> list[str]:
        there = f"You have joined there already, at table {opened.table}; the host is called until somebody answers."
        return [] if opened.new else [there]

    open_table(OpenJoin(called, me, via), Seating(ascii, plain, detached, as_json, line), told)
