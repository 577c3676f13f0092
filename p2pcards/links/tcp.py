"""TCP: connecting and listening with sentences instead of error numbers, and the addresses of this machine."""

import errno
import ipaddress
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Literal

import trio

from p2pcards.links.address import DEFAULT_PORT, format_address
from p2pcards.links.link import Prompt

READ = 16384
"""Bytes that are read at a time."""

Kind = Literal["public", "private", "loopback"]

PROBED = ("198.51.100.1", "10.0.0.1", "172.16.0.1", "192.168.0.1", "2001:db8::1", "fd00::1")
"""Where the routing table is asked for a way to: the outside and the usual private networks."""
DISCARD = 9
"""The port of a socket that only asks for a way (RFC 863)."""


class CannotConnect(Exception):
    """No connection came about; `sentence` says why and what to try. there: the machine answered, but nobody
    listens."""

    def __init__(self, sentence: str, there: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.there = there


class CannotListen(Exception):
    """Nobody can reach this port; `sentence` says why and what to try."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class PortInUse(CannotListen):
    """Another program, or another p2pcards, has the port."""


def kind_of(address: str) -> Kind:
    """The kind of an IP address by who can reach it: everybody, those on the same network or VPN, or only this
    machine."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    if ip.is_loopback:
        return "loopback"
    return "public" if ip.is_global else "private"


def own_addresses() -> list[tuple[str, Kind]]:
    """This machine's addresses with their kinds, for the line to send to a friend: public ones first, loopback last,
    preferred routes first within a kind. Nothing is sent.

    All interfaces are asked, since a network without a router has no route outside. A home router's public address is
    not seen from here.
    """
    routed = [str(own) for own in map(source_address, PROBED) if own is not None]
    found = dict.fromkeys([*routed, *_on_interfaces(), "127.0.0.1"])
    order: tuple[Kind, ...] = ("public", "private", "loopback")
    return sorted([(address, kind_of(address)) for address in found], key=lambda item: order.index(item[1]))


def source_address(target: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """This machine's address for packets to this IP address, None if it is unreachable. Nothing is sent."""
    family = socket.AF_INET6 if ":" in target else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((target, DISCARD))
        return ipaddress.ip_address(probe.getsockname()[0])
    return None


def _on_interfaces() -> Iterator[str]:
    """Every address of every interface, except IPv6 link-local ones, which need an interface name that differs at the
    friend's end."""
    import ifaddr  # which asks the C library, and there is none in a browser

    with suppress(OSError):
        for adapter in ifaddr.get_adapters():
            for one in adapter.ips:
                address = ipaddress.ip_address(one.ip if isinstance(one.ip, str) else one.ip[0])
                if not address.is_loopback and (address.version == 4 or not address.is_link_local):
                    yield str(address)


async def connect(host: str, port: int, *, deadline: float) -> trio.SocketStream:
    """A TCP connection (without Nagle's delay), within `deadline` seconds; tries every address that the name has.

    Raises CannotConnect.
    """
    there = format_address(host, port)
    try:
        with trio.fail_after(deadline):
            return await trio.open_tcp_stream(host, port)
    except trio.TooSlowError:
        raise CannotConnect(_TIMED_OUT.format(there=there)) from None
    except (socket.gaierror, UnicodeError):
        raise CannotConnect(
            f"There's no machine called '{host}'. Check the spelling, and that this machine is online."
        ) from None
    except OSError as error:
        raise CannotConnect(_why_not_connected(there, error), errno.ECONNREFUSED in error_numbers(error)) from None


_TIMED_OUT = (
    "No answer from {there}. The machine may be off, or a firewall or router may be in the way. Your friend may have "
    "to open the port."
)
_REFUSED = "Nobody is listening at {there}. Ask your friend to run 'p2pcards listen', and compare the port it shows."
_UNREACHABLE = "Can't reach {there}. Check the address, and that this machine is online."

_WHY: dict[int, str] = {
    errno.ECONNREFUSED: _REFUSED,
    errno.ETIMEDOUT: _TIMED_OUT,
    errno.EHOSTUNREACH: _UNREACHABLE,
    errno.ENETUNREACH: _UNREACHABLE,
    errno.EADDRNOTAVAIL: _UNREACHABLE,
}
"""In order of weight: when a name has several addresses, the one that came closest to an answer speaks."""


def _why_not_connected(there: str, error: OSError) -> str:
    """The sentence for a failed connection."""
    numbers = set(error_numbers(error))
    for number, sentence in _WHY.items():
        if number in numbers:
            return sentence.format(there=there)
    reason = ", ".join(sorted(os.strerror(number) for number in numbers)) or "no reason given"
    return f"Can't connect to {there}: {reason}."


def error_numbers(error: BaseException) -> Iterator[int]:
    """Every error number in an OSError, its causes and groups."""
    if isinstance(error, OSError) and error.errno is not None:
        yield error.errno
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from error_numbers(part)
    if error.__cause__ is not None:
        yield from error_numbers(error.__cause__)


_NOT_OURS = "'{host}' isn't one of this machine's addresses. Leave out --bind to use them all."


async def listen(port: int, host: str | None = None) -> list[trio.SocketListener]:
    """Listeners on `port` of every address of this machine, IPv4 and IPv6, or of `host` alone. Port 0 takes a free
    one, the same for all (see port_of). Raises CannotListen, PortInUse among it."""
    while port == 0:
        listeners = await _open(0, host)
        if len(listeners) == 1:
            return listeners
        free = port_of(listeners[0])
        for listener in listeners:
            await listener.aclose()
        with suppress(PortInUse):
            return await _open(free, host)
    return await _open(port, host)


async def _open(port: int, host: str | None) -> list[trio.SocketListener]:
    """Open listeners. Raises CannotListen and OSError."""
    try:
        return await trio.open_tcp_listeners(port, host=host)
    except (socket.gaierror, UnicodeError):
        raise CannotListen(_NOT_OURS.format(host=host)) from None
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL and host is None:
            # IPv6 is compiled in but switched off.
            return await _open(port, "0.0.0.0")
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                f"Port {port} is taken by another program, perhaps another p2pcards. "
                f"Choose another one with --port, for example --port {port + 1 if port < 65535 else DEFAULT_PORT}."
            ) from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise CannotListen(_NOT_OURS.format(host=host)) from None
        if error.errno in (errno.EACCES, errno.EPERM):
            raise CannotListen(
                f"You don't have permission to listen on port {port}. Choose 1024 or higher with --port, "
                f"for example --port {DEFAULT_PORT}."
            ) from None
        raise CannotListen(f"Can't listen on port {port}: {error.strerror or error}.") from None


def write_now(stream: trio.abc.Stream, data: bytes) -> int:
    """Write without waiting; returns how many bytes were taken, 0 if that is unknown, the buffer is full, or the
    connection broke (`send_all` will report it)."""
    if not isinstance(stream, trio.SocketStream):
        return stream.write_now(data) if isinstance(stream, Prompt) else 0
    try:
        return os.write(stream.socket.fileno(), data)
    except OSError:
        return 0


async def read_some(stream: trio.abc.Stream) -> bytes:
    """Read as `receive_some` does, for TCP without the layers in between."""
    if isinstance(stream, trio.SocketStream):
        fd = stream.socket.fileno()
        try:
            await trio.lowlevel.wait_readable(fd)
            return os.read(fd, READ)
        except (OSError, ValueError):
            pass  # `receive_some` will meet it as well, and report it
    return bytes(await stream.receive_some())


def port_of(listener: trio.SocketListener) -> int:
    port: int = listener.socket.getsockname()[1]
    return port


def where(stream: trio.SocketStream) -> str:
    """The other end of a connection, for people: `tcp 192.0.2.7:4747`."""
    try:
        host, port = stream.socket.getpeername()[:2]
    except OSError:
        return "tcp, already gone"
    return f"tcp {format_address(host, port)}"
