"""How an address begins that is not a host and a port alone: a telephone number, a device with a cable, a WebSocket."""

from __future__ import annotations

TELEPHONE = "tel:"
"""A telephone number follows: it costs money to call, and a stranger may have it by now."""

CABLE = "cable:"
"""The serial device follows that has the cable: anybody may sit at its other end."""

WEBSOCKET, SECURE_WEBSOCKET = "ws://", "wss://"
"""A host, a port and a path follow, as in an address of the web."""


def is_telephone(address: str) -> bool:
    return address.startswith(TELEPHONE)


def is_cable(address: str) -> bool:
    return address.startswith(CABLE)


def is_line(address: str) -> bool:
    """Whether it is reached over a serial line, and so slowly."""
    return address.startswith((TELEPHONE, CABLE))


def is_web(address: str) -> bool:
    """Whether it is called over a WebSocket."""
    return address.startswith((WEBSOCKET, SECURE_WEBSOCKET))
