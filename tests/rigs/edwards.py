"""The group of Ed25519 in its plainest form, to hold what the protocol's pages say against the package in use."""

from __future__ import annotations

from hmac import digest
from itertools import count

from p2pcards.wire.keys import SMALL_ORDER_Y, P

ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]
ZERO: Point = (0, 1)
SIGN_BIT = 2**255
# Every y below 2^255 that means a point of small order, the two above P included; each with either sign bit.
SMALL_ORDER = [(y | sign).to_bytes(32, "little") for y in [*sorted(SMALL_ORDER_Y), P, P + 1] for sign in (0, SIGN_BIT)]


def root(y: int) -> int | None:
    """The even x of the point with this y, if there is one."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    return P - x if x % 2 else x


def add(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P
    return x, (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P


def times(number: int, point: Point) -> Point:
    found = ZERO
    for bit in bin(number)[2:]:
        found = add(found, found)
        if bit == "1":
            found = add(found, point)
    return found


def encoded(point: Point) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def small_order_point() -> Point:
    """One of order 8."""
    y = next(y for y in SMALL_ORDER_Y if y not in (0, 1, P - 1))
    x = root(y)
    assert x is not None and times(8, (x, y)) == ZERO
    return x, y


def derive(secret: bytes, info: bytes, size: int = 48) -> bytes:
    """HKDF with SHA-256 and no salt (RFC 5869). size: 64 bytes at most."""
    root = digest(bytes(32), secret, "sha256")
    first = digest(root, info + b"\1", "sha256")
    return (first + digest(root, first + info + b"\2", "sha256"))[:size]


def arbitrary(seed: bytes) -> Point:
    """A point whose logarithm nobody knows."""
    start = int.from_bytes(derive(seed, b"SPAKE2 arbitrary element"), "big") % P
    for y in count(start):
        if (x := root(y % P)) is not None:
            return times(8, (x, y % P))
    raise AssertionError


_Y = 4 * pow(5, -1, P) % P
_X = root(_Y)
assert _X is not None
BASE: Point = (_X, _Y)
