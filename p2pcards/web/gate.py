"""Who is let in: only requests that carry the token, name this machine as their host and come from the page itself."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import h11

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
USUAL_PORT = 80
SCREEN = "screen"
"""What the page asks for to have a WebSocket."""


@dataclass(frozen=True, slots=True)
class Gate:
    """port: where the server listens; token: what nobody can guess, and the address begins with."""

    port: int
    token: str

    @property
    def address(self) -> str:
        return f"http://{HOST}{self._colon_port}/{self.token}/"

    def asked_for(self, request: h11.Request) -> str | None:
        """What the request asks for, by the name that follows the token; None for whoever is not let in.

        A page of another site that has its name point here (DNS rebinding) sends that name as its Host, and one that
        opens a WebSocket here its own Origin."""
        host = _only(request, b"host")
        if request.method != b"GET" or host not in [name + self._colon_port for name in NAMES]:
            return None
        before, token, name = request.target.split(b"/") if request.target.count(b"/") == 2 else (b"", b"", b"")
        if before or not secrets.compare_digest(token, self.token.encode()):
            return None
        upgrades = (_only(request, b"upgrade") or "").lower() == "websocket"
        from_page = _only(request, b"origin") == f"http://{host}"
        if upgrades != (name == SCREEN.encode()) or (upgrades and not from_page):
            return None
        return name.decode("ascii", "replace")

    @property
    def _colon_port(self) -> str:
        """As browsers write it; they leave out the usual one."""
        return "" if self.port == USUAL_PORT else f":{self.port}"


def _only(request: h11.Request, header: bytes) -> str | None:
    """The value of a header that is there once."""
    values = [value for name, value in request.headers if name == header]
    return values[0].decode("ascii", "replace") if len(values) == 1 else None
