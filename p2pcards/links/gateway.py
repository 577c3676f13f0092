"""The router of this network: how it is found, and what the address means that it has on its other side."""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import trio

from p2pcards.links.pcp import IP
from p2pcards.links.tcp import source_address

CARRIER = ipaddress.ip_network("100.64.0.0/10")
"""Between a provider's router and those of its customers (RFC 6598)."""

OUTSIDE = "2001:db8::1"
"""The routing table is asked for the way to it; nothing is sent there."""

USABLE = 0x0003
"""RTF_UP and RTF_GATEWAY."""


@dataclass(frozen=True, slots=True)
class Gateway:
    address: IP
    own: IP  # this machine's address, as the gateway sees it; of IPv6 as everybody sees it
    interface: str = ""  # where a link-local address is good

    def at(self, port: int) -> tuple[str, int] | tuple[str, int, int, int]:
        """The gateway's socket address with this port."""
        if self.address.version == 4:
            return str(self.address), port
        return str(self.address), port, 0, socket.if_nametoindex(self.interface) if self.interface else 0


async def find_gateway(version: int) -> Gateway | None:
    """The default gateway for IPv4 or IPv6, None if it cannot be found."""
    with suppress(OSError, ValueError, subprocess.SubprocessError):
        found = await _next_hop(version)
        if found is not None:
            address, interface = found
            own = source_address(str(address) if version == 4 else OUTSIDE)
            return None if own is None else Gateway(address, own, interface)
    return None


def why_not_public(address: IP) -> str | None:
    """Why a router with this address cannot be reached from outside; None if it can."""
    if address.is_global:
        return None
    if address.is_unspecified:
        return "Your router has no public address. It may be offline, or behind your provider's own router."
    if address.version == 4 and address in CARRIER:
        return f"Your router is behind your provider's own router ({address}), so calls from outside can't reach it."
    return f"Your router is behind another router ({address}), so it can open a port to that one only."


async def _next_hop(version: int, system: str = sys.platform) -> tuple[IP, str] | None:
    """(address, interface) of the default route, None if there is none."""
    if system == "linux":
        # Of this thread, as tests have threads in several networks.
        table = Path("/proc/thread-self/net", "route" if version == 4 else "ipv6_route").read_text(encoding="ascii")
        return default_of_linux(table) if version == 4 else default_of_linux_ipv6(table)
    if system == "darwin":
        family = "-inet" if version == 4 else "-inet6"
        done = await trio.run_process(["/sbin/route", "-n", "get", family, "default"], capture_stdout=True)
        return default_of_route_get(done.stdout.decode(errors="replace"))
    if system == "win32" and version == 4:
        done = await trio.run_process(["route", "print", "-4", "0.0.0.0"], capture_stdout=True)
        return default_of_route_print(done.stdout.decode(errors="replace"))
    return None


def default_of_linux(table: str) -> tuple[IP, str] | None:
    """The default route in /proc/net/route, whose addresses are in the machine's byte order."""
    found: list[tuple[int, IP, str]] = []
    for row in table.splitlines()[1:]:
        interface, target, gateway, flags, _, _, metric, mask, *_ = row.split()
        if int(target, 16) == int(mask, 16) == 0 and int(flags, 16) & USABLE == USABLE:
            found.append((int(metric), ipaddress.IPv4Address(struct.pack("=I", int(gateway, 16))), interface))
    return min(found, key=lambda one: one[0])[1:] if found else None


def default_of_linux_ipv6(table: str) -> tuple[IP, str] | None:
    """The default route in /proc/net/ipv6_route."""
    found: list[tuple[int, IP, str]] = []
    for row in table.splitlines():
        target, bits, _, _, gateway, metric, _, _, flags, interface = row.split()
        if int(target, 16) == int(bits, 16) == 0 and int(flags, 16) & USABLE == USABLE:
            found.append((int(metric, 16), ipaddress.IPv6Address(bytes.fromhex(gateway)), interface))
    return min(found, key=lambda one: one[0])[1:] if found else None


def default_of_route_get(said: str) -> tuple[IP, str] | None:
    """The default route in the output of `route -n get default` (macOS and BSD)."""
    values = dict(re.findall(r"^ *(gateway|interface): (\S+)$", said, re.MULTILINE))
    if "gateway" not in values:
        return None
    address, _, scope = values["gateway"].partition("%")
    return ipaddress.ip_address(address), scope or values.get("interface", "")


def default_of_route_print(said: str) -> tuple[IP, str] | None:
    """The default route in the output of `route print -4 0.0.0.0` (Windows)."""
    found = re.findall(r"^ *0\.0\.0\.0 +0\.0\.0\.0 +([\d.]+) +[\d.]+ +(\d+)\s*$", said, re.MULTILINE)
    if not found:
        return None
    return ipaddress.ip_address(min(found, key=lambda one: int(one[1]))[0]), ""
