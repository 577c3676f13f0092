"""A message that travels over a slow line in pieces."""

from __future__ import annotations

from random import Random

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from p2pcards.links.link import LinkLost
from rigs.conformance import ANNA, BEN
from rigs.memory import channel_pair
from rigs.middle import SlowLine, frame, open_through_the_middle


def sent_size(size: int) -> int:
    """Bytes on the line of a message, each piece with 18 of its own."""
    return size + 18 * -(-size // 494)


@given(st.integers(1, 4096))
def test_any_message_arrives_whole(size: int) -> None:
    message = Random(size).randbytes(size)

    async def check() -> None:
        a, b = await channel_pair(ANNA, BEN, SlowLine())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(a.send, message)
            assert await b.receive() == message

    trio.run(check)


@pytest.mark.parametrize(
    ("size", "frames"), [(494, [512]), (495, [512, 19]), (988, [512, 512]), (1600, [512] * 3 + [136])]
)
async def test_no_frame_has_more_than_512_bytes(size: int, frames: list[int]) -> None:
    async with open_through_the_middle(SlowLine()) as (a, b, from_a, to_b):
        await a.send(bytes(size))
        pieces = [await frame(from_a) for _ in frames]
        assert [len(piece) for piece in pieces] == frames
        assert sum(frames) == sent_size(size)
        assert [piece[0] >> 7 for piece in pieces] == [1] * (len(frames) - 1) + [0]
        for piece in pieces:
            await to_b.send_all(piece)
        assert await b.receive() == bytes(size)


async def test_elsewhere_a_message_is_one_frame() -> None:
    async with open_through_the_middle() as (a, _, from_a, _):
        await a.send(bytes(4096))
        assert len(await frame(from_a)) == 4096 + 18


@pytest.mark.parametrize("piece", [0, 1])
async def test_a_piece_that_is_marked_otherwise_ends_the_link(piece: int, autojump_clock: MockClock) -> None:
    async with open_through_the_middle(SlowLine()) as (a, b, from_a, to_b):
        await a.send(bytes(600))
        pieces = [bytearray(await frame(from_a)) for _ in range(2)]
        pieces[piece][0] ^= 0x80
        await to_b.send_all(b"".join(pieces))
        with pytest.raises(LinkLost, match="was altered, repeated or lost"):
            await b.receive()


async def test_pieces_without_end_are_not_kept(autojump_clock: MockClock) -> None:
    async with open_through_the_middle(SlowLine()) as (a, b, from_a, to_b), trio.open_nursery() as nursery:
        a.max_size = 10_000
        nursery.start_soon(a.send, bytes(5000))
        with pytest.raises(LinkLost, match="a length of 510, not 17 to"):
            for _ in range(9):
                await to_b.send_all(await frame(from_a))
            await b.receive()
        nursery.cancel_scope.cancel()


async def test_a_cancelled_receive_keeps_the_pieces_that_came(autojump_clock: MockClock) -> None:
    async with open_through_the_middle(SlowLine()) as (a, b, from_a, to_b):
        message = Random(1).randbytes(1200)
        await a.send(message)
        pieces = [await frame(from_a) for _ in range(3)]
        for piece in pieces[:-1]:
            await to_b.send_all(piece)
            with trio.move_on_after(1):
                await b.receive()
        await to_b.send_all(pieces[-1])
        assert await b.receive() == message
