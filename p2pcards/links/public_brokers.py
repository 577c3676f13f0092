"""The public brokers at which two ends meet where the settings name none. None of them promises anything, so there are
three, run by three parties."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

CHOSEN = date(2026, 11, 27)
"""When the list was last looked through."""


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
        "By the makers of EMQX, free for tests; down for some days in December 2024.",
    ),
    PublicBroker(
        "mqtts://broker.hivemq.com:8883",
        "wss://broker.hivemq.com:8884/mqtt",
        "By the makers of HiveMQ, free for tests.",
    ),
    PublicBroker(
        # 8883 has a certificate of its own authority, 8886 one of Let's Encrypt.
        "mqtts://test.mosquitto.org:8886",
        "wss://test.mosquitto.org:8081/mqtt",
        "By the maintainer of mosquitto, for tests; down for days in 2018 and 2024, its certificate expired in January "
        "2026.",
    ),
)
