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
from p2pcards.cli.serial_line import Device, Flow, Init, Pulse, Rate, Rings, Speed, serial_of
from p2pcards.cli.wanted import chosen_rules, persona
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.control.messages import TableOpened


def host(
    port: Port = None,
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
    if modem and port is not None:
        raise Failure("A table waits at a modem or on a port: give one of them.", USAGE)
    if not modem and (device or speed or flow or init or rate is not None or rings is not None):
        raise Failure("A serial device, its speed, flow, init, rate and rings need --modem.", USAGE)
    serial = serial_of(device, speed, flow, init, rate=rate, rings=rings) if modem else None
    me = persona(our_home(), name, character, auto)
    limits, admission = TimeLimits(grace, turn_clock), Admission(require_code, known_only)
    request = OpenHost(port, rules, me, limits, admission, serial)
    wait_for_friends(request, Seating(ascii, plain, detached, as_json, line))


def join(
    address: Annotated[str, typer.Argument(metavar="HOST[:PORT]|tel:NUMBER", help="Who hosts.")],
    code: Annotated[
        str, typer.Option(metavar="CODE", help="For a first meeting: what the host's p2pcards shows.")
    ] = "",
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
    """Sit down at a table that a friend hosts. Unfinished games of yours there go on."""
    from p2pcards.cli.calling import hosts_to_call
    from p2pcards.control.messages import OpenJoin
    from p2pcards.wire.address import is_cable

    refuse_seed(seed)
    (called,) = hosts_to_call(our_home(), (address,), "", (code,) if code else ())
    if is_cable(called.address):
        raise Failure(
            "A table is joined over the network or by telephone; over a cable whoever calls coordinates.", USAGE
        )
    serial = serial_of(device, speed, flow, init, pulse, rate=rate)
    me = persona(our_home(), name, character, auto)
    notice(f"Calling {called.address} ...")

    def told(opened: TableOpened) -> list[str]:
        there = f"You have joined there already, at table {opened.table}; the host is called until somebody answers."
        return [] if opened.new else [there]

    open_table(OpenJoin(called, me, via, serial), Seating(ascii, plain, detached, as_json, line), told)
