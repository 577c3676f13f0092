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
    list[str] | None, typer.Option(metavar="COMMAND", help="Set up the modem with this AT command too; repeatable.")
]
Rate = Annotated[
    int | None,
    typer.Option(metavar="BPS", help="Bits a second of the line itself, whatever the modem says.", show_default=False),
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
) -> Serial:
    """What a table is asked for. Raises Failure."""
    from p2pcards.control.messages import Serial
    from p2pcards.links.modem.hayes import BadCommand, clean_command
    from p2pcards.links.modem.results import SLOWEST
    from p2pcards.store.settings import FLOWS, SPEEDS

    if speed and speed not in SPEEDS:
        raise Failure(f"{speed} is not a speed of a serial port. There are {', '.join(map(str, SPEEDS))}.", USAGE)
    if rate is not None and not SLOWEST <= rate <= FASTEST:
        raise Failure(
            f"{rate} is not a rate of a line. It is a number from {SLOWEST} to {FASTEST}; without --rate the modem "
            "tells it, or it is measured.",
            USAGE,
        )
    if flow and flow not in FLOWS:
        raise Failure(f"There is no flow control '{flow}'. There are {', '.join(FLOWS)}.", USAGE)
    try:
        commands = tuple([clean_command(command) for command in init or ()])
    except BadCommand as bad:
        raise Failure(str(bad), USAGE) from None
    return Serial(cable, device_path(device, Path.cwd()), speed, flow, commands, pulse, emergency, rate or 0)


def device_path(device: str, here: Path, devices: Path = Path("/dev")) -> str:
    """The device that a person means who is in this folder, for a daemon that is elsewhere: a URL as it is, a path made
    absolute, and a bare name (ttyUSB0) as that of a device where there is no such file here. Ports of Windows are bare
    names and stay."""
    if not device or "://" in device or sys.platform == "win32":
        return device
    if "/" not in device and not (here / device).exists():
        return str(devices / device)
    return os.path.normpath(here / device)
