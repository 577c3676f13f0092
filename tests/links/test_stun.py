"""STUN, byte by byte, and any bytes in place of an answer."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2pcards.links import stun
from p2pcards.links.pcp import IP
from p2pcards.links.stun import ReflexiveAddress, binding_request, read_answer
from rigs.stun_answers import attribute, stun_answer

# RFC 5769, 2.2 and 2.3.
TRANSACTION = bytes.fromhex("b7e7a701bc34d686fa87dfae")
IPV4 = bytes.fromhex(
    "0101003c2112a442b7e7a701bc34d686fa87dfae 8022000b7465737420766563746f7220 002000080001a147e112a643"
    "000800142b91f599fd9e90c38c7489f92af9ba53f06be7d7 80280004c07d4c96"
)
IPV6 = bytes.fromhex(
    "010100482112a442b7e7a701bc34d686fa87dfae 8022000b7465737420766563746f7220"
    "002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9 00080014a382954e4be67bf11784c97c8292c275bfe3ed41 80280004c8fb0b4c"
)
EMPTY = bytes.fromhex("01010000 2112a442") + TRANSACTION
READ = ReflexiveAddress(IPv4Address("192.0.2.1"), 32853)
MAPPED = attribute(0x0020, bytes.fromhex("0001a147e112a643"))


def answering(*attributes: bytes, kind: int = stun.SUCCESS) -> bytes:
    rest = b"".join(attributes)
    return stun.HEAD.pack(kind, len(rest), stun.COOKIE, TRANSACTION) + rest


def test_a_request_is_as_rfc_8489_draws_it() -> None:
    assert binding_request(TRANSACTION).hex(" ", 4) == "00010000 2112a442 b7e7a701 bc34d686 fa87dfae"


def test_the_answers_of_rfc_5769_are_read() -> None:
    assert read_answer(IPV4, TRANSACTION) == READ
    assert read_answer(IPV6, TRANSACTION) == ReflexiveAddress(
        IPv6Address("2001:db8:1234:5678:11:2233:4455:6677"), 32853
    )


@given(st.ip_addresses(), st.integers(1, 65535), st.binary(min_size=12, max_size=12))
def test_an_answer_says_what_the_server_saw(address: IP, port: int, transaction: bytes) -> None:
    seen = ReflexiveAddress(address, port)
    assert read_answer(stun_answer(seen, transaction), transaction) == seen


def test_the_first_mapped_address_counts_and_what_need_not_be_understood_is_left_alone() -> None:
    other = attribute(0x0020, bytes.fromhex("0001a148e112a643"))
    passed_over = [attribute(kind, b"any") for kind in (0x8022, 0x0001, 0x0008, 0x001C)]
    assert read_answer(answering(*passed_over, MAPPED, other), TRANSACTION) == READ


@pytest.mark.parametrize(("size", "read"), [(stun.LONGEST, True), (stun.LONGEST + 4, False)])
def test_an_answer_has_at_most_so_many_bytes(size: int, read: bool) -> None:
    padding = size - stun.HEAD.size - len(MAPPED) - stun.ATTRIBUTE.size
    datagram = answering(MAPPED, attribute(0x8022, bytes(padding)))
    assert len(datagram) == size
    assert (read_answer(datagram, TRANSACTION) == READ) is read


@pytest.mark.parametrize(
    "datagram",
    [
        b"",
        EMPTY,
        IPV4[:-1],
        IPV4 + b"\0",
        IPV4 + bytes(4),
        IPV4.replace(TRANSACTION, bytes(12)),
        IPV4.replace(stun.COOKIE, bytes(4)),
        answering(MAPPED, kind=stun.BINDING),
        answering(MAPPED, kind=0x0111),
        answering(attribute(0x0001, bytes.fromhex("00018055c0000201"))),
        answering(attribute(0x0020, bytes.fromhex("00012112e112a643"))),
        answering(attribute(0x0020, bytes.fromhex("0003a147e112a643"))),
        answering(attribute(0x0020, bytes.fromhex("0002a147e112a643"))),
        answering(attribute(0x0020, b"")),
        answering(attribute(0x7FFF, b""), MAPPED),
        answering(MAPPED, attribute(0x7FFF, b"")),
        answering(MAPPED, b"\x80\x22\x00\x05abcd"),
        answering(MAPPED, b"\x80\x22"),
        answering(MAPPED, attribute(0x8022, bytes(stun.LONGEST))),
    ],
    ids=[
        "nothing",
        "no address",
        "cut",
        "a byte more",
        "a length that is wrong",
        "of another transaction",
        "no cookie",
        "a request",
        "an error",
        "an address that routers rewrite",
        "port 0",
        "no family",
        "an address too short",
        "an empty address",
        "what must be understood, before",
        "what must be understood, behind",
        "an attribute that is cut",
        "half an attribute",
        "too long",
    ],
)
def test_anything_else_is_no_answer(datagram: bytes) -> None:
    assert read_answer(datagram, TRANSACTION) is None


@given(st.binary(max_size=60), st.integers(0, len(IPV4)), st.integers(0, 40))
@example(b"", 0, 0)
def test_whatever_comes_is_an_address_with_a_port_or_nothing(some: bytes, at: int, cut: int) -> None:
    read = read_answer(IPV4[:at] + some + IPV4[at + cut :], TRANSACTION)
    assert read is None or (0 < read.port < 65536 and ip_address(str(read.address)) == read.address)
