"""How an address begins that is no host: a telephone number, or a device with a cable."""

from __future__ import annotations

TELEPHONE = "tel:"
CABLE = "cable:"


def is_telephone(address: str) -> bool:
    """A call there costs money, and a stranger may have the number by now."""
    return address.startswith(TELEPHONE)


def is_line(address: str) -> bool:
    """Whether it is reached over a serial line."""
    return address.startswith((TELEPHONE, CABLE))
