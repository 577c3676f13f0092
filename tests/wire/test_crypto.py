"""What the program takes of cryptography judges alike wherever it runs: these tests run in a browser's Python too
(`rigs/in_pyodide.py`), against what stands in there. Signatures are made here with arithmetic of our own, as no library
makes those on which libraries do not agree."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from contextlib import nullcontext
from hashlib import sha512
from itertools import count, product
from random import Random

import pytest

from p2pcards.wire.crypto import (
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
from p2pcards.wire.keys import P
from rigs.edwards import BASE, ORDER, SIGN_BIT, ZERO, Point, add, derive, encoded, root, small_order_point, times

SECRET, NONCE = 0xC0FFEE, 0xBEE
"""The numbers behind the key and behind R of the signatures that are made here."""
HONEST = times(SECRET, BASE)
TORSION = small_order_point()


# --- signatures -------------------------------------------------------------------------------------------------------


def little(number: int) -> bytes:
    return number.to_bytes(32, "little")


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(sha512(r + key + message).digest(), "little") % ORDER


def signed(message: bytes, key: Point = HONEST, r: Point | None = None) -> bytes:
    """Signed with SECRET and NONCE, whatever is given out as the key and as R."""
    there = encoded(times(NONCE, BASE) if r is None else r)
    return there + little((NONCE + challenge(there, encoded(key), message) * SECRET) % ORDER)


def message_with(key: Point, holds: Callable[[int], bool]) -> bytes:
    """The first message whose challenge is so."""
    there = encoded(times(NONCE, BASE))
    return next(m for n in count() if holds(challenge(there, encoded(key), m := b"%d" % n)))


def zero_plus(r: bytes) -> bytes:
    """The signature whose R is the point zero in this spelling."""
    return r + little(challenge(r, encoded(HONEST), b"hello") * SECRET % ORDER)


GOOD = signed(b"hello")
MIXED = add(HONEST, TORSION)
LUCKY = message_with(MIXED, lambda k: k % 8 == 0)
UNLUCKY = message_with(MIXED, lambda k: k % 8 != 0)
NO_POINT = next(little(y) for y in count(2) if root(y) is None)
ZERO_KEY = encoded(ZERO)
CASES: dict[str, tuple[bool, bytes, bytes, bytes]] = {
    "honest": (True, encoded(HONEST), GOOD, b"hello"),
    "another message": (False, encoded(HONEST), GOOD, b"hallo"),
    "a bit of R": (False, encoded(HONEST), bytes([GOOD[0] ^ 1]) + GOOD[1:], b"hello"),
    "a bit of s": (False, encoded(HONEST), GOOD[:32] + bytes([GOOD[32] ^ 1]) + GOOD[33:], b"hello"),
    "s and the order": (
        False,
        encoded(HONEST),
        GOOD[:32] + little(int.from_bytes(GOOD[32:], "little") + ORDER),
        b"hello",
    ),
    "s is the order": (False, ZERO_KEY, ZERO_KEY + little(ORDER), b"hello"),
    "all ones": (False, encoded(HONEST), b"\xff" * 64, b"hello"),
    "all zeros": (False, encoded(HONEST), bytes(64), b"hello"),
    "cut": (False, encoded(HONEST), GOOD[:63], b"hello"),
    "longer": (False, encoded(HONEST), GOOD + b"\0", b"hello"),
    "nothing": (False, encoded(HONEST), b"", b"hello"),
    "R of mixed order": (False, encoded(HONEST), signed(b"hello", r=add(times(NONCE, BASE), TORSION)), b"hello"),
    "a key of mixed order": (False, encoded(MIXED), signed(UNLUCKY, MIXED), UNLUCKY),
    "a key of mixed order, where it does not show": (True, encoded(MIXED), signed(LUCKY, MIXED), LUCKY),
    "R is zero": (True, encoded(HONEST), zero_plus(ZERO_KEY), b"hello"),
    "R is zero, written above p": (False, encoded(HONEST), zero_plus(little(P + 1)), b"hello"),
    "R is zero, with a sign": (False, encoded(HONEST), zero_plus(little(1 | SIGN_BIT)), b"hello"),
    "zero signs whatever": (True, ZERO_KEY, ZERO_KEY + bytes(32), b"hello"),
    "zero signs with s = 1": (True, ZERO_KEY, encoded(BASE) + little(1), b"hello"),
    "zero with a sign": (True, little(1 | SIGN_BIT), ZERO_KEY + bytes(32), b"hello"),
    "zero above p": (True, little(P + 1), ZERO_KEY + bytes(32), b"hello"),
    "a key that is no point": (False, NO_POINT, GOOD, b"hello"),
}
"""Whether it holds; key, signature and message. Noble's own `verify` takes both of mixed order that do not hold."""


@pytest.mark.parametrize("case", CASES)
def test_a_signature_holds_or_not(case: str) -> None:
    """As often as it is asked: a key that is met again may be kept in another form."""
    holds, key, signature, message = CASES[case]
    public = Ed25519PublicKey.from_public_bytes(key)
    for _ in range(10):
        with nullcontext() if holds else pytest.raises(InvalidSignature):
            public.verify(signature, message)


def test_no_point_of_small_order_is_overlooked() -> None:
    """With i of the eight in R and j of them in the key, [s]B - [k]A is R where i + jk is a multiple of 8, and only
    there; multiplied by the cofactor both would be equal always."""
    eighths = [times(n, TORSION) for n in range(8)]
    nonce = times(NONCE, BASE)
    held = 0
    for (i, in_r), (j, in_key), message in product(enumerate(eighths), enumerate(eighths), (b"a", b"b", b"c")):
        r, key = add(nonce, in_r), add(HONEST, in_key)
        holds = (i + j * challenge(encoded(r), encoded(key), message)) % 8 == 0
        with nullcontext() if holds else pytest.raises(InvalidSignature):
            Ed25519PublicKey.from_public_bytes(encoded(key)).verify(signed(message, key, r), message)
        held += holds
    assert 8 < held < 96


def test_garbage_is_no_signature() -> None:
    rng = Random(39)
    for _ in range(100):
        with pytest.raises(InvalidSignature):
            Ed25519PublicKey.from_public_bytes(rng.randbytes(32)).verify(rng.randbytes(63) + b"\0", rng.randbytes(20))


def test_signatures_are_those_of_rfc_8032() -> None:
    """Section 7.1, tests 1 and 3."""
    for seed, public, message, signature in (
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ):
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
        assert key.private_bytes_raw().hex() == seed
        assert key.public_key().public_bytes_raw().hex() == public
        assert key.sign(bytes.fromhex(message)).hex() == signature
        key.public_key().verify(bytes.fromhex(signature), bytes.fromhex(message))


def test_keys_are_made_by_chance() -> None:
    for kind in (Ed25519PrivateKey, X25519PrivateKey):
        assert len({kind.generate().private_bytes_raw() for _ in range(3)}) == 3


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_of_another_length_is_refused(size: int) -> None:
    made: list[Callable[[bytes], object]] = [
        Ed25519PrivateKey.from_private_bytes,
        Ed25519PublicKey.from_public_bytes,
        X25519PrivateKey.from_private_bytes,
        X25519PublicKey.from_public_bytes,
        ChaCha20Poly1305,
    ]
    for make in made:
        with pytest.raises(ValueError):
            make(bytes(size))


# --- encryption -------------------------------------------------------------------------------------------------------


def test_two_agree_as_rfc_7748_has_it() -> None:
    """Section 6.1."""
    alice = X25519PrivateKey.from_private_bytes(
        bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    )
    bob = X25519PrivateKey.from_private_bytes(
        bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    )
    public = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
    assert alice.public_key().public_bytes_raw().hex() == public
    secret = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
    assert alice.exchange(bob.public_key()).hex() == secret == bob.exchange(alice.public_key()).hex()


def test_a_point_above_p_is_the_point_below_it() -> None:
    key = X25519PrivateKey.from_private_bytes(bytes(range(32)))
    agreed = [key.exchange(X25519PublicKey.from_public_bytes(little(9 | top))) for top in (0, 1 << 255)]
    assert agreed == [key.public_key().public_bytes_raw()] * 2
    for u in range(2, 2**255 - P):
        below, above = (key.exchange(X25519PublicKey.from_public_bytes(little(one))) for one in (u, P + u))
        assert below == above


def test_a_seal_is_that_of_rfc_8439() -> None:
    """Section 2.8.2."""
    aead = ChaCha20Poly1305(bytes(range(0x80, 0xA0)))
    nonce, associated = bytes.fromhex("070000004041424344454647"), bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
    plain = (
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would "
        b"be it."
    )
    sealed = aead.encrypt(nonce, plain, associated)
    assert sealed.startswith(bytes.fromhex("d31a8d34648e60db7b86afbc53ef7ec2"))
    assert sealed[len(plain) :].hex() == "1ae10b594f09e26a7e902ecbd0600691"
    assert aead.decrypt(nonce, sealed, associated) == plain
    assert aead.decrypt(nonce, aead.encrypt(nonce, b"", b""), None) == b""


def test_what_was_not_sealed_so_is_not_opened() -> None:
    aead = ChaCha20Poly1305(bytes(32))
    nonce = bytes(12)
    sealed = aead.encrypt(nonce, b"hello", b"about")
    wrong = [bytes([*sealed[:n], sealed[n] ^ 128, *sealed[n + 1 :]]) for n in range(len(sealed))]
    for other in [*wrong, sealed[:-1], sealed + b"\0", sealed[:15], b""]:
        with pytest.raises(InvalidTag):
            aead.decrypt(nonce, other, b"about")
    for other_nonce, associated in ((b"\1" + bytes(11), b"about"), (nonce, b"")):
        with pytest.raises(InvalidTag):
            aead.decrypt(other_nonce, sealed, associated)


def test_the_library_of_spoken_codes_derives_as_the_page_says() -> None:
    from spake2.groups import expand_arbitrary_element_seed, expand_password

    assert expand_password(b"7-crossword-clockwork", 48) == derive(b"7-crossword-clockwork", b"SPAKE2 pw")
    assert expand_arbitrary_element_seed(b"M", 48) == derive(b"M", b"SPAKE2 arbitrary element")


# --- the file of a private key ----------------------------------------------------------------------------------------


SEED = bytes(range(32))
DER = bytes.fromhex("302e020100300506032b657004220420") + SEED
FILE = b"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n-----END PRIVATE KEY-----\n"  # fmt: skip # noqa: E501


def file_of(der: bytes, kind: bytes = b"PRIVATE KEY") -> bytes:
    return b"-----BEGIN %b-----\n%b\n-----END %b-----\n" % (kind, b64encode(der), kind)


def test_a_key_is_written_as_it_is_for_good() -> None:
    assert pem_of(Ed25519PrivateKey.from_private_bytes(SEED)) == FILE == file_of(DER)


@pytest.mark.parametrize(
    "file",
    [
        FILE,
        FILE.replace(b"\n", b"\r\n"),
        FILE.rstrip(),
        b"My key:\n" + FILE + b"Keep it.\n",
        FILE.replace(b"EBQY", b"EBQY\n"),
    ],
)
def test_a_key_is_read_however_the_lines_of_its_file_end(file: bytes) -> None:
    assert private_key_in(file).private_bytes_raw() == SEED


@pytest.mark.parametrize(
    "file",
    [
        b"",
        bytes(32),
        FILE[:-40],
        FILE[:60] + FILE[61:],
        FILE.replace(b"M", b"!"),
        FILE.replace(b"END", b"AND"),
        file_of(DER[:-1]),
        file_of(DER + b"\0"),
        file_of(bytes.fromhex("302d020100300506032b65700421041f") + SEED[:31]),
        file_of(DER.replace(b"\x2b\x65\x70", b"\x2b\x65\x6e")),
        file_of(DER, b"PUBLIC KEY"),
        file_of(DER, b"ENCRYPTED PRIVATE KEY"),
        file_of(b"openssh-key-v1\0", b"OPENSSH PRIVATE KEY"),
    ],
)
def test_what_holds_no_such_key_is_refused(file: bytes) -> None:
    with pytest.raises(ValueError):
        private_key_in(file)
