"""Ports for listeners that are killed and restarted."""

from __future__ import annotations

import socket
from contextlib import suppress
from random import SystemRandom

FIRST, LAST = 12_000, 32_767
"""Below the ephemeral ports, from which an outgoing connection could take one while its listener is down."""


def lasting_port() -> int:
    while True:
        port = SystemRandom().randint(FIRST, LAST)
        with suppress(OSError), socket.socket() as here:
            here.bind(("127.0.0.1", port))
            return port
