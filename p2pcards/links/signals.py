"""What two ends tell each other so that they connect directly: the places to call by TCP; and for a data channel a
description each (SDP, RFC 8829), and candidates, the addresses to try (RFC 8839). What the other side says is read
strictly and written anew, so none of its text reaches a library, and it can name few addresses: no peer can make us
scan or flood others."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal, NewType

ADDRESSES, DATA_CHANNEL = 1, 2
"""Kinds of signals: places to call by TCP, or texts of a data channel."""
SIGNAL = 4096
"""Bytes of the longest signal."""
TRIES = 16
"""Descriptions that one side may send, one after the other."""
CANDIDATES = 16
"""Candidates of one side in a try."""
PUBLIC = 8
"""Different public addresses among those of all tries."""
LOWEST_PORT = 1024
"""Below it are services; no router lends these ports out."""

HOMES = tuple(map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")))
"""Private networks of homes, of carriers in front of them, and of a VPN between friends."""
NOWHERE = tuple(map(ip_network, ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3")))
"""This machine, one wire only, many at once, or nobody."""
PUBLIC_IPV6 = ip_network("2000::/3")

Address = IPv4Address | IPv6Address
LocalName = NewType("LocalName", str)
"""What a browser calls an address of its machine, which no page is told. Browsers on the same network look it up there
(RFC 6762); nobody else can."""
Kind = Literal["offer", "answer"]
Setup = Literal["actpass", "active", "passive"]

SETUPS: dict[Kind, dict[str, Setup]] = {
    "offer": {"actpass": "actpass"},
    "answer": {"active": "active", "passive": "passive"},
}
"""Who begins DTLS: an offer leaves that to the answer."""


class BadSignal(ValueError):
    """It is passed over; the argument says why."""


@dataclass(frozen=True, slots=True)
class Description:
    """One end of a data channel."""

    number: int  # of the try, from 1
    kind: Kind
    user: str  # ICE's name and password for the checks
    password: str
    fingerprint: str  # SHA-256 of the certificate, in pairs of hexadecimal digits
    setup: Setup
    mid: str  # what the candidates belong to
    sctp: int  # port

    def sdp(self) -> str:
        return _SDP.format(**{name: getattr(self, name) for name in self.__slots__}).replace("\n", "\r\n")

    def signal(self) -> bytes:
        """The description as a signal's text."""
        return f"{self.number} {self.kind}\n{self.sdp()}".encode()


_SDP = """\
v=0
o=- 1 1 IN IP4 0.0.0.0
s=-
t=0 0
a=group:BUNDLE {mid}
m=application 9 UDP/DTLS/SCTP webrtc-datachannel
c=IN IP4 0.0.0.0
a=mid:{mid}
a=ice-ufrag:{user}
a=ice-pwd:{password}
a=ice-options:trickle
a=fingerprint:sha-256 {fingerprint}
a=setup:{setup}
a=sctp-port:{sctp}
a=max-message-size:65536
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address where the other end may be reached by UDP."""

    number: int  # of the try
    kind: str  # host, srflx or prflx
    address: Address | LocalName
    port: int
    priority: int
    foundation: str

    def line(self) -> str:
        """The candidate as a line of SDP."""
        line = f"candidate:{self.foundation} 1 UDP {self.priority} {self.address} {self.port} typ {self.kind}"
        if self.kind == "host":
            return line
        # Firefox takes no other candidate without a related address. This one tells nothing (RFC 8839, 5.1).
        return f"{line} raddr {'::' if isinstance(self.address, IPv6Address) else '0.0.0.0'} rport 9"

    def signal(self) -> bytes:
        """The candidate as a signal's text."""
        return f"{self.number} candidate\n{self.line()}".encode()


# --- places to call by TCP --------------------------------------------------------------------------------------------


AT_ONCE = 8
"""In one signal."""
CALLED, CALLED_PUBLIC = 32, 4
"""Places, and public addresses among them, that are called in the life of a stream."""


@dataclass(frozen=True, slots=True)
class SocketAddress:
    address: Address
    port: int


def write_addresses(places: Sequence[SocketAddress]) -> bytes:
    """The bytes of at most AT_ONCE addresses."""
    written = [bytes([len(one.address.packed)]) + one.address.packed + one.port.to_bytes(2, "big") for one in places]
    return b"".join(written[:AT_ONCE])


def read_addresses(data: bytes) -> tuple[SocketAddress, ...]:
    """The addresses in a signal. Raises BadSignal."""
    found: list[SocketAddress] = []
    rest = data
    while rest:
        size = rest[0]
        if size not in (4, 16) or len(rest) < size + 3 or len(found) == AT_ONCE:
            raise BadSignal("no list of places")
        found.append(SocketAddress(ip_address(rest[1 : size + 1]), int.from_bytes(rest[size + 1 : size + 3], "big")))
        rest = rest[size + 3 :]
    return tuple(found)


class AddressesToCall:
    """The places that one peer has named, as far as they are called: no peer can make us call strangers."""

    def __init__(self, admits: Callable[[Address], bool]) -> None:
        """admits: the addresses at which a friend can be."""
        self._admits = admits
        self._called: set[SocketAddress] = set()

    def admit(self, places: Sequence[SocketAddress]) -> list[SocketAddress]:
        """Those of these addresses that may be called; the same ones may come again in another round."""
        return [place for place in dict.fromkeys(places) if self._may_call(place)]

    def _may_call(self, place: SocketAddress) -> bool:
        """Note an address as called; False if it, or one more, is not allowed."""
        if place.port < LOWEST_PORT or not self._admits(place.address):
            return False
        called = self._called | {place}
        public = {one.address for one in called if is_public(one.address)}
        if len(called) > CALLED or len(public) > CALLED_PUBLIC:
            return False
        self._called = called
        return True


def can_be_a_friend(address: Address) -> bool:
    """True for an address of a private network or the internet; not of this machine, one wire, or multicast."""
    return is_private(address) or is_public(address)


# --- one signal -------------------------------------------------------------------------------------------------------


def read_signal(signal: bytes) -> Description | Candidate:
    """Parse a signal. Raises BadSignal, also for a candidate that is never tried."""
    if len(signal) > SIGNAL:
        raise BadSignal(f"more than {SIGNAL} bytes")
    try:
        head, _, text = signal.decode("ascii").partition("\n")
    except UnicodeDecodeError:
        raise BadSignal("not ASCII") from None
    number, _, kind = head.partition(" ")
    if not re.fullmatch("[1-9][0-9]?", number) or int(number) > TRIES:
        raise BadSignal("no number of a try")
    match kind:
        case "offer" | "answer":
            return read_description(int(number), kind, text)
        case "candidate":
            return read_candidate(int(number), text)
    raise BadSignal("neither a description nor a candidate")


_ATTRIBUTES = {
    "ice-ufrag": r"[A-Za-z0-9+/]{4,256}",
    "ice-pwd": r"[A-Za-z0-9+/]{22,256}",
    "fingerprint": r"(?i:sha-256) (?:[0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}",
    "setup": r"[a-z]{6,7}",
    "mid": r"[A-Za-z0-9._-]{1,32}",
    "sctp-port": r"[1-9][0-9]{0,4}",
}
"""What is read of a description; each is there once."""


def read_description(number: int, kind: Kind, text: str) -> Description:
    """Parse SDP, without all that a data channel doesn't need and without candidates, which come separately. Raises
    BadSignal."""
    found: dict[str, str] = {}
    media = 0
    for line in text.splitlines():
        media += line.startswith("m=")
        name, _, value = line.removeprefix("a=").partition(":")
        if not line.startswith("a=") or name not in _ATTRIBUTES:
            continue
        if name in found:
            raise BadSignal(f"{name} twice")
        if not re.fullmatch(_ATTRIBUTES[name], value):
            raise BadSignal(f"no {name} can look like that")
        found[name] = value
    if media != 1 or "m=application " not in text:
        raise BadSignal("not one data channel and nothing else")
    if missing := _ATTRIBUTES.keys() - found.keys():
        raise BadSignal(f"no {min(missing)}")
    if (setup := SETUPS[kind].get(found["setup"])) is None or int(found["sctp-port"]) > 65535:
        raise BadSignal(f"no {kind} can say that")
    return Description(
        number,
        kind,
        found["ice-ufrag"],
        found["ice-pwd"],
        found["fingerprint"].partition(" ")[2].upper(),
        setup,
        found["mid"],
        int(found["sctp-port"]),
    )


_CANDIDATE = re.compile(
    r"candidate:(?P<foundation>[A-Za-z0-9+/]{1,32}) 1 (?i:udp) (?P<priority>[0-9]{1,10}) "
    r"(?P<address>[0-9A-Fa-f:.]{2,45}|(?P<local>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.local)) "
    r"(?P<port>[0-9]{1,5}) typ (?P<kind>host|srflx|prflx)(?: [ -~]{0,400})?"
)


def read_candidate(number: int, text: str) -> Candidate:
    """Parse a candidate line. Raises BadSignal, also for TCP, relays, foreign names and addresses where no friend can
    be."""
    found = _CANDIDATE.fullmatch(text)
    if found is None:
        raise BadSignal("no candidate with an address for UDP")
    address = LocalName(found["local"]) if found["local"] else _address(found["address"])
    port, priority = int(found["port"]), int(found["priority"])
    if not LOWEST_PORT <= port < 1 << 16 or not 0 < priority < 1 << 31:
        raise BadSignal("a port or a priority that cannot be")
    return Candidate(number, found["kind"], address, port, priority, found["foundation"])


def _address(text: str) -> Address:
    """Parse an IP address or a browser's `.local` name. Raises BadSignal."""
    try:
        address = ip_address(text)
    except ValueError:
        raise BadSignal("no address") from None
    if not can_be_a_friend(address):
        raise BadSignal("an address at which nobody else can be")
    return address


def is_private(address: Address) -> bool:
    """True for an address of a private network."""
    return any(address in network for network in HOMES)


def is_public(address: Address) -> bool:
    """True for an address on the internet."""
    if isinstance(address, IPv6Address):
        return address in PUBLIC_IPV6
    return not is_private(address) and not any(address in network for network in NOWHERE)


# --- all of one side --------------------------------------------------------------------------------------------------


class PeerSignals:
    """The signals of the other side, as far as they are used: one description a try, and so many candidates."""

    def __init__(self, expected: Kind) -> None:
        self._expected = expected
        self._described = 0  # the latest try
        self._tried: set[tuple[int, Address | LocalName, int]] = set()
        self._public: set[Address] = set()

    def read_signal(self, signal: bytes) -> Description | Candidate:
        """Parse a signal of the other side. Raises BadSignal for one to be ignored."""
        read = read_signal(signal)
        if isinstance(read, Candidate):
            self._admit(read)
        elif read.number <= self._described or read.kind != self._expected:
            raise BadSignal(f"expected one {self._expected} per try, and no other description")
        else:
            self._described = read.number
        return read

    def _admit(self, one: Candidate) -> None:
        """Note a candidate. Raises BadSignal for a repeated one, or too many."""
        place = (one.number, one.address, one.port)
        public = set(self._public)
        if not isinstance(one.address, str) and is_public(one.address):
            public.add(one.address)
        if place in self._tried or len(public) > PUBLIC:
            raise BadSignal("a candidate twice, or a public address too many")
        if sum(number == one.number for number, _, _ in self._tried) == CANDIDATES:
            raise BadSignal("a candidate too many")
        self._public = public
        self._tried.add(place)
