"""The one way to cryptography: what the program uses of it, under the names of the library `cryptography`.

Both kinds of private key have generate(), from_private_bytes(32 bytes), private_bytes_raw() and public_key(); public
keys have from_public_bytes(32 bytes) and public_bytes_raw(). Of Ed25519 there are sign(message), which gives 64 bytes,
and verify(signature, message), which raises InvalidSignature; of X25519 exchange(public key), which gives 32 bytes; of
ChaCha20Poly1305(32 bytes) encrypt(nonce of 12 bytes, plain, associated) and decrypt(nonce, sealed, associated), which
raises InvalidTag.

A length that cannot be is a ValueError, and so is an `exchange` with a point of low order. A signature holds as
OpenSSL sees it: s is below the order of the group, and R is, byte for byte, the encoding of [s]B - [k]A (RFC 8032,
5.1.7, without the cofactor). Of two programs that judge otherwise, one could be sent what the other refuses.

In a browser there is no OpenSSL, and `wire/noble` stands in. The library spake2 imports HKDF by itself: natively from
`cryptography`, in a browser from what `wire/noble` puts there.
"""

from __future__ import annotations

import sys
from typing import Any

if sys.platform == "emscripten":
    from p2pcards.wire.noble import (
        ChaCha20Poly1305,
        Ed25519PrivateKey,
        Ed25519PublicKey,
        InvalidSignature,
        InvalidTag,
        X25519PrivateKey,
        X25519PublicKey,
        pem_of,
        private_key_in,
    )
else:
    from cryptography.exceptions import InternalError, InvalidSignature, InvalidTag, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    # What reads and writes files of keys takes a tenth of a second to import, and few commands need it.

    def pem_of(key: Ed25519PrivateKey) -> bytes:
        """The file of a private key: PKCS #8 in PEM, not encrypted (RFC 8410, 7)."""
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def private_key_in(pem: bytes) -> Ed25519PrivateKey:
        """The Ed25519 key in such a file. Raises ValueError for anything else, an encrypted one included."""
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            key = load_pem_private_key(pem, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm, InternalError) as error:  # the last for a key too short
            raise ValueError("This is not a private key.") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError("This is a private key of another kind.")
        return key

    def session_certificate(begins: Any, ends: Any) -> tuple[str, str]:
        """A new key and a certificate that it signs for itself, as (certificate, key) in PEM: DTLS demands one, and
        nobody trusts it. begins, ends: datetimes."""
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        key = generate_private_key(SECP256R1())
        # As browsers name theirs: whoever watches the line can read it.
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "WebRTC")])
        unsigned = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), begins, ends)
        certificate = unsigned.sign(key, SHA256()).public_bytes(Encoding.PEM)
        return certificate.decode(), key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


__all__ = [
    "ChaCha20Poly1305",
    "Ed25519PrivateKey",
    "Ed25519PublicKey",
    "InvalidSignature",
    "InvalidTag",
    "X25519PrivateKey",
    "X25519PublicKey",
    "pem_of",
    "private_key_in",
]
