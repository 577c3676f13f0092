"""Where somebody can be called, as people write it: a host, a telephone number, or a device with a cable."""

from __future__ import annotations

import ipaddress
import re

from p2pcards.links.modem.hayes import BadNumber, clean_number
from p2pcards.wire.address import CABLE, TELEPHONE, is_cable, is_telephone

DEFAULT_PORT = 4747


class BadAddress(ValueError):
    """The text is not an address; the argument is a sentence."""


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
    """The address as somebody is remembered by it; "" for a cable, at whose other end anybody may sit. Raises
    BadAddress."""
    address = canonical(text)
    return "" if is_cable(address) else address


def parse_address(text: str) -> tuple[str, int]:
    """(host, port) of `host`, `host:port`, `::1`, `[::1]` or `[::1]:port`; raises BadAddress."""
    text = text.strip()
    if not text:
        raise BadAddress("The address is empty. Give a name or a number, as in 'anna.example.org' or '192.0.2.7:4747'.")
    bracketed = re.fullmatch(r"\[(.*)\](?::(.*))?", text)
    if bracketed:
        host, port = bracketed.groups()
        if not _is_ipv6(host):
            raise BadAddress(
                f"'{_shown(host)}' is not an IPv6 address; only those stand in brackets, as in '[::1]:4747'."
            )
    elif _is_ipv6(text):
        host, port = text, None
    elif text.count(":") > 1:
        raise BadAddress(f"'{_shown(text)}' has too many colons. Write 'HOST:PORT', or '[IPv6]:PORT'.")
    else:
        host, colon, port = text.partition(":")
        port = port if colon else None
    if not bracketed and not _is_ipv6(host) and not is_hostname(host):
        raise BadAddress(f"'{_shown(host)}' is not a name or number that a machine can have; spelled right?")
    return host, DEFAULT_PORT if port is None else _port(port)


def format_address(host: str, port: int) -> str:
    """The text that parse_address reads as (host, port)."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_hostname(text: str) -> bool:
    """Letters, digits, dots, hyphens and underscores; no hyphen in front, or a program that is given the name could
    take it for an option."""
    return bool(re.fullmatch(r"\w[\w.-]{0,252}", text))


def _is_ipv6(text: str) -> bool:
    address, percent, zone = text.partition("%")
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return not percent or is_hostname(zone)


def _port(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        raise BadAddress(f"'{_shown(text)}' is not a port. A port is a number from 1 to 65535, usually {DEFAULT_PORT}.")
    return int(text)


def _shown(text: str) -> str:
    return "".join(c for c in text if c.isprintable())[:60]
