"""MQTT without I/O: the bytes of the standard's examples, what a broker may say when, and that any other bytes are one
error. Numbers are sections of the standard."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links.mqtt import (
    LONGEST,
    LONGEST_PASSED_OVER,
    SENDS,
    TAKES,
    ConnAck,
    MqttClient,
    MqttFault,
    MqttState,
    Packet,
    PacketType,
    PingResp,
    Publish,
    SubAck,
    remaining_length,
)
from rigs import broker_packets as broker

TOPICS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="+#\0"), min_size=1, max_size=40)
PAYLOADS = st.binary(max_size=300)
ANSWERS = [broker.suback(1), broker.suback(2, 0x80), broker.PINGRESP]
"""What is due to `opened`."""

LONG = broker.message("a/b", bytes(LONGEST))


def opened() -> MqttClient:
    """A client that was accepted, has asked for the topics `a/b` and `c/d` and has sent a ping."""
    client = MqttClient()
    client.connect("c", 60)
    client.feed(broker.connack())
    assert client.next_packet() == ConnAck(0)
    client.subscribe("a/b")
    client.subscribe("c/d")
    client.ping()
    return client


def read(client: MqttClient, *pieces: bytes) -> tuple[list[Packet], str]:
    """What the pieces say, and the fault that ends it, "" for none."""
    found: list[Packet] = []
    try:
        for piece in pieces:
            client.feed(piece)
            found += iter(client.next_packet, None)
    except MqttFault as fault:
        return found, str(fault)
    return found, ""


def hexed(text: str) -> bytes:
    return bytes.fromhex(text)


# --- by hand, from the standard ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "encoded"),
    [
        (0, "00"),
        (64, "40"),
        (127, "7f"),
        (128, "8001"),
        (321, "c102"),
        (16383, "ff7f"),
        (16384, "808001"),
        (2097151, "ffff7f"),
        (2097152, "80808001"),
        (268435455, "ffffff7f"),
    ],
)
def test_the_remaining_length_is_that_of_the_standard(size: int, encoded: str) -> None:
    """2.2.3 and table 2.4."""
    assert remaining_length(size) == hexed(encoded)


def test_connect_is_that_of_the_standard() -> None:
    """3.1, figure 3.6: a clean session without a will, kept alive for 10 s."""
    head = "00 04 4d 51 54 54 04"
    assert MqttClient().connect("a", 10) == hexed(f"10 0d {head} 02 00 0a 00 01 61")
    assert MqttClient().connect("a", 10, "Ann") == hexed(f"10 12 {head} 82 00 0a 00 01 61 00 03 41 6e 6e")
    with_both = MqttClient().connect("a", 10, "Ann", "4\u00b0")
    assert with_both == hexed(f"10 17 {head} c2 00 0a 00 01 61 00 03 41 6e 6e 00 03 34 c2 b0")
    without_a_user = MqttClient().connect("a", 10, "", "secret")  # [MQTT-3.1.2-22]
    assert without_a_user == hexed(f"10 0d {head} 02 00 0a 00 01 61")


def test_what_a_client_sends_then_is_that_of_the_standard() -> None:
    client = MqttClient()
    client.connect("a", 10)
    client.feed(hexed("20 02 00 00"))
    assert client.next_packet() == ConnAck(0)
    assert client.subscribe("a/b") == hexed("82 08 00 01 00 03 61 2f 62 00")  # 3.8.3, figure 3.23
    assert client.subscribe("c/d") == hexed("82 08 00 02 00 03 63 2f 64 00")
    assert client.publish("a/b", b"\x01\x02") == hexed("30 07 00 03 61 2f 62 01 02")  # 3.3.2, figure 3.11
    assert client.publish("A\U0002a6d4", b"") == hexed("30 07 00 05 41 f0 aa 9b 94")  # 1.5.3, figure 1.2
    assert client.ping() == hexed("c0 00")
    client.feed(hexed("90 03 00 01 00") + hexed("90 03 00 02 80") + hexed("d0 00"))
    assert list(iter(client.next_packet, None)) == [SubAck("a/b", True), SubAck("c/d", False), PingResp()]
    assert client.disconnect() == hexed("e0 00")
    assert client.state is MqttState.OVER


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("30 07 00 03 61 2f 62 01 02", Publish("a/b", b"\x01\x02")),
        ("31 05 00 03 61 2f 62", Publish("a/b", b"", retained=True)),
        ("30 07 00 05 41 f0 aa 9b 94", Publish("A\U0002a6d4", b"")),
        ("30 06 00 04 ef bb bf 61", Publish("\ufeffa", b"")),  # [MQTT-1.5.3-3]
        ("90 03 00 02 00", SubAck("c/d", True)),
        ("d0 00", PingResp()),
    ],
)
def test_what_a_broker_sends_is_read(sent: str, expected: Packet) -> None:
    assert read(opened(), hexed(sent)) == ([expected], "")


@pytest.mark.parametrize("code", range(1, 6))
def test_after_a_refusal_nothing_more_is_read(code: int) -> None:
    """3.2.2.3."""
    client = MqttClient()
    client.connect("c", 60)
    assert read(client, broker.connack(code) + b"\xff" * 40, b"\xff" * 40) == ([ConnAck(code)], "")
    assert client.state is MqttState.OVER


# --- what a broker never sends ----------------------------------------------------------------------------------------

FORBIDDEN = {
    "00 00": "an unexpected packet of type 0",
    "10 00": "an unexpected packet of type 1",
    "20 02 00 00": "an unexpected packet of type 2",  # once only
    "40 02 00 01": "an unexpected packet of type 4",
    "82 02": "an unexpected packet of type 8",
    "92 03 00 01 00": "an unexpected packet of type 9 with flags 2",
    "c0 00": "an unexpected packet of type 12",
    "d1 00": "an unexpected packet of type 13 with flags 1",
    "e0 00": "an unexpected packet of type 14",
    "f0 00": "an unexpected packet of type 15",
    "38 05 00 03 61 2f 62": "an unexpected packet of type 3 with flags 8",  # DUP at QoS 0: [MQTT-3.3.1-2]
    "32": "quality of service that wasn't requested",
    "34": "quality of service that wasn't requested",
    "36": "quality of service that wasn't requested",  # [MQTT-3.3.1-4]
    "30 81 80 40": "more than 1,048,576 bytes",
    "30 ff ff ff 7f": "more than 1,048,576 bytes",
    "90 81 80 01": "a SUBACK of 16385 bytes",
    "30 80 80 80 80": "length of more than four bytes",
    "30 85 00": "redundant bytes",
    "d0 80 00": "redundant bytes",
    "d0 01": "a PINGRESP of 1 bytes",
    "90 02": "a SUBACK of 2 bytes",
    "90 04": "a SUBACK of 4 bytes",
    "90 03 00 03 00": "a SUBACK for a topic that wasn't requested",
    "90 03 00 01 01": "a SUBACK with the code 1",
    "90 03 00 01 7f": "a SUBACK with the code 127",
    "d0 00 d0 00": "a PINGRESP without a PINGREQ",
    "30 00": "longer than its packet",
    "30 01 00": "longer than its packet",
    "30 02 00 00": "a topic that can't be published to",  # [MQTT-4.7.3-1]
    "30 03 00 02 61": "longer than its packet",
    "30 03 00 01 23": "a topic that can't be published to",  # [MQTT-3.3.2-2]
    "30 05 00 03 61 2f 2b": "a topic that can't be published to",
    "30 03 00 01 00": "a topic that can't be published to",  # [MQTT-1.5.3-2]
    "30 05 00 03 ed a0 80": "not UTF-8",  # [MQTT-1.5.3-1]
    "30 04 00 02 c0 80": "not UTF-8",
}


@pytest.mark.parametrize("sent", FORBIDDEN)
def test_what_a_broker_never_sends_ends_it(sent: str) -> None:
    client = opened()
    found, fault = read(client, hexed(sent))
    assert FORBIDDEN[sent] in fault
    assert len(found) <= 1 and client.state is MqttState.OVER
    assert read(client, broker.message("a/b", b"more")) == ([], fault)


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        ("20 02 01 00", "a session that wasn't requested"),  # [MQTT-3.2.2-1]
        ("20 02 80 00", "a session that wasn't requested"),
        ("20 02 00 06", "the reserved code 6"),
        ("20 03", "a CONNACK of 3 bytes"),
        ("d0 00", "an unexpected packet of type 13"),
        ("30 05 00 03 61 2f 62", "an unexpected packet of type 3"),  # [MQTT-3.2.0-1]
        (b"HTTP/1.1 400 Bad Request\r\n".hex(), "an unexpected packet of type 4"),
        (b"<html>".hex(), "quality of service that wasn't requested"),
        ("15 03 01 00 02 02 46", "an unexpected packet of type 1"),  # an alert of TLS
    ],
)
def test_nothing_but_a_connack_comes_first(sent: str, fault: str) -> None:
    client = MqttClient()
    client.connect("c", 60)
    assert fault in read(client, hexed(sent))[1]


def test_nothing_is_read_before_it_was_called() -> None:
    assert "an unexpected packet" in read(MqttClient(), broker.connack())[1]


# --- laws -------------------------------------------------------------------------------------------------------------


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted(place % (len(data) + 1) for place in places)
    return [data[start:end] for start, end in itertools.pairwise([0, *ends, len(data)])]


PLACES = st.lists(st.integers(0, 5000), max_size=20)
SAID = st.lists(
    st.one_of(
        st.sampled_from([*ANSWERS, broker.connack(), b"\x32", b"\x80", LONG, LONG[:9000]]),
        st.builds(broker.message, TOPICS, PAYLOADS, st.integers(0, 1)),
        st.builds(broker.packet, st.sampled_from([kind.value for kind in PacketType]), st.binary(max_size=5)),
        st.binary(max_size=9),
    ),
    max_size=12,
).map(b"".join)


@given(SAID, PLACES)
def test_however_bytes_are_cut_they_say_the_same(said: bytes, places: list[int]) -> None:
    assert read(opened(), *cut(said, places)) == read(opened(), said)


@given(SAID, SAID)
def test_any_bytes_are_packets_or_the_one_error(first: bytes, second: bytes) -> None:
    client = MqttClient()
    client.connect("c", 60)
    for one, said in ((client, first), (client, second), (opened(), first + second)):
        for packet in read(one, said)[0]:
            assert isinstance(packet, Packet)
            assert not isinstance(packet, Publish) or len(packet.payload) < len(first + second)


@given(st.lists(st.tuples(TOPICS, PAYLOADS), max_size=8), PLACES)
def test_what_one_client_publishes_another_reads(messages: list[tuple[str, bytes]], places: list[int]) -> None:
    """A broker sends a PUBLISH on as it came."""
    sender, receiver = opened(), opened()
    sent = b"".join(sender.publish(topic, payload) for topic, payload in messages)
    assert read(receiver, *cut(sent, places)) == ([Publish(*one) for one in messages], "")


@given(TOPICS, PAYLOADS, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30))
def test_what_is_sent_reads_as_it_was_meant(topic: str, payload: bytes, user: str) -> None:
    client = MqttClient()
    called = broker.split(client.connect("anonymous", 60, user, "secret"))
    client.feed(broker.connack())
    client.next_packet()
    sent = broker.split(client.subscribe(topic) + client.publish(topic, payload) + client.ping() + client.disconnect())
    flags = 0xC2 if user else 0x02
    assert called[0][1][:10] == b"\0\4MQTT\4" + bytes([flags]) + b"\0\x3c"
    assert broker.strings(called[0][1][10:]) == ["anonymous", *([user, "secret"] if user else [])]
    assert sent == [
        (0x82, b"\0\1" + broker.string(topic) + b"\0"),
        (0x30, broker.string(topic) + payload),
        (0xC0, b""),
        (0xE0, b""),
    ]


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_the_longest_packet_is_read_and_sent_and_no_longer_one() -> None:
    room = LONGEST - len(broker.string("a"))
    client = opened()
    assert client.publish("a", bytes(room)) == broker.message("a", bytes(room))
    assert read(client, broker.message("a", bytes(room))) == ([Publish("a", bytes(room))], "")
    with pytest.raises(ValueError, match="more than 16,384 bytes"):
        client.publish("a", bytes(room + 1))


@pytest.mark.parametrize("more", [1, 100_000, LONGEST_PASSED_OVER - LONGEST])
def test_a_longer_message_is_passed_over_and_none_of_it_kept(more: int) -> None:
    room = LONGEST - len(broker.string("a"))
    longer, after = broker.message("a", bytes(room + more)), broker.message("a", b"x")
    client = opened()
    sent = longer + longer + after
    for start in range(0, len(sent), 5000):
        client.feed(sent[start : start + 5000])
        packet = client.next_packet()
        assert (packet is None) == (start + 5000 < len(sent))
        assert len(client._come) < 5000
    assert packet == Publish("a", b"x")
    assert read(opened(), sent) == ([Publish("a", b"x")], "")


@pytest.mark.parametrize("topic", ["", "a/#", "+/b", "a\0b", "\ud800", "x" * 65536])
def test_a_topic_that_is_none_is_not_sent(topic: str) -> None:
    for send in (opened().subscribe, lambda text: opened().publish(text, b"")):
        with pytest.raises(ValueError):
            send(topic)


def test_each_topic_that_awaits_its_answer_has_a_number_of_its_own() -> None:
    client = opened()
    numbers = [int.from_bytes(client.subscribe("t")[2:4], "big") for _ in range(65533)]
    assert sorted(numbers) == list(range(3, 65536))
    with pytest.raises(ValueError, match="every packet number is in use"):
        client.subscribe("t")
    assert read(client, broker.suback(700)) == ([SubAck("t", True)], "")
    assert client.subscribe("u")[2:4] == (700).to_bytes(2, "big")


# --- the table of states ----------------------------------------------------------------------------------------------


def in_state(state: MqttState) -> MqttClient:
    client = MqttClient() if state is MqttState.NEW else opened()
    if state is MqttState.CALLED:
        client = MqttClient()
        client.connect("c", 60)
    if state is MqttState.OVER:
        client.disconnect()
    return client


WORDS = {
    PacketType.CONNECT: lambda client: client.connect("c", 60),
    PacketType.PUBLISH: lambda client: client.publish("t", b""),
    PacketType.SUBSCRIBE: lambda client: client.subscribe("t"),
    PacketType.PINGREQ: lambda client: client.ping(),
    PacketType.DISCONNECT: lambda client: client.disconnect(),
}


@pytest.mark.parametrize("state", MqttState)
@pytest.mark.parametrize("kind", WORDS)
def test_only_what_the_table_has_is_sent(state: MqttState, kind: PacketType) -> None:
    client = in_state(state)
    assert client.state is state
    if kind in SENDS[state]:
        assert WORDS[kind](client)[0] == kind.value
        assert client.state is SENDS[state][kind]
    else:
        with pytest.raises(ValueError, match=f"{kind.name} is not sent when"):
            WORDS[kind](client)


@pytest.mark.parametrize("state", [MqttState.NEW, MqttState.CALLED, MqttState.OPEN])
@pytest.mark.parametrize("kind", PacketType)
def test_only_what_the_table_has_is_taken(state: MqttState, kind: PacketType) -> None:
    bodies = {PacketType.CONNACK: bytes(2), PacketType.SUBACK: bytes([0, 1, 0]), PacketType.PUBLISH: broker.string("t")}
    client = in_state(state)
    found, fault = read(client, broker.packet(kind.value, bodies.get(kind, b"")))
    assert (len(found) == 1 and not fault) == (kind in TAKES[state])
    assert client.state is TAKES[state].get(kind, MqttState.OVER)
