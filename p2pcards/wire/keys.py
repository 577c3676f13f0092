"""Ed25519 public keys as they come from a peer or a file: which ones are admitted, and how a person reads one."""

from base64 import b32encode
from functools import lru_cache
from hashlib import sha256, sha512

from p2pcards.wire.crypto import Ed25519PrivateKey, Ed25519PublicKey, X25519PrivateKey, X25519PublicKey

PrivateKey = Ed25519PrivateKey
"""The key of an identity, for rooms that hold one but compute nothing with it."""

KEY_SIZE = 32

P = 2**255 - 19
"""The prime of the field (RFC 8032, 5.1)."""

Y8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
"""The y of four of the points of order 8; the other four have P - Y8."""

SMALL_ORDER_Y = frozenset({0, 1, P - 1, Y8, P - Y8})


class RefusedKey(ValueError):
    """These bytes are not a public key that a signature can be trusted to; the argument is a sentence."""


def admit(key: bytes) -> Ed25519PublicKey:
    """The public key behind 32 bytes; raises RefusedKey for a wrong length, a spelling that is not canonical and a
    point of small order (under such a key anyone can make valid signatures)."""
    if len(key) != KEY_SIZE:
        raise RefusedKey(f"A public key has {KEY_SIZE} bytes, this one has {len(key)}.")
    y = int.from_bytes(key, "little") & (2**255 - 1)
    if y >= P:
        raise RefusedKey("This public key is not written in its one canonical form.")
    if y in SMALL_ORDER_Y:
        raise RefusedKey("This public key is one of the few that anyone can sign for.")
    return Ed25519PublicKey.from_public_bytes(key)


def public_bytes(private: Ed25519PrivateKey) -> bytes:
    """The 32 bytes of the public key that belongs to `private`."""
    return private.public_key().public_bytes_raw()


def pair_secret(own: PrivateKey, theirs: bytes) -> bytes:
    """The 32 bytes that only these two identities can compute. theirs: public key. Raises RefusedKey."""
    admit(theirs)
    y = int.from_bytes(theirs, "little") & (2**255 - 1)
    u = (1 + y) * pow(1 - y, -1, P) % P
    scalar = sha512(own.private_bytes_raw()).digest()[:32]
    return X25519PrivateKey.from_private_bytes(scalar).exchange(
        X25519PublicKey.from_public_bytes(u.to_bytes(32, "little"))
    )


@lru_cache(4096)
def fingerprint(key: bytes) -> str:
    """80 bits of the key's SHA-256 as `abcd-efgh-ijkl-mnop`, for people to read to each other."""
    text = b32encode(sha256(key).digest()).decode().lower()
    return "-".join(text[i : i + 4] for i in range(0, 16, 4))
