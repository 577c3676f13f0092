"""A small internet in network namespaces: a public network, and homes behind routers of every kind. Needs root.

    public 192.0.1.0/24 and 2a00::/64, a bridge        home a: 192.168.1.2     home b (carrier): 192.168.2.2
    192.0.1.1, .2, .3: servers                             |                       |
        |         |                                    router a: 192.168.1.1   router b: 192.168.2.1, 100.64.2.2
        |         +------------------------------------ 192.0.1.11                 |
        +------------------------------------------------------- carrier b: 192.0.1.12, 100.64.2.1

Nothing leads out of it. The public addresses look like those of real providers, as routers map no port of an address
that is reserved for documentation.

The names of namespaces have the number of the process that made them; whatever a killed process left is removed by the
next one that makes a laboratory.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pytest
import trio
from trio.abc import Clock

from rigs.served import wait_until

T = TypeVar("T")

NEEDED = ("ip", "nft", "miniupnpd", "turnserver")
NAMED = Path("/run/netns")
NAME = re.compile(r"p2pcards-nat-(\d+)-\d+-\w+")
CLONE_NEWNET = 0x40000000

SERVERS = ("192.0.1.1", "192.0.1.2", "192.0.1.3")
SERVERS_V6 = ("2a00::1", "2a00::2", "2a00::3")
"""All of them are addresses of the public place."""


class Kind(StrEnum):
    """The router of a home; RFC 4787 has the words."""

    FULL_CONE = "full_cone"
    PORT_RESTRICTED = "port_restricted"
    SYMMETRIC = "symmetric"
    CARRIER = "carrier"  # port-restricted, willing to map ports, and behind the provider's own router
    NO_UDP = "no_udp"
    PCP = "pcp"  # port-restricted; maps ports by PCP and NAT-PMP
    UPNP = "upnp"  # port-restricted; maps ports by UPnP
    IPV6 = "ipv6"  # no IPv4, no NAT; opens ports by PCP


@dataclass(frozen=True)
class Place:
    """A machine with a network of its own."""

    namespace: str

    @property
    def entry(self) -> list[str]:
        """The beginning of a command that is to run in this network."""
        return ["ip", "netns", "exec", self.namespace]

    def listening(self, there: tuple[str, int]) -> socket.socket:
        """At this address and port."""
        family = socket.AF_INET6 if ":" in there[0] else socket.AF_INET
        listening = self.socket(family, socket.SOCK_STREAM)
        listening.bind(there)
        listening.listen()
        return listening

    def socket(self, family: int = socket.AF_INET, kind: int = socket.SOCK_DGRAM) -> socket.socket:
        """A socket that stays in this network wherever it is used."""
        return _in_network(self.namespace, lambda: socket.socket(family, kind))

    def run(self, main: Callable[..., Awaitable[T]], *args: object, clock: Clock | None = None) -> T:
        """Run `main` under Trio in this network, in a thread of this process."""
        scope = trio.CancelScope()
        tokens: list[trio.lowlevel.TrioToken] = []

        async def cancellable() -> T:
            tokens.append(trio.lowlevel.current_trio_token())
            with scope:
                return await main(*args)
            raise AssertionError("The run was canceled.")

        def cancel() -> None:
            with suppress(trio.RunFinishedError, IndexError):
                tokens[0].run_sync_soon(scope.cancel)

        return _in_network(self.namespace, lambda: trio.run(cancellable, clock=clock), cancel)

    def start(self, *words: str | Path) -> subprocess.Popen[bytes]:
        """Start a program in this network; it ends with the laboratory."""
        silent = subprocess.DEVNULL
        process = subprocess.Popen([*self.entry, *words], stdin=silent, stdout=silent, stderr=silent)
        _programs[self.namespace].append(process)
        return process

    def stop_programs(self) -> None:
        """Those that were started in this network."""
        for process in _programs.pop(self.namespace, []):
            process.kill()
            process.wait()

    def ip(self, *lines: str) -> None:
        _run(["ip", "-n", self.namespace, "-batch", "-"], "\n".join(lines))

    def rules(self, text: str) -> None:
        _run([*self.entry, "nft", "-f", "-"], text)

    def listed_rules(self) -> str:
        return subprocess.run(
            [*self.entry, "nft", "list", "ruleset"], capture_output=True, text=True, check=True
        ).stdout

    def statistics(self) -> str:
        """Of its interfaces, as Linux has them in /proc/net/dev."""
        return _in_network(self.namespace, lambda: Path("/proc/thread-self/net/dev").read_text())

    def wait_for_udp(self, *ports: int) -> None:
        """Until programs in this network have these ports."""
        tables = [Path(f"/proc/thread-self/net/{name}") for name in ("udp", "udp6")]

        def taken() -> bool:
            rows = _in_network(self.namespace, lambda: "".join(table.read_text() for table in tables))
            return all(f":{port:04X} " in rows for port in ports)

        wait_until(taken, f"someone has UDP port {ports}")


@dataclass(frozen=True)
class Home(Place):
    """A machine behind a router."""

    kind: Kind
    router: Place
    address: str  # of the machine
    gateway: str  # of the router, towards the machine
    outside: str  # what others see of the machine


@dataclass(frozen=True)
class Laboratory:
    public: Place
    homes: dict[str, Home]


@contextmanager
def laboratory(**kinds: Kind) -> Iterator[Laboratory]:
    """Homes by name; all of it is removed when the block ends."""
    sweep()
    prefix = f"p2pcards-nat-{os.getpid()}-{next(_numbers)}-"
    with TemporaryDirectory(prefix="nat") as folder:
        try:
            public = _public(prefix)
            homes = {
                name: _home(prefix, name, number, kind, public, Path(folder))
                for number, (name, kind) in enumerate(kinds.items(), 1)
            }
            yield Laboratory(public, homes)
        finally:
            _remove([name for name in _namespaces() if name.startswith(prefix)])


def sweep() -> None:
    """Remove what processes left that are no more."""
    found = {name: NAME.fullmatch(name) for name in _namespaces()}
    _remove([name for name, match in found.items() if match and not Path(f"/proc/{match[1]}").exists()])


@cache
def why_not() -> str | None:
    """Why there can be no laboratory here, if so."""
    if sys.platform != "linux":
        return "it is made of Linux network namespaces"
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    if missing := [program for program in NEEDED if not shutil.which(program)]:
        return f"{', '.join(missing)} is missing, which 'scripts/test --reach' installs"
    try:
        with laboratory(a=Kind.FULL_CONE, b=Kind.SYMMETRIC):
            return None
    except subprocess.CalledProcessError as error:
        return f"the kernel does not allow it: {error.stderr.strip()}"


@pytest.fixture(scope="session")
def nat_allowed() -> None:
    if reason := why_not():
        message = f"There is no NAT laboratory here: {reason}."
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)


# --- networks ---------------------------------------------------------------------------------------------------------

_numbers = count()
_programs: defaultdict[str, list[subprocess.Popen[bytes]]] = defaultdict(list)
"""Started in each namespace."""


def _public(prefix: str) -> Place:
    public = _place(f"{prefix}public")
    _forward(public)  # IPv6 homes have networks of their own
    public.ip(
        "link add hub type bridge",
        "link set hub up",
        *[f"address add {address}/24 dev hub" for address in SERVERS],
        *[f"address add {address}/64 dev hub nodad" for address in SERVERS_V6],
    )
    return public


def _home(prefix: str, name: str, number: int, kind: Kind, public: Place, folder: Path) -> Home:
    machine, router = _place(f"{prefix}{name}"), _place(f"{prefix}{name}_router")
    _cable(router, "lan", machine, "eth0")
    if kind is Kind.IPV6:
        return _home_of_ipv6(name, number, public, machine, router, folder)
    last, outside = router, f"192.0.1.{10 + number}"
    if kind is Kind.CARRIER:
        last = _place(f"{prefix}{name}_carrier")
        _cable(last, "lan", router, "wan")
        last.ip(f"address add 100.64.{number}.1/24 dev lan")
        router.ip(f"address add 100.64.{number}.2/24 dev wan", f"route add default via 100.64.{number}.1")
        _forward(last)
        last.rules(_rules(kind, outside))
    _cable(public, f"port{number}", last, "wan")
    public.ip(f"link set port{number} master hub")
    last.ip(f"address add {outside}/24 dev wan", f"route add default via {SERVERS[0]}")
    address, gateway = f"192.168.{number}.2", f"192.168.{number}.1"
    router.ip(f"address add {gateway}/24 dev lan")
    machine.ip(f"address add {address}/24 dev eth0", f"route add default via {gateway}")
    _forward(router)
    router.rules(_rules(kind, outside))
    if kind in (Kind.PCP, Kind.UPNP, Kind.CARRIER):
        start_miniupnpd(router, folder / f"{name}.conf", kind)
    return Home(machine.namespace, kind, router, address, gateway, outside)


def _home_of_ipv6(name: str, number: int, public: Place, machine: Place, router: Place, folder: Path) -> Home:
    """As providers do it: the home has addresses of its own, and the router is called by that of the wire."""
    net, outside, gateway = f"2a00:0:0:{number}", f"2a00::{10 + number}", "fe80::1"
    _cable(public, f"port{number}", router, "wan")
    public.ip(f"link set port{number} master hub", f"route add {net}::/64 via {outside}")
    router.ip(
        f"address add {outside}/64 dev wan nodad",
        f"route add default via {SERVERS_V6[0]}",
        f"address add {net}::1/64 dev lan nodad",
        f"address add {gateway}/64 dev lan nodad",
    )
    machine.ip(f"address add {net}::2/64 dev eth0 nodad", f"route add default via {gateway} dev eth0")
    _forward(router)
    router.rules(_rules(Kind.IPV6))
    start_miniupnpd(router, folder / f"{name}.conf", Kind.IPV6)
    return Home(machine.namespace, Kind.IPV6, router, f"{net}::2", gateway, f"{net}::2")


def _place(namespace: str) -> Place:
    _run(["ip", "netns", "add", namespace])
    place = Place(namespace)
    # An address is good at once, without asking for two seconds whether another has it.
    _in_network(namespace, lambda: Path("/proc/sys/net/ipv6/conf/default/accept_dad").write_text("0"))
    place.ip("link set lo up")
    return place


def _cable(one: Place, interface: str, other: Place, its: str) -> None:
    ends = f"name {interface} netns {one.namespace} type veth peer name {its} netns {other.namespace}"
    _run(["ip", "link", "add", *ends.split()])
    one.ip(f"link set {interface} up")
    other.ip(f"link set {its} up")


def _forward(router: Place) -> None:
    def switch_on() -> None:
        Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
        Path("/proc/sys/net/ipv6/conf/all/forwarding").write_text("1")

    _in_network(router.namespace, switch_on)


def _rules(kind: Kind, outside: str = "") -> str:
    """Everything may go out; in may come what answers it and what is mapped. outside: its own IPv4 address."""
    cone = kind is Kind.FULL_CONE  # anyone reaches a port that the home has used, and so does the home itself
    return f"""
    table inet home {{
        map used {{ type inet_service : ipv4_addr; flags dynamic,timeout; timeout 2m; }}
        chain prerouting {{
            type nat hook prerouting priority dstnat
            {f"ip daddr {outside} dnat ip to udp dport map @used" if cone else ""}
            jump prerouting_miniupnpd
        }}
        chain postrouting {{
            type nat hook postrouting priority srcnat
            {f'iifname "lan" oifname "lan" snat ip to {outside}' if cone else ""}
            jump postrouting_miniupnpd
            {f'oifname "wan" masquerade {"fully-random" * (kind is Kind.SYMMETRIC)}' if outside else ""}
        }}
        chain input {{
            type filter hook input priority filter
            iifname "wan" meta l4proto != ipv6-icmp ct state new drop
        }}
        chain forward {{
            type filter hook forward priority filter; policy drop
            {"meta l4proto udp drop" if kind is Kind.NO_UDP else ""}
            {'iifname "lan" oifname "wan" ip protocol udp update @used { udp sport : ip saddr }' if cone else ""}
            ct state established,related accept
            iifname "lan" accept
            ct status dnat accept
            jump miniupnpd
        }}
        chain miniupnpd {{ }}
        chain prerouting_miniupnpd {{ }}
        chain postrouting_miniupnpd {{ }}
    }}"""


def start_miniupnpd(router: Place, configuration: Path, kind: Kind) -> subprocess.Popen[bytes]:
    """It answers when this returns; a configuration file is written for it."""
    upnp, pcp = kind is not Kind.PCP and kind is not Kind.IPV6, kind is not Kind.UPNP
    configuration.write_text(f"""\
ext_ifname=wan
listening_ip=lan
enable_upnp={"yes" if upnp else "no"}
enable_natpmp={"yes" if pcp else "no"}
secure_mode=yes
upnp_table_name=home
upnp_nat_table_name=home
system_uptime=no
uuid=70327063-6172-6473-2d6e-61742d6c6162
allow 1024-65535 0.0.0.0/0 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
""")
    pid_file = configuration.with_suffix(".pid")
    process = router.start("miniupnpd", "-d", "-f", configuration, "-P", pid_file)
    router.wait_for_udp(*[1900] * upnp, *[5351] * pcp)
    return process


def start_turnserver(place: Place, addresses: Sequence[str] = SERVERS[:2], port: int = 3478) -> subprocess.Popen[bytes]:
    """coturn, which tells anyone their address by STUN and relays for everybody by TURN."""
    listening = [f"--listening-ip={address}" for address in addresses]
    plain = ("-n", "--no-cli", "--no-tls", "--no-dtls", "--no-auth", "--log-file=/dev/null", "--pidfile=")
    process = place.start("turnserver", *plain, *listening, f"--listening-port={port}")
    place.wait_for_udp(port)
    return process


# --- namespaces -------------------------------------------------------------------------------------------------------


def _in_network(namespace: str, work: Callable[[], T], interrupted: Callable[[], None] = lambda: None) -> T:
    """Its result, from a thread that is in this network."""
    done: list[T] = []
    failed: list[BaseException] = []

    def enter() -> None:
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            with (NAMED / namespace).open() as network:
                if libc.setns(network.fileno(), CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), f"cannot enter {namespace}")
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=enter)
    thread.start()
    try:
        thread.join()
    except BaseException:  # the deadline of the test
        interrupted()
        thread.join()
        raise
    if failed:
        raise failed[0]
    return done[0]


def _namespaces() -> list[str]:
    return sorted(path.name for path in NAMED.iterdir()) if NAMED.exists() else []


def _remove(namespaces: Sequence[str]) -> None:
    """And whatever runs in them."""
    for name in namespaces:
        found = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True, check=False)
        for pid in map(int, found.stdout.split()):
            if pid != os.getpid():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
    for name in namespaces:
        for process in _programs.pop(name, []):
            process.wait()
        subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


def _run(words: Sequence[str], given: str = "") -> None:
    subprocess.run(words, input=given, text=True, capture_output=True, check=True)
