"""Who listens on this network: a probe sent to a multicast group, answered by everyone who runs `listen --lan`.

    probe    PROBE  | nonce 8 | zeros to PROBE_SIZE bytes
    answer   ANSWER | nonce 8 | port u16 | Ed25519 public key 32 | length of the name u8 | name, UTF-8

A probe is as long as the longest answer, so that nobody can use a listener to multiply traffic. Nothing in an answer
is proven: the key is what the channel will have to show at that address.
"""

import ipaddress
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import trio

from p2pcards.links.tcp import CannotListen, own_addresses
from p2pcards.wire.keys import KEY_SIZE, RefusedKey, admit

GROUP = "239.255.47.47"
"""In the block for one site's own use (RFC 2365, section 6.1)."""
PORT = 4748
PROBE = b"p2pcards?\x01"
ANSWER = b"p2pcards!\x01"
NONCE_SIZE = 8
NAME_LIMIT = 40
"""Bytes of UTF-8."""
HEAD = len(ANSWER) + NONCE_SIZE
PROBE_SIZE = HEAD + 2 + KEY_SIZE + 1 + NAME_LIMIT

ANSWERS_A_SECOND = 10
FOUND_LIMIT = 64
SENDINGS = 3
"""Probes sent in one search; datagrams get lost."""


@dataclass(frozen=True, slots=True)
class Found:
    """Someone who claims to be listening; `key` as public bytes. All of it is a claim."""

    host: str
    port: int
    name: str
    key: bytes


def probe_datagram(nonce: bytes) -> bytes:
    return (PROBE + nonce).ljust(PROBE_SIZE, b"\0")


def parse_probe(datagram: bytes) -> bytes | None:
    """The nonce of a probe; None for anything else."""
    nonce = datagram[len(PROBE) : HEAD]
    return nonce if datagram == probe_datagram(nonce) and len(nonce) == NONCE_SIZE else None


def answer_datagram(nonce: bytes, *, port: int, key: bytes, name: str) -> bytes:
    """A name that is too long is cut after its last whole character."""
    text = name.encode()[:NAME_LIMIT].decode(errors="ignore").encode()
    return ANSWER + nonce + port.to_bytes(2, "big") + key + bytes([len(text)]) + text


def parse_answer(datagram: bytes, nonce: bytes, host: str) -> Found | None:
    """The listener in an answer to the probe with this nonce, sent from `host`; None for anything else."""
    rest = datagram[HEAD:]
    if datagram[:HEAD] != ANSWER + nonce or len(rest) < 2 + KEY_SIZE + 1:
        return None
    port, key = int.from_bytes(rest[:2], "big"), rest[2 : 2 + KEY_SIZE]
    length, text = rest[2 + KEY_SIZE], rest[3 + KEY_SIZE :]
    try:
        name = text.decode()
        admit(key)
    except (UnicodeDecodeError, RefusedKey):
        return None
    if not port or length != len(text) or length > NAME_LIMIT or not name.isprintable() or not name.strip():
        return None
    return Found(host, port, name, key)


async def answer_probes(
    *,
    name: str,
    port: int,
    key: bytes,
    interfaces: Sequence[str] = (),
    udp_port: int = PORT,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Answer probes on the local network until cancelled: `name` with this public key listens on TCP `port`. At most
    ANSWERS_A_SECOND. Raises CannotListen.

    interfaces: own IPv4 addresses whose networks to serve, by default all.
    """
    with (
        trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear,
        trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth,
    ):
        await _join(ear, interfaces or _networks(), udp_port)
        task_status.started()
        second, given = 0, 0
        while True:
            datagram, asker = await ear.recvfrom(PROBE_SIZE + 1)
            nonce = parse_probe(datagram)
            if nonce is None:
                continue
            now = int(trio.current_time())
            second, given = (second, given + 1) if now == second else (now, 1)
            if given <= ANSWERS_A_SECOND:
                with suppress(OSError):
                    await mouth.sendto(answer_datagram(nonce, port=port, key=key, name=name), asker)


async def _join(sock: trio.socket.SocketType, interfaces: Sequence[str], udp_port: int) -> None:
    """Join the multicast group on these interfaces. Raises CannotListen."""
    # Several listeners on one machine share the port; each gets every probe.
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "darwin":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    joined = 0
    try:
        # Bound to the group, it hears nothing that was sent to this machine alone, from further away.
        await sock.bind((GROUP, udp_port))
        for interface in interfaces:
            with suppress(OSError):
                membership = socket.inet_aton(GROUP) + socket.inet_aton(interface)
                sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
                joined += 1
    except OSError as error:
        raise CannotListen(
            f"Friends can't find you on the local network: UDP port {udp_port}: {error.strerror or error}. "
            "Everything else works without --lan."
        ) from None
    if not joined:
        raise CannotListen(
            "Friends can't find you on the local network: this machine isn't on one that supports multicast. "
            "Everything else works without --lan."
        )


async def probe(timeout: float, *, interfaces: Sequence[str] = (), udp_port: int = PORT) -> list[Found]:
    """Ask the local network who listens; answers within `timeout` seconds, sorted by name, [] also without a network.

    interfaces: own IPv4 addresses whose networks to ask, by default all.
    """
    nonce = os.urandom(NONCE_SIZE)
    found: set[Found] = set()
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        await sock.bind(("", 0))
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        with trio.move_on_after(timeout):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_ask, sock, nonce, interfaces or _networks(), udp_port, timeout / SENDINGS)
                while len(found) < FOUND_LIMIT:
                    datagram, (host, _) = await sock.recvfrom(PROBE_SIZE + 1)
                    answer = parse_answer(datagram, nonce, host)
                    if answer is not None:
                        found.add(answer)
                nursery.cancel_scope.cancel()
    return sorted(found, key=lambda one: (one.name, one.host, one.port, one.key))


async def _ask(
    sock: trio.socket.SocketType, nonce: bytes, interfaces: Sequence[str], udp_port: int, pause: float
) -> None:
    """Send the probe a few times on every interface."""
    for _ in range(SENDINGS):
        for interface in interfaces:
            with suppress(OSError):
                sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(interface))
                await sock.sendto(probe_datagram(nonce), (GROUP, udp_port))
        await trio.sleep(pause)


def _networks() -> list[str]:
    """This machine's IPv4 addresses; loopback only if there is no other."""
    addresses = [(a, kind) for a, kind in own_addresses() if ipaddress.ip_address(a).version == 4]
    return [a for a, kind in addresses if kind != "loopback"] or [a for a, _ in addresses]
