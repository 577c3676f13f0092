"""The public STUN servers, which tell this machine its own public address. A router is judged by the answers of two,
and none of them promises anything, so there are three, run by three parties."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

CHOSEN = date(2026, 11, 27)
"""When the list was last looked through."""


@dataclass(frozen=True, slots=True)
class StunServer:
    host: str
    port: int
    reason: str


PUBLIC_STUN_SERVERS = (
    StunServer("stun.cloudflare.com", 3478, "By Cloudflare, which offers it free to anyone, near every provider."),
    StunServer("stun.l.google.com", 19302, "By Google, in use since 2011; most examples of WebRTC name it."),
    StunServer(
        "stun.nextcloud.com", 443, "By Nextcloud, for its Talk; port 443 is open where a firewall closes most others."
    ),
)
