"""How an address begins that does not lead over the network: a telephone number, or a device with a cable."""

from __future__ import annotations

TELEPHONE = "tel:"
"""A telephone number follows: it costs money to call, and a stranger may have it by now."""

CABLE = "cable:"
"""The serial device follows that has the cable: anybody may sit at its other end."""


def is_telephone(address: str) -> bool:
    return address.startswith(TELEPHONE)


def is_cable(address: str) -> bool:
    return address.startswith(CABLE)


def is_line(address: str) -> bool:
    """Whether it is reached over a serial line, and so slowly."""
    return address.startswith((TELEPHONE, CABLE))
