"""What modems of a make are told besides what every modem is: a make may stand among the AT commands of `init`."""

from __future__ import annotations

from collections.abc import Iterable

MAKES: dict[str, tuple[str, ...]] = {
    "courier": ("AT&H1&R2&I0", "AT&A3&B1", "AT#CID=1"),
    "rockwell": ("AT&K3", "ATW2", "AT#CID=1"),
    "conexant": ("AT&K3", "ATW2", "AT+VCID=1"),
    "hayes": ("AT&K3", "ATW2"),
    "zoom": ("AT&K3", "ATW2", "AT#CID=1"),
    "tcpser": (),
}
"""Flow control by RTS and CTS; CONNECT tells the rate of the line (of a Courier also what corrects errors, and its port
keeps its speed); who calls is told between rings. Sources: the command sets in the manuals of U.S. Robotics (Courier
V.34), Rockwell (RC288), Conexant (V.92) and Hayes (Accura), and ITU-T V.253 for +VCID. Zoom's have Rockwell's chips. A
program that plays a modem, such as tcpser, needs nothing more."""


def commands_in(words: Iterable[str]) -> tuple[str, ...]:
    """The commands, those of a make in its place."""
    return tuple([command for word in words for command in MAKES.get(word.lower(), (word,))])
