"""The options of commands that use a modem or a null-modem cable, and what they ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from p2pcards.cli.failing import Failure
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.control.messages import Serial

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
Pulse = Annotated[bool | None, typer.Option("--pulse/--tone", help="Dial by pulses, or by tones.", show_default=False)]


def serial_of(
    device: str = "",
    speed: int = 0,
    flow: str = "",
    init: list[str] | None = None,
    pulse: bool | None = None,
    cable: bool = False,
    emergency: bool = False,
) -> Serial:
    """What a table is asked for. Raises Failure."""
    from p2pcards.control.messages import Serial
    from p2pcards.links.modem.hayes import BadCommand, clean_command
    from p2pcards.store.settings import FLOWS, SPEEDS

    if speed and speed not in SPEEDS:
        raise Failure(f"{speed} is not a speed of a serial port. There are {', '.join(map(str, SPEEDS))}.", USAGE)
    if flow and flow not in FLOWS:
        raise Failure(f"There is no flow control '{flow}'. There are {', '.join(FLOWS)}.", USAGE)
    try:
        commands = tuple([clean_command(command) for command in init or ()])
    except BadCommand as bad:
        raise Failure(str(bad), USAGE) from None
    return Serial(cable, device, speed, flow, commands, pulse, emergency)
