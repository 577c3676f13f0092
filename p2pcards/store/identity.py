"""The key pair that this home is known by."""

import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from p2pcards.store.errors import StoreError, told
from p2pcards.store.files import locked, write_whole
from p2pcards.store.home import Home


def load_or_make_identity(home: Home) -> Ed25519PrivateKey:
    """The identity of this home, made at the first call.

    A file that others may read, or that does not hold an Ed25519 key, is refused and left as it is.
    """
    if (found := _load(home.identity)) is not None:
        return found
    with locked(home.identity):
        if (found := _load(home.identity)) is not None:
            return found
        made = Ed25519PrivateKey.generate()
        write_whole(home.identity, made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return made


def _load(path: Path) -> Ed25519PrivateKey | None:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise told(error, f"Cannot read your identity {path}") from error
    if mode & 0o077:
        raise StoreError(
            f"Other users of this machine may read your identity {path}, so it is not used.",
            f"Try: chmod 600 {path}. If somebody may have copied it, move it aside and a new one is made.",
        )
    try:
        key = load_pem_private_key(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise _refused(path) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise _refused(path)
    return key


def _refused(path: Path) -> StoreError:
    return StoreError(
        f"Your identity {path} is damaged: it does not hold an Ed25519 key.",
        "Restore it from a backup. Or move it aside: a new one is made, and your friends must forget the old one.",
    )
