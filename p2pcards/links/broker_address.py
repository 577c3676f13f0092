"""Where a broker is, as the settings write it: `mqtts://HOST[:PORT]`, `mqtt://HOST[:PORT]` without TLS, or
`wss://HOST[:PORT]/PATH`, each with `USER:PASSWORD@` before the host where it wants them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from p2pcards.links.address import BadAddress, WebAddress, format_address, parse_address, parse_web
from p2pcards.wire.clean import visible

Scheme = Literal["mqtts", "mqtt", "wss"]
USUAL: dict[Scheme, int] = {"mqtts": 8883, "mqtt": 1883, "wss": 443}
PATH = "/mqtt"
"""That of most brokers, where the address of a WebSocket has none."""
LONGEST = 400


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Its text form has neither user nor password."""

    scheme: Scheme
    host: str
    port: int
    path: str = ""  # of a WebSocket; otherwise ""
    user: str = ""
    password: str = ""

    @property
    def secure(self) -> bool:
        """True if TLS is used."""
        return self.scheme != "mqtt"

    @property
    def web(self) -> WebAddress | None:
        """The address of its WebSocket, None for other brokers."""
        return WebAddress(True, self.host, self.port, self.path) if self.scheme == "wss" else None

    def __str__(self) -> str:
        where = format_address(self.host, self.port)
        return f"{self.scheme}://{where.removesuffix(f':{USUAL[self.scheme]}')}{self.path}"


def parse_broker(text: str) -> BrokerAddress:
    """Parse the address of a broker. Raises BadAddress."""
    found = re.fullmatch(r"(mqtts|mqtt|wss)://(?:([^@/]*)@)?([^@/]+)(/.*)?", text.strip()[:LONGEST])
    if found is None:
        raise BadAddress(
            f"'{visible(_without_password(text))}' isn't the address of a broker. Write it like this: "
            "mqtts://HOST:PORT, mqtt://HOST:PORT or wss://HOST:PORT/PATH"
        )
    scheme: Scheme = next(one for one in USUAL if one == found[1])
    user, _, password = (unquote(part) for part in (found[2] or "").partition(":"))
    if not (user + password).isprintable():
        raise BadAddress("A broker's user name or password contains an invisible character.")
    path = "" if found[4] in (None, "/") else found[4]
    if scheme == "wss":
        web = parse_web(f"wss://{found[3]}{path or PATH}")
        return BrokerAddress(scheme, web.host, web.port, web.path, user, password)
    if path:
        raise BadAddress(f"Only a wss:// address can have a path. Leave out '{visible(path)}'.")
    return BrokerAddress(scheme, *parse_address(found[3], USUAL[scheme]), "", user, password)


def _without_password(text: str) -> str:
    """An address without user and password, for messages."""
    return re.sub(r"//.*@", "//", text.strip()[:LONGEST])
