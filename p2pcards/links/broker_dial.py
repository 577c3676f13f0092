"""Opens the bytes to a broker, over TCP, TLS or a WebSocket, with a sentence for each way in which that fails."""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import cache

import trio

from p2pcards.links.broker import HUNG_UP, NOT_A_BROKER, SILENT, BrokerLost
from p2pcards.links.broker_address import BrokerAddress
from p2pcards.links.mqtt import LONGEST_PASSED_OVER
from p2pcards.links.public_servers import CHOSEN
from p2pcards.links.tcp import error_numbers
from p2pcards.links.websocket import start_tls, upgraded

SUBPROTOCOL = "mqtt"  # of a WebSocket (MQTT 3.1.1, 6)
LONGEST_MESSAGE = LONGEST_PASSED_OVER + 5
"""Bytes of a message of a WebSocket: brokers send a packet in one."""
EXPIRED, NOT_YET_VALID = 10, 9
OTHER_NAME = (62, 64)
"""Why OpenSSL refuses a certificate (X509_V_ERR_...)."""

OFFLINE = "Can't reach {there}: this machine seems to be offline. Check the network and try again."
NO_SUCH_NAME = "Can't find {host}. Check that this machine is online, and the brokers in your settings."
REFUSED = "{there} refused the connection. The broker may be down, or a firewall blocks port {port}."
CLOCK_BEHIND = "This machine's clock says {today}, so no certificate is valid yet. Set the clock and try again."
NOT_VALID_NOW = (
    "The certificate of {there} isn't valid on {today}, the date on this machine's clock. If that's wrong, "
    "set the clock. If not, use another broker."
)
SOMEONE_ELSE = "{there} can't prove that it is {host} ({why}). On public Wi-Fi, sign in on its web page first."

UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)


def utc_today() -> date:
    """Today's date in UTC."""
    return datetime.now(UTC).date()


async def dial_broker(
    there: BrokerAddress, *, context: ssl.SSLContext | None = None, today: Callable[[], date] = utc_today
) -> trio.abc.Stream:
    """Connect to a broker, with TLS or a WebSocket as its address says. context: trusts other authorities than the
    system's. Raises BrokerLost."""
    try:
        stream: trio.abc.Stream = await trio.open_tcp_stream(there.host, there.port)
    except (OSError, UnicodeError) as error:
        raise BrokerLost(_why_not_connected(error).format(there=there, host=there.host, port=there.port)) from None
    try:
        if there.secure:
            stream = await start_tls(
                stream,
                there.host,
                context or trusted(),
                lambda cause: BrokerLost(_why_not_secure(there, cause, today())),
            )
        if there.web is not None:
            web = await upgraded(stream, there.web, SUBPROTOCOL, LONGEST_MESSAGE)
            if web is None:
                raise BrokerLost(NOT_A_BROKER.format(there=there))
            return web
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    return stream


@cache
def trusted() -> ssl.SSLContext:
    """A TLS context that trusts the system's authorities."""
    return ssl.create_default_context()


def _why_not_connected(error: Exception) -> str:
    """The sentence for a failure to connect."""
    if isinstance(error, UnicodeError):
        return NO_SUCH_NAME
    if isinstance(error, socket.gaierror):
        return OFFLINE if error.errno == socket.EAI_AGAIN else NO_SUCH_NAME
    numbers = set(error_numbers(error))
    if errno.ECONNREFUSED in numbers:
        return REFUSED
    if errno.ETIMEDOUT in numbers:
        return SILENT
    if numbers.intersection(UNREACHABLE):
        return OFFLINE
    reasons = ", ".join(sorted(os.strerror(number) for number in numbers)) or "no reason given"
    return f"Can't connect to {{there}}: {reasons}."


def _why_not_secure(there: BrokerAddress, cause: BaseException | None, today: date) -> str:
    """The sentence for a failed TLS handshake; today: for certificates out of date."""
    if not isinstance(cause, ssl.SSLError) or isinstance(cause, ssl.SSLEOFError):
        return HUNG_UP.format(there=there)
    if not isinstance(cause, ssl.SSLCertVerificationError):
        return NOT_A_BROKER.format(there=there)
    written = f"{today:%B} {today.day}, {today.year}"
    if cause.verify_code == NOT_YET_VALID and today < CHOSEN:
        return CLOCK_BEHIND.format(today=written)
    if cause.verify_code in (NOT_YET_VALID, EXPIRED):
        return NOT_VALID_NOW.format(there=there, today=written)
    why = "its certificate is for another name" if cause.verify_code in OTHER_NAME else cause.verify_message
    return SOMEONE_ELSE.format(there=there, host=there.host, why=why)
