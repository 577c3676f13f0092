"""Frames, signatures and the chain of heads; protocol/records.md."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2pcards.wire.keys import RefusedKey, admit
from p2pcards.wire.refused import Cause, Refused

SIGNATURE = 64
MAX_FRAME = 4094
HEADER_LABEL = b"p2pcards header 1"
ENTRY_LABEL = b"p2pcards entry 1"
FACES_LABEL = b"p2pcards faces 1"
YES_LABEL = b"p2pcards yes 1"
HEAD_LABEL = b"p2pcards head 1"


@dataclass(frozen=True, slots=True)
class Frame:
    """A signed body. Nothing about it has been checked yet but its length."""

    body: bytes
    signature: bytes

    @property
    def size(self) -> int:
        """How many bytes travel."""
        return 2 + len(self.body) + SIGNATURE

    def __bytes__(self) -> bytes:
        """As it travels, length first."""
        size = len(self.body) + SIGNATURE
        return size.to_bytes(2, "big") + self.body + self.signature


def sign(key: Ed25519PrivateKey, label: bytes, context: bytes, body: bytes) -> Frame:
    """context: what the body is bound to, usually a head."""
    return Frame(body, key.sign(label + context + body))


def check_signature(key: bytes, label: bytes, context: bytes, frame: Frame) -> None:
    """Raises Refused unless this key signed the frame in this context."""
    try:
        _admitted(key).verify(frame.signature, label + context + frame.body)
    except (InvalidSignature, RefusedKey) as error:
        raise Refused(Cause.SIGNATURE, "A signature does not fit.") from error


@lru_cache(maxsize=64)
def _admitted(key: bytes) -> Ed25519PublicKey:
    return admit(key)


def next_head(head: bytes, frame: Frame) -> bytes:
    """The head after this frame; head is empty before the header."""
    return sha256(HEAD_LABEL + head + frame.body + frame.signature).digest()


def split_frame(data: bytes, cap: int = MAX_FRAME) -> tuple[Frame, bytes]:
    """The first frame and what follows it. Raises Refused for a length that cannot be."""
    size = int.from_bytes(data[:2], "big")
    if len(data) < 2 or not SIGNATURE < size <= cap:
        raise Refused(Cause.LENGTH, f"A frame cannot have {size} bytes.")
    if len(data) < 2 + size:
        raise Refused(Cause.LENGTH, f"A frame of {size} bytes ends after {len(data) - 2}.")
    body_end = 2 + size - SIGNATURE
    return Frame(data[2:body_end], data[body_end : 2 + size]), data[2 + size :]
