"""The exchange over a spoken code, on real channels and in pieces."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import memory_stream_pair

from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.link import LinkLost
from p2pcards.links.pairing import CodeRefused, Exchange, code_is_proven, prove_code
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, CodeAnswer, CodeProof, GiveCode, Hello, Ping, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from p2pcards.wire.spoken import Code
from rigs.conformance import ANNA, BEN, close_both
from rigs.giving_up import longest_wait
from rigs.memory import channel_pair

CODE = Code(7, "crossword", "clockwork")
OTHER = Code(7, "crossword", "zebra")
ANNAS, BENS = public_bytes(ANNA), public_bytes(BEN)
HANDSHAKE = 390
LIMIT = 700


async def meet(annas: Code, bens: Code) -> tuple[str, bool]:
    """(what Anna is told, whether Ben lets Anna in)."""
    anna, ben = await channel_pair(ANNA, BEN)
    told: list[str] = []
    taken: list[bool] = []

    async def come() -> None:
        try:
            await prove_code(anna, annas, ANNAS)
        except CodeRefused as refused:
            told.append(str(refused))
        await anna.aclose()

    async def wait() -> None:
        given = decode_message(await ben.receive())
        assert isinstance(given, GiveCode)
        try:
            taken.append(await code_is_proven(ben, given, bens, BENS))
        except LinkLost:
            taken.append(False)
        await ben.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(come)
        nursery.start_soon(wait)
    return "".join(told), taken[0]


async def test_the_same_code_is_proven_to_both() -> None:
    assert await meet(CODE, CODE) == ("", True)


async def test_another_code_is_proven_to_neither() -> None:
    told, taken = await meet(CODE, OTHER)
    assert "shows a different code from the one you gave" in told and not taken


def exchange(opens: bool, code: Code = CODE, binding: bytes = bytes(32), opener: bytes = ANNAS) -> Exchange:
    return Exchange(code, opens=opens, binding=binding, opener=opener, waiter=BENS)


@pytest.mark.parametrize(
    "other",
    [{"binding": bytes(31) + b"\1"}, {"opener": BENS}, {"code": OTHER}, {"code": Code(8, "crossword", "clockwork")}],
    ids=["another handshake", "another key", "another word", "another number"],
)
def test_no_proof_fits_but_that_of_the_same_code_between_the_same_two(other: dict[str, object]) -> None:
    one, two = exchange(True), exchange(False, **other)  # type: ignore[arg-type]
    one.finish(two.share)
    two.finish(one.share)
    assert one.proof and two.proof and not one.fits(two.proof) and not two.fits(one.proof)


def test_a_proof_sent_back_fits_nothing() -> None:
    one, two = exchange(True), exchange(False)
    one.finish(two.share)
    two.finish(one.share)
    assert one.fits(two.proof) and two.fits(one.proof)
    assert not one.fits(one.proof) and not two.fits(two.proof) and not one.fits(b"") and not one.fits(bytes(16))


Q = 2**255 - 19
SMALL = ["0100000000000000000000000000000000000000000000000000000000000000",
         "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
         "0000000000000000000000000000000000000000000000000000000000000000",
         "0000000000000000000000000000000000000000000000000000000000000080",
         "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
         "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"]  # fmt: skip


@pytest.mark.parametrize("share", [bytes.fromhex(text) for text in SMALL] + [b"\xff" * 32, b"\2" + bytes(31)])
def test_a_share_that_is_no_honest_point_leaves_no_proof(share: bytes) -> None:
    for opens in (True, False):
        one = exchange(opens)
        one.finish(share)
        assert one.proof == b"" and not one.fits(b"") and not one.fits(bytes(16))


def test_our_own_share_leaves_no_proof() -> None:
    one = exchange(True)
    one.finish(one.share)
    assert one.proof == b""


@settings(max_examples=20)
@given(st.binary(min_size=32, max_size=32))
def test_no_share_raises_anything_and_none_fits_by_chance(share: bytes) -> None:
    one = exchange(False)
    one.finish(share)
    assert not one.fits(bytes(16))


@pytest.mark.parametrize(
    "answer",
    [
        Ping(1),
        Bye(ByeCode.BURNT_CODE),
        CodeAnswer(bytes(32), bytes(16)),
        b"\xff\xff",
        Hello(VERSION, True, "Mal", "papa"),
    ],
)
async def test_whatever_a_waiter_answers_is_no_success(answer: object) -> None:
    anna, ben = await channel_pair(ANNA, BEN)

    async def wait() -> None:
        await ben.receive()
        await ben.send(answer if isinstance(answer, bytes) else encode_message(answer))  # type: ignore[arg-type]
        with pytest.raises(LinkLost):
            await ben.receive()
        await ben.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        with pytest.raises(CodeRefused):
            await prove_code(anna, CODE, ANNAS)
        await anna.aclose()


@pytest.mark.parametrize("reply", [Ping(1), CodeProof(bytes(16)), b"\xff\xff"])
async def test_whatever_an_opener_replies_is_no_proof(reply: object) -> None:
    anna, ben = await channel_pair(ANNA, BEN)
    share = exchange(True).share
    data = reply if isinstance(reply, bytes) else encode_message(reply)  # type: ignore[arg-type]
    await anna.send(data)
    assert not await code_is_proven(ben, GiveCode(7, share), CODE, BENS)
    assert isinstance(decode_message(await anna.receive()), CodeAnswer)
    await close_both(anna, ben)


async def test_somebody_in_between_carries_nothing_on() -> None:
    """Somebody in between has a channel to each of the two, and passes every message of the exchange on."""
    middle = Ed25519PrivateKey.generate()
    to_anna, annas = await _pair(middle, ANNA)
    to_ben, bens = await _pair(middle, BEN)
    outcome: list[bool] = []

    async def carry(source: Channel, sink: Channel) -> None:
        try:
            while True:
                await sink.send(await source.receive())
        except LinkLost:
            await sink.aclose()

    async def wait() -> None:
        given = decode_message(await bens.receive())
        assert isinstance(given, GiveCode)
        try:
            outcome.append(await code_is_proven(bens, given, CODE, BENS))
        except LinkLost:
            outcome.append(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(carry, to_anna, to_ben)
        nursery.start_soon(carry, to_ben, to_anna)
        nursery.start_soon(wait)
        with pytest.raises(CodeRefused, match="someone may be in between"):
            await prove_code(annas, CODE, ANNAS)
        await annas.aclose()
    assert outcome == [False]
    for channel in (to_anna, to_ben, bens):
        await channel.aclose()


async def _pair(one: Ed25519PrivateKey, other: Ed25519PrivateKey) -> tuple[Channel, Channel]:
    return await channel_pair(one, other)


class Recording(trio.abc.Stream):
    """A stream that counts what is sent on it."""

    def __init__(self, stream: trio.abc.Stream, counted: Callable[[int], None]) -> None:
        self._stream = stream
        self._counted = counted

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._counted(len(data))
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self._stream.aclose()


async def test_first_contact_with_a_code_stays_below_700_bytes() -> None:
    """Handshake, code and both hellos, names as long as they may be."""
    sizes: list[int] = []
    annas, bens = [Recording(stream, sizes.append) for stream in memory_stream_pair()]
    hellos = [encode_message(Hello(VERSION, coordinates, "N" * 24, "granny")) for coordinates in (True, False)]

    async def come() -> None:
        channel = await open_channel(annas, initiator=True, identity=ANNA, where="there", deadline=longest_wait())
        await prove_code(channel, CODE, ANNAS)
        await channel.send(hellos[0])
        assert await channel.receive() == hellos[1]
        await channel.aclose()

    async def wait() -> None:
        channel = await open_channel(bens, initiator=False, identity=BEN, where="here", deadline=longest_wait())
        given = decode_message(await channel.receive())
        assert isinstance(given, GiveCode) and await code_is_proven(channel, given, CODE, BENS)
        assert await channel.receive() == hellos[0]
        await channel.send(hellos[1])
        with pytest.raises(LinkLost):
            await channel.receive()
        await channel.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(come)
        nursery.start_soon(wait)
    assert sum(sizes[:3]) == HANDSHAKE and sum(sizes[3:6]) == 165
    assert sum(sizes) <= LIMIT
