"""Where somebody can be called, as people write it: a host, a telephone number, a device with a cable, a WebSocket, or
the link that a host sends."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from p2pcards.links.modem.hayes import BadNumber, clean_number
from p2pcards.wire.address import (
    CABLE,
    SECURE_WEBSOCKET,
    TELEPHONE,
    WEBSOCKET,
    is_cable,
    is_telephone,
    is_web,
)

DEFAULT_PORT = 4747
WEB_PORT, SECURE_PORT = 80, 443
TABLE = "/table"
"""The path of the WebSocket, beside the page (protocol/websocket.md)."""
SUBPROTOCOL = "p2pcards.1"
"""What is spoken over it."""
MESSAGE = 65536
"""Bytes of the longest message of it, all its fragments together."""


class BadAddress(ValueError):
    """The text is not an address; the argument is a sentence."""


def canonical(text: str) -> str:
    """The one way to write an address: `host:port`, `tel:5551234`, `cable:/dev/ttyS0`, `ws://host:port`. A link is
    the address of its table. Raises BadAddress."""
    text = text_of_link(text.strip())[0]
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
    if is_web(text):
        return str(parse_web(text))
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


# --- WebSockets, and the links that lead to them ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WebAddress:
    """secure: over TLS. path: of the request, from its first slash on."""

    secure: bool
    host: str
    port: int
    path: str

    def __str__(self) -> str:
        scheme = SECURE_WEBSOCKET if self.secure else WEBSOCKET
        return f"{scheme}{format_address(self.host, self.port)}{'' if self.path == TABLE else self.path}"


def parse_web(text: str) -> WebAddress:
    """`ws://HOST[:PORT][/PATH]`, or with `wss://`. Raises BadAddress."""
    text = text.strip()
    secure = text.startswith(SECURE_WEBSOCKET)
    where, slash, path = text.removeprefix(SECURE_WEBSOCKET if secure else WEBSOCKET).partition("/")
    if not re.fullmatch(r"[!$&'()*+,;=:@%~\w./-]{0,200}", path, re.ASCII):
        raise BadAddress(f"'{_shown(slash + path)}' is not a path of the web; spelled right, without '?' and '#'?")
    usual = SECURE_PORT if secure else WEB_PORT
    host, port = parse_address(where)
    return WebAddress(secure, host, port if _names_port(where) else usual, slash + path if path else TABLE)


def _names_port(where: str) -> bool:
    """Whether the text of an address says which port, or leaves it to what is usual."""
    return not _is_ipv6(where) and bool(re.search(r":[0-9]+$", where))


LINK = re.compile(r"(https?)://([^/?#]*)(/[^?#]*)?(\?[^#]*)?(?:#(.*))?", re.IGNORECASE)


def text_of_link(text: str) -> tuple[str, str]:
    """The address of the table that a link leads to, and the code in it, "" for none; an address as it is. What
    somebody's program has added to the link on its way ("?...") does not count."""
    found = LINK.fullmatch(text.strip())
    if found is None:
        return text, ""
    scheme, where, path, _, code = found.groups()
    folder = (path or "/").rpartition("/")[0]
    return f"{SECURE_WEBSOCKET if scheme.lower() == 'https' else WEBSOCKET}{where}{folder}{TABLE}", code or ""


def link_to(host: str, port: int, code: str) -> str:
    """What to send to a friend: the page of this host, and in it the code, if there is one."""
    return f"http://{format_address(host, port)}/{'#' if code else ''}{code}"
