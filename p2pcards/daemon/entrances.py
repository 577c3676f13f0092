"""Where a table may wait: the sockets of a port, or a serial device; what is wrong with them is declined."""

from __future__ import annotations

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import NETWORK
from p2pcards.control.messages import Serial
from p2pcards.daemon.lines import LineFailed, Setup, setup_of
from p2pcards.links.tcp import CannotListen, listen
from p2pcards.store.settings import Settings


def line_setup(serial: Serial, settings: Settings) -> Setup:
    """Raises Declined."""
    try:
        return setup_of(serial, settings)
    except LineFailed as failed:
        raise Declined(str(failed), failed.code) from None


async def ears(port: int) -> list[trio.SocketListener]:
    """Raises Declined."""
    try:
        return await listen(port)
    except CannotListen as cannot:
        raise Declined(cannot.sentence, NETWORK) from None
