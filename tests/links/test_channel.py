"""The channel: against an independent Noise, against every altered byte and every cut, and in use."""

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest
import trio
from noise.connection import Keypair, NoiseConnection
from trio.testing import MockClock, memory_stream_pair

from p2pcards.links.channel import (
    ANSWER,
    HELLO,
    INITIATOR,
    LABEL,
    PROLOGUE,
    PROOF,
    RESPONDER,
    Channel,
    ChannelRefused,
    CutOff,
    NotOurs,
    Ourselves,
    TooSlow,
    WrongKey,
    open_channel,
)
from p2pcards.links.link import LinkLost, StreamFailed
from p2pcards.links.noise import LAST_NONCE, Cipher, Garbled, Handshake
from p2pcards.wire.crypto import Ed25519PrivateKey, Ed25519PublicKey, X25519PrivateKey
from p2pcards.wire.keys import fingerprint, public_bytes
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait
from rigs.in_part import naming
from rigs.memory import channel_pair
from rigs.middle import exactly, frame, greet, open_through_the_middle

UP = 2 + HELLO + 2 + PROOF
DOWN = 2 + ANSWER
SEALED = 112
"""Bytes of a sealed identity payload."""


class Independent:
    """One side of the handshake done by the noiseprotocol package."""

    def __init__(self, stream: trio.abc.Stream, identity: Ed25519PrivateKey, initiator: bool) -> None:
        self.stream = stream
        self.noise = NoiseConnection.from_name(b"Noise_XX_25519_ChaChaPoly_SHA256")
        self.noise.set_prologue(PROLOGUE)
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, X25519PrivateKey.generate().private_bytes_raw())
        (self.noise.set_as_initiator if initiator else self.noise.set_as_responder)()
        self.noise.start_handshake()
        own, theirs = (INITIATOR, RESPONDER) if initiator else (RESPONDER, INITIATOR)
        state: Any = self.noise.noise_protocol.handshake_state.symmetric_state
        seal: Callable[[bytes], bytes] = state.encrypt_and_hash
        unseal: Callable[[bytes], bytes] = state.decrypt_and_hash

        def seal_proof(plain: bytes) -> bytes:
            if plain == b"proof":
                plain = public_bytes(identity) + identity.sign(LABEL + own + state.get_handshake_hash())
            return seal(plain)

        def unseal_proof(sealed: bytes) -> bytes:
            under = state.get_handshake_hash()
            plain = unseal(sealed)
            if len(sealed) == SEALED:
                self.peer = plain[:32]
                Ed25519PublicKey.from_public_bytes(self.peer).verify(plain[32:], LABEL + theirs + under)
            return plain

        state.encrypt_and_hash = seal_proof
        state.decrypt_and_hash = unseal_proof
        self.peer = b""

    async def write(self, payload: bytes = b"") -> None:
        await self.put(bytes(self.noise.write_message(payload)))

    async def read(self) -> None:
        self.noise.read_message(await self.get())

    async def put(self, body: bytes) -> None:
        await self.stream.send_all(len(body).to_bytes(2, "big") + body)

    async def get(self) -> bytes:
        return await exactly(self.stream, int.from_bytes(await exactly(self.stream, 2), "big"))


@pytest.mark.parametrize("initiator", [True, False])
async def test_an_independent_noise_understands_us(initiator: bool) -> None:
    for _ in range(100):  # 200 sessions in both roles
        ours, theirs = memory_stream_pair()
        other = Independent(theirs, BEN, not initiator)
        channels: list[Channel] = []

        async def open_ours(stream: trio.abc.Stream = ours, into: list[Channel] = channels) -> None:
            into.append(
                await open_channel(
                    stream,
                    initiator=initiator,
                    identity=ANNA,
                    pin=public_bytes(BEN),
                    where="there",
                    deadline=longest_wait(),
                )
            )

        async with trio.open_nursery() as nursery:
            nursery.start_soon(open_ours)
            if initiator:
                await other.read()
                await other.write(b"proof")
                await other.read()
            else:
                await other.write()
                await other.read()
                await other.write(b"proof")
        (channel,) = channels
        assert other.peer == public_bytes(ANNA)
        assert channel.peer == public_bytes(BEN)
        assert channel.binding == other.noise.get_handshake_hash()
        for number in range(5):
            await channel.send(b"from us %d" % number)
            assert other.noise.decrypt(await other.get()) == b"from us %d" % number
            await other.put(other.noise.encrypt(b"from them %d" % number))
            assert await channel.receive() == b"from them %d" % number
        await theirs.aclose()
        await channel.aclose()


async def test_the_handshake_has_390_bytes_and_both_sides_agree() -> None:
    counted = []

    def count(_: int, data: bytes) -> bytes:
        counted.append(len(data))
        return data

    anna, ben, _ = await greet(count, count)
    assert sum(counted) == UP + DOWN == 390
    assert isinstance(anna, Channel)
    assert isinstance(ben, Channel)
    assert (anna.peer, ben.peer) == (public_bytes(BEN), public_bytes(ANNA))
    assert anna.binding == ben.binding


async def test_no_two_sessions_are_alike() -> None:
    """Neither what is said nor what it is bound to comes twice."""
    heard: list[bytes] = []
    bindings = set()

    def listen(_: int, data: bytes) -> bytes:
        heard.append(data)
        return data

    for _ in range(5):
        one, _, _ = await greet(upward=listen)
        assert isinstance(one, Channel)
        bindings.add(one.binding)
    assert len(set(heard)) == len(heard) == 10
    assert len(bindings) == 5


def flip(offset: int, bit: int) -> Callable[[int, bytes], bytes]:
    def change(before: int, data: bytes) -> bytes:
        if before <= offset < before + len(data):
            changed = bytearray(data)
            changed[offset - before] ^= 1 << bit
            return bytes(changed)
        return data

    return change


async def check_flip(offset: int, bit: int) -> None:
    """One flipped bit of the 390, those to Ben first: who reads it refuses at once, the other sees the end."""
    if offset < UP:
        anna, ben, took = await greet(upward=flip(offset, bit))
    else:
        anna, ben, took = await greet(downward=flip(offset - UP, bit))
    assert took == 0
    if offset < 2:  # Ben refuses the length and hangs up.
        assert isinstance(ben, NotOurs)
        assert isinstance(anna, CutOff)
    elif offset < 2 + HELLO or offset >= UP:
        assert isinstance(anna, NotOurs)
        assert isinstance(ben, CutOff)
    else:
        assert isinstance(ben, NotOurs)
        assert isinstance(anna, Channel)
        with pytest.raises(LinkLost):
            await anna.receive()
        await anna.aclose()


async def test_every_altered_byte_is_refused(autojump_clock: MockClock) -> None:
    for offset in range(UP + DOWN):
        with naming(offset):
            await check_flip(offset, bit=offset % 8)


@pytest.mark.slow
async def test_every_altered_bit_is_refused(autojump_clock: MockClock) -> None:
    for offset, bit in product(range(UP + DOWN), range(8)):
        with naming((offset, bit)):
            await check_flip(offset, bit)


def stop_after(size: int, then: bytes | None) -> Callable[[int, bytes], bytes | None]:
    """Pass on `size` bytes; then cut (None) or stall (b"")."""

    def change(before: int, data: bytes) -> bytes | None:
        rest = data[: max(0, size - before)]
        return rest if rest or before + len(data) <= size else then

    return change


async def test_every_stall_ends_at_the_deadline(autojump_clock: MockClock) -> None:
    for size in range(UP + DOWN):
        with naming(size):
            await check_stall(size)


async def check_stall(size: int) -> None:
    """After `size` bytes in one direction nothing more comes, though the connection stands."""
    if size < UP:
        anna, ben, took = await greet(upward=stop_after(size, b""), deadline=7)
        assert isinstance(ben, TooSlow)
        assert isinstance(anna, TooSlow if size < 2 + HELLO else Channel)
    else:
        anna, ben, took = await greet(downward=stop_after(size - UP, b""), deadline=7)
        assert isinstance(anna, TooSlow)
        # Both give up at the same moment; whether Ben sees Anna go first is chance.
        assert isinstance(ben, TooSlow | CutOff)
    assert took == 7
    if isinstance(anna, Channel):
        with pytest.raises(LinkLost):
            await anna.receive()
        await anna.aclose()


async def test_every_cut_is_noticed_at_once(autojump_clock: MockClock) -> None:
    for size in range(UP + DOWN):
        with naming(size):
            await check_cut(size)


async def check_cut(size: int) -> None:
    """One side says the first `size` bytes of its part, truly, and hangs up."""
    stream, other = memory_stream_pair()
    initiator = size < UP
    theirs = Handshake(
        initiator=initiator,
        prologue=PROLOGUE,
        static=X25519PrivateKey.generate(),
        ephemeral=X25519PrivateKey.generate(),
    )
    own = INITIATOR if initiator else RESPONDER

    def proof(under: bytes) -> bytes:
        return public_bytes(ANNA) + ANNA.sign(LABEL + own + under)

    async def say() -> None:
        left = size if initiator else size - UP
        for turn in range(2):
            if initiator:
                message = theirs.write(proof if turn else lambda _: b"")
            else:
                theirs.read((await frame(other))[2:])
                message = theirs.write(proof)
            part = (len(message).to_bytes(2, "big") + message)[:left]
            left -= len(part)
            await other.send_all(part)
            if not left:
                break
            if initiator:
                theirs.read((await frame(other))[2:])
        await other.aclose()

    started = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(say)
        with pytest.raises(CutOff, match="hung up"):
            await open_channel(stream, initiator=not initiator, identity=BEN, where="there", deadline=7)
    assert trio.current_time() == started


async def test_a_refused_or_cancelled_handshake_closes_the_stream(autojump_clock: MockClock) -> None:
    ours, theirs = memory_stream_pair()
    with trio.move_on_after(1) as scope:
        await open_channel(ours, initiator=False, identity=ANNA, where="there", deadline=5)
    assert scope.cancelled_caught
    assert await theirs.receive_some() == b""


async def test_an_http_server_is_not_ours(autojump_clock: MockClock) -> None:
    ours, theirs = memory_stream_pair()
    await theirs.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    with pytest.raises(NotOurs, match=r"192\.0\.2\.7:80 doesn't speak"):
        await open_channel(ours, initiator=True, identity=ANNA, where="tcp 192.0.2.7:80", deadline=5)


async def test_a_stream_that_knows_why_it_broke_is_quoted() -> None:
    class Broken(trio.abc.Stream):
        async def send_all(self, data: bytes | bytearray | memoryview) -> None:
            raise StreamFailed("The modem hung up: BUSY.")

        async def wait_send_all_might_not_block(self) -> None: ...

        async def receive_some(self, max_bytes: int | None = None) -> bytes:
            raise StreamFailed("The modem hung up: NO CARRIER.")

        async def aclose(self) -> None: ...

    with pytest.raises(CutOff, match="BUSY"):
        await open_channel(Broken(), initiator=True, identity=ANNA, where="there", deadline=5)
    with pytest.raises(CutOff, match="NO CARRIER"):
        await open_channel(Broken(), initiator=False, identity=ANNA, where="there", deadline=5)


async def both(
    anna: Ed25519PrivateKey, ben: Ed25519PrivateKey, pin_of_anna: bytes | None, pin_of_ben: bytes | None
) -> tuple[Channel | ChannelRefused, Channel | ChannelRefused]:
    """What each gets; `pin_of_anna` is what Anna expects."""
    streams = memory_stream_pair()
    got: dict[int, Channel | ChannelRefused] = {}

    async def one(i: int, identity: Ed25519PrivateKey, pin: bytes | None) -> None:
        try:
            got[i] = await open_channel(
                streams[i], initiator=i == 0, identity=identity, pin=pin, where="tcp 192.0.2.7:4747", deadline=5
            )
        except ChannelRefused as refused:
            got[i] = refused

    async with trio.open_nursery() as nursery:
        nursery.start_soon(one, 0, anna, pin_of_anna)
        nursery.start_soon(one, 1, ben, pin_of_ben)
    return got[0], got[1]


async def test_the_pinned_key_is_taken_and_another_is_not(autojump_clock: MockClock) -> None:
    key_a, key_b, other = public_bytes(ANNA), public_bytes(BEN), bytes(31) + b"\x01"
    a, b = await both(ANNA, BEN, key_b, key_a)
    assert isinstance(a, Channel)
    assert isinstance(b, Channel)

    a, b = await both(ANNA, BEN, other, key_a)
    assert isinstance(a, WrongKey)
    assert (a.seen, a.pin) == (key_b, other)
    assert fingerprint(key_b) in str(a)
    assert "peers forget" in str(a)
    assert isinstance(b, CutOff), "a caller who refuses the listener does not tell it who they are"

    a, b = await both(ANNA, BEN, key_b, other)
    assert isinstance(b, WrongKey)
    assert b.seen == key_a
    assert isinstance(a, Channel)
    with pytest.raises(LinkLost):
        await a.receive()


async def test_dialling_oneself(autojump_clock: MockClock) -> None:
    a, _ = await both(ANNA, ANNA, None, None)
    assert isinstance(a, Ourselves)
    assert "called yourself" in str(a)


LOW_ORDER = [bytes(32), b"\x01" + bytes(31), (2**255 - 20).to_bytes(32, "little")]


@pytest.mark.parametrize("point", LOW_ORDER, ids=bytes.hex)
async def test_a_point_of_low_order_is_refused(point: bytes, autojump_clock: MockClock) -> None:
    ours, theirs = memory_stream_pair()
    await theirs.send_all(b"\x00\x20" + point)
    with pytest.raises(NotOurs):
        await open_channel(ours, initiator=False, identity=ANNA, where="there", deadline=5)

    ours, theirs = memory_stream_pair()
    await theirs.send_all(ANSWER.to_bytes(2, "big") + point + bytes(ANSWER - 32))
    with pytest.raises(NotOurs):
        await open_channel(ours, initiator=True, identity=ANNA, where="there", deadline=5)


@pytest.mark.parametrize(
    "forge",
    [
        lambda under: public_bytes(BEN) + ANNA.sign(LABEL + RESPONDER + under),
        lambda under: public_bytes(BEN) + BEN.sign(LABEL + INITIATOR + under),
        lambda under: public_bytes(BEN) + BEN.sign(LABEL + RESPONDER + bytes(32)),
        lambda under: (1).to_bytes(32, "little") + (1).to_bytes(32, "little") + bytes(32),
    ],
    ids=["another's key", "another role", "another session", "a key that anyone can sign for"],
)
async def test_a_forged_identity_is_refused(forge: Callable[[bytes], bytes], autojump_clock: MockClock) -> None:
    ours, theirs = memory_stream_pair()
    handshake = Handshake(
        initiator=False, prologue=PROLOGUE, static=X25519PrivateKey.generate(), ephemeral=X25519PrivateKey.generate()
    )

    async def answer() -> None:
        handshake.read((await frame(theirs))[2:])
        message = handshake.write(forge)
        await theirs.send_all(len(message).to_bytes(2, "big") + message)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        with pytest.raises(NotOurs):
            await open_channel(ours, initiator=True, identity=ANNA, where="there", deadline=5)


def test_a_cipher_ends_before_its_counter_does() -> None:
    cipher = Cipher(bytes(32))
    cipher._count = LAST_NONCE
    cipher.seal(b"the last one")
    with pytest.raises(OverflowError):
        cipher.seal(b"one too many")


def test_a_short_message_is_garbled() -> None:
    handshake = Handshake(
        initiator=False, prologue=PROLOGUE, static=X25519PrivateKey.generate(), ephemeral=X25519PrivateKey.generate()
    )
    with pytest.raises(Garbled):
        handshake.read(bytes(31))


async def refused(channel: Channel, sentence: str) -> None:
    """The channel ends, says so for ever after, and cannot be sent on either."""
    for _ in range(2):
        with pytest.raises(LinkLost, match=sentence):
            await channel.receive()
    with pytest.raises(LinkLost):
        await channel.send(b"x")


async def test_every_altered_byte_of_a_message_ends_the_link(autojump_clock: MockClock) -> None:
    size = len(b"hello") + 18
    for offset in range(size):
        async with open_through_the_middle() as (a, b, from_a, to_b):
            await a.send(b"hello")
            changed = bytearray(await frame(from_a))
            assert len(changed) == size
            changed[offset] ^= 1 << offset % 8
            await to_b.send_all(changed)
            await to_b.send_all(bytes(4096))
            await refused(b, "was altered, repeated or lost")


async def test_a_replayed_message_ends_the_link(autojump_clock: MockClock) -> None:
    async with open_through_the_middle() as (a, b, from_a, to_b):
        await a.send(b"hello")
        hello = await frame(from_a)
        await to_b.send_all(hello + hello)
        assert await b.receive() == b"hello"
        await refused(b, "was altered, repeated or lost")


@pytest.mark.parametrize("order", [(1, 0), (1,), (0, 2), (0, 0)])
async def test_messages_out_of_order_or_left_out_end_the_link(order: tuple[int, ...]) -> None:
    async with open_through_the_middle() as (a, b, from_a, to_b):
        for number in range(3):
            await a.send(b"%d" % number)
        frames = [await frame(from_a) for _ in range(3)]
        await to_b.send_all(b"".join(frames[number] for number in order))
        if order[0] == 0:
            assert await b.receive() == b"0"
        await refused(b, "was altered, repeated or lost")


async def test_a_message_sent_back_to_its_sender_ends_the_link() -> None:
    async with open_through_the_middle() as (a, _, from_a, _):
        await a.send(b"hello")
        await from_a.send_all(await frame(from_a))
        await refused(a, "was altered, repeated or lost")


async def test_a_cut_message_and_a_clean_end_are_told_apart() -> None:
    async with open_through_the_middle() as (a, b, from_a, to_b):
        await a.send(b"hello")
        hello = await frame(from_a)
        await to_b.send_all(hello + hello[:-1])
        await to_b.aclose()
        assert await b.receive() == b"hello"
        with pytest.raises(LinkLost, match="cut in the middle"):
            await b.receive()
    async with open_through_the_middle() as (a, b, from_a, to_b):
        await to_b.aclose()
        with pytest.raises(LinkLost, match="closed the connection"):
            await b.receive()


@pytest.mark.parametrize("size", [0, 1, 16, 4096 + 17, 65535])
async def test_an_impossible_length_is_refused_before_the_rest_comes(size: int) -> None:
    async with open_through_the_middle() as (_, b, _, to_b):
        await to_b.send_all(size.to_bytes(2, "big"))
        await refused(b, f"a length of {size & 0x7FFF}, not 17 to 4112")


async def test_a_byte_at_a_time() -> None:
    rng = Random(3)
    async with open_through_the_middle() as (a, b, from_a, to_b), trio.open_nursery() as nursery:
        message = rng.randbytes(300)
        await a.send(message)
        sent = await frame(from_a)

        async def dribble() -> None:
            for i in range(len(sent)):
                await to_b.send_all(sent[i : i + 1])

        nursery.start_soon(dribble)
        assert await b.receive() == message


async def test_the_channel_after_many_messages() -> None:
    a, b = await channel_pair(ANNA, BEN)
    for number in range(1000):
        await a.send(b"%d" % number)
        assert await b.receive() == b"%d" % number


async def test_one_deadline_for_the_whole_handshake(autojump_clock: MockClock) -> None:
    """Someone who says a byte now and then gets no more time for it."""
    ours, theirs = memory_stream_pair()

    async def dribble() -> None:
        for byte in b"\x00\x20" + bytes(32):
            await theirs.send_all(bytes([byte]))
            await trio.sleep(1.5)

    started = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(dribble)
        with pytest.raises(TooSlow, match="within 7 s"):
            await open_channel(ours, initiator=False, identity=ANNA, where="there", deadline=7)
        assert trio.current_time() - started == 7
        nursery.cancel_scope.cancel()
