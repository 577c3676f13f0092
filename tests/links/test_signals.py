"""Descriptions and candidates: what is read, what is passed over, and that no peer can make us call many others."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2pcards.links.signals import (
    CANDIDATES,
    LOWEST_PORT,
    PUBLIC,
    SIGNAL,
    TRIES,
    Address,
    BadSignal,
    Candidate,
    Description,
    LocalName,
    PeerSignals,
    is_private,
    is_public,
    read_candidate,
    read_description,
    read_signal,
)

FINGERPRINT = ":".join(["02", "B6"] * 16)
OF_CHROMIUM = f"""\
v=0
o=- 8512476538273651 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0
a=extmap-allow-mixed
a=msid-semantic: WMS
m=application 9 UDP/DTLS/SCTP webrtc-datachannel
c=IN IP4 0.0.0.0
a=candidate:1 1 udp 2113937151 198.51.100.7 5000 typ host
a=ice-ufrag:aB3+
a=ice-pwd:kUJ1BPvlvyv/hBnhNh0wMTnz
a=ice-options:trickle
a=fingerprint:sha-256 {FINGERPRINT}
a=setup:actpass
a=mid:0
a=sctp-port:5000
a=max-message-size:262144
""".replace("\n", "\r\n")
OF_FIREFOX = f"""\
v=0
o=mozilla...THIS_IS_SDPARTA-99.0 6105838 0 IN IP4 0.0.0.0
s=-
t=0 0
a=fingerprint:sha-256 {FINGERPRINT.lower()}
a=group:BUNDLE 0
a=ice-options:trickle
a=msid-semantic:WMS *
m=application 9 UDP/DTLS/SCTP webrtc-datachannel
c=IN IP4 0.0.0.0
a=sendrecv
a=ice-pwd:a3bc6f1e8d3cf8a9dd1f0a3a5c1e1d7f
a=ice-ufrag:9f1c2d3e
a=mid:0
a=setup:active
a=sctp-port:5000
a=max-message-size:1073741823
""".replace("\n", "\r\n")

ice = st.text("abcXYZ019+/", min_size=22, max_size=256)
descriptions = st.builds(
    Description,
    number=st.integers(1, TRIES),
    kind=st.just("offer"),
    user=ice,
    password=ice,
    fingerprint=st.binary(min_size=32, max_size=32).map(lambda digest: digest.hex(":").upper()),
    setup=st.just("actpass"),
    mid=st.text("aZ09._-", min_size=1, max_size=32),
    sctp=st.integers(1, 65535),
)
addresses: st.SearchStrategy[Address] = st.ip_addresses()
friends = addresses.filter(lambda address: is_private(address) or is_public(address))
candidates = st.builds(
    Candidate,
    number=st.integers(1, TRIES),
    kind=st.sampled_from(["host", "srflx", "prflx"]),
    address=friends | st.uuids(version=4).map(lambda name: LocalName(f"{name}.local")),
    port=st.integers(LOWEST_PORT, 65535),
    priority=st.integers(1, (1 << 31) - 1),
    foundation=st.text("abcXYZ019+/", min_size=1, max_size=32),
)


def candidate(address: str, port: int = 5000, kind: str = "host", transport: str = "udp", number: int = 1) -> bytes:
    return f"{number} candidate\ncandidate:1 1 {transport} 2113937151 {address} {port} typ {kind} generation 0".encode()


@given(descriptions | candidates)
def test_a_signal_is_read_as_it_was_written(one: Description | Candidate) -> None:
    assert read_signal(one.signal()) == one


def test_descriptions_of_browsers() -> None:
    offer = read_description(1, "offer", OF_CHROMIUM)
    assert offer == Description(1, "offer", "aB3+", "kUJ1BPvlvyv/hBnhNh0wMTnz", FINGERPRINT, "actpass", "0", 5000)
    assert "198.51.100.7" not in offer.sdp()
    answer = read_description(1, "answer", OF_FIREFOX)
    assert (answer.user, answer.setup, answer.fingerprint) == ("9f1c2d3e", "active", FINGERPRINT)


def test_candidates_of_browsers_and_of_the_library() -> None:
    of_chromium = "candidate:842163049 1 udp 1677729535 192.0.2.7 46154 typ srflx raddr 0.0.0.0 rport 0 generation 0"
    read = read_candidate(1, of_chromium)
    assert (str(read.address), read.port, read.kind) == ("192.0.2.7", 46154, "srflx")
    assert read.line() == "candidate:842163049 1 UDP 1677729535 192.0.2.7 46154 typ srflx raddr 0.0.0.0 rport 9"
    of_ipv6 = "candidate:1 1 UDP 1686052863 2a00::2 54404 typ srflx raddr :: rport 9"
    assert read_candidate(1, of_ipv6).line() == of_ipv6
    assert str(read_candidate(1, "candidate:2 1 UDP 2116026111 fd00::2 55331 typ host").address) == "fd00::2"
    of_page = "candidate:0 1 UDP 2122187007 81952376-f112-498c-870e-d75e1d1a9c4c.local 41839 typ host"
    assert read_candidate(1, of_page).line() == of_page


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a=ice-ufrag:aB3+", "a=ice-ufrag:aB3"),
        ("a=ice-ufrag:aB3+", "a=ice-ufrag:aB3+ "),
        ("a=ice-ufrag:aB3+", "a=ice-ufrag:aB3+\r\na=ice-ufrag:aB3+"),
        ("a=ice-ufrag:aB3+\r\n", ""),
        ("kUJ1BPvlvyv/hBnhNh0wMTnz", "k" * 257),
        ("a=fingerprint:sha-256", "a=fingerprint:sha-1"),
        (FINGERPRINT, FINGERPRINT + ":00"),
        ("a=setup:actpass", "a=setup:active"),
        ("a=setup:actpass", "a=setup:holdconn"),
        ("a=mid:0", "a=mid:0 1"),
        ("a=sctp-port:5000", "a=sctp-port:65536"),
        ("a=sctp-port:5000", "a=sctp-port:٥000"),
        ("m=application", "m=audio"),
        ("a=mid:0", "a=mid:0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0"),
    ],
)
def test_descriptions_that_are_passed_over(old: str, new: str) -> None:
    assert OF_CHROMIUM.count(old) == 1
    with pytest.raises(BadSignal):
        read_description(1, "offer", OF_CHROMIUM.replace(old, new))


@pytest.mark.parametrize(
    "signal",
    [
        b"",
        b"\xff",
        b"1 hello\nthere",
        b"1 offer",
        b"1 candidate\n",
        b"1 candidate\ncandidate:",
        candidate("192.168.1.7")[2:],
        candidate("192.168.1.7", number=0),
        candidate("192.168.1.7", number=TRIES + 1),
        b"0" + candidate("192.168.1.7"),
        b"1 offer\n" + OF_CHROMIUM.encode() + bytes(SIGNAL),
        candidate("8ff5c2a0-0d2e-4bb5-9a0b-3f0a4c2f0d55.local.example"),
        candidate("printer.local"),
        candidate("example.org"),
        candidate("192.168.1.7", transport="tcp"),
        candidate("192.168.1.7", kind="relay"),
        candidate("192.168.1.7", port=53),
        candidate("192.168.1.7", port=65536),
        candidate("192.168.1.300"),
        candidate("192.168.001.7"),
        candidate("fd00::2%eth0"),
        candidate("192.168.1.7").replace(b" 1 ", b" 2 "),
        candidate("192.168.1.7").replace(b"2113937151", b"2147483648"),
        candidate("192.168.1.7") + b"\r\na=candidate:1",
    ],
)
def test_signals_that_are_passed_over(signal: bytes) -> None:
    with pytest.raises(BadSignal):
        read_signal(signal)


@pytest.mark.parametrize(
    ("where", "addresses"),
    [
        ("private", "10.1.2.3 172.31.255.1 192.168.0.1 100.64.0.1 100.127.255.255 fd12::1"),
        ("public", "192.0.2.1 203.0.113.10 8.8.8.8 100.128.0.1 172.32.0.1 2001:db8::1 2606:4700::1111"),
        (
            "never tried",
            "0.0.0.0 0.1.2.3 127.0.0.1 127.9.9.9 169.254.1.1 224.0.0.251 239.255.255.250 240.0.0.1 255.255.255.255 "
            ":: ::1 fe80::1 ff02::fb ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::7f00:1 64:ff9b::1 fec0::1",
        ),
    ],
)
def test_addresses(where: str, addresses: str) -> None:
    for text in addresses.split():
        address = ip_address(text)
        assert (is_private(address), is_public(address)) == (where == "private", where == "public"), text


@given(addresses)
@example(IPv4Address("255.255.255.255"))
@example(IPv6Address("::ffff:224.0.0.1"))
def test_no_address_of_many_or_of_ourselves_is_ever_tried(address: Address) -> None:
    if address.is_loopback or address.is_multicast or address.is_unspecified or address.is_link_local:
        with pytest.raises(BadSignal):
            read_signal(candidate(str(address)))


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: f"1 candidate\n{text}".encode()))
def test_nothing_but_a_refusal_comes_of_anything_else(signal: bytes) -> None:
    with pytest.raises(BadSignal):
        read_signal(signal)


line_of_text = st.sampled_from(OF_CHROMIUM.splitlines())


@given(st.lists(line_of_text | st.text(max_size=40), max_size=40))
def test_only_what_was_checked_is_written_anew(lines: list[str]) -> None:
    try:
        read = read_description(1, "offer", "\r\n".join(lines))
    except BadSignal:
        return
    assert re.sub(r"(ice-ufrag|ice-pwd|fingerprint|mid|BUNDLE)[: ].*", "", read.sdp()).count("\r\n") == 15
    assert read_description(1, "offer", read.sdp()) == read


def test_one_description_a_try_of_the_kind_that_is_expected() -> None:
    signals = PeerSignals("offer")
    offers = [read_description(number, "offer", OF_CHROMIUM) for number in (1, 2, 3)]
    with pytest.raises(BadSignal):
        signals.read_signal(read_description(1, "answer", OF_FIREFOX).signal())
    for number in (0, 2):
        assert signals.read_signal(offers[number].signal()) == offers[number]
        for earlier in offers[: number + 1]:
            with pytest.raises(BadSignal):
                signals.read_signal(earlier.signal())


def admitted(signals: list[bytes]) -> list[Candidate]:
    taken = PeerSignals("answer")
    found = []
    for signal in signals:
        try:
            read = taken.read_signal(signal)
        except BadSignal:
            continue
        assert isinstance(read, Candidate)
        found.append(read)
    return found


def test_10_000_addresses_of_others_are_eight() -> None:
    crowd = [candidate(f"8.{one >> 8}.{one & 255}.1", number=one % TRIES + 1) for one in range(10_000)]
    assert len({one.address for one in admitted(crowd)}) == PUBLIC
    assert len(admitted([candidate("192.0.2.7", port) for port in range(2000, 12_000)])) == CANDIDATES
    assert len(admitted([candidate("192.0.2.7")] * 3)) == 1
    names = [candidate(f"{number:08x}-0000-4000-8000-000000000000.local") for number in range(10_000)]
    assert len(admitted(names)) == CANDIDATES


@given(st.lists(candidates.map(Candidate.signal) | st.binary(max_size=50), max_size=60))
def test_candidates_are_bounded_whatever_comes(signals: list[bytes]) -> None:
    found = admitted(signals)
    assert all(sum(one.number == number for one in found) <= CANDIDATES for number in range(1, TRIES + 1))
    assert len({one.address for one in found if not isinstance(one.address, str) and is_public(one.address)}) <= PUBLIC
    assert len({(one.number, one.address, one.port) for one in found}) == len(found)
