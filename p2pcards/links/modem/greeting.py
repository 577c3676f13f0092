"""HELLO, with which a call begins: each side shows a nonce, and both nonces together seed the frames of this call.

version | role: 1 who called, 2 who answered | nonce, 4 bytes | the other side's nonce, 4 bytes, once it was seen
"""

from dataclasses import dataclass
from zlib import crc32

from p2pcards.links.modem.framing import frame, unframe

VERSION = 1
CALLER, ANSWERER = 1, 2
NONCE_SIZE = 4
HELLO_SEED = crc32(b"p2pcards line")
CALL_LABEL = b"p2pcards line 1"


@dataclass(frozen=True, slots=True)
class LineHello:
    """role: of who sends it. nonce: theirs. seen: that of the other side, or empty."""

    role: int
    nonce: bytes
    seen: bytes = b""
    version: int = VERSION


def write_hello(hello: LineHello) -> bytes:
    """The frame, as it goes on the line."""
    return frame(bytes([hello.version, hello.role]) + hello.nonce + hello.seen, HELLO_SEED)


def read_hello(piece: bytes) -> LineHello | None:
    """The HELLO between two flags, or None for anything else; of another version only that is known."""
    body = unframe(piece, HELLO_SEED)
    if body is None:
        return None
    if body[0] != VERSION:
        return LineHello(0, b"", version=body[0])
    if len(body) not in (2 + NONCE_SIZE, 2 + 2 * NONCE_SIZE) or body[1] not in (CALLER, ANSWERER):
        return None
    return LineHello(body[1], body[2 : 2 + NONCE_SIZE], body[2 + NONCE_SIZE :])


def call_seed(sender: int, caller: bytes, answerer: bytes) -> int:
    """The seed of the frames that the side with this role sends, from both nonces."""
    return crc32(CALL_LABEL + bytes([sender]) + caller + answerer)
