"""PCP (RFC 6887) and NAT-PMP (RFC 6886): what a router is asked for a TCP port, and what it answers. No I/O."""

from __future__ import annotations

import ipaddress
import struct
from dataclasses import dataclass

IP = ipaddress.IPv4Address | ipaddress.IPv6Address

SERVER_PORT = 5351
CLIENT_PORT = 5350
"""Where a router announces that it has begun anew."""
EVERYBODY = "224.0.0.1"

LONGEST = 1100
"""Bytes of a PCP message (RFC 6887, section 7)."""
NONCE_SIZE = 12

PCP, NAT_PMP = 2, 0
"""Versions, the first byte of a message."""
ANNOUNCE, MAP, ANSWER = 0, 1, 0x80
ADDRESS, MAP_TCP = 0, 2
TCP = 6

PCP_HEAD = struct.Struct("!BBxBIIxxxxxxxxxxxx")  # version, operation, result, lifetime, epoch
PCP_MAP = struct.Struct("!12sBxxxHH16s")  # nonce, protocol, internal port, external port, external address
PCP_ASKED = struct.Struct("!BBxxI16s")  # version, operation, lifetime, address of the client
NAT_PMP_HEAD = struct.Struct("!BBHI")  # version, operation, result, epoch
NAT_PMP_MAP = struct.Struct("!HHI")  # internal port, external port, lifetime

UNKNOWN = ipaddress.IPv4Address(0)

PCP_RESULTS = {
    2: "not allowed",
    7: "no connection",
    8: "none left, or no public address",
    10: "too many for this machine",
    11: "another machine has it",
    12: "its firewall",
}
NAT_PMP_RESULTS = {2: "not allowed", 3: "no public address", 4: "none left"}


@dataclass(frozen=True, slots=True)
class Granted:
    """An answer without an error. NAT-PMP tells address and port in two answers, each without the other."""

    epoch: int  # seconds since the router has begun to remember
    address: IP = UNKNOWN
    port: int = 0
    lifetime: int = 0


@dataclass(frozen=True, slots=True)
class Denied:
    epoch: int  # as in Granted
    why: str  # such as "not allowed"
    address: IP | None = None  # the router's own; None if it does not tell


NO_PCP = Denied(0, "unknown version")
"""From a router of another version, which knows NAT-PMP alone as a rule (RFC 6886, section 3.5)."""


def ask_pcp(own: IP, nonce: bytes, port: int, lifetime: int, wanted: tuple[IP, int] | None = None) -> bytes:
    """The request to map TCP `port`, to keep it, or with a lifetime of 0 to give it up. wanted: the address and port
    that it had before."""
    address, external = wanted or (ipaddress.ip_address("0.0.0.0" if own.version == 4 else "::"), port)
    head = PCP_ASKED.pack(PCP, MAP, lifetime, _sixteen(own))
    return head + PCP_MAP.pack(nonce, TCP, port, external, _sixteen(address))


def read_pcp(datagram: bytes, nonce: bytes, port: int) -> Granted | Denied | None:
    """An answer to the request with this nonce and port; None for anything else."""
    if datagram[1:4] == bytes([ANSWER | MAP, 0, 1]) and datagram[0] != PCP and len(datagram) <= LONGEST:
        return NO_PCP
    if not PCP_HEAD.size + PCP_MAP.size <= len(datagram) <= LONGEST or len(datagram) % 4:
        return None
    version, operation, result, lifetime, epoch = PCP_HEAD.unpack_from(datagram)
    its_nonce, protocol, internal, external, packed = PCP_MAP.unpack_from(datagram, PCP_HEAD.size)
    if (version, operation, its_nonce, protocol, internal) != (PCP, ANSWER | MAP, nonce, TCP, port):
        return None
    address = _address(packed)
    if result:
        return Denied(epoch, PCP_RESULTS.get(result, f"error {result}"), None if address.is_unspecified else address)
    return Granted(epoch, address, external, lifetime) if external or not lifetime else None


def ask_nat_pmp_address() -> bytes:
    """A NAT-PMP request for the router's outside address."""
    return bytes([NAT_PMP, ADDRESS])


def ask_nat_pmp(port: int, wanted: int, lifetime: int) -> bytes:
    """A NAT-PMP request to map TCP `port`. wanted: the outside port, best the one it had; lifetime: seconds, 0 to give
    it up."""
    return struct.pack("!BBxx", NAT_PMP, MAP_TCP) + NAT_PMP_MAP.pack(port, wanted if lifetime else 0, lifetime)


def read_nat_pmp_address(datagram: bytes) -> Granted | Denied | None:
    """The answer to `ask_nat_pmp_address`, None for anything else."""
    if len(datagram) > NAT_PMP_HEAD.size + 4 or (answer := _read_nat_pmp(datagram, ADDRESS)) is None:
        return None
    if isinstance(answer, Denied):
        return answer
    packed = datagram[NAT_PMP_HEAD.size :]
    return Granted(answer.epoch, ipaddress.IPv4Address(packed)) if len(packed) == 4 else None


def read_nat_pmp(datagram: bytes, port: int) -> Granted | Denied | None:
    """The answer to `ask_nat_pmp` about this port, None for anything else."""
    size = NAT_PMP_HEAD.size + NAT_PMP_MAP.size
    if len(datagram) > size or (answer := _read_nat_pmp(datagram, MAP_TCP)) is None:
        return None
    if isinstance(answer, Denied):
        return answer
    if len(datagram) != size:
        return None
    internal, external, lifetime = NAT_PMP_MAP.unpack_from(datagram, NAT_PMP_HEAD.size)
    if internal != port or (lifetime and not external):
        return None
    return Granted(answer.epoch, UNKNOWN, external, lifetime)


def read_announcement(datagram: bytes) -> int | None:
    """The epoch in a router's announcement, None for anything else."""
    if datagram[:1] == bytes([NAT_PMP]):
        told = read_nat_pmp_address(datagram)
        return told.epoch if told else None
    if PCP_HEAD.size <= len(datagram) <= LONGEST and datagram[:2] == bytes([PCP, ANSWER | ANNOUNCE]):
        epoch: int = PCP_HEAD.unpack_from(datagram)[4]
        return epoch
    return None


def has_restarted(before: tuple[int, float], now: tuple[int, float]) -> bool:
    """True if the router forgot its mappings between two answers, each (epoch, our time at which it came); RFC 6887,
    section 8.5."""
    theirs, ours = now[0] - before[0], now[1] - before[1]
    return theirs < -1 or ours + 2 < theirs - theirs / 16 or theirs + 2 < ours - ours / 16


def _read_nat_pmp(datagram: bytes, operation: int) -> Granted | Denied | None:
    """The head of a NAT-PMP answer to this operation, None for anything else."""
    if len(datagram) < NAT_PMP_HEAD.size:
        return None
    version, its_operation, result, epoch = NAT_PMP_HEAD.unpack_from(datagram)
    if (version, its_operation) != (NAT_PMP, ANSWER | operation):
        return None
    return Denied(epoch, NAT_PMP_RESULTS.get(result, f"error {result}")) if result else Granted(epoch)


def _sixteen(address: IP) -> bytes:
    """An address in 16 bytes, IPv4 ones mapped into IPv6."""
    return address.packed if address.version == 6 else b"\0" * 10 + b"\xff\xff" + address.packed


def _address(packed: bytes) -> IP:
    """The address in 16 bytes, see `_sixteen`."""
    address = ipaddress.IPv6Address(packed)
    return address.ipv4_mapped or address
