"""The public servers that are used where the settings name none: message brokers, at which two ends meet, and STUN
servers, which tell a machine its public address. None of them promises anything, so there are three of each kind, run
by three parties; a router is judged by the answers of two STUN servers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

CHOSEN = date(2026, 11, 27)
"""When the lists were last reviewed."""


@dataclass(frozen=True, slots=True)
class PublicBroker:
    """Both addresses lead to the same broker: tls for programs, web for pages, which have nothing but WebSockets."""

    tls: str
    web: str
    reason: str


PUBLIC_BROKERS = (
    PublicBroker(
        "mqtts://broker.emqx.io:8883",
        "wss://broker.emqx.io:8084/mqtt",
        "Run by the makers of EMQX, free for testing. It was down for several days in December 2024.",
    ),
    PublicBroker(
        "mqtts://broker.hivemq.com:8883",
        "wss://broker.hivemq.com:8884/mqtt",
        "Run by the makers of HiveMQ, free for testing.",
    ),
    PublicBroker(
        # 8883 has a certificate of its own authority, 8886 one of Let's Encrypt.
        "mqtts://test.mosquitto.org:8886",
        "wss://test.mosquitto.org:8081/mqtt",
        "Run by the maintainer of mosquitto for testing. It was down for days in 2018 and 2024, and its certificate "
        "expired in January 2026.",
    ),
)


@dataclass(frozen=True, slots=True)
class StunServer:
    host: str
    port: int
    reason: str


PUBLIC_STUN_SERVERS = (
    StunServer("stun.cloudflare.com", 3478, "Run by Cloudflare, free for anyone, and close to every provider."),
    StunServer("stun.l.google.com", 19302, "Run by Google, in use since 2011. Most WebRTC examples use it."),
    StunServer(
        "stun.nextcloud.com",
        443,
        "Run by Nextcloud for Talk. Port 443 often gets through firewalls that block the others.",
    ),
)
