"""The router of this network, as each system tells of it, and what the addresses of routers mean."""

from __future__ import annotations

import sys
from ipaddress import ip_address

import pytest

from p2pcards.links.gateway import (
    Gateway,
    default_of_linux,
    default_of_linux_ipv6,
    default_of_route_get,
    default_of_route_print,
    find_gateway,
    why_not_public,
)

LINUX = """\
Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
wlan0	00000000	FE01A8C0	0003	0	0	600	00000000	0	0	0
eth0	00000000	0101A8C0	0003	0	0	100	00000000	0	0	0
tun0	00000000	00000000	0001	0	0	50	00000000	0	0	0
eth1	0000000A	0102A8C0	0003	0	0	0	000000FF	0	0	0
eth0	0001A8C0	00000000	0001	0	0	100	00FFFFFF	0	0	0
"""

NOTHING = "0" * 32
LINUX_V6 = f"""\
2a000000000000050000000000000000 40 {NOTHING} 00 {NOTHING} 00000100 00000001 00000000 00000001 eth0
{NOTHING} 00 {NOTHING} 00 fe800000000000000000000000000099 00000800 00000001 00000000 00000003 wlan0
{NOTHING} 00 {NOTHING} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 eth0
{NOTHING} 00 {NOTHING} 00 {NOTHING} ffffffff 00000001 00000000 00200200 lo
"""

MACOS = """\
   route to: default
destination: default
       mask: default
    gateway: 192.168.1.1
  interface: en0
      flags: <UP,GATEWAY,DONE,STATIC,PRCLONING,GLOBAL>
"""

WINDOWS = """\
===========================================================================
Active Routes:
Network Destination        Netmask          Gateway       Interface  Metric
          0.0.0.0          0.0.0.0      192.168.1.1     192.168.1.10     25
          0.0.0.0          0.0.0.0      192.168.2.1     192.168.2.10      5
===========================================================================
"""


@pytest.mark.skipif(sys.byteorder != "little", reason="the sample is of a little-endian machine")
def test_linux_tells_the_gateway_with_the_lowest_metric() -> None:
    assert default_of_linux(LINUX) == (ip_address("192.168.1.1"), "eth0")
    assert default_of_linux(LINUX.replace("0003", "0001")) is None
    assert default_of_linux("") is None


def test_linux_tells_the_gateway_of_ipv6() -> None:
    assert default_of_linux_ipv6(LINUX_V6) == (ip_address("fe80::1"), "eth0")
    assert default_of_linux_ipv6("") is None


def test_macos_tells_the_gateway() -> None:
    assert default_of_route_get(MACOS) == (ip_address("192.168.1.1"), "en0")
    scoped = MACOS.replace("192.168.1.1", "fe80::1%en1")
    assert default_of_route_get(scoped) == (ip_address("fe80::1"), "en1")
    assert default_of_route_get("route: writing to routing socket: not in table\n") is None


def test_windows_tells_the_gateway() -> None:
    assert default_of_route_print(WINDOWS) == (ip_address("192.168.2.1"), "")
    assert default_of_route_print("") is None


def test_a_socket_takes_a_gateway_on_the_wire_with_its_interface() -> None:
    here = "lo" if sys.platform == "linux" else "lo0"
    assert Gateway(ip_address("192.168.1.1"), ip_address("192.168.1.2")).at(5351) == ("192.168.1.1", 5351)
    address, port, flow, scope = Gateway(ip_address("fe80::1"), ip_address("2a00::2"), here).at(5351)  # type: ignore[misc]
    assert (address, port, flow) == ("fe80::1", 5351, 0) and scope > 0


async def test_the_gateway_of_this_machine_is_found_or_not() -> None:
    for version in (4, 6):
        found = await find_gateway(version)
        assert found is None or found.address.version == found.own.version == version


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("198.41.0.4", None),
        ("2a00::2", None),
        ("100.64.0.1", "behind your provider's own router (100.64.0.1)"),
        ("100.127.255.254", "behind your provider's own router"),
        ("10.0.0.7", "behind another router (10.0.0.7)"),
        ("192.168.178.2", "behind another router"),
        ("172.16.1.1", "behind another router"),
        ("127.0.0.1", "behind another router"),
        ("0.0.0.0", "no public address"),
        ("fd00::1", "behind another router"),
    ],
)
def test_what_the_address_of_a_router_means(address: str, why: str | None) -> None:
    told = why_not_public(ip_address(address))
    assert told is None if why is None else (told is not None and why in told)
