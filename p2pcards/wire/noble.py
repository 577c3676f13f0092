"""Cryptography in a browser: the names of `wire/crypto` over the JavaScript libraries @noble/curves and @noble/ciphers.

Whoever starts Python there has put them into the JavaScript object `noble`: `ed25519`, `x25519`, `chacha20poly1305`.
What comes from a peer is measured here before noble sees it, so that noble throws for one cause only in each place.
"""

from __future__ import annotations

import sys
from base64 import b64decode, b64encode
from functools import cached_property
from hashlib import sha512
from hmac import digest
from types import ModuleType
from typing import Any

from js import BigInt, noble
from pyodide.ffi import JsException, to_js

KEY, SIGNATURE, NONCE, TAG = 32, 64, 12, 16
"""Bytes."""
ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the group of Ed25519 (RFC 8032, 5.1)."""
WORTH_A_TABLE, WINDOW = 8, 6
"""After so many signatures by one key its multiples are put into a table, by so many bits: that takes as long as ten
signatures, and then each takes a third of the time. A game has hundreds of each side, a greeting one."""


class InvalidSignature(Exception):
    """As that of cryptography."""


class InvalidTag(Exception):
    """As that of cryptography."""


def _sized(data: bytes, size: int, what: str) -> bytes:
    """Return the data as bytes. Raises ValueError unless it has this size. what: names it."""
    if len(data) != size:
        raise ValueError(f"{what} has {size} bytes.")
    return bytes(data)


# --- signatures -------------------------------------------------------------------------------------------------------


class Ed25519PublicKey:
    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._verified = 0

    @classmethod
    def from_public_bytes(cls, data: bytes) -> Ed25519PublicKey:
        """The key in 32 bytes. Whether they are a point on the curve is checked when a signature is verified, as in
        OpenSSL."""
        return cls(_sized(data, KEY, "An Ed25519 public key"))

    def public_bytes_raw(self) -> bytes:
        return self._raw

    @cached_property
    def _point(self) -> Any:
        """The point on the curve, read as OpenSSL does (y may be p or more); None if there is none."""
        try:
            return noble.ed25519.Point.fromBytes(to_js(self._raw), True)
        except JsException:
            return None

    def verify(self, signature: bytes, data: bytes) -> None:
        """Raise InvalidSignature unless the signature is valid, judged as OpenSSL does, without the cofactor. noble's
        own `verify` uses the cofactor, so R is computed here and compared."""
        r, s = signature[:KEY], int.from_bytes(signature[KEY:], "little")
        if len(signature) != SIGNATURE or s >= ORDER or self._point is None:
            raise InvalidSignature
        self._verified += 1
        if self._verified == WORTH_A_TABLE:
            self._point.precompute(WINDOW)
        k = int.from_bytes(sha512(r + self._raw + data).digest(), "little") % ORDER
        expected = _times(noble.ed25519.Point.BASE, s).subtract(_times(self._point, k))
        if expected.toBytes().to_bytes() != r:
            raise InvalidSignature


def _times(point: Any, number: int) -> Any:
    """Multiply a point by a public number; not in constant time. A small int would reach JavaScript as a number, not a
    BigInt."""
    return point.multiplyUnsafe(BigInt(hex(number)))


class Ed25519PrivateKey:
    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    @classmethod
    def generate(cls) -> Ed25519PrivateKey:
        return cls(noble.ed25519.utils.randomSecretKey().to_bytes())

    @classmethod
    def from_private_bytes(cls, data: bytes) -> Ed25519PrivateKey:
        return cls(_sized(data, KEY, "An Ed25519 private key"))

    def private_bytes_raw(self) -> bytes:
        return self._seed

    @cached_property
    def _public(self) -> Ed25519PublicKey:
        return Ed25519PublicKey(noble.ed25519.getPublicKey(to_js(self._seed)).to_bytes())

    def public_key(self) -> Ed25519PublicKey:
        return self._public

    def sign(self, data: bytes) -> bytes:
        signature: bytes = noble.ed25519.sign(to_js(data), to_js(self._seed)).to_bytes()
        return signature


# --- the file of a private key ----------------------------------------------------------------------------------------

BEGIN, END = b"-----BEGIN PRIVATE KEY-----", b"-----END PRIVATE KEY-----"
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
"""All of the DER of an Ed25519 key but its last 32 bytes, the key (RFC 8410, 7)."""


def pem_of(key: Ed25519PrivateKey) -> bytes:
    """The PEM file of a private key."""
    return b"\n".join([BEGIN, b64encode(PKCS8 + key.private_bytes_raw()), END, b""])


def private_key_in(pem: bytes) -> Ed25519PrivateKey:
    """The private key in a PEM file. Raises ValueError."""
    _, begun, rest = pem.partition(BEGIN)
    text, ended, _ = rest.partition(END)
    der = b64decode(b"".join(text.split()), validate=True)  # its error is a ValueError
    if not (begun and ended and der.startswith(PKCS8)):
        raise ValueError("This is not the private key of an Ed25519 identity.")
    return Ed25519PrivateKey.from_private_bytes(der[len(PKCS8) :])


# --- encryption -------------------------------------------------------------------------------------------------------


class X25519PublicKey:
    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    @classmethod
    def from_public_bytes(cls, data: bytes) -> X25519PublicKey:
        return cls(_sized(data, KEY, "An X25519 public key"))

    def public_bytes_raw(self) -> bytes:
        return self._raw


class X25519PrivateKey:
    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    @classmethod
    def generate(cls) -> X25519PrivateKey:
        return cls(noble.x25519.utils.randomSecretKey().to_bytes())

    @classmethod
    def from_private_bytes(cls, data: bytes) -> X25519PrivateKey:
        return cls(_sized(data, KEY, "An X25519 private key"))

    def private_bytes_raw(self) -> bytes:
        return self._raw

    def public_key(self) -> X25519PublicKey:
        return X25519PublicKey(noble.x25519.getPublicKey(to_js(self._raw)).to_bytes())

    def exchange(self, peer_public_key: X25519PublicKey) -> bytes:
        theirs = to_js(peer_public_key.public_bytes_raw())
        try:
            secret: bytes = noble.x25519.getSharedSecret(to_js(self._raw), theirs).to_bytes()
        except JsException:
            raise ValueError("The public key is a point of low order.") from None
        return secret


class ChaCha20Poly1305:
    def __init__(self, key: bytes) -> None:
        self._key = to_js(_sized(key, KEY, "A key of ChaCha20-Poly1305"))

    def _cipher(self, nonce: bytes, associated: bytes | None) -> Any:
        return noble.chacha20poly1305(self._key, to_js(_sized(nonce, NONCE, "A nonce")), to_js(associated or b""))

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None) -> bytes:
        sealed: bytes = self._cipher(nonce, associated_data).encrypt(to_js(data)).to_bytes()
        return sealed

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None) -> bytes:
        cipher = self._cipher(nonce, associated_data)
        if len(data) < TAG:
            raise InvalidTag
        try:
            plain: bytes = cipher.decrypt(to_js(data)).to_bytes()
        except JsException:
            raise InvalidTag from None
        return plain


# --- what the library spake2 imports from cryptography ----------------------------------------------------------------


class SHA256:
    """The one hash that spake2 names."""


class HKDF:
    """RFC 5869 with SHA-256; length: bytes, 8160 at most."""

    def __init__(self, algorithm: SHA256, length: int, salt: bytes | None, info: bytes | None) -> None:
        assert isinstance(algorithm, SHA256)
        self._length, self._salt, self._info = length, salt or b"", info or b""

    def derive(self, key_material: bytes) -> bytes:
        root, block, derived = digest(self._salt, key_material, "sha256"), b"", b""
        for number in range(1, -(-self._length // 32) + 1):
            block = digest(root, block + self._info + bytes([number]), "sha256")
            derived += block
        return derived[: self._length]


PLACES: dict[str, dict[str, type]] = {
    "cryptography": {},
    "cryptography.hazmat": {},
    "cryptography.hazmat.primitives": {},
    "cryptography.hazmat.primitives.hashes": {"SHA256": SHA256},
    "cryptography.hazmat.primitives.kdf": {},
    "cryptography.hazmat.primitives.kdf.hkdf": {"HKDF": HKDF},
}
"""By module, from above, what is in it."""


def _put_in_place() -> None:
    """Install these stand-ins under the module names that the library `cryptography` has."""
    for name, what in PLACES.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(what)
        above, _, last = name.rpartition(".")
        if above:
            setattr(sys.modules[above], last, sys.modules[name])


_put_in_place()
