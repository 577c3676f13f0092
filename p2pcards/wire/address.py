"""How an address begins that is not a host and a port alone: a telephone number, a device with a cable, a WebSocket, a
meeting point."""

from __future__ import annotations

from p2pcards.wire.invitation import BadInvitation, Invitation, read_invitation
from p2pcards.wire.keys import fingerprint

TELEPHONE = "tel:"
"""A telephone number follows: it costs money to call, and a stranger may have it by now."""

CABLE = "cable:"
"""The serial device follows that has the cable: anybody may sit at its other end."""

WEBSOCKET, SECURE_WEBSOCKET = "ws://", "wss://"
"""A host, a port and a path follow, as in an address of the web."""

MEETING = "meet:"
"""The number of a code follows, a friend's fingerprint or an invitation: both of you come to a meeting point."""


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


def is_meeting(address: str) -> bool:
    """Whether it is found at a meeting point."""
    return address.startswith(MEETING)


def place_called(address: str) -> str:
    """For people: where somebody is called."""
    return "through a meeting point" if is_meeting(address) else f"at {address}"


def meeting_with(key: bytes) -> str:
    """The address of a friend with this key, wherever they are."""
    return MEETING + fingerprint(key)


def invitation_in(address: str) -> Invitation | None:
    """Of a link to a meeting, None for any other address."""
    try:
        return read_invitation(address.removeprefix(MEETING)) if is_meeting(address) else None
    except BadInvitation:
        return None
