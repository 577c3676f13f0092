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


ONION = ".onion"
"""Ends the name of a service in Tor's network (RFC 7686): whoever calls there shows nobody where they are."""


def is_onion(address: str) -> bool:
    """True for a name in Tor's network, with a port or without."""
    host = address.rpartition(":")[0] or address
    return host.lower().rstrip(".").endswith(ONION)


def is_telephone(address: str) -> bool:
    return address.startswith(TELEPHONE)


def is_cable(address: str) -> bool:
    """True for a serial device with a null-modem cable."""
    return address.startswith(CABLE)


def goes_over_serial_line(address: str) -> bool:
    """True for a telephone or cable address, whose link is slow."""
    return address.startswith((TELEPHONE, CABLE))


def is_web(address: str) -> bool:
    """True for a `ws://` or `wss://` address, called over a WebSocket."""
    return address.startswith((WEBSOCKET, SECURE_WEBSOCKET))


def is_meeting(address: str) -> bool:
    """True for a `meet:...` address, which is looked up at the brokers."""
    return address.startswith(MEETING)


def place_called(address: str) -> str:
    """The end of a sentence for people: "at ADDRESS" or "through a meeting point"."""
    return "through a meeting point" if is_meeting(address) else f"at {address}"


def meeting_address_of(key: bytes) -> str:
    """The `meet:FINGERPRINT` address of the friend with this public key."""
    return MEETING + fingerprint(key)


def invitation_in(address: str) -> Invitation | None:
    """The invitation in a `meet:INVITATION` address, None for any other address."""
    try:
        return read_invitation(address.removeprefix(MEETING)) if is_meeting(address) else None
    except BadInvitation:
        return None
