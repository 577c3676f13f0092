"""PCP and NAT-PMP, byte by byte, and any bytes in place of an answer."""

from __future__ import annotations

import struct
from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links import pcp
from p2pcards.links.pcp import Denied, Granted

NONCE = b"twelve bytes"
OWN = IPv4Address("192.168.6.2")

# What Debian's miniupnpd answered.
GRANTED = bytes.fromhex(
    "0281000000000e1000000001000000000000000000000000"
    "6e6f6e636531326279746573 06000000 128c128c 00000000000000000000ffffc000010b"
)
DENIED = bytes.fromhex(
    "028100080000001e00000005000000000000000000000000"
    "6e6f6e636531326279746573 06000000 128c128c 00000000000000000000ffff64400302"
)
ITS_NONCE = b"nonce12bytes"

addresses = st.ip_addresses()
ports = st.integers(1, 65535)
u32 = st.integers(0, 2**32 - 1)


def test_a_request_is_as_rfc_6887_draws_it() -> None:
    assert pcp.ask_pcp(OWN, NONCE, 4747, 3600).hex(" ", 4) == (
        "02010000 00000e10 00000000 00000000 0000ffff c0a80602 "
        "7477656c 76652062 79746573 06000000 128b128b 00000000 00000000 0000ffff 00000000"
    )
    again = pcp.ask_pcp(OWN, NONCE, 4747, 3600, (IPv4Address("192.0.1.11"), 5000))
    assert again[42:44] == (5000).to_bytes(2, "big") and again.endswith(b"\xff\xff\xc0\x00\x01\x0b")
    of_ipv6 = pcp.ask_pcp(ip_address("2a00::2"), NONCE, 4747, 0)
    assert of_ipv6[4:24] == bytes(4) + ip_address("2a00::2").packed and of_ipv6.endswith(bytes(16))


def test_requests_of_nat_pmp_are_as_rfc_6886_draws_them() -> None:
    assert pcp.ask_nat_pmp_address() == b"\0\0"
    assert pcp.ask_nat_pmp(4747, 5000, 3600).hex() == "00020000" + "128b1388" + "00000e10"
    assert pcp.ask_nat_pmp(4747, 5000, 0).hex() == "00020000" + "128b0000" + "00000000"


def test_answers_of_a_real_router_are_read() -> None:
    assert pcp.read_pcp(GRANTED, ITS_NONCE, 4748) == Granted(1, IPv4Address("192.0.1.11"), 4748, 3600)
    why = "none left, or no public address"
    assert pcp.read_pcp(DENIED, ITS_NONCE, 4748) == Denied(5, why, IPv4Address("100.64.3.2"))
    told = pcp.read_nat_pmp_address(bytes.fromhex("0080000000000001c000010b"))
    assert told == Granted(1, IPv4Address("192.0.1.11"))
    assert pcp.read_nat_pmp(bytes.fromhex("0082000000000001128b128b00000e10"), 4747) == Granted(
        1, pcp.UNKNOWN, 4747, 3600
    )
    none = Denied(5, "no public address")
    assert pcp.read_nat_pmp_address(bytes.fromhex("008000030000000500000000")) == none
    assert pcp.read_nat_pmp(bytes.fromhex("0082000300000005128b128b00000e10"), 4747) == none


@pytest.mark.parametrize("datagram", ["0081000100000007", "0181000100000000" + "00" * 52])
def test_a_router_of_another_version_says_so(datagram: str) -> None:
    assert pcp.read_pcp(bytes.fromhex(datagram), NONCE, 4747) is pcp.NO_PCP


@pytest.mark.parametrize(
    ("nonce", "port", "datagram"),
    [
        (NONCE, 4748, GRANTED),  # of another request
        (ITS_NONCE, 4747, GRANTED),  # of another port
        (ITS_NONCE, 4748, GRANTED[:-1]),
        (ITS_NONCE, 4748, GRANTED + b"\0\0"),
        (ITS_NONCE, 4748, GRANTED[:24]),
        (ITS_NONCE, 4748, GRANTED + bytes(1044)),  # longer than any message
        (ITS_NONCE, 4748, b"\1" + GRANTED[1:]),  # another version
        (ITS_NONCE, 4748, b"\2\1" + GRANTED[2:]),  # a request
        (ITS_NONCE, 4748, GRANTED[:36] + b"\x11" + GRANTED[37:]),  # UDP
        (ITS_NONCE, 4748, GRANTED[:42] + bytes(2) + GRANTED[44:]),  # port 0
    ],
)
def test_what_does_not_answer_the_request_is_passed_over(nonce: bytes, port: int, datagram: bytes) -> None:
    assert pcp.read_pcp(datagram, nonce, port) is None


@pytest.mark.parametrize(
    "datagram",
    [
        "",
        "00800000000000",
        "0080000000000001c00001",  # cut
        "0080000000000001c000010b00",
        "0081000000000001c000010b",  # of UDP
        "0280000000000001c000010b",  # another version
    ],
)
def test_what_does_not_tell_an_address_is_passed_over(datagram: str) -> None:
    assert pcp.read_nat_pmp_address(bytes.fromhex(datagram)) is None


@pytest.mark.parametrize(
    "datagram",
    [
        "0082000000000001128b128b00000e",  # cut
        "0082000000000001128b128b00000e1000",
        "0082000000000001128c128b00000e10",  # another port
        "0082000000000001128b000000000e10",  # port 0
        "0081000000000001128b128b00000e10",  # UDP
    ],
)
def test_what_does_not_map_our_port_is_passed_over(datagram: str) -> None:
    assert pcp.read_nat_pmp(bytes.fromhex(datagram), 4747) is None


@given(address=addresses, external=ports, lifetime=u32, epoch=u32)
def test_every_grant_comes_back_as_it_was_meant(address: object, external: int, lifetime: int, epoch: int) -> None:
    packed = ip_address(str(address))
    sixteen = packed.packed if packed.version == 6 else b"\0" * 10 + b"\xff\xff" + packed.packed
    datagram = struct.pack("!BBxBII12x", 2, 0x81, 0, lifetime, epoch)
    datagram += struct.pack("!12sB3xHH16s", NONCE, 6, 4747, external, sixteen)
    told = pcp.read_pcp(datagram, NONCE, 4747)
    assert isinstance(told, Granted) and (told.port, told.lifetime, told.epoch) == (external, lifetime, epoch)
    mapped = getattr(packed, "ipv4_mapped", None)
    assert told.address == (mapped or packed)


@given(st.binary(max_size=80), st.sampled_from([b"", GRANTED[:24], GRANTED[:44], b"\0\x80\0\0", b"\0\x82\0\0"]))
def test_any_bytes_are_an_answer_or_none(rest: bytes, head: bytes) -> None:
    datagram = head + rest
    told = pcp.read_pcp(datagram, ITS_NONCE, 4748)
    assert told in (None, pcp.NO_PCP) or datagram[24:36] == ITS_NONCE
    for answer in (told, pcp.read_nat_pmp_address(datagram), pcp.read_nat_pmp(datagram, 4747)):
        assert answer is None or 0 <= answer.epoch < 2**32
    epoch = pcp.read_announcement(datagram)
    assert epoch is None or 0 <= epoch < 2**32


def test_a_router_announces_itself_by_either_protocol() -> None:
    assert pcp.read_announcement(bytes.fromhex("0080000000000007c000010b")) == 7
    assert pcp.read_announcement(bytes.fromhex("0280000000000000 00000007") + bytes(12)) == 7
    assert pcp.read_announcement(bytes.fromhex("0280000000000000 00000007") + bytes(11)) is None
    assert pcp.read_announcement(GRANTED) is None
    assert pcp.read_announcement(b"") is None


@pytest.mark.parametrize(
    ("before", "now", "restarted"),
    [
        ((100, 0.0), (1900, 1800.0), False),
        ((100, 0.0), (1901, 1800.0), False),
        ((100, 0.0), (1800, 1800.0), False),  # its clock is slow
        ((100, 0.0), (99, 0.0), False),
        ((100, 0.0), (98, 1.0), True),
        ((100, 0.0), (0, 1800.0), True),
        ((100, 0.0), (600, 1800.0), True),  # it has counted for less than passed
        ((100, 0.0), (3000, 1800.0), True),
        ((0, 0.0), (1602, 1500.0), False),
        ((0, 0.0), (1603, 1500.0), True),
        ((0, 0.0), (1500, 1602.0), False),
        ((0, 0.0), (1499, 1602.0), True),
    ],
)
def test_an_epoch_that_does_not_fit_tells_that_the_router_has_forgotten(
    before: tuple[int, float], now: tuple[int, float], restarted: bool
) -> None:
    assert pcp.has_restarted(before, now) == restarted


@given(epoch=st.integers(0, 2**31), passed=st.floats(0, 1e6), drift=st.floats(0.97, 1.03))
def test_a_clock_that_runs_a_little_wrong_is_no_restart(epoch: int, passed: float, drift: float) -> None:
    assert not pcp.has_restarted((epoch, 0.0), (epoch + int(passed * drift), passed))
