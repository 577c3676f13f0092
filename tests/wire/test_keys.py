"""Public keys: the fourteen encodings of small order, spellings that are not canonical, honest keys, fingerprints."""

import re
from random import Random

import pytest

from p2pcards.wire.crypto import Ed25519PrivateKey, Ed25519PublicKey, InvalidSignature
from p2pcards.wire.keys import SMALL_ORDER_Y, P, RefusedKey, admit, fingerprint, public_bytes
from rigs.edwards import SIGN_BIT, SMALL_ORDER

D = -121665 * pow(121666, -1, P) % P


def on_curve(y: int) -> int | None:
    """An x for this y (RFC 8032, 5.1.3), or None."""
    x2 = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return None if (x * x - x2) % P else x


def double(x: int, y: int) -> tuple[int, int]:
    t = D * x * x * y * y % P
    return 2 * x * y * pow(1 + t, -1, P) % P, (y * y + x * x) * pow(1 - t, -1, P) % P


def test_the_refused_y_are_the_whole_torsion_group() -> None:
    found = set()
    for y in SMALL_ORDER_Y:
        x = on_curve(y)
        assert x is not None
        for point in ((x, y), (-x % P, y)):
            found.add(point)
            assert double(*double(*double(*point))) == (0, 1), (
                "eight times a point of small order is the neutral element"
            )
    assert len(found) == 8


def test_there_are_fourteen_encodings() -> None:
    assert len(set(SMALL_ORDER)) == 14


@pytest.mark.parametrize("key", SMALL_ORDER, ids=bytes.hex)
def test_small_order_is_refused(key: bytes) -> None:
    with pytest.raises(RefusedKey):
        admit(key)


def test_why_it_matters() -> None:
    """Under the neutral element, the library takes a signature that nobody made."""
    neutral = (1).to_bytes(32, "little")
    Ed25519PublicKey.from_public_bytes(neutral).verify(neutral + bytes(32), b"I owe you the game")


@pytest.mark.parametrize("y", range(P, 2**255))
def test_every_other_spelling_is_refused(y: int) -> None:
    for sign in (0, SIGN_BIT):
        with pytest.raises(RefusedKey, match=r"canonical|anyone"):
            admit((y | sign).to_bytes(32, "little"))


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64])
def test_wrong_length_is_refused(size: int) -> None:
    with pytest.raises(RefusedKey, match=f"has {size}"):
        admit(bytes(size))


def test_honest_keys_are_admitted_and_verify() -> None:
    rng = Random(1)
    for _ in range(200):
        private = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
        public = admit(public_bytes(private))
        public.verify(private.sign(b"hello"), b"hello")
        with pytest.raises(InvalidSignature):
            public.verify(private.sign(b"hello"), b"hallo")


def test_fingerprint() -> None:
    rng = Random(2)
    keys = [rng.randbytes(32) for _ in range(100)]
    assert all(re.fullmatch(r"[a-z2-7]{4}(-[a-z2-7]{4}){3}", fingerprint(key)) for key in keys)
    assert len({fingerprint(key) for key in keys}) == 100
    assert fingerprint(bytes(32)) == "mzuh-vlpy-mk6x-o3ep"
