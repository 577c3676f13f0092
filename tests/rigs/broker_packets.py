"""What a broker of MQTT 3.1.1 sends, and what it reads of a client, written from the standard and from nothing of the
program."""

from __future__ import annotations

PINGRESP = bytes([0xD0, 0])


def packet(first: int, body: bytes) -> bytes:
    size, length = len(body), bytearray()
    while True:
        size, low = divmod(size, 128)
        length.append(low | (128 if size else 0))
        if not size:
            return bytes([first]) + bytes(length) + body


def string(text: str) -> bytes:
    return len(text.encode()).to_bytes(2, "big") + text.encode()


def connack(code: int = 0) -> bytes:
    return packet(0x20, bytes([0, code]))


def suback(number: int, code: int = 0) -> bytes:
    return packet(0x90, number.to_bytes(2, "big") + bytes([code]))


def message(topic: str, payload: bytes, flags: int = 0) -> bytes:
    return packet(0x30 | flags, string(topic) + payload)


def split(data: bytes) -> list[tuple[int, bytes]]:
    """(first byte, body) of each packet; all are whole."""
    found = []
    while data:
        size = shift = 0
        at = 1
        while True:
            size += (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                break
        assert len(data) >= at + size
        found.append((data[0], data[at : at + size]))
        data = data[at + size :]
    return found


def strings(body: bytes) -> list[str]:
    """All that it is made of."""
    found = []
    while body:
        end = 2 + int.from_bytes(body[:2], "big")
        assert len(body) >= end
        found.append(body[2:end].decode())
        body = body[end:]
    return found
