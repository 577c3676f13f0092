"""Where somebody can be called, as people write it: a host, a telephone number, or a device with a cable."""

from __future__ import annotations

from p2pcards.links.modem.numbers import BadNumber, clean_number
from p2pcards.links.tcp import BadAddress, format_address, parse_address
from p2pcards.wire.address import CABLE, TELEPHONE, is_cable, is_telephone


def canonical(text: str) -> str:
    """The one way to write an address: `host:port`, `tel:5551234`, `cable:/dev/ttyS0`. Raises BadAddress."""
    text = text.strip()
    if is_telephone(text):
        try:
            return TELEPHONE + clean_number(text.removeprefix(TELEPHONE))
        except BadNumber as bad:
            raise BadAddress(str(bad)) from None
    if is_cable(text):
        device = text.removeprefix(CABLE).strip()
        if not device or not device.isprintable():
            raise BadAddress("Which serial device has the cable? Write it like this: cable:/dev/ttyS0")
        return CABLE + device
    return format_address(*parse_address(text))


def lasting(text: str) -> str:
    """The address as somebody is remembered by it; "" for a cable, at whose other end may sit anybody. Raises
    BadAddress."""
    address = canonical(text)
    return "" if is_cable(address) else address
