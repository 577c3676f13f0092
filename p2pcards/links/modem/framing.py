"""Line frames on a serial line: where one begins and ends, whether it is whole, and what a modem never sees in it.

    FLAG | stuffed(body | CRC-32, 4 bytes) | FLAG

as in HDLC (RFC 1662). The CRC counts from a seed that belongs to one direction of one call, so that neither a frame of
an older call nor an echo of our own frames is ever taken. A carriage return never occurs inside a frame: after the
carrier is lost nothing of ours can be a command, and text between two carriage returns is the modem's.
"""

import re
from zlib import crc32

FLAG, ESCAPE, FLIP = 0x7E, 0x7D, 0x20
KEPT_OFF = b"\x7e\x7d\r+\x11\x13\x91\x93\x1a\xff"
"""Bytes that never stand in a frame as they are: FLAG and ESCAPE; CR and +, which speak to a modem; XON and XOFF, with
the parity bit too, which speak to flow control; 0x1A, which ends a file in DOS; 0xFF, a command of telnet."""

CRC_SIZE = 4
LONGEST_BODY = 245
LONGEST_WIRE = 2 + 2 * (LONGEST_BODY + CRC_SIZE)

_CR = b"\r"
_PLAIN = re.compile(b"[" + re.escape(KEPT_OFF) + b"]")
_STUFFED = re.compile(rb"\x7d(.?)", re.DOTALL)
_PAIRS = {bytes([byte]): bytes([ESCAPE, byte ^ FLIP]) for byte in KEPT_OFF}
_BACK = {pair[1:]: plain for plain, pair in _PAIRS.items()}
_STRAY = bytes(set(KEPT_OFF) - {ESCAPE, FLAG})


def frame(body: bytes, seed: int) -> bytes:
    """A body of 1 to LONGEST_BODY bytes as it goes on the line."""
    contents = body + crc32(body, seed).to_bytes(CRC_SIZE, "big")
    return b"\x7e" + _PLAIN.sub(lambda found: _PAIRS[found[0]], contents) + b"\x7e"


def unframe(piece: bytes, seed: int) -> bytes | None:
    """The body of what stood between two flags, or None if it did not arrive whole or is not of this seed.

    Bytes that a frame never has are left out first: flow control that puts an XON or XOFF in between does no harm.
    """
    contents = _STUFFED.sub(lambda found: _BACK.get(found[1], b""), piece.translate(None, _STRAY))
    body = contents[:-CRC_SIZE]
    whole = body and crc32(body, seed) == int.from_bytes(contents[-CRC_SIZE:], "big")
    return body if whole else None


class Deframer:
    """Takes whatever comes from the line, in any cuts; keeps no more than LONGEST_WIRE bytes and never raises."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """What may be frames and is complete now, see `unframe`."""
        *ended, self._rest = (self._rest + data).split(b"\x7e")
        if _is_noise(self._rest):
            # However long it goes on, all up to the next flag is.
            self._rest = _CR
        return [piece for piece in ended if piece and not _is_noise(piece)]


def _is_noise(piece: bytes) -> bool:
    return _CR in piece or len(piece) > LONGEST_WIRE
