"""What every link keeps to, whatever carries it. Each check takes a maker of two connected ends."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from random import Random

import pytest
import trio

from p2pcards.links.link import Link, LinkLost
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from rigs.giving_up import longest_wait

ANNA = Ed25519PrivateKey.from_private_bytes(b"anna".ljust(32, b"\0"))
BEN = Ed25519PrivateKey.from_private_bytes(b"ben".ljust(32, b"\0"))

Maker = Callable[[], AbstractAsyncContextManager[tuple[Link, Link]]]
"""Makes Anna's end, whose peer is Ben, and Ben's end, whose peer is Anna; closes both at the end."""


async def take(link: Link, count: int) -> list[bytes]:
    return [await link.receive() for _ in range(count)]


async def close_both(a: Link, b: Link) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(a.aclose)
        nursery.start_soon(b.aclose)


async def ends_know_each_other(maker: Maker) -> None:
    async with maker() as (a, b):
        assert a.peer == public_bytes(BEN)
        assert b.peer == public_bytes(ANNA)
        assert a.max_size == b.max_size >= 512
        assert a.where
        assert b.where


async def order_and_boundaries_are_kept(maker: Maker) -> None:
    async with maker() as (a, b):
        sizes = [1, 2, 255, 256, 257, a.max_size - 1, a.max_size, 1]
        messages = [Random(size).randbytes(size) for size in sizes]
        for sender, receiver in ((a, b), (b, a)):
            for message in messages:
                await sender.send(message)
            assert await take(receiver, len(messages)) == messages


async def the_other_side_sees_the_end_after_the_last_message(maker: Maker) -> None:
    async with maker() as (a, b), trio.open_nursery() as nursery:
        await a.send(b"one")
        await a.send(b"two")
        nursery.start_soon(a.aclose)
        assert await take(b, 2) == [b"one", b"two"]
        for _ in range(2):
            with pytest.raises(LinkLost, match="closed"):
                await b.receive()
        await b.aclose()


async def last_words_arrive_though_the_closer_did_not_listen(maker: Maker) -> None:
    async with maker() as (a, b), trio.open_nursery() as nursery:
        for _ in range(20):
            await b.send(bytes(b.max_size))
        await a.send(b"goodbye")
        nursery.start_soon(a.aclose)
        await trio.testing.wait_all_tasks_blocked()
        with suppress(LinkLost):
            await b.send(b"are you there?")
        assert await b.receive() == b"goodbye"
        await b.aclose()


async def closing_again_does_nothing(maker: Maker) -> None:
    async with maker() as (a, b):
        await close_both(a, b)
        await close_both(a, b)


async def a_closed_end_neither_sends_nor_receives(maker: Maker) -> None:
    async with maker() as (a, b):
        await b.send(b"never read")
        await close_both(a, b)
        for end in (a, b):
            with pytest.raises(LinkLost):
                await end.send(b"x")
            with pytest.raises(LinkLost):
                await end.receive()


async def closing_wakes_the_receiver(maker: Maker) -> None:
    async with maker() as (a, b), trio.open_nursery() as nursery:

        async def wait() -> None:
            with pytest.raises(LinkLost):
                await a.receive()

        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        await a.aclose()
        await b.aclose()


async def sending_to_someone_gone_fails(maker: Maker) -> None:
    async with maker() as (a, b), trio.open_nursery() as nursery:
        nursery.start_soon(b.aclose)
        with pytest.raises(LinkLost):
            await a.receive()
        with pytest.raises(LinkLost):
            for _ in range(100_000):
                await a.send(bytes(a.max_size))
        await a.aclose()


async def a_cancelled_receive_loses_nothing(maker: Maker) -> None:
    rng = Random(1)
    async with maker() as (a, b), trio.open_nursery() as nursery:
        messages = [rng.randbytes(rng.randrange(1, a.max_size)) for _ in range(300)]
        received: list[bytes] = []

        async def send() -> None:
            for message in messages:
                await a.send(message)

        async def receive(scope: trio.CancelScope) -> None:
            with scope:
                received.append(await b.receive())

        nursery.start_soon(send)
        with trio.fail_after(longest_wait()):
            while len(received) < len(messages):
                async with trio.open_nursery() as attempt:
                    scope = trio.CancelScope()
                    attempt.start_soon(receive, scope)
                    for _ in range(rng.randrange(12)):
                        await trio.lowlevel.checkpoint()
                    scope.cancel()
        assert received == messages


async def many_tasks_may_send_at_once(maker: Maker) -> None:
    senders, each = 10, 30
    async with maker() as (a, b), trio.open_nursery() as nursery:

        async def send(sender: int) -> None:
            for number in range(each):
                await a.send(bytes([sender, number]) * (1 + sender * 25))

        for sender in range(senders):
            nursery.start_soon(send, sender)
        received = await take(b, senders * each)
        for sender in range(senders):
            own = [message for message in received if message[0] == sender]
            assert own == [bytes([sender, number]) * (1 + sender * 25) for number in range(each)]


async def a_message_of_the_wrong_size_is_our_mistake_and_harms_nothing(maker: Maker) -> None:
    async with maker() as (a, b):
        for message in (b"", bytes(a.max_size + 1)):
            with pytest.raises(ValueError, match="1 to"):
                await a.send(message)
        await a.send(b"still here")
        assert await b.receive() == b"still here"


async def a_send_cancelled_before_it_began_harms_nothing(maker: Maker) -> None:
    async with maker() as (a, b):
        with trio.CancelScope() as scope:
            scope.cancel()
            await a.send(b"unsaid")
        await a.send(b"said")
        assert await b.receive() == b"said"


async def both_directions_carry_much_at_once(maker: Maker) -> None:
    count = 400
    async with maker() as (a, b), trio.open_nursery() as nursery:

        async def send(link: Link, mark: int) -> None:
            for number in range(count):
                await link.send(bytes([mark, number % 256]).ljust(link.max_size, b"."))

        async def receive(link: Link, mark: int) -> None:
            for number in range(count):
                assert await link.receive() == bytes([mark, number % 256]).ljust(link.max_size, b".")

        for link, own, other in ((a, 1, 2), (b, 2, 1)):
            nursery.start_soon(send, link, own)
            nursery.start_soon(receive, link, other)


async def what_is_not_taken_at_once_waits_in_its_order(maker: Maker) -> None:
    count = 2000
    async with maker() as (a, b), trio.open_nursery() as nursery:
        messages = [number.to_bytes(2, "big").ljust(a.max_size, b".") for number in range(count)]
        for message in messages[:-1]:
            a.send_nowait(message)
        assert a.waiting > 0
        nursery.start_soon(a.flush)
        nursery.start_soon(a.send, messages[-1])
        assert await take(b, count) == messages
        await a.flush()
        assert a.waiting == 0


CHECKS = (
    ends_know_each_other,
    order_and_boundaries_are_kept,
    the_other_side_sees_the_end_after_the_last_message,
    last_words_arrive_though_the_closer_did_not_listen,
    closing_again_does_nothing,
    a_closed_end_neither_sends_nor_receives,
    closing_wakes_the_receiver,
    sending_to_someone_gone_fails,
    a_cancelled_receive_loses_nothing,
    many_tasks_may_send_at_once,
    a_message_of_the_wrong_size_is_our_mistake_and_harms_nothing,
    a_send_cancelled_before_it_began_harms_nothing,
    both_directions_carry_much_at_once,
    what_is_not_taken_at_once_waits_in_its_order,
)
