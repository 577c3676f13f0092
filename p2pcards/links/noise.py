"""Noise_XX_25519_ChaChaPoly_SHA256 without I/O (Noise protocol framework, revision 34, sections 5 and 7.5).

-> e                    32 bytes
<- e, ee, s, es         32 + 48 + payload + 16
-> s, se                48 + payload + 16
"""

from collections.abc import Callable
from hashlib import sha256
from hmac import digest

from p2pcards.wire.crypto import ChaCha20Poly1305, InvalidTag, X25519PrivateKey, X25519PublicKey

NAME = b"Noise_XX_25519_ChaChaPoly_SHA256"
KEY_SIZE = 32
TAG_SIZE = 16
LAST_NONCE = 2**64 - 2
"""2**64 - 1 is reserved (section 5.1)."""

MESSAGES = (("e",), ("e", "ee", "s", "es"), ("s", "se"))


class Garbled(Exception):
    """Not what an honest other side sends: altered, cut, out of turn, or with a point of low order."""


class Cipher:
    """One direction of a session: a key and the count of messages under it (CipherState)."""

    def __init__(self, key: bytes) -> None:
        self._aead = ChaCha20Poly1305(key)
        self._count = 0

    def _nonce(self) -> bytes:
        """The nonce of the next message."""
        if self._count > LAST_NONCE:
            raise OverflowError("no nonce is left under this key")
        nonce = bytes(4) + self._count.to_bytes(8, "little")
        self._count += 1
        return nonce

    def seal(self, plain: bytes, associated: bytes = b"") -> bytes:
        """Encrypt the next message."""
        return self._aead.encrypt(self._nonce(), plain, associated)

    def open(self, sealed: bytes, associated: bytes = b"") -> bytes:
        """Decrypt the next message. Raises Garbled."""
        try:
            return self._aead.decrypt(self._nonce(), sealed, associated)
        except InvalidTag:
            raise Garbled("a seal is broken") from None


class Handshake:
    """Our side of one handshake: call `write` and `read` in turn, three times in all, then `split`."""

    def __init__(
        self, *, initiator: bool, prologue: bytes, static: X25519PrivateKey, ephemeral: X25519PrivateKey
    ) -> None:
        self._initiator = initiator
        self._own = {"e": ephemeral, "s": static}
        self._theirs: dict[str, X25519PublicKey] = {}
        self._patterns = iter(MESSAGES)
        self._chaining_key = NAME
        self._cipher: Cipher | None = None
        self.hash = NAME
        """32 bytes that stand for everything said so far; both sides have the same."""
        self._mix_hash(prologue)

    def write(self, payload: Callable[[bytes], bytes]) -> bytes:
        """The next message. `payload` makes its last part from the hash under which that part is sealed."""
        message = b""
        for token in next(self._patterns):
            if token in self._own:
                message += self._seal(self._own[token].public_key().public_bytes_raw())
            else:
                self._agree(token)
        return message + self._seal(payload(self.hash))

    def read(self, message: bytes) -> tuple[bytes, bytes]:
        """Take the other side's next message: (the hash under which its payload was sealed, the payload).

        Raises Garbled, after which this handshake cannot be used any more.
        """
        for token in next(self._patterns):
            if token in self._own:
                size = KEY_SIZE + (TAG_SIZE if self._cipher else 0)
                if len(message) < size:
                    raise Garbled("a message is cut")
                self._theirs[token] = X25519PublicKey.from_public_bytes(self._open(message[:size]))
                message = message[size:]
            else:
                self._agree(token)
        return self.hash, self._open(message)

    def split(self) -> tuple[Cipher, Cipher]:
        """(the cipher to send with, the cipher to receive with)."""
        first, second = (Cipher(key) for key in self._derive(b""))
        return (first, second) if self._initiator else (second, first)

    def _agree(self, token: str) -> None:
        """Mix in the Diffie-Hellman secret of two keys, named initiator's first (`es`: initiator's e, responder's
        s)."""
        initiators, responders = token[0], token[1]
        own, theirs = (initiators, responders) if self._initiator else (responders, initiators)
        try:
            secret = self._own[own].exchange(self._theirs[theirs])
        except ValueError:
            raise Garbled("a key is a point of low order") from None
        self._chaining_key, key = self._derive(secret)
        self._cipher = Cipher(key)

    def _derive(self, secret: bytes) -> tuple[bytes, bytes]:
        """HKDF with two outputs (section 4.3)."""
        root = digest(self._chaining_key, secret, sha256)
        first = digest(root, b"\x01", sha256)
        return first, digest(root, first + b"\x02", sha256)

    def _mix_hash(self, data: bytes) -> None:
        """Mix data into the handshake hash."""
        self.hash = sha256(self.hash + data).digest()

    def _seal(self, plain: bytes) -> bytes:
        """Encrypt a part, once there is a key, and mix it into the hash."""
        sealed = self._cipher.seal(plain, self.hash) if self._cipher else plain
        self._mix_hash(sealed)
        return sealed

    def _open(self, sealed: bytes) -> bytes:
        """Decrypt a part, once there is a key, and mix it into the hash. Raises Garbled."""
        plain = self._cipher.open(sealed, self.hash) if self._cipher else sealed
        self._mix_hash(sealed)
        return plain
