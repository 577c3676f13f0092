"""The options of commands that use a modem or a null-modem cable, and what they ask for."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from p2pcards.cli.failing import Failure
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pcards.control.messages import Serial

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
        metavar="BPS", help="Bits a second between this machine and the modem or cable: 115200.", show_default=False
    ),
]
Flow = Annotated[str, typer.Option(metavar="WAY", help="Flow control: rtscts (two wires), xonxoff, or none.")]
Init = Annotated[
    list[str] | None,
    typer.Option(metavar="COMMAND", help="Set up the modem with this AT command too, or that of a make; repeatable."),
]
Rate = Annotated[
    int | None,
    typer.Option(metavar="BPS", help="Bits a second of the line itself, whatever the modem says.", show_default=False),
]
Rings = Annotated[
    int | None, typer.Option(metavar="N", help="Rings before a call is answered; after two it is known who calls.")
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
    from p2pcards.store.makes import MAKES, commands_in

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
