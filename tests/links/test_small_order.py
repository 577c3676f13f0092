"""Keys of small order in the handshake, every one of them in every place: points that make a shared secret known to
everybody, and identities that anybody can sign for."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from p2pcards.links.channel import ANSWER, HELLO, INITIATOR, LABEL, PROLOGUE, RESPONDER, NotOurs, open_channel
from p2pcards.links.noise import Handshake
from p2pcards.wire.crypto import X25519PrivateKey, X25519PublicKey
from p2pcards.wire.keys import public_bytes
from rigs.conformance import ANNA, BEN
from rigs.edwards import SMALL_ORDER
from rigs.middle import frame

P = 2**255 - 19
ORDER_8 = (
    0x00B8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
    0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
)
"""The two points of order 8 on Curve25519 that a u below p means, as RFC 7748 counts it."""
POINTS = [
    (u | top).to_bytes(32, "little") for u in (0, 1, *ORDER_8, P - 1, P, P + 1) for top in (0, 2**255)
]  # the highest bit is not looked at


@pytest.mark.parametrize("point", POINTS, ids=bytes.hex)
def test_these_points_are_of_small_order(point: bytes) -> None:
    with pytest.raises(ValueError):
        X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(point))


@pytest.mark.parametrize("point", POINTS, ids=bytes.hex)
async def test_a_point_of_small_order_is_refused_in_both_roles(point: bytes, autojump_clock: MockClock) -> None:
    ours, theirs = memory_stream_pair()
    await theirs.send_all(HELLO.to_bytes(2, "big") + point)
    with pytest.raises(NotOurs):
        await open_channel(ours, initiator=False, identity=ANNA, where="there", deadline=5)

    ours, theirs = memory_stream_pair()
    await theirs.send_all(ANSWER.to_bytes(2, "big") + point + bytes(ANSWER - 32))
    with pytest.raises(NotOurs):
        await open_channel(ours, initiator=True, identity=ANNA, where="there", deadline=5)


def handshake(initiator: bool) -> Handshake:
    return Handshake(
        initiator=initiator,
        prologue=PROLOGUE,
        static=X25519PrivateKey.generate(),
        ephemeral=X25519PrivateKey.generate(),
    )


async def say(stream: trio.abc.Stream, message: bytes) -> None:
    await stream.send_all(len(message).to_bytes(2, "big") + message)


@pytest.mark.parametrize("key", SMALL_ORDER, ids=bytes.hex)
@pytest.mark.parametrize("initiator", [True, False])
async def test_an_identity_of_small_order_is_refused(initiator: bool, key: bytes, autojump_clock: MockClock) -> None:
    """With a signature that is good under the neutral element, and none under the others; the key decides already."""
    ours, theirs = memory_stream_pair()
    other = handshake(not initiator)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(greet, theirs, other, not initiator, lambda _: key + key + bytes(32))
        with pytest.raises(NotOurs):
            await open_channel(ours, initiator=initiator, identity=BEN, where="there", deadline=5)


class KnownToAll:
    """A static key whose public part is of small order: every secret that it agrees on is zero."""

    def __init__(self, point: bytes) -> None:
        self.point = point

    def public_key(self) -> KnownToAll:
        return self

    def public_bytes_raw(self) -> bytes:
        return self.point

    def exchange(self, _: object) -> bytes:
        return bytes(32)


@pytest.mark.parametrize("point", POINTS, ids=bytes.hex)
@pytest.mark.parametrize("initiator", [True, False])
async def test_a_static_key_of_small_order_is_refused(initiator: bool, point: bytes, autojump_clock: MockClock) -> None:
    """It is sealed with what both sides know by then, so everything else about it is right."""
    ours, theirs = memory_stream_pair()
    other = handshake(not initiator)
    other._own["s"] = cast(X25519PrivateKey, KnownToAll(point))
    async with trio.open_nursery() as nursery:
        role = RESPONDER if initiator else INITIATOR
        nursery.start_soon(
            greet, theirs, other, not initiator, lambda under: public_bytes(ANNA) + ANNA.sign(LABEL + role + under)
        )
        with pytest.raises(NotOurs):
            await open_channel(ours, initiator=initiator, identity=BEN, where="there", deadline=5)


async def greet(stream: trio.abc.Stream, other: Handshake, initiator: bool, proof: Callable[[bytes], bytes]) -> None:
    """The other side's part of the handshake."""
    if initiator:
        await say(stream, other.write(lambda _: b""))
    other.read((await frame(stream))[2:])
    await say(stream, other.write(proof))
