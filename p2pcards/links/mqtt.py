"""MQTT 3.1.1 (OASIS Standard, 29 October 2014) without I/O: a client that sends and takes messages at QoS 0 only.
Numbers in comments are sections of the standard."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

LONGEST = 16384
"""Bytes of the longest packet that is read or sent, behind its fixed header; the standard has 268,435,455 (2.2.3)."""
LONGEST_PASSED_OVER = 1 << 20
"""Bytes of the longest PUBLISH that is passed over, unread: anyone may send one to a topic. Longer ones are a fault."""
LONGEST_STRING = 65535  # 1.5.3
MOST_NUMBERS = 65535  # 2.3.1
ACCEPTED, REFUSALS = 0, 5
"""Return codes of CONNACK (3.2.2.3): 1 to REFUSALS refuse."""
BAD_VERSION, BAD_CLIENT_ID, UNAVAILABLE, BAD_PASSWORD, NOT_AUTHORIZED = range(1, REFUSALS + 1)
SUBSCRIBED, NOT_SUBSCRIBED = 0x00, 0x80  # return codes of SUBACK (3.9.3)


class MqttFault(Exception):
    """The broker sent something that MQTT forbids, or that this client never asks for; the argument is a noun."""


@dataclass(frozen=True, slots=True)
class ConnAck:
    code: int  # of MQTT 3.1.1, section 3.2.2.3


@dataclass(frozen=True, slots=True)
class SubAck:
    topic: str
    granted: bool


@dataclass(frozen=True, slots=True)
class Publish:
    topic: str
    payload: bytes
    retained: bool = False  # left at the topic earlier, not sent to it now (section 3.3.1.3)


@dataclass(frozen=True, slots=True)
class PingResp:
    pass


Packet = ConnAck | SubAck | Publish | PingResp


class PacketType(Enum):
    """A packet, by the first byte of its fixed header (2.2); of PUBLISH at QoS 0 without the RETAIN flag."""

    CONNECT = 0x10
    CONNACK = 0x20
    PUBLISH = 0x30
    SUBSCRIBE = 0x82
    SUBACK = 0x90
    PINGREQ = 0xC0
    PINGRESP = 0xD0
    DISCONNECT = 0xE0


class MqttState(Enum):
    NEW = "nothing was sent"
    CALLED = "CONNECT was sent"
    OPEN = "the broker accepted"
    OVER = "nothing more is sent or read"


SENDS: dict[MqttState, dict[PacketType, MqttState]] = {
    MqttState.NEW: {PacketType.CONNECT: MqttState.CALLED},
    MqttState.CALLED: {PacketType.DISCONNECT: MqttState.OVER},
    MqttState.OPEN: {
        PacketType.PUBLISH: MqttState.OPEN,
        PacketType.SUBSCRIBE: MqttState.OPEN,
        PacketType.PINGREQ: MqttState.OPEN,
        PacketType.DISCONNECT: MqttState.OVER,
    },
    MqttState.OVER: {},
}
TAKES: dict[MqttState, dict[PacketType, MqttState]] = {
    MqttState.NEW: {},
    MqttState.CALLED: {PacketType.CONNACK: MqttState.OPEN},  # 3.2: the first that a broker sends; a refusal ends it
    MqttState.OPEN: {
        PacketType.PUBLISH: MqttState.OPEN,
        PacketType.SUBACK: MqttState.OPEN,
        PacketType.PINGRESP: MqttState.OPEN,
    },
    MqttState.OVER: {},
}
SIZES = {PacketType.CONNACK: 2, PacketType.SUBACK: 3, PacketType.PINGRESP: 0}
"""Remaining length of packets that have only one (3.2.1, 3.9.1 with one topic, 3.13.1)."""
RETAIN, QOS = 0x01, 0x06  # flags of PUBLISH (3.3.1)
CLEAN_SESSION, PASSWORD, USER = 0x02, 0x40, 0x80  # flags of CONNECT (3.1.2.3)


class MqttClient:
    """One connection to a broker: makes what is sent, reads what comes."""

    def __init__(self) -> None:
        self.state = MqttState.NEW
        self._come = bytearray()
        self._fault = ""
        self._passing = 0  # bytes still to come of a PUBLISH that is passed over
        self._number = 0  # of the latest SUBSCRIBE
        self._asked: dict[int, str] = {}  # topics that await their SUBACK, by number
        self._pings = 0  # that await their PINGRESP

    # --- what is sent -------------------------------------------------------------------------------------------------

    def connect(self, client_id: str, keep_alive: int, user: str = "", password: str = "") -> bytes:
        """CONNECT with a clean session and no will (3.1). keep_alive: seconds, after half as many again without a
        packet the broker hangs up (3.1.2.10)."""
        flags = CLEAN_SESSION | (USER if user else 0) | (PASSWORD if user and password else 0)
        head = _string("MQTT") + bytes([4, flags]) + keep_alive.to_bytes(2, "big")
        texts = [client_id, *([user] if flags & USER else []), *([password] if flags & PASSWORD else [])]
        return self._sent(PacketType.CONNECT, head + b"".join(map(_string, texts)))

    def subscribe(self, topic: str) -> bytes:
        """SUBSCRIBE to one topic at QoS 0 (3.8)."""
        if len(self._asked) == MOST_NUMBERS:
            raise ValueError("every packet number is in use")
        self._number = self._number % MOST_NUMBERS + 1
        while self._number in self._asked:
            self._number = self._number % MOST_NUMBERS + 1
        packet = self._sent(PacketType.SUBSCRIBE, self._number.to_bytes(2, "big") + topic_bytes(topic) + b"\0")
        self._asked[self._number] = topic
        return packet

    def publish(self, topic: str, payload: bytes) -> bytes:
        """PUBLISH at QoS 0, not retained (3.3)."""
        return self._sent(PacketType.PUBLISH, topic_bytes(topic) + payload)

    def ping(self) -> bytes:
        """PINGREQ (3.12)."""
        packet = self._sent(PacketType.PINGREQ)
        self._pings += 1
        return packet

    def disconnect(self) -> bytes:
        """DISCONNECT (3.14)."""
        return self._sent(PacketType.DISCONNECT)

    def _sent(self, kind: PacketType, body: bytes = b"") -> bytes:
        """The bytes of a packet, which must be allowed in this state. Raises ValueError."""
        if kind not in SENDS[self.state]:
            raise ValueError(f"{kind.name} is not sent when {self.state.value}")
        if len(body) > LONGEST:
            raise ValueError(f"a packet of more than {LONGEST:,} bytes")
        self.state = SENDS[self.state][kind]
        return bytes([kind.value]) + remaining_length(len(body)) + body

    # --- what comes ---------------------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """Take bytes from the broker; take every packet before the next ones."""
        if self.state is not MqttState.OVER:
            self._come += data

    def next_packet(self) -> Packet | None:
        """The next whole packet; None if there is none yet or reading has ended. Raises MqttFault."""
        if self._fault:
            raise MqttFault(self._fault)
        try:
            return self._read()
        except MqttFault as fault:
            self._fault, self.state = str(fault), MqttState.OVER
            raise

    def _read(self) -> Packet | None:
        """The next whole packet, skipping the rest of an oversized one. Raises MqttFault."""
        while True:
            passed = min(self._passing, len(self._come))
            del self._come[:passed]
            self._passing -= passed
            if not self._come:
                return None
            kind = self._kind(self._come[0])
            found = _read_length(self._come)
            if found is None:
                return None
            size, start = found
            if size != SIZES.get(kind, size):
                raise MqttFault(f"a {kind.name} of {size} bytes")
            if size > LONGEST_PASSED_OVER:
                raise MqttFault(f"a packet of more than {LONGEST_PASSED_OVER:,} bytes")
            if size <= LONGEST:
                return self._packet(kind, start, size)
            self._passing = start + size

    def _kind(self, first: int) -> PacketType:
        """The type in a packet's first byte, which must be allowed in this state. Raises MqttFault."""
        plain = first & ~RETAIN if first & 0xF0 == PacketType.PUBLISH.value else first
        if plain & 0xF0 == PacketType.PUBLISH.value and plain & QOS:
            raise MqttFault("a message with a quality of service that wasn't requested")
        known = next((kind for kind in TAKES[self.state] if kind.value == plain), None)
        if known is None:
            raise MqttFault(f"an unexpected packet of type {first >> 4} with flags {first & 0x0F}")
        return known

    def _packet(self, kind: PacketType, start: int, size: int) -> Packet | None:
        """The first packet received, None if it isn't whole yet."""
        if len(self._come) < start + size:
            return None
        retained, body = bool(self._come[0] & RETAIN), bytes(self._come[start : start + size])
        del self._come[: start + size]
        self.state = TAKES[self.state][kind]
        match kind:
            case PacketType.CONNACK:
                return self._connack(body)
            case PacketType.SUBACK:
                return self._suback(body)
            case PacketType.PUBLISH:
                topic, payload = _read_topic(body)
                return Publish(topic, payload, retained)
        if not self._pings:
            raise MqttFault("a PINGRESP without a PINGREQ")
        self._pings -= 1
        return PingResp()

    def _connack(self, body: bytes) -> ConnAck:
        """Parse a CONNACK. Raises MqttFault."""
        flags, code = body
        if flags:  # 3.2.2.2: reserved, and a clean session is never present already
            raise MqttFault("a CONNACK for a session that wasn't requested")
        if code > REFUSALS:
            raise MqttFault(f"a CONNACK with the reserved code {code}")
        if code != ACCEPTED:
            self.state = MqttState.OVER
            self._come.clear()
        return ConnAck(code)

    def _suback(self, body: bytes) -> SubAck:
        """Parse a SUBACK. Raises MqttFault."""
        topic = self._asked.pop(int.from_bytes(body[:2], "big"), None)
        if topic is None:
            raise MqttFault("a SUBACK for a topic that wasn't requested")
        if body[2] not in (SUBSCRIBED, NOT_SUBSCRIBED):
            raise MqttFault(f"a SUBACK with the code {body[2]}")
        return SubAck(topic, granted=body[2] == SUBSCRIBED)


# --- parts of packets -------------------------------------------------------------------------------------------------


def remaining_length(size: int) -> bytes:
    """A packet's remaining length, seven bits a byte, lowest first (2.2.3)."""
    low = [size >> shift & 0x7F for shift in range(0, max(size.bit_length(), 1), 7)]
    return bytes([*(part | 0x80 for part in low[:-1]), low[-1]])


def _read_length(packet: bytearray) -> tuple[int, int] | None:
    """(remaining length, size of the fixed header) of a packet, None if not whole yet."""
    size = 0
    for at, byte in enumerate(packet[1:5]):
        size |= (byte & 0x7F) << 7 * at
        if not byte & 0x80:
            if at and not byte:
                raise MqttFault("a length with redundant bytes")
            return size, at + 2
    if len(packet) >= 5:
        raise MqttFault("a length of more than four bytes")
    return None


def _string(text: str) -> bytes:
    """A UTF-8 string with its length in front (1.5.3)."""
    data = text.encode()
    if len(data) > LONGEST_STRING or "\0" in text:
        raise ValueError("not an MQTT string")
    return len(data).to_bytes(2, "big") + data


def topic_bytes(topic: str) -> bytes:
    """A topic as it is sent. Raises ValueError for none, and for wildcards, which nothing here asks for (4.7)."""
    if not _is_topic(topic):
        raise ValueError("an MQTT topic can't be empty or have wildcards")
    return _string(topic)


def _read_topic(body: bytes) -> tuple[str, bytes]:
    """(topic, the rest) of a PUBLISH (3.3.2.1)."""
    end = 2 + int.from_bytes(body[:2], "big")
    try:
        topic = body[2:end].decode()
    except UnicodeDecodeError:
        raise MqttFault("a topic that is not UTF-8") from None
    if len(body) < max(end, 2):
        raise MqttFault("a topic that is longer than its packet")
    if not _is_topic(topic):
        raise MqttFault("a topic that can't be published to")
    return topic, body[end:]


def _is_topic(text: str) -> bool:
    """True for a topic without wildcards."""
    return bool(text) and not any(char in text for char in "+#\0")
